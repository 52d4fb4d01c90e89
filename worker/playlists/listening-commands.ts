import { and, eq, sql } from "drizzle-orm";
import { isPublishedEpisode } from "#worker/episodes/queries.ts";
import { episodeNotFound } from "#worker/episodes/summary.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { ProgressInput, type NewFavorite, type Progress } from "#worker/playlists/contract.ts";
import { requireListener } from "#worker/playlists/listener.ts";
import { progressColumns, toProgress } from "#worker/playlists/queries.ts";
import { favorites, progress } from "#worker/playlists/table.ts";

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
 * Removes a favourite; does nothing for other episodes.
 * @throws `bad_request` without a listener
 */
export async function removeFavorite(ctx: Context, episodeId: number) {
  const listener = requireListener(ctx);
  await ctx.db
    .delete(favorites)
    .where(and(eq(favorites.listener, listener), eq(favorites.episodeId, episodeId)));
}

/**
 * One statement: each player at work calls it every 15 seconds.
 * @throws `bad_request` without a listener; `invalid`; `not_found` for an episode that is not published
 */
export async function updateProgress(
  ctx: Context,
  episodeId: number,
  input: ProgressInput,
): Promise<Progress> {
  const listener = requireListener(ctx);
  const { completed, ...given } = parseInput(ProgressInput, input);
  const progressSeconds = Math.floor(given.progressSeconds);
  const [row] = await ctx.db
    .insert(progress)
    .select(
      sql`select ${listener}, ${episodeId}, ${progressSeconds}, ${Number(completed)}, ${ctx.now.getTime()}
        where ${isPublishedEpisode(episodeId)}`,
    )
    .onConflictDoUpdate({
      target: [progress.listener, progress.episodeId],
      set: { progressSeconds, completed, updatedAt: ctx.now },
    })
    .returning(progressColumns);
  if (!row) throw episodeNotFound();
  return toProgress(row);
}
