import { readFeedShow, type FeedShow } from "#worker/episodes/feed-queries.ts";
import { audioUrlOf } from "#worker/episodes/rss.ts";
import { readFeed } from "#worker/episodes/stored-feed.ts";
import type { Context } from "#worker/platform/context.ts";
import { randomId } from "#worker/platform/data/random.ts";
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

/**
 * `mark` is in the place of a token, a feed's hash and a signature. Random for each render, so that no words of an author are
 * one: an editor's link would get the token of each member.
 */
export type Marked = { xml: string; mark: string };
export type Template = Marked & { changedAt: Date; graceDays: number };

const marksOf = (mark: string) => ({ feed: feedPathOf(mark), audio: audioPathOf(mark, mark, "") });

/**
 * A page of it.
 * @throws `not_found` while private feeds are switched off, without a podcast, and for a page beyond the last
 */
export async function readTemplate(ctx: Context, page: number): Promise<Template> {
  const [{ memberFeeds, members }, show] = await Promise.all([readSite(ctx), readFeedShow(ctx)]);
  if (!memberFeeds.on || !members.signIn) throw noFeed();
  const { siteUrl } = ctx.config;
  const mark = randomId();
  const marks = marksOf(mark);
  const xml = await readFeed(ctx, show, page, { url: siteUrl + marks.feed, show: privately(show) });
  return {
    mark,
    xml: withAudioMarks(xml, audioUrlOf(siteUrl, show)(""), siteUrl + marks.audio),
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
export function personalise({ xml, mark }: Marked, { token, feed, signatureOf }: Secrets) {
  const marks = marksOf(mark);
  const [head = "", ...parts] = xml.replaceAll(marks.feed, feedPathOf(token)).split(marks.audio);
  const signed = parts.map((part) => {
    const key = part.slice(0, part.indexOf('"'));
    return audioPathOf(feed, signatureOf(feed, key), part);
  });
  return head + signed.join("");
}
