import { requireCapability } from "#worker/access/capabilities.ts";
import {
  CampaignChange,
  campaignDefaults,
  MOST_CAMPAIGNS,
  NewCampaign,
  type CampaignInput,
  type CampaignRow,
} from "#worker/campaigns/contract.ts";
import { campaignColumns, inOrder } from "#worker/campaigns/queries.ts";
import { campaigns } from "#worker/campaigns/table.ts";
import { shortList } from "#worker/nouns/short-list.ts";
import type { Context } from "#worker/platform/context.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";
import { placeAtEnd, readPlaceAtEnd } from "#worker/platform/data/order.ts";

/**
 * Every campaign in the owner's order, active or closed. There are about `MOST_CAMPAIGNS` at most, so there is one page.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listAllCampaigns(ctx: Context) {
  requireCapability("edit", ctx);
  const rows: CampaignRow[] = await ctx.db
    .select({ ...campaignColumns, status: campaigns.status, sortOrder: campaigns.sortOrder })
    .from(campaigns)
    .orderBy(...inOrder);
  return wholeList(rows);
}

/**
 * The initial values of a new campaign's form.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readNewCampaign(ctx: Context): Promise<CampaignInput> {
  requireCapability("edit", ctx);
  return { title: "", embedUrl: "", ...campaignDefaults, sortOrder: await readPlaceAtEnd(ctx, campaigns) };
}

export const campaignList = shortList({
  table: campaigns,
  one: "campaign",
  tag: "campaigns",
  shown: { column: "status", value: "active" },
  limit: { most: MOST_CAMPAIGNS, noun: "campaigns" },
  New: NewCampaign,
  Change: CampaignChange,
  defaults: { ...campaignDefaults, sortOrder: placeAtEnd(campaigns) },
  toEdited: (_ctx, values) => ({ values }),
});

export const readCampaignForEdit = campaignList.readForEdit;
