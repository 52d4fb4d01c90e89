import { applyErased, readErased, type Erased } from "#worker/bin/apply-erased.ts";
import type { Context } from "#worker/platform/context.ts";
import { sha256 } from "#worker/platform/data/random.ts";
import { signingKeys } from "#worker/platform/table.ts";
import { erasedKey } from "#worker/restores/staging.ts";

/** `keys`: hashes of the site's keys for signed links, by which it is known to be the one of the archive. */
type Stored = { keys: string[]; rows: Erased[] };

/** Stores what was erased in this site, and whose it is, before the rows of the archive replace both. Repeatable. */
export async function storeErased(ctx: Context, restoreId: number) {
  const [own, keys, before] = await Promise.all([readErased(ctx), readKeys(ctx), readStored(ctx, restoreId)]);
  const stored: Stored = {
    keys: before?.keys ?? keys,
    rows: [...(before?.rows ?? []), ...own],
  };
  await ctx.media.put(erasedKey(restoreId), JSON.stringify(stored));
}

/**
 * Erases in the restored site what the archive notes as erased, and, in the site that the archive is of, what was erased
 * since. Of another site the ids mean other rows.
 */
export async function eraseSince(ctx: Context, restoreId: number) {
  const [stored, keys] = await Promise.all([readStored(ctx, restoreId), readKeys(ctx)]);
  const isSameSite = keys.some((key) => stored?.keys.includes(key));
  await applyErased(ctx, isSameSite ? stored?.rows : []);
}

async function readKeys({ db }: Context) {
  const rows = await db.select().from(signingKeys);
  return Promise.all(rows.map(({ secret }) => sha256(secret)));
}

async function readStored({ media }: Context, restoreId: number) {
  const object = await media.get(erasedKey(restoreId));
  return object ? object.json<Stored>() : null;
}
