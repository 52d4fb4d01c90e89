import { z } from "zod";
import { ListQuery } from "#worker/platform/contract.ts";
import { router, valid } from "#worker/platform/http.ts";
import { pressTypes } from "#worker/press/contract.ts";
import { listPress } from "#worker/press/queries.ts";

const PressQuery = ListQuery.extend({ type: z.enum(pressTypes).optional() });

/** Published items only. */
export const pressApi = router().get("/", valid("query", PressQuery), async (c) =>
  c.json(await listPress(c.var.ctx, c.req.valid("query"))),
);
