import { sql } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { chooseSlug, type ItemSlugs, type SlugChoice } from "#worker/platform/data/item-slugs.ts";
import type { RevisionKind } from "#worker/revisions/contract.ts";
import { isSlugOpen, namedSlugOf } from "#worker/revisions/queries.ts";
import { today } from "#worker/settings/queries.ts";

type VersionedSlugs = ItemSlugs & { kind: RevisionKind };

/** The slugs of a kind with versions, which show whether the owner chose a draft's slug. */
export function itemSlugs(kind: RevisionKind, columns: Omit<ItemSlugs, "givesWay">): VersionedSlugs {
  const { id, slug, status, former } = columns;
  const wasPublic = sql`exists (
    select 1 from ${former.slug.table} where ${former.slug} = ${slug} and ${former.owner} = ${id})`;
  return {
    ...columns,
    kind,
    givesWay: sql`(${status} = 'draft' and ${isSlugOpen(kind, id)} and not ${wasPublic})`,
  };
}

/** The slug of a new row, and the statement that precedes its write (`chooseSlug`). */
export const slugOfNew = (ctx: Context, slugs: VersionedSlugs, choice: Omit<SlugChoice, "row" | "today">) =>
  chooseSlug(ctx, slugs, { ...choice, today: () => today(ctx) });

type Change = {
  /** The stored row and its values. */
  row: NonNullable<SlugChoice["row"]>;
  before: { status: string; slug: string };
  after: { title: string; slug: string };
  /** The new status. */
  status: string;
  /** Undefined if the change does not include the slug. */
  given: string | undefined;
};

/**
 * The same for a change, and the slug for its version. A draft that is published gets its slug from its title if the
 * owner chose none, since its current one may be numbered.
 */
export async function slugOfChange(
  ctx: Context,
  slugs: VersionedSlugs,
  { row, before, after, status, given }: Change,
) {
  const namedSlug = await namedSlugOf(ctx, { kind: slugs.kind, item: row.id }, given, before.slug);
  const isNamedAnew = before.status === "draft" && status !== "draft" && !namedSlug;
  const chosen = await chooseSlug(ctx, slugs, {
    row,
    given: isNamedAnew ? "" : after.slug,
    title: after.title,
    status,
    today: () => today(ctx),
  });
  return { ...chosen, namedSlug };
}
