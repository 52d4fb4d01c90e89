import { and, asc, between, eq, getTableColumns, isNotNull, sql, type AnyColumn } from "drizzle-orm";
import { alternateFiles } from "#worker/episodes/alternate-files.ts";
import { LONG_NOTES, MAX_DOCUMENT, MAX_SUMMARY, renderRss } from "#worker/episodes/rss.ts";
import { episodes, shows } from "#worker/episodes/table.ts";
import { transcriptFormats, type TranscriptFormat } from "#worker/episodes/transcript-formats.ts";
import { audio, image } from "#worker/files/library/joins.ts";
import { pictureColumns } from "#worker/files/pictures/picture.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { prepared } from "#worker/platform/data/prepared.ts";
import { creditedPeople, withPages } from "#worker/profiles/credits.ts";
import { disclosureSetting, hubSetting, op3Setting, patreonSetting } from "#worker/settings/queries.ts";

/**
 * Episodes in one document. Many apps only read the first (docs/decisions/0028-feeds.md), so it contains nearly every
 * feed completely.
 */
export const FEED_PAGE = 1000;

const selectShow = prepared([], (db) =>
  db
    .select({
      ...getTableColumns(shows),
      people: creditedPeople(shows.people),
      artwork: { ...pictureColumns(image), type: image.type },
      hubUrl: hubSetting,
      op3: op3Setting,
      takesSupport: patreonSetting,
      disclosesGenerated: disclosureSetting,
    })
    .from(shows)
    .leftJoin(image, eq(image.id, shows.artworkFileId))
    .where(eq(shows.id, 1)),
);

/**
 * The podcast as feeds describe it. Its `feedChangedAt` is the validator of the podcast feed.
 * @throws `not_found` until the podcast has been described
 */
export async function readFeedShow(ctx: Context) {
  ctx.dependsOn("show", "people");
  const [row] = await selectShow(ctx, {});
  if (!row) throw new AppError("not_found", "There’s no podcast here yet.");
  const [show] = await withPages([row]);
  return { ...show!, usesPodping: ctx.config.podping !== undefined };
}
export type FeedShow = Awaited<ReturnType<typeof readFeedShow>>;

/** The feed's first document, and the items in it. */
export async function readFeedDocument(ctx: Context) {
  const show = await readFeedShow(ctx);
  const page = await readFeedPage(ctx, rankEpisodes(ctx), 1);
  return { xml: renderRss(ctx.config.siteUrl, show, page), items: page.items };
}

export const itemColumns = {
  id: episodes.id,
  guid: episodes.guid,
  title: episodes.title,
  description: episodes.description,
  publishedAt: episodes.publishedAt,
  seasonNumber: episodes.seasonNumber,
  episodeNumber: episodes.episodeNumber,
  episodeType: episodes.episodeType,
  explicit: episodes.explicit,
  durationSeconds: episodes.durationSeconds,
  people: creditedPeople(episodes.people),
  soundbites: episodes.soundbites,
  funding: episodes.funding,
  takesSupport: patreonSetting,
  generated: episodes.generated,
  disclosesGenerated: disclosureSetting,
  places: episodes.places,
  alternates: alternateFiles,
  discussions: episodes.discussions,
  youtubeUrl: episodes.youtubeUrl,
  spotifyUrl: episodes.spotifyUrl,
  appleUrl: episodes.appleUrl,
  hasChapters: sql<number>`${episodes.chapters} <> '[]'`,
  // octet_length only reads the row's header; a comparison would read the whole transcript.
  hasTranscript: sql<number>`octet_length(${episodes.transcript}) > 0`,
  hasCues: sql<number>`octet_length(${episodes.cues}) > ${"[]".length}`,
  language: sql<string>`(select ${shows.language} from ${shows})`,
  audioKey: audio.key,
  audioType: audio.type,
  audioBytes: audio.size,
  image: { ...pictureColumns(image), type: image.type },
  imageAlt: episodes.imageAlt,
  isBlocked: episodes.blocked,
};

/** SQL: whether an episode is in the feed. */
export const inFeed = and(eq(episodes.status, "published"), isNotNull(episodes.audioFileId));

/** SQL: whether the feed has the episode with this id. */
export const isInFeed = (id: AnyColumn) =>
  sql`exists (select 1 from ${episodes} where ${and(eq(episodes.id, id), inFeed)})`;

/** Bytes of an episode's show notes as HTML. */
const htmlBytes = sql<number>`octet_length(${episodes.showNotesHtml})`;
const hasLongNotes = sql<number>`${htmlBytes} > ${LONG_NOTES}`;

