import { TranscriptCheck } from "#worker/episodes/contract.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";

/**
 * A transcript as it would be stored, by which its cues are edited: an SRT becomes WebVTT. `cues` are how many it has, none
 * for a plain text.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for a cue that cannot be read
 */
export function checkTranscript(ctx: Context, input: TranscriptCheck) {
  requireCapability("edit", ctx);
  const { transcript, cues } = readTranscript(parseInput(TranscriptCheck, input).transcript);
  return { transcript, cues: cues.length };
}
