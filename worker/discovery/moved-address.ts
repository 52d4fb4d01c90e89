import { oldAddressOf } from "#worker/articles/contract.ts";
import { selectMovedArticles } from "#worker/articles/old-addresses.ts";
import { findCurrentSlug } from "#worker/articles/queries.ts";
import { selectMovedEpisodes } from "#worker/episodes/old-addresses.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * The path of the published article or episode that was at the first of these addresses of another site that has one; or
 * null. If both have it, the article takes precedence while it is published.
 */
export async function findMovedPath(ctx: Context, addresses: string[]) {
  const old = addresses.flatMap((address) => oldAddressOf(address) ?? []);
  if (old.length === 0) return null;
  const rows = await selectMovedArticles(ctx, old).unionAll(selectMovedEpisodes(ctx, old));
  const [first] = rows.toSorted((a, b) => old.indexOf(a.address) - old.indexOf(b.address));
  return first?.path ?? null;
}

/** The path of the published article or episode with this current or former path and query, here or elsewhere; or null. */
export async function findCurrentPath(ctx: Context, path: string, search: string) {
  const [, slug] = /^\/essays\/([^/]+)$/.exec(path) ?? [];
  const current = slug === undefined ? null : await findCurrentSlug(ctx, slug);
  return current === null ? findMovedPath(ctx, [path + search, path]) : `/essays/${current}`;
}
