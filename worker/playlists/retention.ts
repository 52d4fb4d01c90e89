import { and, asc, eq, inArray, lt } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { requireListener } from "#worker/playlists/listener.ts";
import { changedPlaylist } from "#worker/playlists/cache-tags.ts";
import { favorites, listeners, playlists, progress } from "#worker/playlists/table.ts";

const DAY = 86_400_000;
/** Milliseconds after the last request until a listener's data is deleted. */
const RETENTION = 400 * DAY;
/** A listener's data is bounded, and so is a run; the next run continues. */
const LISTENERS_A_RUN = 200;

/** Updates when the listener was last seen, once a day. Only listeners with data have a row: made-up ids write none. */
export async function touchListener(ctx: Context) {
  await ctx.db
    .update(listeners)
    .set({ seenAt: ctx.now })
    .where(and(eq(listeners.id, requireListener(ctx)), lt(listeners.seenAt, ago(ctx, DAY))));
}

/** Deletes the data of listeners who have not been seen for that long. */
export async function pruneListeners(ctx: Context) {
  const { db } = ctx;
  // Evaluated by each statement: the batch is one transaction and deletes these rows last.
  const expired = db
    .select({ id: listeners.id })
    .from(listeners)
    .where(lt(listeners.seenAt, ago(ctx, RETENTION)))
    .orderBy(asc(listeners.seenAt), asc(listeners.id))
    .limit(LISTENERS_A_RUN);
  await db.batch([
    changedPlaylist(ctx, inArray(playlists.listener, expired)),
    db.delete(playlists).where(inArray(playlists.listener, expired)),
    db.delete(favorites).where(inArray(favorites.listener, expired)),
    db.delete(progress).where(inArray(progress.listener, expired)),
    db.delete(listeners).where(inArray(listeners.id, expired)),
  ]);
}

const ago = ({ now }: Context, milliseconds: number) => new Date(now.getTime() - milliseconds);
