import { exportSite } from "#worker/exports/zip.ts";
import { router } from "#worker/platform/http/router.ts";
import { today } from "#worker/settings/queries.ts";

/** `/api/admin/export` */
export const exportApi = router().get("/", async (c) => {
  const zip = await exportSite(c.var.ctx);
  const day = await today(c.var.ctx);
  return c.body(zip, 200, {
    "Content-Type": "application/zip",
    "Content-Disposition": `attachment; filename="${new URL(c.var.ctx.config.siteUrl).hostname}-${day}.zip"`,
    "Cache-Control": "no-store",
  });
});
