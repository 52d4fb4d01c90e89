import { readCues, writeCues, type EditableCue } from "../transcript-cues.ts";

/** A name as the model wrote it, and as the show writes it. */
export type Correction = { from: string; to: string; count: number };

/** Letters of a word or name; shorter parts of names are too like other words. */
const SHORTEST = 5;
/** Corrections that are offered. */
const MOST = 30;
const WORD = /[\p{L}\p{M}’'-]+/gu;
const VOICE = /^Speaker (\d+)$/;

/** The model's voices, each with the first words that it says. */
export function voicesIn(transcript: string) {
  const voices = new Map<string, string>();
  for (const { speaker, text } of readCues(transcript) ?? [])
    if (speaker && VOICE.test(speaker) && !voices.has(speaker))
      voices.set(speaker, text.replaceAll("\n", " "));
  return [...voices]
    .map(([voice, says]) => ({ voice, says }))
    .toSorted((a, b) => numberOf(a.voice) - numberOf(b.voice));
}

const numberOf = (voice: string) => Number(VOICE.exec(voice)?.[1]);

/** Words that are nearly a name that the show knows: the whole name, or a part of it. The most frequent are first. */
export function correctionsIn(transcript: string, names: string[]): Correction[] {
  const wanted = new Map<string, string[]>();
  for (const name of names) {
    const parts = name.match(WORD) ?? [];
    if (name.trim() !== "") wanted.set(parts.join(" "), parts);
    for (const part of parts) if (part.length >= SHORTEST) wanted.set(part, [part]);
  }
  const right = new Set([...wanted.values()].flat().map(folded));
  const found = new Map<string, Correction>();
  for (const { text } of readCues(transcript) ?? []) {
    const words = text.match(WORD) ?? [];
    for (const [to, parts] of wanted)
      for (let at = 0; at + parts.length <= words.length; at++) {
        const heard = words.slice(at, at + parts.length);
        if (!isNearly(heard, parts, right)) continue;
        const from = heard.join(" ");
        // It may not be written with one space between.
        if (!text.includes(from)) continue;
        const key = `${from}\n${to}`;
        found.set(key, { from, to, count: (found.get(key)?.count ?? 0) + 1 });
      }
  }
  const all = [...found.values()].toSorted((a, b) => b.count - a.count);
  // A part is offered only where the whole name is not.
  return all.filter((one) => !all.some((other) => other !== one && isPartOf(one, other))).slice(0, MOST);
}

const isPartOf = (one: Correction, other: Correction) =>
  other.from.split(" ").includes(one.from) && other.to.split(" ").includes(one.to);

function isNearly(heard: string[], name: string[], right: Set<string>) {
  let wrong = 0;
  for (const [at, word] of heard.entries()) {
    const [one, other] = [folded(word), folded(name[at]!)];
    if (one === other) continue;
    const most = other.length >= 8 ? 2 : other.length >= 4 ? 1 : 0;
    // A name begins with a capital, in scripts that have them; and another person's name is no mistake.
    if (word[0] === word[0]!.toLowerCase() && word[0] !== word[0]!.toUpperCase()) return false;
    if (right.has(one) || distance(one, other) > most) return false;
    wrong++;
  }
  return wrong > 0;
}

const folded = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Letters that are wrong, missing or too many. */
function distance(one: string, other: string) {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let to = 1; to <= other.length; to++)
      next[to] = Math.min(row[to]! + 1, next[to - 1]! + 1, row[to - 1]! + (letter === other[to - 1] ? 0 : 1));
    row = next;
  }
  return row.at(-1)!;
}

type Choice = { voices: Record<string, string>; corrections: Pick<Correction, "from" | "to">[] };

/** The transcript with names for its voices, and with these corrections. */
export function withNames(transcript: string, { voices, corrections }: Choice) {
  const cues = readCues(transcript);
  if (!cues) return transcript;
  const named = (speaker: EditableCue["speaker"]) => (speaker && voices[speaker]?.trim()) || speaker;
  return writeCues(
    cues.map((cue) => ({ ...cue, speaker: named(cue.speaker), text: corrected(cue.text, corrections) })),
  );
}

const corrected = (text: string, corrections: Choice["corrections"]) =>
  corrections.reduce(
    (before, { from, to }) =>
      before.replace(new RegExp(`(?<![\\p{L}\\p{M}])${literal(from)}(?![\\p{L}\\p{M}])`, "gu"), () => to),
    text,
  );

const literal = (text: string) =>
  text.replace(/[$()*+.?[\\\]^{|}-]/g, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`);
