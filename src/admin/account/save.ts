import { api, ApiError, ensureOk, readJson } from "#site/api.ts";
import { toast } from "../toast.tsx";
import { AccountChange, AddressChange, PasswordChangeForm } from "#worker/accounts/contract.ts";
import { problemOf, problemsOf, type Problem } from "../door/form.tsx";
import { refused, SESSION_ENDED } from "../saving.ts";

/** The forms of one's own account; each page shows those that it has. */
type Intent = "details" | "email" | "password" | "device" | "others";

/** `savedAt` tells one success from the next. */
export type AccountResult = { intent: Intent; problem?: Problem; savedAt?: number };

const UNEXPECTED = "An error occurred. Please try again.";

export async function saveAccount(request: Request) {
  const { intent, ...fields } = Object.fromEntries(await request.formData()) as Record<string, string>;
  switch (intent) {
    case "details":
      return saveDetails(fields);
    case "email":
      return changeAddress(fields);
    case "password":
      return changePassword(fields);
    case "device":
      return endSession(fields);
    case "others":
      return endOtherSessions();
    default:
      throw new Error(`Unknown intent: ${intent}`);
  }
}

async function saveDetails(fields: unknown) {
  const input = AccountChange.safeParse(fields);
  if (!input.success) return refused<AccountResult>({ intent: "details", problem: problemOf(input.error) });
  return run("details", async () => {
    await readJson(api.account.$patch({ json: input.data }));
    return "Your name was saved.";
  });
}

async function changeAddress(fields: unknown) {
  const input = AddressChange.safeParse(fields);
  if (!input.success) return refused<AccountResult>({ intent: "email", problem: problemOf(input.error) });
  return run("email", async () => (await readJson(api.account.email.$post({ json: input.data }))).message);
}

async function changePassword(fields: unknown) {
  const input = PasswordChangeForm.safeParse(fields);
  if (!input.success) return refused<AccountResult>({ intent: "password", problem: problemOf(input.error) });
  const { currentPassword, password } = input.data;
  return run("password", async () => {
    await readJson(api.account.password.$post({ json: { currentPassword, password } }));
    return "Your password was changed. All other devices were signed out.";
  });
}

const endSession = ({ id = "", device }: Record<string, string>) =>
  run("device", async () => {
    await ensureOk(api.sessions[":id"].$delete({ param: { id } }));
    return `${device} was signed out.`;
  });

const endOtherSessions = () =>
  run("others", async () => {
    await ensureOk(api.sessions.$delete());
    return "All other devices were signed out.";
  });

/**
 * Does what returns the words for its success. A refusal stands in the form, whose fields stay as they are; where there
 * are none to fill in it is a toast.
 */
async function run(intent: Intent, call: () => Promise<string>) {
  const outcome = await problemsOf(() => call().catch(sayIfEnded), UNEXPECTED);
  if (typeof outcome === "string") {
    toast.success(outcome);
    return { intent, savedAt: Date.now() };
  }
  if (intent !== "device" && intent !== "others") return refused<AccountResult>({ intent, problem: outcome });
  toast.error(outcome.failure ?? UNEXPECTED);
  return { intent };
}

function sayIfEnded(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 401) throw error;
  throw new ApiError(error.status, { code: error.code, message: SESSION_ENDED });
}
