import { ApiError } from "#site/api.ts";
import type { QueuedWork } from "./queued.ts";

/** What a reason calls it. */
type SentWork = QueuedWork | "export";

type Options = {
  signal: AbortSignal;
  work?: SentWork;
  /** Called with the reason for waiting, and with null when sending continues. */
  onWaiting: (reason: string | null) => void;
  wait?: (milliseconds: number) => Promise<void>;
};

const LONGEST_WAIT = 30_000;
/** Milliseconds: the longest wait that a server may ask for. */
const LONGEST_ASKED = 3_600_000;

/**
 * Sends until there is a response: retries after a lost connection, a server error, and an expired session. The request
 * must be idempotent.
 * @throws {ApiError} for an error that a retry would not fix
 */
export async function sendUntilAnswered<T>(
  send: () => Promise<T>,
  { signal, work = "import", onWaiting, wait = sleep }: Options,
) {
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted();
    try {
      const answer = await send();
      if (attempt > 0) onWaiting(null);
      return answer;
    } catch (error) {
      const reason = reasonToWait(error, work);
      if (reason === null) throw error;
      onWaiting(reason);
      await Promise.race([wait(waitAfter(error, attempt)), aborted(signal)]);
    }
  }
}

function waitAfter(error: unknown, attempt: number) {
  const asked = error instanceof ApiError ? error.retryAfter : undefined;
  if (asked !== undefined) return Math.min(LONGEST_ASKED, asked * 1000);
  return Math.min(LONGEST_WAIT, 1000 * 2 ** attempt);
}

/** Seconds. An outage of D1 asks for minutes, the daily limit for hours, until midnight UTC. */
const LONGEST_OUTAGE = 600;

/** Null if waiting does not help. */
function reasonToWait(error: unknown, work: SentWork) {
  // fetch throws it if it cannot reach the server.
  if (error instanceof TypeError) return `The connection was lost. The ${work} continues when it’s back.`;
  if (!(error instanceof ApiError)) return null;
  if (error.status === 401)
    return `Your session has ended. Sign in in another tab and the ${work} continues automatically.`;
  if (error.status === 429) return error.message;
  // The database has no room until the owner makes some (worker/platform/data/unavailable.ts).
  if (error.code === "full") return null;
  // What a plan includes for a day is used up.
  if (error.code === "unavailable" && (error.retryAfter ?? 0) > LONGEST_OUTAGE)
    return `The site has reached its limit for today. The ${work} continues after midnight UTC.`;
  if (error.status >= 500) return `The server isn’t responding properly. The ${work} keeps trying.`;
  return null;
}

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
