import { updateArticle } from "#worker/articles/commands.ts";
import { findArticlesByPlace, readPathsOf } from "#worker/articles/old-addresses.ts";
import { endOf } from "#worker/episodes/chapter-times.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import {
  MAX_SECONDS,
  UNNAMED,
  type Chapter,
  type NewEpisode,
  type Soundbite,
} from "#worker/episodes/contract.ts";
import { keepEpisodeAddresses } from "#worker/episodes/old-addresses.ts";
import { readEpisodeRow } from "#worker/episodes/owner-queries.ts";
import { findEpisodesByGuid, type KnownEpisode } from "#worker/episodes/guid-queries.ts";
import { faultsInWords, type EmbeddedChapter, type StoredFile } from "#worker/files/contract.ts";
import type { FeedDetails, FeedEpisode } from "#worker/imports/feed/contract.ts";
import { HostError } from "#worker/imports/feed/download.ts";
import { moveFile, type FileProgress } from "#worker/imports/feed/move-file.ts";
import { moveOther, nextOther, NOTHING_MOVED, type Others } from "#worker/imports/feed/other-files.ts";
import { notesOf, plainOf } from "#worker/imports/feed/notes.ts";
import {
  linkPlaces,
  MOST_DESCRIPTION,
  ONLY_CHAPTERS_OF_THEIR_OWN,
  ONLY_FIRST_CHAPTERS,
} from "#worker/imports/feed/omissions.ts";
import { IS_HERE, MOST_NOTES, stateOf } from "#worker/imports/feed/plan.ts";
import {
  movePicture,
  NO_TRANSCRIPT,
  readChapters,
  readTranscriptOf,
} from "#worker/imports/feed/side-files.ts";
import { linesOf } from "#worker/imports/feed/values.ts";
import type { ImportItem, InterruptedItem, Outcome, WorkItem } from "#worker/imports/import-type.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/** Attempts for a picture, chapters or a transcript, before the episode is imported without. */
const SIDE_TRIES = 3;

/**
 * Where the next message continues. `others`: the episode has further files or portraits. `sides`: on the free plan, which
 * has no time to read and to store a transcript.
 */
type Saved = { audio?: FileProgress; others?: Others; sideTries?: number; sides?: Sides };

/** Imports an episode of a feed: its audio, then chapters, transcript and cover, and then the episode itself. */
export const importEpisode: ImportItem = async (ctx, item) => {
  const episode = item.payload as FeedEpisode;
  const saved = (item.saved ?? {}) as Saved;
  const known = (await findEpisodesByGuid(ctx, [episode.guid])).get(episode.guid);
  if (known) return outcomeOfKnown(ctx, item, known, saved);
  try {
    return await bring(ctx, item, episode, saved);
  } catch (error) {
    if (error instanceof HostError)
      return { is: error.isTemporary ? "again" : "failed", message: error.message };
    if (error instanceof AppError && error.code === "unsupported_type")
      return { is: "failed", message: "The host doesn’t send audio at its address." };
    throw error;
  }
};

/** The episode exists: this item's previous message created it and was interrupted, or it was here before. */
async function outcomeOfKnown(
  ctx: Context,
  item: WorkItem,
  known: KnownEpisode,
  saved: Saved,
): Promise<Outcome> {
  const { id } = known;
  if (!isCreatedBy(saved, known)) return { is: "skipped", message: IS_HERE, result: id };
  return doneWith(id, await joinIfWanted(ctx, item, id));
}

/** It has the audio that the item stored. */
const isCreatedBy = ({ audio }: Saved, { audioFileId }: KnownEpisode) =>
  audioFileId !== null && audioFileId === audio?.fileId;

/** The episodes that these items created before they were interrupted, by the id of the item. */
export async function findCreatedEpisodes(ctx: Context, items: InterruptedItem[]) {
  const byGuid = await findEpisodesByGuid(
    ctx,
    items.map(({ key }) => key),
  );
  const created = new Map<number, number>();
  for (const { id, key, saved } of items) {
    const known = byGuid.get(key);
    if (known && isCreatedBy((saved ?? {}) as Saved, known)) created.set(id, known.id);
  }
  return created;
}

const doneWith = (id: number, messages: string[]): Outcome => ({
  is: "done",
  result: id,
  ...(messages.length > 0 && { message: messages.join(" ") }),
});

/**
 * The article becomes a draft, so that no text is lost, and its paths, here and at the old site, redirect to the episode. An
 * episode that is not public yet does not change its article.
 */
