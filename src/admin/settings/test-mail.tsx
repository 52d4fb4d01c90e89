import { useActionData } from "react-router";
import { api, readJson } from "#site/api.ts";
import type { TestMailResult } from "#worker/settings/contract.ts";
import { ActionButton } from "../form/form.tsx";
import { act } from "../form/submit.ts";

export const TEST_MAIL = "test-mail";

/** The body of the `clientAction`: what the mail server answered, or what kept it from being asked. */
export async function sendTestMail(form: FormData) {
  let answered: TestMailResult | undefined;
  const result = await act(form, async () => {
    answered = await readJson(api.settings["test-mail"].$post());
    return answered.isAccepted ? `Test mail sent to ${answered.to}` : "The mail server has answered";
  });
  return answered ? { ...result, testMail: answered } : result;
}

/** Sends a mail to whoever presses, and shows what came of it. */
export function TestMail() {
  const answer: unknown = useActionData();
  const result = isTestMail(answer) ? answer.testMail : null;
  return (
    <div className="grid justify-items-start gap-3">
      <ActionButton intent={TEST_MAIL}>Send a test mail to me</ActionButton>
      {result && (
        <p className={`border-l-4 pl-3 text-sm ${result.isAccepted ? "border-accent" : "border-signal"}`}>
          {result.isAccepted
            ? `The mail server took the mail for ${result.to}. `
            : `The mail for ${result.to} was not sent. `}
          <code className="wrap-anywhere">{result.answer}</code>
        </p>
      )}
    </div>
  );
}

const isTestMail = (answer: unknown): answer is { testMail: TestMailResult } =>
  typeof answer === "object" && answer !== null && "testMail" in answer;
