const CDATA = "<![CDATA[";
const END = "]]>";
/** A reference of XML or HTML, known or not. */
const REFERENCE = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][\w.-]{0,31});/iy;
/** What a reference may begin with at the end of a part. */
const BEGUN = /^&#?[\w.-]{0,33}$/;

/**
 * Repairs XML of programs that do not escape addresses: an & that does not begin a reference is escaped, so that the
 * text after it is not lost. CDATA is not changed. Parts may end anywhere.
 */
export class References {
  #rest = "";
  #isCdata = false;
  /** Where the next CDATA begins in the part, so that it is not looked for at each &; -1 before that is known. */
  #cdata = -1;

  mend(part: string, isLast = false) {
    const text = this.#rest + part;
    const mended: string[] = [];
    let at = 0;
    this.#rest = "";
    this.#cdata = -1;
    while (at < text.length) {
      const next = this.#isCdata ? this.#endOf(text, at) : this.#nextOf(text, at, isLast);
      mended.push(text.slice(at, next.until), next.instead);
      if (next.rest !== null) {
        this.#rest = next.rest;
        break;
      }
      at = next.until + next.taken;
    }
    return mended.join("") + (isLast ? this.#rest : "");
  }

  #endOf(text: string, at: number) {
    const end = text.indexOf(END, at);
    if (end >= 0) {
      this.#isCdata = false;
      return { until: end, instead: END, taken: END.length, rest: null };
    }
    const until = Math.max(at, text.length - beginningAtEnd(text, END));
    return { until, instead: "", taken: 0, rest: text.slice(until) };
  }

  #nextOf(text: string, at: number, isLast: boolean) {
    if (this.#cdata < at) this.#cdata = orEnd(text.indexOf(CDATA, at));
    const mark = Math.min(orEnd(text.indexOf("&", at)), this.#cdata);
    if (mark === Infinity) {
      const until = Math.max(at, text.length - beginningAtEnd(text, CDATA));
      return { until, instead: "", taken: 0, rest: text.slice(until) };
    }
    if (text[mark] === "<") {
      this.#isCdata = true;
      return { until: mark, instead: CDATA, taken: CDATA.length, rest: null };
    }
    REFERENCE.lastIndex = mark;
    const [known] = REFERENCE.exec(text) ?? [];
    if (known !== undefined) return { until: mark, instead: known, taken: known.length, rest: null };
    if (!isLast && BEGUN.test(text.slice(mark, mark + 40)) && mark + 40 > text.length)
      return { until: mark, instead: "", taken: 0, rest: text.slice(mark) };
    return { until: mark, instead: "&amp;", taken: 1, rest: null };
  }
}

const orEnd = (index: number) => (index < 0 ? Infinity : index);

/** How many characters at the end of a text may be the beginning of a word. */
function beginningAtEnd(text: string, word: string) {
  for (let length = Math.min(word.length - 1, text.length); length > 0; length--)
    if (word.startsWith(text.slice(-length))) return length;
  return 0;
}
