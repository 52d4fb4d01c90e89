import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime, formatShortDate } from "#site/ui/format.ts";
import type { Status } from "./statuses.ts";

type Props = { status: Status; publishedAt: number | null; scheduledFor: number | null };

/** The date of publication or of the schedule in a list, whose status is shown beside it. */
export function PublishingDate({ status, publishedAt, scheduledFor }: Props) {
  if (status === "scheduled" && scheduledFor !== null) {
    return (
      <span>
        Planned for <DateTime at={scheduledFor} format={formatDateTime} />
      </span>
    );
  }
  if (status === "draft") return <span>Not published</span>;
  // An article that was archived before dates were stored.
  if (publishedAt === null) return <span>No date</span>;
  return <DateTime at={publishedAt} format={formatShortDate} />;
}
