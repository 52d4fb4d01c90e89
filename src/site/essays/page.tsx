import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { listPublishedArticles } from "#worker/articles/queries.ts";
import { describeEssays } from "#worker/discovery/essays.ts";
import type { Route } from "./+types/page.ts";
import { orErrorResponse, readSiteAndShow } from "../loader.server.ts";
import { PageError } from "../page-error.tsx";
import { ShareBar } from "#site/shell/share-bar.tsx";
import { EssayList } from "./list.tsx";

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const before = url.searchParams.get("before") ?? undefined;
  const [{ site }, { items: articles, next }] = await Promise.all([
    readSiteAndShow(ctx),
    orErrorResponse(listPublishedArticles(ctx, { before, limit: 12 })),
  ]);
  return {
    essays: articles,
    next,
    isFirst: before === undefined,
    url: `${ctx.config.siteUrl}/essays`,
    meta: describeEssays(ctx, site, articles, { before }),
  };
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function Essays({ loaderData: { essays, next, isFirst, url } }: Route.ComponentProps) {
  return (
    <div className="page pb-8">
      <Head url={url} />
      {essays.length > 0 ? <EssayList essays={essays} /> : <NoEssays isFirst={isFirst} />}
      {next && <ButtonLink to={`/essays?before=${next}`}>Older essays</ButtonLink>}
    </div>
  );
}

const Head = ({ url }: { url: string }) => (
  <PageHead
    title="Essays"
    standfirst="Written slowly, and meant to be read in one sitting."
    aside={
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <ShareBar title="Essays" url={url} />
        <ButtonLink to="/admin" reloadDocument>
          Manage Content
        </ButtonLink>
      </div>
    }
  />
);

const NoEssays = ({ isFirst }: { isFirst: boolean }) =>
  isFirst ? (
    <EmptyState title="No essays yet" className="border-t-0">
      The first one is being written. Follow the{" "}
      <a className="link" href="/rss/essays.xml">
        RSS feed
      </a>{" "}
      to get it as soon as it’s out.
    </EmptyState>
  ) : (
    <EmptyState
      title="No older essays"
      className="border-t-0"
      action={<ButtonLink to="/essays">Newest essays</ButtonLink>}
    />
  );

export const ErrorBoundary = () => <PageError title="Failed to load essays. Please try again later." />;
