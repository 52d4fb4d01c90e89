import { IdParam, ListQuery } from "#worker/platform/contract.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import { createSocialPost, deleteSocialPost, updateSocialPost } from "#worker/social/commands.ts";
import type { NewSocialPost, SocialPostChange } from "#worker/social/contract.ts";
import { listAllSocialPosts, readSocialPostForEdit } from "#worker/social/owner-queries.ts";

export const socialPostsAdminApi = router()
  .get("/", valid("query", ListQuery), async (c) =>
    c.json(await listAllSocialPosts(c.var.ctx, c.req.valid("query"))),
  )
  .post("/", json<NewSocialPost>(), async (c) =>
    c.json(await createSocialPost(c.var.ctx, c.req.valid("json")), 201),
  )
  .get("/:id", valid("param", IdParam), async (c) =>
    c.json(await readSocialPostForEdit(c.var.ctx, c.req.valid("param").id)),
  )
  .patch("/:id", valid("param", IdParam), json<SocialPostChange>(), async (c) =>
    c.json(await updateSocialPost(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", valid("param", IdParam), async (c) => {
    await deleteSocialPost(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  });
