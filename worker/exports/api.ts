import { exportSite } from "#worker/exports/zip.ts";
import { router } from "#worker/platform/http.ts";

/** `/api/admin/export` */
export const exportApi = router().get("/", async (c) => {
  const zip = await exportSite(c.var.ctx);
  const day = c.var.ctx.now.toISOString().slice(0, 10);
  return c.body(zip, 200, {
    "Content-Type": "application/zip",
    "Content-Disposition": `attachment; filename="${new URL(c.var.ctx.config.siteUrl).hostname}-${day}.zip"`,
    "Cache-Control": "no-store",
  });
});
