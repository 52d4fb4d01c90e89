import { and, eq, inArray, ne, sql } from "drizzle-orm";
import { artworkFaults } from "#worker/episodes/artwork/contract.ts";
import { endOf, requireCuesWithin, requireTimesWithin } from "#worker/episodes/chapter-times.ts";
import {
  episodeDefaults,
  PublishCheck,
  type EpisodeInput,
  type PublishProblem,
} from "#worker/episodes/contract.ts";
import { findOtherWithAudio, sameAudio } from "#worker/episodes/duplicate-audio.ts";
import { readShowForEdit } from "#worker/episodes/show-queries.ts";
import { episodes } from "#worker/episodes/table.ts";
import { readTranscript } from "#worker/episodes/transcript.ts";
import { flawInWords, type StoredFile } from "#worker/files/contract.ts";
import { findingsOf, type Loudness } from "#worker/files/loudness/contract.ts";
import { findLoudness } from "#worker/files/loudness/queries.ts";
import { altOf } from "#worker/files/pictures/picture.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";

/** What podcast apps play everywhere. */
export const AUDIO_TYPES = ["audio/mpeg", "audio/mp4", "audio/x-m4a", "audio/aac"];

/**
 * What podcast apps would refuse or miss in an episode that is about to be saved; empty when there is nothing. `id` is
 * absent for an episode that does not exist yet.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function checkEpisode(ctx: Context, input: PublishCheck): Promise<PublishProblem[]> {
  requireCapability("edit", ctx);
  const { id = 0, episode: given } = parseInput(PublishCheck, input);
  const episode: EpisodeInput = { ...episodeDefaults, ...given };
  const [show, stored, duplicate, namesake, loudness] = await Promise.all([
    readShowForEdit(ctx),
    findStoredFiles(
      ctx,
      [episode.audioFileId, episode.imageFileId].filter((fileId) => fileId !== null),
    ),
    findOtherWithAudio(ctx, id, episode.audioFileId),
    findOtherWithNumbers(ctx, id, episode),
    findLoudness(ctx, episode.audioFileId),
  ]);
  const image = stored.get(episode.imageFileId ?? "") ?? null;
  return [
    ...showProblems(show),
    ...audioProblems(stored.get(episode.audioFileId ?? "") ?? null, duplicate),
    ...loudnessProblems(loudness),
    ...artworkProblems(image, "imageFileId", "The episode’s picture"),
    ...numberProblems(episode, namesake),
    ...textProblems(episode, image),
    ...timeProblems(episode, stored.get(episode.audioFileId ?? "") ?? null),
  ];
}

function numberProblems({ seasonNumber, episodeNumber }: EpisodeInput, namesake: string | null) {
  if (namesake === null) return [];
  const numbers = `${seasonNumber ? `season ${seasonNumber}, ` : ""}episode ${episodeNumber}`;
  return [warning("episodeNumber", `“${namesake}” is also ${numbers}; apps would show the number twice.`)];
}

function textProblems({ description, transcript, imageAlt }: EpisodeInput, image: StoredFile | null) {
  const problems: PublishProblem[] = [];
  if (description === "") {
    problems.push(warning("description", "Without a description, apps show only the title."));
  }
  if (transcript === "") {
    problems.push(warning("transcript", "There’s no transcript, so people who can’t hear it miss out."));
  }
  if (image && altOf(image, imageAlt) === "") {
    problems.push(warning("imageAlt", "Describe the picture for people who can’t see it."));
  }
  return problems;
}

/** Saving refuses these; the check names all of them. */
function timeProblems(episode: EpisodeInput, audio: StoredFile | null) {
  const lasts = audio?.durationSeconds ?? episode.durationSeconds;
  const read = () => readTranscript(episode.transcript, { guessedWithin: endOf(lasts) });
  return [
    ...refusalOf(() => requireTimesWithin(lasts, episode)),
    ...refusalOf(() => requireCuesWithin(lasts, read().cues)),
  ];
}

function refusalOf(check: () => void) {
  try {
    check();
    return [];
  } catch (refusal) {
    if (!(refusal instanceof AppError && refusal.field)) throw refusal;
    return [error(refusal.field, refusal.message)];
  }
}

const error = (field: string, message: string): PublishProblem => ({ level: "error", field, message });
const warning = (field: string, message: string): PublishProblem => ({ level: "warning", field, message });

function showProblems(found: Awaited<ReturnType<typeof readShowForEdit>>) {
  if (!found) return [error("show", "Describe the podcast first: it has no feed yet.")];
  if (!found.artwork) return [error("show", "The podcast has no artwork, and Apple Podcasts requires it.")];
  return artworkProblems(found.artwork, "show", "The podcast’s artwork").map((problem) => ({
    ...problem,
    level: "error" as const,
  }));
}

type Duplicate = Awaited<ReturnType<typeof findOtherWithAudio>>;

function audioProblems(audio: StoredFile | null, duplicate: Duplicate): PublishProblem[] {
  if (!audio) return [error("audioFileId", "Without audio, the episode isn’t in the feed.")];
  return [
    ...(AUDIO_TYPES.includes(audio.type)
      ? []
      : [error("audioFileId", `Apple Podcasts doesn’t play ${audio.type}. Use MP3 or M4A.`)]),
    ...(audio.durationSeconds ? [] : [warning("audioFileId", "The file doesn’t say how long it is.")]),
    ...[flawInWords(audio)].flatMap((words) => (words ? warning("audioFileId", words) : [])),
    ...(duplicate
      ? [{ ...error("audioFileId", sameAudio(duplicate)), confirms: "allowDuplicateAudio" as const }]
      : []),
  ];
}

/** None for a recording that no browser has measured. */
const loudnessProblems = (loudness: Loudness | null) =>
  loudness ? findingsOf(loudness).map(({ message }) => warning("audioFileId", message)) : [];

const artworkProblems = (image: StoredFile | null, field: string, what: string) =>
  image ? artworkFaults(image, what).map((fault) => warning(field, fault)) : [];

/** A bonus may have the numbers of the episode that it belongs to. */
async function findOtherWithNumbers({ db }: Context, id: number, episode: EpisodeInput) {
  const { seasonNumber, episodeNumber, episodeType } = episode;
  if (episodeType === "trailer" || episodeNumber === null) return null;
  const [other] = await db
    .select({ title: episodes.title })
    .from(episodes)
    .where(
      and(
        eq(episodes.episodeNumber, episodeNumber),
        sql`${episodes.seasonNumber} is ${seasonNumber}`,
        eq(episodes.episodeType, episodeType),
        inArray(episodes.status, ["published", "scheduled"]),
        ne(episodes.id, id),
      ),
    )
    .limit(1);
  return other?.title ?? null;
}
