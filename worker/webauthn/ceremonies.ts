import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { base64url } from "jose";
import type { Context } from "#worker/platform/context.ts";
import { randomToken } from "#worker/platform/data/random.ts";
import { AppError } from "#worker/platform/errors.ts";
import { countWithinLimits } from "#worker/platform/http/rate.ts";
import { readLink, signLink } from "#worker/platform/http/signed.ts";
import type { PasskeyRow } from "#worker/webauthn/columns.ts";
import type { NewPasskey, PasskeySignIn } from "#worker/webauthn/contract.ts";
import { ALGORITHMS, verifyAddition, verifySignIn } from "#worker/webauthn/verify-answer.ts";
import { PASSKEY_INVALID, PASSKEY_OVERTAKEN, PASSKEY_TOO_LATE } from "#worker/webauthn/words.ts";

/**
 * What adding a passkey and signing in by one have in common for users (docs/decisions/0090-passkeys.md) and members
 * (docs/decisions/0120-members-passkeys.md). Each has tables, sessions and words of their own.
 */

/** What a challenge is for. One of another purpose is refused. */
export type Ceremony =
  | "passkey-sign-in"
  | "passkey-addition"
  | "member-passkey-sign-in"
  | "member-passkey-addition";

/** Seconds for which a challenge works. Less than an hour, for which its use is remembered. */
export const CHALLENGE_LASTS = 600;

/** The site as browsers know it: a passkey works at this origin only. */
export function relyingParty({ config }: Pick<Context, "config">) {
  const { hostname, origin } = new URL(config.siteUrl);
  return { rpId: hostname, origin };
}

/** Without extensions, whose types have buffers, which JSON does not. */
type Plain<Options> = Omit<Options, "extensions">;

/** The options with which a browser offers its passkeys for this site. */
export async function signInOptions(
  ctx: Context,
  ceremony: Ceremony,
): Promise<Plain<PublicKeyCredentialRequestOptionsJSON>> {
  return {
    challenge: await newChallenge(ctx, ceremony, ANYONE),
    rpId: relyingParty(ctx).rpId,
    // Empty: the browser asks which, so that no address is needed.
    allowCredentials: [],
    userVerification: "required",
    timeout: CHALLENGE_LASTS * 1000,
  };
}

const ANYONE = "anyone";

type Addition = {
  ceremony: Ceremony;
  /** To whom the challenge is given. */
  subject: string;
  siteName: string;
  user: { id: string; name: string; displayName: string };
  /** Those that they have, which the device does not add again. */
  own: Pick<PasskeyRow, "credentialId" | "transports">[];
};

/** The options with which a browser makes a passkey. */
export async function additionOptions(
  ctx: Context,
  { ceremony, subject, siteName, user, own }: Addition,
): Promise<Plain<PublicKeyCredentialCreationOptionsJSON>> {
  return {
    challenge: await newChallenge(ctx, ceremony, subject),
    rp: { id: relyingParty(ctx).rpId, name: siteName },
    user,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    excludeCredentials: own.map(({ credentialId, transports }) => ({
      type: "public-key",
      id: credentialId,
      transports,
    })),
    authenticatorSelection: {
      residentKey: "required",
      requireResidentKey: true,
      userVerification: "required",
    },
    // Which make of authenticator it is does not matter.
    attestation: "none",
    timeout: CHALLENGE_LASTS * 1000,
  };
}

type Answer = Pick<NewPasskey, "id" | "clientDataJSON" | "attestationObject">;

/**
 * Uses up the challenge, which was given to `subject`, and returns the columns of the new credential.
 * @throws `invalid`
 */
export async function readAddition(
  ctx: Context,
  answer: Answer,
  { ceremony, subject }: { ceremony: Ceremony; subject: string },
) {
  const taken = await takeChallenge(ctx, ceremony, answer.clientDataJSON);
  const expected = { challenge: taken.challenge, ...relyingParty(ctx) };
  const credential = taken.subject === subject ? verifyAddition(answer, expected) : null;
  if (!credential) throw new AppError("invalid", PASSKEY_INVALID);
  return { credentialId: answer.id, ...credential };
}

/**
 * The authenticator's counter in a valid answer by a stored passkey; or why it is refused: not valid, or by a copy of the key.
 * `handle`: of the holder of the passkey.
 */
export function checkSignIn(
  ctx: Context,
  answer: PasskeySignIn,
  passkey: Pick<PasskeyRow, "publicKey" | "counter">,
  { challenge, handle }: { challenge: string; handle: string },
): { counter: number } | { fault: "invalid" | "copied" } {
  const counter = verifySignIn(answer, passkey.publicKey, { challenge, ...relyingParty(ctx) });
  if (counter === null || answer.userHandle !== handle) return { fault: "invalid" };
  return hasGoneBack(passkey.counter, counter) ? { fault: "copied" } : { counter };
}

/** A copy of the key signs with a counter that the original has already passed. Synced passkeys do not count: always 0. */
const hasGoneBack = (before: number, now: number) => (before > 0 || now > 0) && now <= before;

/** The passkey was removed or used concurrently. */
export const overtaken = () => new AppError("invalid", PASSKEY_OVERTAKEN);

/**
 * A challenge is a signed token, so that it is stored nowhere before it is used, and each tab has its own. `subject`: to whom it
 * was given.
 */
export async function newChallenge(ctx: Context, ceremony: Ceremony, subject: string) {
  const claims = { purpose: ceremony, subject, stamp: randomToken() };
  return base64url.encode(await signLink(ctx, claims, CHALLENGE_LASTS));
}

/**
 * Uses up the challenge that a browser answers, and returns it with its subject.
 * @throws `invalid` for one that has expired, was used, or is not of this site or this ceremony
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
