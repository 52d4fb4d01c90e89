const CDATA = "<![CDATA[";
const END = "]]>";
/** An & that does not begin a reference of XML or HTML, known or not. */
const BARE = /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\w.-]{0,31});)/gi;
/** What a reference may begin with at the end of a part. */
const BEGUN = /&#?[\w.-]{0,33}$/;
const LONGEST_BEGUN = 35;
/** Characters of a part: the engine keeps a list of all that it replaces in it. */
const LONGEST_PART = 100_000;

/**
 * Repairs XML of programs that do not escape addresses: an & that does not begin a reference is escaped, so that the
 * text after it is not lost. CDATA is not changed. Parts may end anywhere.
 */
export class References {
  #rest = "";
  #isCdata = false;

  mend(part: string, isLast = false) {
    const text = this.#rest + part;
    const mended: string[] = [];
    /** The text up to it is in the list. */
    let taken = 0;
    let at = 0;
    // One step for each beginning and end of CDATA: nothing is searched twice.
    for (let isWhole = true; isWhole;) {
      const word = this.#isCdata ? END : CDATA;
      const found = text.indexOf(word, at);
      isWhole = found >= 0;
      const until = isWhole ? found : isLast ? text.length : wholeUntil(text, at, word);
      const outside = this.#isCdata ? "" : text.slice(at, until);
      const escaped = outside.replace(BARE, "&amp;");
      if (escaped !== outside) {
        mended.push(text.slice(taken, at), escaped);
        taken = until;
      }
      at = isWhole ? found + word.length : until;
      if (isWhole) this.#isCdata = !this.#isCdata;
    }
    mended.push(text.slice(taken, at));
    this.#rest = text.slice(at);
    return mended.join("");
  }
}

/** A whole text with its references repaired. */
export function withReferences(text: string) {
  const references = new References();
  const mended: string[] = [];
  for (let at = 0; at < text.length; at += LONGEST_PART)
    mended.push(references.mend(text.slice(at, at + LONGEST_PART)));
  return mended.join("") + references.mend("", true);
}

/** Where the end of a part begins that the next part may complete to this word or to a reference. */
function wholeUntil(text: string, from: number, word: string) {
  const end = text.slice(Math.max(from, text.length - LONGEST_BEGUN));
  const begun = word === CDATA ? (BEGUN.exec(end)?.[0].length ?? 0) : 0;
  return text.length - Math.max(begun, Math.min(beginningAtEnd(text, word), text.length - from));
}

/** How many characters at the end of a text may be the beginning of a word. */
function beginningAtEnd(text: string, word: string) {
  for (let length = Math.min(word.length - 1, text.length); length > 0; length--)
    if (word.startsWith(text.slice(-length))) return length;
  return 0;
}
