import { OwnerSearchQuery, SearchQuery } from "#worker/discovery/contract.ts";
import { readLlmsText, readManifest, robotsOf } from "#worker/discovery/documents.ts";
import { searchOwned } from "#worker/discovery/owner-search.ts";
import { search } from "#worker/discovery/search.ts";
import { rebuildSearchIndex } from "#worker/discovery/search-index.ts";
import { readSitemap } from "#worker/discovery/sitemap.ts";
import { answerDocument } from "#worker/platform/http/documents.ts";
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

/** Documents for crawlers, assistants and browsers at the root of the site. */
export const discoveryDocuments = router()
  .get("/sitemap.xml", async (c) =>
    answerDocument(c, "application/xml; charset=utf-8", await readSitemap(c.var.ctx)),
  )
  .get("/robots.txt", (c) => answerDocument(c, "text/plain; charset=utf-8", robotsOf(c.var.ctx)))
  .get("/llms.txt", async (c) =>
    answerDocument(c, "text/plain; charset=utf-8", await readLlmsText(c.var.ctx)),
  )
  .get("/manifest.webmanifest", async (c) =>
    answerDocument(c, "application/manifest+json", JSON.stringify(await readManifest(c.var.ctx))),
  );
