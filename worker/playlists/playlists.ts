import { and, desc, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import { changed } from "#worker/platform/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";
import { wholeList } from "#worker/platform/keyset.ts";
import {
  MOST_PLAYLISTS,
  NewPlaylist,
  NewSmartPlaylist,
  PlaylistPatch,
  type OpenPlaylist,
  type Playlist,
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

/** @throws `bad_request` without a listener; `invalid`; `conflict` when the listener has too many */
export async function createPlaylist(ctx: Context, input: NewPlaylist) {
  const listener = requireListener(ctx);
  const { name, description, isPublic } = parseInput(NewPlaylist, input);
  const id = crypto.randomUUID();
  const [created] = await insertPlaylist(ctx, { id, listener, name, description, isPublic, smart: null });
  if (!created) throw tooMany();
  return readOwnPlaylist(ctx, id);
}

/**
 * Creates the smart playlist of this name, or returns the one that exists.
 * @throws `bad_request` without a listener; `invalid`; `conflict` when the listener has too many
 */
export async function createSmartPlaylist(ctx: Context, input: NewSmartPlaylist) {
  const listener = requireListener(ctx);
  const { name } = parseInput(NewSmartPlaylist, input);
  const id = crypto.randomUUID();
  const values = { id, listener, name, description: "", isPublic: false, smart: name };
  const [created] = await insertPlaylist(ctx, values).onConflictDoNothing({
    target: [playlists.listener, playlists.smart],
  });
  const [playlist] = await readCounted(ctx, and(eq(playlists.listener, listener), eq(playlists.smart, name)));
  if (!playlist) throw tooMany();
  return { playlist, isNew: created !== undefined };
}

/**
 * Changes the given fields.
 * @throws `bad_request` without a listener; `invalid`; `not_found`; `forbidden` for another listener's; `conflict` for a
 * smart one
 */
export async function updatePlaylist(ctx: Context, id: string, input: PlaylistPatch) {
  await requireOwnList(ctx, id);
  const patch = parseInput(PlaylistPatch, input);
  const update = ctx.db
    .update(playlists)
    .set({ ...patch, updatedAt: ctx.now })
    .where(eq(playlists.id, id));
  // Before and after the update: one that becomes private expires its answers too.
  const shown = () => changedPlaylist(ctx, eq(playlists.id, id));
  await ctx.db.batch([shown(), update, shown()]);
  return readOwnPlaylist(ctx, id);
}

/** @throws `bad_request` without a listener; `not_found`; `forbidden` for another listener's */
export async function deletePlaylist(ctx: Context, id: string) {
  await requireOwn(ctx, id);
  const remove = ctx.db.delete(playlists).where(eq(playlists.id, id));
  await ctx.db.batch([changedPlaylist(ctx, eq(playlists.id, id)), remove]);
}

/** The statement that expires a playlist's cached answers, if it is public and the condition holds. */
export function changedPlaylist(ctx: Context, which: SQL | undefined) {
  const isShown = and(which, eq(playlists.isPublic, true));
  return changed(ctx, sql`select 'playlist:' || ${playlists.id} as tag from ${playlists} where ${isShown}`);
}

/** Another listener's private playlist is `not_found`, a public one `forbidden`. */
async function requireOwn(ctx: Context, id: string) {
  const listener = requireListener(ctx);
  const row = await readRow(ctx, id);
  if (row.listener !== listener) throw new AppError("forbidden", "This playlist is somebody else’s.");
  return row;
}

/** The same, and refuses smart playlists. */
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

export async function readOwnPlaylist(ctx: Context, id: string) {
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

/** The statement that inserts also counts, so that two requests at once cannot pass the limit. */
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
