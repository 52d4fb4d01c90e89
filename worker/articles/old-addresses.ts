import { and, eq, sql, type SQL } from "drizzle-orm";
import { oldAddressOf } from "#worker/articles/contract.ts";
import { isPublished } from "#worker/articles/queries.ts";
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

/** The slug of the published article that was at this address of another site; null if there is none. */
export async function findMovedArticle({ db }: Context, address: string) {
  const old = oldAddressOf(address);
  if (old === null) return null;
  const [row] = await db
    .select({ slug: articles.slug })
    .from(oldAddresses)
    .innerJoin(articles, eq(articles.id, oldAddresses.articleId))
    .where(and(eq(oldAddresses.address, old), isPublished));
  return row?.slug ?? null;
}
