import type { Context } from "#worker/platform/context.ts";
import { untilNextDay } from "#worker/platform/data/daily-limit.ts";
import { readDeepgram, readWhisper } from "#worker/transcription/read-answer.ts";
import {
  refusedAsBusy,
  tooLate,
  TranscriberError,
  type Options,
  type Transcriber,
} from "#worker/transcription/transcriber.ts";

/** The binding AI, whose models Cloudflare lists by name. */
type AiBinding = NonNullable<Context["ai"]>;

const isDeepgram = (model: string) => model.startsWith("@cf/deepgram/");

/** Distinguishes voices with a model of Deepgram's. */
export const workersAi = (ai: AiBinding, model: string): Transcriber => ({
  async transcribe({ bytes, type }, options) {
    const input = isDeepgram(model) ? deepgramInput(bytes, type, options) : whisperInput(bytes, options);
    const answer = await within(options.waitMs, ai.run(model, input)).catch((error: unknown) => {
      throw described(error);
    });
    return isDeepgram(model) ? readDeepgram(answer) : readWhisper(answer);
  },
});

const whisperInput = (bytes: Uint8Array<ArrayBuffer>, { language }: Options) => ({
  audio: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64"),
  task: "transcribe",
  // Silence and music make Whisper invent words.
  vad_filter: true,
  ...(language && { language }),
});

const deepgramInput = (bytes: Uint8Array<ArrayBuffer>, type: string, { language }: Options) => ({
  audio: { body: new Response(bytes).body!, contentType: type },
  diarize: true,
  punctuate: true,
  smart_format: true,
  ...(language ? { language } : { detect_language: true }),
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

/** Codes at the beginning of the message (developers.cloudflare.com/workers-ai/platform/errors). */
const CODES: Record<string, (now: Date) => TranscriberError> = {
  // Out of capacity.
  3040: () => refusedAsBusy(null),
  // The day's free allocation is used up; the binding says 4006.
  3036: (now) => refusedAsBusy(untilNextDay(now)),
  4006: (now) => refusedAsBusy(untilNextDay(now)),
  3006: () => new TranscriberError("answer", "A piece of the recording is too large for the model."),
  3023: () => new TranscriberError("settings", "Workers AI is blocked for this account."),
  3041: () => new TranscriberError("settings", "This account may not use the model."),
  3042: noSuchModel,
  5007: noSuchModel,
  5018: () => new TranscriberError("settings", "This account may not use the model."),
};

function noSuchModel() {
  return new TranscriberError("settings", "Workers AI has no model of this name. Check it in the settings.");
}

function described(error: unknown) {
  if (error instanceof TranscriberError) return error;
  const message = error instanceof Error ? error.message : "";
  const [, code = ""] = /\b(\d{4})\b/.exec(message) ?? [];
  if (CODES[code]) return CODES[code](new Date());
  if (/\b429\b/.test(message)) return refusedAsBusy(null);
  return new TranscriberError("answer", "Workers AI answered with an error.");
}
