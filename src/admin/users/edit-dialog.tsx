import { Form } from "react-router";
import { Link } from "#site/ui/link.tsx";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { Checkbox } from "#site/ui/controls.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import { useSendOnce } from "#site/ui/send-once.ts";
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
      {user && <Waiting user={user} />}
      {user && <EditForm key={user.id} user={user} result={result} onCancel={close} />}
    </Dialog>
  );
}

function EditForm({ user, result, onCancel }: Props & { onCancel: () => void }) {
  const problem = result?.intent === "delete" ? undefined : result?.problem;
  const { errors = {} } = problem ?? {};
  return (
    <DoorForm problem={problem} className="grid gap-5">
      <AddressPart user={user} error={errors["email"]} />
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

/** One's own address and password are changed where the present password is asked for. */
const OwnValue = ({ name, value }: { name: string; value?: string }) => (
  <p className="grid gap-0.5">
    <span className="text-sm font-medium">{name}</span>
    {value && <span className="wrap-anywhere">{value}</span>}
    <Link to="/admin/account" className="link justify-self-start">
      Change it in your account
    </Link>
  </p>
);

const AddressPart = ({ user, error }: { user: UserSummary; error?: string }) =>
  user.isYou ? (
    <OwnValue name="Email" value={user.email} />
  ) : (
    <EmailField value={user.pendingEmail ?? user.email} error={error} help={pendingHelp(user)} />
  );

const pendingHelp = ({ email, pendingEmail }: UserSummary) =>
  pendingEmail === null ? undefined : (
    <span className="wrap-anywhere">
      Until the link that was sent to this new address is opened they sign in as {email}.
    </span>
  );

/** Who has not answered yet can be sent the mail again. A form of its own: Enter in a field of the other one saves. */
function Waiting({ user }: { user: UserSummary }) {
  const sendOnce = useSendOnce();
  const text = waitingText(user);
  if (text === null) return null;
  return (
    <Form
      method="post"
      onSubmit={sendOnce}
      className="grid justify-items-start gap-3 border-l-4 border-signal pl-3"
    >
      <p className="wrap-anywhere">{text}</p>
      <Submit tone="quiet" size="sm" name="intent" value="invite">
        {user.state === "invited" ? "Send the invitation again" : "Send the confirmation again"}
      </Submit>
    </Form>
  );
}

function waitingText({ state, pendingEmail, isYou }: UserSummary) {
  if (state === "invited") return "Has not chosen a password yet, so cannot sign in.";
  if (state === "unverified") return "Has not confirmed the address yet, so cannot sign in.";
  if (pendingEmail === null) return null;
  return `${isYou ? "You have" : "Has"} not opened the link yet that was sent to ${pendingEmail}.`;
}

const PasswordPart = ({ user, error }: { user: UserSummary; error?: string }) =>
  user.isYou ? (
    <OwnValue name="Password" />
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
