import { desc, eq, or, sql } from "drizzle-orm";
import { eventRow } from "#worker/accounts/audit-log.ts";
import { ResetRequest, VerificationRequest } from "#worker/accounts/contract.ts";
import { resetEmail } from "#worker/accounts/emails.ts";
import type { User } from "#worker/accounts/account-links.ts";
import { confirmationEmail, isSetUp } from "#worker/accounts/pending.ts";
import { users } from "#worker/accounts/table.ts";
import { causedMailId } from "#worker/mail/message.ts";
import type { Client, Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { outboxRow, enqueue, readOutboxRow, type Deliver } from "#worker/platform/work/outbox.ts";
import { enforceLimits, perAddress } from "#worker/platform/http/rate.ts";

/** To one mailbox. */
const MAILS_AN_HOUR = 30;
/** From one IP address; fewer than per mailbox, so that one stranger cannot use up the owner's limit. */
const REQUESTS_AN_HOUR = 10;
/** Caused by one signed-in user, so that a stolen session cannot send spam. */
const USER_MAILS_AN_HOUR = 100;

/** By one user, of their own account and passkeys, each of which is an entry of the security log. */
const RENAMES_AN_HOUR = 20;

export const ACCOUNT_TOPIC = "account-request";
type Request = { kind: "reset" | "verification"; email: string; client: Client };

/** Asks for the email whose link resets the password. @throws `invalid`; `too_many` */
export const requestReset = async (ctx: Context, input: ResetRequest) =>
  writeRequest(ctx, "reset", parseInput(ResetRequest, input).email);

/** Asks once more for the email whose link confirms the address. @throws `invalid`; `too_many` */
export const requestVerification = async (ctx: Context, input: VerificationRequest) =>
  writeRequest(ctx, "verification", parseInput(VerificationRequest, input).email);

/**
 * Only stores the request. The account is looked up after the response, so that neither its words nor its timing reveal
 * whether an address is known.
 */
async function writeRequest(ctx: Context, kind: Request["kind"], email: string) {
  await limitMails(ctx, email);
  const request: Request = { kind, email, client: ctx.client };
  const { id, statement } = outboxRow(ctx, ACCOUNT_TOPIC, request);
  await statement;
  enqueue(ctx, id);
}

/** Limits emails per requesting IP address and per mailbox. @throws `too_many` */
export const limitMails = (ctx: Context, email: string) =>
  enforceLimits(ctx, [
    ...perAddress(ctx, "account-mail", REQUESTS_AN_HOUR),
    { subject: `account-mail:mailbox:${email}`, most: MAILS_AN_HOUR },
  ]);

/** Limits the emails that a signed-in user causes, separately from strangers' requests. @throws `too_many` */
export async function limitUserMails(ctx: Context, mails: { to: string }[]) {
  if (mails.length === 0) return;
  const mailboxes = Map.groupBy(mails, ({ to }) => to);
  const { actor } = ctx;
  await enforceLimits(ctx, [
    ...[...mailboxes].map(([to, { length }]) => ({
      subject: `user-mail:mailbox:${to}`,
      most: MAILS_AN_HOUR,
      amount: length,
    })),
    ...(actor.kind === "user"
      ? [{ subject: `user-mail:user:${actor.id}`, most: USER_MAILS_AN_HOUR, amount: mails.length }]
      : []),
  ]);
}

/** Limits new names that users choose for themselves or their passkeys. @throws `too_many` */
export const limitRenames = (ctx: Context, { id }: Pick<User, "id">) =>
  enforceLimits(ctx, [{ subject: `rename:user:${id}`, most: RENAMES_AN_HOUR }]);

/** Sends the requested email, if the account exists. */
export const deliverAccountRequest: Deliver = async (ctx, payload, { id: cause }) => {
  if (await readOutboxRow(ctx, causedMailId(cause))) return;
  const { kind, email, client } = payload as Request;
  const [user] = await ctx.db
    .select()
    .from(users)
    .where(
      kind === "reset" ? eq(users.email, email) : or(eq(users.email, email), eq(users.pendingEmail, email)),
    )
    // Other users may have a pending change to an address that is in use.
    .orderBy(desc(eq(users.email, email)));
  if (!user) return;
  if (!user.emailVerified || user.pendingEmail === email) return sendConfirmation(ctx, user, cause);
  if (kind === "reset" && user.isActive) await sendReset({ ...ctx, client }, user, cause);
};

async function sendConfirmation(ctx: Context, user: User, cause: string) {
  if (!user.isActive && (await isSetUp(ctx))) return;
  const mail = await confirmationEmail(ctx, user, cause);
  await mail.statement;
  enqueue(ctx, mail.id);
}

async function sendReset(ctx: Context, user: User, cause: string) {
  const mail = await resetEmail(ctx, user, cause);
  await ctx.db.batch([
    mail.statement,
    ctx.db
      .update(users)
      .set({ passwordResetAttempts: sql`${users.passwordResetAttempts} + 1`, updatedAt: ctx.now })
      .where(eq(users.id, user.id)),
    eventRow(ctx, { kind: "reset_requested", email: user.email }),
  ]);
  enqueue(ctx, mail.id);
}
