import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import { oldAddressOf } from "#worker/articles/contract.ts";
import { findCurrentSlug, isPublished } from "#worker/articles/queries.ts";
import { articles, oldAddresses } from "#worker/articles/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** The statements after which these addresses of another site lead to an article. One that leads elsewhere stays so. */
export function keepOldAddresses({ db }: Context, articleId: SQL | number, addresses: string[]) {
  if (addresses.length === 0) return [];
  const given = JSON.stringify(addresses.flatMap((address) => oldAddressOf(address) ?? []));
  return [
    db
      .insert(oldAddresses)
      .select(sql`select value, ${articleId} from json_each(${given}) where true`)
      .onConflictDoNothing(),
  ];
}

/** The slug of the published article that was at the first of these addresses of another site that has one; or null. */
export async function findMovedArticle({ db }: Context, addresses: string[]) {
  const old = addresses.flatMap((address) => oldAddressOf(address) ?? []);
  if (old.length === 0) return null;
  const rows = await db
    .select({ address: oldAddresses.address, slug: articles.slug })
    .from(oldAddresses)
    .innerJoin(articles, eq(articles.id, oldAddresses.articleId))
    .where(and(inArray(oldAddresses.address, old), isPublished));
  const [first] = rows.toSorted((a, b) => old.indexOf(a.address) - old.indexOf(b.address));
  return first?.slug ?? null;
}

/** The path of the published article that is, or was, at this path and query, here or at another site; or null. */
export async function findArticlePath(ctx: Context, path: string, search: string) {
  const [, slug] = /^\/essays\/([^/]+)$/.exec(path) ?? [];
  const current = slug === undefined ? null : await findCurrentSlug(ctx, slug);
  const found = current ?? (await findMovedArticle(ctx, [path + search, path]));
  return found === null ? null : `/essays/${found}`;
}

/** Whether articles were moved in: the short addresses of a feed were those of the blog that they come from. */
export async function haveArticlesMoved({ db }: Context) {
  return (await db.select({ address: oldAddresses.address }).from(oldAddresses).limit(1)).length > 0;
}
