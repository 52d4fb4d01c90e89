import { secondsOf } from "#worker/episodes/transcript-input/times.ts";
import { cueText, type TimedText } from "#worker/episodes/transcript-input/texts.ts";

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

/** No person writes Happy Scribe’s form, and it would be read as LRC. */
const UNMISTAKABLE = forms[2];

/** A time at the beginning of another line: it is not what a turn says. */
const OTHER_TIME = new RegExp(String.raw`^\s*[[(]?${TIME}[\])]?(?:\s|$)`);

/** Otter’s signature, and what it writes above a transcript. */
const SIGNATURE = /^Transcribed by https:\/\/otter\.ai\s*$/;
const HEADINGS = /^(?:SUMMARY KEYWORDS|SPEAKERS)\s*$/m;

type Turn = { line: number; start: number; speaker: string; said: string[] };

/**
 * The turns of a text of which each begins in the same form, and in the order of their times; null for another text. A
 * single time may be in any text, and few turns lack words.
 */
function turnsOf(source: string): Turn[] | null {
  const lines = source.split("\n");
  const form = forms.find((each) => lines.some((line) => readStart(each, line) !== null));
  if (!form) return null;
  const turns: Turn[] = [];
  const above: string[] = [];
  for (const [index, text] of lines.entries()) {
    const start = readStart(form, text);
    const last = turns.at(-1);
    if (start) turns.push({ ...start, line: index + 1 });
    else if (!last) above.push(text);
    else if (!SIGNATURE.test(text)) last.said.push(text);
  }
  const preface = above.join("\n");
  const written = turns.filter(({ said }) => said.some((text) => text.trim() !== ""));
  const rises = turns.every(({ start }, at) => at === 0 || start >= turns[at - 1]!.start);
  // Headings with times differ from each other; of people who talk, one speaks again.
  const returns = new Set(turns.map(({ speaker }) => speaker)).size < turns.length;
  const isWhole =
    (form === UNMISTAKABLE || (turns.length > 1 && rises && returns)) &&
    written.length * 2 > turns.length &&
    !turns.some(({ said }) => said.some((text) => OTHER_TIME.test(text))) &&
    (preface.trim() === "" || HEADINGS.test(preface));
  return isWhole ? turns : null;
}

function readStart(form: RegExp, line: string) {
  const { time = "", name = "", said } = form.exec(line)?.groups ?? {};
  const start = secondsOf(time);
  return start === null ? null : { start, speaker: name.trim(), said: said === undefined ? [] : [said] };
}

export const isTurns = (source: string) => turnsOf(source) !== null;

/** Each turn ends when the next begins. */
export const readTurns = (source: string): TimedText[] =>
  (turnsOf(source) ?? []).map(({ line, start, speaker, said }) => ({
    line,
    start,
    end: null,
    text: cueText(said.join("\n"), speaker),
  }));
