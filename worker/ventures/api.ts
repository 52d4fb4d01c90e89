import { itemRoutes } from "#worker/platform/http/item-routes.ts";
import { json } from "#worker/platform/http/router.ts";
import { reorderVentures } from "#worker/ventures/commands.ts";
import type { VentureOrder } from "#worker/ventures/contract.ts";
import { listVentures, ventureList } from "#worker/ventures/owner-queries.ts";

export const venturesAdminApi = itemRoutes(ventureList)
  .get("/", async (c) => c.json(await listVentures(c.var.ctx)))
  .put("/order", json<VentureOrder>(), async (c) =>
    c.json(await reorderVentures(c.var.ctx, c.req.valid("json"))),
  );
