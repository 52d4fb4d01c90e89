import { siteContext } from "#site/context.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import { Title } from "#site/ui/title.tsx";
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
    <div className="page py-8">
      <Head url={url} />
      {essays.length > 0 ? <EssayList essays={essays} /> : <NoEssays isFirst={isFirst} />}
      {next && <ButtonLink to={`/essays?before=${next}`}>Older essays</ButtonLink>}
    </div>
  );
}

const Head = ({ url }: { url: string }) => (
  <header className="grid gap-6 border-b border-ink pb-8">
    <Title text="Essays" />
    <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-5">
      <p className="max-w-[34rem] font-reading text-lg text-muted">
        Written slowly, and meant to be read in one sitting.
      </p>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <ShareBar title="Essays" url={url} />
        <ButtonLink to="/admin" reloadDocument>
          Manage Content
        </ButtonLink>
      </div>
    </div>
  </header>
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
