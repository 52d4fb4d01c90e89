import bidiFactory from "bidi-js";
import type { FontMetrics } from "#worker/sharing/font-metrics.ts";
import { charactersOf } from "#worker/sharing/words.ts";

/** A font that the drawing library knows. */
export type Face = FontMetrics & {
  /** Its family's name in the font file. */
  name: string;
  /** The width of an outline in ems (font-families.ts). */
  outline: number;
};

/** A part of a line in one font and one direction, as the drawing library writes it from left to right. */
export type Run = { text: string; face: Face };

/** A font, and others for characters that it lacks. */
export type FontStack = FontMetrics & { runsOf: (text: string) => Run[] };

/** Characters that belong to no script, such as spaces and punctuation. */
const COMMON = /^[\p{Script=Common}\p{Script=Inherited}]+$/u;

export function stackOf(primary: Face, others: Face[]): FontStack {
  const faces = [primary, ...others];
  const hasAll = (face: Face, characters: string) => [...characters].every((each) => face.has(each));
  /** A space or a full stop is written in the font of the word before it, if that has one. */
  const faceOf = (character: string, before: Face | undefined) =>
    before && COMMON.test(character) && hasAll(before, character)
      ? before
      : (faces.find((face) => hasAll(face, character)) ??
        faces.find((face) => face.has(character)) ??
        primary);
  const runsOf = (text: string) => {
    const runs: Run[] = [];
    for (const character of charactersOf(text)) {
      const before = runs.at(-1);
      const face = faceOf(character, before?.face);
      if (before?.face === face) before.text += character;
      else runs.push({ text: character, face });
    }
    return runs;
  };
  return {
    has: (character) => faces.some((face) => face.has(character)),
    widthOf: (text) => runsOf(text).reduce((sum, run) => sum + run.face.widthOf(run.text), 0),
    runsOf,
  };
}

const bidi = bidiFactory();

/** Whether a text is written from right to left, by its first letter. */
export const isRightToLeft = (text: string) => bidi.getEmbeddingLevels(text).paragraphs[0]?.level === 1;

/**
 * The runs of a line from left to right (Unicode's bidirectional algorithm, UAX #9). The drawing library orders and joins
 * the letters of a run; it takes each text for one from left to right, so signs at the edges of a run are ordered here.
 */
export function visualRuns(line: string, stack: FontStack, isRtl: boolean): Run[] {
  const { levels } = bidi.getEmbeddingLevels(line, isRtl ? "rtl" : "ltr");
  const runs = splitByLevel(stack.runsOf(line), levels).flatMap((run) =>
    run.level % 2 === 1 ? withOrderedEdges(run) : [run],
  );
  return reordered(runs).flatMap(({ text, face }) => (text === "" ? [] : [{ text, face }]));
}

type LevelRun = Run & { level: number };

function splitByLevel(runs: Run[], levels: Uint8Array) {
  const parts: LevelRun[] = [];
  let at = 0;
  for (const { text, face } of runs) {
    let before: LevelRun | undefined;
    for (const character of charactersOf(text)) {
      const level = levels[at]!;
      if (before?.level === level) before.text += character;
      else parts.push((before = { text: character, face, level }));
      at += character.length;
    }
  }
  return parts;
}

const isLetter = (character: string) => ["R", "AL"].includes(bidi.getBidiCharTypeName(character));

/** The parts before its first and after its last letter, whose signs are mirrored and in the order in which they are seen. */
function withOrderedEdges(run: LevelRun): LevelRun[] {
  const characters = charactersOf(run.text);
  const first = characters.findIndex((each) => isLetter(each[0]!));
  const last = characters.findLastIndex((each) => isLetter(each[0]!));
  const mirrored = (part: string[]) =>
    part
      .toReversed()
      .map((each) => bidi.getMirroredCharacter(each) ?? each)
      .join("");
  if (first < 0) return [{ ...run, text: mirrored(characters) }];
  return [
    { ...run, text: mirrored(characters.slice(0, first)) },
    { ...run, text: characters.slice(first, last + 1).join("") },
    { ...run, text: mirrored(characters.slice(last + 1)) },
  ];
}

/** Rule L2: from the highest level to the lowest odd one, each sequence at that level or above is reversed. */
function reordered(runs: LevelRun[]) {
  const order = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--)
    for (let start = 0; start < order.length; start++) {
      if (order[start]!.level < level) continue;
      let end = start;
      while (end < order.length && order[end]!.level >= level) end++;
      order.splice(start, end - start, ...order.slice(start, end).toReversed());
      start = end;
    }
  return order;
}
