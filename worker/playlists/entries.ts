import { and, eq, gt, sql, type AnyColumn, type SQL } from "drizzle-orm";
import { isPublishedEpisode, listChosenEpisodes } from "#worker/episodes/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { MOST_LISTED, MOST_SMART, smartNames, type SmartName } from "#worker/playlists/contract.ts";
import { favorites, playlistItems, playlists, progress } from "#worker/playlists/table.ts";

/** The rows that lists of episodes are made from: items of a playlist, or a listener's favourites and progress. */

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

/** The items of a playlist, by position. */
const itemsWhere = (db: Db, which: SQL | undefined) =>
  db
    .select({
      id: sql<number>`${playlistItems.id}`.as("entry_id"),
      episodeId: sql<number>`${playlistItems.episodeId}`.as("entry_episode"),
      rank: sql<number>`${playlistItems.position}`.as("entry_rank"),
    })
    .from(playlistItems)
    .where(which)
    .as("entries");

/** A listener's rows, by time. */
const entriesOf = (db: Db, listener: string, { table, at, which }: Source) =>
  db
    .select({
      id: sql<number>`${table.episodeId}`.as("entry_id"),
      episodeId: sql<number>`${table.episodeId}`.as("entry_episode"),
      rank: sql<number>`${at}`.as("entry_rank"),
    })
    .from(table)
    .where(and(eq(table.listener, listener), which))
    .as("entries");

/** The published items of a playlist, in order. */
export const readItems = (ctx: Context, playlistId: string) =>
  readItemsWhere(ctx, eq(playlistItems.playlistId, playlistId));

export async function readItemsWhere(ctx: Context, which: SQL | undefined) {
  const listed = await listChosenEpisodes(ctx, itemsWhere(ctx.db, which));
  return listed.map(({ id, episode }) => ({ id, episode }));
}

/** The current episodes of a smart playlist. */
export async function readSmartItems(ctx: Context, listener: string, name: SmartName) {
  const entries = entriesOf(ctx.db, listener, smart[name]);
  const listed = await listChosenEpisodes(ctx, entries, { newestFirst: true, limit: MOST_SMART });
  return listed.map(({ id, episode }) => ({ id, episode }));
}

export async function readFavorites(ctx: Context, listener: string) {
  const entries = entriesOf(ctx.db, listener, favorited);
  const listed = await listChosenEpisodes(ctx, entries, { newestFirst: true, limit: MOST_LISTED });
  return listed.map(({ rank, episode }) => ({ episode, createdAt: rank }));
}

/** SQL: how many published episodes a playlist of the query has. */
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
  return sql`(select count(*) from ${table} where ${and(which, isPublishedEpisode(table.episodeId))})`;
}
