import { importArticles } from "#worker/imports/article-commands.ts";
import type { ArticleBatch, KnownPosts, LinkedInPost } from "#worker/imports/contract.ts";
import { importPost } from "#worker/imports/linkedin-commands.ts";
import { findKnownPosts } from "#worker/imports/linkedin-queries.ts";
import { json, router } from "#worker/platform/http.ts";

export const importsApi = router()
  .post("/articles", json<ArticleBatch>(), async (c) =>
    c.json(await importArticles(c.var.ctx, c.req.valid("json"))),
  )
  .post("/linkedin", json<LinkedInPost>(), async (c) =>
    c.json(await importPost(c.var.ctx, c.req.valid("json"))),
  )
  .post("/linkedin/known", json<KnownPosts>(), async (c) =>
    c.json(await findKnownPosts(c.var.ctx, c.req.valid("json"))),
  );
