import { useEffect, useRef, useState, type FormEvent } from "react";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { TextField } from "#site/ui/field.tsx";
import { formatDateTime, formatLongDate } from "#site/ui/format.ts";
import type { MemberAccount } from "#worker/members/contract.ts";
import type { Passkey } from "#worker/webauthn/contract.ts";
import { Action, Failure } from "./action.tsx";
import { hasPasskeys } from "./load-passkeys.ts";
import { Section } from "./section.tsx";
import type { AccountActions } from "./use-account.ts";

type Actions = Pick<
  AccountActions,
  "addPasskey" | "renamePasskey" | "removePasskey" | "signInAgain" | "mailLink"
>;
type Props = Pick<MemberAccount, "email" | "passkeys"> & Actions;

/** The keys that sign in without a link. */
export function PasskeysSection({ email, passkeys: { items, mayChange }, ...actions }: Props) {
  const [notice, setNotice] = useState(NO_NOTICE);
  const [name, setName] = useState("");
  /** A press needed a recent sign-in: the focus moves to what asks for it. */
  const [isAsked, setAsked] = useState(false);
  const status = useRef<HTMLParagraphElement>(null);
  const isSupported = hasPasskeys();
  useEffect(() => {
    if (notice.takesFocus) status.current?.focus();
  }, [notice]);

  /** Awaits an action and shows its result. `isGone`: its button disappears, so the focus moves to the result. */
  const run = async (work: Promise<string | null>, done: string, { isGone = true } = {}) => {
    setNotice(NO_NOTICE);
    const failure = await work;
    setAsked(failure !== null);
    if (failure === null) setNotice({ text: done, takesFocus: isGone });
    return failure;
  };
  const add = async () => {
    const added = "The passkey was added. You can sign in with it now.";
    const failure = await run(actions.addPasskey(name), added, { isGone: false });
    if (failure === null) setName("");
    return failure;
  };
  return (
    <Section title="Passkeys">
      <p className="text-muted">
        Sign in with your fingerprint, your face or your screen lock, without waiting for a link.
      </p>
      <p ref={status} role="status" tabIndex={-1} className="text-accent empty:hidden">
        {notice.text}
      </p>
      {items.length === 0 && <p>You have no passkey yet.</p>}
      <ul>
        {items.map((passkey) => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            mayRemove={mayChange}
            rename={(to) => run(actions.renamePasskey(passkey.id, to), "The name was saved.")}
            remove={() => run(actions.removePasskey(passkey.id), "The passkey was removed.")}
          />
        ))}
      </ul>
      {!isSupported && <p>This browser has no passkeys. Open this page in another one to add one.</p>}
      {mayChange && isSupported && <Addition name={name} setName={setName} add={add} />}
      {!mayChange && (isSupported || items.length > 0) && (
        <SignInAgain
          email={email}
          isAsked={isAsked}
          mailLink={actions.mailLink}
          signInAgain={
            isSupported && items.length > 0
              ? () => run(actions.signInAgain(), "You’re signed in again. You can continue.")
              : null
          }
        />
      )}
    </Section>
  );
}

/** The result of the last action. `takesFocus`: its button has disappeared. */
const NO_NOTICE = { text: "", takesFocus: false };

type RowProps = {
  passkey: Passkey;
  mayRemove: boolean;
  rename: (name: string) => Promise<string | null>;
  remove: () => Promise<string | null>;
};

type Mode = "rename" | "remove";

