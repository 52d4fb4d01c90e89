import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime, formatShortDate } from "#site/ui/format.ts";
import type { Status } from "./statuses.ts";

type Props = { status: Status; publishedAt: number | null; scheduledFor: number | null };

/** In a list: when an item goes out, or was published. Its status is beside it. */
export function PublishingDate({ status, publishedAt, scheduledFor }: Props) {
  if (status === "scheduled" && scheduledFor !== null) {
    return (
      <span>
        Planned for <DateTime at={scheduledFor} format={formatDateTime} />
      </span>
    );
  }
  if (status === "draft") return <span>Not published</span>;
  // An article that was archived before dates were kept.
  if (publishedAt === null) return <span>No date</span>;
  return <DateTime at={publishedAt} format={formatShortDate} />;
}
