import { and, asc, desc, eq, gt, lte, sql, type AnyColumn, type Placeholder, type SQL } from "drizzle-orm";
import type { SubqueryWithSelection } from "drizzle-orm/sqlite-core";
import {
  EpisodeChange,
  episodeDefaults,
  NewEpisode,
  type EditableEpisode,
  type Episode,
  type EpisodeInput,
  type EpisodeRow,
} from "#worker/episodes/contract.ts";
import { insertPassages, replacePassages } from "#worker/episodes/passages.ts";
import { touchFeed } from "#worker/episodes/show.ts";
import { episodeNotFound, isPublished, summaryColumns, toSummary } from "#worker/episodes/summary.ts";
import { episodes } from "#worker/episodes/table.ts";
import { readCues, toWebVtt } from "#worker/episodes/transcript.ts";
import { embeddedFileIdsOf, findEmbedded } from "#worker/files/embedded.ts";
import { audio, image } from "#worker/files/joins.ts";
import { findStoredFiles, mediaUrl, requireStoredFile } from "#worker/files/stored.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";
import { cursorOf, olderThan, olderThanId, pageOf } from "#worker/platform/keyset.ts";
import { renderMarkdown } from "#worker/platform/markdown.ts";
import { prepared } from "#worker/platform/prepared.ts";
import { datesOf, refusingTaken } from "#worker/platform/publishing.ts";
import { freeSlug } from "#worker/platform/slug.ts";

const changedElsewhere = () =>
  new AppError(
    "conflict",
    "This episode was changed elsewhere since you opened it. Reload the page to see it.",
  );

/** Two updates within one millisecond get two different times. */
const laterThan = (before: Date, now: Date) => new Date(Math.max(now.getTime(), before.getTime() + 1));

const selectEpisodes = (db: Context["db"], which: SQL | undefined, limit: number | Placeholder) =>
  db
    .select(summaryColumns)
    .from(episodes)
    .leftJoin(image, eq(image.id, episodes.imageFileId))
    .leftJoin(audio, eq(audio.id, episodes.audioFileId))
    .where(and(isPublished, which))
    .orderBy(desc(episodes.publishedAt), desc(episodes.id))
    .limit(limit);

const selectNewest = prepared(["limit"], (db, { limit }) => selectEpisodes(db, undefined, limit));

/**
 * Published episodes, newest first. `before` is a former answer's `next`.
 * @throws `not_found` for a malformed cursor
 */
export async function listPublishedEpisodes(
  ctx: Context,
  { before, limit = 24 }: { before?: string; limit?: number } = {},
) {
  ctx.dependsOn("episodes");
  const rows =
    before === undefined
      ? await selectNewest(ctx, { limit: limit + 1 })
      : await selectEpisodes(ctx.db, olderThan(before, episodes.publishedAt, episodes.id), limit + 1);
  return pageOf(rows.map(toSummary), limit, ({ publishedAt, id }) => cursorOf(publishedAt, id));
}

const selectEpisode = prepared(["id"], (db, { id }) =>
  db
    .select({
      ...summaryColumns,
      explicit: episodes.explicit,
      audioType: audio.type,
      audioBytes: audio.size,
      videoUrl: episodes.videoUrl,
      spotifyUrl: episodes.spotifyUrl,
      appleUrl: episodes.appleUrl,
      chapters: episodes.chapters,
      people: episodes.people,
      showNotesHtml: episodes.showNotesHtml,
      transcript: episodes.cues,
    })
    .from(episodes)
    .leftJoin(image, eq(image.id, episodes.imageFileId))
    .leftJoin(audio, eq(audio.id, episodes.audioFileId))
    .where(and(eq(episodes.id, id), isPublished)),
);

/**
 * A published episode with everything that its page shows.
 * @throws `not_found`
 */
export async function readEpisode(ctx: Context, id: number): Promise<Episode> {
  ctx.dependsOn(`episode:${id}`);
  const [row] = await selectEpisode(ctx, { id });
  if (!row) throw episodeNotFound();
  return toSummary(row);
}

/** A subquery that chooses episodes by id. `rank` orders them; `id` is the choosing row's own. */
type Choice = SubqueryWithSelection<Record<"id" | "episodeId" | "rank", SQL.Aliased<number>>, string>;

