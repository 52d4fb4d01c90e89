import { secondsOf as secondsOfClock, toMs } from "#worker/episodes/transcript-input/times.ts";
import type { FoundChapter } from "#worker/episodes/chapter-input/lines.ts";

type Format = {
  /** Decides by the file's content, not its name. */
  fits: (text: string) => boolean;
  read: (text: string) => Found[];
};

type Found = {
  /** NaN if there is no time. */
  start: number;
  title?: string;
  url?: string | null;
  img?: string;
  end?: number;
  toc?: boolean;
  /** From 1, in a table. */
  line?: number;
  /** Its time counts from the beginning of another recording. */
  isElsewhere?: boolean;
};

/** `lost`: chapters without a time in this recording, by line and title if they have them. */
type ChapterFile = {
  chapters: FoundChapter[];
  lost: Pick<Found, "line" | "title" | "isElsewhere">[];
};

/**
 * Reads chapters in the formats of other programs; null for other text, such as a list of lines. A chapter without a
 * title is called by its number. Links are not changed.
 */
export function readChapterFile(text: string): ChapterFile | null {
  const source = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .trim();
  const format = formats.find(({ fits }) => fits(source));
  if (!format) return null;
  const found = format.read(source);
  const isTimed = ({ start }: Found) => start >= 0 && Number.isFinite(start);
  const timed = found.filter(isTimed);
  const listed = timed.filter(({ toc }) => toc !== false);
  const numbers = new Map(listed.map((chapter, index) => [chapter, index + 1]));
  return {
    chapters: timed.map(({ start, title = "", url = null, img, end = 0, toc }, index) => ({
      start: toMs(start),
      title: title.trim() || nameOf(numbers.get(timed[index]!)),
      url: url || null,
      ...(img && { img }),
      ...(end > start && { end: toMs(end) }),
      ...(toc === false && { toc }),
    })),
    lost: found.filter((each) => !isTimed(each)),
  };
}

const nameOf = (number: number | undefined) =>
  number === undefined ? "Not in the list" : `Chapter ${number}`;

/** "00:01:02.500", or seconds. The frames of "00:01:02:12" are ignored, because their rate is unknown. */
function timeOf(given: string) {
  const time = given.trim().replace(/^(\d+:\d\d:\d\d)[:;]\d\d$/, "$1");
  return /^\d+(?:\.\d+)?$/.test(time) ? Number(time) : (secondsOfClock(time) ?? Number.NaN);
}

/** Audacity's labels. A line that begins with a backslash has the frequencies of the label above. */
const LABEL = /^(\d+(?:[.,]\d+)?)\t\d+(?:[.,]\d+)?(?:\t(.*))?$/;

const readLabels = (text: string) =>
  text.split("\n").flatMap((row, index): Found[] => {
    if (row.trim() === "" || row.startsWith("\\")) return [];
    const [, start, title = ""] = LABEL.exec(row) ?? [];
    if (start === undefined) return [{ start: Number.NaN, title: row.split("\t").at(-1), line: index + 1 }];
    return [{ start: Number(start.replace(",", ".")), title }];
  });

type Json = {
  startTime?: unknown;
  start?: unknown;
  title?: unknown;
  url?: unknown;
  href?: unknown;
  img?: unknown;
  image?: unknown;
  toc?: unknown;
  endTime?: unknown;
  /** ffprobe’s: seconds, while `start` counts in units of `time_base`. */
  start_time?: unknown;
  time_base?: unknown;
  tags?: unknown;
};

/** The chapters of Podcasting 2.0 JSON, Podlove's or ffprobe's; null for other JSON. */
function jsonChapters(text: string): Json[] | null {
  try {
    const read = JSON.parse(text) as { chapters?: unknown } | unknown[];
    const list = Array.isArray(read) ? read : read.chapters;
    if (!Array.isArray(list) || (list === read && list.some(isSpoken))) return null;
    return list.filter(isObject);
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const WORDS = ["text", "body", "sentence", "transcript", "word", "words", "speaker", "lines"];

/** A segment of a transcript, whose times have the same names. */
const isSpoken = (each: unknown) =>
  isObject(each) && !("title" in each) && WORDS.some((name) => name in each);

/** The name of a tag is as the recording has it. */
const taggedTitle = (tags: unknown): unknown =>
  Object.entries(isObject(tags) ? tags : {}).find(([name]) => /^title$/i.test(name))?.[1];

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

const secondsOf = (value: unknown) => (typeof value === "number" ? value : timeOf(textOf(value)));

function inSeconds(start: unknown, base: unknown) {
  const [part, whole] = textOf(base).split("/").map(Number);
  return typeof start === "number" && part && whole ? (start * part) / whole : start;
}

const readJson = (text: string) =>
  (jsonChapters(text) ?? [])
    .map(({ startTime, start, start_time, time_base, title, tags, endTime, toc, ...links }) => ({
      links,
      ...(Number.isFinite(secondsOf(endTime)) && { end: secondsOf(endTime) }),
      ...(toc === false && { toc }),
      start:
        [start_time, inSeconds(start, time_base), startTime].map(secondsOf).find(Number.isFinite) ??
        Number.NaN,
      title: textOf(title) || textOf(taggedTitle(tags)),
    }))
    .map(({ links: { href, url = href, image, img = image }, ...chapter }) => ({
      ...chapter,
      url: textOf(url),
      img: textOf(img),
    }));

const withoutComments = (xml: string) =>
  xml
    .split("<!--")
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf("-->") + 3)))
    .join("");

