import { router } from "#worker/platform/http/router.ts";
import { allowStyle } from "#worker/platform/http/security.ts";
import { readSender } from "#worker/settings/queries.ts";

/** The description of the API, for programs and as a page. Its schemas are read when they are first asked for. */
export const openApi = router()
  .get("/openapi.json", async (c) => {
    const { openApiDocument } = await import("#worker/openapi/document.ts");
    const { siteName } = await readSender(c.var.ctx);
    c.header("Cache-Control", "public, max-age=300");
    c.header("Access-Control-Allow-Origin", "*");
    return c.json(openApiDocument(c.var.ctx.config.siteUrl, siteName));
  })
  .get("/docs", async (c) => {
    const [{ openApiDocument }, { page, STYLE }] = await Promise.all([
      import("#worker/openapi/document.ts"),
      import("#worker/openapi/document-routes.ts"),
    ]);
    const { siteName } = await readSender(c.var.ctx);
    c.header("Cache-Control", "public, max-age=300");
    const answer = await c.html(page(openApiDocument(c.var.ctx.config.siteUrl, siteName)));
    await allowStyle(answer.headers, STYLE);
    return answer;
  });