async function joinIfWanted(ctx: Context, item: WorkItem, id: number) {
  const { guid, oldAddresses = [] } = item.payload as FeedEpisode;
  const { joinsArticles = false } = (item.details ?? {}) as Partial<FeedDetails>;
  if (!joinsArticles) return [];
  const articleId = (await findArticlesByPlace(ctx, [{ guid, oldAddresses }])).get(guid);
  if (articleId === undefined) return [];
  if ((await readEpisodeRow(ctx, id)).status !== "published")
    return ["Its article stays, since the episode isn’t published yet."];
  const paths = await readPathsOf(ctx, articleId);
  // It is not published.
  if (paths === null) return [];
  const [keep] = keepEpisodeAddresses(ctx, id, paths);
  if (keep) await keep;
  await updateArticle(ctx, articleId, { status: "draft" });
  return [JOINED];
}

export const JOINED = "Its article is a draft now, and the article’s addresses lead to the episode.";

async function bring(ctx: Context, item: WorkItem, episode: FeedEpisode, saved: Saved): Promise<Outcome> {
  if (!episode.audio) return { is: "failed", message: "It has no audio." };
  let { audio: progress } = saved;
  const further = (episode.furtherFiles ?? []).reduce((sum, { size }) => sum + size, 0);
  const stored = await moveFile({
    ctx,
    url: episode.audio.url,
    folder: "podcast-audio",
    progress: progress ?? null,
    save(next, { size, moved }) {
      progress = next;
      return item.save(
        { ...saved, audio: next },
        { moved, ...(size !== undefined && { size: size + further }) },
      );
    },
  });
  if (!stored) return { is: "more" };
  const others = saved.others ?? NOTHING_MOVED;
  const next = await nextOther(ctx, episode, others);
  if (next) {
    const known = { ...saved, audio: progress };
    // A message of its own for each: moving the audio took its time.
    const begun = saved.others
      ? await moveOther({
          ctx,
          next,
          others,
          importId: item.importId,
          save: (now, bytes) =>
            item.save({ ...known, others: now }, { moved: stored.size + others.moved + bytes }),
        })
      : others;
    await item.save({ ...known, others: begun }, { moved: stored.size + begun.moved });
    return begun.wait ? { is: "again", message: begun.wait } : { is: "more" };
  }
  const moved = stored.size + others.moved;
  if (!saved.sides) await item.save({ ...saved, audio: progress }, { size: moved, moved });
  const length = stored.durationSeconds ?? episode.durationSeconds;
  const end = Math.min(endOf(length), MAX_SECONDS);
  const sides = saved.sides ?? (await readSides(ctx, item, episode, end));
  if (sides.isTemporary && (saved.sideTries ?? 0) + 1 < SIDE_TRIES) {
    await item.save({ ...saved, audio: progress, sideTries: (saved.sideTries ?? 0) + 1 });
    return { is: "again", message: sides.messages.join(" ") };
  }
  if (ctx.config.plan === "free" && !saved.sides && sides.transcript !== "") {
    await item.save({ ...saved, audio: progress, sides });
    return { is: "more" };
  }
  // The current time: fetching the files took a while, and the feed is dated by its last change.
  const late = { ...ctx, now: ctx.clock() };
  const { asDrafts = false } = (item.details ?? {}) as Partial<FeedDetails>;
  const { input, messages } = inputOf(late, episode, {
    audio: stored,
    alternates: others.alternates,
    sides,
    end,
    asDrafts,
  });
  const { id } = await createEpisode(late, input, episode.guid, { oldAddresses: episode.oldAddresses });
  return doneWith(id, [
    ...messages,
    ...sides.messages,
    ...others.messages,
    ...(await joinIfWanted(late, item, id)),
  ]);
}

type Sides = {
  imageFileId: string | null;
  chapters: Chapter[];
  transcript: string;
  /** What is missing or changed, and why. */
  messages: string[];
  isTemporary: boolean;
};

async function readSides(
  ctx: Context,
  { importId }: WorkItem,
  episode: FeedEpisode,
  end: number,
): Promise<Sides> {
  const messages: string[] = [];
  let isTemporary = false;
  const optional = async <T>(what: string, without: T, read: () => Promise<T>) => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof HostError || error instanceof AppError)) throw error;
      isTemporary ||= error instanceof HostError && error.isTemporary;
      messages.push(`Imported without its ${what}: ${error.message}`);
      return without;
    }
  };
  const imageFileId = await optional<string | null>("picture", null, async () =>
    episode.imageUrl ? movePicture(ctx, episode.imageUrl, importId) : null,
  );
  const { chapters, lost, repeated, hasMore } = await optional(
    "chapters",
    { chapters: episode.chapters, lost: 0, repeated: 0, hasMore: false },
    () => readChapters(ctx, episode),
  );
  if (hasMore) messages.push(ONLY_FIRST_CHAPTERS);
  if (lost > 0)
    messages.push(
      `${lost === 1 ? "A chapter" : `${lost} chapters`} without a time that can be read ${lost === 1 ? "was" : "were"} left out.`,
    );
  if (repeated > 0) messages.push(ONLY_CHAPTERS_OF_THEIR_OWN);
  const { transcript, isCut, notes } = await optional("transcript", NO_TRANSCRIPT, () =>
    readTranscriptOf(ctx, episode, end),
  );
  if (isCut) messages.push("Transcript text after its end was left out.");
  messages.push(...notes.map((note) => `Its transcript: ${note}`));
  return { imageFileId, chapters, transcript, messages, isTemporary };
}

