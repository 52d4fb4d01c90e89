import { accountLink, type User } from "#worker/accounts/links.ts";
import type { Context } from "#worker/platform/context.ts";
import { mailRow } from "#worker/mail/message.ts";
import { readSender } from "#worker/settings/queries.ts";

/** The emails that accounts send. Each returns the outbox row for the batch of the write that it follows from. */

type Person = Pick<User, "id" | "email" | "fullName" | "stamp" | "pendingEmail">;

/** To whoever set the admin area up. */
export async function setupEmail(ctx: Context, user: Person) {
  const { siteName, sender } = await readSender(ctx);
  return mailRow(ctx, {
    ...sender,
    to: user.email,
    subject: `Confirm your e-mail address for ${siteName}`,
    parts: [
      `Somebody set up the admin area of ${siteName} for this address, under the name ${user.fullName}.`,
      "If it was you, confirm the address. The link works once, for 24 hours.",
      { label: "Confirm e-mail address", href: await accountLink(ctx, "verify-user", user) },
      "If it was not you, do not use the link: it would let in whoever chose the password.",
    ],
    isKey: true,
  });
}

/** To somebody who was added with a password. */
export async function welcomeEmail(ctx: Context, user: Person) {
  const { siteName, sender } = await readSender(ctx);
  return mailRow(ctx, {
    ...sender,
    to: user.email,
    subject: `Confirm your e-mail address for ${siteName}`,
    parts: [
      `Hello ${user.fullName}. You were added to the people who look after ${siteName}.`,
      "Confirm this address, then sign in with the password that you were given. The link works once, for 24 hours.",
      { label: "Confirm e-mail address", href: await accountLink(ctx, "verify-user", user) },
      "If you do not know what this is about, do not use the link.",
    ],
    isKey: true,
  });
}

export async function invitationEmail(ctx: Context, user: Person) {
  const { siteName, sender } = await readSender(ctx);
  return mailRow(ctx, {
    ...sender,
    to: user.email,
    subject: `You are invited to ${siteName}`,
    parts: [
      `Hello ${user.fullName}. You are invited to the admin area of ${siteName}.`,
      "Choose a password to begin. The link works once, for 24 hours; after that whoever invited you can send another.",
      { label: "Choose a password", href: await accountLink(ctx, "invite", user) },
      "If you do not know what this is about, you need do nothing.",
    ],
    isKey: true,
  });
}

export async function resetEmail(ctx: Context, user: Person) {
  const { siteName, sender } = await readSender(ctx);
  return mailRow(ctx, {
    ...sender,
    to: user.email,
    subject: `Reset your password for ${siteName}`,
    parts: [
      `Somebody asked for a new password for this address at ${siteName}.`,
      "If it was you, choose one. The link works once, for 1 hour.",
      { label: "Reset password", href: await accountLink(ctx, "reset-password", user) },
      "If it was not you, you need do nothing: your password stays as it is.",
    ],
    isKey: true,
  });
}

/** To an address that is to take the place of another. */
export async function newAddressEmail(ctx: Context, user: Person & { pendingEmail: string }) {
  const { siteName, sender } = await readSender(ctx);
  return mailRow(ctx, {
    ...sender,
    to: user.pendingEmail,
    subject: `Confirm your new e-mail address for ${siteName}`,
    parts: [
      `This address is to take the place of another for signing in to ${siteName}, under the name ${user.fullName}.`,
      "Confirm it, and sign in with it from then on. The link works once, for 24 hours.",
      { label: "Confirm e-mail address", href: await accountLink(ctx, "change-address", user) },
      "If you do not know what this is about, do not use the link.",
    ],
    isKey: true,
  });
}

/** To an address that is to take the place of another, though a user has it. */
export async function takenAddressEmail(ctx: Context, user: Person & { pendingEmail: string }) {
  const { siteName, sender } = await readSender(ctx);
  // Made and not sent: without it the answer would come sooner, and tell that the address is taken.
  await accountLink(ctx, "change-address", user);
  return mailRow(ctx, {
    ...sender,
    to: user.pendingEmail,
    subject: `Somebody wants to sign in to ${siteName} with your address`,
    parts: [
      `This address is to take the place of another for signing in to ${siteName}, under the name ${user.fullName}.`,
      "It belongs to an account already, so nothing changes. If it was you, sign in with that one.",
      { label: "Sign in", href: `${ctx.config.siteUrl}/admin/login` },
    ],
  });
}

/** To the address that is to be replaced, so that nobody is moved away unnoticed. */
export async function addressLeavingEmail(ctx: Context, user: Person & { pendingEmail: string }) {
  const { siteName, sender } = await readSender(ctx);
  return mailRow(ctx, {
    ...sender,
    to: user.email,
    subject: `Your e-mail address for ${siteName} is to change`,
    parts: [
      `You sign in to ${siteName} with this address. It is to be replaced by ${user.pendingEmail} once that is confirmed.`,
      "If you did not ask for this, tell whoever looks after the site, and change your password.",
      { label: "Sign in", href: `${ctx.config.siteUrl}/admin/login` },
    ],
  });
}

export async function passwordChangedEmail(ctx: Context, user: Person) {
  const { siteName, sender } = await readSender(ctx);
  return mailRow(ctx, {
    ...sender,
    to: user.email,
    subject: `Your password for ${siteName} was changed`,
    parts: [
      `The password of this address at ${siteName} was changed, and every other device was signed out.`,
      "If it was not you, choose a new one at once.",
      { label: "Reset password", href: `${ctx.config.siteUrl}/admin/login?reset` },
    ],
  });
}
