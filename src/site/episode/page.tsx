import { ArrowLeft, Play } from "#site/ui/icons.tsx";
import { data } from "react-router";
import { Link } from "#site/document/link.tsx";
import { siteContext } from "#site/context.ts";
import { playAttributes } from "#site/document/early-play.ts";
import { ProgressOverlay } from "#site/player/progress-marks.tsx";
import { PlayButton } from "#site/player/play-button.tsx";
import { QueueButton } from "#site/player/queue-button.tsx";
import { trackOf, type Track } from "#site/player/playback.ts";
import { usePlayFrom } from "#site/player/use-play.ts";
import { EpisodeActions } from "#site/playlists/episode-actions.tsx";
import { Button, ButtonLink } from "#site/ui/button.tsx";
import { formatDuration, formatLongDate, formatTime } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { Title } from "#site/ui/title.tsx";
import { RichText } from "#site/ui/rich-text.tsx";
import { describeEpisode } from "#worker/discovery/metadata.ts";
import type { Episode, Person } from "#worker/episodes/contract.ts";
import { readEpisode } from "#worker/episodes/queries.ts";
import type { Route } from "./+types/page.ts";
import { Artwork } from "#site/shell/artwork.tsx";
import { episodeKinds } from "#site/shell/episode-facts.tsx";
import { orErrorResponse, readSiteAndShow } from "../loader.server.ts";
import { PageError, useIsMissing } from "../page-error.tsx";
import { Chapters } from "./chapters.tsx";
import { paragraphsOf, type Paragraph } from "#worker/episodes/paragraphs.ts";
import { useTimestampsIn } from "./timestamp-link.ts";
import { PlainTranscript, Transcript } from "./transcript.tsx";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const [{ site, show }, episode] = await Promise.all([
    readSiteAndShow(ctx),
    orErrorResponse(readEpisode(ctx, idOf(params.id))),
  ]);
  const { transcript, ...rest } = episode;
  return {
    episode: { ...rest, transcript: paragraphsOf(transcript) },
    track: trackOf(episode, show?.title ?? site.name),
    startAt: secondsOf(url.searchParams.get("t"), episode.durationSeconds),
    meta: describeEpisode(ctx, site, show, episode),
  };
}

function idOf(param: string) {
  if (!/^[1-9]\d{0,9}$/.test(param)) throw data("Not a number", { status: 404 });
  return Number(param);
}

/** `?t=90`: seconds to start at; ignored behind the end of the episode. */
function secondsOf(param: string | null, durationSeconds: number) {
  const seconds = param !== null && /^\d{1,6}$/.test(param) ? Number(param) : 0;
  return durationSeconds > 0 && seconds > durationSeconds ? 0 : seconds;
}

/** The episode with its transcript as paragraphs. */
type ShownEpisode = Omit<Episode, "transcript"> & { transcript: Paragraph[] };

export const meta = ({ loaderData }: Route.MetaArgs) => loaderData?.meta;

export default function EpisodePage({ loaderData: { episode, track, startAt } }: Route.ComponentProps) {
  return (
    <article className="page pt-4 pb-8">
      <BackLink />
      <Head episode={episode} track={track} startAt={startAt} />
      <div className="grid grid-cols-1 gap-x-10 gap-y-12 border-t border-ink pt-8 empty:hidden lg:grid-cols-12">
        <Asides episode={episode} track={track} />
        <Reading episode={episode} track={track} startAt={startAt} />
      </div>
    </article>
  );
}

function Asides({ episode: { chapters, people }, track }: { episode: ShownEpisode; track: Track }) {
  if (chapters.length === 0 && people.length === 0) return null;
  return (
    <aside className="grid content-start gap-10 lg:order-last lg:col-span-4 lg:col-start-9">
      <Chapters chapters={chapters} track={track} />
      <People people={people} />
    </aside>
  );
}

type ReadingProps = { episode: ShownEpisode; track: Track; startAt: number };

