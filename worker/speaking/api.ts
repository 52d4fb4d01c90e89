import { ListQuery } from "#worker/platform/contract.ts";
import { itemRoutes } from "#worker/platform/http/item-routes.ts";
import { valid } from "#worker/platform/http/router.ts";
import { engagementList, listEngagements } from "#worker/speaking/owner-queries.ts";

export const engagementsAdminApi = itemRoutes(engagementList).get("/", valid("query", ListQuery), async (c) =>
  c.json(await listEngagements(c.var.ctx, c.req.valid("query"))),
);
