import { desc, eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { DeliveryTo } from "#worker/letters/contract.ts";
import { deliveries, letters } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";

const LATEST = 20;

/**
 * The latest letters to a subscriber, newest first.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listDeliveriesTo(ctx: Context, subscriberId: string): Promise<DeliveryTo[]> {
  requireCapability("audience", ctx);
  const rows = await ctx.db
    .select({
      letterId: deliveries.letterId,
      subject: letters.subject,
      status: deliveries.status,
      feedback: deliveries.feedback,
      answer: deliveries.answer,
      settledAt: deliveries.settledAt,
    })
    .from(deliveries)
    .innerJoin(letters, eq(letters.id, deliveries.letterId))
    .where(eq(deliveries.subscriberId, subscriberId))
    .orderBy(desc(deliveries.letterId))
    .limit(LATEST);
  return rows.map((row) => ({ ...row, settledAt: row.settledAt?.getTime() ?? null }));
}
