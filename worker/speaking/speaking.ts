import { and, asc, eq, gte, isNull, or, sql } from "drizzle-orm";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import type { Engagement, NewEngagement } from "#worker/speaking/contract.ts";
import { engagements } from "#worker/speaking/table.ts";

/** More ahead than a visitor would read through. */
const MOST_UPCOMING = 50;
const DAY_MS = 86_400_000;

/** What is still to come, soonest first; what has no date yet stands last. */
export async function listUpcomingEngagements({ db, now, dependsOn }: Context): Promise<Engagement[]> {
  dependsOn("engagements");
  // A day begins at midnight UTC and lasts; one that has passed is not upcoming, whatever its status still says.
  const notOver = gte(engagements.date, new Date(now.getTime() - DAY_MS));
  const rows = await db
    .select({
      id: engagements.id,
      title: engagements.title,
      description: engagements.description,
      date: engagements.date,
      venue: engagements.venue,
      location: engagements.location,
      audienceSize: engagements.audienceSize,
    })
    .from(engagements)
    .where(and(eq(engagements.status, "upcoming"), or(isNull(engagements.date), notOver)))
    .orderBy(sql`${engagements.date} is null`, asc(engagements.date), asc(engagements.id))
    .limit(MOST_UPCOMING);
  return rows.map((row) => ({ ...row, date: row.date?.getTime() ?? null }));
}

export async function createEngagement(ctx: Context, { date, ...input }: NewEngagement) {
  requireCapability("edit", ctx);
  const insert = ctx.db
    .insert(engagements)
    .values({ ...input, date: date === null ? null : new Date(date), createdAt: ctx.now, updatedAt: ctx.now })
    .returning({ id: engagements.id });
  const [[created]] = await ctx.db.batch([insert, changed(ctx, "engagements")]);
  return { id: created!.id };
}
