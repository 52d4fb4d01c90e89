import { readEssayFeed, readEssayFeedMark } from "#worker/articles/feed-queries.ts";
import { answerDocument, RSS } from "#worker/platform/http/documents.ts";
import { router } from "#worker/platform/http/router.ts";
import { ESSAYS_FEED_PATH } from "#worker/articles/rss.ts";
import { hubHeader } from "#worker/websub/hub.ts";

/** `/rss/…` */
export const essayFeeds = router().get("/essays.xml", async (c) => {
  const { ctx } = c.var;
  const { mark, hubUrl } = await readEssayFeedMark(ctx);
  const links = hubHeader(hubUrl, ctx.config.siteUrl + ESSAYS_FEED_PATH);
  if (links) c.header("Link", links);
  return answerDocument(c, RSS, { mark, render: () => readEssayFeed(ctx) });
});
