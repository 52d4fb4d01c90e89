import { and, eq, isNotNull, type SQL, type SQLWrapper } from "drizzle-orm";
import { letters } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** The statement that makes drafts of all scheduled letters, with the reason, if `isDue`. */
export const draftScheduledLetters = ({ db, now }: Context, reason: string, isDue: SQL) =>
  db
    .update(letters)
    .set({ status: "draft", scheduledFor: null, pausedReason: reason, updatedAt: now })
    .where(and(eq(letters.status, "scheduled"), isDue));

/**
 * The statement that makes drafts of the scheduled letters that an automatic letter made, with the reason. `isDue`: SQL of a
 * letter's id.
 */
export const draftAutomaticLetters = (ctx: Context, reason: string, isDue: (letterId: SQLWrapper) => SQL) =>
  draftScheduledLetters(ctx, reason, and(isNotNull(letters.automaticLetterId), isDue(letters.id))!);
