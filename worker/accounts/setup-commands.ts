import { eq } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import {
  countAttempt,
  makeKnown,
  NOT_KNOWN,
  recordFailure,
  recordRecovery,
  recordSuccess,
} from "#worker/accounts/attempts.ts";
import { eventRow, throwUnless, type NewEvent } from "#worker/accounts/audit-log.ts";
import {
  EMAIL_TAKEN,
  INVALID_LINK,
  SetupInput,
  VerificationConfirm,
  WRONG_SETUP_PASSWORD,
} from "#worker/accounts/contract.ts";
import { addressChangedEmails, setupEmail } from "#worker/accounts/emails.ts";
import {
  brokenVerification,
  isUnchanged,
  provesSetup,
  readAccountLink,
  signSetupProof,
  VERIFICATIONS,
  type User,
} from "#worker/accounts/account-links.ts";
import { hashPassword, passwordMatches, rejectWeakPassword } from "#worker/accounts/passwords.ts";
import { findPending, isSetUp } from "#worker/accounts/pending.ts";
import { limitMails } from "#worker/accounts/request-commands.ts";
import { signInOf } from "#worker/accounts/session-commands.ts";
import { users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { refusingTaken } from "#worker/platform/data/publishing.ts";
import { randomToken } from "#worker/platform/data/random.ts";

/** The user of a verification email, with the columns that its link changes. */
type Pending = Pick<User, "id" | "email" | "fullName" | "stamp" | "pendingEmail">;

/**
 * Creates the first admin, inactive until the email's link is used. Until then it can be repeated: it replaces name and
 * password, and the new stamp invalidates earlier links. Returns the proof for the browser that sent the form.
 * @throws `invalid`; `conflict` once it is set up; `forbidden` for any address but ADMIN_EMAIL; `too_many` emails
 */
export async function setUpAdmin(ctx: Context, input: SetupInput) {
  const { email, fullName, password } = parseInput(SetupInput, input);
  if (await isSetUp(ctx)) throw new AppError("conflict", "The admin area is already set up. Please sign in.");
  if (email !== ctx.config.adminEmail) {
    throw new AppError("forbidden", "This address can’t set up the admin area.", { field: "email" });
  }
  await rejectWeakPassword(ctx, password, { email, fullName });
  await limitMails(ctx, email);
  const earlier = await findPending(ctx, email);
  const pending: Pending = {
    id: earlier?.id ?? crypto.randomUUID(),
    email,
    fullName,
    stamp: randomToken(),
    pendingEmail: null,
  };
  const passwordHash = await hashPassword(password);
  const mail = await setupEmail(ctx, pending);
  const proof = await signSetupProof(ctx, pending);
  await ctx.db.batch([
    writePending(ctx, pending, passwordHash),
    eventRow(ctx, { kind: "setup_started", email }),
    mail.statement,
  ]);
  enqueue(ctx, mail.id);
  return { proof };
}

/**
 * Confirms a verification link, once: the new stamp invalidates it and all others of the account. A set-up link also
 * opens a session, which ends the `replaced` one, and returns its token, if the browser proves that it sent the form, or
 * sends the form's password.
 * @throws `invalid` for a broken, expired or used link or a wrong password; `conflict` for an address that is taken;
 * `too_many` attempts
 */
export async function confirmVerification(
  ctx: Context,
  input: VerificationConfirm,
  { proof = "", replaced }: { proof?: string; replaced?: string } = {},
): Promise<{ id: string; email: string; session: string | null }> {
  const { token, password = "" } = parseInput(VerificationConfirm, input);
  const link = await readAccountLink(ctx, VERIFICATIONS, token);
  if (!link.ok) throw new AppError("invalid", brokenVerification(link.fault).message, { field: "token" });
  const { purpose, user } = link;
  const { id, email } = user;
  if (purpose === "change-address") return { id, email: await takeNewAddress(ctx, user), session: null };
  if (await isSetUp(ctx)) {
    await confirm(ctx, user, { emailVerified: true }, { kind: "address_confirmed", email });
    return { id, email, session: null };
  }
  if (!(await provesSetup(ctx, user, proof))) await requireSetupPassword(ctx, user, password);
  return { id, email, session: await finishSetup(ctx, user, replaced) };
}

/**
 * Before there is an admin, anyone may send the set-up form with the owner's address. Without the password, the owner
 * might confirm a stranger's later form.
 */
async function requireSetupPassword(ctx: Context, { email, passwordHash }: User, password: string) {
  // An empty password is not a guess, so it is not counted.
  if (password === "") throw new AppError("invalid", "Password is required", { field: "password" });
  const attempt = await countAttempt(ctx, { email, address: ctx.client.address });
  if (!(await passwordMatches(password, passwordHash))) {
    await recordFailure(ctx, attempt);
    throw new AppError("invalid", WRONG_SETUP_PASSWORD, { field: "password" });
  }
  await recordSuccess(ctx, attempt);
}

/** Activates the first admin and opens a session, whose token it returns. */
async function finishSetup(ctx: Context, user: User, replaced: string | undefined) {
  const { id, email } = user;
  const stamp = randomToken();
  const { token, statements } = await signInOf(ctx, { id, email, stamp }, { replaced });
  const who = { email, address: ctx.client.address };
  const recovery = await recordRecovery(ctx, who);
  await confirm(
    ctx,
    user,
    { emailVerified: true, isActive: true, stamp },
    { kind: "address_confirmed", email },
    [...statements, ...recovery],
  );
  await afterWrite(NOT_KNOWN, makeKnown(ctx, who));
  return token;
}

async function takeNewAddress(ctx: Context, user: User) {
  const email = user.pendingEmail ?? user.email;
  const event = { kind: "address_changed", email, detail: `${user.email} → ${email}` } as const;
  const stamp = randomToken();
  const mails = await addressChangedEmails(ctx, { id: user.id, email, stamp }, user.email);
  const statements = mails.map(({ statement }) => statement);
  await refusingTaken("users.email", EMAIL_TAKEN, () =>
    confirm(ctx, user, { email, pendingEmail: null, stamp }, event, statements),
  );
  enqueue(ctx, ...mails.map(({ id }) => id));
  return email;
}

const confirm = (
  ctx: Context,
  user: User,
  set: Partial<User>,
  event: NewEvent,
  also: BatchItem<"sqlite">[] = [],
) =>
  throwUnless(
    () => new AppError("invalid", INVALID_LINK, { field: "token" }),
    () =>
      ctx.db.batch([
        eventRow(ctx, event, isUnchanged(user)),
        ctx.db
          .update(users)
          .set({ stamp: randomToken(), ...set, updatedAt: ctx.now })
          .where(eq(users.id, user.id)),
        ...also,
      ]),
  );

function writePending({ db, now }: Context, { id, email, fullName, stamp }: Pending, passwordHash: string) {
  const row = { fullName, role: "super_admin", passwordHash, stamp, updatedAt: now } as const;
  return (
    db
      .insert(users)
      .values({ id, email, isActive: false, emailVerified: false, createdAt: now, ...row })
      // If the user was verified concurrently, nothing is replaced, and the mailed link does not work.
      .onConflictDoUpdate({ target: users.email, set: row, setWhere: eq(users.emailVerified, false) })
  );
}
