import { answerDocument, feedPageOf, RSS } from "#worker/platform/http/documents.ts";
import { router } from "#worker/platform/http/router.ts";
import { readPlaylistFeed } from "#worker/playlists/feed-queries.ts";

/** `/rss/playlists/…` */
export const playlistFeeds = router().get("/playlists/:file{[0-9a-f-]{36}\\.xml}", async (c) => {
  const id = c.req.param("file").replace(/\.xml$/, "");
  const xml = await readPlaylistFeed(c.var.ctx, id, feedPageOf(c.req.query("page")));
  return answerDocument(c, RSS, xml);
});
