import { and, asc, desc, eq, gt, sql, type AnyColumn, type SQL } from "drizzle-orm";
import { audio, image, isPublished, summaryColumns, toSummary } from "#worker/episodes/summary.ts";
import { episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { MOST_SMART, MOST_TOLD, smartNames, type SmartName } from "#worker/playlists/contract.ts";
import { favorites, playlistItems, playlists, progress } from "#worker/playlists/table.ts";

/** What a list of episodes is made from, be it kept or computed; only what is published is shown of it. */

type Source = { table: typeof favorites | typeof progress; at: AnyColumn; which?: SQL };

const favorited: Source = { table: favorites, at: favorites.createdAt };

const smart: Record<SmartName, Source> = {
  "Recently Played": { table: progress, at: progress.updatedAt },
  "Not finished yet": {
    table: progress,
    at: progress.updatedAt,
    which: and(gt(progress.progressSeconds, 0), eq(progress.completed, false)),
  },
  "Favourites by newest": favorited,
};

type Db = Context["db"];

/** What stands in a playlist, by its place. */
const itemsIn = (db: Db, playlistId: string) =>
  db
    .select({
      id: sql<number>`${playlistItems.id}`.as("entry_id"),
      episodeId: sql<number>`${playlistItems.episodeId}`.as("entry_episode"),
      place: sql<number>`${playlistItems.position}`.as("entry_place"),
    })
    .from(playlistItems)
    .where(eq(playlistItems.playlistId, playlistId))
    .as("entries");

type Entries = ReturnType<typeof itemsIn>;

/** What a listener did, by its time. */
const entriesOf = (db: Db, listener: string, { table, at, which }: Source): Entries =>
  db
    .select({
      id: sql<number>`${table.episodeId}`.as("entry_id"),
      episodeId: sql<number>`${table.episodeId}`.as("entry_episode"),
      place: sql<number>`${at}`.as("entry_place"),
    })
    .from(table)
    .where(and(eq(table.listener, listener), which))
    .as("entries");

type Order = { newestFirst: boolean; most: number };

async function readEntries({ db }: Context, entries: Entries, { newestFirst, most }: Order) {
  const direction = newestFirst ? desc : asc;
  const rows = await db
    .select({ ...summaryColumns, entryId: entries.id, place: entries.place })
    .from(entries)
    .innerJoin(episodes, eq(episodes.id, entries.episodeId))
    .leftJoin(image, eq(image.id, episodes.imageFileId))
    .leftJoin(audio, eq(audio.id, episodes.audioFileId))
    .where(isPublished)
    .orderBy(direction(entries.place), direction(entries.id))
    .limit(most);
  return rows.map(({ entryId, place, ...row }) => ({ id: entryId, place, episode: toSummary(row) }));
}

/** The items of a playlist that is kept. */
export async function readItems(ctx: Context, playlistId: string) {
  const entries = itemsIn(ctx.db, playlistId);
  // -1 is SQLite's word for all of them.
  const read = await readEntries(ctx, entries, { newestFirst: false, most: -1 });
  return read.map(({ id, episode }) => ({ id, episode }));
}

/** What a smart playlist shows now. */
export async function readSmartItems(ctx: Context, listener: string, name: SmartName) {
  const entries = entriesOf(ctx.db, listener, smart[name]);
  const read = await readEntries(ctx, entries, { newestFirst: true, most: MOST_SMART });
  return read.map(({ id, episode }) => ({ id, episode }));
}

export async function readFavorites(ctx: Context, listener: string) {
  const entries = entriesOf(ctx.db, listener, favorited);
  const read = await readEntries(ctx, entries, { newestFirst: true, most: MOST_TOLD });
  return read.map(({ place, episode }) => ({ episode, createdAt: place }));
}

/** Of each playlist of a query, how many episodes it shows. */
export const episodeCount = sql<number>`case
  when ${playlists.smart} is null then ${countOf(playlistItems, eq(playlistItems.playlistId, playlists.id))}
  ${sql.join(smartNames.map(countOfSmart), sql` `)}
end`;

function countOfSmart(name: SmartName) {
  const { table, which } = smart[name];
  const count = countOf(table, and(eq(table.listener, playlists.listener), which));
  return sql`when ${playlists.smart} = ${name} then min(${MOST_SMART}, ${count})`;
}

function countOf(table: Source["table"] | typeof playlistItems, which: SQL | undefined) {
  return sql`(select count(*) from ${table} inner join ${episodes} on ${eq(episodes.id, table.episodeId)} where ${and(which, isPublished)})`;
}
