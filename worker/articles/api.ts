import { z } from "zod";
import { listPublishedArticles, readArticle } from "#worker/articles/queries.ts";
import { articleFilters } from "#worker/articles/contract.ts";
import { ListQuery } from "#worker/platform/contract.ts";
import { router, valid } from "#worker/platform/http.ts";

const ArticleQuery = ListQuery.extend({ source: z.enum(articleFilters).optional() });

/** Published articles only. */
export const articlesApi = router()
  .get("/", valid("query", ArticleQuery), async (c) =>
    c.json(await listPublishedArticles(c.var.ctx, c.req.valid("query"))),
  )
  .get("/:slug", async (c) => {
    const { article } = await readArticle(c.var.ctx, c.req.param("slug"));
    return c.json(article);
  });
