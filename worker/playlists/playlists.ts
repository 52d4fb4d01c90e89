import { and, desc, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import { changed } from "#worker/platform/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import {
  MOST_PLAYLISTS,
  type NewPlaylist,
  type OpenPlaylist,
  type Playlist,
  type PlaylistPatch,
  type SmartName,
} from "#worker/playlists/contract.ts";
import { episodeCount, readItems, readSmartItems } from "#worker/playlists/entries.ts";
import { requireListener } from "#worker/playlists/listener.ts";
import { playlists } from "#worker/playlists/table.ts";

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

/** The listener's own, newest first. */
export async function listPlaylists(ctx: Context) {
  return readCounted(ctx, eq(playlists.listener, requireListener(ctx)));
}

/** A playlist with its episodes: the listener's own, or a public one. */
export async function readPlaylist(ctx: Context, id: string): Promise<OpenPlaylist> {
  const listener = requireListener(ctx);
  const row = await readRow(ctx, id);
  const items = row.smart ? await readSmartItems(ctx, row.listener, row.smart) : await readItems(ctx, id);
  const playlist = toPlaylist({ ...row, episodeCount: items.length });
  return { playlist, items, isOwner: row.listener === listener };
}

/** What a smart playlist of the listener would show now, be there one or not. */
export const readSmartPlaylist = (ctx: Context, name: SmartName) =>
  readSmartItems(ctx, requireListener(ctx), name);

export async function createPlaylist(ctx: Context, { name, description, isPublic }: NewPlaylist) {
  const listener = requireListener(ctx);
  const id = crypto.randomUUID();
  const [created] = await insertPlaylist(ctx, { id, listener, name, description, isPublic, smart: null });
  if (!created) throw tooMany();
  return readOwnPlaylist(ctx, id);
}

/** The one of this name that is there, or a new one. */
export async function createSmartPlaylist(ctx: Context, name: SmartName) {
  const listener = requireListener(ctx);
  const id = crypto.randomUUID();
  const values = { id, listener, name, description: "", isPublic: false, smart: name };
  const [created] = await insertPlaylist(ctx, values).onConflictDoNothing({
    target: [playlists.listener, playlists.smart],
  });
  const [playlist] = await readCounted(ctx, and(eq(playlists.listener, listener), eq(playlists.smart, name)));
  if (!playlist) throw tooMany();
  return { playlist, isNew: created !== undefined };
}

export async function updatePlaylist(ctx: Context, id: string, patch: PlaylistPatch) {
  await requireOwnList(ctx, id);
  const update = ctx.db
    .update(playlists)
    .set({ ...patch, updatedAt: ctx.now })
    .where(eq(playlists.id, id));
  // What was public and what is: one that becomes private has changed too.
  const shown = () => changedPlaylist(ctx, eq(playlists.id, id));
  await ctx.db.batch([shown(), update, shown()]);
  return readOwnPlaylist(ctx, id);
}

export async function deletePlaylist(ctx: Context, id: string) {
  await requireOwn(ctx, id);
  const remove = ctx.db.delete(playlists).where(eq(playlists.id, id));
  await ctx.db.batch([changedPlaylist(ctx, eq(playlists.id, id)), remove]);
}

/** The statement that tells of a change of this playlist, if it is public and this is true of it. */
export function changedPlaylist(ctx: Context, which: SQL | undefined) {
  const isShown = and(which, eq(playlists.isPublic, true));
  return changed(ctx, sql`select 'playlist:' || ${playlists.id} as tag from ${playlists} where ${isShown}`);
}

/** Refuses whoever does not own it: the owner's private ones are as if they did not exist. */
async function requireOwn(ctx: Context, id: string) {
  const listener = requireListener(ctx);
  const row = await readRow(ctx, id);
  if (row.listener !== listener) throw new AppError("forbidden", "This playlist is somebody else’s.");
  return row;
}

/** The same for what a smart playlist does not allow. */
export async function requireOwnList(ctx: Context, id: string) {
  const row = await requireOwn(ctx, id);
  if (row.smart) {
    throw new AppError("conflict", "A smart playlist makes itself: it cannot be changed, only deleted.");
  }
  return row;
}

async function readRow(ctx: Context, id: string): Promise<Row> {
  const listener = requireListener(ctx);
  const [row] = await ctx.db.select().from(playlists).where(eq(playlists.id, id));
  if (!row || (!row.isPublic && row.listener !== listener)) throw playlistNotFound();
  return row;
}

async function readOwnPlaylist(ctx: Context, id: string) {
  const isOwn = and(eq(playlists.id, id), eq(playlists.listener, requireListener(ctx)));
  const [playlist] = await readCounted(ctx, isOwn);
  if (!playlist) throw playlistNotFound();
  return playlist;
}

/** Newest first, with how many episodes each shows. */
async function readCounted({ db }: Context, which: SQL | undefined) {
  const rows = await db
    .select({ ...getTableColumns(playlists), episodeCount })
    .from(playlists)
    .where(which)
    .orderBy(desc(playlists.createdAt), desc(sql`rowid`));
  return rows.map(toPlaylist);
}

type NewRow = Omit<typeof playlists.$inferSelect, "createdAt" | "updatedAt">;

/** Counted in the statement that writes, so that two at once do not pass the limit. */
function insertPlaylist({ db, now }: Context, row: NewRow) {
  const { id, listener, name, description, isPublic, smart } = row;
  const owned = sql`(select count(*) from ${playlists} where ${eq(playlists.listener, listener)})`;
  return db
    .insert(playlists)
    .select(
      sql`select ${id}, ${listener}, ${name}, ${description}, ${Number(isPublic)}, ${smart}, ${now.getTime()}, ${now.getTime()}
        where ${owned} < ${MOST_PLAYLISTS}`,
    )
    .returning({ id: playlists.id });
}

const tooMany = () =>
  new AppError("conflict", `You have ${MOST_PLAYLISTS} playlists already. Delete one to make room.`);
