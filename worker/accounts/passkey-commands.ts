import { and, eq, sql } from "drizzle-orm";
import {
  PROOF_LASTS_FOR_PARTS,
  requireRecentProof,
  requireUser,
  type SignedIn,
} from "#worker/access/capabilities.ts";
import { makeKnown, NOT_KNOWN } from "#worker/accounts/attempts.ts";
import { eventRow, throwUnless } from "#worker/accounts/audit-log.ts";
import { PASSKEY_SESSION_ENDED } from "#worker/accounts/contract.ts";
import { passkeyAddedEmail, passkeyRemovedEmail } from "#worker/accounts/emails.ts";
import { provePasskey, userHandleOf } from "#worker/accounts/passkeys.ts";
import { deviceOf } from "#worker/accounts/queries.ts";
import { limitRenames, limitUserMails } from "#worker/accounts/request-commands.ts";
import { adminOf, isFirstSignIn, signInOf } from "#worker/accounts/session-commands.ts";
import { endSessionsWithoutFactor } from "#worker/accounts/second-factor.ts";
import { isStillOpen } from "#worker/accounts/sessions.ts";
import { passkeys } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { refusingTaken } from "#worker/platform/data/publishing.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { readSender } from "#worker/settings/queries.ts";
import { additionOptions, overtaken, readAddition, signInOptions } from "#worker/webauthn/ceremonies.ts";
import { passkeyOf } from "#worker/webauthn/columns.ts";
import {
  MOST_PASSKEYS,
  NewPasskey,
  PasskeyChange,
  PasskeySignIn,
  type Passkey,
} from "#worker/webauthn/contract.ts";
import { PASSKEY_KNOWN } from "#worker/webauthn/words.ts";

/** The options with which a browser offers its passkeys for this site. */
export const startPasskeySignIn = (ctx: Context) => signInOptions(ctx, "passkey-sign-in");

/**
 * Opens a session, and ends the `replaced` one.
 * @throws `invalid` for a challenge that has expired or was used; `not_found` for a passkey that is not stored here;
 * `unauthenticated` for an invalid answer, an inactive or unverified account, or a counter that went back; `too_many`
 */
export async function signInByPasskey(ctx: Context, input: PasskeySignIn, replaced?: string) {
  const { user, detail, proof, provided } = await provePasskey(ctx, parseInput(PasskeySignIn, input));
  const { token, statements } = await signInOf(ctx, user, { replaced, detail, provided, provedFactor: true });
  await throwUnless(overtaken, () => ctx.db.batch([...statements, ...proof]));
  await afterWrite(NOT_KNOWN, makeKnown(ctx, { email: user.email, address: ctx.client.address }));
  return { token, admin: adminOf(user), isFirst: isFirstSignIn(user) };
}

/**
 * The options with which a browser makes a passkey for the user. A stolen session must not add a key that outlives it.
 * @throws `unauthenticated`; `reauthentication_required`; `conflict` at the limit
 */
export async function startPasskey(ctx: Context) {
  const me = requireUser(ctx);
  requireRecentProof(ctx);
  const own = await ctx.db
    .select({ credentialId: passkeys.credentialId, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, me.id));
  if (own.length >= MOST_PASSKEYS) throw noRoom();
  const { siteName } = await readSender(ctx);
  const user = { id: userHandleOf(me), name: me.email, displayName: me.fullName };
  return additionOptions(ctx, { ceremony: ADDITION, subject: me.id, siteName, user, own });
}

const ADDITION = "passkey-addition";

/**
 * Stores the passkey that the browser has made, and mails a notice. The first second factor signs out all other devices.
 * @throws `unauthenticated`, also if the session ends while it runs; `reauthentication_required`; `invalid`, also for a challenge that has expired or was
 * used; `conflict` for a passkey that is stored, or at the limit; `too_many` emails
 */
