import { answerOf, api, taken } from "#site/api.ts";
import { toast } from "#site/ui/toast.tsx";
import { AccountChange, PasswordChangeForm } from "#worker/accounts/contract.ts";
import { problemOf, problemsOf, type Problem } from "../door/form.tsx";
import { refused } from "../saving.ts";

/** The forms of one's own account; each page shows those that it has. */
type Intent = "details" | "password" | "device" | "others";

/** `savedAt` tells one success from the next. */
export type AccountResult = { intent: Intent; problem?: Problem; savedAt?: number };

const UNEXPECTED = "An error occurred. Please try again.";

export async function saveAccount(request: Request) {
  const { intent, ...fields } = Object.fromEntries(await request.formData()) as Record<string, string>;
  switch (intent) {
    case "details":
      return saveDetails(fields);
    case "password":
      return changePassword(fields);
    case "device":
      return endSession(fields);
    default:
      return endOtherSessions();
  }
}

async function saveDetails(fields: unknown) {
  const input = AccountChange.safeParse(fields);
  if (!input.success) return refused<AccountResult>({ intent: "details", problem: problemOf(input.error) });
  return run("details", "Your name was saved.", () => answerOf(api.account.$patch({ json: input.data })));
}

async function changePassword(fields: unknown) {
  const input = PasswordChangeForm.safeParse(fields);
  if (!input.success) return refused<AccountResult>({ intent: "password", problem: problemOf(input.error) });
  const { currentPassword, password } = input.data;
  return run("password", "Your password was changed. All other devices were signed out.", () =>
    answerOf(api.account.password.$post({ json: { currentPassword, password } })),
  );
}

const endSession = ({ id = "", device }: Record<string, string>) =>
  run("device", `${device} was signed out.`, () => taken(api.sessions[":id"].$delete({ param: { id } })));

const endOtherSessions = () =>
  run("others", "All other devices were signed out.", () => taken(api.sessions.$delete()));

/** A refusal stands in the form, whose fields stay as they are; where there are none to fill in it is a toast. */
async function run(intent: Intent, done: string, call: () => Promise<unknown>) {
  const problem = await problemsOf(async () => void (await call()), UNEXPECTED);
  if (!problem) {
    toast.success(done);
    return { intent, savedAt: Date.now() };
  }
  if (intent === "details" || intent === "password") return refused<AccountResult>({ intent, problem });
  toast.error(problem.failure ?? UNEXPECTED);
  return { intent };
}
