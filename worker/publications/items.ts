import { isInEssayFeed } from "#worker/articles/feed-queries.ts";
import { readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { ESSAYS_FEED_PATH } from "#worker/articles/rss.ts";
import { shownExcerpt } from "#worker/articles/text.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { FEED_PATH, readShowForEdit } from "#worker/episodes/show-queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { findAcceptedMessage } from "#worker/proposals/queries.ts";
import type { PublicationKind } from "#worker/publications/contract.ts";

/** The data for checking the steps of an item. */
export type PublishedItem = {
  isPublished: boolean;
  title: string;
  summary: string;
  /** That the owner accepted for networks; null without one. */
  message: string | null;
  path: string;
  /** The page that lists it first. */
  list: string;
  feed: string;
  /** Why the feed omits it; null if it belongs there. */
  notInFeed: string | null;
};

/** @throws `not_found` */
export const readItem = (ctx: Context, kind: PublicationKind, id: number): Promise<PublishedItem> =>
  kind === "article" ? readArticleItem(ctx, id) : readEpisodeItem(ctx, id);

async function readArticleItem(ctx: Context, id: number): Promise<PublishedItem> {
  const [{ slug, values }, isInFeed] = await Promise.all([
    readArticleForEdit(ctx, id),
    isInEssayFeed(ctx, id),
  ]);
  return {
    isPublished: values.status === "published",
    title: values.title,
    summary: shownExcerpt(values),
    message: null,
    path: `/essays/${slug}`,
    list: "/essays",
    feed: ESSAYS_FEED_PATH,
    notInFeed: isInFeed ? null : "The feed has only the newest essays, and this one is older.",
  };
}

async function readEpisodeItem(ctx: Context, id: number): Promise<PublishedItem> {
  const [{ values }, edited, message] = await Promise.all([
    readEpisodeForEdit(ctx, id),
    readShowForEdit(ctx),
    findAcceptedMessage(ctx, id),
  ]);
  return {
    isPublished: values.status === "published",
    title: values.title,
    summary: values.description,
    message,
    path: `/episode/${id}`,
    list: "/podcast",
    feed: FEED_PATH,
    notInFeed: notInFeedBecause(values.audioFileId !== null, edited?.show),
  };
}

type Show = { redirectsFeed: boolean; newFeedUrl: string | null };

function notInFeedBecause(hasAudio: boolean, show: Show | undefined) {
  if (!show) return "There’s no feed until the podcast is described.";
  if (!hasAudio) return "It has no audio, so it isn’t in the feed.";
  return show.redirectsFeed && show.newFeedUrl ? `The feed redirects to ${show.newFeedUrl}.` : null;
}
