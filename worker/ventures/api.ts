import { IdParam } from "#worker/platform/contract.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import { createVenture, deleteVenture, reorderVentures, updateVenture } from "#worker/ventures/commands.ts";
import type { NewVenture, VentureChange, VentureOrder } from "#worker/ventures/contract.ts";
import { listVentures, readVentureForEdit } from "#worker/ventures/owner-queries.ts";

export const venturesAdminApi = router()
  .get("/", async (c) => c.json(await listVentures(c.var.ctx)))
  .post("/", json<NewVenture>(), async (c) =>
    c.json(await createVenture(c.var.ctx, c.req.valid("json")), 201),
  )
  .put("/order", json<VentureOrder>(), async (c) =>
    c.json(await reorderVentures(c.var.ctx, c.req.valid("json"))),
  )
  .get("/:id", valid("param", IdParam), async (c) =>
    c.json(await readVentureForEdit(c.var.ctx, c.req.valid("param").id)),
  )
  .patch("/:id", valid("param", IdParam), json<VentureChange>(), async (c) =>
    c.json(await updateVenture(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", valid("param", IdParam), async (c) => {
    await deleteVenture(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  });
