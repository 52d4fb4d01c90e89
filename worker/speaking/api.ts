import { IdParam, ListQuery } from "#worker/platform/contract.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import { createEngagement, deleteEngagement, updateEngagement } from "#worker/speaking/commands.ts";
import type { EngagementChange, NewEngagement } from "#worker/speaking/contract.ts";
import { listEngagements, readEngagementForEdit } from "#worker/speaking/owner-queries.ts";

export const engagementsAdminApi = router()
  .get("/", valid("query", ListQuery), async (c) =>
    c.json(await listEngagements(c.var.ctx, c.req.valid("query"))),
  )
  .post("/", json<NewEngagement>(), async (c) =>
    c.json(await createEngagement(c.var.ctx, c.req.valid("json")), 201),
  )
  .get("/:id", valid("param", IdParam), async (c) =>
    c.json(await readEngagementForEdit(c.var.ctx, c.req.valid("param").id)),
  )
  .patch("/:id", valid("param", IdParam), json<EngagementChange>(), async (c) =>
    c.json(await updateEngagement(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", valid("param", IdParam), async (c) => {
    await deleteEngagement(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  });
