import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { formatDateTime } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { isDenial, securityEventNames, type SecurityEvent } from "#worker/accounts/contract.ts";
import { TableHead } from "../lists/table-head.tsx";

export const LOG = "/admin/settings/security/log";

/** The rest is in the log. */
const MOST_RECENT = 20;

/** The newest sign-ins, changes of accounts and refusals. */
export const SecurityEvents = ({ events }: { events: SecurityEvent[] }) => (
  <section id="events" aria-labelledby="events-title" className="grid gap-4 border-t border-rule py-8">
    <h2 id="events-title" className="text-base font-semibold">
      Recent security events
    </h2>
    {events.length > 0 ? (
      <EventTable events={events.slice(0, MOST_RECENT)} />
    ) : (
      <EmptyState title="No events yet">
        Every sign-in, account change and refused request is listed here.
      </EmptyState>
    )}
    <ButtonRow>
      <ButtonLink to={LOG}>Search the log</ButtonLink>
    </ButtonRow>
  </section>
);

export const EventTable = ({ events }: { events: SecurityEvent[] }) => (
  <table className="w-full text-left text-sm">
    <TableHead columns={["Time", "Event", "Account", "From"]} cardsBelow="lg" />
    <tbody>
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </tbody>
  </table>
);

/** On narrow screens each event is a block: event, account, time, origin; on tablets in two columns. */
const EventRow = ({ event: { kind, at, email, by, address, device, detail } }: { event: SecurityEvent }) => (
  <tr className="border-b border-rule max-lg:grid max-lg:gap-x-8 max-lg:gap-y-0.5 max-lg:py-3 sm:max-lg:grid-cols-2 lg:*:py-2 lg:*:pr-4">
    <td className="whitespace-nowrap text-muted figures max-lg:order-3 sm:max-lg:order-1">
      <DateTime at={at} format={formatDateTime} />
    </td>
    <td className={cx("font-medium wrap-anywhere", isDenial(kind) && "text-danger")}>
      <span>{securityEventNames[kind]}</span>
      {detail && <span className="block font-normal text-muted">{detail}</span>}
    </td>
    <td className="wrap-anywhere max-lg:order-2">
      <span>{email || "Visitors"}</span>
      {by && <span className="block text-muted">{`by ${by}`}</span>}
    </td>
    <td className={cx("wrap-anywhere text-muted figures max-lg:order-4", !address && "max-lg:hidden")}>
      {address ? `${address} · ${device}` : "—"}
    </td>
  </tr>
);
