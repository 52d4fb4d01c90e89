import type { ModelError } from "#worker/models/model-error.ts";
import { BusyError, RetryError, type OutboxRow } from "#worker/platform/work/outbox.ts";

/** Attempts at what a model answers wrongly, with the outbox's waits between them. */
const TRIES = 3;
const MINUTE_MS = 60_000;
/** The longest wait for a busy service that names no time, and for one that does. */
const LONGEST_BACKOFF_MS = 30 * MINUTE_MS;
const LONGEST_WAIT_MS = 24 * 60 * MINUTE_MS;
/** Milliseconds for which a busy service is asked again for one step; less than the outbox waits. */
const BUSY_MS = 47 * 60 * MINUTE_MS;

const ALWAYS_BUSY = "The service was busy for two days. Continue it to ask again.";

/**
 * - `stop`: the owner has to change something, or to continue it;
 * - `give up`: it was tried often enough;
 * - `wait`: `error` makes the outbox wait until `at`. A busy service has not worked, and is not paid.
 */
export type NextTry =
  | { is: "stop"; message: string }
  | { is: "give up"; message: string }
  | { is: "wait"; isBusy: boolean; message: string; at: Date; error: BusyError | RetryError };

type Failed = {
  row: Pick<OutboxRow, "attempts" | "createdAt">;
  /** In a row, before this one. */
  busyAnswers: number;
  /** Milliseconds UTC. */
  now: number;
};

/** What follows when a model does not answer a step of a job. */
export function nextTry(
  { failing, message, retryAfterMs }: ModelError,
  { row, busyAnswers, now }: Failed,
): NextTry {
  if (failing === "settings") return { is: "stop", message };
  if (failing === "answer") {
    if (row.attempts >= TRIES) return { is: "give up", message };
    const waitMs = MINUTE_MS * 2 ** (row.attempts - 1);
    const error = new RetryError(message, waitMs);
    return { is: "wait", isBusy: false, message, at: new Date(now + waitMs), error };
  }
  if (now - row.createdAt.getTime() > BUSY_MS) return { is: "stop", message: ALWAYS_BUSY };
  const backoff = Math.min(MINUTE_MS * 2 ** busyAnswers, LONGEST_BACKOFF_MS);
  const waitMs = Math.min(retryAfterMs ?? backoff, LONGEST_WAIT_MS);
  const error = new BusyError(message, waitMs);
  return { is: "wait", isBusy: true, message, at: new Date(now + waitMs), error };
}
