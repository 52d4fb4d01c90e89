import { isOpen, pages, redirects, switchesOf, type PagePath } from "#worker/addresses.ts";
import { findCurrentSlug } from "#worker/articles/queries.ts";
import { findEpisodeBySlug, requirePublishedEpisode } from "#worker/episodes/queries.ts";
import { meantPathsOf, type MeantPath } from "#worker/discovery/meant-path.ts";
import { findMovedPath } from "#worker/discovery/moved-address.ts";
import { readPublicLetter } from "#worker/letters/archive.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { findPublic } from "#worker/playlists/public-queries.ts";
import { readSite } from "#worker/settings/queries.ts";

/**
 * The address on this site, with its query, that a mistyped one means; null if it is not mistyped, or nothing is
 * published there. Costs one read for a possible essay, episode, letter or playlist, and one for an imported essay's or
 * episode's old address, which takes precedence.
 */
export async function findMeantAddress(ctx: Context, { pathname, search }: URL): Promise<string | null> {
  const meant = meantPathsOf(pathname);
  if (meant.length === 0) return null;
  const moved = await findMovedPath(ctx, [pathname + search, pathname]);
  if (moved !== null) return moved;
  for (const each of meant) {
    const path = await findTarget(ctx, each.path);
    if (path !== null) return path + queryOf(each, search) + (each.hash && `#${encodeURI(each.hash)}`);
  }
  return null;
}

/** Characters. Longer queries are ignored. */
const LONGEST_QUERY = 2000;

/** The parameters stuck to the path, then those of the query. */
function queryOf({ query }: MeantPath, search: string) {
  const parameters = new URLSearchParams(query);
  for (const [name, value] of new URLSearchParams(search)) parameters.append(name, value);
  const text = parameters.toString();
  return text && text.length <= LONGEST_QUERY ? `?${text}` : "";
}

type Targets = [pattern: RegExp, find: (ctx: Context, value: string) => Promise<string | boolean | null>];

const targets: Targets[] = [
  [/^\/essays\/([^/]+)$/, async (ctx, slug) => within("/essays/", await findCurrentSlug(ctx, slug))],
  [/^\/podcast\/([^/]+)$/, async (ctx, slug) => within("/episode/", await findEpisodeBySlug(ctx, slug))],
  [/^\/(?:embed\/)?episode\/(\d+)/, (ctx, id) => isFound(requirePublishedEpisode(ctx, Number(id)))],
  [/^\/letters\/(\d+)$/, (ctx, id) => isFound(readPublicLetter(ctx, Number(id), { site: readSite(ctx) }))],
  [/playlists?\/([0-9a-f-]+)(?:\.xml)?$/, async (ctx, id) => (await findPublic(ctx, id)) !== null],
];

const within = (folder: string, name: string | number | null) => (name === null ? null : folder + name);

/** The path itself, or its redirect target, if something is published there; otherwise null. */
async function findTarget(ctx: Context, path: string): Promise<string | null> {
  const [redirected] = Object.entries(redirects).flatMap(([from, to]) => (from === path ? [to] : []));
  if (redirected) return redirected;
  if (isPage(path)) {
    const isThere = pages[path].switch === undefined || isOpen(path, switchesOf(await readSite(ctx)));
    return isThere ? path : null;
  }
  for (const [pattern, find] of targets) {
    const [, value] = pattern.exec(path) ?? [];
    if (value === undefined) continue;
    const found = await find(ctx, value);
    return found === true ? path : found || null;
  }
  return path;
}

const isPage = (path: string): path is PagePath => Object.hasOwn(pages, path);

async function isFound(reading: Promise<unknown>) {
  try {
    await reading;
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return false;
    throw error;
  }
}
