import { applyErased, readErased, type Erased } from "#worker/bin/apply-erased.ts";
import type { Context } from "#worker/platform/context.ts";
import { signingKeys } from "#worker/platform/table.ts";
import { erasedKey } from "#worker/restores/staging.ts";

/** `secrets`: the site's keys of signed links, by which it is known to be the one of the archive. */
type Stored = { secrets: string[]; rows: Erased[] };

/** Stores what was erased in this site, and whose it is, before the rows of the archive replace both. Repeatable. */
export async function storeErased(ctx: Context, restoreId: number) {
  const [own, secrets, before] = await Promise.all([
    readErased(ctx),
    readSecrets(ctx),
    readStored(ctx, restoreId),
  ]);
  const stored: Stored = {
    secrets: before?.secrets ?? secrets,
    rows: [...(before?.rows ?? []), ...own],
  };
  await ctx.media.put(erasedKey(restoreId), JSON.stringify(stored));
}

/**
 * Erases in the restored site what the archive notes as erased, and, in the site that the archive is of, what was erased
 * since. Of another site the ids mean other rows.
 */
export async function eraseSince(ctx: Context, restoreId: number) {
  const [stored, secrets] = await Promise.all([readStored(ctx, restoreId), readSecrets(ctx)]);
  const isSameSite = secrets.some((secret) => stored?.secrets.includes(secret));
  await applyErased(ctx, isSameSite ? stored?.rows : []);
}

async function readSecrets({ db }: Context) {
  return (await db.select().from(signingKeys)).map(({ secret }) => secret);
}

async function readStored({ media }: Context, restoreId: number) {
  const object = await media.get(erasedKey(restoreId));
  return object ? object.json<Stored>() : null;
}
