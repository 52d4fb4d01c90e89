import { useSearchParams } from "react-router";
import { siteContext } from "#site/context.ts";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { EmptyState } from "#site/ui/states.tsx";
import type { UserSummary } from "#worker/accounts/contract.ts";
import { listUsers, readUser } from "#worker/accounts/queries.ts";
import { ListPage } from "../lists/list-page.tsx";
import { FROM_LIST } from "../lists/dialog-address.ts";
import { requireTab } from "../shell/guard.ts";
import { load } from "../shell/load.server.ts";
import { pageTitle } from "../shell/page-title.ts";
import { AddDialog } from "./add-dialog.tsx";
import { addPath } from "./addresses.ts";
import { EditDialog } from "./edit-dialog.tsx";
import { saveUser } from "./save.ts";
import { UserTable } from "./user-table.tsx";
import type { Route } from "./+types/tab";

export const middleware = requireTab("users");

export const meta = pageTitle("Users");

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(siteContext);
  const after = url.searchParams.get("after") ?? undefined;
  const edit = url.searchParams.get("edit");
  const [list, edited] = await Promise.all([
    load(listUsers(ctx, { after })),
    edit === null ? null : load(readUser(ctx, edit)),
  ]);
  return { ...list, isLater: after !== undefined, edited };
}

export const clientAction = ({ request }: Route.ClientActionArgs) => saveUser(request);

export default function UsersTab({ loaderData, actionData }: Route.ComponentProps) {
  const { items: users, next, isLater, edited, newRoles } = loaderData;
  const [params] = useSearchParams();
  return (
    <ListPage<UserSummary>
      title="Users"
      actions={
        <ButtonLink to={addPath(params)} tone="primary" state={FROM_LIST} preventScrollReset>
          Add User
        </ButtonLink>
      }
      answer={actionData}
      noun="user"
      renderText={({ fullName, email }) => (
        <p className="wrap-anywhere">
          <span>{fullName}</span> (<span>{email}</span>) is signed out everywhere and can’t sign in again.
          Their work stays. To block them for a while, edit them instead.
        </p>
      )}
    >
      {(ask) => (
        <>
          {users.length > 0 ? (
            <UserTable users={users} onDelete={ask} />
          ) : (
            <EmptyState title="No one here">This page of the list is empty.</EmptyState>
          )}
          {users.length === 1 && !isLater && (
            <p className="mt-6 text-muted">You’re the only user so far. Add someone to work together.</p>
          )}
          {(next || isLater) && (
            <ButtonRow className="mt-6">
              {isLater && <ButtonLink to="/admin/users">First users</ButtonLink>}
              {next && (
                <ButtonLink to={`/admin/users?${new URLSearchParams({ after: next })}`}>
                  More users
                </ButtonLink>
              )}
            </ButtonRow>
          )}
          <AddDialog isOpen={params.has("add")} roles={newRoles} />
          <EditDialog user={edited} />
        </>
      )}
    </ListPage>
  );
}
