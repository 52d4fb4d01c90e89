import { and, asc, eq, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { ReportQuery, type LetterCounts, type ReportedDelivery } from "#worker/letters/contract.ts";
import { countColumns, countsOf, letterNotFound } from "#worker/letters/queries.ts";
import { deliveries, letterLinks, letters } from "#worker/letters/table.ts";
import { subscriberEmail } from "#worker/newsletter/recipient-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { cursorOf, newerThan, pageOf } from "#worker/platform/data/keyset.ts";

const PAGE = 50;

const cameBack = ["bounced", "complained", "unsubscribed"] as const;
const isFeedback = (of: string): of is (typeof cameBack)[number] =>
  (cameBack as readonly string[]).includes(of);

/**
 * The deliveries of a letter that ended in one way, in the order in which they were submitted. `before` is the previous
 * page's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found`, also for a malformed cursor; `invalid`
 */
export async function listDeliveries(ctx: Context, letterId: number, query: ReportQuery) {
  requireCapability("audience", ctx);
  const { of, before } = parseInput(ReportQuery, query);
  const kind = isFeedback(of) ? eq(deliveries.feedback, of) : eq(deliveries.status, of);
  const order = isFeedback(of) ? sql`0` : sql`${deliveries.notBefore}`;
  const rows = await ctx.db
    .select({
      id: deliveries.id,
      email: subscriberEmail(sql`${deliveries.subscriberId}`),
      answer: deliveries.answer,
      attempts: deliveries.attempts,
      settledAt: deliveries.settledAt,
      order: sql<number>`${order}`,
    })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.letterId, letterId),
        kind,
        before === undefined ? undefined : newerThan(before, order, deliveries.id),
      ),
    )
    .orderBy(...(isFeedback(of) ? [] : [asc(deliveries.notBefore)]), asc(deliveries.id))
    .limit(PAGE + 1);
  const { items, next } = pageOf(rows, PAGE, ({ order: at, id }) => cursorOf(at, id));
  return {
    items: items.map(({ id, email, answer, attempts, settledAt }): ReportedDelivery => ({
      id,
      email,
      answer,
      attempts,
      settledAt: settledAt?.getTime() ?? null,
    })),
    next,
  };
}

export type LetterProgress = {
  status: (typeof letters.$inferSelect)["status"];
  pausedReason: string | null;
  counts: LetterCounts;
};

/**
 * A letter's progress; reads one row, since the page polls it every few seconds.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readProgress(ctx: Context, letterId: number): Promise<LetterProgress> {
  requireCapability("audience", ctx);
  const [row] = await ctx.db
    .select({ status: letters.status, pausedReason: letters.pausedReason, ...countColumns })
    .from(letters)
    .where(eq(letters.id, letterId));
  if (!row) throw letterNotFound();
  const { status, pausedReason, ...counts } = row;
  return { status, pausedReason, counts: countsOf(counts) };
}

/**
 * The clicks of each link of a letter, in the order of the text; empty if they were not counted.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listLinks(ctx: Context, letterId: number) {
  requireCapability("audience", ctx);
  return ctx.db
    .select({ position: letterLinks.position, url: letterLinks.url, presses: letterLinks.presses })
    .from(letterLinks)
    .where(eq(letterLinks.letterId, letterId))
    .orderBy(asc(letterLinks.position));
}
