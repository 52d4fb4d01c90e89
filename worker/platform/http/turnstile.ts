import type { Context } from "#worker/platform/context.ts";
import { logError, logWarning } from "#worker/platform/log.ts";

/** The form field into which Turnstile's widget writes its token. */
export const TURNSTILE_FIELD = "cf-turnstile-response";

/** `unknown`: there was no token, or Turnstile gave no verdict. */
export type Verdict = "person" | "robot" | "unknown";

/** Characters (Cloudflare's documentation of siteverify). */
const LONGEST_TOKEN = 2048;
/** Milliseconds. */
const PATIENCE = 5000;

/** Verifies a form's single-use token with Turnstile. Without Turnstile every sender counts as a person. */
export async function judgeToken({ config: { turnstile } }: Context, token: unknown): Promise<Verdict> {
  if (!turnstile) return "person";
  if (typeof token !== "string" || token === "") return "unknown";
  if (token.length > LONGEST_TOKEN) return "robot";
  try {
    const response = await fetch(`${turnstile.url}/turnstile/v0/siteverify`, {
      method: "POST",
      body: new URLSearchParams({ secret: turnstile.secretKey, response: token }),
      signal: AbortSignal.timeout(PATIENCE),
    });
    return verdictOf(await response.json<Answer>());
  } catch (error) {
    logWarning("turnstile: did not answer", error);
    return "unknown";
  }
}

type Answer = { success?: boolean; "error-codes"?: string[] };

/** Errors of the token itself. Any other error is Turnstile's, or a wrong key. */
const OF_TOKEN = ["missing-input-response", "invalid-input-response", "timeout-or-duplicate"];

function verdictOf({ success, "error-codes": errors = [] }: Answer): Verdict {
  if (success === true) return "person";
  if (errors.some((error) => OF_TOKEN.includes(error))) return "robot";
  logError("turnstile: refused to answer", new Error(errors.join(", ")));
  return "unknown";
}
