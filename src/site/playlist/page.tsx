import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { PlayButton } from "#site/player/play-button.tsx";
import { trackOf, type Track } from "#site/player/core/playback.ts";
import { ButtonLink } from "#site/ui/button.tsx";
import { counted, formatDuration } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import { PageHead } from "#site/ui/title.tsx";
import { describePlaylist } from "#worker/discovery/metadata.ts";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { playlistFeedPath, readPublicPlaylist } from "#worker/playlists/public-queries.ts";
import type { Route } from "./+types/page.ts";
import { orErrorResponse, readSiteAndShow } from "../loader.server.ts";
import { Missing, PageError, useIsMissing } from "../page-error.tsx";
import { EpisodeFacts } from "#site/shell/episode-facts.tsx";
import { Subscribe } from "./subscribe.tsx";

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site, show }, playlist] = await Promise.all([
    readSiteAndShow(ctx),
    orErrorResponse(readPublicPlaylist(ctx, params.id)),
  ]);
  const { name, description, episodes } = playlist;
  const audible = episodes.filter(({ audioUrl }) => audioUrl !== null);
  return {
    id: playlist.id,
    name,
    description,
    seconds: episodes.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0),
    episodes: episodes.map(lineOf),
    tracks: audible.map((episode) => trackOf(episode, show?.title ?? site.name)),
    // Without a show there is no feed.
    feedUrl: show && ctx.config.siteUrl + playlistFeedPath(params.id),
    meta: describePlaylist(ctx, site, show, playlist),
  };
}

/** The fields that a row shows: a long list is sent without the others. */
const lineOf = ({ id, title, episodeNumber, episodeType, publishedAt, durationSeconds }: EpisodeSummary) => ({
  id,
  title,
  episodeNumber,
  episodeType,
  publishedAt,
  durationSeconds,
});
type Line = ReturnType<typeof lineOf>;

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

type Loaded = Route.ComponentProps["loaderData"];

export default function PlaylistPage({ loaderData }: Route.ComponentProps) {
  const { id, name, episodes, feedUrl } = loaderData;
  return (
    <div className="page grid grid-cols-1 gap-x-10 pb-8 lg:grid-cols-12">
      <Head {...loaderData} />
      <section className="border-t border-ink lg:col-span-8">
        <h2 className="sr-only">Episodes</h2>
        {episodes.length > 0 ? <Programme lines={episodes} /> : <NoEpisodes />}
      </section>
      {feedUrl && <Subscribe id={id} name={name} url={feedUrl} />}
    </div>
  );
}

function Head({ name, description, episodes, seconds, tracks }: Loaded) {
  return (
    <div className="lg:col-span-12">
      <PageHead title={name} byline="A listener’s playlist" standfirst={description}>
        <div className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-3">
          <PlayAll tracks={tracks} />
          {episodes.length > 0 && (
            <p className="kicker facts">
              <span>{counted(episodes.length, "episode")}</span>
              {seconds > 0 && <time>{formatDuration(seconds)}</time>}
            </p>
          )}
        </div>
      </PageHead>
    </div>
  );
}

const PlayAll = ({ tracks }: { tracks: Track[] }) => (
  <PlayButton tracks={tracks} isList size="lg">
    Play All
  </PlayButton>
);

const Programme = ({ lines }: { lines: Line[] }) => (
  <ol>
    {lines.map((line, index) => (
      <li
        key={line.id}
        className="grid grid-cols-[2.5rem_1fr] items-baseline gap-x-4 border-t border-rule py-4 first:border-t-0"
      >
        {/* Hidden from screen readers, which count list items themselves. */}
        <span aria-hidden className="headline figures text-lg text-muted">
          {index + 1}
        </span>
        <div className="grid gap-1">
          <Link
            to={`/episode/${line.id}`}
            className="headline text-xl py-0.5 underline-offset-[0.15em] hover:underline"
          >
            {line.title}
          </Link>
          <EpisodeFacts episode={line} />
        </div>
      </li>
    ))}
  </ol>
);

const NoEpisodes = () => (
  <EmptyState
    title="No episodes in this playlist"
    className="border-t-0"
    action={<ButtonLink to="/podcast">All episodes</ButtonLink>}
  >
    The owner hasn’t added any yet.
  </EmptyState>
);

export function ErrorBoundary() {
  const isMissing = useIsMissing();
  return isMissing ? (
    <PlaylistNotFound />
  ) : (
    <PageError title="Failed to load this playlist. Please try again later." />
  );
}

const PlaylistNotFound = () => (
  <Missing
    title="Playlist not found"
    text="It may have been deleted or made private."
    to="/podcast"
    label="All episodes"
  />
);
