import { z } from "zod";
import { unreadable } from "#worker/models/read-json.ts";
import type { LeftOut, Passage, Proposed } from "#worker/proposals/contract.ts";
import { passagesIn, type Part } from "#worker/proposals/passages.ts";

/** What a model proposes, checked against the transcript. */

/** What the parts that were read have brought. */
export type Found = {
  /** What is said, for the titles and texts. */
  points: { text: string; passage: Passage }[];
  chapters: { title: string; passage: Passage }[];
  soundbites: { title: string; passage: Passage }[];
  /** By the model so far; chapters and soundbites one by one. */
  offered: number;
  leftOut: LeftOut;
};

export const nothingFound: Found = {
  points: [],
  chapters: [],
  soundbites: [],
  offered: 0,
  leftOut: { passage: 0, link: 0, form: 0, number: 0 },
};

/** Characters. */
const LONGEST = {
  point: 300,
  chapter: 60,
  soundbite: 100,
  title: 120,
  summary: 1000,
  note: 400,
  message: 280,
};
const MOST_WORDS = 4;
/** For an hour. */
const MOST_CHAPTERS = 6;
const FEWEST_CHAPTERS = 3;
/** Seconds. */
const SHORTEST_SOUNDBITE = 15;
const LONGEST_SOUNDBITE = 120;
const MOST = { points: 8, chapters: 50, soundbites: 2, titles: 5, notes: 15, passages: 20, allSoundbites: 8 };

/** Some models write numbers as text. */
const line = z.coerce.number();
const Quoted = z.object({ line, quote: z.string() });
const Point = Quoted.extend({ text: z.string() });
const Chapter = Quoted.extend({ title: z.string() });
const Soundbite = Chapter.extend({ lastLine: line });

/** Adds what a model answers to a part of the transcript. */
export function addPart(found: Found, answer: unknown, part: Part): Found {
  const { points, chapters, soundbites } = listsOf(answer, ["points", "chapters", "soundbites"]);
  const known = passagesIn(part);
  const said = part.cues.map(({ text }) => text).join(" ");
  const tally = tallyOf(found);
  tally.leaveOut("number", Math.max(0, chapters.length - MOST.chapters));
  tally.counts.offered += Math.max(0, chapters.length - MOST.chapters);
  const quoted = <T extends { line: number; quote: string }>({ quote, line: near }: T) =>
    known.find(quote, near);
  return {
    // Points are no proposals: they are not counted.
    points: [
      ...found.points,
      ...points.slice(0, MOST.points).flatMap((given) => {
        const { data } = Point.safeParse(given);
        const at = data && quoted(data);
        const text = data && plain(data.text);
        if (!at || !text || text.length > LONGEST.point || hasForeignLink(text, said)) return [];
        return [{ text, passage: known.passage(...at) }];
      }),
    ],
    chapters: [
      ...found.chapters,
      ...tally.keep(chapters.slice(0, MOST.chapters), (given) => {
        const { data } = Chapter.safeParse(given);
        const title = data && plain(data.title);
        if (!title || title.length > LONGEST.chapter || wordsOf(title) > MOST_WORDS) return "form";
        if (hasForeignLink(title, said)) return "link";
        const at = quoted(data);
        return at ? { title, passage: known.passage(...at) } : "passage";
      }),
    ],
    soundbites: [
      ...found.soundbites,
      ...tally.keep(soundbites.slice(0, MOST.soundbites), (given) => {
        const { data } = Soundbite.safeParse(given);
        const title = data && plain(data.title);
        if (!title || title.length > LONGEST.soundbite) return "form";
        if (hasForeignLink(title, said)) return "link";
        const at = quoted(data);
        if (!at) return "passage";
        const last = lastCueOf(part, at, data.lastLine);
        return last === null ? "form" : { title, passage: known.passage(at[0], last) };
      }),
    ],
    ...tally.counts,
  };
}

/**
 * What an object has under these names, each as a list.
 * @throws ModelError if it is no object, or has none of them
 */
