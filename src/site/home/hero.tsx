import { ArrowRight } from "#site/ui/icons.tsx";
import { Link } from "#site/document/link.tsx";
import { Title } from "#site/ui/title.tsx";

type HeroProps = {
  site: { name: string; headline: string; standfirst: string; youtube: string | null };
  /** The slug of the latest essay. */
  essay: string | null;
};

/** The host, the topics, and four quiet links: the button of this screen is the lead's. */
export function Hero({ site, essay }: HeroProps) {
  const title = site.headline || site.name;
  return (
    <header className="pt-8">
      <div className="grid gap-x-10 gap-y-4 lg:grid-cols-12">
        <div className="lg:col-span-8">
          <Title text={title} isFront />
        </div>
        {site.standfirst && (
          <p className="max-w-[34rem] self-end font-reading text-lg text-muted lg:col-span-4">
            {site.standfirst}
          </p>
        )}
      </div>
      <nav
        aria-label="Start here"
        className="mt-4 flex flex-wrap gap-x-6 border-b border-ink pb-2 text-sm font-medium sm:gap-x-8"
      >
        {site.youtube && <Quiet to={site.youtube}>Subscribe on YouTube</Quiet>}
        <Quiet to="/podcast">Listen to Podcast</Quiet>
        {essay && <Quiet to={`/essays/${essay}`}>Read Latest Article</Quiet>}
        <Quiet to="/speaking">Book to Speak</Quiet>
      </nav>
    </header>
  );
}

const Quiet = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className="flex min-h-10 items-center gap-1.5 underline-offset-4 hover:underline">
    {children}
    <ArrowRight aria-hidden size={14} className="text-signal max-sm:hidden" />
  </Link>
);
