import { factorKeys, secondFactors } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { requireUnsealed, seal } from "#worker/platform/data/sealed.ts";
import type { SealedColumn } from "#worker/platform/data/sealed-columns.ts";

/**
 * The secrets of authenticator apps are always encrypted: by the deployment's KEY_SECRET, or without one by a key that the
 * site makes for them on first use.
 */
const PURPOSE = "second-factor";

export const sealSecret = async (ctx: Context, secret: string) =>
  seal(await sealingKeys(ctx), PURPOSE, secret);

/** @throws `unavailable` if the KEY_SECRET that encrypted it is missing */
export const unsealSecret = async (ctx: Context, stored: string) =>
  requireUnsealed(await keysOf(ctx), PURPOSE, stored);

/** Those of the deployment, and then the site's own. */
async function keysOf({ db, config }: Context) {
  const own = await readOwn(db);
  return { config: { keySecrets: [...config.keySecrets, ...own.map(({ secret }) => secret)] } };
}

const readOwn = (db: Context["db"]) => db.select({ secret: factorKeys.secret }).from(factorKeys);

/** Those of the deployment, or the site's own, which the first use makes; of several concurrent ones one inserts. */
async function sealingKeys({ db, config }: Context) {
  if (config.keySecrets.length > 0) return { config };
  const insert = db.insert(factorKeys).values({ id: 1, secret: randomToken() }).onConflictDoNothing();
  const [, own] = await db.batch([insert, readOwn(db)]);
  return { config: { keySecrets: own.map(({ secret }) => secret) } };
}

export const appSecrets: SealedColumn = {
  id: secondFactors.userId,
  secret: secondFactors.secret,
  purpose: PURPOSE,
  keysOf,
};
