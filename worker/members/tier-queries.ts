import { asc, eq, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import {
  MOST_TIERS,
  tierDefaults,
  type EditableTier,
  type TierInput,
  type TierRow,
} from "#worker/members/contract.ts";
import { tiers } from "#worker/members/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";
import { readPlaceAtEnd } from "#worker/platform/data/order.ts";
import { AppError } from "#worker/platform/errors.ts";

/** SQL: the members of the row's tier. The table's name is written out: drizzle omits it in a select from one table. */
const countOfMembers = sql<number>`(select count(*) from members where members.tier_id = tiers.id)`;

/**
 * Every tier, in the owner's order. There are at most `MOST_TIERS`, so there is one page.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listTiers(ctx: Context) {
  requireCapability("audience", ctx);
  const rows: TierRow[] = await ctx.db
    .select({
      id: tiers.id,
      name: tiers.name,
      description: tiers.description,
      price: tiers.price,
      sortOrder: tiers.sortOrder,
      members: countOfMembers,
    })
    .from(tiers)
    .orderBy(asc(tiers.sortOrder), asc(tiers.id));
  return wholeList(rows);
}

/**
 * The initial values of a new tier's form.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readNewTier(ctx: Context): Promise<TierInput> {
  requireCapability("audience", ctx);
  return { name: "", ...tierDefaults, sortOrder: await readPlaceAtEnd(ctx, tiers) };
}

/**
 * A tier as its owner edits it.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readTierForEdit(ctx: Context, id: number): Promise<EditableTier> {
  requireCapability("audience", ctx);
  return toEditableTier(await readTierRow(ctx, id));
}

/** SQL: there is such a tier. */
export const isTier = (id: number) => sql`exists (select 1 from ${tiers} where ${tiers.id} = ${id})`;

/** What visitors read about each tier, in the owner's order. */
export const readTierTexts = ({ db }: Context) =>
  db
    .select({ id: tiers.id, name: tiers.name, description: tiers.description })
    .from(tiers)
    .orderBy(asc(tiers.sortOrder), asc(tiers.id))
    .limit(MOST_TIERS);

type Row = typeof tiers.$inferSelect;

/** @throws `not_found` */
export async function readTierRow({ db }: Context, id: number): Promise<Row> {
  const [row] = await db.select().from(tiers).where(eq(tiers.id, id));
  if (!row) throw noSuchTier();
  return row;
}

export const toEditableTier = ({
  id,
  updatedAt,
  name,
  description,
  price,
  sortOrder,
}: Row): EditableTier => ({
  id,
  updatedAt: updatedAt.getTime(),
  values: { name, description, price, sortOrder },
});

export const noSuchTier = () => new AppError("not_found", "There is no such tier.");
