import { copyNow, drillNow } from "#worker/backups/commands.ts";
import { readBackups } from "#worker/backups/queries.ts";
import { router } from "#worker/platform/http/router.ts";

/** `/api/admin/backups`. A copy or drill is begun, and continues in the background. */
export const backupsApi = router()
  .get("/", async (c) => c.json(await readBackups(c.var.ctx)))
  .post("/copies", async (c) => {
    await copyNow(c.var.ctx);
    return c.json(await readBackups(c.var.ctx), 202);
  })
  .post("/drills", async (c) => {
    await drillNow(c.var.ctx);
    return c.json(await readBackups(c.var.ctx), 202);
  });
