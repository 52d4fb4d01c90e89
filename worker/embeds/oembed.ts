import { OembedQuery, type Oembed } from "#worker/embeds/contract.ts";
import { EMBED_HEIGHT, EMBED_WIDTH, frameCode } from "#worker/embeds/frame.ts";
import { readEpisodeEmbed, readPlaylistEmbed, type Embed } from "#worker/embeds/queries.ts";
import { momentIn, startOf } from "#worker/episodes/start-at.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";

const CACHE_AGE = 3600;

/**
 * The oEmbed response for an episode's or public playlist's address, within the requested size.
 * @throws `not_found` for any other address; `invalid` without one
 */
export async function readOembed(ctx: Context, input: OembedQuery): Promise<Oembed> {
  const { url, maxwidth = EMBED_WIDTH, maxheight = EMBED_HEIGHT } = parseInput(OembedQuery, input);
  const embed = await readEmbedAt(ctx, url);
  const [width, height] = [Math.min(EMBED_WIDTH, maxwidth), Math.min(EMBED_HEIGHT, maxheight)];
  const { siteUrl } = ctx.config;
  return {
    version: "1.0",
    type: "rich",
    title: embed.title,
    author_name: embed.author || undefined,
    provider_name: embed.site.name,
    provider_url: siteUrl,
    cache_age: CACHE_AGE,
    ...thumbnailOf(siteUrl, embed, { width: maxwidth, height: maxheight }),
    html: frameCode({ src: siteUrl + embed.path + startIn(url), title: embed.title, width, height }),
    width,
    height,
  };
}

const EPISODE = /^\/(?:embed\/)?episode\/([1-9]\d{0,8})\/?$/;
const PLAYLIST = /^\/(?:playlists|embed\/playlist)\/([0-9a-f-]{36})\/?$/;

/** Accepts http and https, and any query, since addresses are copied. */
function readEmbedAt(ctx: Context, address: string) {
  const url = URL.parse(address);
  if (url?.host !== new URL(ctx.config.siteUrl).host || !/^https?:$/.test(url.protocol))
    throw nothingToEmbed();
  const [, episode] = EPISODE.exec(url.pathname) ?? [];
  if (episode) return readEpisodeEmbed(ctx, Number(episode));
  const [, playlist] = PLAYLIST.exec(url.pathname) ?? [];
  if (playlist) return readPlaylistEmbed(ctx, playlist);
  throw nothingToEmbed();
}

/** The start parameter of an episode's address with a timestamp. */
function startIn(address: string) {
  const { pathname, searchParams } = new URL(address);
  const start = EPISODE.test(pathname) ? startOf(momentIn(searchParams)) : 0;
  return start > 0 ? `?t=${start}` : "";
}

const nothingToEmbed = () => new AppError("not_found", "Nothing at this address can be embedded.");

type Size = { width: number; height: number };

/** The widest copy of the cover within the bounds; none if the cover has no copies. */
function thumbnailOf(siteUrl: string, { picture }: Embed, bounds: Size) {
  if (!picture?.width || !picture.height) return {};
  const ratio = picture.height / picture.width;
  const copies = [...picture.srcset.matchAll(/(\S+) (\d+)w/g)].map(([, src, px]) => {
    const width = Number(px);
    return { src: src!, width, height: Math.round(width * ratio) };
  });
  const fits = ({ width, height }: Size) => width <= bounds.width && height <= bounds.height;
  const copy = copies.findLast(fits);
  if (!copy) return {};
  return {
    thumbnail_url: siteUrl + copy.src,
    thumbnail_width: copy.width,
    thumbnail_height: copy.height,
  };
}
