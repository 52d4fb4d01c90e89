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
  type ArticleChange,
  type ArticlePreviewInput,
  type CategoryChange,
  type NewArticle,
  type NewCategory,
  type RenderInput,
  type UpkeepInput,
} from "#worker/articles/contract.ts";
import { createArticlePreviewLink, deleteArticlePreviewLink } from "#worker/articles/preview-commands.ts";
import { restoreArticle } from "#worker/articles/restore-commands.ts";
import {
  listArticles,
  listCategories,
  previewArticle,
  readArticleForEdit,
} from "#worker/articles/owner-queries.ts";
import { listPublishedArticles, readArticle } from "#worker/articles/queries.ts";
import { renderArticles } from "#worker/articles/upkeep-commands.ts";
import { checkArticles } from "#worker/articles/upkeep-queries.ts";
import { IdParam, ListQuery } from "#worker/platform/contract.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import { retryPing } from "#worker/publications/commands.ts";
import { readFollowUps } from "#worker/publications/queries.ts";
import { RevisionParam, type RestoreInput } from "#worker/revisions/contract.ts";

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

export const articlesAdminApi = router()
  .get("/", valid("query", ArticleListQuery), async (c) =>
    c.json(await listArticles(c.var.ctx, c.req.valid("query"))),
  )
  .post("/", json<NewArticle>(), async (c) =>
    c.json(await createArticle(c.var.ctx, c.req.valid("json")), 201),
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
  .get("/:id", valid("param", IdParam), async (c) =>
    c.json(await readArticleForEdit(c.var.ctx, c.req.valid("param").id)),
  )
  .patch("/:id", valid("param", IdParam), json<ArticleChange>(), async (c) =>
    c.json(await updateArticle(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", valid("param", IdParam), async (c) => {
    await deleteArticle(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  })
  .get("/:id/publication", valid("param", IdParam), async (c) =>
    c.json(await readFollowUps(c.var.ctx, "article", c.req.valid("param").id)),
  )
  .post("/:id/publication/ping", valid("param", IdParam), async (c) => {
    await retryPing(c.var.ctx, "article", c.req.valid("param").id);
    return c.body(null, 204);
  })
  .post(
    "/:id/revisions/:revision/restore",
    valid("param", RevisionParam),
    json<RestoreInput>(),
    async (c) => {
      const { id, revision } = c.req.valid("param");
      return c.json(await restoreArticle(c.var.ctx, id, revision, c.req.valid("json")));
    },
  )
  .post("/:id/preview-link", valid("param", IdParam), async (c) =>
    c.json(await createArticlePreviewLink(c.var.ctx, c.req.valid("param").id), 201),
  )
  .delete("/:id/preview-link", valid("param", IdParam), async (c) => {
    await deleteArticlePreviewLink(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  });

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
