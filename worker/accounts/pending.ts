import { and, eq, inArray } from "drizzle-orm";
import { invitationEmail, newAddressEmail, setupEmail, welcomeEmail } from "#worker/accounts/emails.ts";
import type { User } from "#worker/accounts/account-links.ts";
import { users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** Whether there is an admin whose address is confirmed. */
export async function isSetUp({ db }: Context) {
  const [admin] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.emailVerified, true), inArray(users.role, ["super_admin", "admin"])))
    .limit(1);
  return admin !== undefined;
}

/** The user with this address, if it is not confirmed yet. */
export async function findPending({ db }: Context, email: string) {
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), eq(users.emailVerified, false)));
  return user;
}

/** The email for a user's pending verification: of their address, or of its replacement. */
export async function confirmationEmail(ctx: Context, user: User, cause?: string) {
  const { pendingEmail } = user;
  if (user.emailVerified && pendingEmail !== null)
    return newAddressEmail(ctx, { ...user, pendingEmail }, cause);
  if (user.passwordHash === null) return invitationEmail(ctx, user, cause);
  return (await isSetUp(ctx)) ? welcomeEmail(ctx, user, cause) : setupEmail(ctx, user, cause);
}