function PasskeyRow({ passkey: { name, createdAt, lastUsedAt }, mayRemove, rename, remove }: RowProps) {
  const [mode, setMode] = useState<Mode | null>(null);
  /** The button that has the focus again after a cancellation. */
  const [cancelled, setCancelled] = useState<Mode | null>(null);
  // The press needed a recent sign-in: after that the question is asked again.
  if (mode === "remove" && !mayRemove) setMode(null);
  const open = (next: Mode) => {
    setCancelled(null);
    setMode(next);
  };
  const cancel = () => {
    setCancelled(mode);
    setMode(null);
  };
  return (
    <li className="grid gap-3 border-t border-rule py-3 first:border-t-0">
      <div>
        <p dir="auto" className="font-medium wrap-anywhere">
          {name}
        </p>
        <p className="text-sm text-muted">
          <span>Added </span>
          <DateTime at={createdAt} format={formatLongDate} />
          {lastUsedAt === null ? (
            <span>. Not used yet.</span>
          ) : (
            <span>
              . Last used <DateTime at={lastUsedAt} format={formatDateTime} />
            </span>
          )}
        </p>
      </div>
      {mode === null && (
        <ButtonRow>
          <Button
            size="sm"
            ref={cancelled === "rename" ? focus : null}
            aria-label={`Rename ${name}`}
            onClick={() => open("rename")}
          >
            Rename
          </Button>
          {mayRemove && (
            <Button
              size="sm"
              ref={cancelled === "remove" ? focus : null}
              aria-label={`Remove ${name}`}
              onClick={() => open("remove")}
            >
              Remove
            </Button>
          )}
        </ButtonRow>
      )}
      {mode === "rename" && (
        <NameForm
          name={name}
          save={async (to) => {
            const failure = await rename(to);
            if (failure === null) setMode(null);
            return failure;
          }}
          cancel={cancel}
        />
      )}
      {mode === "remove" && mayRemove && (
        <>
          <p>It will no longer sign you in. Devices that are signed in stay signed in.</p>
          <ButtonRow>
            <Action ref={focus} tone="danger" size="sm" act={remove}>
              Remove passkey
            </Action>
            <Button size="sm" onClick={cancel}>
              Keep it
            </Button>
          </ButtonRow>
        </>
      )}
    </li>
  );
}

type NameFormProps = {
  name: string;
  save: (name: string) => Promise<string | null>;
  cancel: () => void;
};

function NameForm({ name, save, cancel }: NameFormProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get("name") as string;
    setBusy(true);
    setError(await save(typed));
    setBusy(false);
  };
  return (
    <form noValidate className="grid gap-3" onSubmit={(event) => void submit(event)}>
      <TextField
        ref={focus}
        label="Name"
        name="name"
        maxLength={60}
        autoComplete="off"
        defaultValue={name}
        error={error}
      />
      <ButtonRow>
        <Button type="submit" size="sm" busy={isBusy}>
          Save name
        </Button>
        <Button size="sm" onClick={cancel}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
}

type AdditionProps = {
  name: string;
  setName: (name: string) => void;
  add: () => Promise<string | null>;
};

function Addition({ name, setName, add }: AdditionProps) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    setFailure(await add());
    setBusy(false);
  };
  return (
    <form noValidate className="grid gap-3" onSubmit={(event) => void submit(event)}>
      <TextField
        label="Name of the new passkey"
        value={name}
        maxLength={60}
        autoComplete="off"
        help="To recognise it later. Left empty, it is named after this browser."
        onChange={(event) => setName(event.target.value)}
      />
      <div>
        <Button type="submit" busy={isBusy}>
          Add a passkey
        </Button>
        <Failure message={failure} />
      </div>
    </form>
  );
}

type SignInAgainProps = {
  email: string;
  isAsked: boolean;
  /** Null without a passkey in this browser. */
  signInAgain: (() => Promise<string | null>) | null;
  mailLink: (email: string) => Promise<string | null>;
};

function SignInAgain({ email, isAsked, signInAgain, mailLink }: SignInAgainProps) {
  const [isMailed, setMailed] = useState(false);
  const mail = async () => {
    setMailed(false);
    const failure = await mailLink(email);
    setMailed(failure === null);
    return failure;
  };
  return (
    <div className="grid gap-3">
      <p ref={isAsked ? focus : null} tabIndex={-1}>
        To add or remove a passkey, sign in again: your last sign-in was more than ten minutes ago.
      </p>
      <ButtonRow>
        {signInAgain && <Action act={signInAgain}>Use a passkey</Action>}
        <Action act={mail}>Email me a link</Action>
      </ButtonRow>
      <p role="status" className="text-accent empty:hidden">
        {isMailed && "A link is on its way to you. Open it on this device to sign in again."}
      </p>
    </div>
  );
}

const focus = (element: HTMLElement | null) => element?.focus();
