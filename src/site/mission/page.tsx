import { ArrowRight } from "#site/ui/icons.tsx";
import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { PageHead } from "#site/ui/title.tsx";
import { RichText } from "#site/ui/rich-text.tsx";
import { describePage } from "#worker/discovery/metadata.ts";
import type { PageContent } from "#worker/pages/contract.ts";
import { readPages } from "#worker/pages/queries.ts";
import type { Route } from "./+types/page.ts";
import { readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site, show }, pages] = await Promise.all([
    readSiteAndShow(ctx),
    readPages(ctx, ["mission", "three-es"]),
  ]);
  const { mission } = pages;
  return {
    mission,
    pillars: pages["three-es"].pillars.map(({ title, text }) => ({ title, text })),
    meta: describePage(ctx, site, {
      title: "Mission",
      description: mission.standfirst,
      path: "/mission",
      image: show?.artwork?.src,
    }),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Mission({ loaderData: { mission, pillars } }: Route.ComponentProps) {
  return (
    <article className="page pb-8">
      <PageHead title={mission.headline} standfirst={mission.standfirst} />
      <div className="grid gap-x-10 gap-y-12 pt-8 lg:grid-cols-12">
        {mission.statement.html && <RichText html={mission.statement.html} className="lg:col-span-7" />}
        <Pillars mission={mission} pillars={pillars} />
      </div>
    </article>
  );
}

type PillarsProps = { mission: PageContent<"mission">; pillars: { title: string; text: string }[] };

const Pillars = ({ mission, pillars }: PillarsProps) => (
  <section aria-labelledby="pillars" className="lg:col-span-4 lg:col-start-9">
    <h2 id="pillars" className="mb-3 text-base font-semibold">
      {mission.pillarsTitle}
    </h2>
    <ol>
      {pillars.map(({ title, text }) => (
        <li key={title} className="border-t border-rule py-4">
          <h3 className="headline text-xl">{title}</h3>
          <p className="mt-1 text-muted">{text}</p>
        </li>
      ))}
    </ol>
    <Link
      to="/three-es"
      className="group flex items-center justify-between border-t border-ink py-4 font-medium text-accent"
    >
      <span className="underline-offset-4 group-hover:underline">{mission.pillarsLink}</span>
      <ArrowRight aria-hidden size={18} />
    </Link>
  </section>
);

export const ErrorBoundary = () => <PageError title="Failed to load this page. Please try again later." />;
