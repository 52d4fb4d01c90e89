import { playAttributes } from "#site/document/early-play.ts";
import type { Track } from "#site/player/core/playback.ts";
import { Link } from "#site/document/link.tsx";
import { KeepOffline } from "#site/player/keep-offline.tsx";
import { PlayButton } from "#site/player/play-button.tsx";
import { ProgressOverlay } from "#site/player/progress-marks.tsx";
import { QueueButton } from "#site/player/queue-button.tsx";
import { usePlayFrom } from "#site/player/use-play.ts";
import { EpisodeActions } from "#site/playlists/episode-actions.tsx";
import { Artwork } from "#site/shell/artwork.tsx";
import { EmbedButton } from "#site/shell/embed-button.tsx";
import { episodeKinds } from "#site/shell/episode-facts.tsx";
import { ShareBar } from "#site/shell/share-bar.tsx";
import { Button } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDuration, formatLongDate, formatTime } from "#site/ui/format.ts";
import { Play } from "#site/ui/icons.tsx";
import { RichText } from "#site/ui/rich-text.tsx";
import { Title } from "#site/ui/title.tsx";
import { Chapters } from "./chapters.tsx";
import type { ShownEpisode, ShownRow } from "./shown-episode.ts";
import { useTimestampsIn } from "./timestamp-link.ts";
import { PlainTranscript, Transcript } from "./transcript.tsx";

type Props = {
  episode: ShownEpisode;
  track: Track;
  /** Seconds. */
  startAt: number;
  /** Its public address; absent for a draft, which cannot be shared. */
  url?: string;
  /** A draft cannot be added to playlists or saved, and has no progress. */
  isDraft?: boolean;
};

/** The content of an episode's page. */
export const EpisodeContent = (props: Props) => (
  <>
    <Head {...props} />
    <div className="grid grid-cols-1 gap-x-10 gap-y-12 border-t border-ink pt-8 empty:hidden lg:grid-cols-12">
      <Asides {...props} />
      <Reading {...props} />
    </div>
  </>
);

function Asides({ episode, track }: Pick<Props, "episode" | "track">) {
  const { chapters, people, versions, discussions } = episode;
  if (chapters.length === 0 && people.length === 0 && !versions && !discussions) return null;
  return (
    <aside className="grid content-start gap-10 lg:order-last lg:col-span-4 lg:col-start-9">
      <Chapters chapters={chapters} track={track} />
      <Rows id="people" title="People" rows={people} />
      <Rows id="versions" title="Other versions" rows={versions} />
      <Rows id="discussions" title="Discussions" rows={discussions} />
    </aside>
  );
}

function Reading({ episode, track, startAt, url }: Props) {
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
      <Transcript key={startAt} paragraphs={transcript} track={track} startAt={startAt} url={url} />
      <PlainTranscript text={plainTranscript} track={track} url={url} />
    </div>
  );
}

function Head({ episode, track, startAt, url, isDraft }: Props) {
  return (
    <header className="grid grid-cols-1 gap-x-10 gap-y-6 pt-6 pb-10 md:grid-cols-12">
      <div className="grid min-w-0 grid-cols-1 content-start gap-4 md:col-span-8">
        <Facts episode={episode} />
        <Title text={episode.title} />
        <p className="max-w-[38rem] font-reading text-lg whitespace-pre-line">{episode.description}</p>
        {episode.disclosed && <p className="text-sm text-muted">{episode.disclosed}</p>}
        <Listen episode={episode} track={track} startAt={startAt} url={url} isDraft={isDraft} />
      </div>
      <div className="relative self-start max-md:max-w-64 md:col-span-4">
        <Artwork
          picture={episode.picture}
          seed={episode.id}
          figure={episode.episodeNumber}
          show={track.show}
          sizes="(min-width: 75rem) 23.5rem, (min-width: 48rem) 30vw, 16rem"
          priority
        />
        {!isDraft && <ProgressOverlay episode={episode} />}
      </div>
    </header>
  );
}

