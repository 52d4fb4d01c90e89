import { importArticles } from "#worker/imports/batch/commands.ts";
import {
  ImportListQuery,
  type ArticleBatch,
  type FetchPosts,
  type ItemListQuery,
  type KnownPosts,
  type NewImport,
  type NewItems,
  type RetryItems,
  type StartImport,
} from "#worker/imports/contract.ts";
import { compareFeeds, takeOverShow } from "#worker/imports/feed/after-commands.ts";
import { createFeedImport } from "#worker/imports/feed/commands.ts";
import type { FeedAddress, TakenFacts } from "#worker/imports/feed/contract.ts";
import {
  addItems,
  cancelImport,
  createImport,
  deleteImport,
  pauseImport,
  resumeImport,
  retryItems,
  startImport,
} from "#worker/imports/import-commands.ts";
import { listImports, listItems, readImport } from "#worker/imports/import-queries.ts";
import { undoImport } from "#worker/imports/undo-commands.ts";
import type { PlannedArticles, SiteDocument } from "#worker/imports/importers/contract.ts";
import { findKnownArticles } from "#worker/imports/importers/queries.ts";
import { fetchSiteDocument } from "#worker/imports/importers/site.ts";
import { fetchPosts } from "#worker/imports/linkedin/posts.ts";
import { findKnownPosts } from "#worker/imports/linkedin/queries.ts";
import { IdParam } from "#worker/platform/contract.ts";
import { json, query, router, valid } from "#worker/platform/http/router.ts";

export const importsApi = router()
  .post("/articles", json<ArticleBatch>(), async (c) =>
    c.json(await importArticles(c.var.ctx, c.req.valid("json"))),
  )
  .post("/linkedin/posts", json<FetchPosts>(), async (c) =>
    c.json(await fetchPosts(c.var.ctx, c.req.valid("json"))),
  )
  .post("/linkedin/known", json<KnownPosts>(), async (c) =>
    c.json(await findKnownPosts(c.var.ctx, c.req.valid("json"))),
  )
  .post("/elsewhere/known", json<PlannedArticles>(), async (c) =>
    c.json(await findKnownArticles(c.var.ctx, c.req.valid("json"))),
  )
  .post("/elsewhere/document", json<SiteDocument>(), async (c) =>
    c.json(await fetchSiteDocument(c.var.ctx, c.req.valid("json"))),
  )
  .post("/feed", json<FeedAddress>(), async (c) =>
    c.json(await createFeedImport(c.var.ctx, c.req.valid("json")), 201),
  )
  .get("/", valid("query", ImportListQuery), async (c) =>
    c.json(await listImports(c.var.ctx, c.req.valid("query"))),
  )
  .post("/", json<NewImport>(), async (c) => c.json(await createImport(c.var.ctx, c.req.valid("json")), 201))
  .get("/:id", valid("param", IdParam), async (c) =>
    c.json(await readImport(c.var.ctx, c.req.valid("param").id)),
  )
  .delete("/:id", valid("param", IdParam), async (c) => {
    await deleteImport(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  })
  // The query is checked after the capability, so that a user without it gets `forbidden`.
  .get("/:id/items", valid("param", IdParam), query<ItemListQuery>(), async (c) =>
    c.json(await listItems(c.var.ctx, c.req.valid("param").id, c.req.valid("query"))),
  )
  .post("/:id/items", valid("param", IdParam), json<NewItems>(), async (c) =>
    c.json(await addItems(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/:id/show", valid("param", IdParam), json<TakenFacts>(), async (c) => {
    await takeOverShow(c.var.ctx, c.req.valid("param").id, c.req.valid("json"));
    return c.body(null, 204);
  })
  .post("/:id/comparison", valid("param", IdParam), async (c) =>
    c.json(await compareFeeds(c.var.ctx, c.req.valid("param").id)),
  )
  .post("/:id/start", valid("param", IdParam), query<StartImport>(), async (c) =>
    c.json(await startImport(c.var.ctx, c.req.valid("param").id, c.req.valid("query"))),
  )
  .post("/:id/pause", valid("param", IdParam), async (c) =>
    c.json(await pauseImport(c.var.ctx, c.req.valid("param").id)),
  )
  .post("/:id/resume", valid("param", IdParam), async (c) =>
    c.json(await resumeImport(c.var.ctx, c.req.valid("param").id)),
  )
  .post("/:id/cancel", valid("param", IdParam), async (c) =>
    c.json(await cancelImport(c.var.ctx, c.req.valid("param").id)),
  )
  .post("/:id/undo", valid("param", IdParam), async (c) =>
    c.json(await undoImport(c.var.ctx, c.req.valid("param").id)),
  )
  .post("/:id/retry", valid("param", IdParam), json<RetryItems>(), async (c) =>
    c.json(await retryItems(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  );
