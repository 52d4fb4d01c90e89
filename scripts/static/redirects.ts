import { documents, matcherOf, pages, redirects, wellKnown, type Address } from "#worker/addresses.ts";
import { haveArticlesMoved, listArticleAddresses } from "#worker/articles/old-addresses.ts";
import { ESSAYS_FEED_PATH } from "#worker/articles/rss.ts";
import { listReplacedRecordings } from "#worker/episodes/audio-queries.ts";
import { listEpisodeAddresses } from "#worker/episodes/old-addresses.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import type { Context } from "#worker/platform/context.ts";

export type Redirect = { from: string; to: string; status: 301 | 302 };

/** Cloudflare Pages reads so many lines without a placeholder. */
export const MOST_REDIRECTS = 2000;

/**
 * All addresses that redirect: former slugs, those of the sites that essays and episodes came from, short ones, and those
 * that feed readers try. An episode's address by its slug redirects to the one by its number.
 */
export async function readRedirects(ctx: Context, { hasAudio }: { hasAudio: boolean }) {
  const [articles, episodes, isBlog, recordings] = await Promise.all([
    listArticleAddresses(ctx),
    listEpisodeAddresses(ctx),
    haveArticlesMoved(ctx),
    hasAudio ? listReplacedRecordings(ctx) : [],
  ]);
  const short = Object.entries(redirects).filter(([from]) => !from.includes(":"));
  const known = Object.entries(wellKnown).map(([from, to]): [string, string] => [
    from,
    to === FEED_PATH && isBlog ? ESSAYS_FEED_PATH : to,
  ]);
  const all: Redirect[] = [
    ...[...short, ...known].map(([from, to]) => ({ from, to: pathOf(to), status: 301 as const })),
    // An article takes precedence.
    ...[...articles, ...episodes].map(({ from, to }) => ({ from, to: pathOf(to), status: 301 as const })),
    ...recordings.map(({ from, to }) => ({ from: mediaUrl(from), to: mediaUrl(to), status: 302 as const })),
  ];
  const own = all.filter(({ from }) => from.startsWith("/essays/") || !findAddress(from));
  return [...new Map(own.toReversed().map((each) => [each.from, each])).values()].toReversed();
}

/** Addresses of this site, which an old one never hides. */
const findAddress = matcherOf<Address>({ ...pages, ...documents });

/** A page is a folder, which hosts redirect to with a slash. */
const pathOf = (path: string) => (/\.\w+$/.test(path) ? path : `${path}/`);

/** The lines of `_redirects`. Paths are encoded, as browsers send them. */
export const redirectLines = (list: Redirect[]) =>
  list.map(({ from, to, status }) => `${lineOf(from)} ${lineOf(to)} ${status}\n`).join("");

/** An asterisk and a colon would be placeholders. */
const lineOf = (path: string) => encodeURI(path).replaceAll("*", "%2A").replaceAll(":", "%3A");
