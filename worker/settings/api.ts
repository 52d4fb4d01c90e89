import { json, router } from "#worker/platform/http/router.ts";
import { updateSite } from "#worker/settings/commands.ts";
import type { SiteChange, TestMail } from "#worker/settings/contract.ts";
import { readSettings } from "#worker/settings/queries.ts";
import { sendTestMail } from "#worker/settings/test-mail-commands.ts";

/** PUT takes the changed parts; the others stay. */
export const settingsApi = router()
  .get("/", async (c) => c.json(await readSettings(c.var.ctx)))
  .put("/", json<SiteChange>(), async (c) => c.json(await updateSite(c.var.ctx, c.req.valid("json"))))
  .post("/test-mail", json<TestMail>(), async (c) =>
    c.json(await sendTestMail(c.var.ctx, c.req.valid("json"))),
  );
