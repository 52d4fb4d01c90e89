import { asc, eq } from "drizzle-orm";
import type { Campaign } from "#worker/campaigns/contract.ts";
import { campaigns } from "#worker/campaigns/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** More at once than a visitor would read through. */
const MOST_ACTIVE = 50;

export const campaignColumns = {
  id: campaigns.id,
  type: campaigns.type,
  title: campaigns.title,
  description: campaigns.description,
  reference: campaigns.reference,
  category: campaigns.category,
  embedUrl: campaigns.embedUrl,
};

/** The active campaigns in the owner's order. */
export function listCampaigns(ctx: Context): Promise<Campaign[]> {
  ctx.dependsOn("campaigns");
  return ctx.db
    .select(campaignColumns)
    .from(campaigns)
    .where(eq(campaigns.status, "active"))
    .orderBy(asc(campaigns.sortOrder), asc(campaigns.id))
    .limit(MOST_ACTIVE);
}

/** Whether the page's content policy lets the address be framed: https, and its host among the settings' frame hosts. */
export function mayFrame(embedUrl: string, frameHosts: string[]) {
  const { protocol, host } = new URL(embedUrl);
  return protocol === "https:" && frameHosts.includes(host);
}
