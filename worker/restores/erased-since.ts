import { sql } from "drizzle-orm";
import { applyErased, type Erased } from "#worker/bin/apply-erased.ts";
import { erased } from "#worker/bin/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { signingKeys } from "#worker/platform/table.ts";
import { erasedKey } from "#worker/restores/staging.ts";

/** `secrets`: the site's keys of signed links, by which it is known to be the one of the archive. */
type Stored = { secrets: string[]; rows: Erased[] };

/** Stores what was erased in this site, and whose it is, before the rows of the archive replace both. Repeatable. */
export async function storeErased(ctx: Context, restoreId: number) {
  const [own, keys] = await ctx.db.batch([ctx.db.select().from(erased), ctx.db.select().from(signingKeys)]);
  const before = await readStored(ctx, restoreId);
  const stored: Stored = {
    secrets: before?.secrets ?? keys.map(({ secret }) => secret),
    rows: [
      ...(before?.rows ?? []),
      ...own.map(({ erasedAt, ...row }) => ({ ...row, erasedAt: erasedAt.getTime() })),
    ],
  };
  await ctx.media.put(erasedKey(restoreId), JSON.stringify(stored));
  return sql`delete from ${erased}`;
}

/**
 * Erases in the restored site what the archive notes as erased, and, in the site that the archive is of, what was erased
 * since. Of another site the ids mean other rows.
 */
export async function eraseSince(ctx: Context, restoreId: number) {
  const [stored, keys] = await Promise.all([
    readStored(ctx, restoreId),
    ctx.db.select({ secret: signingKeys.secret }).from(signingKeys),
  ]);
  const isSameSite = keys.some(({ secret }) => stored?.secrets.includes(secret));
  await applyErased(ctx, isSameSite ? stored?.rows : []);
}

async function readStored({ media }: Context, restoreId: number) {
  const object = await media.get(erasedKey(restoreId));
  return object ? object.json<Stored>() : null;
}
