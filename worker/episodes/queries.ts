import { and, asc, desc, eq, gt, sql, type AnyColumn, type Placeholder, type SQL } from "drizzle-orm";
import { unionAll, type SubqueryWithSelection } from "drizzle-orm/sqlite-core";
import { alternateFiles } from "#worker/episodes/alternate-files.ts";
import { commentsTag, positionOf, shownComments } from "#worker/comments/shown.ts";
import type { Episode, EpisodeSummary } from "#worker/episodes/contract.ts";
import { episodeNotFound, isPublished, summaryColumns, toSummary } from "#worker/episodes/summary.ts";
import { episodes, formerEpisodeSlugs } from "#worker/episodes/table.ts";
import { audio, image } from "#worker/files/library/joins.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import type { Context } from "#worker/platform/context.ts";
import { cursorOf, olderThan, pageOf } from "#worker/platform/data/keyset.ts";
import { byId, prepared, preparedRows } from "#worker/platform/data/prepared.ts";
import { creditedPeople, withPages, type Pictured } from "#worker/profiles/credits.ts";

const selectEpisodes = (db: Context["db"], which: SQL | undefined, limit: number | Placeholder) =>
  db
    .select(summaryColumns)
    .from(episodes)
    .leftJoin(image, eq(image.id, episodes.imageFileId))
    .leftJoin(audio, eq(audio.id, episodes.audioFileId))
    .where(and(isPublished, which))
    .orderBy(desc(episodes.publishedAt), desc(episodes.id))
    .limit(limit);

const selectNewest = prepared(["limit"], (db, { limit }) => selectEpisodes(db, undefined, limit));

type ListPage = { before?: string; limit?: number };

/**
 * Published episodes, newest first. `before` is the previous page's `next`.
 * @throws `not_found` for a malformed cursor
 */
export async function listPublishedEpisodes(ctx: Context, page: ListPage = {}) {
  const { before, limit = 24 } = page;
  if (before !== undefined) return listEpisodesWhere(ctx, undefined, page);
  ctx.dependsOn("episodes");
  const rows = await selectNewest(ctx, { limit: limit + 1 });
  return summariesOf(rows, limit);
}

/** The same of some of them. */
export async function listEpisodesWhere(ctx: Context, which: SQL | undefined, page: ListPage = {}) {
  const { before, limit = 24 } = page;
  ctx.dependsOn("episodes");
  const isOlder = before === undefined ? undefined : olderThan(before, episodes.publishedAt, episodes.id);
  return summariesOf(await selectEpisodes(ctx.db, and(which, isOlder), limit + 1), limit);
}

const summariesOf = (rows: Awaited<ReturnType<typeof selectEpisodes>>, limit: number) =>
  pageOf(rows.map(toSummary), limit, ({ publishedAt, id }) => cursorOf(publishedAt, id));

const detailedColumns = {
  ...summaryColumns,
  explicit: episodes.explicit,
  audioType: audio.type,
  audioBytes: audio.size,
  videoUrl: episodes.videoUrl,
  spotifyUrl: episodes.spotifyUrl,
  appleUrl: episodes.appleUrl,
  chapters: episodes.chapters,
  people: creditedPeople(episodes.people),
  alternates: alternateFiles,
  discussions: episodes.discussions,
  showNotesHtml: episodes.showNotesHtml,
  transcript: episodes.cues,
  plainTranscript: sql<string>`iif(octet_length(${episodes.cues}) > 2, '', ${episodes.transcript})`,
};

const selectDetailed = <Columns extends object>(db: Context["db"], columns: Columns) =>
  db
    .select({ ...detailedColumns, ...columns })
    .from(episodes)
    .leftJoin(image, eq(image.id, episodes.imageFileId))
    .leftJoin(audio, eq(audio.id, episodes.audioFileId));

/** Without what only apps show: the chapters' pictures, and those that are in no list. */
const toEpisode = async (row: Awaited<ReturnType<typeof selectEpisode>>[number]): Promise<Episode> => ({
  ...toSummary(row),
  people: await withPaths(row.people),
  chapters: row.chapters
    .filter(({ toc }) => toc !== false)
    .map(({ start, title, url }) => ({ start, title, url })),
  alternates: row.alternates.map(({ title, key, type, size, height }) => ({
    title,
    url: mediaUrl(key),
    type,
    size,
    height,
  })),
});

/** A person’s picture is on their page. */
async function withPaths(people: Pictured[]) {
  const [credited] = await withPages([{ people }]);
  return credited!.people.map(({ picture: _picture, ...person }) => person);
}

const selectEpisode = prepared(["id"], (db, { id }) =>
  selectDetailed(db, {}).where(and(eq(episodes.id, id), isPublished)),
);

const selectWithComments = prepared(["id", "thread", "comment"], (db, { id, thread, comment }) =>
  selectDetailed(db, {
    comments: shownComments("episode", sql`episodes.id`, thread, comment),
    generated: episodes.generated,
  }).where(and(eq(episodes.id, id), isPublished)),
);

/**
 * The same as `readEpisode` with what of it models wrote, and a page of the comments, in one statement; null while comments are
 * switched off.
 * @throws `not_found`, also for a malformed cursor
 */
export async function readEpisodeWithComments(ctx: Context, id: number, after: string | undefined) {
  ctx.dependsOn(`episode:${id}`, commentsTag("episode", id));
  const [row] = await selectWithComments(ctx, { id, ...positionOf(after) });
  if (!row) throw episodeNotFound();
  const { comments, generated, ...columns } = row;
  const episode = await toEpisode(columns);
  return { episode, generated, comments };
}

