import { readEssayFeed, readEssayFeedMark } from "#worker/articles/feed.ts";
import { isFresh, publishDocument, weakTag } from "#worker/platform/documents.ts";
import { router } from "#worker/platform/http.ts";

/** `/rss/…` */
export const essayFeeds = router().get("/essays.xml", async (c) => {
  const { ctx } = c.var;
  const { siteUrl, version } = ctx.config;
  const etag = await weakTag(await readEssayFeedMark(ctx), version, siteUrl);
  publishDocument(c, "application/rss+xml; charset=utf-8", etag);
  return isFresh(c, etag) ? c.body(null, 304) : c.body(await readEssayFeed(ctx));
});
