import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { cx } from "#site/ui/cx.ts";
import { formatDateTime } from "#site/ui/format.ts";
import { EmptyState } from "#site/ui/states.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import type { SecurityEvent, SecurityEventKind } from "#worker/accounts/contract.ts";
import { TableHead } from "../lists/table-head.tsx";

type Props = { events: SecurityEvent[]; next: string | null; isOlder: boolean };

const ADDRESS = "/admin/settings/security";

/** Sign-ins and changes of accounts. */
export const SecurityEvents = ({ events, next, isOlder }: Props) => (
  <section id="events" aria-labelledby="events-title" className="grid gap-4 border-t border-rule py-8">
    <h2 id="events-title" className="text-base font-semibold">
      {isOlder ? "Older security events" : "Recent security events"}
    </h2>
    {events.length > 0 ? (
      <EventTable events={events} />
    ) : (
      <EmptyState title={isOlder ? "No older events" : "No events yet"}>
        Every sign-in, account change and refused request is listed here.
      </EmptyState>
    )}
    {(next || isOlder) && (
      <ButtonRow>
        {isOlder && <ButtonLink to={`${ADDRESS}#events`}>Newest events</ButtonLink>}
        {next && (
          <ButtonLink to={`${ADDRESS}?${new URLSearchParams({ before: next })}#events`}>
            Older events
          </ButtonLink>
        )}
      </ButtonRow>
    )}
  </section>
);

const EventTable = ({ events }: { events: SecurityEvent[] }) => (
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
    <td className={cx("font-medium wrap-anywhere", denials.includes(kind) && "text-danger")}>
      <span>{kinds[kind]}</span>
      {detail && <span className="block font-normal text-muted">{detail}</span>}
    </td>
    <td className="wrap-anywhere max-lg:order-2">
      <span>{email}</span>
      {by && <span className="block text-muted">{`by ${by}`}</span>}
    </td>
    <td className="wrap-anywhere text-muted figures max-lg:order-4">{`${address} · ${device}`}</td>
  </tr>
);

/** Denied attempts, highlighted because they may be an attack. */
const denials: SecurityEventKind[] = [
  "login_failed",
  "password_refused",
  "passkey_refused",
  "access_refused",
];

const kinds: Record<SecurityEventKind, string> = {
  login: "Signed in",
  login_failed: "Sign-in refused",
  logout: "Signed out",
  identity_confirmed: "Identity confirmed",
  session_ended: "A device was signed out",
  sessions_ended: "All other devices were signed out",
  setup_started: "Set-up started",
  address_confirmed: "Email address confirmed",
  reset_requested: "Password reset requested",
  password_reset: "Password reset",
  password_changed: "Password changed",
  password_refused: "Current password refused",
  access_refused: "Access refused",
  subscribers_exported: "Subscribers exported",
  site_exported: "Site exported",
  site_restored: "Site restored from an archive",
  person_exported: "A person’s data exported",
  person_deleted: "A person’s data deleted",
  enquiries_exported: "Enquiries exported",
  import_undone: "Import undone",
  user_invited: "Invited",
  user_created: "User added",
  user_changed: "Details changed",
  role_changed: "Role changed",
  user_disabled: "Sign-in switched off",
  user_enabled: "Sign-in switched on",
  user_deleted: "User deleted",
  invitation_accepted: "Invitation accepted",
  address_change_requested: "New email address requested",
  address_changed: "Email address changed",
  passkey_added: "Passkey added",
  passkey_renamed: "Passkey renamed",
  passkey_removed: "Passkey removed",
  passkey_refused: "Passkey refused: it may have been copied",
  token_created: "API token made",
  token_revoked: "API token revoked",
  token_wrote: "Changed by a token",
  tags_changed: "Tag manager changed",
  op3_changed: "OP3 prefix changed",
  preload_changed: "Preload list changed",
  webhook_added: "Webhook added",
  webhook_changed: "Webhook changed",
  webhook_secret_changed: "Secret of a webhook changed",
  webhook_removed: "Webhook removed",
  signing_key_replaced: "Signing key replaced",
};
