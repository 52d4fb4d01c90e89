import { NewCampaign, type Campaign } from "#worker/campaigns/contract.ts";
import { campaignColumns } from "#worker/campaigns/queries.ts";
import { campaigns } from "#worker/campaigns/table.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";

/** @throws `unauthenticated`, `forbidden`; `invalid` */
export async function createCampaign(ctx: Context, input: NewCampaign): Promise<Campaign> {
  requireCapability("edit", ctx);
  const campaign = parseInput(NewCampaign, input);
  const insert = ctx.db
    .insert(campaigns)
    .values({ ...campaign, createdAt: ctx.now, updatedAt: ctx.now })
    .returning(campaignColumns);
  const [[created]] = await ctx.db.batch([insert, changed(ctx, "campaigns")]);
  return created!;
}
