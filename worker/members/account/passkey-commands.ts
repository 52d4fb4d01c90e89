import { and, eq, sql } from "drizzle-orm";
import { clearCount, countAttempt, recordFailure } from "#worker/accounts/attempts.ts";
import { deviceOf } from "#worker/accounts/queries.ts";
import { requireAccounts } from "#worker/members/account/queries.ts";
import {
  MEMBER_PASSKEY_OF_USER,
  MEMBER_PASSKEY_REFUSED,
  PASSKEYS_ADDED_TOO_OFTEN,
} from "#worker/members/contract.ts";
import { passkeyAddedMail, passkeyRemovedMail } from "#worker/members/passkey-mails.ts";
import { memberHandle } from "#worker/members/passkeys.ts";
import { openingOf, requireMember, requireRecentMember } from "#worker/members/sessions.ts";
import { memberPasskeys, memberSessions } from "#worker/members/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { insertIf } from "#worker/platform/data/insert-if.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { refusingTaken } from "#worker/platform/data/publishing.ts";
import { AppError } from "#worker/platform/errors.ts";
import { enforceLimits } from "#worker/platform/http/rate.ts";
import { logWarning } from "#worker/platform/log.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { readSender } from "#worker/settings/queries.ts";
import {
  additionOptions,
  checkSignIn,
  overtaken,
  readAddition,
  signInOptions,
  takeChallenge,
} from "#worker/webauthn/ceremonies.ts";
import { passkeyOf } from "#worker/webauthn/columns.ts";
import {
  MOST_PASSKEYS,
  NewPasskey,
  PasskeyChange,
  PasskeySignIn,
  type Passkey,
} from "#worker/webauthn/contract.ts";
import { holderIn } from "#worker/webauthn/user-handle.ts";
import { MEMBER_PASSKEY_UNKNOWN, PASSKEY_KNOWN } from "#worker/webauthn/words.ts";

/** Passkeys that a member adds: each is mailed about, and so is its removal. */
const ADDITIONS_AN_HOUR = 5;

const SIGN_IN = "member-passkey-sign-in";
const ADDITION = "member-passkey-addition";

/**
 * The options with which a browser offers its passkeys for this site. They name no member.
 * @throws `not_found` while members' accounts are switched off
 */
export async function startMemberPasskeySignIn(ctx: Context) {
  await requireAccounts(ctx);
  return signInOptions(ctx, SIGN_IN);
}

/**
 * Signs a member in by a passkey, and ends the session that this browser had before. Returns the token of the session.
 * @throws `not_found` while members' accounts are switched off, and for a passkey that is not stored here; `invalid` for a
 * challenge that has expired or was used, and for a passkey that is removed or used concurrently; `unauthenticated` for an invalid
 * answer, a counter that went back, and a passkey of the admin area; `too_many`
 */
export async function signInMemberByPasskey(ctx: Context, input: PasskeySignIn, replaced?: string) {
  await requireAccounts(ctx);
  const answer = parseInput(PasskeySignIn, input);
  const who = { kind: "member-passkey", email: answer.id, address: ctx.client.address } as const;
  const attempt = await countAttempt(ctx, who);
  const { challenge } = await takeChallenge(ctx, SIGN_IN, answer.clientDataJSON);
  const refuse = async (error: AppError) => {
    await recordFailure(ctx, attempt);
    return error;
  };
  const [passkey] = await ctx.db
    .select()
    .from(memberPasskeys)
    .where(eq(memberPasskeys.credentialId, answer.id));
  if (!passkey) throw await refuse(notStored(answer));
  const { id, memberId, counter } = passkey;
  const checked = checkSignIn(ctx, answer, passkey, { challenge, handle: memberHandle(memberId) });
  if ("fault" in checked) {
    if (checked.fault === "copied") logWarning(`members: the counter of the passkey ${id} went back`);
    throw await refuse(new AppError("unauthenticated", MEMBER_PASSKEY_REFUSED));
  }
  const isUnchanged = and(eq(memberPasskeys.id, id), eq(memberPasskeys.counter, counter))!;
  const provided = sql`exists (select 1 from ${memberPasskeys} where ${isUnchanged})`;
  const { token, statements } = await openingOf(ctx, memberId, { provided, replaced });
  const [, , , , [used]] = await ctx.db.batch([
    ...statements,
    clearCount(ctx, attempt),
    ctx.db
      .update(memberPasskeys)
      .set({ counter: checked.counter, lastUsedAt: ctx.now })
      .where(isUnchanged)
      .returning({ id: memberPasskeys.id }),
  ]);
  if (!used) throw overtaken();
  return token;
}

/** The browser forgets a passkey that is unknown: not a user's, which works in the admin area. */
const notStored = ({ userHandle }: PasskeySignIn) =>
  holderIn(userHandle) === "member"
    ? new AppError("not_found", MEMBER_PASSKEY_UNKNOWN)
    : new AppError("unauthenticated", MEMBER_PASSKEY_OF_USER);

