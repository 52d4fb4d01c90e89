import { sql } from "drizzle-orm";
import { episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";

export type KnownEpisode = { id: number; guid: string; audioFileId: string | null };

/** The episodes that podcast apps know by these GUIDs, by GUID. */
export async function findEpisodesByGuid(
  { db }: Context,
  guids: string[],
): Promise<Map<string, KnownEpisode>> {
  const rows = await db
    .select({ id: episodes.id, guid: episodes.guid, audioFileId: episodes.audioFileId })
    .from(episodes)
    .where(sql`${episodes.guid} in (select value from json_each(${JSON.stringify(guids)}))`);
  return new Map(rows.map((row) => [row.guid, row]));
}

/** Those of these ids that episodes have. */
export async function findPresentEpisodes({ db }: Context, ids: number[]) {
  const rows = await db
    .select({ id: episodes.id })
    .from(episodes)
    .where(sql`${episodes.id} in (select value from json_each(${JSON.stringify(ids)}))`);
  return new Set(rows.map(({ id }) => id));
}
