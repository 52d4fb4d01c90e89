import {
  readChaptersDocument,
  readFeed,
  readFeedShow,
  readTranscriptDocument,
} from "#worker/episodes/feed-queries.ts";
import { answerDocument, feedPageOf, RSS } from "#worker/platform/documents.ts";
import { router } from "#worker/platform/http.ts";

/** `/rss/…` */
export const feeds = router().get("/podcast.xml", async (c) => {
  const page = feedPageOf(c.req.query("page"));
  const { ctx } = c.var;
  const show = await readFeedShow(ctx);
  const { feedChangedAt } = show;
  return answerDocument(c, RSS, {
    mark: `${feedChangedAt.getTime()} ${page}`,
    changedAt: feedChangedAt,
    render: () => readFeed(ctx, show, page),
  });
});

/** `/episode/{id}/…`: the documents that podcast apps fetch beside the audio. */
export const episodeDocuments = router()
  .get("/:id/chapters.json", async (c) => {
    const document = await readChaptersDocument(c.var.ctx, idOf(c.req.param("id")));
    return answerDocument(c, "application/json+chapters", JSON.stringify(document));
  })
  .get("/:id/transcript.vtt", async (c) => {
    const transcript = await readTranscriptDocument(c.var.ctx, idOf(c.req.param("id")));
    return answerDocument(c, "text/vtt; charset=utf-8", transcript);
  });

/** No episode has the id 0. */
const idOf = (parameter: string) => (/^[1-9]\d{0,8}$/.test(parameter) ? Number(parameter) : 0);
