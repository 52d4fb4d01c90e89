import { accountLink, type User } from "#worker/accounts/account-links.ts";
import type { Context } from "#worker/platform/context.ts";
import { mailRow, type NewMail } from "#worker/mail/message.ts";
import type { Role } from "#worker/access/contract.ts";
import { noticeRow } from "#worker/accounts/notices.ts";
import { readSender } from "#worker/settings/queries.ts";

/**
 * The emails that accounts send. Each returns the outbox row for the batch of the write that it follows from. `cause`: the
 * outbox row whose handler sends it (mailRow).
 */

/** From the site's sender. */
async function emailTo(
  ctx: Context,
  to: string,
  write: (siteName: string) => Words | Promise<Words>,
  cause?: string,
) {
  const { siteName, sender } = await readSender(ctx);
  return mailRow(ctx, { ...sender, to, ...(await write(siteName)) }, cause);
}

type Words = Pick<NewMail, "subject" | "parts" | "isKey">;

type Person = Pick<User, "id" | "email" | "fullName" | "stamp" | "pendingEmail">;

/** To the first admin, after the set-up form. */
export function setupEmail(ctx: Context, user: Person, cause?: string) {
  return emailTo(
    ctx,
    user.email,
    async (siteName) => ({
      subject: `Confirm your email address for ${siteName}`,
      parts: [
        `${user.fullName} set up the admin area of ${siteName} with this address.`,
        "If that was you, confirm the address. The link works once, for 24 hours.",
        { label: "Confirm email address", href: await accountLink(ctx, "verify-user", user) },
        "If it wasn’t you, don’t use the link: it would give that person access.",
      ],
      isKey: true,
    }),
    cause,
  );
}

/** To a user who was added with a password. */
export function welcomeEmail(ctx: Context, user: Person, cause?: string) {
  return emailTo(
    ctx,
    user.email,
    async (siteName) => ({
      subject: `Confirm your email address for ${siteName}`,
      parts: [
        `Hello ${user.fullName}. You’ve been added to the team of ${siteName}.`,
        "Confirm this address, then sign in with the password you were given. The link works once, for 24 hours.",
        { label: "Confirm email address", href: await accountLink(ctx, "verify-user", user) },
        "If you weren’t expecting this, don’t use the link.",
      ],
      isKey: true,
    }),
    cause,
  );
}

export function invitationEmail(ctx: Context, user: Person, cause?: string) {
  return emailTo(
    ctx,
    user.email,
    async (siteName) => ({
      subject: `You are invited to ${siteName}`,
      parts: [
        `Hello ${user.fullName}. You’ve been invited to the admin area of ${siteName}.`,
        "Choose a password to get started. The link works once, for 24 hours. After that, the person who invited you can send a new one.",
        { label: "Choose a password", href: await accountLink(ctx, "invite", user) },
        "If you weren’t expecting this, you can ignore it.",
      ],
      isKey: true,
    }),
    cause,
  );
}

export function resetEmail(ctx: Context, user: Person, cause?: string) {
  return emailTo(
    ctx,
    user.email,
    async (siteName) => ({
      subject: `Reset your password for ${siteName}`,
      parts: [
        `We got a request for a new password for this address at ${siteName}.`,
        "If that was you, choose one. The link works once, for 1 hour.",
        { label: "Reset password", href: await accountLink(ctx, "reset-password", user) },
        "If it wasn’t you, you can ignore this email. Your password won’t change.",
      ],
      isKey: true,
    }),
    cause,
  );
}

/** After “It was not me”, which removes the password. */
export const denialEmail = (ctx: Context, user: Person) =>
  emailTo(ctx, user.email, async (siteName) => ({
    subject: `Reset your password for ${siteName}`,
    parts: [
      `Your account at ${siteName} is signed out everywhere, and its password no longer works: the link “It was not me” of an earlier email was used.`,
      "Choose a new password. The link works once, for 1 hour; after that, “Forgot your password?” sends another one.",
      { label: "Reset password", href: await accountLink(ctx, "reset-password", user) },
    ],
    isKey: true,
  }));

