import {
  MemberListQuery,
  type MemberChange,
  type NewMember,
  type TierOrder,
} from "#worker/members/contract.ts";
import { exportMembers } from "#worker/members/export.ts";
import { revokeMemberFeed } from "#worker/members/feed/commands.ts";
import { createMember, deleteMember, endMember, updateMember } from "#worker/members/owner-commands.ts";
import { listMembers, readMember } from "#worker/members/owner-queries.ts";
import { createTier, deleteTier, reorderTiers, updateTier } from "#worker/members/tier-commands.ts";
import { listTiers, readTierForEdit } from "#worker/members/tier-queries.ts";
import { IdParam } from "#worker/platform/contract.ts";
import { itemRoutes } from "#worker/platform/http/item-routes.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import { today } from "#worker/settings/queries.ts";

export const tiersAdminApi = itemRoutes({
  create: createTier,
  readForEdit: readTierForEdit,
  update: updateTier,
  remove: deleteTier,
})
  .get("/", async (c) => c.json(await listTiers(c.var.ctx)))
  .put("/order", json<TierOrder>(), async (c) => c.json(await reorderTiers(c.var.ctx, c.req.valid("json"))));

export const membersAdminApi = router()
  .get("/", valid("query", MemberListQuery), async (c) =>
    c.json(await listMembers(c.var.ctx, c.req.valid("query"))),
  )
  .post("/", json<NewMember>(), async (c) => c.json(await createMember(c.var.ctx, c.req.valid("json")), 201))
  .get("/export", async (c) => {
    const csv = await exportMembers(c.var.ctx);
    const day = await today(c.var.ctx);
    return c.body(csv, 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="members-${day}.csv"`,
      "Cache-Control": "no-store",
    });
  })
  .get("/:id", valid("param", IdParam), async (c) =>
    c.json(await readMember(c.var.ctx, c.req.valid("param").id)),
  )
  .patch("/:id", valid("param", IdParam), json<MemberChange>(), async (c) =>
    c.json(await updateMember(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/:id/end", valid("param", IdParam), async (c) =>
    c.json(await endMember(c.var.ctx, c.req.valid("param").id)),
  )
  .delete("/:id/feed", valid("param", IdParam), async (c) =>
    c.json(await revokeMemberFeed(c.var.ctx, c.req.valid("param").id)),
  )
  .delete("/:id", valid("param", IdParam), async (c) => {
    await deleteMember(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  });
