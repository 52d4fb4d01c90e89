import { z } from "zod";
import type { ArchivedObject } from "#worker/exports/contract.ts";
import { IdParam } from "#worker/platform/contract.ts";
import { json, query, router, valid } from "#worker/platform/http/router.ts";
import { addPiece, createRestore, startRestore } from "#worker/restores/commands.ts";
import { beginObject, completeObject, storeObjectPart } from "#worker/restores/object-commands.ts";
import type { EndOfObject, NewPiece, NewRestore, PartOfObject } from "#worker/restores/contract.ts";

const PartParam = IdParam.extend({ number: z.coerce.number() });
type QueryOfPart = Omit<PartOfObject, "number">;

/** `/api/admin/restores`. Once one has started, it is an import (`/api/admin/imports`). */
export const restoresApi = router()
  .post("/", json<NewRestore>(), async (c) =>
    c.json(await createRestore(c.var.ctx, c.req.valid("json")), 201),
  )
  .post("/:id/pieces", valid("param", IdParam), json<NewPiece>(), async (c) =>
    c.json(await addPiece(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/:id/objects", valid("param", IdParam), json<ArchivedObject>(), async (c) =>
    c.json(await beginObject(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .put("/:id/parts/:number", valid("param", PartParam), query<QueryOfPart>(), async (c) => {
    const { id, number } = c.req.valid("param");
    const input = { ...c.req.valid("query"), number };
    return c.json(await storeObjectPart(c.var.ctx, id, input, c.req.raw.body));
  })
  .post("/:id/objects/complete", valid("param", IdParam), json<EndOfObject>(), async (c) => {
    await completeObject(c.var.ctx, c.req.valid("param").id, c.req.valid("json"));
    return c.body(null, 204);
  })
  .post("/:id/start", valid("param", IdParam), async (c) =>
    c.json(await startRestore(c.var.ctx, c.req.valid("param").id)),
  );
