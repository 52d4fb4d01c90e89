import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createCampaign } from "#worker/campaigns/commands.ts";
import { listCampaigns } from "#worker/campaigns/queries.ts";
import type { NewCampaign } from "#worker/campaigns/contract.ts";
import type { Context } from "#worker/platform/context.ts";

/** Petitions and crowdfunding; skips those that an interrupted load has already created. */
export async function loadCampaigns(ctx: Context) {
  const text = readFileSync(join(import.meta.dirname, "campaigns.json"), "utf8");
  const loaded = new Set((await listCampaigns(ctx)).map(({ title }) => title));
  for (const campaign of JSON.parse(text) as NewCampaign[])
    if (!loaded.has(campaign.title)) await createCampaign(ctx, campaign);
}
