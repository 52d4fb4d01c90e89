import { and, asc, eq, gte, isNull, or, sql } from "drizzle-orm";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";
import { NewEngagement, type Engagement } from "#worker/speaking/contract.ts";
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

/** @throws `unauthenticated`, `forbidden`; `invalid` */
export async function createEngagement(ctx: Context, input: NewEngagement): Promise<Engagement> {
  requireCapability("edit", ctx);
  const { date, ...engagement } = parseInput(NewEngagement, input);
  const insert = ctx.db
    .insert(engagements)
    .values({
      ...engagement,
      date: date === null ? null : new Date(date),
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning(engagementColumns);
  const [[created]] = await ctx.db.batch([insert, changed(ctx, "engagements")]);
  return toEngagement(created!);
}
