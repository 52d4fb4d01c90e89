import { eq } from "drizzle-orm";
import { base64url } from "jose";
import { PASSKEY_TOO_LATE } from "#worker/accounts/contract.ts";
import type { User } from "#worker/accounts/account-links.ts";
import { passkeys } from "#worker/accounts/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { countWithinLimits } from "#worker/platform/http/rate.ts";
import { readLink, signLink } from "#worker/platform/http/signed.ts";

/** The site as browsers know it: a passkey works at this origin only. */
export function relyingParty({ config }: Pick<Context, "config">) {
  const { hostname, origin } = new URL(config.siteUrl);
  return { rpId: hostname, origin };
}

/** The user as authenticators know them. */
export const userHandleOf = ({ id }: Pick<User, "id">) => base64url.encode(id);

/** The statement that deletes all of a user's passkeys: a recovered account must not keep a stranger's. */
export const deletePasskeysOf = ({ db }: Pick<Context, "db">, userId: string) =>
  db.delete(passkeys).where(eq(passkeys.userId, userId));

type Ceremony = "passkey-sign-in" | "passkey-addition";

/** Seconds for which a challenge works. Less than an hour, for which its use is remembered. */
export const CHALLENGE_LASTS = 600;

/**
 * A challenge is a signed token, so that it is stored nowhere before it is used, and each tab has its own. `subject`: the
 * user to whom it was given.
 */
export async function newChallenge(ctx: Context, ceremony: Ceremony, subject: string) {
  const claims = { purpose: ceremony, subject, stamp: randomToken() };
  return base64url.encode(await signLink(ctx, claims, CHALLENGE_LASTS));
}

/**
 * Uses up the challenge that a browser answers, and returns it with its subject.
 * @throws `invalid` for one that has expired, was used or is not of this site
 */
export async function takeChallenge(ctx: Context, ceremony: Ceremony, clientDataJSON: string) {
  const challenge = challengeIn(clientDataJSON);
  const read = await readLink(ctx, ceremony, textOf(challenge));
  const isFirst =
    read.ok && (await countWithinLimits(ctx, [{ subject: `challenge:${read.stamp}`, most: 1 }]));
  if (!read.ok || !isFirst) throw new AppError("invalid", PASSKEY_TOO_LATE);
  return { challenge, subject: read.subject };
}

/** The challenge in a browser's answer; empty if there is none. */
function challengeIn(clientDataJSON: string) {
  try {
    const { challenge } = JSON.parse(textOf(clientDataJSON)) as { challenge?: unknown };
    return typeof challenge === "string" ? challenge : "";
  } catch {
    return "";
  }
}

function textOf(encoded: string) {
  try {
    return new TextDecoder().decode(base64url.decode(encoded));
  } catch {
    return "";
  }
}
