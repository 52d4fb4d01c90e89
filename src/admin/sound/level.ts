import {
  decibels,
  HIGHEST_PEAK,
  targetOf,
  TOLERANCE,
  type Loudness,
} from "#worker/files/loudness/contract.ts";
import { STEP, type Room } from "./mp3-gain.ts";

/** How a recording would be levelled: by `steps` of `STEP` dB. 0 if it is not, and `words` say why. */
export type LevelPlan = { steps: number; words: string };

/** The steps that bring a recording nearest to its target, of which none lifts its peaks above the limit. */
export function planLevel(loudness: Loudness): LevelPlan {
  const { integrated, truePeak } = loudness;
  if (integrated === null || truePeak === null) return none("A silent recording can’t be levelled.");
  const target = targetOf(loudness);
  const wanted = Math.round((target - integrated) / STEP);
  const apart = Math.abs(integrated - target);
  if (apart <= TOLERANCE || wanted === 0) return none("The recording is as loud as it should be.");
  const allowed = Math.floor((HIGHEST_PEAK - truePeak) / STEP);
  const steps = wanted < 0 ? wanted : Math.min(wanted, Math.max(0, allowed));
  if (steps === 0)
    return none(
      "The peaks leave no room: louder, they would be distorted. Compress the recording in an audio program first.",
    );
  const [after, peak] = [integrated + steps * STEP, truePeak + steps * STEP];
  const result = `${gainInWords(steps)}: about ${decibels(after)} LUFS, with peaks of ${decibels(peak)} dBTP.`;
  return {
    steps,
    words: steps < wanted ? `${result} The peaks allow no more.` : result,
  };
}

const none = (words: string): LevelPlan => ({ steps: 0, words });

/** "+4.5 dB". */
export const gainInWords = (steps: number) => `${steps > 0 ? "+" : ""}${decibels(steps * STEP)} dB`;

/** As many of the wanted steps as the fields of the file have room for. */
export const withinRoom = (steps: number, { down, up }: Room) => Math.max(-down, Math.min(up, steps));
