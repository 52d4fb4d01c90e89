import { and, eq, sql } from "drizzle-orm";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { readItems } from "#worker/playlists/entries.ts";
import { playlistNotFound } from "#worker/playlists/queries.ts";
import { playlistItems, playlists } from "#worker/playlists/table.ts";

export const playlistFeedPath = (id: string) => `/rss/playlists/${id}.xml`;

export type PublicPlaylist = { id: string; name: string; description: string; episodes: EpisodeSummary[] };

/**
 * A public playlist as visitors see it.
 * @throws `not_found`
 */
export async function readPublicPlaylist(ctx: Context, id: string): Promise<PublicPlaylist> {
  const [playlist, items] = await Promise.all([findPublic(ctx, id), readItems(ctx, id)]);
  if (!playlist) throw playlistNotFound();
  const { name, description } = playlist;
  return { id, name, description, episodes: items.map(({ episode }) => episode) };
}

/** A public playlist without its episodes, or null. The answer depends on it and on all of them. */
export async function findPublic({ db, dependsOn }: Context, id: string) {
  dependsOn(`playlist:${id}`);
  const [row] = await db
    .select({
      name: playlists.name,
      description: playlists.description,
      createdAt: playlists.createdAt,
      episodeIds: episodeIdsAsJson,
    })
    .from(playlists)
    .where(and(eq(playlists.id, id), eq(playlists.isPublic, true)));
  if (!row) return null;
  const { episodeIds, ...playlist } = row;
  dependsOn(...tagsOf(JSON.parse(episodeIds) as number[]));
  return playlist;
}

const episodeIdsAsJson = sql<string>`(
  select json_group_array(${playlistItems.episodeId}) from ${playlistItems}
  where ${eq(playlistItems.playlistId, playlists.id)})`;

/** Cloudflare limits the Cache-Tag header; a longer list uses the tag of all episodes. */
const MOST_TAGS = 100;

/** Includes unpublished ones, which appear once they are published. */
const tagsOf = (episodeIds: number[]) =>
  episodeIds.length > MOST_TAGS ? ["episodes"] : episodeIds.map((id) => `episode:${id}`);

/** The ids of all public playlists. */
export const listPublicPlaylists = ({ db }: Context) =>
  db.select({ id: playlists.id }).from(playlists).where(eq(playlists.isPublic, true)).orderBy(playlists.id);
