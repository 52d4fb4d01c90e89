import { eq, or, sql } from "drizzle-orm";
import { eventRow } from "#worker/accounts/events.ts";
import { resetLetter } from "#worker/accounts/letters.ts";
import type { User } from "#worker/accounts/links.ts";
import { users } from "#worker/accounts/table.ts";
import { confirmationFor, isSetUp } from "#worker/accounts/waiting.ts";
import type { Client, Context } from "#worker/platform/context.ts";
import { outboxRow, wake, type Deliver } from "#worker/platform/outbox.ts";
import { countInWindow } from "#worker/platform/rate.ts";

/** To one mailbox. Ten may one requester ask for; whoever lets others ask for all of them sends the owner as many links. */
const MAILS_AN_HOUR = 30;

export const ACCOUNT_TOPIC = "account-request";
type Request = { kind: "reset" | "verification"; email: string; client: Client };

/** Asks for the mail whose link resets the password. */
export const requestReset = (ctx: Context, { email }: { email: string }) => ask(ctx, "reset", email);

/** Asks once more for the mail whose link confirms the address. */
export const requestVerification = (ctx: Context, { email }: { email: string }) =>
  ask(ctx, "verification", email);

/**
 * Keeps the wish, and nothing else: whether there is such an account is looked up when the answer is long gone, so that
 * neither its words nor its time can tell.
 */
async function ask(ctx: Context, kind: Request["kind"], email: string) {
  await limitMails(ctx, email);
  const request: Request = { kind, email, client: ctx.client };
  const { id, statement } = outboxRow(ctx, ACCOUNT_TOPIC, request);
  await statement;
  wake(ctx, id);
}

/** Whoever asks, and wherever from: nobody's mailbox is to be flooded. */
export const limitMails = (ctx: Context, email: string) =>
  countInWindow(ctx, `account-mail:${email}`, { most: MAILS_AN_HOUR });

/** The same for mails that somebody who is signed in has sent; strangers' wishes do not use them up, nor do they tell. */
export const limitUserMails = (ctx: Context, email: string) =>
  countInWindow(ctx, `user-mail:${email}`, { most: MAILS_AN_HOUR });

/** Sends what was asked for, where there is somebody to send it to. */
export const answerAccountRequest: Deliver = async (ctx, payload) => {
  const { kind, email, client } = payload as Request;
  const [user] = await ctx.db
    .select()
    .from(users)
    .where(
      kind === "reset" ? eq(users.email, email) : or(eq(users.email, email), eq(users.pendingEmail, email)),
    );
  if (!user) return;
  if (!user.emailVerified || user.pendingEmail === email) return sendConfirmation(ctx, user);
  if (kind === "reset" && user.isActive) await sendReset({ ...ctx, client }, user);
};

async function sendConfirmation(ctx: Context, user: User) {
  if (!user.isActive && (await isSetUp(ctx))) return;
  const mail = await confirmationFor(ctx, user);
  await mail.statement;
  wake(ctx, mail.id);
}

async function sendReset(ctx: Context, user: User) {
  const mail = await resetLetter(ctx, user);
  await ctx.db.batch([
    mail.statement,
    ctx.db
      .update(users)
      .set({ passwordResetAttempts: sql`${users.passwordResetAttempts} + 1`, updatedAt: ctx.now })
      .where(eq(users.id, user.id)),
    eventRow(ctx, { kind: "reset_requested", email: user.email }),
  ]);
  wake(ctx, mail.id);
}
