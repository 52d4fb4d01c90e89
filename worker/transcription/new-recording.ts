import type { Context } from "#worker/platform/context.ts";
import { readSite } from "#worker/settings/queries.ts";
import { startTranscription } from "#worker/transcription/commands.ts";
import { whyNotSetUp } from "#worker/transcription/open-transcriber.ts";

/**
 * Transcribes the new recording of an episode without a transcript, where the owner wants this. Not for episodes of an import, of
 * which there may be hundreds.
 */
export async function transcribeNewRecording(ctx: Context, episodeId: number) {
  if (ctx.actor.kind !== "user") return;
  const { transcription: settings } = await readSite(ctx);
  if (!settings.eachRecording || whyNotSetUp(ctx, settings) !== null) return;
  await startTranscription(ctx, episodeId, {});
}
