import { and, eq, not, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { isPublishedArticle } from "#worker/articles/queries.ts";
import { isPublished } from "#worker/episodes/summary.ts";
import { episodes, formerEpisodeAudio } from "#worker/episodes/table.ts";
import { audio, replaced } from "#worker/files/library/joins.ts";
import { isInUse } from "#worker/files/library/references.ts";
import { isDraftLetter } from "#worker/letters/archive.ts";
import { prepared } from "#worker/platform/data/prepared.ts";
import type { Context } from "#worker/platform/context.ts";

/** The episode that had the audio before. */
const former = alias(episodes, "former");

/**
 * SQL: joins to a row the published episode whose audio is stored under this key, if there is one, and otherwise the one
 * whose audio it was: requests are stored some time after they were made.
 */
export const joinPublishedAudio = (key: SQL) => sql`
  left join files as audio on ${audio.key} = ${key}
  left join ${episodes} on ${episodes.audioFileId} = ${audio.id} and ${episodes.status} = 'published'
  left join ${formerEpisodeAudio} on ${formerEpisodeAudio.fileId} = ${audio.id} and ${episodes.id} is null
  left join episodes as former on ${former.id} = ${formerEpisodeAudio.episodeId} and ${former.status} = 'published'`;

/** SQL: the columns of that join that counting downloads needs; bytes and seconds. */
export const audioColumns = sql`coalesce(${episodes.id}, ${former.id}) as episode_id, ${audio.size} as size,
  ${audio.audioStart} as audio_start, ${audio.durationSeconds} as seconds`;

/** Another episode than the one that had the audio before. */
const other = alias(episodes, "other");

/**
 * SQL: by this episode again, another public one, a public essay, a letter… What is not public changes no public address:
 * an API token may write drafts that it may not publish.
 */
const isInUseAgain = isInUse(
  formerEpisodeAudio.fileId,
  (kind, item) => sql`case ${kind}
    when 'episode' then ${item} is ${formerEpisodeAudio.episodeId}
      or exists (select 1 from episodes as other where ${other.id} = ${item} and ${other.status} = 'published')
    when 'article' then ${isPublishedArticle(sql`${item}`)}
    when 'letter' then not ${isDraftLetter(item)}
    else true end`,
);

const selectReplacement = prepared(["fileId"], (db, { fileId }) =>
  db
    .select({ key: audio.key, isInDraft: sql`${isInUse(formerEpisodeAudio.fileId)}`.mapWith(Boolean) })
    .from(formerEpisodeAudio)
    .leftJoin(episodes, and(eq(episodes.id, formerEpisodeAudio.episodeId), isPublished))
    .leftJoin(audio, eq(audio.id, episodes.audioFileId))
    .where(and(eq(formerEpisodeAudio.fileId, fileId), not(isInUseAgain))),
);

/**
 * The key of the recording that replaced this file: null if the episode has none for visitors. Undefined for a file that
 * was not replaced, or that is in use again. `isInDraft`: a draft uses it, in which an editor may play it.
 */
export async function findReplacement(
  ctx: Pick<Context, "db">,
  fileId: string,
): Promise<{ key: string | null; isInDraft: boolean } | undefined> {
  const [row] = await selectReplacement(ctx, { fileId });
  return row;
}

/** The keys of recordings that were replaced, and of those that replaced them, of published episodes. */
export const listReplacedRecordings = ({ db }: Pick<Context, "db">) =>
  db
    .select({ from: replaced.key, to: audio.key })
    .from(formerEpisodeAudio)
    .innerJoin(replaced, eq(replaced.id, formerEpisodeAudio.fileId))
    .innerJoin(episodes, and(eq(episodes.id, formerEpisodeAudio.episodeId), isPublished))
    .innerJoin(audio, eq(audio.id, episodes.audioFileId))
    .where(not(isInUseAgain))
    .orderBy(replaced.key);
