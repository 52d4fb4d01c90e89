import type { SQL } from "drizzle-orm";
import { eventRow } from "#worker/accounts/audit-log.ts";
import type { Context } from "#worker/platform/context.ts";

/** The security event's row: names the user who did it (empty for a job), never the person concerned. */
export const eventOf = (ctx: Context, kind: "person_exported" | "person_deleted", provided?: SQL) =>
  eventRow(ctx, { kind, email: ctx.actor.kind === "user" ? ctx.actor.email : "" }, provided);
