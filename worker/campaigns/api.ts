import { reorderCampaigns } from "#worker/campaigns/commands.ts";
import type { CampaignOrder } from "#worker/campaigns/contract.ts";
import { campaignList, listAllCampaigns } from "#worker/campaigns/owner-queries.ts";
import { itemRoutes } from "#worker/platform/http/item-routes.ts";
import { json } from "#worker/platform/http/router.ts";

export const campaignsAdminApi = itemRoutes(campaignList)
  .get("/", async (c) => c.json(await listAllCampaigns(c.var.ctx)))
  .put("/order", json<CampaignOrder>(), async (c) =>
    c.json(await reorderCampaigns(c.var.ctx, c.req.valid("json"))),
  );