/** The published ones of the episodes that another noun's rows choose. */
export async function listChosenEpisodes(
  { db }: Context,
  choice: Choice,
  { newestFirst = false, limit = ALL }: { newestFirst?: boolean; limit?: number } = {},
) {
  const direction = newestFirst ? desc : asc;
  const rows = await db
    .select({ ...summaryColumns, choiceId: choice.id, rank: choice.rank })
    .from(choice)
    .innerJoin(episodes, eq(episodes.id, choice.episodeId))
    .leftJoin(image, eq(image.id, episodes.imageFileId))
    .leftJoin(audio, eq(audio.id, episodes.audioFileId))
    .where(isPublished)
    .orderBy(direction(choice.rank), direction(choice.id))
    .limit(limit);
  return rows.map(({ choiceId, rank, ...row }) => ({ id: choiceId, rank, episode: toSummary(row) }));
}

/** SQLite's limit for all rows. */
const ALL = -1;

/** SQL: whether the episode with this id is published. */
export const isPublishedEpisode = (id: AnyColumn | number) =>
  sql`exists (select 1 from ${episodes} where ${and(eq(episodes.id, id), isPublished)})`;

/** @throws `not_found` */
export async function requirePublishedEpisode({ db }: Context, id: number) {
  const [row] = await db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.id, id), isPublished));
  if (!row) throw episodeNotFound();
}

/** Published episodes in the order of their ids, from the one after `after`. */
export const listPublishedEpisodeDates = (
  { db }: Context,
  { after, limit }: { after: number; limit: number },
) =>
  db
    .select({ id: episodes.id, updatedAt: episodes.updatedAt })
    .from(episodes)
    .where(and(isPublished, gt(episodes.id, after)))
    .orderBy(asc(episodes.id))
    .limit(limit);

/** The id of the published episode with this slug, or null. */
export async function findEpisodeBySlug({ db }: Context, slug: string) {
  const [row] = await db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.slug, slug), isPublished));
  return row?.id ?? null;
}

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
 * The numbers of the next episode: the last one's season, and one more.
 * @throws `unauthenticated`, `forbidden`
 */
export async function suggestNumbers(ctx: Context) {
  requireCapability("edit", ctx);
  const [last] = await ctx.db
    .select({ seasonNumber: episodes.seasonNumber, episodeNumber: episodes.episodeNumber })
    .from(episodes)
    .orderBy(desc(episodes.seasonNumber), desc(episodes.episodeNumber))
    .limit(1);
  return last ? { ...last, episodeNumber: last.episodeNumber + 1 } : { seasonNumber: 1, episodeNumber: 1 };
}

/**
 * `guid` is given only by an import, which keeps it byte for byte.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for dates that the status does not allow, a transcript without
 * cues and a file that is not stored; `conflict` for a slug that another episode has
 */
export async function createEpisode(
  ctx: Context,
  input: NewEpisode,
  guid: string = crypto.randomUUID(),
): Promise<EditableEpisode> {
  requireCapability("edit", ctx);
  const normalized = await normalize(ctx, { ...episodeDefaults, ...parseInput(NewEpisode, input) });
  const values = { ...normalized, guid, createdAt: ctx.now, updatedAt: ctx.now };
  const insert = ctx.db
    .insert(episodes)
    .values(values)
    .returning({ id: episodes.id, slug: episodes.slug });
  const createdId = sql`(select id from ${episodes} where guid = ${guid})`;
  const passages = insertPassages(ctx, createdId, values.cues);
  const [[created]] = await refusingTakenSlug(input.slug, () =>
    ctx.db.batch([insert, ...changedEpisodes(ctx, eq(episodes.guid, guid)), ...passages]),
  );
  return toEditable(ctx, { ...values, ...created! });
}

/**
 * Changes the given fields. `basedOn` is the `updatedAt` that the change was made from.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid` as `createEpisode`; `conflict` for a slug that another
 * episode has, and when the episode was changed elsewhere since `basedOn`
 */
