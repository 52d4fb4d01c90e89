import { secondsOf, TIMESTAMP, type Chapter } from "#worker/episodes/contract.ts";

/** Seconds of "75", "1:15" or "1:02:03" (fractions allowed); null when it is none of these. */
export function parseTime(text: string) {
  const match = /^(?:(?:(\d+):)?(\d{1,2}):)?(\d+(?:\.\d+)?)$/.exec(text.trim());
  if (!match) return null;
  const [, hours = "0", minutes = "0", seconds = "0"] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
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

/** One chapter a line, as people paste them: "1:15 The second appointment", with a link at the end if it has one. */
export function parseChapters(text: string): { chapters: Chapter[] } | { error: string } {
  const chapters: Chapter[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const [, time = "", rest = ""] = /^\s*(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
    const [, title = "", url = null] = /^(.*?)(?:\s+(https?:\/\/\S+))?$/.exec(rest) ?? [];
    const start = parseTime(time);
    if (start === null || title === "") {
      return { error: `Line ${index + 1} isn’t a time and a title, such as “1:15 The second appointment”.` };
    }
    chapters.push({ start, title, url });
  }
  return { chapters };
}

export const writeChapters = (chapters: { start: number; title: string; url?: string | null }[]) =>
  chapters
    .map(({ start, title, url }) => [writeTime(start), title, url].filter(Boolean).join(" "))
    .join("\n");

/** A line of Markdown, in a list or not, that begins with a time. */
const TIMED_LINE = new RegExp(
  `^[\\s>|]*(?:[-*+]\\s+|\\d+[.)]\\s+|#+\\s+)?[*_]*[([]?(${TIMESTAMP})[)\\]]?[*_]*(?=[\\s.,:;–—|-])(.*)$`,
);
const LINK = /\[([^\]]*)\]\(<?(https?:\/\/[^\s)>]+)[^)]*\)/g;

/** The lines of show notes that begin with a time, as chapters. */
export function chaptersInNotes(markdown: string): Chapter[] {
  return markdown.split(/\r?\n/).flatMap((line) => {
    const [, time, rest = ""] = TIMED_LINE.exec(line) ?? [];
    const [link] = rest.matchAll(LINK);
    const title = rest
      .replace(LINK, "$1")
      .replace(/\*\*|__|`/g, "")
      .replace(/^[\s.,:;–—|*_-]+|[\s|*_]+$/g, "");
    return time && title
      ? [{ start: secondsOf(time), title: title.slice(0, 200), url: link?.[2] ?? null }]
      : [];
  });
}
