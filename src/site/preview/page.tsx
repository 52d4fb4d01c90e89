import { redirect } from "react-router";
import { siteContext } from "#site/context.ts";
import { isDataRequest } from "#site/document/data-request.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { PageHead } from "#site/ui/title.tsx";
import { trackOf } from "#site/player/core/playback.ts";
import { readArticleForPreview } from "#worker/articles/queries.ts";
import { readEpisodeForPreview } from "#worker/episodes/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import type { PreviewKind } from "#worker/previews/contract.ts";
import { readPreviewToken } from "#worker/previews/preview-links.ts";
import { EpisodeContent } from "../episode/content.tsx";
import { shownEpisode } from "../episode/shown-episode.ts";
import { writeTranscript } from "../episode/write-transcript.server.ts";
import { EssayArticle } from "../essays/article.tsx";
import { orErrorResponse, readSiteAndShow } from "../loader.server.ts";
import { PageError, useErrorText, useIsMissing } from "../page-error.tsx";
import type { Route } from "./+types/page.ts";

/** Its address contains a token. */
export const headers = () => ({ "Cache-Control": "no-store", "X-Robots-Tag": "noindex" });

/** A draft, for the recipients of its link. If it has been published since, redirects to its own address. */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const token = url.searchParams.get("token") ?? "";
  const { kind, item, expiresAt } = await orErrorResponse(readPreviewToken(ctx, token));
  return { draft: await orErrorResponse(readDraft(ctx, request, kind, Number(item))), expiresAt };
}

const readDraft = async (ctx: Context, request: Request, kind: PreviewKind, id: number) =>
  kind === "episode" ? readDraftEpisode(ctx, request, id) : readDraftArticle(ctx, id);

async function readDraftArticle(ctx: Context, id: number) {
  const [{ site }, { article, status }] = await Promise.all([
    readSiteAndShow(ctx),
    readArticleForPreview(ctx, id),
  ]);
  if (status === "published") throw redirect(`/essays/${article.slug}`);
  return { kind: "article" as const, title: article.title, article, author: site.name };
}

async function readDraftEpisode(ctx: Context, request: Request, id: number) {
  const [{ site, show }, { episode, generated, status }] = await Promise.all([
    readSiteAndShow(ctx),
    readEpisodeForPreview(ctx, id),
  ]);
  if (status === "published") throw redirect(`/episode/${id}`);
  const shown = shownEpisode(episode, site.disclosesGenerated ? generated : []);
  if (!isDataRequest(request)) writeTranscript(shown);
  return {
    kind: "episode" as const,
    title: episode.title,
    episode: shown,
    track: trackOf(episode, show?.title ?? site.name),
  };
}

/** A refused link has the error page's title. */
export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData && [{ title: `Draft: ${loaderData.draft.title}` }, { name: "robots", content: "noindex" }];

export default function PreviewPage({ loaderData: { draft, expiresAt } }: Route.ComponentProps) {
  return (
    <>
      <p className="border-b border-rule bg-tint py-3 text-sm">
        <span className="page block">
          This is a draft. Its link works until <DateTime at={expiresAt} format={formatDateTime} />.
        </span>
      </p>
      {draft.kind === "article" ? (
        <EssayArticle article={draft.article} author={draft.author} />
      ) : (
        <article className="page pt-4 pb-8">
          <EpisodeContent episode={draft.episode} track={draft.track} startAt={0} isDraft />
        </article>
      )}
    </>
  );
}

export const ErrorBoundary = () =>
  useIsMissing() ? (
    <LinkRefused />
  ) : (
    <PageError title="Failed to load this preview. Please try again later." />
  );

const LinkRefused = () => (
  <section className="page pb-8">
    <title>Preview not found</title>
    <meta name="robots" content="noindex" />
    <PageHead title="Preview not found" standfirst={useErrorText()} />
    <ButtonLink to="/" tone="primary" className="mt-8">
      Return to Home
    </ButtonLink>
  </section>
);
