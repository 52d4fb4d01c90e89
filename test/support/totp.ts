import { createHmac } from "node:crypto";

/** RFC 6238 with SHA-1, six digits and 30 seconds, from the RFC's text: the site uses a library. */
export function codeAt(secret: string, time: number) {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(time / 30_000)));
  const hash = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = hash[19]! & 0x0f;
  const number = hash.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648, section 6. */
function fromBase32(text: string) {
  const bits = Array.from(text, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The milliseconds at which the next code begins, so that a test has time to use it. */
export const stepAfter = (time: number) => (Math.floor(time / 30_000) + 1) * 30_000;
