import { and, desc, eq, inArray, ne, or, sql } from "drizzle-orm";
import type { EpisodeInput } from "#worker/episodes/contract.ts";
import { episodes } from "#worker/episodes/table.ts";
import { selectCopies } from "#worker/files/library/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Two items of a feed with one enclosure: podcast apps ignore the second. With one recording they list it twice. */

type Planned = Pick<EpisodeInput, "status" | "audioFileId">;

const PUBLIC: EpisodeInput["status"][] = ["published", "scheduled"];

type Other = { title: string; isSameFile: boolean };

export const sameAudio = ({ title, isSameFile }: Other) =>
  isSameFile
    ? `“${title}” has the same audio; apps would ignore one of them.`
    : `“${title}” may have the same audio: its file has the same size and length. Apps would list it twice.`;

/** Another episode with that audio, or with a second upload of it; only a published or scheduled one if so asked. */
export async function findOtherWithAudio(
  ctx: Context,
  id: number,
  audioFileId: string | null,
  { isPublic = false } = {},
): Promise<Other | null> {
  if (audioFileId === null) return null;
  const isSameFile = eq(episodes.audioFileId, audioFileId);
  const hasAudio = or(isSameFile, inArray(episodes.audioFileId, selectCopies(ctx, audioFileId)));
  const [other] = await ctx.db
    .select({ title: episodes.title, isSameFile: sql<number>`${isSameFile}`.mapWith(Boolean) })
    .from(episodes)
    .where(and(hasAudio, ne(episodes.id, id), isPublic ? inArray(episodes.status, PUBLIC) : undefined))
    .orderBy(desc(isSameFile))
    .limit(1);
  return other ?? null;
}

/**
 * Refuses a write that would publish an episode with the audio of another public one. An allowed duplicate is not asked
 * about again.
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
