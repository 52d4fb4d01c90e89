import { useEffect } from "react";
import { useNavigation, useSearchParams } from "react-router";
import { ButtonLink, ButtonRow } from "#site/ui/button.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import { DateTime } from "#site/ui/date-time.tsx";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import type { Account } from "#worker/accounts/contract.ts";
import type { Passkey, PasskeyList } from "#worker/webauthn/contract.ts";
import { reportName, supportsPasskeys } from "../auth/passkeys.ts";
import { TextField } from "../form/fields.tsx";
import { CancelButton, FormDialog } from "../form/form-dialog.tsx";
import { Form, Submit } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";
import { ConfirmAction } from "../lists/confirm-action.tsx";
import { FROM_LIST, useCloseDialog } from "../lists/dialog-address.ts";
import { RemovableRows } from "../lists/removable-rows.tsx";
import { ADD_PASSKEY, passkeyPaths, REMOVE_PASSKEY, RENAME_PASSKEY } from "./save.ts";

const NO_FILTERS = new URLSearchParams();

type Props = { account: Account; passkeys: PasskeyList };

/** The keys that sign in without the password. */
export function PasskeysSection({ account, passkeys }: Props) {
  const { items } = passkeys;
  const [params] = useSearchParams();
  const renamed = params.get("edit");
  useEffect(() => void reportName(passkeys, account), [passkeys, account]);
  return (
    <FormSection
      title="Passkeys"
      help="Sign in with your fingerprint, your face or your screen lock instead of the password."
    >
      <RemovableRows label="Passkeys" empty="You have no passkey yet.">
        {items.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} />
        ))}
      </RemovableRows>
      <Addition />
      <RenameDialog passkey={items.find(({ id }) => id === renamed)} />
    </FormSection>
  );
}

const PasskeyRow = ({ passkey }: { passkey: Passkey }) => (
  <li className="grid gap-x-4 gap-y-2 py-3 first:pt-0 sm:grid-cols-[1fr_auto]">
    <div className="grid min-w-0 content-start gap-0.5">
      <p className="font-medium wrap-anywhere">
        <bdi>{passkey.name}</bdi>
      </p>
      <p className="text-sm text-muted figures">
        {passkey.lastUsedAt === null ? (
          <span>Not used yet</span>
        ) : (
          <span>
            Last used <DateTime at={passkey.lastUsedAt} format={formatDateTime} />
          </span>
        )}
      </p>
      <p className="text-sm text-muted figures">
        Added <DateTime at={passkey.createdAt} format={formatDateTime} />
      </p>
    </div>
    <div className="flex items-start gap-2">
      <ButtonLink
        to={passkeyPaths.editPath(NO_FILTERS, passkey.id)}
        state={FROM_LIST}
        preventScrollReset
        size="sm"
        aria-label={`Rename ${passkey.name}`}
      >
        Rename
      </ButtonLink>
      <Remove passkey={passkey} />
    </div>
  </li>
);

/** Has an address of its own, which Back leaves. */
function RenameDialog({ passkey }: { passkey: Passkey | undefined }) {
  return (
    <FormDialog open={passkey !== undefined} onClose={useCloseDialog(passkeyPaths)} title="Rename passkey">
      {passkey && (
        <Form key={passkey.id} intent={RENAME_PASSKEY}>
          <TextField name="name" label="Name" required maxLength={60} defaultValue={passkey.name} />
          <ButtonRow className="justify-end">
            <CancelButton />
            <Submit>Save name</Submit>
          </ButtonRow>
        </Form>
      )}
    </FormDialog>
  );
}

function Remove({ passkey: { id, name } }: { passkey: Passkey }) {
  const sent = useNavigation().formData;
  const isBusy = sent?.get("intent") === REMOVE_PASSKEY && sent.get("id") === id;
  return (
    <ConfirmAction
      intent={REMOVE_PASSKEY}
      label="Remove"
      name={name}
      title="Remove this passkey?"
      confirm="Remove passkey"
      dismiss="Keep it"
      tone="danger"
      size="sm"
      busy={isBusy}
      values={{ id, name }}
    >
      <bdi>{name}</bdi> will no longer sign you in. Devices that are signed in stay so.
    </ConfirmAction>
  );
}

function Addition() {
  // The server does not know the browser.
  const isSupported = !useHydrated() || supportsPasskeys();
  if (!isSupported) return <p>This browser has no passkeys. Open this page in another one to add one.</p>;
  return (
    <Form intent={ADD_PASSKEY} clearWhenSaved>
      <TextField
        name="name"
        label="Name"
        maxLength={60}
        autoComplete="off"
        help="To recognise it later. Left empty, it is named after this browser."
      />
      <ButtonRow>
        <Submit>Add a passkey</Submit>
      </ButtonRow>
    </Form>
  );
}
