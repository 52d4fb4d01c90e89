import { and, eq, sql, type SQL } from "drizzle-orm";
import { shows } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** The statement that moves the feed's date if the condition holds; part of every batch that writes episodes. */
export function touchFeed(ctx: Context, isShown: SQL) {
  return ctx.db
    .update(shows)
    .set({ feedChangedAt: laterFeedChange(ctx) })
    .where(and(eq(shows.id, 1), isShown));
}

/** Two changes within one millisecond get two dates. */
export const laterFeedChange = ({ now }: Context) => sql`max(${now.getTime()}, ${shows.feedChangedAt} + 1)`;
