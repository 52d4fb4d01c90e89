import type { Chapter } from "#worker/episodes/contract.ts";
import { readChapterFile } from "#worker/episodes/chapter-input/read-chapter-file.ts";
import { readLeading, readTrailing } from "#worker/episodes/chapter-input/lines.ts";

/** Seconds of "75", "1:15" or "1:02:03" (fractions allowed); null when it is none of these. */
export function parseTime(text: string) {
  const match = /^(?:(?:(\d+):)?(\d{1,2}):)?(\d+(?:[.,]\d+)?)$/.exec(text.trim());
  if (!match) return null;
  const [, hours = "0", minutes = "0", seconds = "0"] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(",", "."));
}

/** Writes seconds as `parseTime` reads them. */
export function writeTime(seconds: number) {
  const ms = Math.round(seconds * 1000);
  const whole = Math.floor(ms / 1000);
  const fraction = String((ms % 1000) / 1000).slice(1);
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}${fraction}`;
}

/** The same without fractions of a second. */
export const clockOf = (seconds: number) => writeTime(Math.round(seconds));

/** One chapter a line, as people paste them: "1:15 The second appointment", with a link at the end if it has one; or what a program wrote. */
export function parseChapters(text: string): { chapters: Chapter[] } | { error: string } {
  const written = readChapterFile(text);
  if (written?.chapters.length === 0) return { error: NO_TIMES };
  const [lost] = written?.lost ?? [];
  if (lost) return { error: withoutTime(lost) };
  if (written) {
    const whole = (url: string | null | undefined) => (url && /^https?:\/\//i.test(url) ? url : null);
    return {
      chapters: written.chapters.map(({ img, url, ...each }) => ({
        ...each,
        url: whole(url),
        ...(whole(img) !== null && { img: whole(img) }),
      })),
    };
  }
  const chapters: Chapter[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const chapter = readLeading({ text: line }) ?? readTrailing({ text: line }) ?? readSeconds(line);
    if (!chapter) {
      return { error: `Line ${index + 1} isn’t a time and a title, such as “1:15 The second appointment”.` };
    }
    chapters.push(chapter);
  }
  return { chapters };
}

/** The form's name of the chapters with what a line of text cannot say, while they are written as text. */
export const DETAILED = "detailedChapters";

/** A chapter's details as fields: a picture, the time of its end, and `no` if it is in no list. */
export type ChapterDetails = { img: string; end: string; toc: string };

/** The same in the stored form; an end that is no time is left out. */
export function detailsOf({ img, end, toc }: ChapterDetails): Pick<Chapter, "img" | "end" | "toc"> {
  const until = parseTime(end);
  return { ...(img && { img }), ...(until !== null && { end: until }), ...(toc === "no" && { toc: false }) };
}

/** Chapters that were read from lines, each with the details that it had: by its time, or else its title. */
export const withDetails = <Read extends Chapter>(
  chapters: Read[],
  rows: (ChapterDetails & { start: string; title: string })[],
): Read[] => {
  const detailed = rows.filter(({ img, end, toc }) => img + end + toc !== "");
  return chapters.map((chapter) => {
    const row =
      detailed.find(({ start }) => parseTime(start) === chapter.start) ??
      detailed.find(({ title }) => title === chapter.title);
    return row ? { ...detailsOf(row), ...chapter } : chapter;
  });
};

const NO_TIMES =
  "These are chapters that a program wrote, but none has a time that can be read. Export them with times such as 0:02:05.";

type Lost = { line?: number; title?: string; isElsewhere?: boolean };

function withoutTime({ line, title, isElsewhere }: Lost) {
  const named = title ? `“${title}”` : "A chapter";
  const where = line === undefined ? named : `Line ${line}${title ? ` (“${title}”)` : ""}`;
  if (isElsewhere)
    return `${where} is in a second recording, from whose beginning its time counts. Remove it.`;
  return `${where} has no time that can be read. Give it one such as 0:02:05, or remove it.`;
}

/** "75 The second appointment" */
function readSeconds(line: string): Chapter | null {
  const [, time = "", rest = ""] = /^\s*(\S+)\s+(\S.*)$/.exec(line) ?? [];
  const start = parseTime(time);
  const read = start === null ? null : readLeading({ text: `0:00 ${rest}` });
  return read && { ...read, start: start! };
}

export const writeChapters = (chapters: { start: number; title: string; url?: string | null }[]) =>
  chapters
    .map(({ start, title, url }) => [writeTime(start), title, url].filter(Boolean).join(" "))
    .join("\n");
