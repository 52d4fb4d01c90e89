import { and, eq, inArray, ne } from "drizzle-orm";
import type { EpisodeInput } from "#worker/episodes/contract.ts";
import { episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Two items of a feed with one enclosure: podcast apps ignore the second. */

type Planned = Pick<EpisodeInput, "status" | "audioFileId">;

const PUBLIC: EpisodeInput["status"][] = ["published", "scheduled"];

export const sameAudio = (title: string) =>
  `“${title}” has the same audio; apps would ignore one of the two.`;

/** The title of another episode with that audio; only of a published or scheduled one if so asked. */
export async function findOtherWithAudio(
  { db }: Context,
  id: number,
  audioFileId: string | null,
  { isPublic = false } = {},
) {
  if (audioFileId === null) return null;
  const isOther = and(eq(episodes.audioFileId, audioFileId), ne(episodes.id, id));
  const [other] = await db
    .select({ title: episodes.title })
    .from(episodes)
    .where(isPublic ? and(isOther, inArray(episodes.status, PUBLIC)) : isOther)
    .limit(1);
  return other?.title ?? null;
}

/**
 * Refuses a write by which an episode gets public with the audio of another one that is. What was allowed once is not
 * asked again.
 * @throws `conflict`
 */
export async function refuseDuplicateAudio(
  ctx: Context,
  { id, before, after }: { id: number; before: Planned | null; after: Planned },
) {
  const audio = publicAudioOf(after);
  if (audio === null || (before && publicAudioOf(before) === audio)) return;
  const other = await findOtherWithAudio(ctx, id, audio, { isPublic: true });
  if (other !== null) throw new AppError("conflict", sameAudio(other), { field: "audioFileId" });
}

const publicAudioOf = ({ status, audioFileId }: Planned) => (PUBLIC.includes(status) ? audioFileId : null);
