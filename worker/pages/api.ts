import { z } from "zod";
import { updatePage } from "#worker/pages/commands.ts";
import {
  pagePaths,
  type PageChange,
  type PageInput,
  type PagePreview,
  type PageSlug,
} from "#worker/pages/contract.ts";
import { listPages, previewPage, readPageForEdit } from "#worker/pages/owner-queries.ts";
import { restorePage } from "#worker/pages/restore-commands.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import type { RestoreInput } from "#worker/revisions/contract.ts";

const number = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
/** Any string: the use case validates the slug after its capability check. */
const slug = z.custom<PageSlug>((value) => typeof value === "string");
const Slug = z.strictObject({ slug });
const RevisionId = z.strictObject({ slug, revision: number });

export const pagesApi = router()
  .get("/", async (c) => c.json(await listPages(c.var.ctx)))
  .get("/:slug", valid("param", Slug), async (c) =>
    c.json(await readPageForEdit(c.var.ctx, c.req.valid("param").slug)),
  )
  .put("/:slug", valid("param", Slug), json<PageChange>(), async (c) =>
    c.json(await updatePage(c.var.ctx, c.req.valid("param").slug, c.req.valid("json"))),
  )
  .post("/:slug/preview", valid("param", Slug), json<PageInput>(), async (c) => {
    const page = c.req.valid("param").slug;
    const draft = await previewPage(c.var.ctx, page, c.req.valid("json"));
    const preview: PagePreview = { html: await c.var.renderPage(pagePaths[page], draft) };
    return c.json(preview);
  })
  .post("/:slug/revisions/:revision/restore", valid("param", RevisionId), json<RestoreInput>(), async (c) => {
    const { slug: page, revision } = c.req.valid("param");
    return c.json(await restorePage(c.var.ctx, page, revision, c.req.valid("json")));
  });