/** The episodes of the podcast's own feed, newest first: the position of each, and their number. */
export const rankEpisodes = ({ db }: Context) =>
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
  const items = await withPages(await readFeedItems(ctx, ranked, page));
  if (items.length === 0 && page > 1) throw new AppError("not_found", "The feed has no such page.");
  const total = items[0]?.total ?? 0;
  return { items, page, lastPage: Math.max(1, Math.ceil(total / FEED_PAGE)) };
}

/**
 * The episodes of one page in one statement: numbered without their texts, then read by id. A page's start can only be
 * found by counting. Show notes that cannot fit into the document are not read: a thousand of them may take 100 MB.
 */
function readFeedItems({ db }: Context, ranked: RankedEpisodes, page: number) {
  const measured = db.$with("measured").as(
    db
      .select({
        episodeId: ranked.episodeId,
        rank: ranked.rank,
        total: ranked.total,
        hasLongNotes: hasLongNotes.as("has_long_notes"),
        hasRoom: sql`sum(${htmlBytes}) over (order by ${hasLongNotes}, ${ranked.rank}) <= ${MAX_DOCUMENT}`.as(
          "has_room",
        ),
      })
      .from(ranked)
      .innerJoin(episodes, eq(episodes.id, ranked.episodeId))
      .where(between(ranked.rank, (page - 1) * FEED_PAGE + 1, page * FEED_PAGE)),
  );
  return db
    .with(ranked, measured)
    .select({
      ...itemColumns,
      rank: measured.rank,
      total: measured.total,
      hasLongNotes: measured.hasLongNotes,
      showNotesHtml: sql<string | null>`case when ${measured.hasRoom} then ${episodes.showNotesHtml} end`,
      notesStart: notesIfNeeded,
    })
    .from(measured)
    .innerJoin(episodes, eq(episodes.id, measured.episodeId))
    .innerJoin(audio, eq(audio.id, episodes.audioFileId))
    .leftJoin(image, eq(image.id, episodes.imageFileId))
    .orderBy(asc(measured.rank));
}

/**
 * SQL: the start of the show notes as plain text, more than fills a summary. Cut in bytes, because a transcript without
 * times is stored after the notes (rendered.ts), and only its length in bytes is known without reading it.
 */
const notesStart = sql`coalesce(cast(substr(cast(${episodes.showNotesText} as blob), 1, min(${2 * MAX_SUMMARY},
  octet_length(${episodes.showNotesText}) - iif(${itemColumns.hasCues}, 0, octet_length(${episodes.transcript}))
)) as text), '')`;

const notesIfNeeded = sql<string>`iif(${episodes.description} = '', ${notesStart}, '')`;

/** The texts of an item with its show notes, and their length. */
export const feedTexts = {
  htmlBytes,
  hasLongNotes,
  showNotesHtml: episodes.showNotesHtml,
  notesStart: notesIfNeeded,
};

export type FeedItem = Awaited<ReturnType<typeof readFeedPage>>["items"][number];

/**
 * The chapters of a published episode in the Podcasting 2.0 format.
 * @throws `not_found`
 */
export async function readChaptersDocument({ db, dependsOn, config }: Context, id: number) {
  dependsOn(`episode:${id}`);
  const [row] = await db
    .select({ title: episodes.title, chapters: episodes.chapters })
    .from(episodes)
    .where(isPublished(id));
  if (!row?.chapters.length) throw new AppError("not_found", "There are no chapters at this address.");
  return {
    version: "1.2.0",
    title: row.title,
    chapters: row.chapters.map(({ start, title, url, img, end, toc }) => ({
      startTime: start,
      ...(end !== undefined && { endTime: end }),
      title,
      ...(toc === false && { toc }),
      ...(url && { url }),
      ...(img && { img: img.startsWith("/") ? config.siteUrl + img : img }),
    })),
  };
}

/**
 * The transcript of a published episode in a format, and its language, null until the podcast has been described.
 * @throws `not_found`, also for a format with times if the transcript has none
 */
export async function readTranscriptDocument(
  { db, dependsOn }: Context,
  id: number,
  format: TranscriptFormat,
) {
  dependsOn(`episode:${id}`, "show");
  const [row] = await db
    .select({
      transcript: episodes.transcript,
      cues: episodes.cues,
      language: sql<string | null>`(select ${shows.language} from ${shows})`,
    })
    .from(episodes)
    .where(isPublished(id));
  const document = row && transcriptFormats[format].write(row);
  if (!document) throw new AppError("not_found", "There is no transcript at this address.");
  return { document, language: row.language };
}

const isPublished = (id: number) => and(eq(episodes.id, id), eq(episodes.status, "published"));
