import { base64url, decodeJwt, decodeProtectedHeader, errors, jwtVerify, SignJWT } from "jose";
import type { Context } from "#worker/platform/context.ts";
import { currentKey } from "#worker/platform/http/signing-keys.ts";

const DAY = 86_400_000;
/** Milliseconds after its last use at which a session expires. */
export const MAX_IDLE_MS = 14 * DAY;
/** Milliseconds after the login at which it expires in any case. */
export const MAX_SESSION_MS = 60 * DAY;

/** What the cookie says of its session. */
export type SessionToken = {
  id: string;
  userId: string;
  /** The user's stamp when the session was opened; a different one ends the session. */
  stamp: string;
  openedAt: Date;
  /** When its user last proved who they are: at the sign-in, or when asked for it later. */
  authenticatedAt: Date;
  /** Whether a passkey, or a code besides the password, has proved in it who they are. */
  provedFactor: boolean;
  /** When its record was last written to KV, at most once a day; null before the first request. */
  recordedAt: Date | null;
};

const AUDIENCE = "session";

/** When the session expires if it is not used again. */
export const expiryOf = ({ now }: Pick<Context, "now">, { openedAt }: Pick<SessionToken, "openedAt">) =>
  new Date(Math.min(now.getTime() + MAX_IDLE_MS, openedAt.getTime() + MAX_SESSION_MS));

/** 128 random bits. */
export const newSessionId = () => base64url.encode(crypto.getRandomValues(new Uint8Array(16)));

/** The value of the cookie. */
export async function signSessionToken(ctx: Context, session: SessionToken) {
  const { kid, secret } = await currentKey(ctx, "expiring");
  const { id, userId, stamp, openedAt, authenticatedAt, provedFactor, recordedAt } = session;
  const times = {
    opened: openedAt.getTime(),
    authenticated: authenticatedAt.getTime(),
    ...(recordedAt && { recorded: recordedAt.getTime() }),
  };
  return new SignJWT({ stamp, ...times, ...(provedFactor && { factor: true }) })
    .setProtectedHeader({ alg: "HS256", kid })
    .setAudience(AUDIENCE)
    .setSubject(userId)
    .setJti(id)
    .setExpirationTime(Math.floor(expiryOf(ctx, session).getTime() / 1000))
    .sign(secret);
}

/** Characters. The site's own are shorter; others need not be decoded. */
const LONGEST = 1000;

/** What an unverified token says, to read the key and the user in one statement; undefined if it is no token. */
export function decodeSessionToken(token: string) {
  if (token.length > LONGEST) return undefined;
  try {
    const { kid } = decodeProtectedHeader(token);
    const { sub, jti, stamp, authenticated } = decodeJwt(token);
    if (![kid, sub, jti, stamp].every((value) => typeof value === "string")) return undefined;
    if (typeof authenticated !== "number") return undefined;
    return { kid: kid!, userId: sub!, id: jti!, stamp: stamp as string, authenticated };
  } catch {
    return undefined;
  }
}

/** The session of a token that this key signed and that has not expired; undefined otherwise. */
export async function verifySessionToken(
  { now }: Pick<Context, "now">,
  token: string,
  key: Uint8Array,
): Promise<SessionToken | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ["HS256"],
      audience: AUDIENCE,
      currentDate: now,
      requiredClaims: ["sub", "jti", "exp", "stamp", "opened", "authenticated"],
    });
    const { recorded } = payload;
    return {
      id: payload.jti!,
      userId: payload.sub!,
      stamp: String(payload["stamp"]),
      openedAt: new Date(Number(payload["opened"])),
      authenticatedAt: new Date(Number(payload["authenticated"])),
      provedFactor: payload["factor"] === true,
      recordedAt: recorded === undefined ? null : new Date(Number(recorded)),
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
