import { checkTranscript } from "#worker/episodes/transcript-check.ts";
import { createEpisode, deleteEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { duplicateEpisode } from "#worker/episodes/duplicate-commands.ts";
import { listEpisodes, previewShowNotes, readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { checkEpisode } from "#worker/episodes/publish-check.ts";
import { listPublishedEpisodes, readEpisode } from "#worker/episodes/queries.ts";
import { updateShow } from "#worker/episodes/show-commands.ts";
import { readShowForEdit } from "#worker/episodes/show-queries.ts";
import {
  EpisodeListQuery,
  type EpisodeChange,
  type NewEpisode,
  type PublishCheck,
  type ShowChange,
  type ShowNotesPreviewInput,
  type TranscriptCheck,
} from "#worker/episodes/contract.ts";
import { createEpisodePreviewLink, deleteEpisodePreviewLink } from "#worker/episodes/preview-commands.ts";
import { restoreEpisode } from "#worker/episodes/restore-commands.ts";
import { IdParam, ListQuery } from "#worker/platform/contract.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import { retryPing } from "#worker/publications/commands.ts";
import { readFollowUps } from "#worker/publications/queries.ts";
import { RevisionParam, type RestoreInput } from "#worker/revisions/contract.ts";

/** Published episodes only. */
export const episodesApi = router()
  .get("/", valid("query", ListQuery), async (c) =>
    c.json(await listPublishedEpisodes(c.var.ctx, c.req.valid("query"))),
  )
  .get("/:id", valid("param", IdParam), async (c) =>
    c.json(await readEpisode(c.var.ctx, c.req.valid("param").id)),
  );

export const episodesAdminApi = router()
  .get("/", valid("query", EpisodeListQuery), async (c) =>
    c.json(await listEpisodes(c.var.ctx, c.req.valid("query"))),
  )
  .post("/", json<NewEpisode>(), async (c) =>
    c.json(await createEpisode(c.var.ctx, c.req.valid("json")), 201),
  )
  .get("/:id", valid("param", IdParam), async (c) =>
    c.json(await readEpisodeForEdit(c.var.ctx, c.req.valid("param").id)),
  )
  .patch("/:id", valid("param", IdParam), json<EpisodeChange>(), async (c) =>
    c.json(await updateEpisode(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", valid("param", IdParam), async (c) => {
    await deleteEpisode(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  })
  .post("/:id/duplicate", valid("param", IdParam), async (c) =>
    c.json(await duplicateEpisode(c.var.ctx, c.req.valid("param").id), 201),
  )
  .get("/:id/publication", valid("param", IdParam), async (c) =>
    c.json(await readFollowUps(c.var.ctx, "episode", c.req.valid("param").id)),
  )
  .post("/:id/publication/ping", valid("param", IdParam), async (c) => {
    await retryPing(c.var.ctx, "episode", c.req.valid("param").id);
    return c.body(null, 204);
  })
  .post(
    "/:id/revisions/:revision/restore",
    valid("param", RevisionParam),
    json<RestoreInput>(),
    async (c) => {
      const { id, revision } = c.req.valid("param");
      return c.json(await restoreEpisode(c.var.ctx, id, revision, c.req.valid("json")));
    },
  )
  .post("/:id/preview-link", valid("param", IdParam), async (c) =>
    c.json(await createEpisodePreviewLink(c.var.ctx, c.req.valid("param").id), 201),
  )
  .delete("/:id/preview-link", valid("param", IdParam), async (c) => {
    await deleteEpisodePreviewLink(c.var.ctx, c.req.valid("param").id);
    return c.body(null, 204);
  })
  .post("/check", json<PublishCheck>(), async (c) =>
    c.json({ problems: await checkEpisode(c.var.ctx, c.req.valid("json")) }),
  )
  .post("/preview", json<ShowNotesPreviewInput>(), async (c) =>
    c.json(await previewShowNotes(c.var.ctx, c.req.valid("json"))),
  )
  .post("/check-transcript", json<TranscriptCheck>(), (c) =>
    c.json(checkTranscript(c.var.ctx, c.req.valid("json"))),
  );

export const showApi = router()
  .get("/", async (c) => c.json(await readShowForEdit(c.var.ctx)))
  .put("/", json<ShowChange>(), async (c) => c.json(await updateShow(c.var.ctx, c.req.valid("json"))));
