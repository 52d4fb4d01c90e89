import { and, asc, eq, gte, isNull, or } from "drizzle-orm";
import { eventRow, throwUnless } from "#worker/accounts/audit-log.ts";
import { DENIAL_LASTS_MS, isUnchanged, readAccountLink } from "#worker/accounts/account-links.ts";
import { Denial, DENIAL_FAULTS, type Denied, type LinkFault } from "#worker/accounts/contract.ts";
import { deleteDevicesOf } from "#worker/accounts/devices.ts";
import { denialEmail } from "#worker/accounts/emails.ts";
import { deleteSessionsOf } from "#worker/accounts/sessions.ts";
import { passkeys, recoveryCodes, secondFactors, users } from "#worker/accounts/table.ts";
import { deleteTokensOf } from "#worker/accounts/tokens.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { enqueue } from "#worker/platform/work/outbox.ts";

/**
 * "It was not me": signs the account out everywhere, forgets its password and a pending address, revokes its API tokens, forgets
 * its devices, removes what else could sign in and was added since the link could have been sent, and mails a link to choose a
 * new password. Works once. Also for a role that needs a second factor: the one that is older stays. Returns what does, for a
 * user who does not know all of it.
 * @throws `invalid` for a link that is broken, expired or used
 */
export async function denyAction(ctx: Context, input: Denial): Promise<Denied> {
  const { token } = parseInput(Denial, input);
  const link = await readAccountLink(ctx, ["not-me"], token);
  if (!link.ok) throw denialError(link.fault);
  const { user } = link;
  const stamp = randomToken();
  const mail = await denialEmail(ctx, { ...user, stamp, pendingEmail: null });
  const results = await throwUnless(
    () => denialError("used"),
    () =>
      ctx.db.batch([
        eventRow(ctx, { kind: "not_me", email: user.email }, isUnchanged(user)),
        ctx.db
          .update(users)
          .set({ passwordHash: null, stamp, pendingEmail: null, updatedAt: ctx.now })
          .where(eq(users.id, user.id)),
        deleteSessionsOf(ctx, user.id),
        deleteTokensOf(ctx, user.id),
        deleteDevicesOf(ctx, user.id),
        ...deleteFactorsSince(ctx, user.id, new Date(ctx.now.getTime() - DENIAL_LASTS_MS)),
        mail.statement,
        ctx.db
          .select({ name: passkeys.name, createdAt: passkeys.createdAt })
          .from(passkeys)
          .where(eq(passkeys.userId, user.id))
          .orderBy(asc(passkeys.createdAt), asc(passkeys.id)),
        ctx.db
          .select({ enabledAt: secondFactors.enabledAt })
          .from(secondFactors)
          .where(eq(secondFactors.userId, user.id)),
      ]),
  );
  enqueue(ctx, mail.id);
  const [keys, [app]] = [results.at(-2), results.at(-1)] as [StoredKey[], { enabledAt: Date | null }[]];
  return {
    email: user.email,
    remaining: {
      passkeys: keys.map(({ name, createdAt }) => ({ name, createdAt: createdAt.getTime() })),
      appSince: app?.enabledAt?.getTime() ?? null,
    },
  };
}

type StoredKey = { name: string; createdAt: Date };

/** The statements that delete the passkeys, the app and the recovery codes that were added since. */
const deleteFactorsSince = ({ db }: Context, userId: string, since: Date) =>
  [
    db.delete(passkeys).where(and(eq(passkeys.userId, userId), gte(passkeys.createdAt, since))),
    db
      .delete(secondFactors)
      .where(
        and(
          eq(secondFactors.userId, userId),
          or(isNull(secondFactors.enabledAt), gte(secondFactors.enabledAt, since)),
        ),
      ),
    db
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, userId), gte(recoveryCodes.createdAt, since))),
  ] as const;

const denialError = (fault: LinkFault) => new AppError("invalid", DENIAL_FAULTS[fault], { field: "token" });
