import { momentsOf } from "#site/ui/zoned-time.ts";
import { SubscriberListQuery } from "#worker/newsletter/contract.ts";
import { z } from "zod";

const day = z.iso.date();

/** The filters in the list's address; days are in the site's time zone. */
export const SubscriberFilters = SubscriberListQuery.omit({ since: true, until: true }).extend({
  from: day.optional(),
  /** The last day, inclusive. */
  to: day.optional(),
});
export type SubscriberFilters = z.infer<typeof SubscriberFilters>;

/** The same in milliseconds. */
export const toListQuery = (
  { from, to, ...query }: SubscriberFilters,
  timeZone: string,
): SubscriberListQuery => ({
  ...query,
  ...(from !== undefined && { since: startOf(from, timeZone) }),
  ...(to !== undefined && { until: startOf(dayAfter(to), timeZone) }),
});

/** Midnight, or the following hour if clocks skip it. */
const startOf = (date: string, timeZone: string) =>
  Math.max(
    0,
    momentsOf(`${date}T00:00`, timeZone)[0] ?? momentsOf(`${date}T01:00`, timeZone)[0] ?? Date.parse(date),
  );

const dayAfter = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
