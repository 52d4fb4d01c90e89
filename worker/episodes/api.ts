import { checkTranscript } from "#worker/episodes/transcript-check.ts";
import { createEpisode, deleteEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { duplicateEpisode } from "#worker/episodes/duplicate-commands.ts";
import {
  episodePreviewLink,
  listEpisodes,
  previewShowNotes,
  readEpisodeForEdit,
} from "#worker/episodes/owner-queries.ts";
import { checkEpisode } from "#worker/episodes/publish-check.ts";
import { listPublishedEpisodes, readEpisode } from "#worker/episodes/queries.ts";
import { updateShow } from "#worker/episodes/show-commands.ts";
import { readShowForEdit } from "#worker/episodes/show-queries.ts";
import {
  EpisodeListQuery,
  type PublishCheck,
  type ShowChange,
  type ShowNotesPreviewInput,
  type TranscriptCheck,
} from "#worker/episodes/contract.ts";
import { restoreEpisode } from "#worker/episodes/restore-commands.ts";
import { IdParam, ListQuery } from "#worker/platform/contract.ts";
import { itemRoutes } from "#worker/platform/http/item-routes.ts";
import { json, router, valid } from "#worker/platform/http/router.ts";
import { publicationRoutes } from "#worker/publications/api.ts";

/** Published episodes only. */
export const episodesApi = router()
  .get("/", valid("query", ListQuery), async (c) =>
    c.json(await listPublishedEpisodes(c.var.ctx, c.req.valid("query"))),
  )
  .get("/:id", valid("param", IdParam), async (c) =>
    c.json(await readEpisode(c.var.ctx, c.req.valid("param").id)),
  );

export const episodesAdminApi = itemRoutes({
  create: createEpisode,
  readForEdit: readEpisodeForEdit,
  update: updateEpisode,
  remove: deleteEpisode,
})
  .get("/", valid("query", EpisodeListQuery), async (c) =>
    c.json(await listEpisodes(c.var.ctx, c.req.valid("query"))),
  )
  .post("/:id/duplicate", valid("param", IdParam), async (c) =>
    c.json(await duplicateEpisode(c.var.ctx, c.req.valid("param").id), 201),
  )
  .route("/", publicationRoutes("episode", { restore: restoreEpisode, previewLink: episodePreviewLink }))
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
