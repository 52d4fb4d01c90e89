import { z } from "zod";
import { router, valid } from "#worker/platform/http.ts";
import { pressTypes } from "#worker/press/contract.ts";
import { listPress } from "#worker/press/press.ts";

const Page = z.strictObject({ type: z.enum(pressTypes).optional(), before: z.string().max(40).optional() });

/** For machines: published things only. */
export const pressApi = router().get("/", valid("query", Page), async (c) =>
  c.json(await listPress(c.var.ctx, c.req.valid("query"))),
);
