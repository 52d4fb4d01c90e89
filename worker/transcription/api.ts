import type { ModelKey } from "#worker/models/contract.ts";
import { IdParam } from "#worker/platform/contract.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import {
  acceptTranscription,
  changeTranscriptionKey,
  continueTranscription,
  discardTranscription,
  startTranscription,
} from "#worker/transcription/commands.ts";
import type { AcceptedTranscription, NewTranscription } from "#worker/transcription/contract.ts";
import { readTranscription, readTranscriptionDraft } from "#worker/transcription/queries.ts";

/** Below an episode: its recording, transcribed by a model. */
export const transcriptionAdminApi = router()
  .get("/:id/transcription", valid("param", IdParam), async (c) =>
    c.json(await readTranscription(c.var.ctx, c.req.valid("param").id)),
  )
  .post("/:id/transcription", valid("param", IdParam), json<NewTranscription>(), async (c) =>
    c.json(await startTranscription(c.var.ctx, c.req.valid("param").id, c.req.valid("json")), 201),
  )
  .delete("/:id/transcription", valid("param", IdParam), async (c) => {
    await discardTranscription(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  })
  .get("/:id/transcription/draft", valid("param", IdParam), async (c) =>
    c.json(await readTranscriptionDraft(c.var.ctx, c.req.valid("param").id)),
  )
  .post("/:id/transcription/continue", valid("param", IdParam), async (c) => {
    await continueTranscription(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  })
  .post("/:id/transcription/accept", valid("param", IdParam), json<AcceptedTranscription>(), async (c) => {
    await acceptTranscription(c.var.ctx, c.req.valid("param").id, c.req.valid("json"));
    return c.body(null, 204);
  });

export const transcriptionKeyApi = router().put("/", json<ModelKey>(), async (c) =>
  c.json(await changeTranscriptionKey(c.var.ctx, c.req.valid("json"))),
);
