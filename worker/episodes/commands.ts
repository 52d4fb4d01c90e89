import { and, eq, sql, type SQL } from "drizzle-orm";
import { moveToBin } from "#worker/bin/move-to-bin.ts";
import { refusingReserved } from "#worker/bin/reserved.ts";
import { changedEpisodes, publicationOf } from "#worker/episodes/changed.ts";
import { hashAlternates, requireAlternates } from "#worker/episodes/alternates.ts";
import { isRenderedAlike, renderedColumns } from "#worker/episodes/rendered.ts";
import { byStart, endOf, requireCuesWithin, requireTimesWithin } from "#worker/episodes/chapter-times.ts";
import {
  EpisodeChange,
  episodeDefaults,
  NewEpisode,
  type EditableEpisode,
  type EpisodeInput,
} from "#worker/episodes/contract.ts";
import { refuseDuplicateAudio } from "#worker/episodes/duplicate-audio.ts";
import { marksOf } from "#worker/episodes/generated.ts";
import { episodeNoun } from "#worker/episodes/noun.ts";
import { keepEpisodeAddresses } from "#worker/episodes/old-addresses.ts";
import {
  editableOf,
  episodePreviewLink,
  findFilesIn,
  readEpisodeRow,
  toEditable,
  toInput,
} from "#worker/episodes/owner-queries.ts";
import { insertPassages, replacePassages } from "#worker/episodes/passages.ts";
import { episodeNotFound, isPublished } from "#worker/episodes/summary.ts";
import { episodeSlugs } from "#worker/episodes/slugs.ts";
import { episodes, formerEpisodeAudio } from "#worker/episodes/table.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";
import { findEmbedded } from "#worker/files/pictures/markdown-images.ts";
import { describeOnce } from "#worker/files/describe.ts";
import { audio } from "#worker/files/library/joins.ts";
import { requireStoredFile } from "#worker/files/stored.ts";
import { requireCapability, requirePublishing } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { draftKeyOf, findByDraftKey, refusingTakenKey } from "#worker/platform/data/draft-key.ts";
import {
  datesOf,
  laterThan,
  publishedIfDue,
  refusingTaken,
  withoutDerived,
} from "#worker/platform/data/publishing.ts";
import { keepFormerSlug, reclaimSlug } from "#worker/platform/data/item-slugs.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";
import { writeAndRead, type Alongside } from "#worker/platform/data/write-and-read.ts";
import { feedChanged, publish } from "#worker/publications/record-publication.ts";
import { slugOfChange, slugOfNew } from "#worker/revisions/item-slugs.ts";
import { transcribeNewRecording } from "#worker/transcription/new-recording.ts";
import { recordChange, recordCreation } from "#worker/revisions/record-revision.ts";

const changedElsewhere = () =>
  new AppError("conflict", "This episode was changed elsewhere since you opened it.");

/**
 * Creates an episode, one for each `draftKey`: sending it again updates that one. Only an import passes `guid`, which
 * is stored byte for byte, and `oldAddresses`, which redirect to the episode.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for dates that the status does not allow, a numbered trailer,
 * times beyond the end, a transcript with a broken cue and a file that is not stored; `conflict` for a slug that
 * another episode has, and unless `allowDuplicateAudio` for the audio of another published or scheduled one
 */
