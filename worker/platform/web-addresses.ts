import { CJK_LETTER, CJK_PUNCTUATION, isCjkLetter, isCjkPunctuation } from "#worker/platform/cjk.ts";

/**
 * Where a web address ends that is written among words. GitHub's Markdown lets it run to the next space, and Chinese and
 * Japanese put none behind it. Letters of theirs are part of an address, as in https://ja.wikipedia.org/wiki/日本.
 */

/** A letter ends an address behind one of these: `(https://example.com/foo)谢谢`. */
const CLOSING = /[),;"\]]/;

/** A host that ends in ASCII, such as `https://example.com` in `https://example.com谢谢`. */
const HOST = /^(?:https?:\/\/)?[^\s/?#]*[^\s/?#.]\.[a-z]{2,}$/i;

/** Characters of a host with its scheme; the parser of domain names takes no longer one. */
export const LONGEST_HOST = 270;

/** Behind `www.abc` of `www.abc日本.com`: it was no host yet. */
export const FURTHER_LABEL = new RegExp(`^[^\\s/?#.${CJK_PUNCTUATION}]*\\.[^\\s/?#.${CJK_PUNCTUATION}]`);

/**
 * Whether an address ends before a UTF-16 unit; `host`: unless `FURTHER_LABEL` follows. `before` has what precedes the
 * unit, beginning with the address.
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

/** The addresses in a text, each from its begin to its end, punctuation behind it included if it is ASCII. */
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
