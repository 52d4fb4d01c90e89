import { useNavigation } from "react-router";
import { Link } from "#site/document/link.tsx";
import { ButtonRow } from "#site/ui/button.tsx";
import type { UserDetails, UserSummary } from "#worker/accounts/contract.ts";
import { ConfirmAction } from "../lists/confirm-action.tsx";
import { useCloseDialog } from "../lists/dialog-address.ts";
import { Checkbox, PasswordField } from "../form/fields.tsx";
import { CancelButton, FormDialog } from "../form/form-dialog.tsx";
import { ActionButton, Form, Submit } from "../form/form.tsx";
import { RESET_FACTOR, userPaths } from "./addresses.ts";
import { EmailField, NameField, RoleField } from "./fields.tsx";

export const EditDialog = ({ user }: { user: UserDetails | null }) => (
  <FormDialog
    open={user !== null}
    onClose={useCloseDialog(userPaths)}
    title="Edit user"
    description={user && <span className="wrap-anywhere">{user.fullName}</span>}
  >
    {user && <Editing key={user.id} user={user} />}
  </FormDialog>
);

/** The search also finds users that the signed-in user may not change. */
const Editing = ({ user }: { user: UserDetails }) =>
  user.allowed.edit ? (
    <>
      <Pending user={user} />
      <EditForm user={user} />
      {user.mayResetFactor && <SecondFactor user={user} />}
    </>
  ) : (
    <p>Only a super admin can change this user.</p>
  );

const EditForm = ({ user }: { user: UserSummary }) => (
  <Form intent="edit" basedOn={user.updatedAt}>
    <AddressPart user={user} />
    <NameField value={user.fullName} />
    <RoleField
      roles={user.allowed.roles}
      value={user.role}
      fixed={user.isYou ? "You can’t change your own role." : undefined}
    />
    <PasswordPart user={user} />
    {user.allowed.disable && (
      <Checkbox
        name="isActive"
        label="May sign in"
        help="When off, they’re signed out everywhere straight away, and stay in the list."
        defaultChecked={user.state !== "disabled"}
      />
    )}
    <ButtonRow className="justify-end">
      <CancelButton />
      <Submit>Save changes</Submit>
    </ButtonRow>
  </Form>
);

/** For a user who has lost their phone or their passkey. */
function SecondFactor({ user }: { user: UserDetails }) {
  const isBusy = useNavigation().formData?.get("intent") === RESET_FACTOR;
  return (
    <section aria-label="Second factor" className="grid gap-3 border-t border-rule pt-5">
      <p className="text-sm text-muted">
        They have an authenticator app or a passkey. If it is lost, reset it: they sign in with the password,
        and set up a new one.
      </p>
      <div>
        <ConfirmAction
          intent={RESET_FACTOR}
          label="Reset second factor"
          title="Reset their second factor?"
          confirm="Reset second factor"
          dismiss="Keep it"
          tone="danger"
          size="sm"
          busy={isBusy}
        >
          {`Their authenticator app, recovery codes and passkeys are removed, and all their devices are signed out. Make sure that it was ${user.fullName} who asked, and not someone else.`}
        </ConfirmAction>
      </div>
    </section>
  );
}

/** Your own address and password are changed in your account, which asks for the current password. */
const OwnValue = ({ name, value }: { name: string; value?: string }) => (
  <p className="grid gap-0.5">
    <span className="text-sm font-medium">{name}</span>
    {value && <span className="wrap-anywhere">{value}</span>}
    <Link to="/admin/account" className="link justify-self-start">
      Change it in your account
    </Link>
  </p>
);

const AddressPart = ({ user }: { user: UserSummary }) =>
  user.isYou ? (
    <OwnValue name="Email" value={user.email} />
  ) : (
    <EmailField value={user.pendingEmail ?? user.email} help={addressHelp(user)} />
  );

const addressHelp = ({ email, pendingEmail }: UserSummary) =>
  pendingEmail === null ? (
    "A new address removes their passkeys and API tokens."
  ) : (
    <span className="wrap-anywhere">
      Until they open the link sent to this new address, they sign in as <span>{email}</span>. A new password,
      role or sign-in setting cancels the change.
    </span>
  );

/** A user who has not opened the link yet can be sent the email again. */
function Pending({ user }: { user: UserSummary }) {
  const text = pendingText(user);
  if (text === null) return null;
  return (
    <div className="grid justify-items-start gap-3 border-l-4 border-signal pl-3">
      <p className="wrap-anywhere">{text}</p>
      <ActionButton intent="invite" size="sm">
        {user.state === "invited" ? "Send the invitation again" : "Send the confirmation again"}
      </ActionButton>
    </div>
  );
}

function pendingText({ state, pendingEmail, isYou }: UserSummary) {
  if (state === "invited") return "They haven’t chosen a password yet, so they can’t sign in.";
  if (state === "unverified") return "They haven’t confirmed the address yet, so they can’t sign in.";
  if (pendingEmail === null) return null;
  return `${isYou ? "You" : "They"} haven’t opened the link sent to ${pendingEmail} yet.`;
}

const PasswordPart = ({ user }: { user: UserSummary }) =>
  user.isYou ? (
    <OwnValue name="Password" />
  ) : (
    <PasswordField
      name="password"
      label="New password"
      autoComplete="new-password"
      required={false}
      help={passwordHelp(user)}
    />
  );

const passwordHelp = ({ state }: UserSummary) =>
  state === "invited"
    ? "Leave blank: the invitation lets them choose one."
    : "Leave blank to keep it. A new one signs them out everywhere and removes their passkeys and API tokens.";
