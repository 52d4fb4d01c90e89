import { recordEvents } from "#worker/analytics/commands.ts";
import { AnalyticsQuery, ExportQuery, type EventsInput } from "#worker/analytics/contract.ts";
import { readEpisodeAnalytics } from "#worker/analytics/episode-queries.ts";
import { exportAnalytics } from "#worker/analytics/export.ts";
import { readAnalytics } from "#worker/analytics/queries.ts";
import { IdParam } from "#worker/platform/contract.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import { limitBurst } from "#worker/platform/http/rate.ts";

/** Browser signals that opt out of counting. */
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

/** "analytics-days-last-30.csv", "analytics-content-2026-01-01-to-2026-01-31.csv". */
const fileNameOf = ({ of = "days", days = "30", from, to }: ExportQuery) =>
  `analytics-${of}-${from ? `${from}-to-${to}` : `last-${days}`}.csv`;

export const analyticsAdminApi = router()
  .get("/", valid("query", AnalyticsQuery), async (c) =>
    c.json(await readAnalytics(c.var.ctx, c.req.valid("query"))),
  )
  .get("/export", valid("query", ExportQuery), async (c) => {
    const csv = await exportAnalytics(c.var.ctx, c.req.valid("query"));
    c.header("Content-Disposition", `attachment; filename="${fileNameOf(c.req.valid("query"))}"`);
    return c.body(csv, 200, { "Content-Type": "text/csv; charset=utf-8" });
  })
  .get("/episodes/:id", valid("param", IdParam), async (c) =>
    c.json(await readEpisodeAnalytics(c.var.ctx, c.req.valid("param").id)),
  );
