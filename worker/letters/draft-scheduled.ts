import { and, eq, type SQL } from "drizzle-orm";
import { letters } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** The statement that makes drafts of all scheduled letters, with the reason, if `isDue`. */
export const draftScheduledLetters = ({ db, now }: Context, reason: string, isDue: SQL) =>
  db
    .update(letters)
    .set({ status: "draft", scheduledFor: null, pausedReason: reason, updatedAt: now })
    .where(and(eq(letters.status, "scheduled"), isDue));
