import { Suspense } from "react";
import { siteContext } from "#site/context.ts";
import { isDataRequest } from "#site/document/data-request.ts";
import { Link } from "#site/document/link.tsx";
import { trackOf } from "#site/player/core/playback.ts";
import { ArrowLeft } from "#site/ui/icons.tsx";
import { describeEpisode } from "#worker/discovery/metadata.ts";
import { readEpisodeWithComments } from "#worker/episodes/queries.ts";
import { momentIn, startWithin } from "#worker/episodes/start-at.ts";
import { episodeNotFound } from "#worker/episodes/summary.ts";
import type { Context } from "#worker/platform/context.ts";
import { idInPath } from "#worker/platform/text/id-in-path.ts";
import { orNearest, readSiteAndShow } from "../loader.server.ts";
import { lazyPart } from "../lazy-part.ts";
import { Missing, PageError, useIsMissing } from "../page-error.tsx";
import { sentFormOf } from "#worker/platform/http/sent-form.ts";
import type { Route } from "./+types/page.ts";
import { EpisodeContent } from "./content.tsx";
import { shownEpisode } from "./shown-episode.ts";
import { writeTranscript } from "./write-transcript.server.ts";

/** A separate chunk, not loaded while comments are switched off. */
const Comments = lazyPart(() => import("../comments/section.tsx"));

export async function loader({ context, params, request, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const after = url.searchParams.get("comments");
  const [{ site, show }, { episode, generated, comments }] = await Promise.all([
    readSiteAndShow(ctx),
    orNearest(ctx, url, readEpisode(ctx, params.id, after)),
  ]);
  const shown = shownEpisode(episode, site.disclosesGenerated ? generated : []);
  const startAt = startWithin(episode.durationSeconds, momentIn(url.searchParams));
  if (!isDataRequest(request)) writeTranscript(shown, startAt);
  return {
    episode: shown,
    track: trackOf(episode, show?.title ?? site.name),
    url: `${ctx.config.siteUrl}/episode/${episode.id}`,
    startAt,
    comments,
    after,
    replyTo: url.searchParams.get("reply"),
    sent: sentFormOf(ctx),
    meta: describeEpisode(ctx, site, show, episode, comments),
  };
}

async function readEpisode(ctx: Context, id: string, after: string | null) {
  if (idInPath(id) === 0) throw episodeNotFound();
  return readEpisodeWithComments(ctx, idInPath(id), after ?? undefined);
}

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function EpisodePage({
  loaderData: { episode, track, url, startAt, comments, after, replyTo, sent },
}: Route.ComponentProps) {
  return (
    <>
      <article className="page pt-4 pb-8">
        <BackLink />
        <EpisodeContent episode={episode} track={track} startAt={startAt} url={url} />
      </article>
      {comments && (
        <Suspense>
          <Comments
            comments={comments}
            kind="episode"
            contentId={episode.id}
            path={`/episode/${episode.id}`}
            {...{ after, replyTo, sent }}
          />
        </Suspense>
      )}
    </>
  );
}

const BackLink = () => (
  <Link
    to="/podcast"
    className="inline-flex items-center gap-2 py-1 text-sm font-medium text-accent underline-offset-4 hover:underline"
  >
    <ArrowLeft aria-hidden size={16} />
    All episodes
  </Link>
);

export function ErrorBoundary() {
  const isMissing = useIsMissing();
  return isMissing ? (
    <EpisodeNotFound />
  ) : (
    <PageError title="Failed to load this episode. Please try again later." />
  );
}

const EpisodeNotFound = () => (
  <Missing
    title="Episode Not Found"
    text="It may have been taken down, or isn’t published yet."
    to="/podcast"
    label="Back to all episodes"
  />
);
