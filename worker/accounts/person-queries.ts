import { sql } from "drizzle-orm";
import { users } from "#worker/accounts/table.ts";

/** SQL: whether a user signs in with this address, or is about to. */
export const hasAccount = (email: string) =>
  sql<number>`exists (select 1 from ${users} where ${users.email} = ${email} or ${users.pendingEmail} = ${email})`;
