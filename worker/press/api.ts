import { z } from "zod";
import { ListQuery } from "#worker/platform/contract.ts";
import { itemRoutes } from "#worker/platform/http/item-routes.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import { PressListQuery, pressTypes, type PressPreviewInput } from "#worker/press/contract.ts";
import { listPressItems, pressList, previewPressItem } from "#worker/press/owner-queries.ts";
import { listPress } from "#worker/press/queries.ts";

const PressQuery = ListQuery.extend({ type: z.enum(pressTypes).optional() });

/** Published items only. */
export const pressApi = router().get("/", valid("query", PressQuery), async (c) =>
  c.json(await listPress(c.var.ctx, c.req.valid("query"))),
);

export const pressAdminApi = itemRoutes(pressList)
  .get("/", valid("query", PressListQuery), async (c) =>
    c.json(await listPressItems(c.var.ctx, c.req.valid("query"))),
  )
  .post("/preview", json<PressPreviewInput>(), async (c) =>
    c.json(await previewPressItem(c.var.ctx, c.req.valid("json"))),
  );
