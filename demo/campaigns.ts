import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { createCampaign, listCampaigns } from "#worker/campaigns/campaigns.ts";
import { NewCampaign } from "#worker/campaigns/contract.ts";
import type { Context } from "#worker/platform/context.ts";

/** Petitions and crowdfunding; what an interrupted load left there is kept. */
export async function loadCampaigns(ctx: Context) {
  const text = readFileSync(join(import.meta.dirname, "campaigns.json"), "utf8");
  const loaded = new Set((await listCampaigns(ctx)).map(({ title }) => title));
  for (const campaign of z.array(NewCampaign).parse(JSON.parse(text)))
    if (!loaded.has(campaign.title)) await createCampaign(ctx, campaign);
}
