import { Link } from "react-router";
import { cx } from "#site/ui/cx.ts";
import { HeardLine, HeardWords } from "#site/player/heard-marks.tsx";
import { formatDuration, formatShortDate, isoDate } from "#site/ui/format.ts";
import { Skeleton } from "#site/ui/states.tsx";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { Artwork } from "../artwork.tsx";

type ListProps = { episodes: EpisodeSummary[]; headings?: "h2" | "h3" };

export function EpisodeList({ episodes, headings = "h2" }: ListProps) {
  return (
    <ol className="@container">
      {episodes.map((episode) => (
        <li key={episode.id} className={rowClass}>
          <Row episode={episode} Heading={headings} />
        </li>
      ))}
    </ol>
  );
}

const rowClass = "border-t border-rule py-6 first:border-t-0 first:pt-0";
/** Across a whole page the facts stand in a column of their own, under the show's picture. */
const rowGrid =
  "grid grid-cols-[1fr_5rem] gap-x-4 gap-y-2 @2xl:grid-cols-[1fr_9rem] @2xl:grid-rows-[auto_1fr] @2xl:gap-x-8 " +
  "@5xl:grid-cols-[17.5rem_1fr_9rem] @5xl:grid-rows-1 @5xl:gap-x-12";
const factsCell = "col-span-full @2xl:col-span-1 @5xl:pt-1";
const pictureCell = "@2xl:col-start-2 @2xl:row-span-2 @2xl:row-start-1 @5xl:col-start-3 @5xl:row-span-1";

function Row({ episode, Heading }: { episode: EpisodeSummary; Heading: "h2" | "h3" }) {
  const path = `/episode/${episode.id}`;
  return (
    <article className={rowGrid}>
      <EpisodeFacts episode={episode} className={factsCell} />
      <div className="grid content-start gap-2">
        <Heading className="headline text-xl">
          <Link to={path} className="underline-offset-[0.15em] hover:underline">
            {episode.title}
          </Link>
        </Heading>
        <p className="line-clamp-2 max-w-[38rem] font-reading text-base text-muted @max-2xl:hidden">
          {episode.description}
        </p>
        <ListenNow episode={episode} className="@max-2xl:hidden" />
      </div>
      <Link to={path} tabIndex={-1} aria-hidden className={cx("relative self-start", pictureCell)}>
        <Artwork
          picture={episode.picture}
          seed={episode.id}
          figure={String(episode.episodeNumber)}
          sizes="(min-width: 48rem) 9rem, 5rem"
        />
        <HeardLine episode={episode} />
      </Link>
      <div className="col-span-full grid gap-2 @2xl:hidden">
        <p className="line-clamp-2 font-reading text-base text-muted">{episode.description}</p>
        <ListenNow episode={episode} />
      </div>
    </article>
  );
}

/** How far one got stands beside it, where nothing else does. */
const ListenNow = ({ episode, className }: { episode: EpisodeSummary; className?: string }) => (
  <p className={cx("flex gap-x-4 py-0.5 text-sm", className)}>
    <Link
      to={`/episode/${episode.id}`}
      className="font-medium whitespace-nowrap text-accent underline-offset-4 hover:underline"
    >
      Listen Now<span className="sr-only">: {episode.title}</span>
    </Link>
    <HeardWords episode={episode} className="figures truncate text-muted" />
  </p>
);

type Facts = Pick<EpisodeSummary, "episodeNumber" | "episodeType" | "publishedAt" | "durationSeconds">;
type FactsProps = { episode: Facts; lead?: string; className?: string };

/** Number, date and length in one quiet line. */
export function EpisodeFacts({ episode, lead, className }: FactsProps) {
  const { episodeNumber, episodeType, publishedAt, durationSeconds } = episode;
  const kind =
    episodeType === "full" ? `Episode ${episodeNumber}` : episodeType === "bonus" ? "Bonus" : "Trailer";
  return (
    <p className={cx("kicker facts content-start", className)}>
      {lead && <span className="text-signal">{lead}</span>}
      <span>{kind}</span>
      <time dateTime={isoDate(publishedAt)}>{formatShortDate(publishedAt)}</time>
      {durationSeconds > 0 && <time>{formatDuration(durationSeconds)}</time>}
    </p>
  );
}

const PLACEHOLDERS = 6;

export const EpisodeListLoading = () => (
  <ol aria-label="Loading episodes" className="@container">
    {Array.from({ length: PLACEHOLDERS }, (_, row) => (
      <li key={row} className={rowClass}>
        <div className={rowGrid}>
          <Skeleton className={cx(factsCell, "h-4 w-48 max-w-full")} />
          <div className="grid content-start gap-3">
            <Skeleton className="h-7 w-4/5" />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-2/3" />
          </div>
          <Skeleton className={cx(pictureCell, "aspect-square w-full")} />
        </div>
      </li>
    ))}
  </ol>
);
