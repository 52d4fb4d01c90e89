import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { cutPiece } from "#worker/files/audio/cutting/cut.ts";
import type { Limits, Piece, Position } from "#worker/files/audio/cutting/piece.ts";
import { bytesOf } from "#worker/files/audio/walk.ts";
import { framesIn, isMono, isMpeg1, readAacFrame, readMp3Frame } from "#worker/files/audio/frames.ts";

const limits: Limits = { seconds: 0.6, overlap: 0.2, bytes: 1_000_000 };

const open = async (name: string, type: string) =>
  new Blob([new Uint8Array(await readFile(`test/fixtures/${name}`))], { type });

async function cutAll(file: Blob, within = limits) {
  const pieces: Piece[] = [];
  let from: Position | null = null;
  do {
    const piece: Piece | null = await cutPiece(file, from, within);
    expect(piece, `${file.type} from ${JSON.stringify(from)}`).not.toBeNull();
    pieces.push(piece!);
    // A job stores the position between two pieces.
    from = JSON.parse(JSON.stringify(piece!.next)) as Position | null;
  } while (from && pieces.length < 20);
  return pieces;
}

/** `head`: when the first sound is played, and `seconds` what ffmpeg decodes (test/fixtures/recordings/README.md). */
const recordings = [
  { name: "recordings/lame.mp3", type: "audio/mpeg", head: -0.069, seconds: 2, rounding: 0.08 },
  { name: "recordings/vbr-loud.mp3", type: "audio/mpeg", head: 0, seconds: 1.08 },
  { name: "recordings/vbr-loud.aac", type: "audio/aac", head: 0, seconds: 1.088 },
  { name: "recordings/itunsmpb.m4a", type: "audio/mp4", head: 0, seconds: 1.088, rounding: 0.065 },
  { name: "chapters.m4a", type: "audio/x-m4a", head: -0.128, seconds: 2, rounding: 0.13 },
  { name: "recordings/pipe.flac", type: "audio/flac", head: 0, seconds: 1 },
  { name: "silence.flac", type: "audio/x-flac", head: 0, seconds: 20, within: { ...limits, seconds: 6 } },
  {
    name: "recordings/rf64.wav",
    type: "audio/wav",
    head: 0,
    seconds: 0.5,
    within: { ...limits, seconds: 0.3 },
  },
  { name: "recordings/joined.opus", type: "audio/ogg", head: 0, seconds: 1.5, rounding: 0.03 },
  { name: "recordings/joined.ogg", type: "audio/ogg", head: 0, seconds: 1.543, rounding: 0.05 },
  { name: "recordings/station.opus", type: "audio/ogg", head: 0, seconds: 2, rounding: 0.03 },
];

it.each(recordings)(
  "cuts $name into pieces that overlap, from its first sound to its last",
  async ({ name, type, head, seconds, rounding = 0.001, within = limits }) => {
    const pieces = await cutAll(await open(name, type), within);
    expect(pieces[0]!.start).toBeCloseTo(head, 2);
    expect(Math.abs(pieces.at(-1)!.end - seconds)).toBeLessThanOrEqual(rounding);
    expect(pieces.length).toBeGreaterThan(1);
    // A page of these files of Ogg is longer than a piece, or another stream follows: nothing is repeated.
    if (/joined|station/.test(name)) return;
    for (const [index, piece] of pieces.slice(1).entries()) {
      expect(piece.start).toBeGreaterThan(pieces[index]!.start);
      expect(piece.start).toBeLessThan(pieces[index]!.end);
    }
  },
);

it("gives no piece of an MP3 a frame that needs bytes of the piece before it", async () => {
  const pieces = await cutAll(await open("recordings/lame.mp3", "audio/mpeg"));
  for (const { bytes } of pieces) {
    let available = 0;
    for (const { at, bytes: length } of framesIn(readMp3Frame, bytes, true)) {
      const isFirst = isMpeg1(bytes, at);
      const side = isFirst ? (isMono(bytes, at) ? 17 : 32) : isMono(bytes, at) ? 9 : 17;
      const begin = at + 4 + (bytes[at + 1]! & 1 ? 0 : 2);
      const needed = isFirst ? (bytes[begin]! << 1) | (bytes[begin + 1]! >> 7) : bytes[begin]!;
      expect(needed).toBeLessThanOrEqual(available);
      available += length - 4 - side;
    }
  }
});

it("gives each sample of an M4A the header of ADTS, and leaves its bytes", async () => {
  const file = await open("chapters.m4a", "audio/mp4");
  const whole = Buffer.from(await bytesOf(file, 0, file.size));
  const [piece] = await cutAll(file);
  const frames = [...framesIn(readAacFrame, piece!.bytes, true)];
  expect(frames.length).toBeGreaterThan(3);
  expect(frames.reduce((total, { bytes }) => total + bytes, 0)).toBe(piece!.bytes.length);
  for (const { at, bytes } of frames)
    expect(whole.includes(Buffer.from(piece!.bytes.subarray(at + 7, at + bytes)))).toBe(true);
});

it("cuts where a piece would have too many bytes", async () => {
  const pieces = await cutAll(await open("recordings/vbr-loud.mp3", "audio/mpeg"), {
    seconds: 60,
    overlap: 0.1,
    bytes: 3000,
  });
  expect(pieces.length).toBeGreaterThan(1);
  for (const { bytes } of pieces) expect(bytes.length).toBeLessThanOrEqual(3000);
});

it("takes a format that it cannot cut as one piece, unless that is too large", async () => {
  const file = await open("cover.aiff", "audio/aiff");
  expect(await cutPiece(file, null, limits)).toMatchObject({ start: 0, next: null });
  expect(await cutPiece(file, null, { ...limits, bytes: 100 })).toBeNull();
});
