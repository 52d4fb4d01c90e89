import { replaceEnclosed } from "./enclosed.ts";

const BLOCKS =
  "table|thead|tfoot|caption|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|blockquote|address|p|h[1-6]|hr|section|article|figure|figcaption|iframe|object|video|audio";
const opensBlock = new RegExp(`(<(?:${BLOCKS})[\\s/>])`, "gi");
const closesBlock = new RegExp(`(</(?:${BLOCKS})>|<hr\\b[^>]*>)`, "gi");
const isBlock = new RegExp(`^</?(?:${BLOCKS})[\\s/>]`, "i");
/** The placeholder of a part that is not changed. */
const KEPT = "\u0001";

const endsLine = new RegExp(`^</?(?:br|${BLOCKS})[\\s/>]`, "i");

/**
 * Paragraphs and line breaks as WordPress shows them: blank lines separate paragraphs, and each line end is a break.
 */
export function withParagraphs(content: string) {
  const kept: string[] = [];
  const text = replaceEnclosed(
    content.replace(/\r\n?/g, "\n").replaceAll(KEPT, ""),
    /<(pre|script|style|textarea)\b/gi,
    (name) => new RegExp(`</${name}\\s*>`, "gi"),
    (_opening, _inner, whole) => `\n\n${KEPT}${kept.push(whole) - 1}${KEPT}\n\n`,
  )
    .replace(opensBlock, "\n\n$1")
    .replace(closesBlock, "$1\n\n");
  const parts = text.split(/\n\s*\n/).map((part) => part.trim());
  return parts
    .filter(Boolean)
    .map((part) =>
      part.startsWith(KEPT)
        ? kept[Number(part.slice(1, -1))]!
        : isBlock.test(part)
          ? withBreaks(part)
          : `<p>${withBreaks(part)}</p>`,
    )
    .join("\n");
}

/** Turns line ends into breaks, except within a tag and beside tags that begin a new line anyway. */
function withBreaks(part: string) {
  const pieces = part.split(/(<[^<>]*>)/);
  return pieces
    .map((piece, at) => {
      // Every second piece is a tag.
      if (at % 2 === 1) return piece;
      const begins = endsLine.test(pieces[at - 1] ?? "") ? piece.trimStart() : piece;
      const text = endsLine.test(pieces[at + 1] ?? "") ? begins.trimEnd() : begins;
      return text.replaceAll("\n", "<br>\n");
    })
    .join("");
}
