import { z } from "zod";
import { IdParam, ListQuery } from "#worker/platform/contract.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import { createPressItem, deletePressItem, updatePressItem } from "#worker/press/commands.ts";
import {
  PressListQuery,
  pressTypes,
  type NewPressItem,
  type PressChange,
  type PressPreviewInput,
} from "#worker/press/contract.ts";
import { listPressItems, previewPressItem, readPressItemForEdit } from "#worker/press/owner-queries.ts";
import { listPress } from "#worker/press/queries.ts";

const PressQuery = ListQuery.extend({ type: z.enum(pressTypes).optional() });

/** Published items only. */
export const pressApi = router().get("/", valid("query", PressQuery), async (c) =>
  c.json(await listPress(c.var.ctx, c.req.valid("query"))),
);

export const pressAdminApi = router()
  .get("/", valid("query", PressListQuery), async (c) =>
    c.json(await listPressItems(c.var.ctx, c.req.valid("query"))),
  )
  .post("/", json<NewPressItem>(), async (c) =>
    c.json(await createPressItem(c.var.ctx, c.req.valid("json")), 201),
  )
  .post("/preview", json<PressPreviewInput>(), async (c) =>
    c.json(await previewPressItem(c.var.ctx, c.req.valid("json"))),
  )
  .get("/:id", valid("param", IdParam), async (c) =>
    c.json(await readPressItemForEdit(c.var.ctx, c.req.valid("param").id)),
  )
  .patch("/:id", valid("param", IdParam), json<PressChange>(), async (c) =>
    c.json(await updatePressItem(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", valid("param", IdParam), async (c) => {
    await deletePressItem(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  });
