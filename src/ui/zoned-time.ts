/** Milliseconds UTC to the value of a `datetime-local` input in a time zone: yyyy-mm-ddThh:mm. */
export const toZoned = (at: number, timeZone: string) =>
  // Swedish dates look like ISO 8601.
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" })
    .format(at)
    .replace(" ", "T");

const DAY = 86_400_000;

/**
 * The reverse: the moments at which clocks in the zone show that time, the first of them first. Two if the hour occurs
 * twice because clocks go back, none if it is skipped because they go forward.
 */
export function momentsOf(local: string, timeZone: string) {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return [];
  const offsetAt = (at: number) => Date.parse(`${toZoned(at, timeZone)}Z`) - at;
  // Clocks change at most once within two days: the offset before, and the one after.
  const offsets = new Set([offsetAt(asUtc - DAY), offsetAt(asUtc + DAY)]);
  return [...offsets]
    .map((offset) => asUtc - offset)
    .filter((at) => toZoned(at, timeZone) === local)
    .toSorted((a, b) => a - b);
}

/** A zone's distance from UTC at a time: "GMT+11". */
export const offsetName = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "shortOffset" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value ?? "";
