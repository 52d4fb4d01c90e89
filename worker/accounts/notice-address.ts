import { and, asc, eq } from "drizzle-orm";
import { users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** The address for notices to the owner: the published contact address, or else `readOwnerAddress`. */
export const readNoticeAddress = async (ctx: Context, { contactEmail }: { contactEmail: string }) =>
  contactEmail || readOwnerAddress(ctx);

/**
 * The owner's login, which may no longer be ADMIN_EMAIL. Of several owners it is the first. Unlike the contact address, a new
 * one is confirmed from its mailbox.
 */
export const readOwnerAddress = async (ctx: Context) =>
  (await readOwner(ctx))?.email ?? ctx.config.adminEmail;

/** The first of several owners; undefined before the set-up. */
export const readOwner = async (ctx: Context) => (await readOwners(ctx, 1))[0];

/** Super admins who can sign in, the first one first. */
export const readOwners = ({ db }: Context, most: number) =>
  db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(eq(users.role, "super_admin"), eq(users.isActive, true), eq(users.emailVerified, true)))
    .orderBy(asc(users.createdAt))
    .limit(most);
