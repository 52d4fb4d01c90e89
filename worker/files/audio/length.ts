import type { FileFlaw } from "#worker/files/contract.ts";

/** The duration of an audio file, and the one that it states. */
export type Length = {
  /** The part that players play; null if unknown. */
  seconds: number | null;
  flaw: FileFlaw | null;
  /** The duration that the file states, if it differs. */
  statedSeconds: number | null;
};

export const whole = (seconds: number | null): Length => ({ seconds, flaw: null, statedSeconds: null });

/** Encoders round, and count the silence that they begin with. */
const TOLERANCE = 0.5;

/** What is there of a file that says that it lasts longer. */
export const cutTo = (seconds: number, stated: number): Length =>
  stated - seconds > TOLERANCE ? { seconds, flaw: "cut_off", statedSeconds: stated } : whole(stated);
