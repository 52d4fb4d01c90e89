import { endOf, lateCueInWords } from "#worker/episodes/chapter-times.ts";
import { TranscriptCheck } from "#worker/episodes/contract.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";

/**
 * A transcript as it would be stored, by which its cues are edited: with times it becomes WebVTT. `cues` are how many it has,
 * none for a plain text. `names` may become voices: it is checked again with those of them that the owner accepts. A note
 * names what saving refuses because the recording is shorter.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for a cue that cannot be read
 */
export function checkTranscript(ctx: Context, input: TranscriptCheck) {
  requireCapability("edit", ctx);
  const { transcript: source, voices = [], lasts = 0 } = parseInput(TranscriptCheck, input);
  const { transcript, format, names, cues, notes } = readTranscript(source, {
    voices,
    guessedWithin: endOf(lasts),
  });
  const late = lateCueInWords(lasts, cues);
  return { transcript, format, names, notes: late === null ? notes : [...notes, late], cues: cues.length };
}
