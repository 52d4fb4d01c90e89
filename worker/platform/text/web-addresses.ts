import { CJK_LETTER, CJK_PUNCTUATION, isCjkLetter, isCjkPunctuation } from "#worker/platform/text/cjk.ts";

/**
 * Finds the end of a bare web address in a text. GitHub's Markdown ends it at the next space, but Chinese and Japanese
 * text has none after it. Their letters may be part of an address, as in https://ja.wikipedia.org/wiki/日本.
 */

/** A letter after one of these ends an address: `(https://example.com/foo)谢谢`. */
const CLOSING = /[),;"\]]/;

/** A host that ends in ASCII, such as `https://example.com` in `https://example.com谢谢`. */
const HOST = /^(?:https?:\/\/)?[^\s/?#]*[^\s/?#.]\.[a-z]{2,}$/i;

/** Characters of a host with its scheme; the domain parser accepts no longer one. */
export const LONGEST_HOST = 270;

/** A further label after `www.abc` in `www.abc日本.com`: the host is not complete yet. */
export const FURTHER_LABEL = new RegExp(`^[^\\s/?#.${CJK_PUNCTUATION}]*\\.[^\\s/?#.${CJK_PUNCTUATION}]`);

/**
 * Whether an address ends before a UTF-16 unit; `host`: unless `FURTHER_LABEL` follows. `before` returns the text from
 * the address's beginning to the unit.
 */
export function endsAddress(unit: string, previous: string, before: () => string): boolean | "host" {
  if (isCjkPunctuation(unit)) return true;
  if (!isCjkLetter(unit)) return false;
  if (CLOSING.test(previous)) return true;
  if (!/[a-z]/i.test(previous)) return false;
  const address = before();
  return address.length <= LONGEST_HOST && HOST.test(address) && "host";
}

const BARE = new RegExp("(?:https?://|(?<![a-z\\d.])www\\.)[^\\s<>]+", "gi");

/** The addresses in a text, by start and end; ASCII punctuation after an address is included. */
export function* addressesIn(text: string): Generator<{ start: number; end: number }> {
  for (BARE.lastIndex = 0; ;) {
    const found = BARE.exec(text);
    if (!found) return;
    const start = found.index;
    const end = start + lengthOf(found[0]);
    BARE.lastIndex = end;
    yield { start, end };
  }
}

const MAY_END = new RegExp(`[${CJK_PUNCTUATION}${CJK_LETTER}]`, "g");

function lengthOf(address: string) {
  for (const { 0: unit, index } of address.matchAll(MAY_END)) {
    const ends = endsAddress(unit, address[index - 1] ?? "", () => address.slice(0, index));
    if (ends === true || (ends === "host" && !FURTHER_LABEL.test(address.slice(index)))) return index;
  }
  return address.length;
}
