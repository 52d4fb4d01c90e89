import { z } from "zod";
import { eraseItem, restoreItem } from "#worker/bin/commands.ts";
import { listBin } from "#worker/bin/queries.ts";
import { ListQuery } from "#worker/platform/contract.ts";
import { router, valid } from "#worker/platform/http/router.ts";

const KeyParam = z.object({ key: z.string().max(100) });

export const binApi = router()
  .get("/", valid("query", ListQuery), async (c) => c.json(await listBin(c.var.ctx, c.req.valid("query"))))
  .post("/:key/restore", valid("param", KeyParam), async (c) => {
    await restoreItem(c.var.ctx, c.req.valid("param").key);
    return c.body(null, 204);
  })
  .delete("/:key", valid("param", KeyParam), async (c) => {
    await eraseItem(c.var.ctx, c.req.valid("param").key);
    return c.body(null, 204);
  });
