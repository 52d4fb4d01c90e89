import { sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { episodes, formerEpisodeAudio } from "#worker/episodes/table.ts";
import { audio } from "#worker/files/joins.ts";

/** The episode that had the audio before. */
const former = alias(episodes, "former");

/**
 * SQL: joins to a row the published episode whose audio is stored under this key, if there is one, and otherwise the one
 * whose audio it was.
 */
export const joinPublishedAudio = (key: SQL) => sql`
  left join files as audio on ${audio.key} = ${key}
  left join ${episodes} on ${episodes.audioFileId} = ${audio.id} and ${episodes.status} = 'published'
  left join ${formerEpisodeAudio} on ${formerEpisodeAudio.fileId} = ${audio.id} and ${episodes.id} is null
  left join episodes as former on ${former.id} = ${formerEpisodeAudio.episodeId} and ${former.status} = 'published'`;

/** SQL: the columns of that join that counting downloads needs; bytes and seconds. */
export const audioColumns = sql`coalesce(${episodes.id}, ${former.id}) as episode_id, ${audio.size} as size,
  ${audio.audioStart} as audio_start, ${audio.durationSeconds} as seconds`;
