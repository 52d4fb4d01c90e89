import { useSearchParams } from "react-router";
import { Link } from "#site/document/link.tsx";
import { Badge } from "#site/ui/badge.tsx";
import { Button, ButtonLink } from "#site/ui/button.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import type { UserSummary } from "#worker/accounts/contract.ts";
import { FROM_LIST } from "../lists/dialog-address.ts";
import { roleNames } from "./role-meanings.ts";
import { ACTIONS, TableHead } from "../lists/table-head.tsx";
import { editPath } from "./addresses.ts";

type RowProps = { user: UserSummary; onDelete: (user: UserSummary) => void };

export const UserTable = ({ users, onDelete }: { users: UserSummary[] } & Pick<RowProps, "onDelete">) => (
  <table className="w-full text-left text-sm">
    <TableHead columns={["Full name", "Email", "Role", "State", "Last seen", ACTIONS]} cardsBelow="lg" />
    <tbody>
      {users.map((user) => (
        <UserRow key={user.id} user={user} onDelete={onDelete} />
      ))}
    </tbody>
  </table>
);

const UserRow = ({ user, onDelete }: RowProps) => (
  <tr className="border-b border-rule max-lg:grid max-lg:grid-cols-[1fr_auto] max-lg:gap-x-4 max-lg:gap-y-1 max-lg:py-3 lg:*:py-3 lg:*:pr-4 lg:*:last:py-1.5 lg:*:last:pr-0">
    <td className="font-medium wrap-anywhere">
      <UserName user={user} />
    </td>
    <td className="wrap-anywhere max-lg:order-1 max-lg:col-span-2">
      <span>{user.email}</span>
      {user.pendingEmail && (
        <span className="block text-muted">{`${user.pendingEmail} is waiting to be confirmed`}</span>
      )}
    </td>
    <td className="whitespace-nowrap max-lg:order-3 max-lg:self-center">{roleNames[user.role]}</td>
    <td className="max-lg:justify-self-end">
      <Badge tone={states[user.state].tone}>{states[user.state].label}</Badge>
    </td>
    <td className="text-muted figures max-lg:order-2 max-lg:col-span-2 lg:whitespace-nowrap">
      {user.lastSeenAt === null ? (
        "Not seen yet"
      ) : (
        <>
          <span className="lg:sr-only">Last seen </span>
          <DateTime at={user.lastSeenAt} format={formatDateTime} />
        </>
      )}
    </td>
    <td className="text-right whitespace-nowrap max-lg:order-4 max-lg:-mr-3">
      <RowActions user={user} onDelete={onDelete} />
    </td>
  </tr>
);

function UserName({ user }: { user: UserSummary }) {
  const [params] = useSearchParams();
  return (
    <span>
      {user.allowed.edit ? (
        <Link
          to={editPath(params, user.id)}
          state={FROM_LIST}
          preventScrollReset
          className="py-1 underline-offset-4 hover:underline"
        >
          {user.fullName}
        </Link>
      ) : (
        <span>{user.fullName}</span>
      )}
      {user.isYou && <span className="ml-2 font-normal text-muted">You</span>}
    </span>
  );
}

/** Offers only what the server allows. */
function RowActions({ user, onDelete }: RowProps) {
  const [params] = useSearchParams();
  return (
    <>
      {user.allowed.edit && (
        <ButtonLink
          to={editPath(params, user.id)}
          state={FROM_LIST}
          preventScrollReset
          tone="bare"
          size="sm"
          aria-label={`Edit ${user.fullName}`}
        >
          Edit
        </ButtonLink>
      )}
      {user.allowed.remove && (
        <Button tone="bare" size="sm" aria-label={`Delete ${user.fullName}`} onClick={() => onDelete(user)}>
          Delete
        </Button>
      )}
    </>
  );
}

const states = {
  active: { label: "Active", tone: "accent" },
  invited: { label: "Invited", tone: "signal" },
  unverified: { label: "Not confirmed", tone: "signal" },
  disabled: { label: "Disabled", tone: "neutral" },
} as const satisfies Record<UserSummary["state"], unknown>;
