/** Characters between two comments. */
const MOST_BLANK = 10_000;
const COMMENT = ["<!--", "-->"] as const;
const INSTRUCTION = ["<?", ">"] as const;

/**
 * Where a document begins after blank lines and comments, which some hosts write before the XML declaration, although
 * XML does not allow it.
 */
export const beginningOfXml = (text: string) => after(text, [COMMENT]);

/** A document from its first element or doctype, behind its XML declaration and comments. */
export const elementsOfXml = (text: string) => text.slice(after(text, [COMMENT, INSTRUCTION]));

/** Not one pattern, which would try all the ways to split many comments into comments. */
function after(text: string, skipped: (typeof COMMENT | typeof INSTRUCTION)[]) {
  for (let at = 0; ;) {
    at += /\S|$/.exec(text.slice(at, at + MOST_BLANK))!.index;
    const found = skipped.find(([begin]) => text.startsWith(begin, at));
    const end = found ? text.indexOf(found[1], at) : -1;
    if (!found || end < 0) return at;
    at = end + found[1].length;
  }
}