/**
 * The options with which a browser makes a passkey for the member. Their challenge works in this session only, which has signed
 * in a short while ago.
 * @throws `unauthenticated`; `reauthentication_required`; `conflict` at the limit
 */
export async function startMemberPasskey(ctx: Context, token: string | undefined) {
  const { id, email, sessionId } = await requireRecentMember(ctx, token);
  const own = await ctx.db
    .select({ credentialId: memberPasskeys.credentialId, transports: memberPasskeys.transports })
    .from(memberPasskeys)
    .where(eq(memberPasskeys.memberId, id));
  if (own.length >= MOST_PASSKEYS) throw noRoom();
  const { siteName } = await readSender(ctx);
  const user = { id: memberHandle(id), name: email, displayName: email };
  return additionOptions(ctx, { ceremony: ADDITION, subject: sessionId, siteName, user, own });
}

/**
 * Stores the passkey that the browser has made, and mails a notice. The challenge is the proof of a recent sign-in.
 * @throws `unauthenticated`; `invalid`, also for a challenge that has expired, was used or is another session's; `conflict` for a
 * passkey that is stored, and at the limit; `too_many`
 */
export async function addMemberPasskey(
  ctx: Context,
  token: string | undefined,
  input: NewPasskey,
): Promise<Passkey> {
  const member = await requireMember(ctx, token);
  const { name, transports, ...answer } = parseInput(NewPasskey, input);
  const credential = await readAddition(ctx, answer, { ceremony: ADDITION, subject: member.sessionId });
  const passkey: typeof memberPasskeys.$inferSelect = {
    id: crypto.randomUUID(),
    memberId: member.id,
    ...credential,
    transports,
    name: name || deviceOf(ctx.client.userAgent),
    createdAt: ctx.now,
    lastUsedAt: null,
  };
  const limit = { subject: `member-passkeys:${member.id}`, most: ADDITIONS_AN_HOUR };
  await enforceLimits(ctx, [limit], PASSKEYS_ADDED_TOO_OFTEN);
  const isOpen = sql`exists (select 1 from ${memberSessions} where ${memberSessions.id} = ${member.sessionId})`;
  const hasRoom = sql`(select count(*) from ${memberPasskeys}
    where ${memberPasskeys.memberId} = ${member.id}) < ${MOST_PASSKEYS}`;
  const isAdded = sql`exists (select 1 from ${memberPasskeys} where ${memberPasskeys.id} = ${passkey.id})`;
  const mail = await passkeyAddedMail(ctx, member.email, passkey, isAdded);
  const [[added], , [session]] = await refusingTaken("member_passkeys.credential_id", PASSKEY_KNOWN, () =>
    ctx.db.batch([
      insertIf(ctx, memberPasskeys, passkey, sql`${isOpen} and ${hasRoom}`).returning({
        id: memberPasskeys.id,
      }),
      mail.statement,
      ctx.db
        .select({ id: memberSessions.id })
        .from(memberSessions)
        .where(eq(memberSessions.id, member.sessionId)),
    ]),
  );
  if (!added) throw session ? noRoom() : new AppError("unauthenticated", "Please sign in.");
  enqueue(ctx, mail.id);
  return passkeyOf(passkey);
}

const noRoom = () =>
  new AppError("conflict", `You already have ${MOST_PASSKEYS} passkeys. Remove one to make room.`);

/** @throws `unauthenticated`; `invalid`; `not_found` */
export async function renameMemberPasskey(
  ctx: Context,
  token: string | undefined,
  id: string,
  input: PasskeyChange,
): Promise<Passkey> {
  const member = await requireMember(ctx, token);
  const { name } = parseInput(PasskeyChange, input);
  const [renamed] = await ctx.db
    .update(memberPasskeys)
    .set({ name })
    .where(and(eq(memberPasskeys.id, id), eq(memberPasskeys.memberId, member.id)))
    .returning();
  if (!renamed) throw noSuchPasskey();
  return passkeyOf(renamed);
}

/**
 * Sessions that it has opened stay open. Mails a notice: not limited, since there is one for each addition at most, and a
 * stranger's key can always be removed.
 * @throws `unauthenticated`, `reauthentication_required`; `not_found`
 */
export async function deleteMemberPasskey(ctx: Context, token: string | undefined, id: string) {
  const member = await requireRecentMember(ctx, token);
  const own = and(eq(memberPasskeys.id, id), eq(memberPasskeys.memberId, member.id))!;
  const [passkey] = await ctx.db.select().from(memberPasskeys).where(own);
  if (!passkey) throw noSuchPasskey();
  const isThere = sql`exists (select 1 from ${memberPasskeys} where ${own})`;
  const mail = await passkeyRemovedMail(ctx, member.email, passkey, isThere);
  const [, [removed]] = await ctx.db.batch([
    mail.statement,
    ctx.db.delete(memberPasskeys).where(own).returning({ id: memberPasskeys.id }),
  ]);
  if (!removed) throw noSuchPasskey();
  enqueue(ctx, mail.id);
}

const noSuchPasskey = () => new AppError("not_found", "This passkey is already removed.");