function listsOf<Name extends string>(answer: unknown, names: Name[]) {
  const given = z.record(z.string(), z.unknown()).safeParse(answer).data ?? {};
  if (!names.some((name) => name in given)) throw unreadable("something else than proposals");
  const listed = names.map((name) => [name, listOf(given[name])] as const);
  return Object.fromEntries(listed) as Record<Name, unknown[]>;
}

const listOf = (given: unknown): unknown[] =>
  Array.isArray(given) ? given : given === undefined || given === null ? [] : [given];

/** The position of a soundbite's last cue: as the model says, or later if it would be too short; null if it is too long. */
function lastCueOf({ from, cues }: Part, [first, quoted]: [number, number], lastLine: number) {
  const start = cues[first]!.start;
  let last = Math.min(Math.max(Math.round(lastLine) - from, quoted), cues.length - 1);
  while (last < cues.length - 1 && cues[last]!.end - start < SHORTEST_SOUNDBITE) last++;
  const lasts = cues[last]!.end - start;
  return lasts >= SHORTEST_SOUNDBITE && lasts <= LONGEST_SOUNDBITE ? last : null;
}

const Based = z.object({ text: z.string(), points: z.array(line) });

/** All proposals: those of the parts, and a model's answer to the points, null if there are none. `lasts`: seconds. */
export function composeProposals(found: Found, answer: unknown, lasts: number) {
  const tally = tallyOf(found);
  const texts = answer === null ? [] : textsOf(found, answer, tally);
  const chapters = chaptersOf(found, lasts, tally);
  tally.leaveOut("number", Math.max(0, found.soundbites.length - MOST.allSoundbites));
  const soundbites = found.soundbites
    .toSorted((a, b) => a.passage.start - b.passage.start)
    .slice(0, MOST.allSoundbites)
    .map(({ title, passage }): Proposed => {
      const duration = tenth(passage.end - passage.start);
      return { kind: "soundbite", title, start: tenth(passage.start), duration, passages: [passage] };
    });
  const isMessage = ({ kind }: Proposed) => kind === "message";
  return {
    proposals: [
      ...texts.filter((one) => !isMessage(one)),
      ...chapters,
      ...soundbites,
      ...texts.filter(isMessage),
    ],
    ...tally.counts,
  };
}

type Tally = ReturnType<typeof tallyOf>;

function textsOf({ points }: Found, answer: unknown, tally: Tally): Proposed[] {
  const { titles, summary, notes, message } = listsOf(answer, ["titles", "summary", "notes", "message"]);
  const said = points.map(({ text, passage }) => `${text} ${passage.text}`).join(" ");
  const based = (longest: number, shape: (text: string) => string) => (given: unknown) => {
    const { data } = Based.safeParse(given);
    const text = data && shape(data.text);
    if (!text || text.length > longest) return "form";
    if (hasForeignLink(text, said)) return "link";
    const numbers = [...new Set(data.points)].filter((number) => points[number - 1] !== undefined);
    const passages = numbers.slice(0, MOST.passages).map((number) => points[number - 1]!.passage);
    return passages.length > 0 ? { text, passages } : "passage";
  };
  const summaries = tally.keep(summary.slice(0, 1), based(LONGEST.summary, paragraphs));
  // The show notes are one proposal of several lines, which are left out one by one.
  const lines = tally.keep(notes.slice(0, MOST.notes), based(LONGEST.note, plain));
  return [
    ...tally
      .keep(titles.slice(0, MOST.titles), based(LONGEST.title, plain))
      .map((title): Proposed => ({ kind: "title", ...title })),
    ...summaries.map((found): Proposed => ({ kind: "summary", ...found })),
    ...(lines.length > 0 ? [notesOf(lines)] : []),
    ...tally
      .keep(message.slice(0, 1), based(LONGEST.message, paragraphs))
      .map((found): Proposed => ({ kind: "message", ...found })),
  ];
}

