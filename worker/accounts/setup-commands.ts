import { and, eq } from "drizzle-orm";
import {
  EMAIL_TAKEN,
  INVALID_LINK,
  WRONG_SETUP_PASSWORD,
  type SetupInput,
  type SetupState,
  type VerificationConfirm,
  type VerificationLink,
} from "#worker/accounts/contract.ts";
import { countAttempt, forgive } from "#worker/accounts/attempts.ts";
import { eventRow, refusingUnless, type NewEvent } from "#worker/accounts/events.ts";
import { setupLetter } from "#worker/accounts/letters.ts";
import { brokenVerification, isUnchanged, readAccountLink, type User } from "#worker/accounts/links.ts";
import { hashPassword, passwordMatches, refuseCommonPassword } from "#worker/accounts/passwords.ts";
import { limitMails } from "#worker/accounts/requests.ts";
import { users } from "#worker/accounts/table.ts";
import { isSetUp } from "#worker/accounts/waiting.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { placeOfMails } from "#worker/mail/transports.ts";
import { wake } from "#worker/platform/outbox.ts";
import { refusingTaken } from "#worker/platform/publishing.ts";
import { randomToken } from "#worker/platform/random.ts";

/** What wrangler.toml says until an owner changes it. */
const DEMO_ADDRESS = "owner@example.com";

/** Whom a verification mail is about, and what its link changes. */
type Pending = Pick<User, "id" | "email" | "fullName" | "stamp" | "pendingEmail">;

export async function readSetupState(ctx: Context): Promise<SetupState> {
  const { adminEmail } = ctx.config;
  if (await isSetUp(ctx)) return { state: "done" };
  return {
    state: (await findPending(ctx, adminEmail)) ? "pending" : "open",
    email: adminEmail,
    isDemoAddress: adminEmail === DEMO_ADDRESS,
    mailPlace: placeOfMails(ctx),
  };
}

/**
 * Creates the first admin, inactive until the mail's link is used. Until then it may be done again: name and password
 * are replaced, and links of earlier mails end with the stamp.
 */
export async function setUpAdmin(ctx: Context, { email, fullName, password }: SetupInput) {
  if (await isSetUp(ctx)) throw new AppError("conflict", "The admin area is already set up. Please sign in.");
  if (email !== ctx.config.adminEmail) {
    throw new AppError("forbidden", "This address cannot set up the admin area.", { field: "email" });
  }
  refuseCommonPassword(password, { email });
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
  const mail = await setupLetter(ctx, pending);
  await ctx.db.batch([
    writePending(ctx, pending, passwordHash),
    eventRow(ctx, { kind: "setup_started", email }),
    mail.statement,
  ]);
  wake(ctx, mail.id);
}

/** What the page shows before its button is pressed. */
export async function readVerification(ctx: Context, token: string): Promise<VerificationLink> {
  const link = await readAccountLink(ctx, VERIFYING, token);
  if (!link.ok) return brokenVerification(link.fault);
  const { email, fullName, pendingEmail } = link.user;
  if (link.purpose === "change-address") {
    return { state: "ready", kind: "address", email: pendingEmail ?? email, fullName };
  }
  return { state: "ready", kind: (await isSetUp(ctx)) ? "user" : "setup", email, fullName };
}

/** Does what the link says, once: the new stamp ends it and every other one for the account. */
export async function confirmVerification(ctx: Context, { token, password = "" }: VerificationConfirm) {
  const link = await readAccountLink(ctx, VERIFYING, token);
  if (!link.ok) throw new AppError("invalid", brokenVerification(link.fault).message, { field: "token" });
  const { purpose, user } = link;
  if (purpose === "change-address") return takeNewAddress(ctx, user);
  if (!(await isSetUp(ctx))) await requireSetupPassword(ctx, user, password);
  return confirmAddress(ctx, user);
}

/**
 * Before there is an admin, anybody may send the set-up form for the owner's address: the owner's mailbox must not let in
 * a stranger whose password came last.
 */
async function requireSetupPassword(ctx: Context, { email, passwordHash }: User, password: string) {
  const attempt = await countAttempt(ctx, { email, address: ctx.client.address });
  if (!(await passwordMatches(password, passwordHash))) {
    throw new AppError("invalid", WRONG_SETUP_PASSWORD, { field: "password" });
  }
  await forgive(ctx, attempt);
}

const VERIFYING: ("verify-user" | "change-address")[] = ["verify-user", "change-address"];

/** Who set the area up becomes active with it; whom others added may have been disabled since, and stays so. */
async function confirmAddress(ctx: Context, user: User) {
  const isActive = user.isActive || !(await isSetUp(ctx));
  await confirm(
    ctx,
    user,
    { emailVerified: true, isActive },
    { kind: "address_confirmed", email: user.email },
  );
  return { email: user.email };
}

async function takeNewAddress(ctx: Context, user: User) {
  const email = user.pendingEmail ?? user.email;
  const event = { kind: "address_changed", email, detail: `${user.email} → ${email}` } as const;
  await refusingTaken("users.email", EMAIL_TAKEN, () =>
    confirm(ctx, user, { email, pendingEmail: null }, event),
  );
  return { email };
}

const confirm = (ctx: Context, user: User, set: Partial<User>, event: NewEvent) =>
  refusingUnless(
    () => new AppError("invalid", INVALID_LINK, { field: "token" }),
    () =>
      ctx.db.batch([
        eventRow(ctx, event, isUnchanged(user)),
        ctx.db
          .update(users)
          .set({ ...set, stamp: randomToken(), updatedAt: ctx.now })
          .where(eq(users.id, user.id)),
      ]),
  );

async function findPending({ db }: Context, email: string) {
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), eq(users.emailVerified, false)));
  return user;
}

function writePending({ db, now }: Context, { id, email, fullName, stamp }: Pending, passwordHash: string) {
  const row = { fullName, role: "super_admin", passwordHash, stamp, updatedAt: now } as const;
  return (
    db
      .insert(users)
      .values({ id, email, isActive: false, emailVerified: false, createdAt: now, ...row })
      // Verified in the meantime: the mail goes out with a link that no longer works, and nothing is replaced.
      .onConflictDoUpdate({ target: users.email, set: row, setWhere: eq(users.emailVerified, false) })
  );
}