/** To a new address that needs confirmation. */
export function newAddressEmail(ctx: Context, user: Person & { pendingEmail: string }, cause?: string) {
  return emailTo(
    ctx,
    user.pendingEmail,
    async (siteName) => ({
      subject: `Confirm your new email address for ${siteName}`,
      parts: [
        `${user.fullName} asked to sign in to ${siteName} with this address instead of another.`,
        "Confirm it to use it from now on. The link works once, for 24 hours.",
        { label: "Confirm email address", href: await accountLink(ctx, "change-address", user) },
        "If you weren’t expecting this, don’t use the link.",
      ],
      isKey: true,
    }),
    cause,
  );
}

/** To a requested new address that another user already has. */
export async function takenAddressEmail(ctx: Context, user: Person & { pendingEmail: string }) {
  // Created but not sent: otherwise a faster answer would reveal that the address is taken.
  await accountLink(ctx, "change-address", user);
  return emailTo(ctx, user.pendingEmail, (siteName) => ({
    subject: `Request to sign in to ${siteName} with your address`,
    parts: [
      `${user.fullName} asked to sign in to ${siteName} with this address instead of another.`,
      "It already belongs to an account, so nothing changes. If it was you, sign in with that account.",
      { label: "Sign in", href: `${ctx.config.siteUrl}/admin/login` },
    ],
  }));
}

/** To the current address, so that a change of address is never unnoticed. */
export function addressLeavingEmail(
  ctx: Context,
  user: Person & { pendingEmail: string },
  { isByAdmin = false } = {},
) {
  return noticeRow(ctx, user, (siteName) => ({
    subject: `Your email address for ${siteName} is changing`,
    parts: [
      `You sign in to ${siteName} with this address. Once ${user.pendingEmail} is confirmed, it replaces this one.`,
      ...(isByAdmin ? [PASSKEYS_REMOVED] : []),
      "If you didn’t ask for this, change your password and contact the site’s admin.",
      { label: "Sign in", href: `${ctx.config.siteUrl}/admin/login` },
    ],
  }));
}

export function passwordChangedEmail(ctx: Context, user: Recipient) {
  return noticeRow(ctx, user, (siteName) => ({
    subject: `Your password for ${siteName} was changed`,
    parts: [
      `The password for this address at ${siteName} was changed, and every other device was signed out.`,
      "If it wasn’t you, choose a new one right away.",
      { label: "Reset password", href: `${ctx.config.siteUrl}/admin/login?reset` },
    ],
  }));
}

/** The same after a reset, or if an admin set it. */
export function passwordRecoveredEmail(ctx: Context, user: Recipient, { keepsPasskeys = false } = {}) {
  return noticeRow(ctx, user, (siteName) => ({
    subject: `Your password for ${siteName} was changed`,
    parts: [
      `The password for this address at ${siteName} was changed, and every device was signed out.`,
      keepsPasskeys
        ? "Your passkeys still work. Remove any that you don’t recognise under Your account."
        : `${PASSKEYS_REMOVED} Sign in with the new password.`,
      "If it wasn’t you, choose a new one right away.",
      { label: "Reset password", href: `${ctx.config.siteUrl}/admin/login?reset` },
    ],
  }));
}

const PASSKEYS_REMOVED =
  "Passkeys were removed, too, and API tokens were revoked: make yours again in the admin area.";

export function passkeyAddedEmail(ctx: Context, user: Recipient, name: string) {
  return noticeRow(ctx, user, (siteName) => ({
    subject: `A passkey was added to your account at ${siteName}`,
    parts: [
      `The passkey “${name}” can now sign in to ${siteName} with this address.`,
      "If it wasn’t you, remove it right away, and change your password.",
      { label: "Your passkeys", href: `${ctx.config.siteUrl}/admin/account` },
    ],
  }));
}

export function passkeyRemovedEmail(ctx: Context, user: Recipient, name: string) {
  return noticeRow(ctx, user, (siteName) => ({
    subject: `A passkey was removed from your account at ${siteName}`,
    parts: [
      `The passkey “${name}” no longer signs in to ${siteName} with this address.`,
      "If it wasn’t you, sign out all other devices, and change your password.",
      { label: "Your account", href: `${ctx.config.siteUrl}/admin/account` },
    ],
  }));
}