export async function createEpisode(
  ctx: Context,
  input: NewEpisode,
  guid: string = crypto.randomUUID(),
  { oldAddresses = [] }: { oldAddresses?: string[] } = {},
): Promise<EditableEpisode> {
  requireCapability("edit", ctx);
  const { allowDuplicateAudio, automatic, draftKey: key, ...given } = parseInput(NewEpisode, input);
  const draftKey = draftKeyOf(ctx, key);
  const made = await findByDraftKey(ctx, episodes, draftKey);
  if (made !== null) return updateEpisode(ctx, made, { ...given, allowDuplicateAudio, automatic });
  const normalized = await normalize(ctx, withNumbers({ ...episodeDefaults, ...given }, given));
  requirePublishing(ctx, normalized.status);
  if (automatic && normalized.status !== "draft") throw draftsOnly();
  if (!allowDuplicateAudio) await refuseDuplicateAudio(ctx, { id: 0, before: null, after: normalized });
  const { slug, way } = await slugOfNew(ctx, episodeSlugs, {
    given: given.slug ?? "",
    title: given.title,
    status: normalized.status,
  });
  const values = {
    ...normalized,
    ...(await rendered(ctx, normalized)),
    slug,
    guid,
    draftKey,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  const insert = ctx.db.insert(episodes).values(values).returning({ id: episodes.id, slug: episodes.slug });
  const createdId = sql`(select id from ${episodes} where guid = ${guid})`;
  const passages = insertPassages(ctx, createdId, values.cues);
  const goesOut = publish(ctx, publicationOf(sql`${episodes.guid} = ${guid} and ${isPublished}`), {
    isPlanned: false,
  });
  const isOut = values.status === "published";
  const isIt = eq(episodes.guid, guid);
  const revision = recordCreation(ctx, {
    kind: "episode",
    item: createdId,
    values: savedOf(given.slug, normalized),
    isAutomatic: automatic,
  });
  const write = (db: Context["db"]) =>
    db.batch([
      way,
      insert,
      revision,
      ...passages,
      ...keepEpisodeAddresses(ctx, createdId, oldAddresses),
      ...(isOut ? [...changedEpisodes(ctx, isIt), ...goesOut.statements] : []),
      ...describeOnce(ctx, values.imageFileId, values.imageAlt),
    ]);
  const [[, [created]], stored] = await refusingTakenSlug(given.slug, () =>
    refusingTakenKey(episodes, () => writeAndRead(ctx, write, (one) => findFilesIn(one, values))),
  );
  if (isOut) goesOut.enqueue();
  if (values.alternates.length > 0) ctx.later(hashAlternates(ctx, created!.id, values.alternates));
  if (values.audioFileId !== null && values.transcript === "") {
    await afterWrite(NOT_TRANSCRIBED, transcribeNewRecording(ctx, created!.id));
  }
  return editableOf({ ...values, ...created! }, stored);
}

/**
 * Changes the given fields. A former slug redirects to the episode. `basedOn` is the `updatedAt` of the version that
 * was edited; an `automatic` save is only allowed for a draft. `restoredFrom`: when the restored version was saved.
 * `alongside` is not used if the episode has these values already.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid` as `createEpisode`; `conflict` as `createEpisode`, and
 * if the episode was changed elsewhere since `basedOn`
 */
export async function updateEpisode(
  ctx: Context,
  id: number,
  input: EpisodeChange,
  { restoredFrom, alongside }: { restoredFrom?: Date; alongside?: Alongside } = {},
): Promise<EditableEpisode> {
  requireCapability("edit", ctx);
  const parsed = parseInput(EpisodeChange, input);
  const { basedOn, allowDuplicateAudio, automatic: isAutomatic = false, ...patch } = parsed;
  const row = await readEpisodeRow(ctx, id);
  const before = toInput(row);
  const stored = { ...before, updatedAt: row.updatedAt };
  const given = () => ({
    ...withoutDerived(asStored(patch)),
    ...readAnew(patch, before),
    ...(patch.generated && { generated: marksOf({ ...before, ...patch, generated: patch.generated }) }),
  });
  if (isRepeated({ basedOn, stored, given, changedElsewhere })) return toEditable(ctx, row);
  const after = withNumbers({ ...before, ...patch }, patch, before);
  const values = await normalize(ctx, publishedIfDue(ctx.now, before, after), row);
  requirePublishing(ctx, before.status, values.status);
  if (isAutomatic && !(before.status === "draft" && values.status === "draft")) throw draftsOnly();
  const { slug, way, namedSlug } = await slugOfChange(ctx, episodeSlugs, {
    row,
    before,
    after,
    status: values.status,
    given: patch.slug,
  });
  if (!allowDuplicateAudio) await refuseDuplicateAudio(ctx, { id, before, after: values });
  const updatedAt = laterThan(row.updatedAt, ctx.now);
  const isSame = values.transcript === before.transcript;
  // What is unchanged is not written: a new version of the renderer may be replacing it (`renderSlice`).
  const derived = isRenderedAlike(row, values) ? {} : await rendered(ctx, values);
  const update = ctx.db
    .update(episodes)
    .set({
      ...values,
      ...derived,
      ...(isSame && { transcript: undefined, cues: undefined }),
      slug,
      updatedAt,
    })
    .where(and(eq(episodes.id, id), eq(episodes.updatedAt, row.updatedAt)))
    .returning({ slug: episodes.slug });
  const passages = isSame ? [] : replacePassages(ctx, id, values.cues, eq(episodes.updatedAt, updatedAt));
  const revision = await recordChange(ctx, {
    kind: "episode",
    item: id,
    before: { values: before, savedAt: row.updatedAt },
    values: savedOf(namedSlug, values),
    isAutomatic,
    restoredFrom,
  });
  const isIt = eq(episodes.id, id);
  const [wasPublic, isPublic] = [before, values].map(({ status }) => status === "published");
  // A draft replaces no public recording: it may be given any, also that of another episode.
  const isAudioLeft = wasPublic && (!isPublic || row.audioFileId !== values.audioFileId);
  // Withdrawing an episode expires its answers, too. Nothing public shows a draft, which is saved the most often.
  const first = [way, ...(wasPublic ? changedEpisodes(ctx, isIt) : [])] as const;
  const saved = sql`${episodes.id} = ${id} and ${episodes.updatedAt} = ${updatedAt.getTime()}`;
  const followUp = followUpOf(ctx, before, values, saved);
  const then = [
    ...(isPublic ? changedEpisodes(ctx, isIt) : []),
    ...(wasPublic ? [keepFormerSlug(ctx, episodeSlugs, id, row.slug)] : []),
    ...(isPublic ? [reclaimSlug(ctx, episodeSlugs, isIt)] : []),
  ];
  const write = async (db: Context["db"]) => {
    const results = await db.batch([
      ...first,
      update,
      ...revision,
      ...then,
      ...passages,
      ...(isAudioLeft ? [keepFormerAudio(ctx, id, row.audioFileId)] : []),
      ...(followUp?.statements ?? []),
      ...describeOnce(ctx, values.imageFileId, values.imageAlt),
      ...(alongside?.statements(sql`exists (select 1 from ${episodes} where ${saved})`) ?? []),
    ]);
    return results[first.length] as { slug: string }[];
  };
  const [[updated], [storedFiles]] = await refusingTakenSlug(patch.slug, () =>
    writeAndRead(ctx, write, (one) => Promise.all([findFilesIn(one, values), alongside?.read(one)])),
  );
  if (!updated) throw changedElsewhere();
  if (values.alternates.length > 0) ctx.later(hashAlternates(ctx, id, values.alternates));
  followUp?.enqueue();
  const isNewRecording = values.audioFileId !== null && values.audioFileId !== row.audioFileId;
  if (isNewRecording && values.transcript === "") {
    await afterWrite(NOT_TRANSCRIBED, transcribeNewRecording(ctx, id));
  }
  return editableOf({ ...row, ...values, ...updated, updatedAt }, storedFiles);
}

const NOT_TRANSCRIBED = "episodes: a new recording is not transcribed";

/**
 * The statement that makes the address of an audio that an episode had while it was public redirect to its current audio.
 * It does for an episode that is withdrawn, too, whose audio may be replaced before it is published again.
 */
const keepFormerAudio = ({ db }: Context, id: number, fileId: string | null) =>
  db.insert(formerEpisodeAudio).select(
    sql`select ${audio.id}, ${episodes.id} from ${episodes} inner join files as audio on ${audio.id} = ${fileId}
      where ${episodes.id} = ${id} and (${episodes.audioFileId} is not ${audio.id} or ${episodes.status} <> 'published')
      on conflict (file_id) do update set episode_id = excluded.episode_id`,
  );

const draftsOnly = () =>
  new AppError("conflict", "Autosave is only for drafts. Save this episode with the button.");

type Normalized = Awaited<ReturnType<typeof normalize>>;

/** The values of a stored version: the input as it was saved, without a slug derived from the title. */
function savedOf(slug: string | undefined, normalized: Normalized): Partial<EpisodeInput> {
  const { cues: _cues, ...values } = normalized;
  return {
    ...values,
    slug: slug || undefined,
    publishedAt: values.publishedAt?.getTime() ?? null,
    scheduledFor: values.scheduledFor?.getTime() ?? null,
  };
}

/**
 * Deletes an episode into the bin.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function deleteEpisode(ctx: Context, id: number) {
  requireCapability("edit", ctx);
  if (!(await moveToBin(ctx, episodeNoun, id))) throw episodeNotFound();
}

/** Publishes the scheduled episodes that are due, with their scheduled dates. */
export async function publishDueEpisodes(ctx: Context) {
  const isDue = sql`${episodes.status} = 'scheduled' and ${episodes.scheduledFor} <= ${ctx.now.getTime()}`;
  const due = await ctx.db.select({ id: episodes.id }).from(episodes).where(isDue).limit(1);
  if (due.length === 0) return;
  const update = ctx.db
    .update(episodes)
    .set({
      status: "published",
      publishedAt: sql`${episodes.scheduledFor}`,
      scheduledFor: null,
      updatedAt: ctx.now,
    })
    .where(isDue);
  // Before the update, after which no episode is due: of overlapping crons, only one publishes.
  const goesOut = publish(ctx, publicationOf(isDue), { isPlanned: true });
  const changes = changedEpisodes(ctx, eq(episodes.updatedAt, ctx.now));
  await ctx.db.batch([...goesOut.statements, update, ...changes]);
  goesOut.enqueue();
}

/** The announcements after an update; null if visitors see no change. `saved` is the row after the update. */
function followUpOf(
  ctx: Context,
  before: EpisodeInput,
  { status }: Pick<EpisodeInput, "status">,
  saved: SQL,
) {
  if (before.status === "published") return feedChanged(ctx, publicationOf(saved));
  return status === "published" ? publish(ctx, publicationOf(saved), { isPlanned: false }) : null;
}

/**
 * The columns of an input without its slug: dates, transcript and duration derived, files checked. A stored value from
 * `before` a rule existed may remain unchanged while other fields are saved.
 */
async function normalize(
  ctx: Context,
  { slug: _slug, ...input }: EpisodeInput,
  before?: typeof episodes.$inferSelect,
) {
  const dates = datesOf(ctx.now, input);
  if (input.imageFileId) await requireStoredFile(ctx, input.imageFileId, "image", "imageFileId");
  await requireAlternates(ctx, input.alternates);
  const audioFile = input.audioFileId
    ? await requireStoredFile(ctx, input.audioFileId, "audio", "audioFileId")
    : null;
  const lasts = audioFile?.durationSeconds ?? input.durationSeconds;
  const { transcript, cues } =
    before?.transcript === input.transcript
      ? before
      : readTranscript(input.transcript, { guessedWithin: endOf(lasts) });
  if (!before || timesOf(before) !== timesOf(input)) requireTimesWithin(lasts, input);
  if (!before || !hasSameCues(before, { ...input, transcript })) requireCuesWithin(lasts, cues);
  const durationSeconds = Math.round(lasts);
  return {
    ...input,
    ...dates,
    transcript,
    cues,
    durationSeconds,
    generated: marksOf({ ...input, transcript }),
    ...asStored({ chapters: input.chapters, soundbites: input.soundbites }),
  };
}

/** `renderedColumns`, with the pictures that the show notes name. */
const rendered = async (ctx: Context, episode: Normalized) =>
  renderedColumns(episode, await findEmbedded(ctx, episode.showNotes));

/** Lists that are stored in sorted order. */
const asStored = <T extends Partial<Pick<EpisodeInput, "chapters" | "soundbites">>>(given: T): T => ({
  ...given,
  ...(given.chapters && { chapters: given.chapters.toSorted(byStart) }),
  ...(given.soundbites && { soundbites: given.soundbites.toSorted(byStart) }),
});

/** A transcript in its stored form, if it differs from the stored one. */
const readAnew = (
  { transcript }: Partial<EpisodeInput>,
  before: Pick<EpisodeInput, "transcript" | "durationSeconds">,
) =>
  transcript === undefined || transcript === before.transcript
    ? {}
    : {
        transcript: readTranscript(transcript, { guessedWithin: endOf(before.durationSeconds) }).transcript,
      };

type Spoken = Pick<EpisodeInput, "transcript" | "audioFileId" | "durationSeconds">;

const hasSameCues = (before: Spoken, { transcript, audioFileId, durationSeconds }: Spoken) =>
  before.transcript === transcript &&
  before.audioFileId === audioFileId &&
  before.durationSeconds === durationSeconds;

const timesOf = (
  episode: Pick<EpisodeInput, "chapters" | "soundbites" | "audioFileId" | "durationSeconds">,
) => {
  const { chapters, soundbites, audioFileId, durationSeconds } = episode;
  return JSON.stringify([chapters, soundbites, audioFileId, durationSeconds]);
};

/**
 * A trailer has no episode number: an existing or default one is cleared, and a new one refused. When an episode
 * becomes a trailer, its season is cleared unless given.
 */
function withNumbers(
  episode: EpisodeInput,
  given: Partial<EpisodeInput>,
  before: Pick<EpisodeInput, "episodeType"> = episodeDefaults,
): EpisodeInput {
  if (episode.episodeType !== "trailer") return episode;
  if (given.episodeNumber) {
    const message = "A trailer has no episode number. Leave it blank.";
    throw new AppError("invalid", message, { field: "episodeNumber" });
  }
  const seasonNumber = before.episodeType === "trailer" ? episode.seasonNumber : (given.seasonNumber ?? null);
  return { ...episode, seasonNumber, episodeNumber: null };
}

const refusingTakenSlug = <T>(slug: string | undefined, write: () => Promise<T>) =>
  refusingReserved(episodeNoun, slug, () =>
    refusingTaken("episodes.slug", `Another episode already uses “${slug}”. Choose another.`, write),
  );

export const createEpisodePreviewLink = episodePreviewLink.create;
export const deleteEpisodePreviewLink = episodePreviewLink.remove;
