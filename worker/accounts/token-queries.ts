import { desc, eq, type SQL } from "drizzle-orm";
import { SCOPES } from "#worker/access/contract.ts";
import { requireCapability, requireUser } from "#worker/access/capabilities.ts";
import type { ApiToken } from "#worker/accounts/contract.ts";
import { apiTokens, users } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";

/** Rows of the list; each user has at most `MOST_TOKENS`. */
const LIST_ROWS = 200;

/**
 * The user's tokens, for a super admin those of all users; newest first.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listTokens(ctx: Context) {
  requireCapability("settings", ctx);
  const rows = await ctx.db
    .select({ token: apiTokens, owner: users })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(isMineToRevoke(ctx))
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))
    .limit(LIST_ROWS);
  return wholeList(rows.map((row) => tokenOf(ctx, row)));
}

/** SQL: which tokens the user sees, and may revoke. */
export function isMineToRevoke(ctx: Context): SQL | undefined {
  const { id, role } = requireUser(ctx);
  return role === "super_admin" ? undefined : eq(apiTokens.userId, id);
}

type Row = { token: typeof apiTokens.$inferSelect; owner: { id: string; email: string } };

export function tokenOf(ctx: Context, { token, owner }: Row): ApiToken {
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt } = token;
  return {
    id,
    name,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    owner: owner.email,
    isYours: owner.id === requireUser(ctx).id,
    createdAt: createdAt.getTime(),
    expiresAt: expiresAt?.getTime() ?? null,
    isExpired: expiresAt !== null && expiresAt <= ctx.now,
    lastUsedAt: lastUsedAt?.getTime() ?? null,
  };
}