const Facts = ({ episode }: { episode: ShownEpisode }) => (
  <p className="kicker facts">
    <DateTime at={episode.publishedAt} format={formatLongDate} />
    {episodeKinds[episode.episodeType] && <span>{episodeKinds[episode.episodeType]}</span>}
    {episode.seasonNumber && <span>{`Season ${episode.seasonNumber}`}</span>}
    {episode.episodeNumber && <span>{`Episode ${episode.episodeNumber}`}</span>}
    {episode.durationSeconds > 0 && <time>{formatDuration(episode.durationSeconds)}</time>}
    {episode.explicit && <span>Explicit</span>}
  </p>
);

function Listen({ episode, track, startAt, url, isDraft }: Props) {
  return (
    <div className="mt-2 grid gap-5">
      {!isDraft && (
        <>
          {episode.audioUrl && (
            <div className="flex flex-wrap gap-4 print:hidden">
              <PlayerButtons track={track} startAt={startAt} />
            </div>
          )}
          <div className="-my-2 -ml-4 flex flex-wrap items-center print:hidden">
            <EpisodeActions episode={episode} />
            {track.audioUrl && (
              <KeepOffline
                track={track}
                tone="bare"
                size="md"
                className="script-only offline-only contents"
              />
            )}
          </div>
        </>
      )}
      <OtherWays episode={episode} startAt={startAt} />
      {url && (
        <ShareBar title={episode.title} url={url} className="-my-1">
          {track.audioUrl && (
            <EmbedButton kind="episode" id={episode.id} title={episode.title} className="script-only" />
          )}
        </ShareBar>
      )}
    </div>
  );
}

/** The browser's own player, the only one without scripts, and links to the episode elsewhere. */
function OtherWays({ episode, startAt }: Pick<Props, "episode" | "startAt">) {
  const elsewhere = elsewhereOf(episode);
  if (elsewhere.length === 0) return null;
  return (
    <section aria-labelledby="other-ways" className="grid max-w-[38rem] gap-3 border-t border-rule pt-4">
      <h2 id="other-ways" className="kicker">
        Other ways to listen
      </h2>
      {episode.audioUrl && (
        <div className="h-12 animate-settle print:hidden">
          <audio
            controls
            preload="none"
            aria-label={`Audio of ${episode.title}`}
            src={startAt > 0 ? `${episode.audioUrl}#t=${startAt}` : episode.audioUrl}
            className="size-full"
          />
        </div>
      )}
      <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {elsewhere.map(({ label, href }) => (
          <li key={label}>
            <a href={href} className="link inline-block min-w-6 py-1">
              {label}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

const PlayerButtons = ({ track, startAt }: Pick<Props, "track" | "startAt">) => (
  <>
    {startAt > 0 ? (
      <PlayFromButton track={track} startAt={startAt} />
    ) : (
      <PlayButton tracks={[track]} size="lg">
        Play in Audio Player
      </PlayButton>
    )}
    <QueueButton track={track} />
  </>
);

/** Starts at the timestamp of the address, regardless of the listener's progress. */
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
      <span>{`Play from ${formatTime(startAt)}`}</span>
    </Button>
  );
}

const elsewhereOf = ({ youtubeUrl, videoUrl, spotifyUrl, appleUrl, audioUrl }: ShownEpisode) =>
  [
    { label: "Watch on YouTube", href: youtubeUrl },
    { label: "Watch the video", href: videoUrl },
    { label: "Listen on Spotify", href: spotifyUrl },
    { label: "Listen on Apple Podcasts", href: appleUrl },
    { label: "Download the audio", href: audioUrl && `${audioUrl}?download` },
  ].filter((link): link is { label: string; href: string } => link.href !== null);

type RowsProps = { id: string; title: string; rows: ShownRow[] | undefined };

function Rows({ id, title, rows = [] }: RowsProps) {
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="mb-2 text-base font-semibold">
        {title}
      </h2>
      <ul>
        {rows.map(({ label, href, detail }) => (
          <li
            key={`${label} ${detail} ${href}`}
            className="flex justify-between gap-4 border-t border-rule py-2.5"
          >
            <RowLabel label={label} href={href} />
            <span className="text-sm text-muted first-letter:uppercase">{detail}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RowLabel({ label, href }: Pick<ShownRow, "label" | "href">) {
  if (!href) return <span>{label}</span>;
  // The router has no route for files.
  return href.startsWith("/media/") ? (
    <a href={href} className="link">
      {label}
    </a>
  ) : (
    <Link to={href} className="link">
      {label}
    </Link>
  );
}
