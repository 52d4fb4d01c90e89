import type { Handler } from "hono";
import { readChaptersDocument, readFeedShow, readTranscriptDocument } from "#worker/episodes/feed-queries.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { readFeed } from "#worker/episodes/stored-feed.ts";
import { transcriptFormats, type TranscriptFormat } from "#worker/episodes/transcript-formats.ts";
import { idInPath } from "#worker/platform/text/id-in-path.ts";
import { answerDocument, feedPageOf, RSS } from "#worker/platform/http/documents.ts";
import { router, type HonoEnv } from "#worker/platform/http/router.ts";
import { hubHeader } from "#worker/websub/hub.ts";

/** `/rss/…` */
export const feeds = router().get("/podcast.xml", async (c) => {
  const page = feedPageOf(c.req.query("page"));
  const { ctx } = c.var;
  const show = await readFeedShow(ctx);
  const { feedChangedAt, newFeedUrl } = show;
  if (show.redirectsFeed && newFeedUrl) {
    // Without it, browsers cache a permanent redirect for ever, even a mistaken one.
    c.header("Cache-Control", "public, max-age=60");
    // As a header may have it: an owner may type a host in another script.
    return c.redirect(new URL(newFeedUrl).href, 301);
  }
  const links = page === 1 ? hubHeader(show.hubUrl, ctx.config.siteUrl + FEED_PATH) : null;
  if (links) c.header("Link", links);
  return answerDocument(c, RSS, {
    mark: `${feedChangedAt.getTime()} ${page}`,
    changedAt: feedChangedAt,
    render: () => readFeed(ctx, show, page),
  });
});

/** `/episode/{id}/…`: the documents that podcast apps fetch beside the audio. */
export const episodeDocuments = router()
  .get("/:id/chapters.json", async (c) => {
    const document = await readChaptersDocument(c.var.ctx, idInPath(c.req.param("id")));
    return answerDocument(c, "application/json+chapters", JSON.stringify(document));
  })
  .get("/:id/transcript.vtt", answerTranscript("vtt"))
  .get("/:id/transcript.srt", answerTranscript("srt"))
  .get("/:id/transcript.json", answerTranscript("json"))
  .get("/:id/transcript.txt", answerTranscript("txt"));

function answerTranscript(format: TranscriptFormat): Handler<HonoEnv> {
  const { type } = transcriptFormats[format];
  // JSON is UTF-8 by definition.
  const contentType = format === "json" ? type : `${type}; charset=utf-8`;
  return async (c) => {
    const id = idInPath(c.req.param("id") ?? "");
    const { document, language } = await readTranscriptDocument(c.var.ctx, id, format);
    if (language) c.header("Content-Language", language);
    return answerDocument(c, contentType, document);
  };
}
