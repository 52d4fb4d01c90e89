import { secondsOf } from "#worker/episodes/transcript-input/times.ts";
import { cueText, shortened, type TimedText } from "#worker/episodes/transcript-input/texts.ts";

/** Texts of transcription services in which each turn of a conversation begins with a speaker and a time. */

const TIME = String.raw`(?<time>(?:\d{1,2}:)?\d{1,2}:\d\d(?:[.,]\d{1,3})?)`;
const NAME = String.raw`(?<name>[^\s:[\]()<>][^:[\]()<>]{0,59}?)`;

/** The line at which a turn begins. Its words follow on the same line or on the next. */
const forms = [
  // Otter: “Ada Reed  0:03”
  String.raw`^${NAME}(?:\t| {2,})${TIME}\s*$`,
  // Rev: “Ada Reed (00:03):”, Riverside: “Ada Reed (00:03.214)”
  String.raw`^${NAME} \(${TIME}\):?\s*$`,
  // Happy Scribe: “[00:00:03.21] - Ada Reed”
  String.raw`^\[(?<time>\d\d:\d\d:\d\d\.\d{1,3})\] - ${NAME}\s*$`,
  // Trint: “Ada Reed [00:00:03]”
  String.raw`^${NAME} \[${TIME}\]:?\s*$`,
  // Sonix: “Ada Reed: [00:00:03] Tea?”
  String.raw`^${NAME}: \[${TIME}\]\s+(?<said>\S.*)$`,
  // Descript: “[00:00:03] Ada Reed: Tea?”
  String.raw`^\[${TIME}\]\s+${NAME}:\s+(?<said>\S.*)$`,
].map((form) => new RegExp(form, "u"));

const [, , HAPPY_SCRIBE, , SONIX, DESCRIPT] = forms;

/** A time at the beginning of another line: it is not what a turn says. */
const OTHER_TIME = new RegExp(String.raw`^\s*[[(]?${TIME}[\])]?(?:\s|$)`);

const SIGNATURE = /^Transcribed by https:\/\/otter\.ai\s*$/;

/** “Mon, Nov 02, 2026 10:00AM • 1:02:05”, which Otter writes below the title. */
const RECORDED = /^\w{3}, \w{3} \d{1,2}, \d{4},? \d{1,2}:\d\d ?[AP]M • [\d:]{4,8}\s*$/;
const HEADINGS = ["SUMMARY KEYWORDS", "SPEAKERS"];

type Turn = { line: number; start: number; time: string; speaker: string; said: string[] };
/** `above`: the lines before the first turn. */
type Conversation = { turns: Turn[]; above: string[] };

/**
 * The turns of a text of which each begins in the same form, and in the order of their times; null for another text, which
 * may have a time behind its headings, too.
 */
function conversationIn(source: string): Conversation | null {
  const lines = source.trimEnd().split("\n");
  if (SIGNATURE.test(lines.at(-1)!)) lines.pop();
  const form = forms.find((each) => lines.some((line) => each.test(line)));
  if (!form) return null;
  const turns: Turn[] = [];
  const above: string[] = [];
  for (const [index, text] of lines.entries()) {
    const { time, name = "", said } = form.exec(text)?.groups ?? {};
    const last = turns.at(-1);
    if (time === undefined) {
      if (text.trim() !== "") (last?.said ?? above).push(text);
      continue;
    }
    const start = secondsOf(time);
    if (start === null) return null;
    turns.push({
      line: index + 1,
      start,
      time,
      speaker: name.trim(),
      said: said === undefined ? [] : [said],
    });
  }
  const isWhole =
    isHead(above) &&
    !turns.some(({ said }) => said.some((text) => OTHER_TIME.test(text))) &&
    (isUnmistakable(form, turns) || isConversation(turns));
  return isWhole ? { turns, above } : null;
}

/** Whether these lines are only what Otter writes above a transcript. */
function isHead(lines: string[]) {
  let rest = RECORDED.test(lines[1] ?? "") ? lines.slice(2) : lines;
  for (const heading of HEADINGS) if (rest[0]?.trim() === heading) rest = rest.slice(2);
  return rest.length === 0;
}

/**
 * No person writes fractions of a second in front of a name, or whole clocks beside each name and what it says. Happy
 * Scribe’s would be LRC otherwise.
 */
function isUnmistakable(form: RegExp, turns: Turn[]) {
  return (
    form === HAPPY_SCRIBE ||
    ((form === SONIX || form === DESCRIPT) &&
      turns.length > 1 &&
      rises(turns) &&
      turns.every(({ time, said }) => /^\d\d:\d\d:\d\d/.test(time) && said.length === 1))
  );
}

/** Most turns have words, and at least half are by people who speak again: headings, places and items of a schedule are not. */
function isConversation(turns: Turn[]) {
  const counts = new Map<string, number>();
  for (const { speaker } of turns) counts.set(speaker, (counts.get(speaker) ?? 0) + 1);
  const again = turns.filter(({ speaker }) => counts.get(speaker)! > 1);
  const written = turns.filter(({ said }) => said.length > 0);
  return rises(turns) && again.length * 2 >= turns.length && written.length * 2 > turns.length;
}

const rises = (turns: Turn[]) => turns.every(({ start }, at) => at === 0 || start >= turns[at - 1]!.start);

export const isTurns = (source: string) => conversationIn(source) !== null;

/** What of a conversation is not read: the lines that Otter writes above it, which are not said. */
export function notesOnTurns(source: string) {
  const above = conversationIn(source)?.above ?? [];
  const written = above.map((line) => line.trim()).join(" ");
  return above.length === 0 ? [] : [`The text above the first speaker is left out: “${shortened(written)}”.`];
}

/**
 * Each turn ends when the next begins. One without words is left out if its speaker says something elsewhere; else it
 * names a sound, such as “Opening music (0:20)”.
 */
export function readTurns(source: string): TimedText[] {
  const { turns } = conversationIn(source) ?? { turns: [] };
  const speaking = new Set(turns.flatMap(({ speaker, said }) => (said.length > 0 ? speaker : [])));
  return turns.map(({ line, start, speaker, said }) => {
    const isSaid = said.length > 0 || speaking.has(speaker);
    return { line, start, end: null, text: isSaid ? cueText(said.join("\n"), speaker) : cueText(speaker) };
  });
}
