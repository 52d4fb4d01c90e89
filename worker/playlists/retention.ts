import { and, asc, eq, inArray, lt } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { requireListener } from "#worker/playlists/listener.ts";
import { changedPlaylist } from "#worker/playlists/playlists.ts";
import { favorites, listeners, playlists, progress } from "#worker/playlists/table.ts";

const DAY = 86_400_000;
/** Milliseconds. What a listener keeps is deleted so long after their last request. */
const KEPT = 400 * DAY;
/** What a listener keeps is bounded, and so is a run; the next goes on. */
const LISTENERS_A_RUN = 200;

/** Notes that the listener was here, once a day. Only who keeps something has a row: made-up ids write none. */
export async function touchListener(ctx: Context) {
  await ctx.db
    .update(listeners)
    .set({ seenAt: ctx.now })
    .where(and(eq(listeners.id, requireListener(ctx)), lt(listeners.seenAt, ago(ctx, DAY))));
}

/** Deletes what those keep who have not been here for so long. */
export async function pruneListeners(ctx: Context) {
  const { db } = ctx;
  // Read anew by each statement: the batch is one transaction, and the rows go last.
  const gone = db
    .select({ id: listeners.id })
    .from(listeners)
    .where(lt(listeners.seenAt, ago(ctx, KEPT)))
    .orderBy(asc(listeners.seenAt), asc(listeners.id))
    .limit(LISTENERS_A_RUN);
  await db.batch([
    changedPlaylist(ctx, inArray(playlists.listener, gone)),
    db.delete(playlists).where(inArray(playlists.listener, gone)),
    db.delete(favorites).where(inArray(favorites.listener, gone)),
    db.delete(progress).where(inArray(progress.listener, gone)),
    db.delete(listeners).where(inArray(listeners.id, gone)),
  ]);
}

const ago = ({ now }: Context, milliseconds: number) => new Date(now.getTime() - milliseconds);
