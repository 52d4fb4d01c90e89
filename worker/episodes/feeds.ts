import {
  readChaptersDocument,
  readFeed,
  readFeedShow,
  readTranscriptDocument,
} from "#worker/episodes/feed.ts";
import { answerDocument, feedPageOf, isFresh, publishDocument, weakTag } from "#worker/platform/documents.ts";
import { router } from "#worker/platform/http.ts";

/** `/rss/…` */
export const feeds = router().get("/podcast.xml", async (c) => {
  const page = feedPageOf(c.req.query("page"));
  const { ctx } = c.var;
  const show = await readFeedShow(ctx);
  const { siteUrl, version } = ctx.config;
  const changedAt = show.feedChangedAt.getTime();
  const etag = await weakTag(changedAt, page, version, siteUrl);
  const { lastModified, isUnchangedSince } = dateValidator(changedAt, ctx.now.getTime());

  publishDocument(c, "application/rss+xml; charset=utf-8", etag);
  c.header("Last-Modified", new Date(lastModified).toUTCString());
  if (isFresh(c, etag, isUnchangedSince)) return c.body(null, 304);
  return c.body(await readFeed(ctx, show, page));
});

/** `/episode/{id}/…`, what podcast apps fetch beside the audio. */
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

/** Longer than a write takes to be seen by every reader. */
const SETTLED_MS = 5000;

/**
 * HTTP dates have whole seconds, and a second change may follow within the same one. So a change is dated by the end
 * of its second, and only once nothing can join it there any more; until then the date given is one that never
 * answers 304 (the second's beginning). A date that we did not give counts when it lies clear of the change.
 */
function dateValidator(changedAt: number, now: number) {
  const settledDate = Math.ceil(changedAt / 1000) * 1000;
  const isSettled = now >= changedAt + SETTLED_MS;
  return {
    lastModified: isSettled ? settledDate : Math.floor(changedAt / 1000) * 1000,
    isUnchangedSince: (since: number) => since === settledDate || since >= changedAt + SETTLED_MS,
  };
}
