import { and, eq, ne } from "drizzle-orm";
import {
  episodeDefaults,
  PublishCheck,
  type EpisodeInput,
  type PublishProblem,
} from "#worker/episodes/contract.ts";
import { readShowForEdit } from "#worker/episodes/show-queries.ts";
import { episodes } from "#worker/episodes/table.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { findStoredFiles } from "#worker/files/stored.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";

/** Apple's artwork: square, 1400 to 3000 px, JPEG or PNG, no alpha channel. */
const ARTWORK = { min: 1400, max: 3000, types: ["image/jpeg", "image/png"] };
/** What podcast apps play everywhere. */
const AUDIO_TYPES = ["audio/mpeg", "audio/mp4", "audio/x-m4a", "audio/aac"];

/**
 * What podcast apps would refuse or miss in an episode that is about to be saved; empty when there is nothing. `id` is
 * absent for an episode that does not exist yet.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function checkEpisode(ctx: Context, input: PublishCheck): Promise<PublishProblem[]> {
  requireCapability("edit", ctx);
  const { id = 0, episode: given } = parseInput(PublishCheck, input);
  const episode = { ...episodeDefaults, ...given };
  const [show, stored, duplicate] = await Promise.all([
    readShowForEdit(ctx),
    findStoredFiles(
      ctx,
      [episode.audioFileId, episode.imageFileId].filter((fileId) => fileId !== null),
    ),
    findOtherWithAudio(ctx, id, episode.audioFileId),
  ]);
  return [
    ...showProblems(show),
    ...audioProblems(stored.get(episode.audioFileId ?? "") ?? null, duplicate),
    ...artworkProblems(stored.get(episode.imageFileId ?? "") ?? null, "imageFileId", "The episode’s picture"),
    ...textProblems(episode),
  ];
}

function textProblems({ description, transcript, imageFileId, imageAlt }: EpisodeInput) {
  const problems: PublishProblem[] = [];
  if (description === "") {
    problems.push(
      warning("description", "Without a description, apps show the episode with its title only."),
    );
  }
  if (transcript === "") {
    problems.push(warning("transcript", "Without a transcript, people who cannot hear the episode miss it."));
  }
  if (imageFileId && imageAlt === "") {
    problems.push(warning("imageAlt", "Describe the picture for people who cannot see it."));
  }
  return problems;
}

const error = (field: string, message: string): PublishProblem => ({ level: "error", field, message });
const warning = (field: string, message: string): PublishProblem => ({ level: "warning", field, message });

function showProblems(found: Awaited<ReturnType<typeof readShowForEdit>>) {
  if (!found) return [error("show", "Describe the podcast first: without it there is no feed.")];
  if (!found.artwork) return [error("show", "The podcast has no artwork; Apple Podcasts refuses it.")];
  return artworkProblems(found.artwork, "show", "The podcast’s artwork").map((problem) => ({
    ...problem,
    level: "error" as const,
  }));
}

function audioProblems(audio: StoredFile | null, duplicate: string | null) {
  if (!audio) return [error("audioFileId", "Without audio, the episode is not in the feed.")];
  return [
    ...(AUDIO_TYPES.includes(audio.type)
      ? []
      : [error("audioFileId", `Apple Podcasts does not play ${audio.type}. Use MP3 or M4A.`)]),
    ...(audio.durationSeconds ? [] : [warning("audioFileId", "The file does not tell how long it is.")]),
    ...(duplicate
      ? [error("audioFileId", `“${duplicate}” has the same audio; apps would ignore one of the two.`)]
      : []),
  ];
}

function artworkProblems(image: StoredFile | null, field: string, what: string) {
  if (!image) return [];
  const { width, height, type, hasAlpha } = image;
  const problems: PublishProblem[] = [];
  if (!ARTWORK.types.includes(type))
    problems.push(warning(field, `${what} should be a JPEG or PNG for podcast apps.`));
  if (hasAlpha)
    problems.push(warning(field, `${what} is transparent in places; Apple Podcasts wants it opaque.`));
  if (width === null || height === null) return problems;
  if (width !== height)
    problems.push(warning(field, `${what} is ${width} × ${height} px; podcast apps want a square.`));
  if (Math.min(width, height) < ARTWORK.min || Math.max(width, height) > ARTWORK.max) {
    problems.push(
      warning(field, `${what} is ${width} × ${height} px; Apple wants 1400 to 3000 px each side.`),
    );
  }
  return problems;
}

async function findOtherWithAudio({ db }: Context, id: number, audioFileId: string | null) {
  if (audioFileId === null) return null;
  const [other] = await db
    .select({ title: episodes.title })
    .from(episodes)
    .where(and(eq(episodes.audioFileId, audioFileId), ne(episodes.id, id)))
    .limit(1);
  return other?.title ?? null;
}
