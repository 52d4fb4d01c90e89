import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { Button } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatShortDate } from "#site/ui/format.ts";
import type { SubscriberSummary } from "#worker/newsletter/contract.ts";
import { ACTIONS, TableHead } from "../../lists/table-head.tsx";
import { sourceName } from "../source-names.ts";
import { statusBadge, subscriberPath, verifiedBadge } from "./subscriber-states.ts";

type RowProps = { subscriber: SubscriberSummary; onDelete: (subscriber: SubscriberSummary) => void };
type TableProps = { subscribers: SubscriberSummary[] } & Pick<RowProps, "onDelete">;

export const SubscriberTable = ({ subscribers, onDelete }: TableProps) => (
  <table className="w-full text-left text-sm tabular-nums">
    <TableHead
      columns={["Email", "Verified", "Status", "Subscribed", "Verified on", "Source", ACTIONS]}
      cardsBelow="lg"
    />
    <tbody>
      {subscribers.map((subscriber) => (
        <SubscriberRow key={subscriber.id} subscriber={subscriber} onDelete={onDelete} />
      ))}
    </tbody>
  </table>
);

function SubscriberRow({ subscriber, onDelete }: RowProps) {
  const { id, email, source, subscribedAt, verifiedAt } = subscriber;
  const [verified, status] = [verifiedBadge(subscriber), statusBadge(subscriber)];
  return (
    <tr className="border-t border-rule max-lg:flex max-lg:flex-wrap max-lg:items-center max-lg:gap-x-3 max-lg:gap-y-1 max-lg:py-3 lg:*:py-2 lg:*:pr-4 lg:*:last:pr-0">
      <td className="font-medium wrap-anywhere max-lg:w-full">
        <Link to={subscriberPath(id)} className="py-1 underline-offset-4 hover:underline">
          {email}
        </Link>
      </td>
      <td>
        <Badge tone={verified.tone}>{verified.label}</Badge>
      </td>
      <td>
        <span className="flex flex-wrap gap-1.5">
          <Badge tone={status.tone}>{status.label}</Badge>
          {subscriber.futureMember !== null && <Badge tone="info">Future member</Badge>}
        </span>
      </td>
      <td className="whitespace-nowrap text-muted">
        <span className="lg:sr-only">Subscribed </span>
        <DateTime at={subscribedAt} format={formatShortDate} />
      </td>
      <td className="whitespace-nowrap text-muted max-lg:empty:hidden">
        {verifiedAt !== null && (
          <>
            <span className="lg:sr-only">Verified </span>
            <DateTime at={verifiedAt} format={formatShortDate} />
          </>
        )}
      </td>
      <td className="text-muted wrap-anywhere lg:min-w-32">
        <span className="lg:sr-only">Source: </span>
        <span>{sourceName(source)}</span>
      </td>
      <td className="text-right max-lg:ml-auto max-lg:-mr-3">
        <Button tone="bare" size="sm" aria-label={`Delete ${email}`} onClick={() => onDelete(subscriber)}>
          Delete
        </Button>
      </td>
    </tr>
  );
}
