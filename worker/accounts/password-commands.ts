import { eq } from "drizzle-orm";
import { welcome } from "#worker/accounts/attempts.ts";
import type { ChosenPassword, LinkFault, PasswordLink } from "#worker/accounts/contract.ts";
import { eventRow, refusingUnless } from "#worker/accounts/events.ts";
import { passwordChangedLetter } from "#worker/accounts/letters.ts";
import { brokenChoice, isUnchanged, readAccountLink, type ChoicePurpose } from "#worker/accounts/links.ts";
import { hashPassword, refuseCommonPassword } from "#worker/accounts/passwords.ts";
import { endSessions } from "#worker/accounts/sessions.ts";
import { users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { wake } from "#worker/platform/outbox.ts";
import { randomToken } from "#worker/platform/random.ts";

/** What the page of a reset shows before its button is pressed. */
export const readReset = (ctx: Context, token: string) => readPasswordLink(ctx, "reset-password", token);

/** The same for an invitation. */
export const readInvitation = (ctx: Context, token: string) => readPasswordLink(ctx, "invite", token);

async function readPasswordLink(ctx: Context, purpose: ChoicePurpose, token: string): Promise<PasswordLink> {
  const link = await readAccountLink(ctx, [purpose], token);
  if (!link.ok) return brokenChoice(purpose, link.fault);
  const { email, fullName } = link.user;
  return { state: "ready", email, fullName };
}

/** Sets the password that somebody chose who had forgotten it, and signs the account out everywhere. */
export async function resetPassword(ctx: Context, input: ChosenPassword) {
  const { user, change } = await choosePassword(ctx, "reset-password", input);
  const mail = await passwordChangedLetter(ctx, user);
  await refusingUnless(
    () => refusalOf("reset-password", "used"),
    () =>
      ctx.db.batch([
        eventRow(ctx, { kind: "password_reset", email: user.email }, isUnchanged(user)),
        change,
        endSessions(ctx, user.id),
        mail.statement,
      ]),
  );
  wake(ctx, mail.id);
  await welcome(ctx, { email: user.email, address: ctx.client.address });
  return { email: user.email };
}

/** Sets the first password of somebody who was invited; that the link arrived confirms the address. */
export async function acceptInvitation(ctx: Context, input: ChosenPassword) {
  const { user, change } = await choosePassword(ctx, "invite", input);
  await refusingUnless(
    () => refusalOf("invite", "used"),
    () =>
      ctx.db.batch([
        eventRow(ctx, { kind: "invitation_accepted", email: user.email }, isUnchanged(user)),
        change,
      ]),
  );
  await welcome(ctx, { email: user.email, address: ctx.client.address });
  return { email: user.email };
}

/** The new stamp makes the link, and every other one for the account, work no second time. */
async function choosePassword(ctx: Context, purpose: ChoicePurpose, { token, password }: ChosenPassword) {
  const link = await readAccountLink(ctx, [purpose], token);
  if (!link.ok) throw refusalOf(purpose, link.fault);
  const { user } = link;
  refuseCommonPassword(password, user);
  const passwordHash = await hashPassword(password);
  const change = ctx.db
    .update(users)
    .set({ passwordHash, emailVerified: true, pendingEmail: null, stamp: randomToken(), updatedAt: ctx.now })
    .where(eq(users.id, user.id));
  return { user, change };
}

const refusalOf = (purpose: ChoicePurpose, fault: LinkFault) =>
  new AppError("invalid", brokenChoice(purpose, fault).message, { field: "token" });
