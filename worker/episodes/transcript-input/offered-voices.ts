import type { Timed } from "#worker/episodes/transcript-input/repair.ts";

/**
 * A speaker's name before the text: at most five words, the first with a capital or in a script without capitals, such as
 * “Speaker 1: ”; Amazon’s “spk_0: ”, WhisperX’s “[SPEAKER_00]: ” and Deepgram’s “[Speaker 0] ”.
 */
const NAMED =
  /^(?:&gt;&gt;|>>|-)?\s*(?:([\p{Lu}\p{Lo}][^\s:：<>&]*(?: [^\s:：<>&]+){0,4}|spk_\d+)(?::(?=\s|$)|：)|\[([^[\]:<>&]{1,40})\]:(?=\s|$)|\[(S(?:peaker|PEAKER)[ _]\w{1,3})\](?=\s|$))\s*/u;

const MOST_NAME = 40;
/** With more names than a conversation has, they are not speakers. */
const MOST_VOICES = 8;
/** The share of cues with a name above which the other cues have no speaker; below it, they continue the last one. */
const NEARLY_ALL = 0.8;

function nameOf(line: string) {
  const name = NAMED.exec(line)
    ?.slice(1)
    .find((group) => group !== undefined);
  return name !== undefined && name.length <= MOST_NAME ? name : null;
}

/**
 * The few names that recur at the beginnings of cues, as Descript, Otter and Rev write them, the most frequent first.
 */
export function namesIn(timed: Timed[]) {
  // It already has voices.
  if (timed.some(({ text }) => /<v[\s.]/.test(text))) return [];
  const counts = new Map<string, number>();
  for (const { text } of timed) {
    const name = nameOf(text);
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].filter(([, count]) => count > 1).toSorted(([, a], [, b]) => b - a);
  return names.length > MOST_VOICES ? [] : names.map(([name]) => name);
}

/** The same texts with these names as voices instead of words. */
export function withVoices(timed: Timed[], names: string[]): Timed[] {
  const wanted = new Set(names);
  const isNamed = (line: string) => wanted.has(nameOf(line) ?? "");
  const starts = timed.filter(({ text }) => isNamed(text)).length;
  const continues = starts < timed.length * NEARLY_ALL;
  let last = "";
  return timed.map((cue) => {
    if (isSound(cue.text)) return cue;
    let speaker = continues ? last : "";
    const parts: { speaker: string; lines: string[] }[] = [];
    for (const line of cue.text.split("\n")) {
      const isStart = isNamed(line);
      if (isStart) speaker = nameOf(line)!;
      const said = isStart ? line.replace(NAMED, "") : line;
      if (isStart || parts.length === 0) parts.push({ speaker, lines: [] });
      if (said !== "") parts.at(-1)!.lines.push(said);
    }
    last = speaker;
    const spoken = parts.filter(({ lines }) => lines.length > 0);
    const [first] = spoken;
    if (!first) return cue;
    const isOne = spoken.length === 1;
    const text = spoken.map((part) => voiced(part.speaker, part.lines.join("\n"), isOne)).join("\n");
    return { ...cue, text };
  });
}

const voiced = (speaker: string, said: string, isAlone: boolean) =>
  speaker === "" ? said : `<v ${speaker}>${said}${isAlone ? "" : "</v>"}`;

const SOUND = /\[[^[\]]*\]|\([^()]*\)|[♩♪♫♬]/gu;

/** Sounds instead of speech, such as [BLANK_AUDIO], (music) or ♪. */
export const isSound = (text: string) => text.trim() !== "" && text.replace(SOUND, "").trim() === "";
