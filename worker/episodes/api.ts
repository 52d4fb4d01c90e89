import { z } from "zod";
import { checkEpisode } from "#worker/episodes/check.ts";
import { EpisodeChange, NewEpisode, PublishCheck, ShowInput } from "#worker/episodes/contract.ts";
import {
  createEpisode,
  deleteEpisode,
  listEpisodes,
  listPublishedEpisodes,
  readEpisode,
  readEpisodeForEdit,
  updateEpisode,
} from "#worker/episodes/episodes.ts";
import { readShowForEdit, saveShow } from "#worker/episodes/show.ts";
import { router, valid } from "#worker/platform/http.ts";

const Id = z.strictObject({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) });
const Older = z.strictObject({ before: z.coerce.number().int().positive().optional() });
const Page = z.strictObject({ before: z.string().max(40).optional() });

/** For machines: published things only. */
export const episodesApi = router()
  .get("/", valid("query", Page), async (c) =>
    c.json(await listPublishedEpisodes(c.var.ctx, c.req.valid("query"))),
  )
  .get("/:id", valid("param", Id), async (c) =>
    c.json(await readEpisode(c.var.ctx, c.req.valid("param").id)),
  );

export const episodesAdminApi = router()
  .get("/", valid("query", Older), async (c) => c.json(await listEpisodes(c.var.ctx, c.req.valid("query"))))
  .post("/", valid("json", NewEpisode), async (c) =>
    c.json(await createEpisode(c.var.ctx, c.req.valid("json")), 201),
  )
  .get("/:id", valid("param", Id), async (c) =>
    c.json(await readEpisodeForEdit(c.var.ctx, c.req.valid("param").id)),
  )
  .patch("/:id", valid("param", Id), valid("json", EpisodeChange), async (c) =>
    c.json(await updateEpisode(c.var.ctx, c.req.valid("param").id, c.req.valid("json"))),
  )
  .delete("/:id", valid("param", Id), async (c) => {
    await deleteEpisode(c.var.ctx, c.req.valid("param").id);
    return c.json({ success: true });
  })
  .post("/check", valid("json", PublishCheck), async (c) => {
    const { episode, id } = c.req.valid("json");
    return c.json({ problems: await checkEpisode(c.var.ctx, episode, id) });
  });

export const showApi = router()
  .get("/", async (c) => c.json(await readShowForEdit(c.var.ctx)))
  .put("/", valid("json", ShowInput), async (c) => {
    await saveShow(c.var.ctx, c.req.valid("json"));
    return c.json({ success: true });
  });
