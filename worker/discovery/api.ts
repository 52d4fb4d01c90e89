import { OwnerSearchQuery, SearchQuery } from "#worker/discovery/contract.ts";
import { searchOwned } from "#worker/discovery/owner-search.ts";
import { search } from "#worker/discovery/search.ts";
import { rebuildSearchIndex } from "#worker/discovery/search-index.ts";
import { router, valid } from "#worker/platform/http/router.ts";

/** `/api/search`, the public JSON API. */
export const searchApi = router().get("/", valid("query", SearchQuery), async (c) =>
  c.json(await search(c.var.ctx, c.req.valid("query"))),
);

/** `/api/admin/search` */
export const ownerSearchApi = router().get("/", valid("query", OwnerSearchQuery), async (c) =>
  c.json(await searchOwned(c.var.ctx, c.req.valid("query"))),
);

/** `/api/admin/search-index` */
export const searchIndexApi = router().post("/", async (c) => c.json(await rebuildSearchIndex(c.var.ctx)));
