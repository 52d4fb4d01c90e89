import { readEssayFeed, readEssayFeedMark } from "#worker/articles/feed-queries.ts";
import { answerDocument, RSS } from "#worker/platform/documents.ts";
import { router } from "#worker/platform/http.ts";

/** `/rss/…` */
export const essayFeeds = router().get("/essays.xml", async (c) => {
  const { ctx } = c.var;
  const mark = await readEssayFeedMark(ctx);
  return answerDocument(c, RSS, { mark, render: () => readEssayFeed(ctx) });
});
