import type { SendLetter, Segment } from "#worker/letters/contract.ts";
import { ReportQuery } from "#worker/letters/contract.ts";
import { listDeliveries, listLinks, readProgress } from "#worker/letters/report-queries.ts";
import {
  cancelLetter,
  pauseLetter,
  previewRecipients,
  resendUncertain,
  resumeLetter,
  sendLetter,
  unscheduleLetter,
} from "#worker/letters/sending-commands.ts";
import { IdParam } from "#worker/platform/contract.ts";
import { json, router, valid } from "#worker/platform/http.ts";

/** Below /api/admin/newsletters: what becomes of a letter once it is written. */
export const sendingApi = router()
  .post("/recipients", json<Segment>(), async (c) =>
    c.json({ count: await previewRecipients(c.var.ctx, c.req.valid("json")) }),
  )
  .post("/:id/send", valid("param", IdParam), json<SendLetter>(), async (c) =>
    c.json(await sendLetter(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/:id/unschedule", valid("param", IdParam), async (c) =>
    c.json(await unscheduleLetter(c.var.ctx, c.req.valid("param").id)),
  )
  .post("/:id/pause", valid("param", IdParam), async (c) =>
    c.json(await pauseLetter(c.var.ctx, c.req.valid("param").id)),
  )
  .post("/:id/resume", valid("param", IdParam), async (c) =>
    c.json(await resumeLetter(c.var.ctx, c.req.valid("param").id)),
  )
  .post("/:id/cancel", valid("param", IdParam), async (c) =>
    c.json(await cancelLetter(c.var.ctx, c.req.valid("param").id)),
  )
  .post("/:id/resend", valid("param", IdParam), async (c) =>
    c.json(await resendUncertain(c.var.ctx, c.req.valid("param").id)),
  )
  .get("/:id/progress", valid("param", IdParam), async (c) =>
    c.json(await readProgress(c.var.ctx, c.req.valid("param").id)),
  )
  .get("/:id/deliveries", valid("param", IdParam), valid("query", ReportQuery), async (c) =>
    c.json(await listDeliveries(c.var.ctx, c.req.valid("param").id, c.req.valid("query"))),
  )
  .get("/:id/links", valid("param", IdParam), async (c) => {
    const items = await listLinks(c.var.ctx, c.req.valid("param").id);
    return c.json({ items, next: null });
  });
