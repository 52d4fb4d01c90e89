import type { Context } from "#worker/platform/context.ts";
import { ModelError } from "#worker/models/model-error.ts";
import { serverKey } from "#worker/models/server-key.ts";
import { whyNotSetUp as whyNoModel } from "#worker/models/setup.ts";
import { readSite } from "#worker/settings/queries.ts";
import type { Site } from "#worker/settings/contract.ts";
import { openAiServer } from "#worker/transcription/openai-server.ts";
import { transcriptionKeys } from "#worker/transcription/table.ts";
import type { Transcriber } from "#worker/transcription/transcriber.ts";
import { workersAi } from "#worker/transcription/workers-ai.ts";

export const transcriptionKey = serverKey(transcriptionKeys, {
  purpose: "transcription-key",
  kind: "transcription_key_changed",
  urlOf: ({ transcription }) => transcription.url,
});

/** Why nothing can be transcribed, for the owner; null if it can. */
export const whyNotSetUp = (ctx: Context, settings: Site["transcription"]) =>
  whyNoModel(ctx, settings, "Transcripts are");

/**
 * The transcriber of the settings, for a model.
 * @throws ModelError
 */
export async function openTranscriber(ctx: Context, model: string) {
  const { transcription } = await readSite(ctx);
  const problem = whyNotSetUp(ctx, transcription);
  if (problem !== null) throw new ModelError("settings", problem);
  const { service, url, waitSeconds } = transcription;
  const loopback = ctx.config.loopback;
  const transcriber: Transcriber =
    service === "workers-ai"
      ? workersAi(ctx.ai!, model)
      : openAiServer({ url, key: await transcriptionKey.read(ctx, url), model, loopback });
  return {
    transcribe: (piece: Parameters<Transcriber["transcribe"]>[0], language: string | null) =>
      transcriber.transcribe(piece, { language, waitMs: waitSeconds * 1000 }),
  };
}
