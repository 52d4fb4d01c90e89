import type { Cue } from "#worker/episodes/contract.ts";
import { paragraphsOf } from "#worker/episodes/paragraphs.ts";
import { clock } from "#worker/episodes/transcript-input/repair.ts";

/** A stored transcript: WebVTT with its cues, or plain text without. */
type Transcript = { transcript: string; cues: Cue[] };

/**
 * The formats of a transcript at `/episode/{id}/transcript.{format}`, the richest first: apps use the first that they
 * know. `write` returns null if a transcript has no such rendering.
 */
export const transcriptFormats = {
  vtt: { type: "text/vtt", isCaptions: true, write: timed(({ transcript }) => transcript) },
  srt: { type: "application/x-subrip", isCaptions: true, write: timed(({ cues }) => srtOf(cues)) },
  json: { type: "application/json", isCaptions: false, write: timed(({ cues }) => jsonOf(cues)) },
  txt: { type: "text/plain", isCaptions: false, write: plain },
};
export type TranscriptFormat = keyof typeof transcriptFormats;

/** The formats of a transcript with times, and of one without. */
export const formatsOf = (hasCues: boolean) =>
  (Object.keys(transcriptFormats) as TranscriptFormat[]).filter((format) => hasCues || format === "txt");

function timed(write: (transcript: Transcript) => string) {
  return (transcript: Transcript) => (transcript.cues.length > 0 ? write(transcript) : null);
}

function srtOf(cues: Cue[]) {
  const time = (seconds: number) => clock(seconds).replace(".", ",");
  const blocks = cues.map(
    ({ start, end, speaker, text }, index) =>
      `${index + 1}\n${time(start)} --> ${time(end)}\n${named(speaker, text).replaceAll("-->", "→")}\n`,
  );
  return blocks.join("\n");
}

/** Podcasting 2.0. */
const jsonOf = (cues: Cue[]) =>
  JSON.stringify({
    version: "1.0.0",
    segments: cues.map(({ start, end, speaker, text }) => ({
      ...(speaker && { speaker }),
      startTime: start,
      endTime: end,
      body: text,
    })),
  });

function plain({ transcript, cues }: Transcript) {
  if (transcript === "") return null;
  if (cues.length === 0) return `${transcript}\n`;
  const paragraphs = paragraphsOf(cues).map(({ speaker, text }) => named(speaker, text));
  return `${paragraphs.join("\n\n")}\n`;
}

const named = (speaker: string, text: string) => (speaker ? `${speaker}: ${text}` : text);
