/** Cached, since a formatter is expensive to create. One is enough: a site has one time zone. */
let known: { timeZone: string; format: Intl.DateTimeFormat } | undefined;

function formatOf(timeZone: string) {
  // Swedish dates look like ISO 8601.
  known =
    known?.timeZone === timeZone
      ? known
      : {
          timeZone,
          format: new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" }),
        };
  return known.format;
}

/** Milliseconds UTC to the value of a `datetime-local` input in a time zone: yyyy-mm-ddThh:mm. */
export const toZoned = (at: number, timeZone: string) => formatOf(timeZone).format(at).replace(" ", "T");

const DAY = 86_400_000;

/**
 * The reverse: the moments at which clocks in the zone show that time, the first of them first. Two if the hour occurs
 * twice because clocks go back, none if it is skipped because they go forward.
 */
export function momentsOf(local: string, timeZone: string) {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return [];
  // Clocks change at most once within two days: the offset before, and the one after.
  const offsets = new Set([offsetAt(asUtc - DAY, timeZone), offsetAt(asUtc + DAY, timeZone)]);
  return [...offsets]
    .map((offset) => asUtc - offset)
    .filter((at) => toZoned(at, timeZone) === local)
    .toSorted((a, b) => a - b);
}

/** The same time, or while clocks skip it the one that they show in its place: 03:30 for 02:30. */
export function momentAt(local: string, timeZone: string) {
  const [first] = momentsOf(local, timeZone);
  if (first !== undefined) return first;
  const asUtc = Date.parse(`${local}Z`);
  return asUtc - offsetAt(asUtc - DAY, timeZone);
}

/** Milliseconds, for a whole minute. */
const offsetAt = (at: number, timeZone: string) => Date.parse(`${toZoned(at, timeZone)}Z`) - at;

/** A zone's distance from UTC at a time: "GMT+11". */
export const offsetName = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "shortOffset" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value ?? "";