/** `end`: seconds. */
type Found = {
  audio: StoredFile;
  alternates: Others["alternates"];
  sides: Sides;
  end: number;
  asDrafts: boolean;
};

function inputOf(ctx: Context, episode: FeedEpisode, found: Found) {
  const { audio, alternates, sides, end, asDrafts } = found;
  const { title, seasonNumber, episodeType, explicit, blocked, people, durationSeconds } = episode;
  const { markdown, losses } = notesOf(episode.notes, MOST_NOTES);
  const isWithin = ({ start, duration = 0 }: Partial<Soundbite> & { start: number }) =>
    start + duration < end;
  const marks = withEmbedded(sides.chapters, audio.chapters);
  const chapters = marks.filter(isWithin).map(({ end: until, ...chapter }) => ({
    ...chapter,
    ...(until !== undefined && until > chapter.start && until <= end && { end: until }),
  }));
  const soundbites = episode.soundbites.filter(isWithin);
  const faults = faultsInWords(audio);
  const messages = [
    ...stateInWords(ctx, episode, asDrafts),
    // Older imports have no list of omissions.
    ...new Set([...(episode.omissions ?? []), ...losses]),
    ...(chapters.length < marks.length ? ["Chapters after its end were left out."] : []),
    ...(sides.chapters.length === 0 && marks.length > 0 ? ["Its chapters are those in its audio file."] : []),
    ...(faults ? [faults] : []),
  ];
  const input: NewEpisode = {
    title: title || "Untitled",
    description: linesOf(plainOf(episode.summary), MOST_DESCRIPTION),
    showNotes: markdown,
    ...statusOf(ctx, episode, asDrafts),
    seasonNumber,
    episodeNumber: episodeType === "trailer" ? null : episode.episodeNumber,
    episodeType,
    explicit,
    blocked,
    durationSeconds,
    audioFileId: audio.id,
    // The old host's feed contains both.
    allowDuplicateAudio: true,
    imageFileId: sides.imageFileId,
    imageAlt: sides.imageFileId ? episode.imageAlt : "",
    ...linksOf([episode.link, ...(episode.contentLinks ?? [])]),
    transcript: sides.transcript,
    chapters,
    people,
    soundbites,
    funding: episode.funding,
    places: episode.places,
    discussions: episode.discussions,
    alternates,
    generated: episode.isGenerated ? [{ field: UNNAMED, model: "an unnamed model" }] : [],
  };
  return { input, messages };
}

/**
 * The feed's chapters, with the audio file's pictures for them; without any, the audio file's chapters, one at each
 * time.
 */
function withEmbedded(chapters: Chapter[], embedded: EmbeddedChapter[]): Chapter[] {
  if (chapters.length > 0)
    return chapters.map((chapter) => {
      const same = embedded.find(({ start, img }) => img && Math.abs(start - chapter.start) < 1);
      return { ...(same?.img && { img: same.img }), ...chapter };
    });
  const byStart = new Map(embedded.map((chapter) => [chapter.start, chapter]));
  return [...byStart.values()].map(({ refusedPicture: _refused, url = null, ...chapter }) => ({
    ...chapter,
    url,
  }));
}

/** A note about a date in the future, which a draft cannot have. */
function stateInWords({ now }: Context, episode: FeedEpisode, asDrafts: boolean) {
  const words = stateOf(episode, now.getTime());
  if (words.length === 0) return [];
  const text = episode.date?.text ?? "";
  const isKept = !asDrafts && episode.publishedAt !== null;
  return [
    ...(asDrafts && episode.publishedAt !== null
      ? ["Its date is in the future, so it has none here."]
      : words),
    ...(text === "" || isKept ? [] : [`The feed has “${text}”.`]),
  ];
}

/** An episode without a date is imported as a draft. */
function statusOf(
  { now }: Context,
  { publishedAt }: FeedEpisode,
  asDrafts: boolean,
): Pick<NewEpisode, "status" | "publishedAt" | "scheduledFor"> {
  const isToCome = publishedAt !== null && publishedAt > now.getTime();
  if (asDrafts || publishedAt === null)
    return { status: "draft", publishedAt: isToCome ? null : publishedAt, scheduledFor: null };
  return isToCome
    ? { status: "scheduled", scheduledFor: publishedAt, publishedAt: null }
    : { status: "published", publishedAt, scheduledFor: null };
}

/** The first link of each place. */
const linksOf = (links: string[]): Partial<NewEpisode> =>
  Object.fromEntries(
    linkPlaces.flatMap(([name, at]) => {
      const link = links.find((each) => at.test(URL.parse(each)?.hostname ?? ""));
      return link === undefined ? [] : [[name, link]];
    }),
  );
