import { and, eq, type SQL } from "drizzle-orm";
import { episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** The statement that makes drafts of all scheduled episodes, if `isDue`. */
export const draftScheduledEpisodes = ({ db, now }: Context, isDue: SQL) =>
  db
    .update(episodes)
    .set({ status: "draft", scheduledFor: null, updatedAt: now })
    .where(and(eq(episodes.status, "scheduled"), isDue));
