import { desc, eq, isNull, ne } from "drizzle-orm";
import type { EditableEpisode, EpisodeInput, EpisodeRow } from "#worker/episodes/contract.ts";
import { episodeNotFound } from "#worker/episodes/summary.ts";
import { episodes } from "#worker/episodes/table.ts";
import { image } from "#worker/files/joins.ts";
import { findStoredFiles, mediaUrl } from "#worker/files/stored.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { olderThanId, pageOf } from "#worker/platform/keyset.ts";

const LIST_ROWS = 50;

/**
 * Every episode, whatever its status, newest first. `before` is a former answer's `next`.
 * @throws `unauthenticated`, `forbidden`; `not_found` for a malformed cursor
 */
export async function listEpisodes(ctx: Context, { before }: { before?: string } = {}) {
  requireCapability("edit", ctx);
  const rows = await ctx.db
    .select({
      id: episodes.id,
      slug: episodes.slug,
      title: episodes.title,
      status: episodes.status,
      publishedAt: episodes.publishedAt,
      scheduledFor: episodes.scheduledFor,
      seasonNumber: episodes.seasonNumber,
      episodeNumber: episodes.episodeNumber,
      durationSeconds: episodes.durationSeconds,
      imageKey: image.key,
      audioFileId: episodes.audioFileId,
    })
    .from(episodes)
    .leftJoin(image, eq(image.id, episodes.imageFileId))
    .where(before === undefined ? undefined : olderThanId(before, episodes.id))
    .orderBy(desc(episodes.id))
    .limit(LIST_ROWS + 1);
  const listed = rows.map(({ imageKey, audioFileId, publishedAt, scheduledFor, ...row }): EpisodeRow => ({
    ...row,
    publishedAt: publishedAt?.getTime() ?? null,
    scheduledFor: scheduledFor?.getTime() ?? null,
    imageUrl: imageKey && mediaUrl(imageKey),
    hasAudio: audioFileId !== null,
  }));
  return pageOf(listed, LIST_ROWS, ({ id }) => String(id));
}

/**
 * An episode as its owner edits it, with its files.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readEpisodeForEdit(ctx: Context, id: number): Promise<EditableEpisode> {
  requireCapability("edit", ctx);
  return toEditable(ctx, await readEpisodeRow(ctx, id));
}

export async function toEditable(ctx: Context, row: EpisodeColumns): Promise<EditableEpisode> {
  const { id, guid, audioFileId, imageFileId } = row;
  const stored = await findStoredFiles(
    ctx,
    [audioFileId, imageFileId].filter((fileId) => fileId !== null),
  );
  return {
    id,
    guid,
    updatedAt: row.updatedAt.getTime(),
    values: toInput(row),
    audio: stored.get(audioFileId ?? "") ?? null,
    image: stored.get(imageFileId ?? "") ?? null,
  };
}

/**
 * The numbers of the next episode: the last one's season, and one more. None where the owner does not number episodes.
 * @throws `unauthenticated`, `forbidden`
 */
export async function suggestNumbers(ctx: Context) {
  requireCapability("edit", ctx);
  const [last] = await ctx.db
    .select({ seasonNumber: episodes.seasonNumber, episodeNumber: episodes.episodeNumber })
    .from(episodes)
    .where(ne(episodes.episodeType, "trailer"))
    .orderBy(isNull(episodes.episodeNumber), desc(episodes.seasonNumber), desc(episodes.episodeNumber))
    .limit(1);
  if (!last) return { seasonNumber: 1, episodeNumber: 1 };
  return { ...last, episodeNumber: last.episodeNumber === null ? null : last.episodeNumber + 1 };
}

type EpisodeColumns = typeof episodes.$inferSelect;

/** @throws `not_found` */
export async function readEpisodeRow({ db }: Context, id: number): Promise<EpisodeColumns> {
  const [row] = await db.select().from(episodes).where(eq(episodes.id, id));
  if (!row) throw episodeNotFound();
  return row;
}

/** The columns that the owner edits. */
export function toInput(row: EpisodeColumns): EpisodeInput {
  const {
    id: _id,
    guid: _guid,
    createdAt: _created,
    updatedAt: _updated,
    showNotesHtml: _html,
    showNotesText: _text,
    embeddedFileIds: _embedded,
    cues: _cues,
    ...values
  } = row;
  return {
    ...values,
    publishedAt: values.publishedAt?.getTime() ?? null,
    scheduledFor: values.scheduledFor?.getTime() ?? null,
  };
}
