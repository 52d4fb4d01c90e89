import { and, asc, eq, gte, isNull, or, sql } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
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

/** Upcoming engagements, soonest first; undated ones last. */
export async function listUpcomingEngagements({ db, now, dependsOn }: Context): Promise<Engagement[]> {
  dependsOn("engagements");
  // A date is midnight UTC of its day: the engagement stays listed until that day is over, whatever its status.
  const notOver = gte(engagements.date, new Date(now.getTime() - DAY_MS));
  const rows = await db
    .select(engagementColumns)
    .from(engagements)
    .where(and(eq(engagements.status, "upcoming"), or(isNull(engagements.date), notOver)))
    .orderBy(sql`${engagements.date} is null`, asc(engagements.date), asc(engagements.id))
    .limit(MOST_UPCOMING);
  return rows.map(toEngagement);
}
