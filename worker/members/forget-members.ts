import { sql, type SQL } from "drizzle-orm";
import { noteErased } from "#worker/bin/note-erased.ts";
import { members } from "#worker/members/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** The statements that delete members for good; `which` is SQL. */
export const forgetMembers = (ctx: Context, which: SQL) =>
  [
    noteErased(ctx, "members", sql`select ${members.id} as item from ${members} where ${which}`),
    ctx.db.delete(members).where(which),
  ] as const;

/** The same for the members with these addresses, which `addresses` selects. */
export const forgetMembersAt = (ctx: Context, addresses: SQL) =>
  forgetMembers(ctx, sql`${members.email} in (${addresses})`);
