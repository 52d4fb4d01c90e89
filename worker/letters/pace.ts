import { eq, sql } from "drizzle-orm";
import { sendingDays } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Site } from "#worker/settings/contract.ts";

export type Pace = Pick<Site["newsletter"], "perSecond" | "batchSize" | "perDay">;

/** The largest batch in seconds of a limited rate, so that a letter does not leave in one burst. */
const BURST_SECONDS = 10;

/** The maximum size of the next batch. */
export const batchSizeOf = ({ perSecond, batchSize }: Pace) =>
  perSecond === null ? batchSize : Math.min(batchSize, perSecond * BURST_SECONDS);

/** The minimum time for these letters, in milliseconds. */
export const durationOf = ({ perSecond }: Pace, letters: number) =>
  perSecond === null ? 0 : (letters / perSecond) * 1000;

const dayOf = (time: Date) => time.toISOString().slice(0, 10);

/** Milliseconds until the next day begins, UTC. */
export const untilTomorrow = ({ clock }: Context) => {
  const now = clock().getTime();
  return 86_400_000 - (now % 86_400_000);
};

/** Reserves up to `most` letters of the day's remaining quota, and returns how many; one statement if there is room. */
export async function takeOfDay(ctx: Context, { perDay }: Pace, most: number): Promise<number> {
  if (perDay === null) return most;
  const wanted = Math.min(most, perDay);
  const day = dayOf(ctx.clock());
  const taken = await ctx.db
    .insert(sendingDays)
    .values({ day, letters: wanted })
    .onConflictDoUpdate({
      target: sendingDays.day,
      set: { letters: sql`${sendingDays.letters} + excluded.letters` },
      setWhere: sql`${sendingDays.letters} + excluded.letters <= ${perDay}`,
    })
    .returning({ day: sendingDays.day });
  if (taken.length > 0) return wanted;
  const [row] = await ctx.db.select().from(sendingDays).where(eq(sendingDays.day, day));
  const left = Math.max(0, perDay - (row?.letters ?? 0));
  return left === 0
    ? 0
    : takeOfDay(ctx, { perDay, perSecond: null, batchSize: left }, Math.min(left, wanted - 1));
}

/** Returns unsent letters to the quota of the day that they were reserved from. */
export async function giveBack({ db }: Context, { perDay }: Pace, letters: number, takenAt: Date) {
  if (perDay === null || letters === 0) return;
  await db
    .update(sendingDays)
    .set({ letters: sql`max(0, ${sendingDays.letters} - ${letters})` })
    .where(eq(sendingDays.day, dayOf(takenAt)));
}

/** Deletes past days, which are never read again. */
export const pruneSendingDays = ({ db, now }: Context) =>
  db.delete(sendingDays).where(sql`${sendingDays.day} < ${dayOf(now)}`);
