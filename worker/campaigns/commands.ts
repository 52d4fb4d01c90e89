import { requireCapability } from "#worker/access/capabilities.ts";
import { CampaignOrder } from "#worker/campaigns/contract.ts";
import { campaignList, listAllCampaigns } from "#worker/campaigns/owner-queries.ts";
import { campaigns } from "#worker/campaigns/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { numberInOrder } from "#worker/platform/data/order.ts";

export const createCampaign = campaignList.create;
export const updateCampaign = campaignList.update;
export const deleteCampaign = campaignList.remove;

/**
 * Numbers the campaigns from 1 in the given order.
 * @throws `unauthenticated`, `forbidden`; `invalid`; `conflict` if campaigns were added or deleted in between
 */
export async function reorderCampaigns(ctx: Context, input: CampaignOrder) {
  requireCapability("edit", ctx);
  const { ids } = parseInput(CampaignOrder, input);
  return numberInOrder(ctx, { table: campaigns, noun: "campaigns", tag: "campaigns", ids }, listAllCampaigns);
}