function Reading({ episode, track, startAt }: ReadingProps) {
  const timestamps = useTimestampsIn(track);
  const { showNotesHtml, transcript, plainTranscript } = episode;
  if (!showNotesHtml && transcript.length === 0 && !plainTranscript) return null;
  return (
    <div className="grid grid-cols-1 content-start gap-12 lg:col-span-8">
      {showNotesHtml && (
        <section ref={timestamps} aria-labelledby="show-notes">
          <h2 id="show-notes" className="mb-4 text-base font-semibold">
            Show notes
          </h2>
          <RichText html={showNotesHtml} />
        </section>
      )}
      <Transcript key={startAt} paragraphs={transcript} track={track} startAt={startAt} />
      <PlainTranscript text={plainTranscript} />
    </div>
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

function Head({ episode, track, startAt }: { episode: ShownEpisode; track: Track; startAt: number }) {
  return (
    <header className="grid grid-cols-1 gap-x-10 gap-y-6 pt-6 pb-10 md:grid-cols-12">
      <div className="grid min-w-0 grid-cols-1 content-start gap-4 md:col-span-8">
        <Facts episode={episode} />
        <Title text={episode.title} />
        <p className="max-w-[38rem] font-reading text-lg wrap-anywhere whitespace-pre-line">
          {episode.description}
        </p>
        <Listen episode={episode} track={track} startAt={startAt} />
      </div>
      <div className="relative self-start max-md:max-w-64 md:col-span-4">
        <Artwork
          picture={episode.picture}
          seed={episode.id}
          figure={episode.episodeNumber}
          sizes="(min-width: 75rem) 23.5rem, (min-width: 48rem) 30vw, 16rem"
          priority
        />
        <ProgressOverlay episode={episode} />
      </div>
    </header>
  );
}

const Facts = ({ episode }: { episode: ShownEpisode }) => (
  <p className="kicker facts">
    <DateTime at={episode.publishedAt} format={formatLongDate} />
    {episodeKinds[episode.episodeType] && <span>{episodeKinds[episode.episodeType]}</span>}
    {episode.seasonNumber && <span>Season {episode.seasonNumber}</span>}
    {episode.episodeNumber && <span>Episode {episode.episodeNumber}</span>}
    {episode.durationSeconds > 0 && <time>{formatDuration(episode.durationSeconds)}</time>}
    {episode.explicit && <span>Explicit</span>}
  </p>
);

function Listen({ episode, track, startAt }: { episode: ShownEpisode; track: Track; startAt: number }) {
  const elsewhere = elsewhereOf(episode);
  return (
    <div className="mt-2 grid gap-5">
      {episode.audioUrl && (
        <div className="flex max-w-[38rem] flex-wrap items-center gap-x-4 gap-y-5">
          {startAt > 0 ? (
            <PlayFromButton track={track} startAt={startAt} />
          ) : (
            <PlayButton tracks={[track]} size="lg">
              Play in Audio Player
            </PlayButton>
          )}
          <QueueButton track={track} />
          <div className="h-12 w-full min-w-64 animate-settle sm:w-auto sm:grow">
            <audio
              controls
              preload="none"
              aria-label={`Audio of ${episode.title}`}
              src={startAt > 0 ? `${episode.audioUrl}#t=${startAt}` : episode.audioUrl}
              className="size-full"
            />
          </div>
        </div>
      )}
      <EpisodeActions episode={episode} className="-my-2 -ml-4" />
      {elsewhere.length > 0 && (
        <ul aria-label="Also available" className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
          {elsewhere.map(({ label, href }) => (
            <li key={label}>
              <a href={href} className="link inline-block py-1">
                {label}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Starts at the timestamp of the address, whatever the listener's progress. */
function PlayFromButton({ track, startAt }: { track: Track; startAt: number }) {
  const playFrom = usePlayFrom();
  return (
    <Button
      tone="primary"
      size="lg"
      className="script-only"
      onClick={() => playFrom(track, startAt)}
      {...(track.audioUrl && playAttributes(track.audioUrl, startAt))}
    >
      <Play aria-hidden size={16} fill="currentColor" />
      Play from {formatTime(startAt)}
    </Button>
  );
}

const elsewhereOf = ({ youtubeUrl, videoUrl, spotifyUrl, appleUrl, audioUrl }: ShownEpisode) =>
  [
    { label: "Watch on YouTube", href: youtubeUrl },
    { label: "Watch the video", href: videoUrl },
    { label: "Listen on Spotify", href: spotifyUrl },
    { label: "Listen on Apple Podcasts", href: appleUrl },
    { label: "Download the audio", href: audioUrl },
  ].filter((link): link is { label: string; href: string } => link.href !== null);

function People({ people }: { people: Person[] }) {
  if (people.length === 0) return null;
  return (
    <section aria-labelledby="people">
      <h2 id="people" className="mb-2 text-base font-semibold">
        People
      </h2>
      <ul>
        {people.map(({ name, role, href }) => (
          <li key={`${name} ${role}`} className="flex justify-between gap-4 border-t border-rule py-2.5">
            {href ? (
              <a href={href} className="link">
                {name}
              </a>
            ) : (
              <span>{name}</span>
            )}
            <span className="text-sm text-muted first-letter:uppercase">{role}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function ErrorBoundary() {
  const isMissing = useIsMissing();
  return isMissing ? (
    <EpisodeNotFound />
  ) : (
    <PageError title="Failed to load this episode. Please try again later." />
  );
}

const EpisodeNotFound = () => (
  <section className="page grid justify-items-start gap-6 py-16 lg:py-24">
    <title>Episode Not Found</title>
    <meta name="robots" content="noindex" />
    <Title text="Episode Not Found" />
    <p className="max-w-xl font-reading text-lg text-muted">
      It may have been taken down, or it has not been published yet.
    </p>
    <ButtonLink to="/podcast" tone="primary">
      Back to all episodes
    </ButtonLink>
  </section>
);
