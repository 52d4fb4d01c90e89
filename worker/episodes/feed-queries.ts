import {
  and,
  asc,
  between,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  lte,
  or,
  sql,
  type AnyColumn,
} from "drizzle-orm";
import { renderRss } from "#worker/episodes/rss.ts";
import { episodes, shows } from "#worker/episodes/table.ts";
import { audio, image } from "#worker/files/joins.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { prepared } from "#worker/platform/prepared.ts";

/** A longer feed is paged (RFC 5005), newest first. */
const WHOLE_FEED = 300;
const PAGE = 100;

const selectShow = prepared([], (db) =>
  db
    .select({ ...getTableColumns(shows), artworkKey: image.key })
    .from(shows)
    .leftJoin(image, eq(image.id, shows.artworkFileId))
    .where(eq(shows.id, 1)),
);

/**
 * The podcast as feeds describe it. Its `feedChangedAt` is the validator of the podcast feed.
 * @throws `not_found` until the podcast was described
 */
export async function readFeedShow(ctx: Context) {
  ctx.dependsOn("show");
  const [row] = await selectShow(ctx, {});
  if (!row) throw new AppError("not_found", "There is no podcast here yet.");
  return row;
}
export type FeedShow = Awaited<ReturnType<typeof readFeedShow>>;

/**
 * A page of the podcast feed as XML. Page 1 is the address without a parameter.
 * @throws `not_found` for a page beyond the last
 */
export async function readFeed(ctx: Context, show: FeedShow, page: number) {
  ctx.dependsOn("episodes");
  return renderRss(ctx.config.siteUrl, show, await readFeedPage(ctx, rankEpisodes(ctx), page));
}

const itemColumns = {
  id: episodes.id,
  guid: episodes.guid,
  title: episodes.title,
  description: episodes.description,
  showNotesHtml: episodes.showNotesHtml,
  publishedAt: episodes.publishedAt,
  seasonNumber: episodes.seasonNumber,
  episodeNumber: episodes.episodeNumber,
  episodeType: episodes.episodeType,
  explicit: episodes.explicit,
  durationSeconds: episodes.durationSeconds,
  people: episodes.people,
  soundbites: episodes.soundbites,
  hasChapters: sql<number>`${episodes.chapters} <> '[]'`,
  // octet_length reads the row's header only; a comparison would read the whole transcript.
  hasTranscript: sql<number>`octet_length(${episodes.transcript}) > 0`,
  audioKey: audio.key,
  audioType: audio.type,
  audioBytes: audio.size,
  imageKey: image.key,
};

const inFeed = and(eq(episodes.status, "published"), isNotNull(episodes.audioFileId));

/** SQL: whether the feed has the episode with this id. */
export const isInFeed = (id: AnyColumn) =>
  sql`exists (select 1 from ${episodes} where ${and(eq(episodes.id, id), inFeed)})`;

/** The episodes of the podcast's own feed, newest first: the position of each, and how many there are. */
const rankEpisodes = ({ db }: Context) =>
  db.$with("ranked").as(
    db
      .select({
        episodeId: sql<number>`${episodes.id}`.as("episode_id"),
        rank: sql<number>`row_number() over (order by ${episodes.publishedAt} desc, ${episodes.id} desc)`.as(
          "rank",
        ),
        total: sql<number>`(select count(*) from ${episodes} where ${inFeed})`.as("total"),
      })
      .from(episodes)
      .where(inFeed),
  );
export type RankedEpisodes = ReturnType<typeof rankEpisodes>;

/**
 * A page of a feed: its items, its number and the number of the last page.
 * @throws `not_found` for a page beyond the last
 */
export async function readFeedPage(ctx: Context, ranked: RankedEpisodes, page: number) {
  const items = await readFeedItems(ctx, ranked, page);
  if (items.length === 0 && page > 1) throw new AppError("not_found", "The feed has no such page.");
  const total = items[0]?.total ?? 0;
  const lastPage = total > WHOLE_FEED ? Math.ceil(total / PAGE) : 1;
  return { items, page, lastPage };
}

/**
 * The episodes of one page in one statement: numbered without their texts, then read by id. Only counting tells where a
 * page begins.
 */
function readFeedItems({ db }: Context, ranked: RankedEpisodes, page: number) {
  const isWhole = lte(ranked.total, WHOLE_FEED);
  const isOnPage = and(
    gt(ranked.total, WHOLE_FEED),
    between(ranked.rank, (page - 1) * PAGE + 1, page * PAGE),
  );
  return db
    .with(ranked)
    .select({ ...itemColumns, total: ranked.total })
    .from(ranked)
    .innerJoin(episodes, eq(episodes.id, ranked.episodeId))
    .innerJoin(audio, eq(audio.id, episodes.audioFileId))
    .leftJoin(image, eq(image.id, episodes.imageFileId))
    .where(page === 1 ? or(isWhole, isOnPage) : isOnPage)
    .orderBy(asc(ranked.rank));
}
export type FeedItem = Awaited<ReturnType<typeof readFeedItems>>[number];

/**
 * The chapters of a published episode in the Podcasting 2.0 format.
 * @throws `not_found`
 */
export async function readChaptersDocument({ db, dependsOn }: Context, id: number) {
  dependsOn(`episode:${id}`);
  const [row] = await db
    .select({ title: episodes.title, chapters: episodes.chapters })
    .from(episodes)
    .where(isPublished(id));
  if (!row?.chapters.length) throw new AppError("not_found", "There are no chapters at this address.");
  return {
    version: "1.2.0",
    title: row.title,
    chapters: row.chapters.map(({ start, title, url }) => ({ startTime: start, title, ...(url && { url }) })),
  };
}

/**
 * The WebVTT transcript of a published episode.
 * @throws `not_found`
 */
export async function readTranscriptDocument({ db, dependsOn }: Context, id: number) {
  dependsOn(`episode:${id}`);
  const [row] = await db.select({ transcript: episodes.transcript }).from(episodes).where(isPublished(id));
  if (!row?.transcript) throw new AppError("not_found", "There is no transcript at this address.");
  return row.transcript;
}

const isPublished = (id: number) => and(eq(episodes.id, id), eq(episodes.status, "published"));
