import {
  createCampaign,
  deleteCampaign,
  reorderCampaigns,
  updateCampaign,
} from "#worker/campaigns/commands.ts";
import type { CampaignChange, CampaignOrder, NewCampaign } from "#worker/campaigns/contract.ts";
import { listAllCampaigns, readCampaignForEdit } from "#worker/campaigns/owner-queries.ts";
import { IdParam } from "#worker/platform/contract.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";

export const campaignsAdminApi = router()
  .get("/", async (c) => c.json(await listAllCampaigns(c.var.ctx)))
  .post("/", json<NewCampaign>(), async (c) =>
    c.json(await createCampaign(c.var.ctx, c.req.valid("json")), 201),
  )
  .put("/order", json<CampaignOrder>(), async (c) =>
    c.json(await reorderCampaigns(c.var.ctx, c.req.valid("json"))),
  )
  .get("/:id", valid("param", IdParam), async (c) =>
    c.json(await readCampaignForEdit(c.var.ctx, c.req.valid("param").id)),
  )
  .patch("/:id", valid("param", IdParam), json<CampaignChange>(), async (c) =>
    c.json(await updateCampaign(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", valid("param", IdParam), async (c) => {
    await deleteCampaign(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  });
