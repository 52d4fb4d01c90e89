import { and, asc, eq, exists, gte, inArray, sql, type SQL } from "drizzle-orm";
import { hasStatus } from "#worker/letters/queries.ts";
import { deliveries, letters } from "#worker/letters/table.ts";
import type { Outcome } from "#worker/mail/session.ts";
import { addressToMail } from "#worker/newsletter/recipient-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import {
  ageOf,
  claimRows,
  countSettled,
  finishIfDone,
  hasLapsed,
  isDue,
  isRunning,
  nextTry,
  stopStatement,
  storeOutcome,
  type Held,
  type PartialWork,
} from "#worker/platform/work/leases.ts";
import { eventRows } from "#worker/webhooks/record-event.ts";

/** A provider forgets the key of a batch a day after its first submission; after that the batch would be sent twice. */
const KEY_LASTS_MS = 23 * 3_600_000;
/** Milliseconds for which a delivery waits that was deferred at every attempt, if the server took no other either. */
const OUTAGE_WAIT_MS = 24 * 3_600_000;
/** Milliseconds: longer than all attempts of a delivery. */
const ATTEMPTS_LAST_MS = 3 * 3_600_000;
/** Characters of a provider's response that are stored. */
const ANSWER_LENGTH = 300;

export const letterWork: PartialWork = {
  name: "letters",
  table: deliveries,
  isWaiting: sql`${deliveries.status} = 'queued'`,
  isClaimed: sql`${deliveries.status} = 'sending'`,
  lapsesAt: "notBefore",
  // For two hours.
  maxAttempts: 8,
  parent: letters,
  parentId: deliveries.letterId,
  runs: sql`${letters.status} = 'sending'`,
};

/** A delivery that this batch sends. */
export type Claimed = { id: number; subscriberId: string; email: string; attempts: number };
export type Batch = {
  /** The claim's name, which is the batch's idempotency key at the provider. */
  key: string;
  claimed: Claimed[];
  /** Whether it may have been submitted before. */
  isRepeated: boolean;
};

/** SQL: the topic of a letter; null for one to all. */
const topicOf = (letterId: number) =>
  sql`(select ${letters.segment} ->> 'topic' from ${letters} where ${letters.id} = ${letterId})`;

/** The columns that a claim returns; without an address if the subscriber may no longer get letters. */
const claimedColumns = (ctx: Context, letterId: number) => ({
  id: deliveries.id,
  subscriberId: deliveries.subscriberId,
  attempts: deliveries.attempts,
  email: sql<string | null>`${addressToMail(ctx, sql`${deliveries.subscriberId}`, topicOf(letterId))}`,
});

type ClaimedRow = Pick<typeof deliveries.$inferSelect, "id" | "subscriberId" | "attempts"> & {
  email: string | null;
};

const isMailable = (row: ClaimedRow): row is Claimed => row.email !== null && row.subscriberId !== null;

const isOf = (letterId: number) => eq(deliveries.letterId, letterId);
export const heldBy = ({ key, claimed }: Batch): Held => ({ claim: key, ids: claimed.map(({ id }) => id) });

/**
 * Claims the next due deliveries of a letter, unless it was paused; null if there are none. Subscribers who may no
 * longer get letters are skipped.
 */
export async function claimDue(ctx: Context, letterId: number, most: number): Promise<Batch | null> {
  const next = (now: Date) =>
    ctx.db
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(and(isOf(letterId), isDue(letterWork, now), isRunning(letterWork, letterId)))
      .orderBy(asc(deliveries.notBefore))
      .limit(most);
  const address = addressToMail(ctx, sql`${deliveries.subscriberId}`, topicOf(letterId));
  const { claim: key, rows } = await claimRows(ctx, letterWork, {
    which: (now) => inArray(deliveries.id, next(now)),
    set: (now) => ({
      status: sql`iif(${address} is null, 'skipped', 'sending')`,
      settledAt: sql`iif(${address} is null, ${now.getTime()}, null)`,
    }),
    returning: claimedColumns(ctx, letterId),
  });
  return rows.length === 0
    ? null
    : { key, claimed: rows.filter(isMailable).toSorted(byId), isRepeated: false };
}

/**
 * Claims an interrupted batch again, to submit it with the same key; null if there is none. If a subscriber in it has
 * left, it would be a different batch, so the deliveries become uncertain.
 */
