import { and, desc, eq, sql } from "drizzle-orm";
import { isPublishedEpisode } from "#worker/episodes/episodes.ts";
import { episodeNotFound } from "#worker/episodes/summary.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";
import { wholeList } from "#worker/platform/keyset.ts";
import { MOST_LISTED, ProgressInput, type Progress } from "#worker/playlists/contract.ts";
import { requireListener } from "#worker/playlists/listener.ts";
import { progress } from "#worker/playlists/table.ts";

const progressColumns = {
  episodeId: progress.episodeId,
  progressSeconds: progress.progressSeconds,
  completed: progress.completed,
  updatedAt: progress.updatedAt,
};

const toProgress = ({ updatedAt, ...row }: Omit<Progress, "updatedAt"> & { updatedAt: Date }): Progress => ({
  ...row,
  updatedAt: updatedAt.getTime(),
});

/**
 * How far the listener got in each episode, latest first.
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

/**
 * One statement: each player at work calls it every 15 seconds.
 * @throws `bad_request` without a listener; `invalid`; `not_found` for an episode that is not published
 */
export async function saveProgress(ctx: Context, episodeId: number, input: ProgressInput): Promise<Progress> {
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
