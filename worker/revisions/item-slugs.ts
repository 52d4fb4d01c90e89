import { sql } from "drizzle-orm";
import type { ItemSlugs } from "#worker/platform/item-slugs.ts";
import type { RevisionKind } from "#worker/revisions/contract.ts";
import { isSlugOpen } from "#worker/revisions/queries.ts";

/** The slugs of what has versions: they tell whether the owner chose a draft's slug. */
export function itemSlugs(kind: RevisionKind, columns: Omit<ItemSlugs, "givesWay">): ItemSlugs {
  const { id, slug, status, former } = columns;
  const wasPublic = sql`exists (
    select 1 from ${former.slug.table} where ${former.slug} = ${slug} and ${former.owner} = ${id})`;
  return {
    ...columns,
    givesWay: sql`(${status} = 'draft' and ${isSlugOpen(kind, id)} and not ${wasPublic})`,
  };
}
