import { and, desc, eq, lt, lte, sql, type Placeholder, type SQL } from "drizzle-orm";
import {
  episodeDefaults,
  type Episode,
  type EpisodeInput,
  type EpisodeChange,
  type EpisodeRow,
  type NewEpisode,
} from "#worker/episodes/contract.ts";
import { insertPassages, replacePassages } from "#worker/episodes/passages.ts";
import { touchFeed } from "#worker/episodes/show.ts";
import {
  audio,
  episodeNotFound,
  image,
  isPublished,
  summaryColumns,
  toSummary,
} from "#worker/episodes/summary.ts";
import { episodes } from "#worker/episodes/table.ts";
import { readCues, toWebVtt } from "#worker/episodes/transcript.ts";
import { embeddedFileIdsOf, findEmbedded } from "#worker/files/embedded.ts";
import { findStoredFiles, mediaUrl, requireStoredFile } from "#worker/files/stored.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { cursorOf, olderThan } from "#worker/platform/keyset.ts";
import { renderMarkdown } from "#worker/platform/markdown.ts";
import { prepared } from "#worker/platform/prepared.ts";
import { datesOf, refusingTaken } from "#worker/platform/publishing.ts";
import { freeSlug } from "#worker/platform/slug.ts";

const changedElsewhere = () =>
  new AppError(
    "conflict",
    "This episode was changed elsewhere since you opened it. Reload the page to see it.",
  );

/** Two changes within one millisecond are still two states. */
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

