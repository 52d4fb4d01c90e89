import type { Language } from "./language.ts";

export const longText = ({ paragraphs, title }: Language, words: number) =>
  Array.from({ length: words / 500 }, () => `## ${title()}\n\n${paragraphs(500)}`).join("\n\n");

/** As WebVTT, a cue of five seconds after another. */
export function transcript({ sentences }: Language, seconds: number) {
  const at = (time: number) => new Date(time * 1000).toISOString().slice(11, 23);
  const cues = Array.from(
    { length: seconds / 5 },
    (_, index) =>
      `${at(index * 5)} --> ${at(index * 5 + 5)}\n<v ${index % 6 < 2 ? "A host" : "A guest"}>${sentences(13)}`,
  );
  return `WEBVTT\n\n${cues.join("\n\n")}\n`;
}

const FRAME_BYTES = 417;
const FRAMES_A_MINUTE = 2297;

/** So many minutes of MP3 frames at 128 kbit/s. */
export function makeAudio(minutes: number) {
  const frame = new Uint8Array(FRAME_BYTES);
  frame.set([0xff, 0xfb, 0x90, 0xc0]);
  const bytes = new Uint8Array(FRAME_BYTES * FRAMES_A_MINUTE * minutes);
  for (let at = 0; at < bytes.length; at += FRAME_BYTES) bytes.set(frame, at);
  return bytes;
}
