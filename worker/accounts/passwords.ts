import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from "node:crypto";
import { isCommonPassword } from "#worker/accounts/common-passwords.ts";
import { hasLeaked } from "#worker/accounts/leaked-passwords.ts";
import { COMMON_PASSWORD, LEAKED_PASSWORD } from "#worker/accounts/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { readSite } from "#worker/settings/queries.ts";

/**
 * The cost of new hashes: a tenth of a second, in which the isolate answers no one else. If raised, each password is rehashed
 * at its next login. N·r·p must stay ≤ 2^20.
 */
const COST = { N: 2 ** 15, r: 8, p: 1 };
/** Bytes. scrypt needs 128·N·r; the default limit is exactly that for today's N and leaves no room. */
const MAX_MEMORY = 256 * 1024 * 1024;
const KEY_BYTES = 32;

/** Compared for an unknown address, so that it takes as long as a wrong password. */
const NOBODY = write(COST, new Uint8Array(16), new Uint8Array(KEY_BYTES));

/**
 * Of a user who has this address, and this name if it is known: refuses a common password, one made of the names of the site
 * and the user, and one that has leaked, if the owner lets a service be asked.
 * @throws `invalid`
 */
export async function rejectWeakPassword(
  ctx: Context,
  password: string,
  { email, fullName = "" }: { email: string; fullName?: string },
) {
  const { name, passwords } = await readSite(ctx);
  const { hostname } = new URL(ctx.config.siteUrl);
  if (isCommonPassword(password, { email, names: [name, hostname, fullName] }))
    throw new AppError("invalid", COMMON_PASSWORD, { field: "password" });
  const { breachService } = passwords;
  if (breachService !== "" && (await hasLeaked(ctx, breachService, password)))
    throw new AppError("invalid", LEAKED_PASSWORD, { field: "password" });
}

/** `scrypt$N$r$p$salt$hash`, salt and hash in base64. */
export async function hashPassword(password: string, cost = COST) {
  const salt = randomBytes(16);
  return write(cost, salt, await derive(password, salt, cost));
}

/** Takes the same time with or without a stored hash, if that has the current cost. */
export async function passwordMatches(password: string, stored: string | null) {
  const { cost, salt, hash } = read(stored ?? NOBODY);
  const matches = timingSafeEqual(await derive(password, salt, cost), hash);
  return stored !== null && matches;
}

/** Whether the hash was made with other parameters than new ones are. */
export function needsRehash(stored: string) {
  const { cost } = read(stored);
  return cost.N !== COST.N || cost.r !== COST.r || cost.p !== COST.p;
}

function write({ N, r, p }: typeof COST, salt: Uint8Array, hash: Uint8Array) {
  return ["scrypt", N, r, p, salt.toBase64(), hash.toBase64()].join("$");
}

function read(stored: string) {
  const [algorithm, N, r, p, salt = "", hash = ""] = stored.split("$");
  if (algorithm !== "scrypt")
    throw new Error(`A password is stored with the unknown algorithm "${algorithm}".`);
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Uint8Array.fromBase64(salt),
    hash: Uint8Array.fromBase64(hash),
  };
}

/** NFKC, so that a password does not depend on how the keyboard composes characters. */
function derive(password: string, salt: Uint8Array, cost: ScryptOptions) {
  const options = { ...cost, maxmem: MAX_MEMORY };
  return new Promise<Uint8Array>((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
