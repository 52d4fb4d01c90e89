import type { ErrorBody } from "#worker/platform/errors.ts";

/** A refusal by the server or by the device. Its message is for the member. */
export class Refusal extends Error {
  /** The answer's HTTP status; 0 for the device. */
  readonly status: number;
  readonly code: string;

  constructor(message: string, { status = 0, code = "" } = {}) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * A request to `/api/member`.
 * @throws {Refusal} for an answer that a person can act on
 */
export async function send(method: string, path: string, body?: object, signal?: AbortSignal) {
  const answer = await fetch(`/api/member${path}`, {
    method,
    ...(signal && { signal }),
    ...(body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });
  if (answer.ok) return answer;
  const { status } = answer;
  if (status >= 500) throw new Error(`${method} ${path} was answered with ${status}.`);
  const { error } = (await answer.json()) as ErrorBody;
  throw new Refusal(error.message, { status, code: error.code });
}

const FAILED = "That didn’t work. Please try again.";

/** What a button shows after a failure. */
export function wordsOf(error: unknown) {
  if (error instanceof Refusal) return error.message;
  console.error(error);
  return FAILED;
}
