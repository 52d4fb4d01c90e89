/** A single range of bytes, RFC 9110, 14.1.2. */
export type ByteRange = { offset: number; length?: number } | { suffix: number };

/** Larger than any stored file; a position beyond it means "to the end". */
const BEYOND = 2 ** 50;

/**
 * The range that a request asks for: null for none, "unsatisfiable" for one that is not served. The RFC would let a
 * server ignore a malformed range and send several ranges in one response. But podcast apps treat a 200 to a range
 * request as a broken server, and none requests several, so both are refused.
 */
export function parseRange(header: string | null): ByteRange | "unsatisfiable" | null {
  // An unknown unit must be ignored.
  if (header === null || !/^\s*bytes\b/i.test(header)) return null;
  const [, first = "", last = ""] = /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? [];
  if (first === "") return Number(last) === 0 ? "unsatisfiable" : { suffix: upToBeyond(last) };
  const offset = upToBeyond(first);
  if (last === "" || Number(last) >= BEYOND) return { offset };
  return Number(last) < offset ? "unsatisfiable" : { offset, length: Number(last) - offset + 1 };
}

const upToBeyond = (digits: string) => Math.min(Number(digits), BEYOND);

/** First and last byte of a range within a size; null if it begins past the end. */
export function resolveRange(range: ByteRange, size: number) {
  if ("suffix" in range) return { first: Math.max(0, size - range.suffix), last: size - 1 };
  const { offset, length = size } = range;
  return offset < size ? { first: offset, last: Math.min(size, offset + length) - 1 } : null;
}
