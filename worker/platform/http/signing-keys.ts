import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import { base64url } from "jose";
import type { Context } from "#worker/platform/context.ts";
import { randomToken, sha256 } from "#worker/platform/data/random.ts";
import { requireUnsealed, seal, unseal } from "#worker/platform/data/sealed.ts";
import { isReadable as isReadableIn, type SealedColumn } from "#worker/platform/data/sealed-columns.ts";
import { signingKeys } from "#worker/platform/table.ts";

/** Of tokens that expire, or of those that never do, such as the links to unsubscribe. */
export type KeyUse = (typeof signingKeys.$inferSelect)["use"];

export type SigningKey = { kid: string; use: KeyUse; createdAt: Date; secret: Uint8Array<ArrayBuffer> };

const DAY = 86_400_000;
/** Milliseconds after which a key of tokens that expire is replaced. */
export const KEY_LASTS = 90 * DAY;
/** Milliseconds for which a replaced key still verifies: a day more than the tokens that live longest, those of sessions. */
const STILL_VERIFIES = 61 * DAY;
/** Milliseconds for which the legacy key verifies tokens that expire: those were links, and none worked for longer. */
const LEGACY_VERIFIES = 7 * DAY;

/** The id of the key of tokens without one: those from before keys had ids. */
const LEGACY = "legacy";

const PURPOSE = "signing-key";

/** The key that signs: the newest one of its use, created if there is none. */
export async function currentKey(ctx: Context, use: KeyUse): Promise<SigningKey> {
  const found = await findCurrent(ctx, use);
  if (found) return found;
  await createMissing(ctx);
  return (await findCurrent(ctx, use))!;
}

/** Since when the newest key of tokens that expire signs; null before the first. */
export async function readKeyAge(ctx: Context) {
  const [row] = await selectCurrent(ctx, await isReadable(ctx), "expiring");
  return row?.createdAt ?? null;
}

async function findCurrent(ctx: Context, use: KeyUse) {
  const [row] = await selectCurrent(ctx, await isReadable(ctx), use);
  return row && { ...row, secret: bytesOf(await requireUnsealed(ctx, PURPOSE, row.secret)) };
}

const selectCurrent = ({ db }: Context, readable: SQL, use: KeyUse) =>
  db
    .select()
    .from(signingKeys)
    .where(and(eq(signingKeys.use, use), readable))
    .orderBy(desc(signingKeys.id))
    .limit(1);

/**
 * The key that may verify a token with this header; undefined if there is none. `lasting`: whether the token is read as one
 * that never expires, which a link that has expired may be, too.
 */
export async function findKey(ctx: Context, kid: unknown = LEGACY, { lasting }: { lasting: boolean }) {
  const [row] = await ctx.db
    .select()
    .from(signingKeys)
    .where(eq(signingKeys.kid, String(kid)));
  return row && (lasting || mayVerifyExpiring(ctx, row)) ? secretOf(ctx, row) : undefined;
}

/** Whether a key may verify tokens that expire. */
export const mayVerifyExpiring = (
  { now }: Pick<Context, "now">,
  { kid, use, createdAt }: Pick<typeof signingKeys.$inferSelect, "kid" | "use" | "createdAt">,
) => use === "expiring" || (kid === LEGACY && now.getTime() - createdAt.getTime() < LEGACY_VERIFIES);

/** The bytes of a stored key; undefined if they cannot be read. */
export async function secretOf(ctx: Context, { secret }: { secret: string }) {
  const text = await unseal(ctx, PURPOSE, secret);
  return text === null ? undefined : bytesOf(text);
}

const bytesOf = (secret: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(secret);

/** Of several concurrent first uses one inserts, and all read the same keys. */
async function createMissing(ctx: Context) {
  const readable = await isReadable(ctx);
  const isMissing = (use: KeyUse) =>
    sql`not exists (select 1 from ${signingKeys} where ${signingKeys.use} = ${use} and ${readable})`;
  await ctx.db.batch([
    insertKeyIf(ctx, "lasting", await newKey(ctx), isMissing("lasting")),
    insertKeyIf(ctx, "expiring", await newKey(ctx), isMissing("expiring")),
  ]);
}

/**
 * The statement that replaces the key of tokens that expire, and SQL of its condition: the last replacement is older than
 * `unlessWithin` milliseconds, so that of several concurrent ones one inserts. Tokens signed so far stay valid.
 */
export async function replacementOfKey(ctx: Context, unlessWithin: number) {
  const isReplaceable = sql`${signingKeys.use} = 'expiring' and ${await isReadable(ctx)}`;
  const since = ctx.now.getTime() - unlessWithin;
  const isDue = sql`exists (select 1 from ${signingKeys} where ${isReplaceable})
    and not exists (select 1 from ${signingKeys} where ${isReplaceable} and ${signingKeys.createdAt} > ${since})`;
  return { isDue, statement: insertKeyIf(ctx, "expiring", await newKey(ctx), isDue) };
}

const newKey = async (ctx: Context) => ({
  kid: base64url.encode(crypto.getRandomValues(new Uint8Array(8))),
  secret: await seal(ctx, PURPOSE, randomToken()),
});

type NewKey = { kid: string; secret: string };

const insertKeyIf = ({ db, now }: Context, use: KeyUse, { kid, secret }: NewKey, condition: SQL) =>
  db
    .insert(signingKeys)
    .select(sql`select null, ${secret}, ${kid}, ${use}, ${now.getTime()} where ${condition}`);

/** SQL: the key is plain, or encrypted by a KEY_SECRET that the deployment has. */
const isReadable = (ctx: Pick<Context, "config">) => isReadableIn(ctx, signingKeys.secret);

export const keySecretsColumn: SealedColumn = {
  id: signingKeys.id,
  secret: signingKeys.secret,
  purpose: PURPOSE,
};

/**
 * Each night: replaces a key after 90 days, and deletes those whose tokens have all expired. Repeatable.
 */
export async function renewKeys(ctx: Context) {
  const { db, now } = ctx;
  await (
    await replacementOfKey(ctx, KEY_LASTS)
  ).statement;
  const before = (milliseconds: number) => now.getTime() - milliseconds;
  const readable = await isReadable(ctx);
  await db.delete(signingKeys).where(
    sql`${signingKeys.use} = 'expiring' and (
      ${signingKeys.createdAt} <= ${before(KEY_LASTS + STILL_VERIFIES)} and not ${readable}
      or ${readable} and ${signingKeys.id} < (
        select max(id) from ${signingKeys}
        where ${signingKeys.use} = 'expiring' and ${signingKeys.createdAt} <= ${before(STILL_VERIFIES)} and ${readable}
      )
    )`,
  );
}

/** Hashes of the keys, by which the site is known to be the one of an archive, whatever encrypts them. */
export async function fingerprintsOfKeys(ctx: Context) {
  const rows = await ctx.db.select().from(signingKeys);
  return Promise.all(
    rows.map(async ({ kid, secret }) => sha256((await unseal(ctx, PURPOSE, secret)) ?? kid)),
  );
}
