import { and, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { oldAddressOf } from "#worker/articles/contract.ts";
import { isPublished } from "#worker/articles/queries.ts";
import { articles, formerSlugs, oldAddresses } from "#worker/articles/table.ts";
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

/** The query for the paths of published articles by these addresses, in the form of `oldAddressOf`. */
export const selectMovedArticles = ({ db }: Context, addresses: string[]) =>
  db
    .select({ address: oldAddresses.address, path: sql<string>`'/essays/' || ${articles.slug}`.as("path") })
    .from(oldAddresses)
    .innerJoin(articles, eq(articles.id, oldAddresses.articleId))
    .where(and(inArray(oldAddresses.address, addresses), isPublished));

/** All paths that lead to a published article, here and at its former site; null for another. */
export async function readPathsOf({ db }: Context, articleId: number) {
  const [[article], former, old] = await db.batch([
    db
      .select({ slug: articles.slug })
      .from(articles)
      .where(and(eq(articles.id, articleId), isPublished)),
    db.select({ slug: formerSlugs.slug }).from(formerSlugs).where(eq(formerSlugs.articleId, articleId)),
    db
      .select({ address: oldAddresses.address })
      .from(oldAddresses)
      .where(eq(oldAddresses.articleId, articleId)),
  ]);
  if (!article) return null;
  return [...old.map(({ address }) => address), ...[article, ...former].map(({ slug }) => `/essays/${slug}`)];
}

/** The articles with these GUIDs or old addresses, by the GUIDs. */
export async function findArticlesByPlace(
  { db }: Context,
  places: { guid: string; oldAddresses: string[] }[],
) {
  const asked = sql`json_each(${JSON.stringify(places)}) as given`;
  const guid = sql<string>`given.value ->> 'guid'`.as("guid");
  const [byGuid, byAddress] = await db.batch([
    db
      .select({ guid, id: articles.id })
      .from(asked)
      .innerJoin(articles, sql`${articles.guid} = given.value ->> 'guid'`),
    db
      .select({ guid, id: oldAddresses.articleId })
      .from(asked)
      .innerJoin(
        oldAddresses,
        sql`${oldAddresses.address} in (select value from json_each(given.value -> 'oldAddresses'))`,
      ),
  ]);
  return new Map([...byAddress, ...byGuid].map((row) => [row.guid, row.id]));
}

/** Whether articles were imported: short feed addresses then belong to their former blog. */
export async function haveArticlesMoved({ db }: Context) {
  return (await db.select({ address: oldAddresses.address }).from(oldAddresses).limit(1)).length > 0;
}

/** All paths that redirect to published articles, here and of their former sites; of a slug's articles, the one that had it last first. */
export async function listArticleAddresses({ db }: Context) {
  /** SQL: no published article is at the path. */
  const isFree = (path: SQL | SQLiteColumn) => sql`not exists (
    select 1 from articles as current where current.status = 'published' and '/essays/' || current.slug = ${path})`;
  const to = sql<string>`'/essays/' || ${articles.slug}`.as("to");
  const [former, old] = await db.batch([
    db
      .select({ from: sql<string>`'/essays/' || ${formerSlugs.slug}`.as("from"), to })
      .from(formerSlugs)
      .innerJoin(articles, eq(articles.id, formerSlugs.articleId))
      .where(and(isPublished, isFree(sql`'/essays/' || ${formerSlugs.slug}`)))
      .orderBy(desc(formerSlugs.leftAt)),
    db
      .select({ from: oldAddresses.address, to })
      .from(oldAddresses)
      .innerJoin(articles, eq(articles.id, oldAddresses.articleId))
      .where(and(isPublished, isFree(oldAddresses.address)))
      .orderBy(oldAddresses.address),
  ]);
  return [...former, ...old];
}
