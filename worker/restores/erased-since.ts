import { applyErased, readErased, type Erased } from "#worker/bin/apply-erased.ts";
import type { Context } from "#worker/platform/context.ts";
import { fingerprintsOfKeys } from "#worker/platform/http/signing-keys.ts";
import { ERASED_KEY } from "#worker/restores/staging.ts";

/**
 * What was erased in a site. `keys`: hashes of its keys for signed links, by which it is known to be the one of an
 * archive.
 */
type ErasedInSite = { keys: string[]; rows: Erased[] };

/**
 * Stores what was erased in this site, and whose it is, before the rows of the archive replace both. What earlier restores
 * stored and did not finish stays, also of other sites. Repeatable.
 */
export async function storeErased(ctx: Context) {
  const [rows, keys, before] = await Promise.all([readErased(ctx), fingerprintsOfKeys(ctx), readStored(ctx)]);
  if (rows.length === 0) return;
  const isOwn = (site: ErasedInSite) => isSame(site.keys, keys);
  const known = before.filter(isOwn).flatMap((site) => site.rows);
  const own = new Map([...known, ...rows].map((row) => [JSON.stringify(row), row]));
  const stored = [...before.filter((site) => !isOwn(site)), { keys, rows: [...own.values()] }];
  await ctx.media.put(ERASED_KEY, JSON.stringify(stored));
}

/**
 * Erases in the restored site what the archive notes as erased, and, in the site that the archive is of, what was erased
 * since. Of another site the ids mean other rows. Idempotent.
 */
export async function eraseSince(ctx: Context) {
  const [stored, keys] = await Promise.all([readStored(ctx), fingerprintsOfKeys(ctx)]);
  await applyErased(
    ctx,
    stored.filter((site) => isSame(site.keys, keys)).flatMap(({ rows }) => rows),
  );
}

const isSame = (some: string[], others: string[]) => some.some((key) => others.includes(key));

async function readStored({ media }: Context): Promise<ErasedInSite[]> {
  const object = await media.get(ERASED_KEY);
  return object ? object.json<ErasedInSite[]>() : [];
}
