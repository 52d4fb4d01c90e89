import { useActionData } from "react-router";
import { api, readJson } from "#site/api.ts";
import type { TestMailResult } from "#worker/settings/contract.ts";
import { ActionButton } from "../form/form.tsx";
import { act, intentOf } from "../form/submit.ts";

/** What a test email is sent as. */
type As = "mail" | "letter";

const intents: Record<As, string> = { mail: "test-mail", letter: "test-letter" };

const names: Record<As, string> = { mail: "email", letter: "letter" };

/** Undefined for a form that is about something else. */
export const testIn = (form: FormData) =>
  (Object.keys(intents) as As[]).find((as) => intents[as] === intentOf(form));

/** The body of the `clientAction`: the mail server's response, or why no email was sent. */
export async function sendTestMail(form: FormData, as: As) {
  let answered: TestMailResult | undefined;
  const result = await act(form, async () => {
    answered = await readJson(api.settings["test-mail"].$post({ json: { as } }));
    return answered.isAccepted ? `Test ${names[as]} sent to ${answered.to}` : "The mail server answered";
  });
  return answered ? { ...result, testMail: { as, ...answered } } : result;
}

/** Sends an email to the signed-in user, and shows the result. */
export function TestMail({ as }: { as: As }) {
  const answer: unknown = useActionData();
  const result = isTestMail(answer) && answer.testMail.as === as ? answer.testMail : null;
  return (
    <div className="grid justify-items-start gap-3">
      <ActionButton intent={intents[as]}>{`Send a test ${names[as]} to me`}</ActionButton>
      {result && (
        <p className={`border-l-4 pl-3 text-sm ${result.isAccepted ? "border-accent" : "border-signal"}`}>
          <span>
            {result.isAccepted
              ? `The mail server accepted the ${names[as]} for ${result.to}. `
              : `The ${names[as]} for ${result.to} wasn’t sent. `}
          </span>
          <code translate="no" className="wrap-anywhere">
            {result.answer}
          </code>
        </p>
      )}
    </div>
  );
}

const isTestMail = (answer: unknown): answer is { testMail: TestMailResult & { as: As } } =>
  typeof answer === "object" && answer !== null && "testMail" in answer;