/** Podlove Simple Chapters, as the whole element or its chapters alone; not a feed, which has many episodes. */
const isSimpleChapters = (text: string) =>
  text.startsWith("<") &&
  /^(?:<\?xml[^>]*>)?\s*<(?:[\w-]+:)?chapters?[\s>]/.test(withoutComments(text).trimStart());

const ATTRIBUTE = /\s*([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gy;

/** The elements have only attributes, so a regular expression is enough, and the form need not load an XML parser. */
const readSimpleChapters = (text: string) =>
  withoutComments(text)
    // Each is read up to the next: an element whose end is missing would be read to the end of the file.
    .split(/<(?:[\w-]+:)?chapter(?=\s)/)
    .slice(1)
    .map((element) => {
      const values = [...element.matchAll(ATTRIBUTE)].map(
        ([, name = "", double, single = ""]) => [name, withoutReferences(double ?? single)] as const,
      );
      const { start = "", title, href, image } = Object.fromEntries<string | undefined>(values);
      return { start: timeOf(start), title, url: href, ...(image && { img: image }) };
    });

const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const withoutReferences = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name) return NAMED[String(name).toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** Between two tags. */
const contentOf = (xml: string, name: string) => {
  const from = xml.indexOf(`<${name}>`);
  const to = xml.indexOf(`</${name}>`, from);
  return from < 0 || to < 0 ? "" : withoutReferences(xml.slice(from + name.length + 2, to));
};

/** Matroska’s chapters, as MKVToolNix exports them: times to the nanosecond. */
const readMatroska = (text: string) =>
  withoutComments(text)
    .split("<ChapterAtom>")
    .slice(1)
    .map((atom) => ({
      start: timeOf(contentOf(atom, "ChapterTimeStart")),
      title: contentOf(atom, "ChapterString"),
    }));

/** The captions of WebVTT or SRT, as the former has them for chapters: a time, and the title below it. */
function readCaptions(text: string): Found[] {
  const found: Found[] = [];
  let isTitle = false;
  for (const [index, line] of text.split("\n").entries()) {
    const at = line.indexOf("-->");
    const last = found.at(-1);
    if (at >= 0) found.push({ start: timeOf(line.slice(0, at)), title: "", line: index + 1 });
    else if (last && isTitle && line.trim() !== "")
      last.title = `${last.title} ${withoutReferences(line.replace(/<[^<>]*>/g, "")).trim()}`;
    isTitle = at >= 0 || (isTitle && line.trim() !== "");
  }
  return found;
}

/** Removes the backslash before =, ;, #, \ and line breaks. */
const unescaped = (value: string) => value.replace(/\\([\s\S])/g, "$1").replace(/\s+/g, " ");

/** Characters of a line, or of a row: times and titles are shorter, and a longer one may be a cover as text. */
const LONGEST_LINE = 10_000;

/** A line that ends with a backslash continues, and one that ends with two does not. */
function continuedLines(text: string) {
  const lines: string[] = [];
  let isOpen = false;
  for (const line of text.split("\n")) {
    if (isOpen) lines[lines.length - 1] += `\n${line}`;
    else lines.push(line);
    let end = line.length;
    while (line[end - 1] === "\\") end--;
    isOpen = (line.length - end) % 2 === 1;
  }
  return lines.filter((line) => line.length <= LONGEST_LINE);
}

function readFfmetadata(text: string): Found[] {
  const sections: Record<string, string>[] = [];
  let section: Record<string, string> = {};
  for (const line of continuedLines(text)) {
    if (/^\[.*\]$/.test(line)) {
      section = {};
      if (line === "[CHAPTER]") sections.push(section);
    } else {
      const [, key = "", value = ""] = /^((?:\\[\s\S]|[^\\=])+)=([\s\S]*)$/.exec(line) ?? [];
      if (!/^[;#]/.test(line)) section[unescaped(key).toLowerCase()] = unescaped(value);
    }
  }
  return sections.map(({ start = "", timebase = "1/1000000000", title = "" }) => {
    const [part, whole] = timebase.split("/").map(Number) as [number, number];
    return { start: start === "" ? Number.NaN : (Number(start) * part) / whole, title };
  });
}

/** The format of Nero and OGM tools, and of Vorbis comments, which may include a link. */
function readComments(text: string): Found[] {
  const found = new Map<number, Found>();
  for (const line of text.split("\n")) {
    const [, number, kind = "", value = ""] = /^CHAPTER(\d{1,3})(NAME|URL)?=(.*)$/i.exec(line.trim()) ?? [];
    if (number === undefined) continue;
    const chapter = found.get(Number(number)) ?? { start: Number.NaN };
    found.set(Number(number), chapter);
    if (kind === "") chapter.start = timeOf(value);
    else chapter[kind.toUpperCase() === "NAME" ? "title" : "url"] = value;
  }
  return [...found.values()];
}

/** Such tables are small, and quotation marks within a cell are doubled. */
const cellsOf = (line: string, delimiter: string) =>
  delimiter === "\t"
    ? line.split("\t")
    : [...line.matchAll(delimiter === ";" ? SEMICOLONS : COMMAS)].map(
        ([, quoted, bare = ""]) => quoted?.replaceAll('""', '"') ?? bare,
      );

const COMMAS = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;
const SEMICOLONS = /(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g;

/** The names of columns in the tables of Reaper, Audition, Premiere and others. */
const COLUMNS = {
  start: ["start", "start time", "starttime", "timestamp", "timecode", "time", "in"],
  title: ["title", "name", "chapter", "chapter title", "marker name"],
  url: ["url", "link", "href"],
};

function columnsOf(text: string) {
  const header = text.split("\n", 1)[0]!.slice(0, LONGEST_LINE);
  const delimiter = ["\t", ";", ","].find((each) => header.includes(each)) ?? ",";
  const names = cellsOf(header, delimiter).map((name) => name.trim().toLowerCase());
  const place = (column: keyof typeof COLUMNS) => names.findIndex((name) => COLUMNS[column].includes(name));
  const [start, title, url] = [place("start"), place("title"), place("url")];
  return start < 0 || title < 0 ? null : { delimiter, start, title, url, unit: names.indexOf("time format") };
}

function readMarkers(text: string): Found[] {
  const { delimiter, start, title, url, unit } = columnsOf(text)!;
  const lines = text.split("\n").slice(1);
  // Audition also writes frames and bars, which look similar.
  const isTime = (cells: string[]) =>
    /^(?:decimal)?$/i.test(cells[unit] ?? "") || /[.,]\d/.test(cells[start] ?? "");
  return lines
    .map((row, index) => ({ cells: cellsOf(row.slice(0, LONGEST_LINE), delimiter), line: index + 2 }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ""))
    .map(({ cells, line }) => ({
      start: timeOf((isTime(cells) && cells[start]) || "-"),
      title: cells[title] ?? "",
      url: cells[url]?.trim() ?? "",
      line,
    }));
}

const CUE_SHEET = /^(?:REM|FILE|TITLE|PERFORMER|CATALOG|TRACK)[ \t]/i;

const isCueSheet = (text: string) =>
  CUE_SHEET.test(text) && /^[ \t]*TRACK \d{1,3} AUDIO[ \t]*$/im.test(text) && /^[ \t]*INDEX 01 /im.test(text);

/** Minutes, seconds and frames, 75 a second, of each track’s beginning, which count from the beginning of its file. */
function readCueSheet(text: string): Found[] {
  const found: Found[] = [];
  let files = 0;
  for (const [index, whole] of text.split("\n").entries()) {
    const line = whole.trim();
    if (/^FILE[ \t]/i.test(line)) files++;
    const [, kind, value = ""] = /^(TRACK|TITLE|INDEX 01)[ \t]+(\S.*)?$/i.exec(line) ?? [];
    const last = found.at(-1);
    if (kind?.toUpperCase() === "TRACK") found.push({ start: Number.NaN, line: index + 1 });
    else if (last && kind?.toUpperCase() === "TITLE") last.title = value.trim().replace(/^"(.*)"$/, "$1");
    else if (last && kind && files > 1) last.isElsewhere = true;
    else if (last && kind) {
      const [, minutes, seconds, frames] = /^(\d{1,4}):([0-5]?\d):(\d\d)\s*$/.exec(value) ?? [];
      last.start = Number(minutes) * 60 + Number(seconds) + Number(frames) / 75;
    }
  }
  return found;
}

/** A number or an identifier may be above the first time. */
const CAPTIONS = /^(?:WEBVTT(?:[ \t].*)?\n|(?:\d+[ \t]*\n)?(?:\d+:)?\d{1,2}:\d\d[.,]\d{1,3}[ \t]*-->)/;

const formats: Format[] = [
  { fits: (text) => /^[[{]/.test(text) && jsonChapters(text) !== null, read: readJson },
  { fits: isCueSheet, read: readCueSheet },
  { fits: isSimpleChapters, read: readSimpleChapters },
  { fits: (text) => text.startsWith(";FFMETADATA"), read: readFfmetadata },
  { fits: (text) => /^CHAPTER\d{1,3}(?:NAME|URL)?=/i.test(text), read: readComments },
  { fits: (text) => LABEL.test(text.split("\n", 1)[0]!), read: readLabels },
  { fits: (text) => text.startsWith("<") && text.includes("<ChapterAtom>"), read: readMatroska },
  { fits: (text) => columnsOf(text) !== null, read: readMarkers },
  { fits: (text) => CAPTIONS.test(text), read: readCaptions },
];
