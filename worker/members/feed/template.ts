import { readFeedShow, type FeedShow } from "#worker/episodes/feed-queries.ts";
import { audioUrlOf } from "#worker/episodes/rss.ts";
import { readFeed } from "#worker/episodes/stored-feed.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { readSite } from "#worker/settings/queries.ts";

/**
 * What all private feeds have in common: a document with marks where a member's has secrets. It is rendered and cached as the
 * public feed is, so that a poll reads nothing of it from the database.
 */

export const feedPathOf = (token: string) => `/rss/members/${token}.xml`;
/** The path of audio in a feed, by the file's key in R2. */
export const audioPathOf = (feed: string, signature: string, key: string) =>
  `/media/members/${feed}/${signature}/${key}`;

/** Instead of a token, a feed's hash and a signature. None of those has just this character. */
const MARK = "~";

/** In an attribute, so that nothing in the texts of episodes is changed. */
const FEED_MARK = `${feedPathOf(MARK)}`;
const AUDIO_MARK = audioPathOf(MARK, MARK, "");

export type Template = { xml: string; changedAt: Date; graceDays: number };

/**
 * A page of it.
 * @throws `not_found` while private feeds are switched off, without a podcast, and for a page beyond the last
 */
export async function readTemplate(ctx: Context, page: number): Promise<Template> {
  const [{ memberFeeds, members }, show] = await Promise.all([readSite(ctx), readFeedShow(ctx)]);
  if (!memberFeeds.on || !members.signIn) throw noFeed();
  const { siteUrl } = ctx.config;
  const xml = await readFeed(ctx, show, page, { url: siteUrl + FEED_MARK, show: privately(show) });
  return {
    xml: withAudioMarks(xml, audioUrlOf(siteUrl, show)(""), siteUrl + AUDIO_MARK),
    changedAt: show.feedChangedAt,
    graceDays: memberFeeds.graceDays,
  };
}

export const noFeed = () => new AppError("not_found", "There is no feed at this address.");

/** The podcast as its private feeds describe it: nothing by which a directory would list them, and no hub that would store them. */
const privately = (show: FeedShow): FeedShow => ({
  ...show,
  title: `${show.title} (members)`,
  blocked: true,
  locked: true,
  guid: "",
  hubUrl: "",
  newFeedUrl: null,
  usesPodping: false,
  appleVerification: "",
  txts: [],
});

/** Audio and its further files: what a feed names as `url` and `uri` in the site's folders. */
const withAudioMarks = (xml: string, publicly: string, marked: string) =>
  ["url", "uri"].reduce((rest, name) => rest.replaceAll(` ${name}="${publicly}`, ` ${name}="${marked}`), xml);

type Secrets = {
  token: string;
  /** The feed's hash. */
  feed: string;
  signatureOf: (feed: string, key: string) => string;
};

/** The document of one member. */
export function personalise(xml: string, { token, feed, signatureOf }: Secrets) {
  const [head = "", ...parts] = xml.replaceAll(FEED_MARK, feedPathOf(token)).split(AUDIO_MARK);
  const signed = parts.map((part) => {
    const key = part.slice(0, part.indexOf('"'));
    return audioPathOf(feed, signatureOf(feed, key), part);
  });
  return head + signed.join("");
}
