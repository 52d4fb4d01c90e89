/** Milliseconds UTC as a date input has them in a time zone: yyyy-mm-ddThh:mm. */
export const toZoned = (at: number, timeZone: string) =>
  // Sweden writes dates as ISO 8601 does.
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" })
    .format(at)
    .replace(" ", "T");

/** The reverse. Of an hour that occurs twice, either; of one that a clock skips, the same distance beside it. */
export function fromZoned(local: string, timeZone: string) {
  const asUtc = Date.parse(`${local}Z`);
  const offsetAt = (at: number) => Date.parse(`${toZoned(at, timeZone)}Z`) - at;
  return asUtc - offsetAt(asUtc - offsetAt(asUtc));
}
