import { ListQuery } from "#worker/platform/contract.ts";
import { itemRoutes } from "#worker/platform/http/item-routes.ts";
import { valid } from "#worker/platform/http/router.ts";
import { listAllSocialPosts, socialPostList } from "#worker/social/owner-queries.ts";

export const socialPostsAdminApi = itemRoutes(socialPostList).get("/", valid("query", ListQuery), async (c) =>
  c.json(await listAllSocialPosts(c.var.ctx, c.req.valid("query"))),
);
