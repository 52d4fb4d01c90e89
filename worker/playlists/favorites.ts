import { and, eq, sql } from "drizzle-orm";
import { isPublishedEpisode } from "#worker/episodes/episodes.ts";
import { episodeNotFound } from "#worker/episodes/summary.ts";
import type { Context } from "#worker/platform/context.ts";
import { wholeList } from "#worker/platform/keyset.ts";
import type { Favorite, NewFavorite } from "#worker/playlists/contract.ts";
import { readFavorites } from "#worker/playlists/entries.ts";
import { requireListener } from "#worker/playlists/listener.ts";
import { favorites } from "#worker/playlists/table.ts";

/**
 * The listener's favourites, newest first.
 * @throws `bad_request` without a listener
 */
export const listFavorites = async (ctx: Context) =>
  wholeList<Favorite>(await readFavorites(ctx, requireListener(ctx)));

/**
 * Makes an episode a favourite; one that is a favourite already keeps its date.
 * @throws `bad_request` without a listener; `not_found` for an episode that is not published
 */
export async function addFavorite(ctx: Context, episodeId: number): Promise<NewFavorite> {
  const listener = requireListener(ctx);
  const [row] = await ctx.db
    .insert(favorites)
    .select(
      sql`select ${listener}, ${episodeId}, ${ctx.now.getTime()} where ${isPublishedEpisode(episodeId)}`,
    )
    .onConflictDoUpdate({
      target: [favorites.listener, favorites.episodeId],
      set: { createdAt: sql`${favorites.createdAt}` },
    })
    .returning({ episodeId: favorites.episodeId, createdAt: favorites.createdAt });
  if (!row) throw episodeNotFound();
  return { ...row, createdAt: row.createdAt.getTime() };
}

/**
 * Removes a favourite; does nothing for an episode that is none.
 * @throws `bad_request` without a listener
 */
export async function removeFavorite(ctx: Context, episodeId: number) {
  const listener = requireListener(ctx);
  await ctx.db
    .delete(favorites)
    .where(and(eq(favorites.listener, listener), eq(favorites.episodeId, episodeId)));
}
