import { and, eq, sql, type SQL } from "drizzle-orm";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";
import { playlists } from "#worker/playlists/table.ts";

/** The statement that expires a playlist's cached answers, if it is public and the condition holds. */
export function changedPlaylist(ctx: Context, which: SQL | undefined) {
  const isShown = and(which, eq(playlists.isPublic, true));
  return changed(ctx, sql`select 'playlist:' || ${playlists.id} as tag from ${playlists} where ${isShown}`);
}
