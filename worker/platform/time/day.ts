/** Cached, since a formatter is expensive to create. One is enough: a site has one time zone. */
let known: { timeZone: string; format: Intl.DateTimeFormat } | undefined;

function formatOf(timeZone: string) {
  // Swedish dates look like ISO 8601.
  known =
    known?.timeZone === timeZone
      ? known
      : { timeZone, format: new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }) };
  return known.format;
}

/** The date in a time zone, yyyy-mm-dd. */
export const dayIn = (timeZone: string, now: Date) => formatOf(timeZone).format(now);
