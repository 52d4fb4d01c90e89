/**
 * - `busy`: it is asked again later, and is not the fault of what was sent;
 * - `settings`: nothing will be answered until the owner changes the settings;
 * - `answer`: this request was not understood. It may be at the next attempt.
 */
export type Failing = "busy" | "settings" | "answer";

/** A model that does not answer as it should, in a sentence for the owner. */
export class ModelError extends Error {
  readonly failing: Failing;
  /** Milliseconds, if the service names a time. */
  readonly retryAfterMs: number | null;

  constructor(failing: Failing, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.failing = failing;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The request was refused for what it asks for, such as an answer in JSON: another way of asking may be accepted. */
export class Unacceptable extends ModelError {}

export const tooLate = (waitMs: number) =>
  new ModelError("answer", `The model didn’t answer within ${Math.round(waitMs / 1000)} seconds.`);

export const refusedAsBusy = (retryAfterMs: number | null) =>
  new ModelError("busy", "The service is busy, and is asked again later.", retryAfterMs);
