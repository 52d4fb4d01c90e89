/**
 * Cues of a WebVTT in the API's form: a header, and blocks of a time and a text. Cues that are not edited, and all
 * times, are written back unchanged.
 */
export type EditableCue = {
  /** The line of its times. */
  timing: string;
  /** Seconds. */
  start: number;
  end: number;
  /** Who speaks; null if the cue has more marks than that, which are then edited as they stand. */
  speaker: string | null;
  text: string;
};

const HEADER = "WEBVTT\n\n";
const TIMING = /^(\d+):(\d\d):(\d\d\.\d{3}) --> (\d+):(\d\d):(\d\d\.\d{3})$/;

/** Null for another text, which the API reads first. */
export function readCues(vtt: string): EditableCue[] | null {
  const text = vtt.replaceAll("\r\n", "\n");
  if (!text.startsWith(HEADER)) return null;
  const cues = text.slice(HEADER.length).trimEnd().split("\n\n").map(readCue);
  const read = cues.filter((cue) => cue !== null);
  return read.length === cues.length && read.length > 0 ? read : null;
}

function readCue(block: string): EditableCue | null {
  const [timing = "", ...lines] = block.split("\n");
  const [, ...parts] = TIMING.exec(timing) ?? [];
  if (parts.length === 0) return null;
  const [h1 = 0, m1 = 0, s1 = 0, h2 = 0, m2 = 0, s2 = 0] = parts.map(Number);
  const times = { timing, start: h1 * 3600 + m1 * 60 + s1, end: h2 * 3600 + m2 * 60 + s2 };
  return { ...times, ...readPayload(lines.join("\n")) };
}

/** One voice, and no other mark. */
const VOICE = /^<v ([^<>]+)>([^<>]*?)(?:<\/v>)?$/;

function readPayload(payload: string): Pick<EditableCue, "speaker" | "text"> {
  const [, speaker, said] = VOICE.exec(payload) ?? [];
  if (speaker !== undefined && said !== undefined) return { speaker: plain(speaker), text: plain(said) };
  return /[<>]/.test(payload) ? { speaker: null, text: payload } : { speaker: "", text: plain(payload) };
}

export const writeCues = (cues: EditableCue[]) =>
  `${HEADER}${cues.map((cue) => `${cue.timing}\n${writePayload(cue)}`).join("\n\n")}\n`;

function writePayload({ speaker, text }: EditableCue) {
  const said = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .join("\n");
  if (speaker === null) return said.replaceAll("-->", "--&gt;");
  const name = speaker.replaceAll("\n", " ").trim();
  return `${name === "" ? "" : `<v ${escaped(name)}>`}${escaped(said)}`;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", nbsp: "\u00a0" };

const plain = (text: string) => text.replace(/&(amp|lt|gt|nbsp);/g, (_, name: string) => ENTITIES[name]!);

const escaped = (text: string) =>
  text.replace(/[&<>]/g, (char) => (char === "&" ? "&amp;" : char === "<" ? "&lt;" : "&gt;"));

/** The index of the cue at a time: the last that has started; -1 before the first. */
export function cueAt(cues: EditableCue[], time: number) {
  let [low, high] = [0, cues.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cues[middle]!.start <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

type Search = { find: string; matchCase: boolean };

const pattern = ({ find, matchCase }: Search) =>
  new RegExp(find.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), matchCase ? "gu" : "giu");

/** Marks within angle brackets are neither found nor replaced. */
const MARKS = /(<[^>]*>)/;
const partsOf = ({ speaker, text }: EditableCue) => (speaker === null ? text.split(MARKS) : [text]);
const isMark = (part: string, { speaker }: EditableCue) => speaker === null && part.startsWith("<");

/** How often a text occurs in each cue. */
export function countMatches(cue: EditableCue, search: Search) {
  if (search.find === "") return 0;
  return partsOf(cue)
    .filter((part) => !isMark(part, cue))
    .reduce((count, part) => count + (part.match(pattern(search))?.length ?? 0), 0);
}

export const replaceMatches = (cue: EditableCue, search: Search, by: string): EditableCue => ({
  ...cue,
  text: partsOf(cue)
    .map((part) => (isMark(part, cue) ? part : part.replace(pattern(search), () => by)))
    .join(""),
});
