/** A single range of bytes, RFC 9110, 14.1.2. */
export type ByteRange = { offset: number; length?: number } | { suffix: number };

/** More than anything stored; what lies beyond means "to the end". */
const BEYOND = 2 ** 50;

/**
 * The range that a request asks for: null for none, "unsatisfiable" for one that is not served. The RFC would let a
 * server ignore a malformed range and answer several at once; podcast apps take a 200 to a range for a broken server,
 * and none asks for several, so both are refused.
 */
export function parseRange(header: string | null): ByteRange | "unsatisfiable" | null {
  // A unit that is not understood must be ignored.
  if (header === null || !/^\s*bytes\b/i.test(header)) return null;
  const [, first = "", last = ""] = /^\s*bytes\s*=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? [];
  if (first === "") return Number(last) === 0 ? "unsatisfiable" : { suffix: upToBeyond(last) };
  const offset = upToBeyond(first);
  if (last === "" || Number(last) >= BEYOND) return { offset };
  return Number(last) < offset ? "unsatisfiable" : { offset, length: Number(last) - offset + 1 };
}

const upToBeyond = (digits: string) => Math.min(Number(digits), BEYOND);

/** First and last byte of a range within a size; null when it begins past the end. */
export function resolveRange(range: ByteRange, size: number) {
  if ("suffix" in range) return { first: Math.max(0, size - range.suffix), last: size - 1 };
  const { offset, length = size } = range;
  return offset < size ? { first: offset, last: Math.min(size, offset + length) - 1 } : null;
}
