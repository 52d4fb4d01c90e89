import { z } from "zod";
import { listPublishedArticles, readArticle } from "#worker/articles/articles.ts";
import { articleFilters } from "#worker/articles/contract.ts";
import { router, valid } from "#worker/platform/http.ts";

const Page = z.strictObject({
  source: z.enum(articleFilters).optional(),
  before: z.string().max(40).optional(),
});

/** For machines: published things only. */
export const articlesApi = router()
  .get("/", valid("query", Page), async (c) =>
    c.json(await listPublishedArticles(c.var.ctx, c.req.valid("query"))),
  )
  .get("/:slug", async (c) => {
    const { article } = await readArticle(c.var.ctx, c.req.param("slug"));
    return c.json(article);
  });
