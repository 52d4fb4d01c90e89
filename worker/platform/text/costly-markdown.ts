/**
 * Estimates, line by line and without parsing, what a Markdown text costs to render. The parser's time grows with the
 * square of the marks in a paragraph, the items in a list and the depth of nesting. A Worker cannot time it out, since
 * the clock does not advance during computation. The weights are measured, and rather too high than too low.
 */

/** Milliseconds of processor time. */
const COST = {
  character: 0.0008,
  line: 0.005,
  paragraph: 0.08,
  /** A line with a list's marker, a headline, an underline … */
  block: 0.1,
  blockPair: 0.00002,
  cell: 0.03,
  emptyCell: 0.004,
  container: 0.05,
  mark: 0.04,
  /** Per pair of marks in a paragraph: the parser compares nearly every pair. */
  markPair: 0.0003,
};

/** Quotes, items and footnotes that begin on one line, and brackets that are open simultaneously. */
const MAX_DEPTH = 12;
const MAX_OPEN = 32;
/** Per paragraph: some texts with twice as many take a hundred times as long. */
const MAX_LINES = 5000;

/** Milliseconds that a field of 100,000 characters may cost. */
const LIMIT = 450;
const LIMIT_FOR = 100_000;
/** Characters of the longest field. */
const LONGEST = 500_000;

export const tooCostly = (line: string) =>
  `The text has too many levels or links near “${line}”. Simplify it.`;

const MARK = /[*_~[\]!<`&\\@]|www\.|https?:/gi;
/** Any beginning of a container, at any position: rather too many than too few. */
const CONTAINER = /[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)|\[\^[^\]\s]*\]:)/y;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^( *)([-+*]|(\d{1,9})[.)]) +\S/;
/** The parser looks up each footnote among all the others. */
const FOOTNOTE = /^[ \t]*\[\^[^\]\s]*\]:/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;
const HTML = /^ {0,3}<[a-z!?/]/i;
const DELIMITERS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const BLOCK = /^ *(?:#|[-=*_]+ *$)/;
/** A table's delimiter row, at any position. It sets the number of cells of each row, written or not. */
const COLUMNS = /^[-:|>+*\d.) \t]*$/;

/** The beginning of the line at which a field's text becomes too expensive to render; null if it does not. */
export function costlyLine(markdown: string, maxLength = LONGEST) {
  /** A longer field may have more of everything whose cost is linear; quadratic costs have one limit. */
  const share = LIMIT_FOR / Math.max(maxLength, LIMIT_FOR);
  let spent = 0;
  let blocks = 0;
  let columns = 0;
  let isAfterEmpty = true;
  let paragraph = { lines: 0, marks: 0, open: 0 };
  const split = splitter();
  for (const line of markdown.split(/\r\n?|\n/)) {
    const depth = depthOf(line);
    // An indented line may be inside as many lists.
    const containers = depth > 0 ? depth + line.search(/\S/) / 2 : 0;
    const { begins, isCode } = split(line);
    if (begins) paragraph = { lines: 0, marks: 0, open: 0 };
    spent += share * (COST.line + line.length * COST.character + containers * COST.container);
    const cells = line.split("|").length;
    if (line.trim() === "") columns = 0;
    if (COLUMNS.test(line)) columns = Math.max(columns, cells);
    if (columns > 1 || cells > 1) spent += share * cells * COST.cell + columns * COST.emptyCell;
    if (depth > 0 || cells > 1 || BLOCK.test(line)) {
      spent += (cells > 1 ? 0 : share * COST.block) + 2 * COST.blockPair * blocks;
      blocks += FOOTNOTE.test(line) ? 4 : 1;
    } else if (isAfterEmpty && !isCode) {
      spent += share * COST.paragraph;
    }
    isAfterEmpty = line.trim() === "";
    for (const [mark] of isCode ? [] : line.matchAll(MARK)) {
      spent += share * COST.mark + 2 * COST.markPair * paragraph.marks++;
      if (mark === "[") paragraph.open++;
      if (mark === "]" && paragraph.open > 0) paragraph.open--;
      if (paragraph.open > MAX_OPEN) return excerptOf(line);
    }
    if (paragraph.lines++ > MAX_LINES || depth > MAX_DEPTH || spent > LIMIT) return excerptOf(line);
  }
  return null;
}

const excerptOf = (line: string) => line.trim().slice(0, 30);

function depthOf(line: string) {
  let depth = 0;
  CONTAINER.lastIndex = 0;
  while (depth <= MAX_DEPTH && CONTAINER.test(line)) depth++;
  return depth;
}

/** Detects where a paragraph begins. In doubt, the previous one continues. */
function splitter() {
  let fence = "";
  let hasHtml = false;
  let quotes = 0;
  /** The last list item; its paragraphs and nested items begin at this column. */
  let item = { offset: 0, delimiter: "" };
  let header: string | null = "";
  let isTable = false;
  return (line: string): { begins: boolean; isCode: boolean } => {
    if (fence) {
      const [closing] = /^ {0,3}(?:`+|~+)(?=[ \t]*$)/.exec(line) ?? [];
      if (closing?.trim().startsWith(fence)) fence = "";
      return { begins: true, isCode: true };
    }
    hasHtml ||= HTML.test(line);
    const opening = hasHtml ? null : FENCE.exec(line);
    if (opening) {
      fence = opening[1] ?? "";
      return { begins: true, isCode: true };
    }
    let rest = line.replaceAll("\t", "    ");
    let depth = 0;
    for (; QUOTE.test(rest) && depth <= MAX_DEPTH; depth++) rest = rest.replace(QUOTE, "");
    if (depth !== quotes) item = { offset: 0, delimiter: "" };
    quotes = depth;
    const above = header;
    header = null;
    if (rest.trim() === "") {
      isTable = false;
      header = depth === 0 ? "" : null;
      return { begins: true, isCode: false };
    }
    const indent = rest.length - rest.trimStart().length;
    const found = ITEM.exec(rest);
    if (found && indent <= item.offset + 3) {
      const [, , marker = "", number] = found;
      const delimiter = marker.slice(-1);
      const isNext = delimiter === item.delimiter && indent < item.offset;
      const begins = number === undefined || number === "1" || isNext;
      if (begins) item = { offset: indent + marker.length + 1, delimiter };
      isTable = false;
      return { begins, isCode: false };
    }
    if (indent < item.offset) item = { offset: 0, delimiter: "" };
    const isTop = depth === 0 && item.offset === 0 && indent <= 3;
    if (HEADING.test(rest.slice(item.offset))) {
      isTable = false;
      header = isTop ? "" : null;
      return { begins: true, isCode: false };
    }
    if (!isTop || HTML.test(rest)) isTable = false;
    if (isTable) return { begins: true, isCode: false };
    if (above)
      isTable = isTop && DELIMITERS.test(rest) && cellsIn(rest) > 1 && cellsIn(rest) === cellsIn(above);
    // Only what follows an empty line may be the first row of a table.
    else if (above === "" && isTop) header = rest;
    return { begins: isTable, isCode: false };
  };
}

const cellsIn = (row: string) => {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.replace(/\\./g, "").split("|").length;
};
