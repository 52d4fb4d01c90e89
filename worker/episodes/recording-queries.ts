import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import { episodes, shows } from "#worker/episodes/table.ts";
import { audio } from "#worker/files/library/joins.ts";
import type { Context } from "#worker/platform/context.ts";

/** What is known of an episode's recording and of who speaks in it, for its transcription. */

/** Episodes whose people are offered as names. */
const NAMES_OF = 50;

/** The recording of an episode, and the show's language; undefined if there is no such episode. */
export async function findRecording({ db }: Context, episodeId: number) {
  const [row] = await db
    .select({
      fileId: episodes.audioFileId,
      statedSeconds: episodes.durationSeconds,
      language: sql<string | null>`(select language from ${shows})`,
      file: { key: audio.key, size: audio.size, type: audio.type, seconds: audio.durationSeconds },
    })
    .from(episodes)
    .leftJoin(audio, and(eq(audio.id, episodes.audioFileId), eq(audio.status, "complete")))
    .where(eq(episodes.id, episodeId));
  return row;
}

/**
 * The names of the episode's people, of the show's and of those in other episodes, in this order; and the names of voices that
 * were saved for the show.
 */
export async function listSpeakerNames({ db }: Context, episodeId: number) {
  const [[episode], [show], others] = await Promise.all([
    db.select({ people: episodes.people }).from(episodes).where(eq(episodes.id, episodeId)),
    db.select({ people: shows.people, voices: shows.voices }).from(shows),
    db.select({ people: episodes.people }).from(episodes).orderBy(desc(episodes.id)).limit(NAMES_OF),
  ]);
  const saved = show?.voices ?? [];
  const people = [episode, show, ...others].flatMap((one) => one?.people ?? []);
  return { names: [...new Set([...people.map(({ name }) => name), ...saved])], saved };
}

/** The statement that saves names of voices for the show, if the condition is true. */
export const saveVoices = ({ db }: Context, voices: string[], isDue: SQL) =>
  db.update(shows).set({ voices }).where(isDue);
