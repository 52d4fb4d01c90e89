import { sql, type SQL } from "drizzle-orm";
import { episodes } from "#worker/episodes/table.ts";
import { audio } from "#worker/files/joins.ts";

/** SQL: joins to a row the published episode whose audio is stored under this key, if there is one. */
export const joinPublishedAudio = (key: SQL) => sql`
  left join files as audio on ${audio.key} = ${key}
  left join ${episodes} on ${episodes.audioFileId} = ${audio.id} and ${episodes.status} = 'published'`;

/** SQL: the columns of that join that counting downloads needs; bytes and seconds. */
export const audioColumns = sql`${episodes.id} as episode_id, ${audio.size} as size,
  ${audio.audioStart} as audio_start, ${audio.durationSeconds} as seconds`;
