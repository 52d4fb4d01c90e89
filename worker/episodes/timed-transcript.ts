import { eq, sql, type SQL } from "drizzle-orm";
import { episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** A transcript with times, for what reads it part by part. */

/** SQL: the cues of an episode as JSON, as they are stored. */
export const storedCues = (id: SQL | number) =>
  sql<string>`(select ${episodes.cues} from ${episodes} where ${episodes.id} = ${id})`;

/** SQL: the file id of an episode's recording. */
export const recordingOf = (id: SQL | number) =>
  sql<string | null>`(select ${episodes.audioFileId} from ${episodes} where ${episodes.id} = ${id})`;

/** The size of an episode's transcript with times; undefined if there is no such episode. */
export async function measureTranscript({ db }: Context, episodeId: number) {
  const [row] = await db
    .select({
      cues: sql<number>`json_array_length(${episodes.cues})`,
      /** Of its words. */
      octets: sql<number>`(select coalesce(sum(octet_length(value ->> 'text')), 0) from json_each(${episodes.cues}))`,
    })
    .from(episodes)
    .where(eq(episodes.id, episodeId));
  return row;
}
