import { runModel, type AiBinding } from "#worker/models/workers-ai.ts";
import { readDeepgram, readWhisper } from "#worker/transcription/read-answer.ts";
import type { Options, Transcriber } from "#worker/transcription/transcriber.ts";

const isDeepgram = (model: string) => model.startsWith("@cf/deepgram/");

/** Distinguishes voices with a model of Deepgram's. */
export const workersAi = (ai: AiBinding, model: string): Transcriber => ({
  async transcribe({ bytes, type }, options) {
    const input = isDeepgram(model) ? deepgramInput(bytes, type, options) : whisperInput(bytes, options);
    const answer = await runModel(ai, {
      model,
      input,
      waitMs: options.waitMs,
      sent: "A piece of the recording",
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
