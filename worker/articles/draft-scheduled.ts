import { and, eq, type SQL } from "drizzle-orm";
import { articles } from "#worker/articles/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** The statement that makes drafts of all scheduled articles, if `isDue`. */
export const draftScheduledArticles = ({ db, now }: Context, isDue: SQL) =>
  db
    .update(articles)
    .set({ status: "draft", scheduledFor: null, updatedAt: now })
    .where(and(eq(articles.status, "scheduled"), isDue));
