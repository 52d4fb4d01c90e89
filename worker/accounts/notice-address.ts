import { and, asc, eq } from "drizzle-orm";
import { users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * Where mails go that tell the owner of something: to the published address, otherwise to the address that the owner signs
 * in with, which need not be ADMIN_EMAIL any more. Of several owners it is the first.
 */
export async function readNoticeAddress({ db, config }: Context, { contactEmail }: { contactEmail: string }) {
  if (contactEmail !== "") return contactEmail;
  const [owner] = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.role, "super_admin"), eq(users.isActive, true), eq(users.emailVerified, true)))
    .orderBy(asc(users.createdAt))
    .limit(1);
  return owner?.email ?? config.adminEmail;
}
