import { useSearchParams } from "react-router";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { Button, ButtonLink } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { counted, formatShortDay, isoDate } from "#site/ui/format.ts";
import type { EngagementRow, EngagementStatus } from "#worker/speaking/contract.ts";
import { FROM_LIST } from "../lists/dialog-address.ts";
import { ACTIONS, TableHead } from "../lists/table-head.tsx";
import { engagementPaths } from "./save.ts";

type RowProps = { engagement: EngagementRow; onDelete: (engagement: EngagementRow) => void };

type TableProps = { engagements: EngagementRow[] } & Pick<RowProps, "onDelete">;

export const EngagementTable = ({ engagements, onDelete }: TableProps) => (
  <table className="w-full text-left text-sm">
    <TableHead columns={["Engagement", "Date", "Place", "Audience", "Status", ACTIONS]} cardsBelow="lg" />
    <tbody>
      {engagements.map((engagement) => (
        <Row key={engagement.id} engagement={engagement} onDelete={onDelete} />
      ))}
    </tbody>
  </table>
);

const UNKNOWN = "Location TBD";

function Row({ engagement, onDelete }: RowProps) {
  const [params] = useSearchParams();
  const { id, title, date, venue, location, audienceSize, status } = engagement;
  const edit = { to: engagementPaths.editPath(params, id), state: FROM_LIST, preventScrollReset: true };
  return (
    <tr className="border-b border-rule max-lg:grid max-lg:grid-cols-[1fr_auto] max-lg:gap-x-4 max-lg:gap-y-1 max-lg:py-3 lg:*:py-3 lg:*:pr-4 lg:*:last:py-1.5 lg:*:last:pr-0">
      <td className="font-medium wrap-anywhere">
        <Link {...edit} dir="auto" className="py-1 underline-offset-4 hover:underline">
          {title}
        </Link>
      </td>
      <td className="whitespace-nowrap figures max-lg:order-2 max-lg:col-span-2">
        {date === null ? (
          <span className="text-muted">No date set</span>
        ) : (
          <DateTime at={date} format={formatShortDay} dateTime={isoDate(date).slice(0, 10)} />
        )}
      </td>
      <td className="wrap-anywhere max-lg:order-3 max-lg:col-span-2">
        {venue || location ? `${venue || UNKNOWN}, ${location || UNKNOWN}` : UNKNOWN}
      </td>
      <td className="whitespace-nowrap text-muted figures max-lg:order-4 max-lg:self-center">
        {audienceSize !== null && counted(audienceSize, "attendee")}
      </td>
      <td className="max-lg:order-1 max-lg:justify-self-end">
        <Badge tone={statuses[status].tone}>{statuses[status].label}</Badge>
      </td>
      <td className="text-right whitespace-nowrap max-lg:order-5 max-lg:-mr-3">
        <ButtonLink {...edit} tone="bare" size="sm" aria-label={`Edit ${title}`}>
          Edit
        </ButtonLink>
        <Button tone="bare" size="sm" aria-label={`Delete ${title}`} onClick={() => onDelete(engagement)}>
          Delete
        </Button>
      </td>
    </tr>
  );
}

/** Blue, green and red, as specified. */
export const statuses = {
  upcoming: { label: "Upcoming", tone: "info" },
  completed: { label: "Completed", tone: "accent" },
  cancelled: { label: "Cancelled", tone: "danger" },
} as const satisfies Record<EngagementStatus, unknown>;
