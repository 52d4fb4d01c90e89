import { readLetterFeed, readLetterFeedMark } from "#worker/letters/feed.ts";
import { answerDocument, RSS } from "#worker/platform/http/documents.ts";
import { router } from "#worker/platform/http/router.ts";

/** `/rss/…`: missing while the archive is switched off. */
export const letterFeeds = router().get("/letters.xml", async (c) => {
  const { ctx } = c.var;
  const mark = await readLetterFeedMark(ctx);
  return answerDocument(c, RSS, { mark, render: () => readLetterFeed(ctx) });
});
