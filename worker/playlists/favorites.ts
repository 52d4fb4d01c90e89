import { and, eq, sql } from "drizzle-orm";
import { episodeNotFound, isPublished } from "#worker/episodes/summary.ts";
import { episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Favorite } from "#worker/playlists/contract.ts";
import { readFavorites } from "#worker/playlists/entries.ts";
import { requireListener } from "#worker/playlists/listener.ts";
import { favorites } from "#worker/playlists/table.ts";

export const listFavorites = (ctx: Context): Promise<Favorite[]> => readFavorites(ctx, requireListener(ctx));

/** One that is a favourite already keeps its time. */
export async function addFavorite(ctx: Context, episodeId: number) {
  const listener = requireListener(ctx);
  const which = and(eq(episodes.id, episodeId), isPublished);
  const [row] = await ctx.db
    .insert(favorites)
    .select(sql`select ${listener}, ${episodes.id}, ${ctx.now.getTime()} from ${episodes} where ${which}`)
    .onConflictDoUpdate({
      target: [favorites.listener, favorites.episodeId],
      set: { createdAt: sql`${favorites.createdAt}` },
    })
    .returning({ episodeId: favorites.episodeId });
  if (!row) throw episodeNotFound();
}

/** Also of what is none. */
export async function removeFavorite(ctx: Context, episodeId: number) {
  const listener = requireListener(ctx);
  await ctx.db
    .delete(favorites)
    .where(and(eq(favorites.listener, listener), eq(favorites.episodeId, episodeId)));
}
