import { and, desc, eq, sql } from "drizzle-orm";
import { episodeNotFound, isPublished } from "#worker/episodes/summary.ts";
import { episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { MOST_TOLD, type Progress, type ProgressInput } from "#worker/playlists/contract.ts";
import { requireListener } from "#worker/playlists/listener.ts";
import { progress } from "#worker/playlists/table.ts";

/** How far the listener got, what was heard last first. */
export async function listProgress(ctx: Context): Promise<Progress[]> {
  const listener = requireListener(ctx);
  const rows = await ctx.db
    .select({
      episodeId: progress.episodeId,
      progressSeconds: progress.progressSeconds,
      completed: progress.completed,
      updatedAt: progress.updatedAt,
    })
    .from(progress)
    .innerJoin(episodes, eq(episodes.id, progress.episodeId))
    .where(and(eq(progress.listener, listener), isPublished))
    .orderBy(desc(progress.updatedAt), desc(progress.episodeId))
    .limit(MOST_TOLD);
  return rows.map(({ updatedAt, ...row }) => ({ ...row, updatedAt: updatedAt.getTime() }));
}

/** Every player at work says this again and again: it is one statement. */
export async function saveProgress(ctx: Context, episodeId: number, input: ProgressInput) {
  const listener = requireListener(ctx);
  const progressSeconds = Math.floor(input.progressSeconds);
  const { completed } = input;
  const which = and(eq(episodes.id, episodeId), isPublished);
  const [row] = await ctx.db
    .insert(progress)
    .select(
      sql`select ${listener}, ${episodes.id}, ${progressSeconds}, ${Number(completed)}, ${ctx.now.getTime()}
        from ${episodes} where ${which}`,
    )
    .onConflictDoUpdate({
      target: [progress.listener, progress.episodeId],
      set: { progressSeconds, completed, updatedAt: ctx.now },
    })
    .returning({ episodeId: progress.episodeId });
  if (!row) throw episodeNotFound();
}
