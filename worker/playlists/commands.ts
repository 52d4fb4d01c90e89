import { and, eq, sql } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { writeAndRead } from "#worker/platform/data/write-and-read.ts";
import { changedPlaylist } from "#worker/playlists/cache-tags.ts";
import { MOST_PLAYLISTS, NewPlaylist, NewSmartPlaylist, PlaylistPatch } from "#worker/playlists/contract.ts";
import { requireListener } from "#worker/playlists/listener.ts";
import { countIfNew } from "#worker/playlists/new-listeners.ts";
import { requireOwn, requireOwnList } from "#worker/playlists/ownership.ts";
import { readCounted, readOwnPlaylist } from "#worker/playlists/queries.ts";
import { playlists } from "#worker/playlists/table.ts";

/**
 * @throws `bad_request` without a listener; `invalid`; `conflict` when the listener has too many; `too_many` new listeners
 */
export async function createPlaylist(ctx: Context, input: NewPlaylist) {
  const listener = requireListener(ctx);
  const { name, description, isPublic } = parseInput(NewPlaylist, input);
  await countIfNew(ctx);
  const id = crypto.randomUUID();
  const insert = insertPlaylist(ctx, { id, listener, name, description, isPublic, smart: null });
  const [, [playlist]] = await writeAndRead(
    ctx,
    (db) => db.batch([insert]),
    (one) => readCounted(one, eq(playlists.id, id)),
  );
  if (!playlist) throw tooMany();
  return playlist;
}

/**
 * Creates the smart playlist of this name, or returns the one that exists.
 * @throws `bad_request` without a listener; `invalid`; `conflict` when the listener has too many; `too_many` new listeners
 */
export async function createSmartPlaylist(ctx: Context, input: NewSmartPlaylist) {
  const listener = requireListener(ctx);
  const { name } = parseInput(NewSmartPlaylist, input);
  await countIfNew(ctx);
  const id = crypto.randomUUID();
  const values = { id, listener, name, description: "", isPublic: false, smart: name };
  const insert = insertPlaylist(ctx, values).onConflictDoNothing({
    target: [playlists.listener, playlists.smart],
  });
  const [[[created]], [playlist]] = await writeAndRead(
    ctx,
    (db) => db.batch([insert]),
    (one) => readCounted(one, and(eq(playlists.listener, listener), eq(playlists.smart, name))),
  );
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
  const [, playlist] = await writeAndRead(
    ctx,
    (db) => db.batch([shown(), update, shown()]),
    (one) => readOwnPlaylist(one, id),
  );
  return playlist;
}

/** @throws `bad_request` without a listener; `not_found`; `forbidden` for another listener's */
export async function deletePlaylist(ctx: Context, id: string) {
  await requireOwn(ctx, id);
  const remove = ctx.db.delete(playlists).where(eq(playlists.id, id));
  await ctx.db.batch([changedPlaylist(ctx, eq(playlists.id, id)), remove]);
}

type NewRow = Omit<typeof playlists.$inferSelect, "createdAt" | "updatedAt">;

/** The insert also counts, so that concurrent requests cannot pass the limit. */
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
  new AppError("conflict", `You already have ${MOST_PLAYLISTS} playlists. Delete one to make room.`);
