import { eq } from "drizzle-orm";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { episodes } from "#worker/episodes/table.ts";
import { audio, image } from "#worker/files/library/joins.ts";
import { altOf, pictureColumns, toPicture, type PictureRow } from "#worker/files/pictures/picture.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import { AppError } from "#worker/platform/errors.ts";

/** An episode as lists show it. A query selects these columns and left-joins `image` and `audio`. */

export const summaryColumns = {
  id: episodes.id,
  slug: episodes.slug,
  title: episodes.title,
  description: episodes.description,
  publishedAt: episodes.publishedAt,
  seasonNumber: episodes.seasonNumber,
  episodeNumber: episodes.episodeNumber,
  episodeType: episodes.episodeType,
  durationSeconds: episodes.durationSeconds,
  imageAlt: episodes.imageAlt,
  picture: pictureColumns(image),
  audioKey: audio.key,
  youtubeUrl: episodes.youtubeUrl,
};

type SummaryRow = {
  [Name in keyof Omit<EpisodeSummary, "publishedAt" | "picture" | "audioUrl">]: EpisodeSummary[Name];
} & { publishedAt: Date | null; imageAlt: string; picture: PictureRow | null; audioKey: string | null };

export function toSummary<Row extends SummaryRow>({ picture, imageAlt, audioKey, publishedAt, ...row }: Row) {
  return {
    ...row,
    // Never null here: `datesOf` gives every published episode a date.
    publishedAt: publishedAt?.getTime() ?? 0,
    picture: toPicture(picture, altOf(picture, imageAlt)),
    audioUrl: audioKey && mediaUrl(audioKey),
  };
}

export const isPublished = eq(episodes.status, "published");

export const episodeNotFound = () => new AppError("not_found", "That episode no longer exists.");
