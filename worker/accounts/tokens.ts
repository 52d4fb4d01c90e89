import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import { can, SCOPES } from "#worker/access/contract.ts";
import { eventRow } from "#worker/accounts/audit-log.ts";
import { effectiveRole, factorDueAt } from "#worker/accounts/factor-rules.ts";
import { apiTokens, users } from "#worker/accounts/table.ts";
import type { Actor, Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { prepared } from "#worker/platform/data/prepared.ts";
import { randomToken, sha256 } from "#worker/platform/data/random.ts";
import { countWithinLimits, enforceLimits } from "#worker/platform/http/rate.ts";

/** API tokens, by which programs act for a user. Decision 0094. */

/** Secret scanners find it in files and logs: what follows are 43 characters of base64url. */
const PREFIX = "rostrum_";
const SECRET = /^rostrum_[\w-]{43}$/;

export const newSecret = () => `${PREFIX}${randomToken()}`;

const MINUTE = 60_000;

/** Of one token. */
const REQUESTS_AN_HOUR = 2000;

const selectToken = prepared(["hash", "now"], (db, { hash, now }) =>
  db
    .select({ token: apiTokens, user: users, dueAt: factorDueAt })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(
      and(eq(apiTokens.hash, hash), or(isNull(apiTokens.expiresAt), sql`${apiTokens.expiresAt} > ${now}`)),
    ),
);

/**
 * The actor of a token's secret: its owner, with their role of now. Counts the request.
 * @throws `unauthenticated` for a secret that is unknown, expired or revoked, and for one whose owner may no longer have
 * tokens; `too_many`
 */
export async function actorOfToken(ctx: Context, secret: string): Promise<Actor> {
  const [found] = SECRET.test(secret)
    ? await selectToken(ctx, { hash: await sha256(secret), now: ctx.now.getTime() })
    : [];
  if (!found) throw new AppError("unauthenticated", "This token is not valid. It may have been revoked.");
  const { token, user, dueAt } = found;
  const { role, missingFactor } = effectiveRole(ctx, { role: user.role, dueAt });
  if (missingFactor?.isDue)
    throw new AppError("unauthenticated", "The owner of this token needs a second factor first.");
  if (!user.isActive || !user.emailVerified || !can(role, "settings"))
    throw new AppError("unauthenticated", "The owner of this token can’t use tokens any more.");
  await enforceLimits(ctx, [{ subject: `token:${token.id}`, most: REQUESTS_AN_HOUR }]);
  if (token.lastUsedAt === null || token.lastUsedAt.getTime() <= ctx.now.getTime() - MINUTE)
    ctx.later(markUsed(ctx, token.id));
  const { id, email, fullName } = user;
  return {
    kind: "user",
    id,
    email,
    fullName,
    role,
    sessionId: "",
    authenticatedAt: new Date(0),
    token: { id: token.id, name: token.name, scopes: SCOPES.filter((scope) => token.scopes.includes(scope)) },
  };
}

/** The statement that revokes all of a user's tokens: a recovered account must not keep a stranger's. */
export const deleteTokensOf = ({ db }: Pick<Context, "db">, userId: string) =>
  db.delete(apiTokens).where(eq(apiTokens.userId, userId));

/** Only one of several concurrent requests writes. */
async function markUsed({ db, now }: Context, id: string) {
  const before = new Date(now.getTime() - MINUTE);
  await db
    .update(apiTokens)
    .set({ lastUsedAt: now })
    .where(and(eq(apiTokens.id, id), or(isNull(apiTokens.lastUsedAt), lte(apiTokens.lastUsedAt, before))));
}

/**
 * Records in the audit log that a token has written: once an hour for each token and route, since a program may write a thousand
 * items. `route` has no ids.
 */
export async function recordTokenWrite(ctx: Context, route: string) {
  const { actor } = ctx;
  if (actor.kind !== "user" || !actor.token) return;
  // By the id: two tokens may have the same name.
  const isFirst = await countWithinLimits(ctx, [
    { subject: `token-wrote:${actor.token.id}:${route}`, most: 1 },
  ]);
  if (isFirst) await eventRow(ctx, { kind: "token_wrote", email: actor.email, detail: route });
}