export async function addPasskey(ctx: Context, input: NewPasskey): Promise<Passkey> {
  const me = requireUser(ctx);
  requireRecentProof(ctx, PROOF_LASTS_FOR_PARTS);
  const { name, transports, ...answer } = parseInput(NewPasskey, input);
  const credential = await readAddition(ctx, answer, { ceremony: ADDITION, subject: me.id });
  const passkey: typeof passkeys.$inferSelect = {
    id: crypto.randomUUID(),
    userId: me.id,
    ...credential,
    transports,
    name: name || deviceOf(ctx.client.userAgent),
    createdAt: ctx.now,
    lastUsedAt: null,
  };
  const mail = await passkeyAddedEmail(ctx, me, passkey.name);
  await limitUserMails(ctx, [mail]);
  const hasRoom = sql`(select count(*) from ${passkeys} where ${passkeys.userId} = ${me.id}) < ${MOST_PASSKEYS}`;
  const provided = sql`${hasRoom} and ${isStillOpen(me)}`;
  const event = { kind: "passkey_added", email: me.email, detail: passkey.name } as const;
  await refusingTaken("passkeys.credential_id", PASSKEY_KNOWN, () =>
    throwUnless(
      () => notAdded(ctx, me),
      () =>
        ctx.db.batch([
          eventRow(ctx, event, provided),
          ...endSessionsWithoutFactor(ctx, me),
          ctx.db.insert(passkeys).values(passkey),
          mail.statement,
        ]),
    ),
  );
  enqueue(ctx, mail.id);
  return passkeyOf(passkey);
}

async function notAdded({ db }: Context, me: SignedIn) {
  const { isOpen } = await db.get<{ isOpen: number }>(sql`select ${isStillOpen(me)} as isOpen`);
  return isOpen ? noRoom() : new AppError("unauthenticated", PASSKEY_SESSION_ENDED);
}

const noRoom = () =>
  new AppError("conflict", `You already have ${MOST_PASSKEYS} passkeys. Remove one to make room.`);

/** @throws `unauthenticated`; `invalid`; `not_found`; `too_many` */
export async function renamePasskey(ctx: Context, id: string, input: PasskeyChange): Promise<Passkey> {
  const me = requireUser(ctx);
  const { name } = parseInput(PasskeyChange, input);
  const own = and(eq(passkeys.id, id), eq(passkeys.userId, me.id));
  const [passkey] = await ctx.db.select().from(passkeys).where(own);
  if (!passkey) throw noSuchPasskey();
  if (passkey.name === name) return passkeyOf(passkey);
  await limitRenames(ctx, me);
  const isThere = sql`exists (select 1 from ${passkeys} where ${own})`;
  const detail = `${passkey.name} → ${name}`;
  const event = { kind: "passkey_renamed", email: me.email, detail } as const;
  await throwUnless(noSuchPasskey, () =>
    ctx.db.batch([eventRow(ctx, event, isThere), ctx.db.update(passkeys).set({ name }).where(own)]),
  );
  return passkeyOf({ ...passkey, name });
}

/** Its sessions stay open. Mails a notice. @throws `unauthenticated`, `reauthentication_required`; `not_found` */
export async function deletePasskey(ctx: Context, id: string) {
  const me = requireUser(ctx);
  requireRecentProof(ctx);
  const own = and(eq(passkeys.id, id), eq(passkeys.userId, me.id));
  const [passkey] = await ctx.db.select().from(passkeys).where(own);
  if (!passkey) throw noSuchPasskey();
  // Not limited, unlike those of additions: a stranger's key can always be removed.
  const mail = await passkeyRemovedEmail(ctx, me, passkey.name);
  const isThere = sql`exists (select 1 from ${passkeys} where ${own})`;
  const event = { kind: "passkey_removed", email: me.email, detail: passkey.name } as const;
  await throwUnless(noSuchPasskey, () =>
    ctx.db.batch([eventRow(ctx, event, isThere), ctx.db.delete(passkeys).where(own), mail.statement]),
  );
  enqueue(ctx, mail.id);
}

const noSuchPasskey = () => new AppError("not_found", "This passkey is already removed.");
