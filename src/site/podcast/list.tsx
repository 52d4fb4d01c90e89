import type { ReactNode } from "react";
import { Link } from "#site/document/link.tsx";
import { cx } from "#site/ui/cx.ts";
import { ProgressLine, ProgressLabel } from "#site/player/progress-marks.tsx";
import type { Track } from "#site/player/core/playback.ts";
import { RowPlay } from "#site/player/row-play.tsx";
import { EpisodeActions } from "#site/playlists/episode-actions.tsx";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { Artwork } from "#site/shell/artwork.tsx";
import { EpisodeFacts } from "#site/shell/episode-facts.tsx";

type ListProps = {
  episodes: EpisodeSummary[];
  /** The tracks of the episodes, in the same order. */
  tracks: Track[];
};

export const EpisodeList = ({ episodes, tracks }: ListProps) => (
  <ol className="@container">
    {episodes.map((episode, index) => (
      <li key={episode.id} className={episodeRow}>
        <Row episode={episode} play={<RowPlay tracks={tracks} index={index} />} />
      </li>
    ))}
  </ol>
);

export const episodeRow = "border-t border-rule py-6 first:border-t-0 first:pt-0";
/** On a wide page the facts are a column under the show's picture. */
export const episodeGrid =
  "grid grid-cols-[1fr_5rem] gap-x-4 gap-y-2 @2xl:grid-cols-[1fr_9rem] @2xl:grid-rows-[auto_auto_1fr] @2xl:gap-x-8 " +
  "@5xl:grid-cols-[17.5rem_1fr_9rem] @5xl:grid-rows-[auto_1fr] @5xl:gap-x-12";
export const episodeCells = {
  facts: "col-span-full @2xl:col-span-1 @5xl:row-span-2 @5xl:pt-1",
  title: "@5xl:col-start-2",
  picture: "@2xl:col-start-2 @2xl:row-span-3 @2xl:row-start-1 @5xl:col-start-3 @5xl:row-span-2",
  text: "col-span-full @2xl:col-span-1 @5xl:col-start-2",
};

function Row({ episode, play }: { episode: EpisodeSummary; play: ReactNode }) {
  const path = `/episode/${episode.id}`;
  return (
    <article className={episodeGrid}>
      <EpisodeFacts episode={episode} className={episodeCells.facts} />
      <h3 className={cx("headline text-xl", episodeCells.title)}>
        <Link to={path} className="py-0.5 underline-offset-[0.15em] hover:underline">
          {episode.title}
        </Link>
      </h3>
      <Link to={path} tabIndex={-1} aria-hidden className={cx("relative self-start", episodeCells.picture)}>
        <Artwork
          picture={episode.picture}
          seed={episode.id}
          figure={episode.episodeNumber}
          sizes="(min-width: 48rem) 9rem, 5rem"
        />
        <ProgressLine episode={episode} />
      </Link>
      <div className={cx("grid content-start gap-2", episodeCells.text)}>
        <p className="line-clamp-2 max-w-[38rem] font-reading text-base text-muted">{episode.description}</p>
        <div className="flex items-center gap-x-3 text-sm">
          {play}
          <ListenNow episode={episode} />
          <EpisodeActions episode={episode} small className="-my-2 -mr-2.5 ml-auto" />
        </div>
      </div>
    </article>
  );
}

/** Shows the listener's progress if there is room. */
const ListenNow = ({ episode }: { episode: EpisodeSummary }) => (
  <p className="flex min-w-0 gap-x-4 py-0.5 print:hidden">
    <Link
      to={`/episode/${episode.id}`}
      className="py-0.5 font-medium whitespace-nowrap text-accent underline-offset-4 hover:underline"
    >
      Listen Now<span className="sr-only">{`: ${episode.title}`}</span>
    </Link>
    <ProgressLabel episode={episode} className="figures truncate text-muted" />
  </p>
);
