import { createHash } from "node:crypto";
import type { Context } from "#worker/platform/context.ts";
import { fetchPublic, readBeginning } from "#worker/platform/http/outgoing.ts";
import { logWarning } from "#worker/platform/log.ts";

/** Digits of the SHA-1 that the service gets. */
const PREFIX = 5;
/** Milliseconds. */
const PATIENCE = 2000;
/** Characters. With padding, an answer has up to 1,000 lines of about 40. */
const LONGEST_ANSWER = 200_000;

/**
 * Whether a service knows a password from a leak, by the range API of Have I Been Pwned (k-anonymity): it gets the beginning
 * of the password's SHA-1, and answers with the ends of all that begin so, each with a count. False if it does not answer.
 */
export async function hasLeaked({ config }: Context, service: string, password: string) {
  const hash = createHash("sha1").update(password).digest("hex").toUpperCase();
  try {
    const { response } = await fetchPublic(
      new URL(`${service.replace(/\/+$/, "")}/range/${hash.slice(0, PREFIX)}`),
      // Padding hides from the network how many passwords begin so.
      { headers: { "Add-Padding": "true", "User-Agent": "Rostrum" }, signal: AbortSignal.timeout(PATIENCE) },
      // A redirect could lead to another service, without encryption too. The setting has the address that is asked.
      { loopback: config.loopback, mostRedirects: 0 },
    );
    const answer = await readBeginning(response, LONGEST_ANSWER);
    if (!response.ok) throw new Error(`The service answered ${response.status}.`);
    return countOf(answer, hash.slice(PREFIX)) > 0;
  } catch (error) {
    logWarning("passwords: the service of leaked passwords did not answer", error);
    return false;
  }
}

/** How often the hash with this end has leaked; lines that only pad an answer have the count 0. */
function countOf(answer: string, end: string) {
  const lines = answer.split("\n").map((line) => line.trim().toUpperCase().split(":"));
  const [, count = "0"] = lines.find(([hash]) => hash === end) ?? [];
  return Number(count);
}
