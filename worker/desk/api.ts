import { z } from "zod";
import {
  addTick,
  dismissDelivery,
  dismissMessage,
  removeTick,
  retryDeliveries,
  retryDelivery,
  retryMessage,
} from "#worker/desk/commands.ts";
import type { Tick } from "#worker/desk/contract.ts";
import { listFailures, readDesk } from "#worker/desk/queries.ts";
import { checkFeed } from "#worker/episodes/feed-check.ts";
import { router, valid } from "#worker/platform/http/router.ts";

const Id = z.strictObject({ id: z.string().max(100) });

/** The command parses it. */
const tickOf = (name: string) => ({ name }) as Tick;

/** `/api/admin/desk` */
export const deskApi = router()
  .get("/", async (c) => c.json(await readDesk(c.var.ctx)))
  .get("/feed", async (c) => c.json(await checkFeed(c.var.ctx)))
  .put("/ticks/:name", async (c) => {
    await addTick(c.var.ctx, tickOf(c.req.param("name")));
    return c.body(null, 204);
  })
  .delete("/ticks/:name", async (c) => {
    await removeTick(c.var.ctx, tickOf(c.req.param("name")));
    return c.body(null, 204);
  })
  .get("/failures", async (c) => c.json(await listFailures(c.var.ctx)))
  .post("/deliveries/retry", async (c) => c.json(await retryDeliveries(c.var.ctx)))
  .post("/deliveries/:id/retry", valid("param", Id), async (c) => {
    await retryDelivery(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  })
  .delete("/deliveries/:id", valid("param", Id), async (c) => {
    await dismissDelivery(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  })
  .post("/messages/:id/retry", valid("param", Id), async (c) => {
    await retryMessage(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  })
  .delete("/messages/:id", valid("param", Id), async (c) => {
    await dismissMessage(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  });