export async function claimInterrupted(ctx: Context, letterId: number): Promise<Batch | null> {
  const interrupted = (now: Date) => and(isOf(letterId), hasLapsed(letterWork, now));
  const now = ctx.clock();
  const [first] = await ctx.db
    .select({ key: deliveries.claim })
    .from(deliveries)
    .where(interrupted(now))
    .limit(1);
  if (!first?.key) return null;
  const { key } = first;
  const { rows } = await claimRows(ctx, letterWork, {
    which: (time) => and(interrupted(time), eq(deliveries.claim, key), isRunning(letterWork, letterId)),
    returning: claimedColumns(ctx, letterId),
    claim: key,
  });
  if (rows.length === 0) return null;
  const claimed = rows.filter(isMailable).toSorted(byId);
  const isWhole = claimed.length === rows.length;
  const isKnown = ageOf(key, now) < KEY_LASTS_MS;
  if (isKnown && isWhole && rows.every(({ attempts }) => attempts <= letterWork.maxAttempts))
    return { key, claimed, isRepeated: true };
  await storeOutcomes(
    ctx,
    letterId,
    key,
    rows.map(({ id, attempts }) => ({ id, attempts, outcome: cutOff })),
  );
  return claimInterrupted(ctx, letterId);
}

const byId = (one: Claimed, other: Claimed) => one.id - other.id;

const cutOff = {
  state: "uncertain",
  answer: "Sending was interrupted before the provider’s answer was stored.",
} as const satisfies Outcome;

/**
 * Marks interrupted deliveries as uncertain: without an idempotent provider, nothing shows whether they were sent. The
 * same for cancelled letters, of which nothing is submitted again.
 */
export async function markInterrupted(ctx: Context, letterId: number) {
  const now = ctx.clock();
  const mark = ctx.db
    .update(deliveries)
    .set({ status: "uncertain", answer: cutOff.answer, settledAt: now })
    .where(and(isOf(letterId), hasLapsed(letterWork, now)));
  const counts = { uncertain: sql`${letters.uncertain} + changes()` };
  await ctx.db.batch([mark, countSettled(ctx, letterWork, letterId, counts)]);
}

/** The cancelled letters with an interrupted batch. */
export const listCancelledInterrupted = ({ db, clock }: Context) =>
  db
    .select({ id: letters.id })
    .from(letters)
    .where(
      and(
        eq(letters.status, "cancelled"),
        exists(
          db
            .select({ id: deliveries.id })
            .from(deliveries)
            .where(and(eq(deliveries.letterId, letters.id), hasLapsed(letterWork, clock()))),
        ),
      ),
    );

export type Settled = Pick<Claimed, "id" | "attempts"> & { outcome: Outcome };

/**
 * Stores the outcomes of a batch, and counts them. Deferred deliveries are queued again with a back-off of 1, 2, 4 …
 * minutes, and fail after the last attempt; if the server took no email of the letter during all of these, it is an
 * outage, and they get one more attempt a day later. Untried ones are queued unchanged. For a letter that has been
 * cancelled, nothing is queued again.
 */
export const storeOutcomes = (ctx: Context, letterId: number, key: string, batch: Settled[]) =>
  storeOutcome(letterWork.name, () => writeOutcomes(ctx, letterId, key, batch));

async function writeOutcomes(ctx: Context, letterId: number, key: string, batch: Settled[]) {
  const now = ctx.clock();
  const isLast = ({ attempts, outcome }: Settled) =>
    outcome.state === "deferred" && attempts === letterWork.maxAttempts;
  const isOutage =
    batch.some(isLast) && !(await hasSentSince(ctx, letterId, now.getTime() - ATTEMPTS_LAST_MS));
  const rows = batch.map((settled) => rowOf(settled, now, isOutage && isLast(settled)));
  const given = (field: string) => sql`given.value ->> ${sql.raw(`'${field}'`)}`;
  const isSkipped = sql`${given("status")} = 'queued' and ${hasStatus(letterId, "cancelled")}`;
  // The response may contain the address of a subscriber whose data has been deleted since.
  const unlessForgotten = (value: SQL) => sql`iif(${deliveries.subscriberId} is null, null, ${value})`;
  const store = ctx.db
    .update(deliveries)
    .set({
      status: sql`iif(${isSkipped}, 'skipped', ${given("status")})`,
      answer: unlessForgotten(given("answer")),
      providerId: unlessForgotten(given("providerId")),
      attempts: given("attempts"),
      notBefore: given("notBefore"),
      settledAt: sql`iif(${isSkipped}, ${now.getTime()}, ${given("settledAt")})`,
    })
    .from(sql`json_each(${JSON.stringify(rows)}) as given`)
    .where(and(sql`${deliveries.id} = ${given("id")}`, eq(deliveries.claim, key), letterWork.isClaimed));
  const countOf = (status: string) => rows.filter((row) => row.status === status).length;
  const anew = countedAnew(letterId);
  // Counts are recomputed when a letter ends, and a cancelled one has ended.
  const plus = (status: keyof typeof anew) =>
    sql`iif(${letters.status} = 'cancelled', ${anew[status]}, ${letters[status]} + ${countOf(status)})`;
  const counts = {
    sent: plus("sent"),
    failed: plus("failed"),
    skipped: plus("skipped"),
    uncertain: plus("uncertain"),
    ...(countOf("sent") > 0 && { pausedReason: null }),
  };
  await ctx.db.batch([store, countSettled(ctx, letterWork, letterId, counts)]);
}

