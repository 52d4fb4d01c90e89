/**
 * Seconds of a clock, as WebVTT, SRT, SBV and ASS have it, and as people write it, too: hours may be missing, and there may
 * be a comma. Null for no time.
 */
export function secondsOf(time: string) {
  const match = /^(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9}))?$/.exec(time);
  if (!match) return null;
  const [, hours = "0", minutes = "0", seconds = "0", fraction = "0"] = match;
  if (Number(minutes) > 59 || Number(seconds) > 59) return null;
  return toMs(Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${fraction}`));
}

/** Seconds rounded to milliseconds, as stored. */
export const toMs = (seconds: number) => Math.round(seconds * 1000) / 1000;