/** Published episodes, newest first. `before` is a former answer's `next`. */
export async function listPublishedEpisodes(
  ctx: Context,
  { before, limit = 24 }: { before?: string; limit?: number } = {},
) {
  ctx.dependsOn("episodes");
  const rows =
    before === undefined
      ? await selectNewest(ctx, { limit: limit + 1 })
      : await selectEpisodes(ctx.db, olderThan(before, episodes.publishedAt, episodes.id), limit + 1);
  const shown = rows.slice(0, limit).map(toSummary);
  const last = shown.at(-1);
  return { episodes: shown, next: rows.length > limit && last ? cursorOf(last) : null };
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

/** A published episode's own page. */
export async function readEpisode(ctx: Context, id: number): Promise<Episode> {
  ctx.dependsOn(`episode:${id}`);
  const [row] = await selectEpisode(ctx, { id });
  if (!row) throw episodeNotFound();
  return toSummary(row);
}

/** The id of the published episode with this slug, or null. */
export async function findEpisodeBySlug({ db }: Context, slug: string) {
  const [row] = await db
    .select({ id: episodes.id })
    .from(episodes)
    .where(and(eq(episodes.slug, slug), isPublished));
  return row?.id ?? null;
}

const LIST_ROWS = 50;

/** Every episode, newest first, for the owner. `before` is a former answer's `next`. */
export async function listEpisodes(ctx: Context, { before }: { before?: number } = {}) {
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
    .where(before === undefined ? undefined : lt(episodes.id, before))
    .orderBy(desc(episodes.id))
    .limit(LIST_ROWS + 1);
  const shown = rows.slice(0, LIST_ROWS);
  return {
    episodes: shown.map(({ imageKey, audioFileId, publishedAt, scheduledFor, ...row }): EpisodeRow => ({
      ...row,
      publishedAt: publishedAt?.getTime() ?? null,
      scheduledFor: scheduledFor?.getTime() ?? null,
      imageUrl: imageKey && mediaUrl(imageKey),
      hasAudio: audioFileId !== null,
    })),
    next: rows.length > LIST_ROWS ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** An episode as its owner edits it, with the files that it points to. */
export async function readEpisodeForEdit(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  const row = await readRow(ctx, id);
  const { audioFileId, imageFileId } = row;
  const stored = await findStoredFiles(
    ctx,
    [audioFileId, imageFileId].filter((fileId) => fileId !== null),
  );
  return {
    id,
    guid: row.guid,
    updatedAt: row.updatedAt.getTime(),
    values: toInput(row),
    audio: stored.get(audioFileId ?? "") ?? null,
    image: stored.get(imageFileId ?? "") ?? null,
  };
}

/** Suggests the numbers of the next episode: the last one's season, and one more. */
export async function suggestNumbers(ctx: Context) {
  requireCapability("edit", ctx);
  const [last] = await ctx.db
    .select({ seasonNumber: episodes.seasonNumber, episodeNumber: episodes.episodeNumber })
    .from(episodes)
    .orderBy(desc(episodes.seasonNumber), desc(episodes.episodeNumber))
    .limit(1);
  return last ? { ...last, episodeNumber: last.episodeNumber + 1 } : { seasonNumber: 1, episodeNumber: 1 };
}

/** `guid` is given only by an import, which keeps it byte for byte. */
export async function createEpisode(ctx: Context, input: NewEpisode, guid: string = crypto.randomUUID()) {
  requireCapability("edit", ctx);
  const values = await settle(ctx, { ...episodeDefaults, ...input });
  const insert = ctx.db
    .insert(episodes)
    .values({ ...values, guid, createdAt: ctx.now, updatedAt: ctx.now })
    .returning({ id: episodes.id });
  const createdId = sql`(select id from ${episodes} where guid = ${guid})`;
  const passages = insertPassages(ctx, createdId, values.cues);
  const [[created]] = await refusingTakenSlug(input.slug, () =>
    ctx.db.batch([insert, ...changedEpisodes(ctx, eq(episodes.guid, guid)), ...passages]),
  );
  return { id: created!.id };
}

export async function updateEpisode(ctx: Context, id: number, { basedOn, ...patch }: EpisodeChange) {
  requireCapability("edit", ctx);
  const row = await readRow(ctx, id);
  if (basedOn !== undefined && basedOn !== row.updatedAt.getTime()) throw changedElsewhere();
  const before = toInput(row);
  const values = await settle(ctx, publishedIfDue(ctx, before, { ...before, ...patch }), id);
  const updatedAt = laterThan(row.updatedAt, ctx.now);
  const update = ctx.db
    .update(episodes)
    .set({ ...values, updatedAt })
    .where(and(eq(episodes.id, id), eq(episodes.updatedAt, row.updatedAt)))
    .returning({ id: episodes.id });
  const isSame = values.transcript === before.transcript;
  const passages = isSame ? [] : replacePassages(ctx, id, values.cues, updatedAt);
  // What was published and what is: an episode that is taken back has changed too.
  const shown = () => changedEpisodes(ctx, eq(episodes.id, id));
  const [, , updated] = await refusingTakenSlug(patch.slug, () =>
    ctx.db.batch([...shown(), update, ...shown(), ...passages]),
  );
  if (updated.length === 0) throw changedElsewhere();
  return { id };
}

/** Its files go with the daily sweep, so that a listener in the middle of the episode may finish. */
export async function deleteEpisode(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  const remove = ctx.db.delete(episodes).where(eq(episodes.id, id)).returning({ id: episodes.id });
  const shown = changedEpisodes(ctx, eq(episodes.id, id));
  const [, , deleted] = await ctx.db.batch([...shown, remove]);
  if (deleted.length === 0) throw episodeNotFound();
}

/** Publishes the episodes whose time has come; their date is the one that was planned. */
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

/** The statements that tell of a change of those of these episodes that are published, of their list and of the feed. */
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

async function readRow({ db }: Context, id: number) {
  const [row] = await db.select().from(episodes).where(eq(episodes.id, id));
  if (!row) throw episodeNotFound();
  return row;
}

/** Without what the owner does not say. */
function toInput(row: typeof episodes.$inferSelect): EpisodeInput {
  const {
    id: _id,
    guid: _guid,
    createdAt: _made,
    updatedAt: _changed,
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

/** What the owner said, as it is stored: slug, dates, transcript and duration settled, files checked. */
async function settle(ctx: Context, input: EpisodeInput, id?: number) {
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
 * A time that was planned earlier and has come is no mistake: the minute's tick has not run yet, or it ran while a form
 * stood open. The episode is published as planned.
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
