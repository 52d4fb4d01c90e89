import { join } from "./mp3.ts";
import { box, latin1, number } from "./pictures.ts";

/** Changes to an MP4. Offsets of samples do not move: what is changed must stand behind them, or be as long as before. */

/** The same file under another brand. */
export function branded(bytes: Uint8Array, brand: string) {
  const changed = bytes.slice();
  changed.set(latin1(brand), 8);
  return changed;
}

type Found = { type: string; start: number; end: number };

function boxesOf(bytes: Uint8Array): Found[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: Found[] = [];
  for (let start = 0; start + 8 <= bytes.length;) {
    const end = start + view.getUint32(start);
    found.push({ type: new TextDecoder("latin1").decode(bytes.subarray(start + 4, start + 8)), start, end });
    start = end;
  }
  return found;
}

const bodyOf = (bytes: Uint8Array, { start, end }: Found) => bytes.subarray(start + 8, end);

/** The box of that type, with its header. */
export function findBox(bytes: Uint8Array, type: string) {
  const { start, end } = boxesOf(bytes).find((each) => each.type === type)!;
  return bytes.slice(start, end);
}

/** Rewrites each track; null leaves it out. */
export const withTracks = (
  bytes: Uint8Array,
  change: (trak: Uint8Array, number: number) => Uint8Array | null,
) =>
  join(
    boxesOf(bytes).map((each) => {
      if (each.type !== "moov") return bytes.subarray(each.start, each.end);
      const moov = bodyOf(bytes, each);
      let tracks = 0;
      const children = boxesOf(moov).map((child) =>
        child.type === "trak"
          ? (change(bodyOf(moov, child), ++tracks) ?? null)
          : moov.subarray(child.start, child.end),
      );
      return box("moov", ...children.flatMap((child) => child ?? []));
    }),
  );

/** A track whose chapters are those tracks. */
export const withChapters = (trak: Uint8Array, ...ids: number[]) =>
  box("trak", trak, box("tref", box("chap", ...ids.map((id) => number(id, 4)))));