export function secondFactorOnEmail(ctx: Context, user: Recipient) {
  return noticeRow(ctx, user, (siteName) => ({
    subject: `An authenticator app was added to your account at ${siteName}`,
    parts: [
      `From now on, signing in to ${siteName} with this address and its password also asks for a code of the app.`,
      "If it wasn’t you, switch it off right away, and change your password.",
      { label: "Your account", href: `${ctx.config.siteUrl}/admin/account` },
    ],
  }));
}

export function secondFactorOffEmail(ctx: Context, user: Recipient) {
  return noticeRow(ctx, user, (siteName) => ({
    subject: `The authenticator app was removed from your account at ${siteName}`,
    parts: [
      `Signing in to ${siteName} with this address no longer asks for a code.`,
      "If it wasn’t you, sign out all other devices, and change your password.",
      { label: "Your account", href: `${ctx.config.siteUrl}/admin/account` },
    ],
  }));
}

/** After a super admin has removed them. */
export function secondFactorResetEmail(ctx: Context, user: Recipient) {
  return noticeRow(ctx, user, (siteName) => ({
    subject: `Your second factor for ${siteName} was reset`,
    parts: [
      `A super admin removed the authenticator app, the recovery codes, the passkeys and the API tokens of this address at ${siteName}, and signed out every device.`,
      "Sign in with your password, and set up a new one. If you didn’t ask for this, contact the site’s admin.",
      { label: "Sign in", href: `${ctx.config.siteUrl}/admin/login` },
    ],
  }));
}

/** `left`: codes that remain. */
export function recoveryCodeUsedEmail(ctx: Context, user: Recipient, left: number) {
  const remain = left === 1 ? "One more is left." : `${left === 0 ? "None" : left} are left.`;
  return noticeRow(ctx, user, (siteName) => ({
    subject: `A recovery code was used to sign in to ${siteName}`,
    parts: [
      `One of the recovery codes of this address was used to sign in to ${siteName}. ${remain}`,
      "If it wasn’t you, make new codes right away, and change your password.",
      { label: "Your account", href: `${ctx.config.siteUrl}/admin/account` },
    ],
  }));
}

export function recoveryCodesMadeEmail(ctx: Context, user: Recipient) {
  return noticeRow(ctx, user, (siteName) => ({
    subject: `New recovery codes were made for your account at ${siteName}`,
    parts: [
      `New recovery codes can be used to sign in to ${siteName} with this address and its password. The former ones no longer work.`,
      { label: "Your account", href: `${ctx.config.siteUrl}/admin/account` },
    ],
  }));
}

export function tokenCreatedEmail(ctx: Context, user: Recipient, name: string) {
  return noticeRow(ctx, user, (siteName) => ({
    subject: `An API token was made with your account at ${siteName}`,
    parts: [
      `A program can now use ${siteName} as you, by the token “${name}”.`,
      "If it wasn’t you, revoke it right away, and change your password.",
      { label: "API tokens", href: `${ctx.config.siteUrl}/admin/settings/programs` },
    ],
  }));
}

export function roleChangedEmail(ctx: Context, user: Recipient & Pick<User, "role">) {
  return noticeRow(ctx, user, (siteName) => ({
    subject: `Your role at ${siteName} was changed`,
    parts: [
      `Your role at ${siteName} is now ${ROLE_NAMES[user.role]}. You were signed out on every device.`,
      { label: "Sign in", href: `${ctx.config.siteUrl}/admin/login` },
    ],
  }));
}

const ROLE_NAMES: Record<Role, string> = {
  super_admin: "super admin",
  admin: "admin",
  editor: "editor",
  user: "user",
};

/** To the new address, and without a link to the former one. */
export const addressChangedEmails = (ctx: Context, user: Recipient, former: string) =>
  Promise.all(
    [user.email, former].map((to) =>
      noticeRow(ctx, user, (siteName) => ({
        to,
        subject: `Your email address for ${siteName} was changed`,
        parts: [
          `You now sign in to ${siteName} as ${user.email}, no longer as ${former}.`,
          ...(to === former ? ["If you didn’t do this, contact the site’s admin right away."] : []),
        ],
      })),
    ),
  );

/** With the stamp that the account has afterwards, if it changes. */
type Recipient = Pick<User, "id" | "email"> & { stamp?: string };
