import { useState } from "react";
import { useActionData, useNavigation } from "react-router";
import { Badge } from "#site/ui/badge.tsx";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { DateTime } from "#site/ui/date-time.tsx";
import { formatDateTime } from "#site/ui/format.ts";
import type { Enrolment, SecondFactor } from "#worker/accounts/contract.ts";
import { AppCodeField } from "../auth/code-field.tsx";
import { CancelButton, FormDialog } from "../form/form-dialog.tsx";
import { ActionButton, Form, Submit } from "../form/form.tsx";
import { FormSection } from "../form/section.tsx";
import { ConfirmAction } from "../lists/confirm-action.tsx";
import { copyText } from "../shell/copy.ts";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";
import { DISABLE_FACTOR, ENABLE_FACTOR, NEW_CODES, START_FACTOR } from "./save.ts";

type Props = { factor: SecondFactor; email: string };

/** The authenticator app, whose codes a sign-in by password asks for. */
export function SecondFactorSection({ factor: { enabledAt, recoveryCodes }, email }: Props) {
  const { enrolment, codes, close } = useShownOnce();
  return (
    <FormSection
      id="second-factor"
      title="Authenticator app"
      help="A password can be stolen. With an app, signing in by password also needs a code from your phone. Passkeys need none."
    >
      {enabledAt === null ? (
        <>
          <p className="text-muted">
            Signing in by password asks only for the password. Setting it up signs out your other devices.
          </p>
          <ButtonRow>
            <ActionButton intent={START_FACTOR}>Set up an authenticator app</ActionButton>
          </ButtonRow>
        </>
      ) : (
        <>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Badge tone="accent">On</Badge>
            <span>
              Since <DateTime at={enabledAt} format={formatDateTime} />
            </span>
          </p>
          <CodesLeft count={recoveryCodes} />
          <ButtonRow>
            <NewCodes />
            <SwitchOff />
          </ButtonRow>
        </>
      )}
      <SetUpDialog enrolment={enrolment} onClose={close} />
      <RecoveryCodesDialog codes={codes} email={email} onClose={close} />
    </FormSection>
  );
}

/** What an action answered, once: a secret to set up, or codes to save. */
function useShownOnce() {
  const answer = useActionData() as { enrolment?: Enrolment; codes?: string[] } | undefined;
  const [closed, setClosed] = useState<unknown>();
  const [shown, setShown] = useState<typeof answer>();
  if (answer && shown !== answer && (answer.enrolment || answer.codes)) setShown(answer);
  const open = shown === closed ? undefined : shown;
  return { enrolment: open?.enrolment, codes: open?.codes, close: () => setClosed(shown) };
}

const FEW = 3;

const CodesLeft = ({ count }: { count: number }) => (
  <p className={count <= FEW ? "border-l-4 border-signal pl-3" : "text-muted"}>{codesLeft(count)}</p>
);

function codesLeft(count: number) {
  if (count === 0) return "You have no recovery codes left. Make new ones, in case you lose your phone.";
  if (count === 1) return "One recovery code is left. Make new ones soon.";
  return `${count} recovery codes are left, in case you lose your phone.`;
}

const useIsBusy = (intent: string) => useNavigation().formData?.get("intent") === intent;

const NewCodes = () => (
  <ConfirmAction
    intent={NEW_CODES}
    label="Make new recovery codes"
    title="Make new recovery codes?"
    confirm="Make new codes"
    tone="primary"
    busy={useIsBusy(NEW_CODES)}
  >
    The codes that you saved before will no longer work.
  </ConfirmAction>
);

const SwitchOff = () => (
  <ConfirmAction
    intent={DISABLE_FACTOR}
    label="Switch off"
    name="the authenticator app"
    title="Switch off the authenticator app?"
    confirm="Switch off"
    dismiss="Keep it"
    tone="danger"
    busy={useIsBusy(DISABLE_FACTOR)}
  >
    Your password alone will sign you in. The recovery codes are deleted, too.
  </ConfirmAction>
);

type SetUpProps = { enrolment: Enrolment | undefined; onClose: () => void };

const SetUpDialog = ({ enrolment, onClose }: SetUpProps) => (
  <FormDialog
    open={enrolment !== undefined}
    onClose={onClose}
    title="Set up an authenticator app"
    description="Scan this with an app such as Aegis, 2FAS, Google Authenticator, or your password manager."
  >
    {enrolment && (
      <Form intent={ENABLE_FACTOR}>
        <QrCode of={enrolment} />
        <Key of={enrolment} />
        <p>
          <a href={enrolment.uri} className="link text-sm">
            Open in an app on this device
          </a>
        </p>
        <AppCodeField label="Code that the app shows" />
        <ButtonRow className="justify-end">
          <CancelButton />
          <Submit>Switch on</Submit>
        </ButtonRow>
      </Form>
    )}
  </FormDialog>
);

/** Black on white in each theme: cameras expect it. */
const QrCode = ({ of: { qrCode } }: { of: Enrolment }) => (
  <img
    src={`data:image/svg+xml,${encodeURIComponent(qrCode)}`}
    alt="QR code with the key below"
    width={208}
    height={208}
    className="mx-auto rounded-md border border-rule"
  />
);

/** All of it is visible, to be typed from the screen. */
const Key = ({ of: { secret } }: { of: Enrolment }) => (
  <div className="grid gap-1.5">
    <p className="text-sm font-medium">Or type this key</p>
    <div className="flex items-start justify-between gap-3">
      <code dir="ltr" className="py-2 font-mono text-sm">
        {secret.replaceAll(/.{4}(?=.)/g, "$& ")}
      </code>
      <Button aria-label="Copy the key" onClick={() => void copyText(secret, "Key copied", "key")}>
        Copy
      </Button>
    </div>
    <p className="text-sm text-muted">Time-based, six digits, 30 seconds: the default of every app.</p>
  </div>
);
