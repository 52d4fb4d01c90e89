import { stemmer } from "stemmer";
import { foldHan } from "#worker/discovery/fold-han.ts";
import {
  isSimple,
  joinedForm,
  pieceOf,
  plainForms,
  runsOf,
  signedWord,
  wordsIn,
  type Part,
} from "#worker/discovery/tokens.ts";
import { partsOf, type Compounds } from "#worker/discovery/words.ts";
import { foldText, normalizeText } from "#worker/platform/text/fold.ts";

/** The position of a query word in a text (UTF-16 units), and its index. */
type Mark = { start: number; end: number; word: number };

/** The forms of query words to find in a text. */
export type Sought = {
  /** First characters, which stemming never changes: a quick filter for most words of a text. */
  initials: Set<string>;
  /** Stems of plain forms, each with the index of its query word. */
  stems: Map<string, number>;
  /** The last word, which may be a prefix of longer ones. */
  beginnings: { form: string; word: number }[];
  /** Runs of scripts without spaces, folded. */
  within: { text: string; word: number }[];
};

/** What to mark in the matches of these words. */
export function soughtBy(words: string[], compounds: Compounds): Sought {
  const sought: Sought = { initials: new Set(), stems: new Map(), beginnings: [], within: [] };
  for (const [index, word] of words.entries()) {
    const isLast = index === words.length - 1;
    const parts = partsOf(word);
    const joined = parts.length > 1 ? joinedForm(parts) : null;
    const forms = joined === null ? [] : [joined];
    for (const part of parts) {
      const [, bare = part, sign] = /^(.+?)(\+\+|#)$/.exec(part) ?? [];
      if (sign) forms.push(signedWord(bare, sign));
      else
        for (const { kind, text } of runsOf(part)) {
          if (kind !== "word") sought.within.push({ text: foldHan(text), word: index });
          else forms.push(...plainForms(text), ...(compounds.get(foldText(text)) ?? []));
        }
    }
    for (const form of forms) {
      sought.initials.add(form[0]!);
      sought.stems.set(stemmer(form), index);
      if (isLast && form.length >= 3) sought.beginnings.push({ form, word: index });
    }
  }
  return sought;
}

/** The positions of the words in a text, in order, without overlaps. */
export function marksOf(text: string, sought: Sought): Mark[] {
  const marks: Mark[] = [];
  for (const found of wordsIn(text)) {
    if (isSimple(found[0])) {
      const word = wordOf([found[0].toLowerCase()], sought);
      if (word !== undefined) marks.push({ start: found.index, end: found.index + found[0].length, word });
      continue;
    }
    const { start, end, parts, sign } = pieceOf(found);
    const joined = parts.length > 1 ? joinedForm(parts.map((part) => part.text)) : null;
    const whole = joined === null ? undefined : wordOf([joined], sought);
    const signed = sign ? sought.stems.get(stemmer(signedWord(parts[0]!.text, sign))) : undefined;
    const word = whole ?? signed;
    if (word === undefined)
      for (const part of parts) for (const mark of marksIn(part, sought)) marks.push(mark);
    else marks.push({ start, end, word });
  }
  return marks;
}

function marksIn(part: Part, sought: Sought): Mark[] {
  const word = normalizeText(part.text);
  const runs = runsOf(word);
  if (runs.length === 1 && runs[0]!.kind === "word") {
    const found = wordOf(plainForms(word), sought);
    return found === undefined ? [] : [{ start: part.start, end: part.end, word: found }];
  }
  const places = runs.flatMap(({ kind, text, at }) => {
    const found = kind === "word" ? wordOf(plainForms(text), sought) : undefined;
    return found === undefined ? [] : [{ start: at, end: at + text.length, word: found }];
  });
  const folded = sought.within.length > 0 ? foldHan(word) : word;
  for (const { text, word: index } of sought.within) {
    for (let at = folded.indexOf(text); at >= 0; at = folded.indexOf(text, at + text.length)) {
      places.push({ start: at, end: at + text.length, word: index });
    }
  }
  // Normalisation changed the length, so positions are lost: mark the whole word.
  const isMoved = word.length !== part.text.length;
  if (isMoved && places.length > 0) return [{ start: part.start, end: part.end, word: places[0]!.word }];
  return places
    .map(({ start, end, ...place }) => ({ start: part.start + start, end: part.start + end, ...place }))
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start }, index, all) => index === 0 || start >= all[index - 1]!.end);
}

function wordOf(forms: string[], { initials, stems, beginnings }: Sought) {
  for (const form of forms) {
    if (!initials.has(form[0]!)) continue;
    const stem = stemmer(form);
    const exact = stems.get(stem);
    if (exact !== undefined) return exact;
    const begun = beginnings.find((beginning) => form.startsWith(beginning.form));
    if (begun) return begun.word;
  }
  return undefined;
}

/** Approximate UTF-16 units of an excerpt; a slightly longer text is shown whole. */
const EXCERPT = 200;
const WHOLE = 260;
/** Maximum units before the first match. */
const LEAD = 60;

type Excerpt = {
  text: string;
  marks: Mark[];
  /** Whether more precedes or follows the text. */
  isCut?: { before: boolean; after: boolean };
};

/** The part of a text with the most matches, as HTML with `<mark>` around them. */
export function excerptOf({ text, marks, isCut = { before: false, after: false } }: Excerpt) {
  if (text.length <= WHOLE && !isCut.before && !isCut.after) return markedHtml(text, marks);
  let best = { start: 0, words: 0 };
  for (const [index, { start }] of marks.entries()) {
    const near = new Set<number>();
    for (let at = index; at < marks.length && marks[at]!.end <= start + EXCERPT - LEAD; at++)
      near.add(marks[at]!.word);
    if (near.size > best.words) best = { start, words: near.size };
  }
  const start = beginOf(text, best.start);
  const end = endOf(
    text,
    Math.max(start + EXCERPT, marks.find((mark) => mark.start === best.start)?.end ?? 0),
  );
  const shown = marks
    .filter((mark) => mark.start >= start && mark.end <= end)
    .map((mark) => ({ ...mark, start: mark.start - start, end: mark.end - start }));
  const before = isCut.before || start > 0 ? "…" : "";
  const after = isCut.after || end < text.length ? "…" : "";
  return `${before}${markedHtml(text.slice(start, end), shown)}${after}`;
}

/** The beginning of the sentence, or of an earlier word. */
function beginOf(text: string, at: number) {
  if (at <= LEAD) return 0;
  const lead = text.slice(at - LEAD, at);
  const sentence = /^[^]*(?:[.?!…]["”’)]?\s+|[。！？]|\n)/u.exec(lead);
  if (sentence) return at - LEAD + sentence[0].length;
  const space = /\s+/.exec(lead);
  return at - LEAD + (space ? space.index + space[0].length : 0);
}

function endOf(text: string, at: number) {
  if (at >= text.length) return text.length;
  const space = /\s+\S*$/.exec(text.slice(at - LEAD, at));
  return space ? at - LEAD + space.index : at;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) =>
  text.toWellFormed().replace(/[&<>"]/g, (character) => entities[character] ?? "");

/** Escaped, with the marks. */
export function markedHtml(text: string, marks: Mark[]) {
  let html = "";
  let at = 0;
  for (const { start, end } of marks) {
    html += `${escapeHtml(text.slice(at, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`;
    at = end;
  }
  return html + escapeHtml(text.slice(at));
}
