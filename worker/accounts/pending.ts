import { and, eq, inArray } from "drizzle-orm";
import { invitationLetter, newAddressLetter, setupLetter, welcomeLetter } from "#worker/accounts/letters.ts";
import type { User } from "#worker/accounts/links.ts";
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

/** The mail that somebody waits for: to confirm their address, or the one that is to take its place. */
export async function confirmationFor(ctx: Context, user: User) {
  const { pendingEmail } = user;
  if (user.emailVerified && pendingEmail !== null) return newAddressLetter(ctx, { ...user, pendingEmail });
  if (user.passwordHash === null) return invitationLetter(ctx, user);
  return (await isSetUp(ctx)) ? welcomeLetter(ctx, user) : setupLetter(ctx, user);
}
