import { and, desc, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import { isPublishedEpisode } from "#worker/episodes/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";
import {
  MOST_LISTED,
  type Favorite,
  type OpenPlaylist,
  type Playlist,
  type Progress,
  type SmartName,
} from "#worker/playlists/contract.ts";
import { episodeCount, readFavorites, readItems, readSmartItems } from "#worker/playlists/entries.ts";
import { requireListener } from "#worker/playlists/listener.ts";
import { playlists, progress } from "#worker/playlists/table.ts";

type Row = typeof playlists.$inferSelect;

const toPlaylist = ({
  listener: _listener,
  smart,
  createdAt,
  updatedAt,
  ...row
}: Row & { episodeCount: number }): Playlist => ({
  ...row,
  isSmart: smart !== null,
  createdAt: createdAt.getTime(),
  updatedAt: updatedAt.getTime(),
});

export const playlistNotFound = () => new AppError("not_found", "Playlist not found");

/**
 * The listener's own, newest first.
 * @throws `bad_request` without a listener
 */
export async function listPlaylists(ctx: Context) {
  return wholeList(await readCounted(ctx, eq(playlists.listener, requireListener(ctx))));
}

/**
 * A playlist with its episodes: the listener's own, or a public one.
 * @throws `bad_request` without a listener; `not_found`, also for another listener's private one
 */
export async function readPlaylist(ctx: Context, id: string): Promise<OpenPlaylist> {
  const listener = requireListener(ctx);
  const row = await readRow(ctx, id);
  const items = row.smart ? await readSmartItems(ctx, row.listener, row.smart) : await readItems(ctx, id);
  const playlist = toPlaylist({ ...row, episodeCount: items.length });
  return { playlist, items, isOwner: row.listener === listener };
}

/**
 * The episodes of the listener's smart playlist, whether or not the listener created it.
 * @throws `bad_request` without a listener
 */
export const readSmartPlaylist = async (ctx: Context, name: SmartName) =>
  wholeList(await readSmartItems(ctx, requireListener(ctx), name));

export async function readRow(ctx: Context, id: string): Promise<Row> {
  const listener = requireListener(ctx);
  const [row] = await ctx.db.select().from(playlists).where(eq(playlists.id, id));
  if (!row || (!row.isPublic && row.listener !== listener)) throw playlistNotFound();
  return row;
}

export async function readOwnPlaylist(ctx: Context, id: string) {
  const isOwn = and(eq(playlists.id, id), eq(playlists.listener, requireListener(ctx)));
  const [playlist] = await readCounted(ctx, isOwn);
  if (!playlist) throw playlistNotFound();
  return playlist;
}

/** Newest first, with how many episodes each shows. */
export async function readCounted({ db }: Context, which: SQL | undefined) {
  const rows = await db
    .select({ ...getTableColumns(playlists), episodeCount })
    .from(playlists)
    .where(which)
    .orderBy(desc(playlists.createdAt), desc(sql`rowid`));
  return rows.map(toPlaylist);
}

/**
 * The listener's favourites, newest first.
 * @throws `bad_request` without a listener
 */
export const listFavorites = async (ctx: Context) =>
  wholeList<Favorite>(await readFavorites(ctx, requireListener(ctx)));

export const progressColumns = {
  episodeId: progress.episodeId,
  progressSeconds: progress.progressSeconds,
  completed: progress.completed,
  updatedAt: progress.updatedAt,
};

export const toProgress = ({
  updatedAt,
  ...row
}: Omit<Progress, "updatedAt"> & { updatedAt: Date }): Progress => ({
  ...row,
  updatedAt: updatedAt.getTime(),
});

/**
 * The listener's progress in each episode, latest first.
 * @throws `bad_request` without a listener
 */
export async function listProgress(ctx: Context) {
  const listener = requireListener(ctx);
  const rows = await ctx.db
    .select(progressColumns)
    .from(progress)
    .where(and(eq(progress.listener, listener), isPublishedEpisode(progress.episodeId)))
    .orderBy(desc(progress.updatedAt), desc(progress.episodeId))
    .limit(MOST_LISTED);
  return wholeList(rows.map(toProgress));
}
