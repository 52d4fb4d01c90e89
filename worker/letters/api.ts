import { closeQuestion } from "#worker/letters/answer-commands.ts";
import { exportAnswers } from "#worker/letters/answer-queries.ts";
import { checkLetter } from "#worker/letters/check.ts";
import { createLetter, deleteLetter, updateLetter, duplicateLetter } from "#worker/letters/commands.ts";
import {
  LetterListQuery,
  type LetterPreviewInput,
  type ReportQuery,
  type Segment,
  type SendLetter,
} from "#worker/letters/contract.ts";
import { previewLetter } from "#worker/letters/preview.ts";
import { listLetters, readLetter, readRecipientCount } from "#worker/letters/queries.ts";
import { sendTest } from "#worker/letters/test-commands.ts";
import { listDeliveries, listLinks, readProgress } from "#worker/letters/report-queries.ts";
import {
  cancelLetter,
  pauseLetter,
  resendUncertain,
  resumeLetter,
  sendLetter,
  unscheduleLetter,
} from "#worker/letters/sending-commands.ts";
import { IdParam } from "#worker/platform/contract.ts";
import { itemRoutes } from "#worker/platform/http/item-routes.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";

export const lettersAdminApi = itemRoutes({
  create: createLetter,
  readForEdit: readLetter,
  update: updateLetter,
  remove: deleteLetter,
})
  .get("/", valid("query", LetterListQuery), async (c) =>
    c.json(await listLetters(c.var.ctx, c.req.valid("query"))),
  )
  .post("/preview", json<LetterPreviewInput>(), async (c) =>
    c.json(await previewLetter(c.var.ctx, c.req.valid("json"))),
  )
  .post("/:id/duplicate", valid("param", IdParam), async (c) =>
    c.json(await duplicateLetter(c.var.ctx, c.req.valid("param").id), 201),
  )
  .post("/:id/test", valid("param", IdParam), json<Partial<LetterPreviewInput>>(), async (c) =>
    c.json(await sendTest(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .post("/:id/check", valid("param", IdParam), json<Partial<LetterPreviewInput>>(), async (c) =>
    c.json({ items: await checkLetter(c.var.ctx, c.req.valid("param").id, c.req.valid("json")), next: null }),
  );

/** Sending, checks and reports of a letter; mounted at the same path. */
export const sendingApi = router()
  .post("/recipients", json<Segment>(), async (c) =>
    c.json({ count: await readRecipientCount(c.var.ctx, c.req.valid("json")) }),
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
  .get("/:id/deliveries", valid("param", IdParam), async (c) =>
    // The use case parses the query after its capability check, so that `forbidden` takes precedence.
    c.json(await listDeliveries(c.var.ctx, c.req.valid("param").id, c.req.query() as ReportQuery)),
  )
  .post("/:id/question/end", valid("param", IdParam), async (c) =>
    c.json(await closeQuestion(c.var.ctx, c.req.valid("param").id)),
  )
  .get("/:id/answers", valid("param", IdParam), async (c) => {
    const { id } = c.req.valid("param");
    return c.body(await exportAnswers(c.var.ctx, id), 200, {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="answers-${id}.csv"`,
      "Cache-Control": "no-store",
    });
  })
  .get("/:id/links", valid("param", IdParam), async (c) => {
    const items = await listLinks(c.var.ctx, c.req.valid("param").id);
    return c.json({ items, next: null });
  });
