import { and, eq, sql } from "drizzle-orm";
import {
  requireCapability,
  requireRecentProof,
  requireUser,
  type SignedIn,
} from "#worker/access/capabilities.ts";
import { eventRow, throwUnless } from "#worker/accounts/audit-log.ts";
import { MOST_TOKENS, NewToken, type CreatedToken } from "#worker/accounts/contract.ts";
import { tokenCreatedEmail } from "#worker/accounts/emails.ts";
import { limitUserMails } from "#worker/accounts/request-commands.ts";
import { isStillOpen } from "#worker/accounts/sessions.ts";
import { apiTokens, users } from "#worker/accounts/table.ts";
import { isMineToRevoke, tokenOf } from "#worker/accounts/token-queries.ts";
import { newSecret } from "#worker/accounts/tokens.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";
import { sha256 } from "#worker/platform/data/random.ts";

const DAY = 86_400_000;

/**
 * Makes a token of the user, and mails a notice. Its secret is in this answer alone.
 * @throws `unauthenticated`, also if the session ends while it runs; `forbidden`, `reauthentication_required`; `invalid`;
 * `conflict` at the limit; `too_many` emails
 */
export async function createToken(ctx: Context, input: NewToken): Promise<CreatedToken> {
  requireCapability("settings", ctx);
  requireRecentProof(ctx);
  const me = requireUser(ctx);
  const { name, scopes, days } = parseInput(NewToken, input);
  const secret = newSecret();
  const token: typeof apiTokens.$inferSelect = {
    id: crypto.randomUUID(),
    hash: await sha256(secret),
    userId: me.id,
    name,
    scopes,
    createdAt: ctx.now,
    expiresAt: days === null ? null : new Date(ctx.now.getTime() + days * DAY),
    lastUsedAt: null,
  };
  const hasRoom = sql`(select count(*) from ${apiTokens} where ${apiTokens.userId} = ${me.id}) < ${MOST_TOKENS}`;
  const provided = sql`${hasRoom} and ${isStillOpen(me)}`;
  const event = { kind: "token_created", email: me.email, detail: `${name}: ${scopes.join(", ")}` } as const;
  const mail = await tokenCreatedEmail(ctx, me, name);
  await limitUserMails(ctx, [mail]);
  await throwUnless(
    () => notCreated(ctx, me),
    () =>
      ctx.db.batch([eventRow(ctx, event, provided), ctx.db.insert(apiTokens).values(token), mail.statement]),
  );
  enqueue(ctx, mail.id);
  return { ...tokenOf(ctx, { token, owner: me }), secret };
}

async function notCreated({ db }: Context, me: SignedIn) {
  const { isOpen } = await db.get<{ isOpen: number }>(sql`select ${isStillOpen(me)} as isOpen`);
  return isOpen
    ? new AppError("conflict", `You already have ${MOST_TOKENS} tokens. Revoke one to make room.`)
    : new AppError("unauthenticated", "Your session has ended, so no token was made. Please sign in.");
}

/**
 * Revokes a token: one's own, or as a super admin any.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `not_found`
 */
export async function deleteToken(ctx: Context, id: string) {
  requireCapability("settings", ctx);
  requireRecentProof(ctx);
  const isIt = and(eq(apiTokens.id, id), isMineToRevoke(ctx));
  const [found] = await ctx.db
    .select({ name: apiTokens.name, email: users.email })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(isIt);
  if (!found) throw noSuchToken();
  const isThere = sql`exists (select 1 from ${apiTokens} where ${isIt})`;
  const event = { kind: "token_revoked", email: found.email, detail: found.name } as const;
  await throwUnless(noSuchToken, () =>
    ctx.db.batch([eventRow(ctx, event, isThere), ctx.db.delete(apiTokens).where(isIt)]),
  );
}

const noSuchToken = () => new AppError("not_found", "This token is already revoked.");
