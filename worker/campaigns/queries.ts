import { asc, eq, max } from "drizzle-orm";
import { MOST_CAMPAIGNS, type Campaign } from "#worker/campaigns/contract.ts";
import { campaigns } from "#worker/campaigns/table.ts";
import type { Context } from "#worker/platform/context.ts";

export const campaignColumns = {
  id: campaigns.id,
  type: campaigns.type,
  title: campaigns.title,
  description: campaigns.description,
  reference: campaigns.reference,
  category: campaigns.category,
  embedUrl: campaigns.embedUrl,
};

export const inOrder = [asc(campaigns.sortOrder), asc(campaigns.id)] as const;

/** The active campaigns in the owner's order. */
export function listCampaigns(ctx: Context): Promise<Campaign[]> {
  ctx.dependsOn("campaigns");
  return ctx.db
    .select(campaignColumns)
    .from(campaigns)
    .where(eq(campaigns.status, "active"))
    .orderBy(...inOrder)
    .limit(MOST_CAMPAIGNS);
}

/** The last change of the active campaigns; undefined if there are none. */
export async function readCampaignsDate({ db }: Context) {
  const [row] = await db
    .select({ changedAt: max(campaigns.updatedAt) })
    .from(campaigns)
    .where(eq(campaigns.status, "active"));
  return row?.changedAt ?? undefined;
}
