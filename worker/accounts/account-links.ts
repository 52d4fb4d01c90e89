import { eq, sql } from "drizzle-orm";
import {
  EXPIRED_LINK,
  INVALID_LINK,
  INVALID_RESET,
  INVITATION_FAULTS,
  USED_LINK,
  type BrokenLink,
  type LinkFault,
} from "#worker/accounts/contract.ts";
import { users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { sha256 } from "#worker/platform/data/random.ts";
import { readLink, signLink } from "#worker/platform/http/signed.ts";

export type User = typeof users.$inferSelect;

/** SQL: the account's stamp, role and pending address are unchanged since it was read. */
export const isUnchanged = ({ id, stamp, role, pendingEmail }: User) =>
  sql`exists (select 1 from ${users} where ${users.id} = ${id} and ${users.stamp} = ${stamp} and ${users.role} = ${role}
    and ${users.pendingEmail} is ${pendingEmail})`;

export type AccountPurpose = "verify-user" | "change-address" | "invite" | "reset-password" | "not-me";

/** The purposes of links that confirm an address. */
export const VERIFICATIONS: ("verify-user" | "change-address")[] = ["verify-user", "change-address"];

/** The purposes of links by which a user chooses a password. */
export type ChoicePurpose = Extract<AccountPurpose, "invite" | "reset-password">;

const HOUR = 3600;
/** Seconds that a link works. */
const LASTS: Record<AccountPurpose, number> = {
  "verify-user": 24 * HOUR,
  "change-address": 24 * HOUR,
  invite: 24 * HOUR,
  "reset-password": HOUR,
  "not-me": 7 * 24 * HOUR,
};

/** Milliseconds for which the link of a notice works. */
export const DENIAL_LASTS_MS = LASTS["not-me"] * 1000;

const PAGES: Record<AccountPurpose, string> = {
  "verify-user": "verify-email",
  "change-address": "verify-email",
  invite: "invitation",
  "reset-password": "reset-password",
  "not-me": "not-me",
};

type Subject = Pick<User, "id" | "stamp" | "pendingEmail">;

/** A single-use link to the page for this purpose. */
export async function accountLink(ctx: Context, purpose: AccountPurpose, user: Subject) {
  const claims = { purpose, subject: user.id, stamp: await stampFor(purpose, user) };
  const token = await signLink(ctx, claims, LASTS[purpose]);
  return `${ctx.config.siteUrl}/admin/${PAGES[purpose]}?token=${token}`;
}

type AccountLink<P extends AccountPurpose> =
  | { ok: true; purpose: P; user: User }
  | { ok: false; fault: LinkFault };

/** The user of a link. Reading changes nothing: mail scanners open every link. */
export async function readAccountLink<P extends AccountPurpose>(
  ctx: Context,
  purposes: P[],
  token: string,
): Promise<AccountLink<P>> {
  if (!token) return { ok: false, fault: "missing" };
  const link = await readLink(ctx, purposes, token);
  if (!link.ok) return { ok: false, fault: link.reason };
  const { purpose } = link;
  const [user] = await ctx.db.select().from(users).where(eq(users.id, link.subject));
  if (!user) return { ok: false, fault: "invalid" };
  if (link.stamp !== (await stampFor(purpose, user))) return { ok: false, fault: staleFault(purpose, user) };
  return mayUse[purpose](user) ? { ok: true, purpose, user } : { ok: false, fault: "invalid" };
}

/** A changed address is confirmed only by the link that was sent to it. */
const stampFor = async (purpose: AccountPurpose, { stamp, pendingEmail }: Subject) =>
  purpose === "change-address" ? sha256(`${stamp} ${pendingEmail}`) : stamp;

/** The state of the account in which a link may be used. */
const mayUse: Record<AccountPurpose, (user: User) => boolean> = {
  "verify-user": ({ emailVerified, passwordHash }) => !emailVerified && passwordHash !== null,
  "change-address": ({ pendingEmail }) => pendingEmail !== null,
  invite: ({ emailVerified, passwordHash, isActive }) => !emailVerified && passwordHash === null && isActive,
  "reset-password": ({ emailVerified, isActive }) => emailVerified && isActive,
  "not-me": ({ emailVerified, isActive }) => emailVerified && isActive,
};

/** After a repeated set-up or invitation the earlier link is replaced, not used. */
function staleFault(purpose: AccountPurpose, { emailVerified, pendingEmail }: User): LinkFault {
  if (purpose === "change-address") return pendingEmail === null ? "used" : "invalid";
  return purpose === "reset-password" || emailVerified ? "used" : "invalid";
}

const SETUP_PROOF = "setup-proof";
/** Seconds for which the browser that sent the set-up form need not type the password again. */
export const SETUP_PROOF_LASTS = HOUR;

/**
 * For a cookie of the browser that sent the set-up form, which therefore knows its password. The next form, or the
 * confirmation, changes the stamp and invalidates it.
 */
export const signSetupProof = (ctx: Context, { id, stamp }: Pick<User, "id" | "stamp">) =>
  signLink(ctx, { purpose: SETUP_PROOF, subject: id, stamp }, SETUP_PROOF_LASTS);

/** Whether this browser sent the set-up form that awaits confirmation. */
export async function provesSetup(ctx: Context, { id, stamp }: Pick<User, "id" | "stamp">, proof: string) {
  if (proof === "") return false;
  const read = await readLink(ctx, SETUP_PROOF, proof);
  return read.ok && read.subject === id && read.stamp === stamp;
}

export const brokenVerification = (state: LinkFault): BrokenLink => ({
  state,
  message: { missing: INVALID_LINK, invalid: INVALID_LINK, expired: EXPIRED_LINK, used: USED_LINK }[state],
});

/** The fault of a link by which a user chooses a password. */
export const brokenChoice = (purpose: ChoicePurpose, state: LinkFault): BrokenLink => ({
  state,
  message: purpose === "invite" ? INVITATION_FAULTS[state] : INVALID_RESET,
});
