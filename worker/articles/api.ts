import { z } from "zod";
import {
  createArticle,
  createCategory,
  deleteArticle,
  deleteCategory,
  updateArticle,
  updateCategory,
} from "#worker/articles/commands.ts";
import {
  articleFilters,
  ArticleListQuery,
  type ArticlePreviewInput,
  type CategoryChange,
  type NewCategory,
  type RenderInput,
  type UpkeepInput,
} from "#worker/articles/contract.ts";
import { restoreArticle } from "#worker/articles/restore-commands.ts";
import {
  listArticles,
  listCategories,
  previewArticle,
  readArticleForEdit,
  articlePreviewLink,
} from "#worker/articles/owner-queries.ts";
import { listPublishedArticles, readArticle } from "#worker/articles/queries.ts";
import { renderArticles } from "#worker/articles/upkeep-commands.ts";
import { checkArticles } from "#worker/articles/upkeep-queries.ts";
import { IdParam, ListQuery } from "#worker/platform/contract.ts";
import { itemRoutes } from "#worker/platform/http/item-routes.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import { publicationRoutes } from "#worker/publications/api.ts";

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

export const articlesAdminApi = itemRoutes({
  create: createArticle,
  readForEdit: readArticleForEdit,
  update: updateArticle,
  remove: deleteArticle,
})
  .get("/", valid("query", ArticleListQuery), async (c) =>
    c.json(await listArticles(c.var.ctx, c.req.valid("query"))),
  )
  .post("/preview", json<ArticlePreviewInput>(), async (c) =>
    c.json(await previewArticle(c.var.ctx, c.req.valid("json"))),
  )
  .post("/render", json<RenderInput>(), async (c) =>
    c.json(await renderArticles(c.var.ctx, c.req.valid("json"))),
  )
  .post("/check", json<UpkeepInput>(), async (c) =>
    c.json(await checkArticles(c.var.ctx, c.req.valid("json"))),
  )
  .route("/", publicationRoutes("article", { restore: restoreArticle, previewLink: articlePreviewLink }));

export const categoriesApi = router()
  .get("/", async (c) => c.json(await listCategories(c.var.ctx)))
  .post("/", json<NewCategory>(), async (c) =>
    c.json(await createCategory(c.var.ctx, c.req.valid("json")), 201),
  )
  .patch("/:id", valid("param", IdParam), json<CategoryChange>(), async (c) =>
    c.json(await updateCategory(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", valid("param", IdParam), async (c) => {
    await deleteCategory(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  });
