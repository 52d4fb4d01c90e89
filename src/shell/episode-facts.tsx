import { cx } from "#site/ui/cx.ts";
import { formatDuration, formatShortDate } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";

type Facts = Pick<EpisodeSummary, "episodeNumber" | "episodeType" | "publishedAt" | "durationSeconds">;
type FactsProps = { episode: Facts; lead?: string; className?: string };

export const episodeKinds = { full: null, bonus: "Bonus", trailer: "Trailer" };

const numberOf = (episodeNumber: number | null) => episodeNumber && `Episode ${episodeNumber}`;

/** Number if it has one, date and length in one line. */
export function EpisodeFacts({ episode, lead, className }: FactsProps) {
  const { episodeNumber, episodeType, publishedAt, durationSeconds } = episode;
  const kind = episodeType === "full" ? numberOf(episodeNumber) : episodeKinds[episodeType];
  return (
    <p className={cx("kicker facts content-start", className)}>
      {lead && <span className="text-signal">{lead}</span>}
      {kind && <span>{kind}</span>}
      <DateTime at={publishedAt} format={formatShortDate} />
      {durationSeconds > 0 && <time>{formatDuration(durationSeconds)}</time>}
    </p>
  );
}
