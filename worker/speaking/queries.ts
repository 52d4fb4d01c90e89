import { and, asc, eq, gte, isNull, or, sql } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { dayIn } from "#worker/platform/time/day.ts";
import { timeZoneSetting } from "#worker/settings/queries.ts";
import type { Engagement } from "#worker/speaking/contract.ts";
import { engagements } from "#worker/speaking/table.ts";

/** The list has no second page. */
const MOST_UPCOMING = 50;

const DAY_MS = 86_400_000;

export const engagementColumns = {
  id: engagements.id,
  title: engagements.title,
  description: engagements.description,
  date: engagements.date,
  venue: engagements.venue,
  location: engagements.location,
  audienceSize: engagements.audienceSize,
};

export const toEngagement = <Row extends { date: Date | null }>(row: Row) => ({
  ...row,
  date: row.date?.getTime() ?? null,
});

/** Upcoming engagements, soonest first; undated ones last. Each is listed until its day is over in the site's time zone. */
export async function listUpcomingEngagements({ db, now, dependsOn }: Context): Promise<Engagement[]> {
  dependsOn("engagements", "site");
  // A date is midnight UTC of its day, which ends 36 hours later in the westernmost time zone.
  const mayLast = gte(engagements.date, new Date(now.getTime() - 1.5 * DAY_MS));
  const rows = await db
    .select({ ...engagementColumns, timeZone: timeZoneSetting })
    .from(engagements)
    .where(and(eq(engagements.status, "upcoming"), or(isNull(engagements.date), mayLast)))
    .orderBy(sql`${engagements.date} is null`, asc(engagements.date), asc(engagements.id))
    .limit(MOST_UPCOMING);
  return rows
    .filter(({ date, timeZone }) => date === null || dayIn("UTC", date) >= dayIn(timeZone, now))
    .map(({ timeZone: _timeZone, ...row }) => toEngagement(row));
}

/** SQL: the id of the engagement that was created from a booking. */
export const engagementOfBooking = (bookingId: number) =>
  sql<number>`(select ${engagements.id} from ${engagements} where ${engagements.bookingId} = ${bookingId})`;
