import { and, eq, exists, sql, type SQL } from "drizzle-orm";
import { isPublishedEpisode, requirePublishedEpisode } from "#worker/episodes/queries.ts";
import { changedPlaylist } from "#worker/playlists/cache-tags.ts";
import { requireOwnList } from "#worker/playlists/ownership.ts";
import { readOwnPlaylist } from "#worker/playlists/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { writeAndRead } from "#worker/platform/data/write-and-read.ts";
import { MOST_ITEMS, NewItem, NewOrder, type PlaylistItem } from "#worker/playlists/contract.ts";
import { readItemsWhere } from "#worker/playlists/entries.ts";
import { playlistItems, playlists } from "#worker/playlists/table.ts";

/**
 * Adds an episode at the end of the playlist; one that is in it already keeps its position.
 * @throws `bad_request` without a listener; `invalid`; `not_found`, also for an episode that is not published;
 * `forbidden` for another listener's playlist; `conflict` for a smart or a full one
 */
export async function addItem(ctx: Context, id: string, input: NewItem) {
  await requireOwnList(ctx, id);
  const { episodeId } = parseInput(NewItem, input);
  const insert = insertItem(ctx, id, episodeId);
  const isNew = and(thisItem(id, episodeId), eq(playlistItems.addedAt, ctx.now));
  const [[inserted], item] = await writeAndRead(
    ctx,
    (db) => db.batch([insert, ...changedItems(ctx, id, existsItem(ctx, isNew))]),
    (one) => findItem(one, id, episodeId),
  );
  if (item) return { item, isNew: inserted.length > 0 };
  await requirePublishedEpisode(ctx, episodeId);
  await requireOwnList(ctx, id);
  throw new AppError(
    "conflict",
    `A playlist holds at most ${MOST_ITEMS.toLocaleString("en")} episodes. Remove one to make room.`,
  );
}

/**
 * Removes an episode; does nothing when the playlist does not contain it.
 * @throws `bad_request` without a listener; `not_found`; `forbidden` for another listener's; `conflict` for a smart one
 */
export async function removeItem(ctx: Context, id: string, episodeId: number) {
  await requireOwnList(ctx, id);
  const which = thisItem(id, episodeId);
  const remove = ctx.db.delete(playlistItems).where(which);
  await ctx.db.batch([...changedItems(ctx, id, existsItem(ctx, which)), remove]);
}

/**
 * Orders the items that the listener sees. `itemIds` names each exactly once; the statement that moves them checks
 * this, so that an item added or removed in between refuses the whole order.
 * @throws `bad_request` without a listener; `invalid`; `not_found`; `forbidden` for another listener's; `conflict` for
 * a smart one
 */
export async function reorderItems(ctx: Context, id: string, input: NewOrder) {
  await requireOwnList(ctx, id);
  const { itemIds } = parseInput(NewOrder, input);
  const { move, isWhole } = moveItems(ctx, id, itemIds);
  const [touch, tell] = changedItems(ctx, id, isWhole);
  const [[, touched], playlist] = await writeAndRead(
    ctx,
    (db) => db.batch([move, touch, tell]),
    (one) => readOwnPlaylist(one, id),
  );
  if (touched.length > 0) return playlist;
  throw new AppError("invalid", "The playlist has changed. Reload it and try again.", {
    field: "itemIds",
  });
}

/**
 * The visible items exchange positions among themselves, so that a hidden one keeps its own. SQLite computes an UPDATE's
 * FROM before it writes, so no position is read after it was changed.
 */
function moveItems({ db }: Context, id: string, itemIds: number[]) {
  const given = JSON.stringify(itemIds);
  const shown = sql`(select ${playlistItems.id} as id, ${playlistItems.position} as position
    from ${playlistItems}
    where ${and(eq(playlistItems.playlistId, id), isPublishedEpisode(playlistItems.episodeId))})`;
  const isWhole = sql`(select count(*) from ${shown}) = ${itemIds.length}
    and not exists (select 1 from ${shown} where id not in (select value from json_each(${given})))`;
  // Groups the nth id with the nth position: a join of the two would compare each with all.
  const moved = sql`(select max(id) as id, max(position) as position from (
      select key + 1 as nth, value as id, null as position from json_each(${given})
      union all select row_number() over (order by position), null, position from ${shown}
    ) group by nth) as moved`;
  const move = db
    .update(playlistItems)
    .set({ position: sql`moved.position` })
    .from(moved)
    .where(and(sql`${playlistItems.id} = moved.id`, isWhole));
  return { move, isWhole };
}

/** The statements that move the playlist's date and expire its cached answers, if the condition holds. */
function changedItems(ctx: Context, id: string, isChanged: SQL) {
  const touch = ctx.db
    .update(playlists)
    .set({ updatedAt: ctx.now })
    .where(and(eq(playlists.id, id), isChanged))
    .returning({ id: playlists.id });
  const touched = and(eq(playlists.id, id), eq(playlists.updatedAt, ctx.now));
  return [touch, changedPlaylist(ctx, touched)] as const;
}

/** Inserts nothing when the episode is not published or in the playlist already, or when the playlist is full. */
function insertItem({ db, now }: Context, id: string, episodeId: number) {
  const ofPlaylist = sql`from ${playlistItems} where ${eq(playlistItems.playlistId, id)}`;
  return db
    .insert(playlistItems)
    .select(
      sql`select null, ${playlists.id}, ${episodeId}, coalesce((select max(${playlistItems.position}) ${ofPlaylist}), 0) + 1, ${now.getTime()}
        from ${playlists}
        where ${and(eq(playlists.id, id), isPublishedEpisode(episodeId))}
          and (select count(*) ${ofPlaylist}) < ${MOST_ITEMS}`,
    )
    .onConflictDoNothing({ target: [playlistItems.playlistId, playlistItems.episodeId] })
    .returning({ id: playlistItems.id });
}

const thisItem = (id: string, episodeId: number) =>
  and(eq(playlistItems.playlistId, id), eq(playlistItems.episodeId, episodeId));

const existsItem = ({ db }: Context, which: SQL | undefined) =>
  exists(db.select({ id: playlistItems.id }).from(playlistItems).where(which));

async function findItem(ctx: Context, id: string, episodeId: number): Promise<PlaylistItem | undefined> {
  const [item] = await readItemsWhere(ctx, thisItem(id, episodeId));
  return item;
}
