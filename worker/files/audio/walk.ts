/** A file, or one that is read from elsewhere by ranges. */
export type Sliced = {
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
};

/** Bytes in memory: more than any frame or page. */
const STRETCH = 1024 * 1024;

/**
 * Consumes bytes, which begin at offset `at` of the file. Returns how many it consumed: at least one, unless they are
 * the last; or "stop".
 */
type Take = (bytes: Uint8Array, place: { at: number; isLast: boolean }) => number | "stop";

/**
 * Reads a file from `start` to its end, stretch by stretch: each begins with what `take` left of the one before, until
 * it stops.
 */
export async function walk(file: Sliced, start: number, take: Take) {
  for (let at = start; at < file.size;) {
    const isLast = at + STRETCH >= file.size;
    const taken = take(await bytesOf(file, at, at + STRETCH), { at, isLast });
    if (taken === "stop") return;
    at = isLast ? file.size : at + taken;
  }
}

export const bytesOf = async (file: Sliced, start: number, end: number) =>
  new Uint8Array(await file.slice(start, end).arrayBuffer());
