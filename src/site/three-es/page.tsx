import { ArrowRight } from "#site/ui/icons.tsx";
import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { PageHead } from "#site/ui/title.tsx";
import { RichText } from "#site/ui/rich-text.tsx";
import { describePage } from "#worker/discovery/metadata.ts";
import type { PageContent } from "#worker/pages/contract.ts";
import { readPage } from "#worker/pages/queries.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site, show }, page] = await Promise.all([readSiteAndShow(ctx), readPage(ctx, "three-es")]);
  return {
    page,
    meta: describePage(ctx, site, {
      title: "The 3 Es",
      description: page.standfirst,
      path: "/three-es",
      image: show?.artwork?.src,
    }),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function ThreeEs({ loaderData: { page } }: Route.ComponentProps) {
  return (
    <article className="page pb-8">
      <PageHead title={page.headline} standfirst={page.standfirst} />
      {page.pillars.map((pillar) => (
        <Pillar key={pillar.title} pillar={pillar} />
      ))}
      <Onwards page={page} />
    </article>
  );
}

const Pillar = ({
  pillar: { title, text, body },
}: {
  pillar: PageContent<"three-es">["pillars"][number];
}) => (
  <section className="grid gap-x-10 gap-y-5 border-t border-ink pt-6 pb-14 lg:grid-cols-12 lg:pb-24">
    <h2 className="headline text-3xl first-letter:text-signal lg:sticky lg:top-24 lg:col-span-5 lg:self-start">
      {title}
    </h2>
    <div className="lg:col-span-7">
      <p className="headline mb-5 max-w-[36rem] text-xl">{text}</p>
      <RichText html={body.html} />
    </div>
  </section>
);

const Onwards = ({ page }: { page: PageContent<"three-es"> }) => (
  <nav aria-label="Read on" className="grid border-t border-ink md:grid-cols-2">
    <OnwardLink to="/mission" kicker={page.missionKicker} label={page.missionLink} />
    <OnwardLink to="/contact" kicker={page.contactKicker} label={page.contactLink} />
  </nav>
);

const OnwardLink = ({ to, kicker, label }: { to: string; kicker: string; label: string }) => (
  <Link
    to={to}
    className="group flex items-end justify-between gap-4 py-6 max-md:border-b max-md:border-rule md:last:border-l md:last:border-rule md:last:pl-8 md:first:pr-8"
  >
    <span className="grid gap-1">
      {kicker && <span className="kicker">{kicker}</span>}
      <span className="headline text-2xl decoration-2 underline-offset-[0.12em] group-hover:underline">
        {label}
      </span>
    </span>
    <ArrowRight aria-hidden size={28} strokeWidth={1.25} className="mb-1 text-signal" />
  </Link>
);

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
