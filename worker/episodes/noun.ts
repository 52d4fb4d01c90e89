import { and, asc, eq, exists, gt, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { BinFacet, BinPart } from "#worker/bin/facet.ts";
import { commentsOf } from "#worker/comments/binned.ts";
import { COUNTED } from "#worker/desk/contract.ts";
import { artworkFaults } from "#worker/episodes/artwork/contract.ts";
import { changedEpisodes, publicationOf } from "#worker/episodes/changed.ts";
import { laterFeedChange, touchFeed } from "#worker/episodes/feed-date.ts";
import { toInput } from "#worker/episodes/owner-queries.ts";
import { renderedColumns, transcriptHtml } from "#worker/episodes/rendered.ts";
import { episodeSlugs } from "#worker/episodes/slugs.ts";
import { isPublished } from "#worker/episodes/summary.ts";
import {
  binnedEpisodePassages,
  binnedEpisodes,
  binnedFormerEpisodeAudio,
  binnedFormerEpisodeSlugs,
  binnedOldEpisodeAddresses,
  episodePassages,
  episodes,
  formerEpisodeAudio,
  formerEpisodeSlugs,
  HAS_RAW_TRANSCRIPT,
  oldEpisodeAddresses,
  shows,
} from "#worker/episodes/table.ts";
import { jsonFile, jsonList, type Exporter } from "#worker/exports/noun-export.ts";
import { image } from "#worker/files/library/joins.ts";
import type { FileMove } from "#worker/files/library/replace-references.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import { noun } from "#worker/nouns/noun.ts";
import { agendaOf } from "#worker/platform/data/agenda.ts";
import { changed } from "#worker/platform/data/changes.ts";
import { redirects } from "#worker/platform/data/item-slugs.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { listeningParts } from "#worker/playlists/binned.ts";
import { demoLoadedAt } from "#worker/settings/queries.ts";

const FOLDER = "podcast";

const showForExport: Exporter = async function* ({ db, config: { siteUrl } }) {
  const rows = await db
    .select({ show: shows, imageKey: image.key })
    .from(shows)
    .leftJoin(image, eq(image.id, shows.artworkFileId));
  for (const { show, imageKey } of rows)
    yield jsonFile(`${FOLDER}/show.json`, {
      ...show,
      artwork: imageKey && siteUrl + mediaUrl(imageKey),
      feed: `${siteUrl}/rss/podcast.xml`,
    });
};

export const showNoun = noun({
  table: shows,
  title: "title",
  files: {
    kind: "show",
    columns: ["artworkFileId"],
    requireFit(file) {
      const faults = artworkFaults(file, "The artwork");
      if (faults.length > 0) throw new AppError("invalid", faults.join(" "), { field: "by" });
    },
    alsoSet: (ctx) => ({ feedChangedAt: laterFeedChange(ctx) }),
  },
  changed: (ctx, which) => [changed(ctx, sql`select 'show' as tag from ${shows} where ${which}`)],
  // The feed lists them.
  copied: (ctx, which) => [touchFeed(ctx, which)],
  exported: showForExport,
});

/** The addresses that episodes had before. */
const formerAddresses: Exporter = async function* ({ db }) {
  const rows = await db
    .select({ slug: formerEpisodeSlugs.slug, id: formerEpisodeSlugs.episodeId })
    .from(formerEpisodeSlugs)
    .innerJoin(episodes, eq(episodes.id, formerEpisodeSlugs.episodeId))
    .where(redirects(episodeSlugs))
    .orderBy(asc(formerEpisodeSlugs.slug));
  const old = await db
    .select({ address: oldEpisodeAddresses.address, id: oldEpisodeAddresses.episodeId })
    .from(oldEpisodeAddresses)
    .orderBy(asc(oldEpisodeAddresses.address));
  const former = [...rows.map(({ slug, id }) => ({ address: `/podcast/${slug}`, id })), ...old];
  yield jsonList(
    `${FOLDER}/former-addresses.json`,
    former.map(({ address, id }) => ({ from: address, to: `/episode/${id}` })),
  );
};

const transcriptNameOf = (row: { transcript: string; hasCues?: unknown }, name: string) =>
  row.transcript ? `${name}.${row.hasCues ? "vtt" : "txt"}` : null;

const ofEpisode =
  (id: SQLiteColumn): BinPart["of"] =>
  (item) =>
    sql`${id} = cast(${item} as integer)`;

const episodeBin: BinFacet = {
  kind: "episode",
  parts: [
    { table: episodes, binned: binnedEpisodes, of: ofEpisode(episodes.id) },
    {
      table: formerEpisodeSlugs,
      binned: binnedFormerEpisodeSlugs,
      of: ofEpisode(formerEpisodeSlugs.episodeId),
    },
    {
      table: oldEpisodeAddresses,
      binned: binnedOldEpisodeAddresses,
      of: ofEpisode(oldEpisodeAddresses.episodeId),
      onTaken: "keep the other",
    },
    {
      table: formerEpisodeAudio,
      binned: binnedFormerEpisodeAudio,
      of: ofEpisode(formerEpisodeAudio.episodeId),
      // The row without an episode, which the deletion left.
      onTaken: { target: formerEpisodeAudio.fileId, set: { episodeId: sql`excluded.episode_id` } },
    },
    {
      table: episodePassages,
      binned: binnedEpisodePassages,
      of: ofEpisode(episodePassages.episodeId),
      // Another episode's passage may have its number now.
      restored: () => ({ id: sql`null` }),
    },
    ...listeningParts,
    commentsOf("episode"),
  ],
  reserved: ["slug", "guid"],
};

export const episodeNoun = noun({
  table: episodes,
  title: "title",
  files: {
    kind: "episode",
    columns: ["audioFileId", "imageFileId"],
    replaceAddresses: ({ chapters, alternates }, replace) => ({
      alternates: alternates.map((each) => ({ ...each, url: replace(each.url) })),
      chapters: chapters.map((chapter) =>
        chapter.img ? { ...chapter, img: replace(chapter.img) } : chapter,
      ),
    }),
    descriptions: { imageFileId: "imageAlt" },
    requireReplaceable: refuseRecording,
  },
  text: {
    column: "showNotes",
    alsoFrom: ["durationSeconds", "chapters", "transcript", "cues", "alternates"],
    derive: renderedColumns,
  },
  otherTexts: { transcript: transcriptHtml },
  changed: changedEpisodes,
  inFeed: (which) => publicationOf(sql`${which} and ${isPublished}`),
  versions: { kind: "episode", valuesOf: toInput },
  bin: episodeBin,
  exported: {
    folder: FOLDER,
    omit: ["cues", "showNotesText"],
    select: { hasCues: sql`${episodes.cues} <> '[]'` },
    long: ["transcript"],
    pathOf: ({ id }) => `/episode/${id}`,
    facts: (row, name) => ({
      title: row.title,
      date: row.publishedAt,
      updated: row.updatedAt,
      status: row.status,
      draft: row.status !== "published" || null,
      address: row.address,
      guid: row.guid,
      description: row.description,
      season: row.seasonNumber,
      episode: row.episodeNumber,
      type: row.episodeType,
      explicit: row.explicit,
      seconds: row.durationSeconds,
      audio: row.audio,
      image: row.image,
      image_alt: row.imageAlt,
      transcript: transcriptNameOf(row, name),
    }),
    item({ transcript, hasCues, ...row }, name) {
      return { ...row, transcript: transcriptNameOf({ transcript, hasCues }, name) };
    },
    beside(row, name) {
      const file = transcriptNameOf(row, name);
      return file ? [{ path: `${FOLDER}/${file}`, text: [row.transcript] }] : [];
    },
    after: formerAddresses,
  },
  desk(ctx) {
    const { draftCount, drafts, scheduled, latest } = agendaOf(episodes, COUNTED);
    const own = podcastSince(ctx, demoLoadedAt);
    const any = podcastSince(ctx, sql`0`);
    return {
      episodeDrafts: draftCount,
      episodeDraftsLatest: drafts,
      episodesScheduled: scheduled,
      episodesLatest: latest,
      rawTranscripts: sql`(select json_group_array(json_object('id', id, 'title', title, 'at', updated_at)) from (
        select id, title, updated_at from ${episodes} where ${HAS_RAW_TRANSCRIPT} order by id desc limit 3))`,
      artwork: own.artwork,
      episode: own.episode,
      anyArtwork: any.artwork,
      anyEpisode: any.episode,
    };
  },
});

/** Its length, its chapters and the feed's enclosure change with it. */
function refuseRecording({ audioFileId, title }: typeof episodes.$inferSelect, { from }: FileMove) {
  if (audioFileId !== from) return;
  const message = `This is the recording of “${title}”. Replace it in that episode’s form, beside its length and chapters.`;
  throw new AppError("conflict", message);
}

/**
 * SQL: whether the podcast has artwork, and a published episode, created after a time in milliseconds UTC: after the demo
 * was loaded, or ever.
 */
const podcastSince = ({ db }: Context, since: SQL) => ({
  artwork: exists(
    db
      .select({ one: sql`1` })
      .from(shows)
      .innerJoin(image, eq(image.id, shows.artworkFileId))
      .where(gt(image.createdAt, since)),
  ),
  episode: exists(
    db
      .select({ one: sql`1` })
      .from(episodes)
      .where(and(eq(episodes.status, "published"), gt(episodes.createdAt, since)))
      .limit(1),
  ),
});
