/** A recording without sound whose every frame has its number, so that a server knows which part of it it was sent. */

/** MPEG 1 layer III of 32 kbit/s in mono: a header, side information that says silence, and the number. */
const FRAME = 104;
const HEADER = [0xff, 0xfb, 0x10, 0xc0];
const NUMBER_AT = 21;
const DIGITS = 4;

export const FRAME_SECONDS = 1152 / 44_100;

export function spokenRecording(seconds: number) {
  const frames = Math.ceil(seconds / FRAME_SECONDS);
  const bytes = new Uint8Array(frames * FRAME);
  for (let number = 0; number < frames; number++) {
    bytes.set(HEADER, number * FRAME);
    // Seven bits a byte: none is the beginning of a frame.
    for (let digit = 0; digit < DIGITS; digit++)
      bytes[number * FRAME + NUMBER_AT + digit] = (number >> (7 * digit)) & 0x7f;
  }
  return bytes;
}

/** The seconds of the recording that this part of it has. */
export function stretchOf(bytes: Uint8Array): [start: number, end: number] {
  const numberAt = (at: number) =>
    Array.from({ length: DIGITS }, (_, digit) => bytes[at + NUMBER_AT + digit]! << (7 * digit)).reduce(
      (sum, value) => sum + value,
    );
  const last = numberAt(bytes.length - FRAME);
  return [numberAt(0) * FRAME_SECONDS, (last + 1) * FRAME_SECONDS];
}

export type Spoken = { text: string; start: number; end: number; voice: number };

/** What is said in it: words of different lengths, with a pause after each twelfth, where the voice changes. */
export function spokenWords(seconds: number): Spoken[] {
  const words: Spoken[] = [];
  for (let start = 0.4, number = 0; ; number++) {
    const end = start + 0.22 + ((number * 7) % 11) / 50;
    if (end > seconds - 0.2) return words;
    const isLast = number % 12 === 11;
    words.push({ text: `word${number}${isLast ? "." : ""}`, start, end, voice: Math.floor(number / 12) % 2 });
    start = end + (isLast ? 0.7 + (number % 5) / 10 : 0.03 + (number % 4) / 40);
  }
}
