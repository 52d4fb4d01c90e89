import { eq } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import type { SealedColumn } from "#worker/platform/data/sealed-columns.ts";
import { unseal } from "#worker/platform/data/sealed.ts";
import { readSite } from "#worker/settings/queries.ts";
import type { Site } from "#worker/settings/contract.ts";
import { openAiServer } from "#worker/transcription/openai-server.ts";
import { transcriptionKeys } from "#worker/transcription/table.ts";
import { TranscriberError, type Transcriber } from "#worker/transcription/transcriber.ts";
import { workersAi } from "#worker/transcription/workers-ai.ts";

export const KEY_PURPOSE = "transcription-key";

export const transcriptionKeysColumn: SealedColumn = {
  id: transcriptionKeys.id,
  secret: transcriptionKeys.secret,
  purpose: KEY_PURPOSE,
};

type Settings = Site["transcription"];

/** Why nothing can be transcribed, for the owner; null if it can. */
export function whyNotSetUp({ ai }: Context, { service, url }: Settings) {
  if (service === "off") return "Transcripts are switched off in the settings.";
  if (service === "workers-ai" && !ai) return "This site isn’t connected to Workers AI (the binding AI).";
  return service === "server" && url === "" ? "The settings have no address of the server." : null;
}

/** What generates the transcripts, as it is named to the owner. */
export const serviceName = ({ service, url }: Settings) =>
  service === "workers-ai" ? "Workers AI" : (URL.parse(url)?.host ?? "");

/**
 * The transcriber of the settings, for a model.
 * @throws TranscriberError
 */
export async function openTranscriber(ctx: Context, model: string) {
  const { transcription } = await readSite(ctx);
  const problem = whyNotSetUp(ctx, transcription);
  if (problem !== null) throw new TranscriberError("settings", problem);
  const { service, url, waitSeconds } = transcription;
  const loopback = ctx.config.loopback;
  const transcriber: Transcriber =
    service === "workers-ai"
      ? workersAi(ctx.ai!, model)
      : openAiServer({ url, key: await readKey(ctx), model, loopback });
  return {
    transcribe: (piece: Parameters<Transcriber["transcribe"]>[0], language: string | null) =>
      transcriber.transcribe(piece, { language, waitMs: waitSeconds * 1000 }),
  };
}

/** Null without a key. */
async function readKey(ctx: Context) {
  const [row] = await ctx.db.select().from(transcriptionKeys).where(eq(transcriptionKeys.id, 1));
  if (!row) return null;
  const key = await unseal(ctx, KEY_PURPOSE, row.secret);
  if (key === null)
    throw new TranscriberError("settings", "The key can’t be read any more. Enter it again in the settings.");
  return key;
}
