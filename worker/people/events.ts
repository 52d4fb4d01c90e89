import type { SQL } from "drizzle-orm";
import { eventRow } from "#worker/accounts/audit-log.ts";
import type { Context } from "#worker/platform/context.ts";

/** The row of the security events: who did it, nobody where a job did, and not about whom. */
export const eventOf = (ctx: Context, kind: "person_exported" | "person_deleted", provided?: SQL) =>
  eventRow(ctx, { kind, email: ctx.actor.kind === "user" ? ctx.actor.email : "" }, provided);
