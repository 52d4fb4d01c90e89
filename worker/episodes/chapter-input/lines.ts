import { toMs } from "#worker/episodes/transcript-input/times.ts";

export type FoundChapter = {
  start: number;
  title: string;
  url: string | null;
  img?: string;
  end?: number;
  toc?: boolean;
};

/** A line of a text, and the target of its first link. */
export type Line = { text: string; link?: string | null };

/** As people write it (2:05, 1:02:05, 125:00) and as programs do (00:02:05.500). */
const TIME = String.raw`(?:\d{1,2}:[0-5]\d|\d{1,3}):[0-5]\d(?:[.,]\d{1,9})?(?![:.,]?\d)`;
const UNTIL = String.raw`(?:\s*(?:[-–—~]|-->|to\b)\s*${TIME})?`;
/** A time that was copied as a link of Markdown has the address behind it. */
const CLOSING = String.raw`(?:\s?[)\]])?(?:\(https?:[^\s)]*\))?[*_]*`;

/** With the mark or number of a list before it. */
const LEADING = new RegExp(
  String.raw`^[\s>|]*(?:[-*+•·–—]\s+)?(?:(?:#?\d{1,3}[.)]\s*|#\d{1,3}\s+|\d{1,3}\s+))?[*_]*[([]?\s?(${TIME})${UNTIL}${CLOSING}(?=[\s.,:;–—|-]|$)`,
);
const TRAILING = new RegExp(String.raw`(?<=[\s(\[*_|])(${TIME})${UNTIL}${CLOSING}[\s|]*$`);
const WHOLE = new RegExp(`^[([]?${TIME}[)\\]]?$`);

/** Characters: a title and an address have fewer. */
const LONGEST_LINE = 3000;

export const isTime = (text: string) => WHOLE.test(text.trim());

/** Seconds of what `TIME` finds. */
const secondsOf = (time: string) =>
  toMs(
    time
      .replace(",", ".")
      .split(":")
      .reduce((total, part) => total * 60 + Number(part), 0),
  );

/** A line that begins with a time. */
export function readLeading({ text, link = null }: Line): FoundChapter | null {
  const [all = "", time] = (text.length <= LONGEST_LINE && LEADING.exec(text)) || [];
  if (time === undefined) return null;
  const rest = text
    .slice(all.length)
    .replace(/^[.,:;|–—-]+/, "")
    .trimStart()
    .replace(/^(?:[-–—|:;•·~]+(?=\s)|[–—|])/, "");
  return chapterOf(time, rest, link);
}

/** A line that ends with a time. */
export function readTrailing({ text, link = null }: Line): FoundChapter | null {
  if (text.length > LONGEST_LINE) return null;
  const [line, url] = splitLink(text);
  const found = TRAILING.exec(line);
  if (!found) return null;
  const title = line.slice(0, found.index).replace(/^[\s>|]*(?:[-*+•·–—]\s+|#?\d{1,3}[.)]\s+)?/, "");
  return chapterOf(found[1]!, withoutEnd(title, " \t([*_|-–—:"), url ?? link);
}

function chapterOf(time: string, rest: string, link: string | null): FoundChapter | null {
  const [words, url] = splitLink(withoutEnd(rest.trim(), " \t|"));
  const title = url === null || words === "" ? words || (url ?? "") : withoutEnd(words, " \t|-–—:");
  return title === "" ? null : { start: secondsOf(time), title, url: url ?? link };
}

/** The address at the end of a line: bare, as Auphonic writes it (`<https://…>`), or in brackets. */
function splitLink(line: string): [words: string, url: string | null] {
  const text = line.trimEnd();
  const at = Math.max(text.lastIndexOf("http://"), text.lastIndexOf("https://"));
  const [, bracketed, bare] =
    (at >= 0 && /^(?:(https?:\/\/[^\s<>]+)[>)]|(https?:\/\/[^\s<>]+))$/.exec(text.slice(at))) || [];
  const before = text.slice(0, Math.max(at, 0));
  if (bracketed && /[<(]$/.test(before)) return [before.slice(0, -1).trimEnd(), bracketed];
  const url = bare ?? (bracketed && text.endsWith(")") ? text.slice(at) : undefined);
  return url && /(?:^|\s)$/.test(before) ? [before.trimEnd(), url] : [text, null];
}

/** In one pass: a pattern would begin again at each of the characters. */
function withoutEnd(text: string, characters: string) {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/**
 * The chapters in a text with other lines, too: the lines that begin with a time. If there are none, those that end
 * with one, if there are several and the times rise: a single one may be a time of day.
 */
export function chaptersIn(lines: Line[]): FoundChapter[] {
  const leading = lines.flatMap((line) => readLeading(line) ?? []);
  if (leading.length > 0) return leading;
  const trailing = lines.flatMap((line) => readTrailing(line) ?? []);
  const rises = trailing.every(({ start }, index) => index === 0 || start > trailing[index - 1]!.start);
  return trailing.length > 1 && rises ? trailing : [];
}
