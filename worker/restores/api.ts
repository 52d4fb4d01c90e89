import type { MiddlewareHandler } from "hono";
import { z } from "zod";
import type { ArchivedObject } from "#worker/exports/contract.ts";
import { IdParam } from "#worker/platform/contract.ts";
import { AppError } from "#worker/platform/errors.ts";
import { json, query, router, valid, type HonoEnv } from "#worker/platform/http/router.ts";
import { SAFE_METHODS } from "#worker/platform/http/security.ts";
import { addPiece, createRestore, startRestore } from "#worker/restores/commands.ts";
import { beginObject, completeObject, storeObjectPart } from "#worker/restores/object-commands.ts";
import {
  DURING_RESTORE,
  type EndOfObject,
  type NewPiece,
  type NewRestore,
  type PartOfObject,
} from "#worker/restores/contract.ts";
import { findStartedRestore } from "#worker/restores/queries.ts";

const PartParam = IdParam.extend({ number: z.coerce.number() });
type QueryOfPart = Omit<PartOfObject, "number">;

/**
 * Paths of the admin API by which a user signs in and out, also during a restore, and sets up a second factor: the restore may
 * have deleted a passkey without which their role could not cancel it.
 */
const OWN_SIGN_IN = /^\/api\/admin\/(?:sessions?|account\/(?:passkeys|second-factor))(?:\/|$)/;

/**
 * Refuses what a signed-in user would change during a restore: its rows could replace it, or an email would go to those who are
 * restored so far. The restore itself can be paused, continued and cancelled.
 */
export const refuseDuringRestore: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const { ctx } = c.var;
  const { path, method } = c.req;
  if (ctx.actor.kind !== "user" || SAFE_METHODS.includes(method) || OWN_SIGN_IN.test(path)) return next();
  const id = await findStartedRestore(ctx);
  const isOwn = (base: string) => path === base || path.startsWith(`${base}/`);
  if (id !== null && !isOwn(`/api/admin/imports/${id}`) && !isOwn(`/api/admin/restores/${id}`))
    throw new AppError("conflict", DURING_RESTORE);
  return next();
};

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
