import { embedPath } from "#worker/embeds/frame.ts";
import type { EpisodeSummary, PublicShow } from "#worker/episodes/contract.ts";
import { readEpisodeSummary } from "#worker/episodes/queries.ts";
import { readShow } from "#worker/episodes/show-queries.ts";
import type { Picture } from "#worker/files/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { readPublicPlaylist } from "#worker/playlists/public-queries.ts";
import type { Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/queries.ts";

export type EmbedTrack = { title: string; href: string; audioUrl: string; seconds: number };

/** The data of an embedded player. Addresses of pages are absolute. */
export type Embed = {
  site: Pick<Site, "name" | "language">;
  /** The podcast, or without one the site. */
  show: string;
  /** Of the podcast; empty for none. */
  author: string;
  title: string;
  /** Its page. */
  href: string;
  path: string;
  picture: Picture | null;
  /** The seed of the drawing that replaces a missing picture. */
  seed: number;
  figure: number | null;
  tracks: EmbedTrack[];
  /** How many more its page has. */
  left: number;
  isPlaylist: boolean;
};

/** A longer playlist links to its page: an embed has at most 40 kB. */
const MOST_TRACKS = 50;

/** @throws `not_found` */
export async function readEpisodeEmbed(ctx: Context, id: number): Promise<Embed> {
  const [{ site, show }, episode] = await Promise.all([readAround(ctx), readEpisodeSummary(ctx, id)]);
  return {
    ...aroundOf(site, show),
    title: episode.title,
    href: pageOf(ctx, episode),
    path: embedPath("episode", id),
    picture: episode.picture ?? show?.artwork ?? null,
    seed: id,
    figure: episode.episodeNumber,
    tracks: tracksOf(ctx, [episode]),
    left: 0,
    isPlaylist: false,
  };
}

/** A public playlist. @throws `not_found` */
export async function readPlaylistEmbed(ctx: Context, id: string): Promise<Embed> {
  const [{ site, show }, { name, episodes }] = await Promise.all([
    readAround(ctx),
    readPublicPlaylist(ctx, id),
  ]);
  const audible = tracksOf(ctx, episodes);
  return {
    ...aroundOf(site, show),
    title: name,
    href: `${ctx.config.siteUrl}/playlists/${id}`,
    path: embedPath("playlist", id),
    picture: show?.artwork ?? null,
    seed: 0,
    figure: null,
    tracks: audible.slice(0, MOST_TRACKS),
    left: Math.max(0, audible.length - MOST_TRACKS),
    isPlaylist: true,
  };
}

async function readAround(ctx: Context) {
  // Copies of a picture are created some time after its upload.
  ctx.dependsOn("pictures");
  const [site, show] = await Promise.all([readSite(ctx), readShow(ctx)]);
  return { site, show };
}

const aroundOf = ({ name, language }: Site, show: PublicShow | null) => ({
  site: { name, language },
  show: show?.title ?? name,
  author: show?.author ?? "",
});

const pageOf = ({ config }: Context, { id }: { id: number }) => `${config.siteUrl}/episode/${id}`;

const tracksOf = (ctx: Context, episodes: EpisodeSummary[]): EmbedTrack[] =>
  episodes.flatMap((episode) => {
    const { title, audioUrl, durationSeconds: seconds } = episode;
    return audioUrl === null ? [] : [{ title, href: pageOf(ctx, episode), audioUrl, seconds }];
  });
