import { ModelError, refusedAsBusy, tooLate, Unacceptable } from "#worker/models/model-error.ts";
import type { Context } from "#worker/platform/context.ts";
import { untilNextDay } from "#worker/platform/data/daily-limit.ts";

/** The binding AI, whose models Cloudflare lists by name. */
export type AiBinding = NonNullable<Context["ai"]>;

type Run = {
  model: string;
  input: Record<string, unknown>;
  /** Milliseconds for the whole answer. */
  waitMs: number;
  /** What is sent, as in "A piece of the recording". */
  sent: string;
};

/** @throws ModelError */
export const runModel = (ai: AiBinding, { model, input, waitMs, sent }: Run) =>
  within(waitMs, ai.run(model, input)).catch((error: unknown) => {
    throw described(error, sent);
  });

/** A call of the binding cannot be aborted; its late answer is dropped. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLate(milliseconds)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const settings = (message: string) => () => new ModelError("settings", message);
const noSuchModel = settings("Workers AI has no model of this name. Check it in the settings.");
const notAllowed = settings("This account may not use the model.");

/** Codes at the beginning of the message (developers.cloudflare.com/workers-ai/platform/errors). */
const CODES: Record<string, (now: Date, sent: string) => ModelError> = {
  // Out of capacity.
  3040: () => refusedAsBusy(null),
  // The day's free allocation is used up; the binding says 4006.
  3036: (now) => refusedAsBusy(untilNextDay(now)),
  4006: (now) => refusedAsBusy(untilNextDay(now)),
  3006: (_, sent) => new ModelError("answer", `${sent} is too large for the model.`),
  3023: settings("Workers AI is blocked for this account."),
  3041: notAllowed,
  3042: noSuchModel,
  5007: noSuchModel,
  5018: notAllowed,
};

function described(error: unknown, sent: string) {
  if (error instanceof ModelError) return error;
  const message = error instanceof Error ? error.message : "";
  const [, code = ""] = /\b(\d{4})\b/.exec(message) ?? [];
  if (CODES[code]) return CODES[code](new Date(), sent);
  if (/\b429\b/.test(message)) return refusedAsBusy(null);
  if (/json mode/i.test(message)) return new Unacceptable("answer", "The model can’t answer in JSON.");
  return new ModelError("answer", "Workers AI answered with an error.");
}