export async function updateEpisode(
  ctx: Context,
  id: number,
  input: EpisodeChange,
): Promise<EditableEpisode> {
  requireCapability("edit", ctx);
  const { basedOn, ...patch } = parseInput(EpisodeChange, input);
  const row = await readEpisodeRow(ctx, id);
  if (basedOn !== undefined && basedOn !== row.updatedAt.getTime()) throw changedElsewhere();
  const before = toInput(row);
  const values = await normalize(ctx, publishedIfDue(ctx, before, { ...before, ...patch }), id);
  const updatedAt = laterThan(row.updatedAt, ctx.now);
  const update = ctx.db
    .update(episodes)
    .set({ ...values, updatedAt })
    .where(and(eq(episodes.id, id), eq(episodes.updatedAt, row.updatedAt)))
    .returning({ slug: episodes.slug });
  const isSame = values.transcript === before.transcript;
  const passages = isSame ? [] : replacePassages(ctx, id, values.cues, updatedAt);
  // Before and after the update: an episode that is no longer published expires its answers too.
  const shown = () => changedEpisodes(ctx, eq(episodes.id, id));
  const [, , updated] = await refusingTakenSlug(patch.slug, () =>
    ctx.db.batch([...shown(), update, ...shown(), ...passages]),
  );
  if (!updated[0]) throw changedElsewhere();
  return toEditable(ctx, { ...row, ...values, ...updated[0], updatedAt });
}

/**
 * Deletes an episode. The daily sweep deletes its files, so that somebody who is listening can finish.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function deleteEpisode(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  const remove = ctx.db.delete(episodes).where(eq(episodes.id, id)).returning({ id: episodes.id });
  const shown = changedEpisodes(ctx, eq(episodes.id, id));
  const [, , deleted] = await ctx.db.batch([...shown, remove]);
  if (deleted.length === 0) throw episodeNotFound();
}

/** Publishes the scheduled episodes that are due, dated as planned. */
export async function publishDueEpisodes(ctx: Context) {
  const isDue = and(eq(episodes.status, "scheduled"), lte(episodes.scheduledFor, ctx.now));
  const due = await ctx.db.select({ id: episodes.id }).from(episodes).where(isDue).limit(1);
  if (due.length === 0) return;
  const publish = ctx.db
    .update(episodes)
    .set({
      status: "published",
      publishedAt: sql`${episodes.scheduledFor}`,
      scheduledFor: null,
      updatedAt: ctx.now,
    })
    .where(isDue);
  const shown = changedEpisodes(ctx, eq(episodes.updatedAt, ctx.now));
  await ctx.db.batch([publish, ...shown]);
}

/** The statements that expire the cached answers of these episodes, as far as they are published, of their lists and the feed. */
function changedEpisodes(ctx: Context, which: SQL) {
  const published = sql`from ${episodes} where ${which} and ${isPublished}`;
  return [
    changed(
      ctx,
      sql`select 'episode:' || ${episodes.id} as tag ${published} union select 'episodes' ${published}`,
    ),
    touchFeed(ctx, sql`exists (select 1 ${published})`),
  ] as const;
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

/** The columns of an input: slug, dates, transcript and duration derived, files checked. */
async function normalize(ctx: Context, input: EpisodeInput, id?: number) {
  const transcript = await toWebVtt(input.transcript);
  const slug = input.slug || (await freeSlug(ctx, episodes.slug, input.title, id));
  const dates = datesOf(ctx.now, input);
  if (input.imageFileId) await requireStoredFile(ctx, input.imageFileId, "image", "imageFileId");
  const audioFile = input.audioFileId
    ? await requireStoredFile(ctx, input.audioFileId, "audio", "audioFileId")
    : null;
  const showNotes = renderMarkdown(input.showNotes, await findEmbedded(ctx, input.showNotes));
  return {
    ...input,
    ...dates,
    slug,
    showNotesHtml: showNotes.html,
    showNotesText: showNotes.text,
    embeddedFileIds: embeddedFileIdsOf(input.showNotes),
    transcript,
    cues: await readCues(transcript),
    durationSeconds: Math.round(audioFile?.durationSeconds ?? input.durationSeconds),
    chapters: input.chapters.toSorted((a, b) => a.start - b.start),
  };
}

/**
 * A planned time that has passed is valid when the plan is unchanged: the cron tick has not run yet, or it ran while the
 * form was open. The episode is published as planned.
 */
function publishedIfDue({ now }: Context, before: EpisodeInput, after: EpisodeInput): EpisodeInput {
  const { status, scheduledFor } = after;
  const wasPlanned = scheduledFor === before.scheduledFor || scheduledFor === before.publishedAt;
  if (status !== "scheduled" || scheduledFor === null || scheduledFor > now.getTime() || !wasPlanned)
    return after;
  return { ...after, status: "published", publishedAt: scheduledFor, scheduledFor: null };
}

const refusingTakenSlug = <T>(slug: string | undefined, write: () => Promise<T>) =>
  refusingTaken("episodes.slug", `Another episode already has the address “${slug}”. Choose another.`, write);