/**
 * A published episode with everything that its page shows.
 * @throws `not_found`
 */
export async function readEpisode(ctx: Context, id: number): Promise<Episode> {
  ctx.dependsOn(`episode:${id}`);
  const [row] = await selectEpisode(ctx, { id });
  if (!row) throw episodeNotFound();
  return toEpisode(row);
}

const selectSummary = prepared(["id"], (db, { id }) => selectEpisodes(db, eq(episodes.id, id), 1));

/**
 * A published episode without its texts.
 * @throws `not_found`
 */
export async function readEpisodeSummary(ctx: Context, id: number): Promise<EpisodeSummary> {
  ctx.dependsOn(`episode:${id}`);
  const [row] = await selectSummary(ctx, { id });
  if (!row) throw episodeNotFound();
  return toSummary(row);
}

/**
 * An episode as its page will show it, whatever its status: for a visitor with its preview link. A draft is dated now.
 * @throws `not_found`
 */
export async function readEpisodeForPreview({ db, now }: Context, id: number) {
  const [row] = await selectDetailed(db, {
    status: episodes.status,
    scheduledFor: episodes.scheduledFor,
    generated: episodes.generated,
  }).where(eq(episodes.id, id));
  if (!row) throw episodeNotFound();
  const { status, scheduledFor, generated, ...columns } = row;
  const episode = await toEpisode(columns);
  const date = status === "published" ? episode.publishedAt : (scheduledFor ?? now).getTime();
  // A person whom only this episode names has no page before it is published.
  const people = status === "published" ? episode.people : episode.people.map(withoutPage);
  return { episode: { ...episode, people, publishedAt: date }, generated, status };
}

const withoutPage = (person: Episode["people"][number]) => ({ ...person, page: null });

/** A subquery that chooses episodes by id. `rank` orders them; `id` is the choosing row's own. */
type Choice = SubqueryWithSelection<Record<"id" | "episodeId" | "rank", SQL.Aliased<number>>, string>;

/** Those of the episodes chosen by another noun's rows that are published. */
export async function listChosenEpisodes(
  { db }: Context,
  choice: Choice,
  { newestFirst = false, limit = ALL }: { newestFirst?: boolean; limit?: number } = {},
) {
  const direction = newestFirst ? desc : asc;
  const rows = await db
    .select({ ...summaryColumns, choiceId: choice.id, rank: choice.rank })
    .from(choice)
    .innerJoin(episodes, eq(episodes.id, choice.episodeId))
    .leftJoin(image, eq(image.id, episodes.imageFileId))
    .leftJoin(audio, eq(audio.id, episodes.audioFileId))
    .where(isPublished)
    .orderBy(direction(choice.rank), direction(choice.id))
    .limit(limit);
  return rows.map(({ choiceId, rank, ...row }) => ({ id: choiceId, rank, episode: toSummary(row) }));
}

/** No limit, in SQLite. */
const ALL = -1;

/** SQL: whether the episode with this id is published. */
export const isPublishedEpisode = (id: AnyColumn | SQL | number) =>
  sql`exists (select 1 from ${episodes} where ${and(eq(episodes.id, id), isPublished)})`;

/** SQL, as JSON: the title, path and tag of the episode with this id; null if it does not exist. */
export const commentedEpisode = (id: SQL | number) =>
  sql<string | null>`(select json_object('title', title, 'path', '/episode/' || id, 'tag', 'episode:' || id,
    'isPublished', json(iif(status = 'published', 'true', 'false'))) from episodes where episodes.id = ${id})`;

/** SQL: the title of an episode, and its path while it is published, as JSON; null if it does not exist. */
export const episodeLabel = (id: SQL) => sql`(select json_object('title', ${episodes.title},
    'path', iif(${isPublished}, '/episode/' || ${episodes.id}, null))
  from ${episodes} where ${episodes.id} = ${id})`;

/** @throws `not_found` */
export async function requirePublishedEpisode({ db }: Context, id: number) {
  const [row] = await db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.id, id), isPublished));
  if (!row) throw episodeNotFound();
}

/** Published episodes in the order of their ids, from the one after `after`; `people` is the JSON of their list. */
export const listPublishedEpisodeDates = preparedRows(["after", "limit"], (db, { after, limit }) =>
  db
    .select({
      id: sql<number>`${episodes.id}`.as("id"),
      updatedAt: sql<number>`${episodes.updatedAt}`.as("updatedAt"),
      people: sql<string>`${episodes.people}`.as("people"),
    })
    .from(episodes)
    .where(and(byId(isPublished), gt(episodes.id, after)))
    .orderBy(asc(episodes.id))
    .limit(limit),
);

/** The id of the published episode that has this slug, otherwise of the one that had it last; null if there is none. */
export async function findEpisodeBySlug({ db }: Context, slug: string) {
  const named = unionAll(
    db
      .select({ id: episodes.id, leftAt: sql<number>`9e99`.as("left_at") })
      .from(episodes)
      .where(eq(episodes.slug, slug)),
    db
      .select({
        id: formerEpisodeSlugs.episodeId,
        leftAt: sql<number>`${formerEpisodeSlugs.leftAt}`.as("left_at"),
      })
      .from(formerEpisodeSlugs)
      .where(eq(formerEpisodeSlugs.slug, slug)),
  ).as("named");
  // A join, so that SQLite does not scan all published episodes.
  const [row] = await db
    .select({ id: episodes.id })
    .from(named)
    .crossJoin(episodes)
    .where(and(eq(episodes.id, named.id), isPublished))
    .orderBy(desc(named.leftAt))
    .limit(1);
  return row?.id ?? null;
}
