import { asc, eq, sql } from "drizzle-orm";
import { episodeSlugs } from "#worker/episodes/slugs.ts";
import { episodes, formerEpisodeSlugs, oldEpisodeAddresses, shows } from "#worker/episodes/table.ts";
import {
  exportedColumns,
  isNextSlice,
  itemFiles,
  jsonFile,
  jsonList,
  nameOf,
  rowsOf,
  type Exporter,
} from "#worker/exports/exported.ts";
import { audio, image } from "#worker/files/library/joins.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import { redirects } from "#worker/platform/data/item-slugs.ts";
import type { Context } from "#worker/platform/context.ts";

const FOLDER = "podcast";

/** The show, each episode with its show notes as Markdown and its transcript, and the addresses that it had before. */
export const podcastForExport: Exporter = async function* (ctx) {
  for (const show of await showsOf(ctx)) yield jsonFile(`${FOLDER}/show.json`, show);
  for await (const { transcript, hasCues, ...row } of episodesOf(ctx)) {
    const name = await nameOf(row);
    const transcriptName = transcript ? `${name}.${hasCues ? "vtt" : "txt"}` : null;
    yield* itemFiles(
      `${FOLDER}/${name}`,
      {
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
        transcript: transcriptName,
      },
      row.showNotes,
      { ...row, transcript: transcriptName },
    );
    if (transcriptName) yield { path: `${FOLDER}/${transcriptName}`, text: [transcript] };
  }
  yield jsonList(`${FOLDER}/former-addresses.json`, await formerAddressesOf(ctx));
};

async function showsOf({ db, config: { siteUrl } }: Context) {
  const rows = await db
    .select({ show: shows, imageKey: image.key })
    .from(shows)
    .leftJoin(image, eq(image.id, shows.artworkFileId));
  return rows.map(({ show, imageKey }) => ({
    ...show,
    artwork: imageKey && siteUrl + mediaUrl(imageKey),
    feed: `${siteUrl}/rss/podcast.xml`,
  }));
}

async function* episodesOf({ db, config: { siteUrl } }: Context) {
  const { cues: _cues, showNotesText: _text, ...columns } = exportedColumns(episodes);
  const { showNotes, showNotesHtml, transcript } = columns;
  const rows = rowsOf((after) =>
    db
      .select({
        ...columns,
        hasCues: sql<number>`${episodes.cues} <> '[]'`,
        imageKey: image.key,
        audioKey: audio.key,
      })
      .from(episodes)
      .leftJoin(audio, eq(audio.id, episodes.audioFileId))
      .leftJoin(image, eq(image.id, episodes.imageFileId))
      .where(isNextSlice(episodes.id, after, showNotes, showNotesHtml, transcript))
      .orderBy(asc(episodes.id)),
  );
  const addressOf = (key: string | null) => key && siteUrl + mediaUrl(key);
  for await (const { imageKey, audioKey, ...row } of rows) {
    yield {
      ...row,
      address: `${siteUrl}/episode/${row.id}`,
      audio: addressOf(audioKey),
      image: addressOf(imageKey),
    };
  }
}

async function formerAddressesOf({ db }: Context) {
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
  return [...rows.map(({ slug, id }) => ({ address: `/podcast/${slug}`, id })), ...old].map(
    ({ address, id }) => ({ from: address, to: `/episode/${id}` }),
  );
}