/** Markdown: a list in the order of the recording, each with the time at which it is said. */
function notesOf(lines: { text: string; passages: Passage[] }[]): Proposed {
  const timed = lines
    .map(({ text, passages }) => ({ text, passage: passages.toSorted((a, b) => a.start - b.start)[0]! }))
    .toSorted((a, b) => a.passage.start - b.passage.start);
  return {
    kind: "notes",
    text: timed.map(({ text, passage }) => `- ${clockOf(passage.start)} ${escaped(text)}`).join("\n"),
    passages: timed.map(({ passage }) => passage),
  };
}

const clockOf = (seconds: number) => {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number: number) => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
};

/** No word of a model is Markdown or HTML. */
const escaped = (text: string) => text.replace(/[\\`*_[\]<>~|#!&]/g, "\\$&");

/** One list of chapters, or none: three or more, and at most six an hour, of which those that follow soonest are left out. */
function chaptersOf(found: Found, lasts: number, tally: Tally): Proposed[] {
  const sorted = found.chapters.toSorted((a, b) => a.passage.start - b.passage.start);
  const chapters = sorted.filter((each, at) => at === 0 || startOf(each) > startOf(sorted[at - 1]!));
  const most = Math.max(FEWEST_CHAPTERS, Math.floor((lasts / 3600) * MOST_CHAPTERS));
  while (chapters.length > most) {
    const gaps = chapters.map((each, at) =>
      at === 0 ? Infinity : startOf(each) - startOf(chapters[at - 1]!),
    );
    chapters.splice(gaps.indexOf(Math.min(...gaps)), 1);
  }
  const shown = chapters.length >= FEWEST_CHAPTERS ? chapters : [];
  tally.leaveOut("number", found.chapters.length - shown.length);
  if (shown.length === 0) return [];
  return [
    {
      kind: "chapters",
      chapters: shown.map((each) => ({ start: startOf(each), title: each.title })),
      passages: shown.map(({ passage }) => passage),
    },
  ];
}

const tenth = (seconds: number) => Math.round(seconds * 10) / 10;
const startOf = ({ passage }: { passage: Passage }) => tenth(passage.start);

/** Counts what a model offers, and what of it is left out. */
function tallyOf({ offered, leftOut }: Found) {
  const counts = { offered, leftOut: { ...leftOut } };
  const leaveOut = (reason: keyof LeftOut, number = 1) => {
    counts.leftOut[reason] += number;
  };
  return {
    counts,
    leaveOut,
    /** Those that `read` accepts; for others it returns a reason. */
    keep<T extends object>(given: unknown[], read: (one: unknown) => T | keyof LeftOut): T[] {
      counts.offered += given.length;
      return given.flatMap((one) => {
        const kept = read(one);
        if (typeof kept !== "string") return [kept];
        leaveOut(kept);
        return [];
      });
    },
  };
}

/** In one line. */
const plain = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

const paragraphs = (text: string) => text.split(/\n+/).map(plain).filter(Boolean).join("\n\n");

const wordsOf = (text: string) => text.split(/\s+/).length;

/** Addresses on the web and of email, also without https. Markdown links https:// and www. within a word, too. */
const LINK =
  /(?:https?:\/\/|www\.)\S+|\S+@[\w-]+\.\w+|\b(?:[\w-]+\.)+(?:com|org|net|edu|gov|io|co|info|app|dev|me|tv|fm|ly|gg|biz|xyz|shop|link|site|online|uk|au|de|fr|eu|us|ca|ru|cn)\b\S*|\b(?:[\w-]+\.)+[a-z]{2,}\/\S*/gi;

/** Whether a text has a link that is not in what is said. */
function hasForeignLink(text: string, said: string) {
  const links = text.match(LINK) ?? [];
  if (links.length === 0) return false;
  const spoken = said.toLowerCase();
  return links.some((link) => !hasWhole(spoken, link.toLowerCase().replace(/[.,;:!?)\]}'"”’]+$/, "")));
}

/** Whether an address is in a text, and not as a part of a longer one: "it.com" is no part of "reddit.com". */
function hasWhole(text: string, address: string) {
  const whole = new RegExp(
    `(?<![\\p{L}\\p{N}_-])${RegExp.escape(address)}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`,
    "u",
  );
  return whole.test(text);
}
