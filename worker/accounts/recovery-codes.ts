import { eq, sql } from "drizzle-orm";
import type { User } from "#worker/accounts/account-links.ts";
import { recoveryCodes } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { sha256 } from "#worker/platform/data/random.ts";

/** Codes on paper for a user whose phone is lost. Each works once. */

const CODES = 10;
/** Characters of a code, each with five random bits: 140. From 112 on, SHA-256 without a salt is enough (OWASP ASVS V6.5.2). */
const LENGTH = 28;
/** Crockford's base32: no letter is mistaken for another, or for a digit. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** New codes, and the statements that store their hashes and forget the earlier ones. */
export async function newRecoveryCodes({ db, now }: Context, { id: userId }: Pick<User, "id">) {
  const codes = Array.from({ length: CODES }, newCode);
  const hashes = await Promise.all(codes.map(hashOf));
  const statements = [
    deleteRecoveryCodesOf({ db }, userId),
    db.insert(recoveryCodes).values(hashes.map((hash) => ({ hash, userId, createdAt: now }))),
  ] as const;
  return { codes: codes.map(inGroups), statements };
}

/** The statement that deletes all of a user's recovery codes. */
export const deleteRecoveryCodesOf = ({ db }: Pick<Context, "db">, userId: string) =>
  db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));

/** How a typed code is used: the condition under which it is the user's and unused, and the statement that uses it up. */
export async function useOfRecoveryCode({ db }: Context, { id }: Pick<User, "id">, typed: string) {
  const hash = await hashOf(normalised(typed));
  const isUnused = sql`exists (select 1 from ${recoveryCodes} where ${recoveryCodes.hash} = ${hash}
    and ${recoveryCodes.userId} = ${id})`;
  return { isUnused, use: db.delete(recoveryCodes).where(eq(recoveryCodes.hash, hash)) };
}

function newCode() {
  const bytes = crypto.getRandomValues(new Uint8Array(LENGTH));
  return Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** Easier to type from paper: `0f3k9xq-z4m2bdh-…`. */
const inGroups = (code: string) => code.match(/.{7}/g)!.join("-");

/** As Crockford's base32 reads what was typed. */
const normalised = (typed: string) =>
  typed.toLowerCase().replaceAll(/[\s-]/g, "").replaceAll("o", "0").replaceAll(/[il]/g, "1");

const hashOf = (code: string) => sha256(code);
