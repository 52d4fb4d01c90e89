import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from "react";
import { useHydrated } from "#site/ui/use-hydrated.ts";
import { api, ApiError, ensureOk, identity, readJson } from "#site/api.ts";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { Dialog } from "#site/ui/dialog.tsx";
import type { Proof } from "#worker/accounts/contract.ts";
import { AppCodeField } from "../auth/code-field.tsx";
import { askForPasskey, supportsPasskeys } from "../auth/passkeys.ts";
import { FormContext, useFormState } from "../form/context.ts";
import { PasswordField, PasswordOwner } from "../form/fields.tsx";

type Answer = (isConfirmed: boolean) => void;

/**
 * Asks who the user is when the API needs a recent proof (`fetchConfirmed`), over the page and its dialogs. Not a `Form`: the
 * form that caused the request is still being sent.
 */
export function ConfirmIdentity({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false);
  /** Of all requests that wait, also those that come while the proof is sent. */
  const waiting = useRef<Answer[]>([]);
  const end = (isConfirmed: boolean) => {
    for (const answer of waiting.current.splice(0)) answer(isConfirmed);
    setOpen(false);
  };
  const endLatest = useEffectEvent(end);
  useEffect(() => {
    identity.confirm = () =>
      new Promise((answer) => {
        waiting.current.push(answer);
        setOpen(true);
      });
    return () => {
      identity.confirm = async () => false;
      endLatest(false);
    };
  }, []);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(opens) => !opens && end(false)}
      title="Confirm that it’s you"
      description="This needs your password, a passkey or a code of your app, once every ten minutes."
    >
      <ProofForm email={email} onProved={() => end(true)} onCancel={() => end(false)} />
    </Dialog>
  );
}

type ProofFormProps = { email: string; onProved: () => void; onCancel: () => void };

function ProofForm({ email, onProved, onCancel }: ProofFormProps) {
  const [sending, setSending] = useState<"form" | "passkey" | null>(null);
  const hasApp = useHasApp();
  const [isByCode, setByCode] = useState(false);
  const [error, setError] = useState<{ field?: string; message: string } | null>(null);
  const hasPasskeys = useHydrated() && supportsPasskeys();

  const prove = async (by: "form" | "passkey", proofOf: () => Promise<Proof>) => {
    if (sending) return;
    setSending(by);
    setError(null);
    try {
      await ensureOk(api.session.proof.$post({ json: await proofOf() }));
      onProved();
    } catch (cause) {
      if (!(cause instanceof ApiError)) console.error(cause);
      setError(errorOf(cause));
      setSending(null);
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const valueOf = (name: string) => String(typed.get(name));
    void prove("form", async () =>
      isByCode ? { code: valueOf("code") } : { currentPassword: valueOf("currentPassword") },
    );
  };

  const field = isByCode ? "code" : "currentPassword";
  const isBeside = error?.field === field;
  const fields: Record<string, string> = isBeside ? { [field]: error.message } : {};
  return (
    <FormContext value={{ ...useFormState(), errors: { fields } }}>
      <form noValidate onSubmit={submit} className="grid gap-5">
        <p role="alert" className="font-medium text-danger empty:hidden">
          {error && !isBeside && error.message}
        </p>
        {isByCode ? (
          <AppCodeField />
        ) : (
          <>
            <PasswordOwner email={email} />
            <PasswordField
              name="currentPassword"
              label="Current password"
              autoComplete="current-password"
              data-first-focus=""
            />
          </>
        )}
        {hasApp && (
          <p>
            <button type="button" className="link text-sm" onClick={() => setByCode(!isByCode)}>
              {isByCode ? "Use your password instead" : "Use a code of your app instead"}
            </button>
          </p>
        )}
        <ButtonRow className="justify-end">
          <Button onClick={onCancel}>Cancel</Button>
          {hasPasskeys && (
            <Button
              busy={sending === "passkey"}
              onClick={() => void prove("passkey", async () => ({ passkey: await askForPasskey() }))}
            >
              Use a passkey
            </Button>
          )}
          <Button type="submit" tone="primary" busy={sending === "form"}>
            Confirm
          </Button>
        </ButtonRow>
      </form>
    </FormContext>
  );
}

function errorOf(cause: unknown) {
  if (!(cause instanceof ApiError)) return { message: "The connection was lost. Try again." };
  if (cause.status !== 401) return cause;
  return { message: "Your session has ended. Sign in in another tab, then confirm again." };
}

/** Asked for when the dialog opens, which is seldom. Without an answer there is still the password. */
function useHasApp() {
  const [hasApp, setHasApp] = useState(false);
  useEffect(() => {
    readJson(api.account["second-factor"].$get()).then(
      ({ enabledAt }) => setHasApp(enabledAt !== null),
      () => undefined,
    );
  }, []);
  return hasApp;
}
