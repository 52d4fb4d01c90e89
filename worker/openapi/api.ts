import { openApiDocument } from "#worker/openapi/document.ts";
import type { Context } from "#worker/platform/context.ts";
import { router } from "#worker/platform/http/router.ts";
import { allowStyle } from "#worker/platform/http/security.ts";
import { readSender } from "#worker/settings/queries.ts";

/** The description of the API, for programs and as a page. */
export const openApi = router()
  .get("/openapi.json", async (c) => {
    const document = await readDocument(c.var.ctx);
    c.header("Cache-Control", "public, max-age=300");
    c.header("Access-Control-Allow-Origin", "*");
    return c.json(document);
  })
  .get("/docs", async (c) => {
    const [document, { page, STYLE }] = await Promise.all([
      readDocument(c.var.ctx),
      import("#worker/openapi/document-routes.ts"),
    ]);
    c.header("Cache-Control", "public, max-age=300");
    const answer = await c.html(page(document));
    await allowStyle(answer.headers, STYLE);
    return answer;
  });

async function readDocument(ctx: Context) {
  const [{ siteName }, { default: description }] = await Promise.all([
    readSender(ctx),
    import("virtual:described-api"),
  ]);
  return openApiDocument(ctx.config.siteUrl, siteName, description);
}
