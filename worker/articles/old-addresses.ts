import { and, eq, inArray, sql, type SQL } from "drizzle-orm";
import { oldAddressOf } from "#worker/articles/contract.ts";
import { findCurrentSlug, isPublished } from "#worker/articles/queries.ts";
import { articles, oldAddresses } from "#worker/articles/table.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * The statements that redirect these addresses of another site to an article. An address that leads to another article
 * is unchanged.
 */
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

/** The slug of the published article at the first known of these addresses of another site; or null. */
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

/** The path of the published article with this current or former path and query, here or on another site; or null. */
export async function findArticlePath(ctx: Context, path: string, search: string) {
  const [, slug] = /^\/essays\/([^/]+)$/.exec(path) ?? [];
  const current = slug === undefined ? null : await findCurrentSlug(ctx, slug);
  const found = current ?? (await findMovedArticle(ctx, [path + search, path]));
  return found === null ? null : `/essays/${found}`;
}

/** Whether articles were imported: short feed addresses then belong to their former blog. */
export async function haveArticlesMoved({ db }: Context) {
  return (await db.select({ address: oldAddresses.address }).from(oldAddresses).limit(1)).length > 0;
}
