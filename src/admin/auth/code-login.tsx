import { useState } from "react";
import { redirect } from "react-router";
import { api, readJson } from "#site/api.ts";
import { Button, ButtonRow } from "#site/ui/button.tsx";
import { CodeSignIn, type SignInAnswer } from "#worker/accounts/contract.ts";
import { TextField } from "../form/fields.tsx";
import { Form, Submit } from "../form/form.tsx";
import { text } from "../form/read.ts";
import { submit } from "../form/submit.ts";
import { AppCodeField } from "./code-field.tsx";
import { requireKeptCookie } from "./kept-cookie.ts";
import { safeNext } from "./paths.ts";
import { Screen, signedOutWords } from "./screen.tsx";

export const CODE = "code";

/** The second step of a sign-in by password. */
export const logInByCode = (form: FormData, next: string | null) =>
  submit(form, {
    fields: { signIn: text, code: text },
    schema: CodeSignIn,
    words: signedOutWords("An error occurred during login. Please try again."),
    async send(json) {
      await readJson(api.session.code.$post({ json }));
      await requireKeptCookie();
      return redirect(safeNext(next));
    },
  });

/** What the first step answered, until its user goes back: the answers to wrong codes replace the action's data. */
export function useHalfSignIn(answer: unknown) {
  const [half, setHalf] = useState<{ answer: unknown; signIn: string | null }>();
  if (isHalf(answer) && half?.answer !== answer) setHalf({ answer, signIn: answer.signIn });
  return { signIn: half?.signIn ?? null, leave: () => setHalf({ answer, signIn: null }) };
}

type Half = Extract<SignInAnswer, { signIn: string }>;

const isHalf = (answer: unknown): answer is Half =>
  typeof answer === "object" && answer !== null && "signIn" in answer;

type Props = { signIn: string; onBack: () => void };

/** Asks for a code of the app, or for a recovery code. */
export function CodeLogin({ signIn, onBack }: Props) {
  const [isRecovery, setRecovery] = useState(false);
  return (
    <Screen
      title="Enter your code"
      text={
        isRecovery
          ? "Enter one of the recovery codes that you saved. Each one works once."
          : "Open your authenticator app, and enter the code it shows for this site."
      }
    >
      <Form key={String(isRecovery)} intent={CODE} className="mt-6 grid gap-5">
        <input type="hidden" name="signIn" value={signIn} />
        {isRecovery ? <RecoveryCodeField /> : <AppCodeField />}
        <ButtonRow>
          <Submit>Sign in</Submit>
          <Button onClick={onBack}>Back to Login</Button>
        </ButtonRow>
      </Form>
      <p className="mt-8 border-t border-rule pt-6">
        <button type="button" className="link text-sm" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? "Use a code of the app instead" : "Use a recovery code instead"}
        </button>
      </p>
    </Screen>
  );
}

const RecoveryCodeField = () => (
  <TextField
    name="code"
    label="Recovery code"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    required
    maxLength={40}
    dir="ltr"
    className="figures"
  />
);
