import { and, eq, inArray } from "drizzle-orm";
import {
  EXPIRED_LINK,
  INVALID_LINK,
  type SetupInput,
  type SetupState,
  type VerificationLink,
} from "#worker/accounts/contract.ts";
import { hashPassword } from "#worker/accounts/passwords.ts";
import { users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { mailRow } from "#worker/platform/mail.ts";
import { wake } from "#worker/platform/outbox.ts";
import { randomToken } from "#worker/platform/random.ts";
import { countInWindow } from "#worker/platform/rate.ts";
import { readLink, signLink } from "#worker/platform/signed.ts";
import { readSite } from "#worker/settings/settings.ts";

const LINK_LASTS = 24 * 3600;
/** To one mailbox. More than one requester may ask for (twenty), so that a stranger alone cannot keep the owner out. */
const MAILS_AN_HOUR = 30;
/** What wrangler.toml says until an owner changes it. */
const DEMO_ADDRESS = "owner@example.com";

/** Whom a verification mail is about, and what its link changes. */
type Pending = { id: string; email: string; fullName: string; stamp: string };

export async function readSetupState(ctx: Context): Promise<SetupState> {
  const { adminEmail, mailTransport } = ctx.config;
  if (await isSetUp(ctx)) return { state: "done" };
  return {
    state: (await findPending(ctx, adminEmail)) ? "pending" : "open",
    email: adminEmail,
    isDemoAddress: adminEmail === DEMO_ADDRESS,
    mailsStayHere: mailTransport === "outbox",
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
  await limitMails(ctx, email);
  const earlier = await findPending(ctx, email);
  const pending = { id: earlier?.id ?? crypto.randomUUID(), email, fullName, stamp: randomToken() };
  const passwordHash = await hashPassword(password);
  const mail = await verificationMail(ctx, pending);
  await ctx.db.batch([writePending(ctx, pending, passwordHash), mail.statement]);
  wake(ctx, mail.id);
}

/** Sends the link again where somebody waits for it; the answer never tells whether. */
export async function requestVerification(ctx: Context, { email }: { email: string }) {
  await limitMails(ctx, email);
  const pending = await findPending(ctx, email);
  if (!pending) return;
  const mail = await verificationMail(ctx, pending);
  await mail.statement;
  wake(ctx, mail.id);
}

/** What the page shows before the button is pressed. Reading changes nothing: mail scanners open every link. */
export async function readVerification(ctx: Context, token: string): Promise<VerificationLink> {
  const link = await readLink(ctx, "verify-admin", token);
  if (!link.ok) return failed(link.reason);
  const [user] = await ctx.db.select().from(users).where(unverified(link));
  return user ? { state: "ready", email: user.email, fullName: user.fullName } : failed("invalid");
}

/** Activates the account. The new stamp makes the link, and every other one for it, work no second time. */
export async function confirmVerification(ctx: Context, { token }: { token: string }) {
  const link = await readLink(ctx, "verify-admin", token);
  if (!link.ok) throw new AppError("invalid", failed(link.reason).message, { field: "token" });
  const [user] = await ctx.db
    .update(users)
    .set({ emailVerified: true, isActive: true, stamp: randomToken(), updatedAt: ctx.now })
    .where(unverified(link))
    .returning({ email: users.email });
  if (!user) throw new AppError("invalid", INVALID_LINK, { field: "token" });
  return user;
}

async function isSetUp({ db }: Context) {
  const [admin] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.emailVerified, true), inArray(users.role, ["super_admin", "admin"])))
    .limit(1);
  return admin !== undefined;
}

async function findPending({ db }: Context, email: string): Promise<Pending | undefined> {
  const [user] = await db
    .select({ id: users.id, email: users.email, fullName: users.fullName, stamp: users.stamp })
    .from(users)
    .where(and(eq(users.email, email), eq(users.emailVerified, false)));
  return user;
}

/** Whoever asks, and wherever from: nobody's mailbox is to be flooded. */
const limitMails = (ctx: Context, email: string) =>
  countInWindow(ctx, `verification-mail:${email}`, { most: MAILS_AN_HOUR });

const unverified = ({ subject, stamp }: { subject: string; stamp: string }) =>
  and(eq(users.id, subject), eq(users.stamp, stamp), eq(users.emailVerified, false));

const failed = (state: "expired" | "invalid") => ({
  state,
  message: state === "expired" ? EXPIRED_LINK : INVALID_LINK,
});

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

async function verificationMail(ctx: Context, { id, email, fullName, stamp }: Pending) {
  const token = await signLink(ctx, { purpose: "verify-admin", subject: id, stamp }, LINK_LASTS);
  const { name } = await readSite(ctx);
  return mailRow(ctx, {
    to: email,
    subject: `Confirm your e-mail address for ${name}`,
    parts: [
      `Somebody set up the admin area of ${name} for this address, under the name ${fullName}.`,
      "If it was you, confirm the address. The link works once, for 24 hours.",
      { label: "Confirm e-mail address", href: `${ctx.config.siteUrl}/admin/verify-email?token=${token}` },
      "If it was not you, do not use the link: it would let in whoever chose the password.",
    ],
  });
}
