import { momentsOf } from "#worker/platform/time/zoned-time.ts";

/** Days of a filter, in the site's time zone, as milliseconds UTC. */

/** Midnight, or the following hour if clocks skip it. */
export const startOfDay = (date: string, timeZone: string) =>
  Math.max(
    0,
    momentsOf(`${date}T00:00`, timeZone)[0] ?? momentsOf(`${date}T01:00`, timeZone)[0] ?? Date.parse(date),
  );

/** The start of the next day. */
export const afterDay = (date: string, timeZone: string) =>
  startOfDay(new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10), timeZone);
