import { and, eq, exists, sql, type SQL } from "drizzle-orm";
import {
  audio,
  episodeNotFound,
  image,
  isPublished,
  summaryColumns,
  toSummary,
} from "#worker/episodes/summary.ts";
import { episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { MOST_ITEMS, type PlaylistItem } from "#worker/playlists/contract.ts";
import { changedPlaylist, requireOwnList } from "#worker/playlists/playlists.ts";
import { playlistItems, playlists } from "#worker/playlists/table.ts";

/** Puts an episode at the playlist's end; one that is there already stays where it is. */
export async function addItem(ctx: Context, id: string, episodeId: number) {
  await requireOwnList(ctx, id);
  const insert = insertItem(ctx, id, episodeId);
  const isNew = and(thisItem(id, episodeId), eq(playlistItems.addedAt, ctx.now));
  const [inserted] = await ctx.db.batch([insert, ...changedItems(ctx, id, existsItem(ctx, isNew))]);
  const item = await findItem(ctx, id, episodeId);
  if (item) return { item, isNew: inserted.length > 0 };
  await requirePublished(ctx, episodeId);
  await requireOwnList(ctx, id);
  throw new AppError(
    "conflict",
    `A playlist holds at most ${MOST_ITEMS.toLocaleString("en")} episodes. Remove one to make room.`,
  );
}

/** Also of one that is not there. */
export async function removeItem(ctx: Context, id: string, episodeId: number) {
  await requireOwnList(ctx, id);
  const which = thisItem(id, episodeId);
  const remove = ctx.db.delete(playlistItems).where(which);
  await ctx.db.batch([...changedItems(ctx, id, existsItem(ctx, which)), remove]);
}

/**
 * Puts the items that the listener sees into this order. It takes exactly those, once each, and says so within the
 * statement that moves them: whatever was added or removed meanwhile refuses the whole.
 */
export async function reorderItems(ctx: Context, id: string, itemIds: number[]) {
  await requireOwnList(ctx, id);
  const { move, isWhole } = moveItems(ctx, id, itemIds);
  const [touch, tell] = changedItems(ctx, id, isWhole);
  const [, touched] = await ctx.db.batch([move, touch, tell]);
  if (touched.length > 0) return;
  throw new AppError("invalid", "The playlist has changed meanwhile. Reload it and try again.", {
    field: "itemIds",
  });
}

/**
 * The items that are shown trade places among themselves, so that one that is hidden keeps its own between them. All
 * new places are known before the first is written: SQLite computes an UPDATE's FROM as a whole first.
 */
function moveItems({ db }: Context, id: string, itemIds: number[]) {
  const given = JSON.stringify(itemIds);
  const shown = sql`(select ${playlistItems.id} as id, ${playlistItems.position} as position
    from ${playlistItems} inner join ${episodes} on ${eq(episodes.id, playlistItems.episodeId)}
    where ${and(eq(playlistItems.playlistId, id), isPublished)})`;
  const isWhole = sql`(select count(*) from ${shown}) = ${itemIds.length}
    and not exists (select 1 from ${shown} where id not in (select value from json_each(${given})))`;
  // The nth wanted and the nth place meet in one group: a join of the two would compare each with all.
  const moved = sql`(select max(id) as id, max(position) as position from (
      select key + 1 as place, value as id, null as position from json_each(${given})
      union all select row_number() over (order by position), null, position from ${shown}
    ) group by place) as moved`;
  const move = db
    .update(playlistItems)
    .set({ position: sql`moved.position` })
    .from(moved)
    .where(and(sql`${playlistItems.id} = moved.id`, isWhole));
  return { move, isWhole };
}

/** What moves the playlist's date, where this is true, and tells of it. */
function changedItems(ctx: Context, id: string, isChanged: SQL) {
  const touch = ctx.db
    .update(playlists)
    .set({ updatedAt: ctx.now })
    .where(and(eq(playlists.id, id), isChanged))
    .returning({ id: playlists.id });
  const touched = and(eq(playlists.id, id), eq(playlists.updatedAt, ctx.now));
  return [touch, changedPlaylist(ctx, touched)] as const;
}

/** Nothing where the episode is not published, is there already, or the playlist is full. */
function insertItem({ db, now }: Context, id: string, episodeId: number) {
  const ofPlaylist = sql`from ${playlistItems} where ${eq(playlistItems.playlistId, id)}`;
  return db
    .insert(playlistItems)
    .select(
      sql`select null, ${playlists.id}, ${episodes.id}, coalesce((select max(${playlistItems.position}) ${ofPlaylist}), 0) + 1, ${now.getTime()}
        from ${playlists}, ${episodes}
        where ${and(eq(playlists.id, id), eq(episodes.id, episodeId), isPublished)}
          and (select count(*) ${ofPlaylist}) < ${MOST_ITEMS}`,
    )
    .onConflictDoNothing({ target: [playlistItems.playlistId, playlistItems.episodeId] })
    .returning({ id: playlistItems.id });
}

const thisItem = (id: string, episodeId: number) =>
  and(eq(playlistItems.playlistId, id), eq(playlistItems.episodeId, episodeId));

const existsItem = ({ db }: Context, which: SQL | undefined) =>
  exists(db.select({ id: playlistItems.id }).from(playlistItems).where(which));

async function findItem({ db }: Context, id: string, episodeId: number): Promise<PlaylistItem | null> {
  const [row] = await db
    .select({ ...summaryColumns, itemId: playlistItems.id })
    .from(playlistItems)
    .innerJoin(episodes, eq(episodes.id, playlistItems.episodeId))
    .leftJoin(image, eq(image.id, episodes.imageFileId))
    .leftJoin(audio, eq(audio.id, episodes.audioFileId))
    .where(and(thisItem(id, episodeId), isPublished));
  if (!row) return null;
  const { itemId, ...episode } = row;
  return { id: itemId, episode: toSummary(episode) };
}

async function requirePublished({ db }: Context, episodeId: number) {
  const which = and(eq(episodes.id, episodeId), isPublished);
  const [row] = await db.select({ id: episodes.id }).from(episodes).where(which);
  if (!row) throw episodeNotFound();
}
