import { Link } from "#site/ui/link.tsx";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { Checkbox } from "#site/ui/controls.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import type { UserSummary } from "#worker/accounts/contract.ts";
import { DoorForm, PasswordField, Submit } from "../door/form.tsx";
import { EmailField, NameField, RoleField } from "./fields.tsx";
import type { UserResult } from "./save.ts";
import { useClose } from "./use-close.ts";

type Props = { user: UserSummary; result?: UserResult };

export function EditDialog({ user, result }: { user: UserSummary | null; result?: UserResult }) {
  const close = useClose();
  return (
    <Dialog
      open={user !== null}
      onOpenChange={(open) => !open && close()}
      title="Edit user"
      description={user && <span className="wrap-anywhere">{user.fullName}</span>}
    >
      {user && <EditForm key={user.id} user={user} result={result} onCancel={close} />}
    </Dialog>
  );
}

function EditForm({ user, result, onCancel }: Props & { onCancel: () => void }) {
  const problem = result?.intent === "delete" ? undefined : result?.problem;
  const { errors = {} } = problem ?? {};
  return (
    <DoorForm problem={problem} className="grid gap-5">
      <Waiting user={user} />
      <EmailField value={user.pendingEmail ?? user.email} error={errors["email"]} help={pendingHelp(user)} />
      <NameField value={user.fullName} error={errors["fullName"]} />
      <RoleField
        roles={user.allowed.roles}
        value={user.role}
        error={errors["role"]}
        fixed={user.isYou ? "Nobody changes their own role." : undefined}
      />
      <PasswordPart user={user} error={errors["password"]} />
      {user.allowed.disable && <SignInSwitch user={user} error={errors["isActive"]} />}
      <ButtonRow className="justify-end">
        <Button onClick={onCancel}>Cancel</Button>
        <Submit name="intent" value="edit">
          Save changes
        </Submit>
      </ButtonRow>
    </DoorForm>
  );
}

const pendingHelp = ({ email, pendingEmail }: UserSummary) =>
  pendingEmail === null ? undefined : (
    <span className="wrap-anywhere">
      This new address waits for confirmation by the link that was sent to it. Until then they sign in as{" "}
      {email}.
    </span>
  );

/** Who has not answered yet can be sent the mail again. */
function Waiting({ user: { state } }: { user: UserSummary }) {
  if (state !== "invited" && state !== "unverified") return null;
  return (
    <div className="grid justify-items-start gap-3 border-l-4 border-signal pl-3">
      <p>
        {state === "invited"
          ? "Has not chosen a password yet, so cannot sign in."
          : "Has not confirmed the address yet, so cannot sign in."}
      </p>
      <Submit tone="quiet" size="sm" name="intent" value="invite">
        {state === "invited" ? "Send the invitation again" : "Send the confirmation again"}
      </Submit>
    </div>
  );
}

const PasswordPart = ({ user, error }: { user: UserSummary; error?: string }) =>
  user.isYou ? (
    <p className="grid gap-0.5">
      <span className="text-sm font-medium">Password</span>
      <Link to="/admin/account" className="link justify-self-start">
        Change it in your account
      </Link>
    </p>
  ) : (
    <PasswordField
      name="password"
      label="New password"
      autoComplete="new-password"
      required={false}
      help={passwordHelp(user)}
      error={error}
    />
  );

const passwordHelp = ({ state }: UserSummary) =>
  state === "invited"
    ? "Leave empty: the invitation lets them choose one themselves."
    : "Leave empty to keep it. A new one signs them out everywhere.";

const SignInSwitch = ({ user, error }: { user: UserSummary; error?: string }) => (
  <>
    <input type="hidden" name="mayDisable" value="1" />
    <Checkbox
      name="isActive"
      label="May sign in"
      help="Without it they are signed out everywhere at once, and stay in the list."
      defaultChecked={user.state !== "disabled"}
      error={error}
    />
  </>
);