async function hasSentSince({ db }: Context, letterId: number, since: number) {
  const sent = and(isOf(letterId), eq(deliveries.status, "sent"), gte(deliveries.settledAt, new Date(since)));
  const [row] = await db.select({ id: deliveries.id }).from(deliveries).where(sent).limit(1);
  return row !== undefined;
}

function rowOf({ id, attempts, outcome }: Settled, now: Date, waitsForDay: boolean) {
  const time = now.getTime();
  const row = { id, attempts, answer: null as string | null, providerId: null as string | null };
  const settled = { notBefore: time, settledAt: time };
  const nextAt = waitsForDay ? time + OUTAGE_WAIT_MS : nextTry(letterWork, attempts, now)?.getTime();
  switch (outcome.state) {
    case "sent":
      return { ...row, status: "sent", providerId: outcome.providerId ?? null, ...settled };
    case "untried":
      return { ...row, status: "queued", attempts: attempts - 1, notBefore: time, settledAt: null };
    case "deferred":
      return nextAt === undefined
        ? { ...row, status: "failed", answer: shortened(outcome), ...settled }
        : { ...row, status: "queued", answer: shortened(outcome), notBefore: nextAt, settledAt: null };
    case "failed":
    case "uncertain":
      return { ...row, status: outcome.state, answer: shortened(outcome), ...settled };
  }
}

const shortened = ({ answer }: { answer: string }) => answer.slice(0, ANSWER_LENGTH);

/** The rest of a letter. Times are milliseconds UTC; null for none. */
export type Open = { nextAt: number | null; claimedUntil: number | null };

export async function readOpen({ db }: Context, letterId: number): Promise<Open> {
  const earliest = (status: string) => sql<
    number | null
  >`(select min(${deliveries.notBefore}) from ${deliveries}
    where ${deliveries.letterId} = ${letterId} and ${deliveries.status} = ${status})`;
  const [open] = await db.all<Open>(
    sql`select ${earliest("queued")} as nextAt, ${earliest("sending")} as claimedUntil`,
  );
  return open!;
}

/** The counts of a letter, from its deliveries. */
export function countedAnew(letterId: number) {
  const of = (status: string) => sql`(select count(*) from ${deliveries}
    where ${deliveries.letterId} = ${letterId} and ${deliveries.status} = ${status})`;
  return { sent: of("sent"), failed: of("failed"), skipped: of("skipped"), uncertain: of("uncertain") };
}

/** Finishes a letter without anything left to send. */
export async function finishLetter(ctx: Context, letterId: number) {
  const ended = { status: "sent", finishedAt: ctx.clock(), pausedReason: null };
  const event = eventRows(ctx, "letter.sent", {
    from: sql`from ${letters} where ${letters.id} = ${letterId} and changes() > 0`,
    item: sql`${letters.id}`,
    // Once, also if uncertain deliveries are sent again.
    version: sql`${letters.startedAt}`,
    data: {
      id: sql`${letters.id}`,
      title: sql`${letters.subject}`,
      url: sql`iif(${letters.isPublic}, ${`${ctx.config.siteUrl}/letters/`} || ${letters.id}, null)`,
    },
  });
  await ctx.db.batch([
    finishIfDone(ctx, letterWork, letterId, { ...ended, ...countedAnew(letterId) }),
    event,
  ]);
}

/** Pauses a letter that cannot be sent, with the reason. */
export const stopLetter = (ctx: Context, letterId: number, pausedReason: string) =>
  stopStatement(ctx, letterWork, letterId, { status: "paused", pausedReason });

/**
 * The statement that anonymises the deliveries of subscribers before they are deleted: it removes the provider's answer,
 * which may contain the address, the provider's message id, and the answer to the letter's question. The outcomes and counts
 * stay, anonymous. `subscriberIds` lists or
 * selects ids.
 */
export const forgetDeliveries = ({ db }: Pick<Context, "db">, subscriberIds: SQL) =>
  db
    .update(deliveries)
    .set({ answer: null, providerId: null, choice: null })
    .where(sql`${deliveries.subscriberId} in (${subscriberIds})`);
