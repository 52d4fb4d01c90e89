import { SubscriberListQuery } from "#worker/newsletter/contract.ts";
import { z } from "zod";
import { afterDay, startOfDay } from "../../lists/days.ts";

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
  ...(from !== undefined && { since: startOfDay(from, timeZone) }),
  ...(to !== undefined && { until: afterDay(to, timeZone) }),
});
