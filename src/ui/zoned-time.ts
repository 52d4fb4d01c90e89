/** Milliseconds UTC to the value of a `datetime-local` input in a time zone: yyyy-mm-ddThh:mm. */
export const toZoned = (at: number, timeZone: string) =>
  // Swedish dates look like ISO 8601.
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" })
    .format(at)
    .replace(" ", "T");

/** The reverse. An hour that occurs twice gives either one; a skipped hour gives the hour before or after. */
export function fromZoned(local: string, timeZone: string) {
  const asUtc = Date.parse(`${local}Z`);
  const offsetAt = (at: number) => Date.parse(`${toZoned(at, timeZone)}Z`) - at;
  return asUtc - offsetAt(asUtc - offsetAt(asUtc));
}
