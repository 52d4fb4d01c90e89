import { decodeHTML } from "entities";
import { escapeText } from "#worker/platform/http/rss.ts";
import { upToLastTag } from "#worker/platform/text/tags.ts";

/** What a file says at a time. Seconds from the beginning; `end` is null if the format has none. */
export type TimedText = {
  /** In the file, from 1. */
  line: number;
  start: number;
  end: number | null;
  /** WebVTT cue text. */
  text: string;
  /** Each word had its time, as in automatic captions. */
  hasWordTimes?: boolean;
};

/** A line that cannot be read, and why. */
export type Problem = { line: number; problem: string };

export const isProblem = (entry: object): entry is Problem => "problem" in entry;

/** In one cue. They are read one within the other, and more would overflow the stack. */
const MAX_TAGS = 200;

export const withoutTooManyTags = (entry: TimedText | Problem): TimedText | Problem =>
  !isProblem(entry) && entry.text.split("<", MAX_TAGS + 2).length > MAX_TAGS + 1
    ? { line: entry.line, problem: `there are more than ${MAX_TAGS} tags. Simplify it.` }
    : entry;

export const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

export const notATime = (text: string) => `“${shortened(text)}” isn’t a time such as 00:01:02.500.`;

/** Bold, italic and underlined, which programs take over from SRT into every other format. */
const withStyles = (escaped: string) =>
  escaped.replace(/&lt;(\/?[biu])&gt;/gi, (_, tag: string) => `<${tag.toLowerCase()}>`);

/** Words as cue text, in which an empty line would end the cue. */
export function cueText(said: string, speaker = "") {
  const lines = withStyles(escapeText(said))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const name = speaker.replace(/\s+/g, " ").trim();
  return `${name && lines.length > 0 ? `<v ${escapeText(name)}>` : ""}${lines.join("\n")}`;
}

/** Those that WebVTT itself has and every reader knows. */
const KEPT_REFERENCES = new Set(["&amp;", "&lt;", "&gt;", "&nbsp;"]);

/** HTML's character references as their characters, as WebVTT has them decoded. */
export const withCharacters = (text: string) =>
  text.replace(/&(?:#x?[\da-f]{1,8}|[a-z][a-z\d]{1,31});?/gi, (reference) => {
    if (KEPT_REFERENCES.has(reference)) return reference;
    const decoded = decodeHTML(reference);
    return decoded === reference ? reference : escapeText(decoded).replace(/\p{Cc}/gu, " ");
  });

export const timesWords = (said: string) => /<\d+:[\d:.]+>/.test(said);

const TAG =
  /<(?:\/?(?:[biuc]|ruby|rt)(?:\.[^\s<>]*)?(?:\s[^<>]*)?|\/?(?:v|lang)(?:\.[^\s<>]*)?(?:\s[^>]*)?|\d+:[\d:.]+)>|<\/?font(?:\s[^<>]*)?>|</gi;

/** WebVTT cue text with its visible tags; a `<` that does not start one is escaped as text. */
export function vttText(said: string) {
  const hasWordTimes = timesWords(said);
  let text = "";
  let from = 0;
  const tagged = upToLastTag(said);
  for (const { 0: tag, index } of tagged.matchAll(TAG)) {
    text += withCharacters(said.slice(from, index)) + writtenTag(tag, hasWordTimes);
    from = index + tag.length;
  }
  return text + withCharacters(said.slice(from)).replaceAll("<", "&lt;");
}

function writtenTag(tag: string, hasWordTimes: boolean) {
  if (tag === "<") return "&lt;";
  if (/^<\d|^<\/?font\b/i.test(tag)) return "";
  // What colours a word at its time.
  if (hasWordTimes && /^<\/?c\b/i.test(tag)) return "";
  return withCharacters(tag.replace(/^<\/?[a-z]+/i, (start) => start.toLowerCase()));
}

/**
 * SRT text, in which only these tags and the overrides of ASS are markup: everything else that WebVTT would read as such is
 * meant as written.
 */
export const srtText = (said: string) =>
  withStyles(
    escapeText(
      said
        .replace(/\{\\[^{}]*\}/g, "")
        .replace(/<\/?(?:font|span|s|strike)(?:\s[^<>]*)?>/gi, "")
        .replace(/<br ?\/?>/gi, "\n"),
    ),
  ).replace(/(?<!--)&gt;/g, ">");

/** Whether each line that is not empty passes. */
export const everyLine = (text: string, test: (line: string) => boolean) =>
  text.split("\n").every((line) => line.trim() === "" || test(line));
