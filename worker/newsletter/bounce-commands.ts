import { eq } from "drizzle-orm";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
export async function takeOffBadAddresses(
  { db, now }: Context,
  bad: { subscriberId: string; reason: string }[],
) {
  for (const { subscriberId, reason } of bad)
    await db
      .update(subscribers)
      .set({ status: "bounced", blockedAt: now, blockedReason: reason })
      .where(eq(subscribers.id, subscriberId));
}
