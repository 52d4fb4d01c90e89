import type { MiddlewareHandler } from "hono";
import { every } from "hono/combine";
import { z } from "zod";
import { rowId } from "#worker/platform/contract.ts";
import { limitBody } from "#worker/platform/http/forms.ts";
import { json, router, valid, type HonoEnv } from "#worker/platform/http/router.ts";
import { limitBurst, limitHourly } from "#worker/platform/http/rate.ts";
import {
  LISTENER_HEADER,
  NewSmartPlaylist,
  type NewItem,
  type NewOrder,
  type NewPlaylist,
  type PlaylistPatch,
  type ProgressInput,
} from "#worker/playlists/contract.ts";
import {
  createPlaylist,
  createSmartPlaylist,
  deletePlaylist,
  updatePlaylist,
} from "#worker/playlists/commands.ts";
import { addItem, removeItem, reorderItems } from "#worker/playlists/item-commands.ts";
import { addFavorite, removeFavorite, updateProgress } from "#worker/playlists/listening-commands.ts";
import {
  listFavorites,
  listPlaylists,
  listProgress,
  readPlaylist,
  readSmartPlaylist,
} from "#worker/playlists/queries.ts";
import { listenerOf } from "#worker/playlists/listener.ts";
import { touchListener } from "#worker/playlists/retention.ts";

/** From one address, which may be a whole office. */
const MOST_NEW_AN_HOUR = 100;

const OfEpisode = z.strictObject({ episodeId: rowId });
const OfItem = z.strictObject({ id: z.string(), episodeId: rowId });

/** The actor becomes the listener, even if a user is signed in. */
const asListener: MiddlewareHandler<HonoEnv> = async (c, next) => {
  c.set("ctx", { ...c.var.ctx, actor: await listenerOf(c.req.header(LISTENER_HEADER)) });
  await next();
  c.var.ctx.later(touchListener(c.var.ctx));
};

const fromListener = every(limitBody, asListener);

export const playlistsApi = router()
  .use(fromListener)
  .get("/", async (c) => c.json(await listPlaylists(c.var.ctx)))
  .post(
    "/",
    limitBurst("playlists"),
    limitHourly("playlists", MOST_NEW_AN_HOUR),
    json<NewPlaylist>(),
    async (c) => c.json(await createPlaylist(c.var.ctx, c.req.valid("json")), 201),
  )
  .post(
    "/smart",
    limitBurst("playlists"),
    limitHourly("playlists", MOST_NEW_AN_HOUR),
    json<NewSmartPlaylist>(),
    async (c) => {
      const { playlist, isNew } = await createSmartPlaylist(c.var.ctx, c.req.valid("json"));
      return c.json(playlist, isNew ? 201 : 200);
    },
  )
  .get("/smart/:name", valid("param", NewSmartPlaylist), async (c) =>
    c.json(await readSmartPlaylist(c.var.ctx, c.req.valid("param").name)),
  )
  .get("/:id", async (c) => c.json(await readPlaylist(c.var.ctx, c.req.param("id"))))
  .patch("/:id", limitBurst("playlist"), json<PlaylistPatch>(), async (c) =>
    c.json(await updatePlaylist(c.var.ctx, c.req.param("id"), c.req.valid("json"))),
  )
  .delete("/:id", limitBurst("playlist"), async (c) => {
    await deletePlaylist(c.var.ctx, c.req.param("id"));
    return c.body(null, 204);
  })
  .post("/:id/items", limitBurst("playlist-items"), json<NewItem>(), async (c) => {
    const { item, isNew } = await addItem(c.var.ctx, c.req.param("id"), c.req.valid("json"));
    return c.json(item, isNew ? 201 : 200);
  })
  .delete("/:id/items/:episodeId", limitBurst("playlist-items"), valid("param", OfItem), async (c) => {
    const { id, episodeId: removed } = c.req.valid("param");
    await removeItem(c.var.ctx, id, removed);
    return c.body(null, 204);
  })
  .put("/:id/order", limitBurst("playlist-order"), json<NewOrder>(), async (c) =>
    c.json(await reorderItems(c.var.ctx, c.req.param("id"), c.req.valid("json"))),
  );

export const favoritesApi = router()
  .use(fromListener)
  .get("/", async (c) => c.json(await listFavorites(c.var.ctx)))
  .put("/:episodeId", limitBurst("favorites"), valid("param", OfEpisode), async (c) =>
    c.json(await addFavorite(c.var.ctx, c.req.valid("param").episodeId)),
  )
  .delete("/:episodeId", limitBurst("favorites"), valid("param", OfEpisode), async (c) => {
    await removeFavorite(c.var.ctx, c.req.valid("param").episodeId);
    return c.body(null, 204);
  });

export const progressApi = router()
  .use(fromListener)
  .get("/", async (c) => c.json(await listProgress(c.var.ctx)))
  .put("/:episodeId", limitBurst("progress"), valid("param", OfEpisode), json<ProgressInput>(), async (c) =>
    c.json(await updateProgress(c.var.ctx, c.req.valid("param").episodeId, c.req.valid("json"))),
  );
