/** The day that it is in a time zone, yyyy-mm-dd: Swedish dates look like ISO 8601. */
export const dayIn = (timeZone: string, now: Date) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(now);
