import { errors, jwtVerify, SignJWT, type JWTVerifyOptions } from "jose";
import type { Context } from "#worker/platform/context.ts";
import { currentKey, findKey } from "#worker/platform/http/signing-keys.ts";

type Claims = {
  /** What the link allows. A link made for one purpose is refused for every other. */
  purpose: string;
  /** Whom or what it is about, such as a user's id. */
  subject: string;
  /** A value that the link's use changes, so that it works once. */
  stamp: string;
};

export type ReadLink<P extends string = string> =
  | { ok: true; purpose: P; subject: string; stamp: string }
  | { ok: false; reason: "invalid" | "expired" };

/** A JWT (HS256) for a link. `expiresIn` in seconds. */
export async function signLink(ctx: Context, claims: Claims, expiresIn: number) {
  const [token] = await signLinks(ctx, [claims], expiresIn);
  return token!;
}

/** The same for many links, in the order of their claims. */
export async function signLinks(ctx: Context, claims: Claims[], expiresIn: number) {
  const { kid, secret } = await currentKey(ctx, "expiring");
  const issued = Math.floor(ctx.now.getTime() / 1000);
  return Promise.all(
    claims.map(({ purpose, subject, stamp }) =>
      new SignJWT({ stamp })
        .setProtectedHeader({ alg: "HS256", kid })
        .setAudience(purpose)
        .setSubject(subject)
        .setIssuedAt(issued)
        .setExpirationTime(issued + expiresIn)
        .sign(secret),
    ),
  );
}

/** Signs tokens of links that never expire, many with one read of the key. The same claims always give the same token. */
export async function lastingSigner(ctx: Context) {
  const { kid, secret } = await currentKey(ctx, "lasting");
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return ({ purpose, subject, stamp }: Claims) =>
    new SignJWT({ stamp })
      .setProtectedHeader({ alg: "HS256", kid })
      .setAudience(purpose)
      .setSubject(subject)
      .sign(key);
}

/** Checks a token that never expires. Ignores `exp`, which older tokens of this kind have. */
export const readLasting = <P extends string>(ctx: Context, purpose: P, token: string) =>
  verify(ctx, purpose, token, {
    lasting: true,
    currentDate: new Date(0),
    requiredClaims: ["sub", "stamp"],
  });

/** Checks signature, purpose and expiry; the caller compares the stamp with the state that it changes. */
export const readLink = <P extends string>(ctx: Context, purposes: P | P[], token: string) =>
  verify(ctx, purposes, token, {
    lasting: false,
    currentDate: ctx.now,
    requiredClaims: ["sub", "stamp", "exp"],
  });

type Rules = { lasting: boolean } & Pick<JWTVerifyOptions, "currentDate" | "requiredClaims">;

async function verify<P extends string>(
  ctx: Context,
  purposes: P | P[],
  token: string,
  { lasting, ...rules }: Rules,
): Promise<ReadLink<P>> {
  try {
    const keyOf = async ({ kid }: { kid?: string }) => {
      const key = await findKey(ctx, kid, { lasting });
      if (!key) throw new errors.JWKSNoMatchingKey();
      return key;
    };
    const { payload } = await jwtVerify(token, keyOf, {
      algorithms: ["HS256"],
      audience: purposes,
      ...rules,
    });
    return {
      ok: true,
      purpose: payload.aud as P,
      subject: String(payload.sub),
      stamp: String(payload.stamp),
    };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { ok: false, reason: "expired" };
    if (error instanceof errors.JOSEError) return { ok: false, reason: "invalid" };
    throw error;
  }
}
