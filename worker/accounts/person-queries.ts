import { sql } from "drizzle-orm";
import { users } from "#worker/accounts/table.ts";

/** SQL: whether this is a user's address or pending address. */
export const hasAccount = (email: string) =>
  sql<number>`exists (select 1 from ${users} where ${users.email} = ${email} or ${users.pendingEmail} = ${email})`;
