import { importArticles } from "#worker/imports/article-commands.ts";
import type { ArticleBatch } from "#worker/imports/contract.ts";
import { json, router } from "#worker/platform/http.ts";

export const importsApi = router().post("/articles", json<ArticleBatch>(), async (c) =>
  c.json(await importArticles(c.var.ctx, c.req.valid("json"))),
);
