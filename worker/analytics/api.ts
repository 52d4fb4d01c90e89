import { recordEvents } from "#worker/analytics/commands.ts";
import type { EventsInput } from "#worker/analytics/contract.ts";
import { json, router } from "#worker/platform/http.ts";
import { limitBurst } from "#worker/platform/rate.ts";

/** Signals by which a browser asks not to be counted. */
const isOptedOut = ({ headers }: Request) => headers.get("DNT") === "1" || headers.get("Sec-GPC") === "1";

export const analyticsApi = router().post(
  "/events",
  limitBurst("analytics"),
  json<EventsInput>(),
  async (c) => {
    await recordEvents(c.var.ctx, c.req.valid("json"), { isOptedOut: isOptedOut(c.req.raw) });
    return c.body(null, 202);
  },
);

export const analyticsAdminApi = router();
