import { IdParam } from "#worker/platform/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";

type UseCases<New, Change, Editable extends object, Opened extends Editable> = {
  create(ctx: Context, input: New): Promise<Editable>;
  readForEdit(ctx: Context, id: number): Promise<Opened>;
  update(ctx: Context, id: number, input: Change): Promise<Editable>;
  remove(ctx: Context, id: number): Promise<void>;
};

/** The routes of a noun's form, without its list. */
export const itemRoutes = <New, Change, Editable extends object, Opened extends Editable>({
  create,
  readForEdit,
  update,
  remove,
}: UseCases<New, Change, Editable, Opened>) =>
  router()
    .post("/", json<New>(), async (c) => c.json(await create(c.var.ctx, c.req.valid("json") as New), 201))
    .get("/:id", valid("param", IdParam), async (c) =>
      c.json(await readForEdit(c.var.ctx, c.req.valid("param").id)),
    )
    .patch("/:id", valid("param", IdParam), json<Change>(), async (c) =>
      c.json(await update(c.var.ctx, c.req.valid("param").id, c.req.valid("json") as Change)),
    )
    .delete("/:id", valid("param", IdParam), async (c) => {
      await remove(c.var.ctx, c.req.valid("param").id);
      return c.body(null, 204);
    });
