import { ArrowRight } from "#site/ui/icons.tsx";
import { Link } from "#site/document/link.tsx";
import { ButtonLink } from "#site/ui/button.tsx";
import { Title } from "#site/ui/title.tsx";

type HeroProps = {
  site: { name: string; headline: string; standfirst: string; youtube: string | null };
  /** The slug of the latest one. */
  essay: string | null;
};

/** The host, the topics, and four links: one primary and three secondary. */
export function Hero({ site, essay }: HeroProps) {
  const title = site.headline || site.name;
  return (
    <header className="pt-8 lg:pt-14">
      <div className="grid gap-x-10 gap-y-5 lg:grid-cols-12">
        <div className="lg:col-span-8">
          <Title text={title} />
        </div>
        {site.standfirst && (
          <p className="max-w-[34rem] self-end font-reading text-lg text-muted lg:col-span-4">
            {site.standfirst}
          </p>
        )}
      </div>
      <nav
        aria-label="Start here"
        className="mt-7 flex flex-col border-b border-ink pb-5 sm:flex-row sm:flex-wrap sm:items-center sm:gap-x-8 sm:gap-y-2 lg:mt-10"
      >
        <ButtonLink to="/podcast" tone="primary" size="lg" className="max-sm:mb-2">
          Listen to Podcast
        </ButtonLink>
        {site.youtube && <Quiet to={site.youtube}>Subscribe on YouTube</Quiet>}
        {essay && <Quiet to={`/essays/${essay}`}>Read Latest Article</Quiet>}
        <Quiet to="/speaking">Book to Speak</Quiet>
      </nav>
    </header>
  );
}

const Quiet = ({ to, children }: { to: string; children: string }) => (
  <Link
    to={to}
    className={
      "flex min-h-12 items-center justify-between gap-2 font-medium underline-offset-4 hover:underline " +
      "max-sm:border-t max-sm:border-rule"
    }
  >
    {children}
    <ArrowRight aria-hidden size={16} className="text-signal sm:max-lg:hidden" />
  </Link>
);
