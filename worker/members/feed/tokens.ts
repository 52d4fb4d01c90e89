import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "#worker/platform/context.ts";
import { sha256 } from "#worker/platform/data/random.ts";
import { currentKey } from "#worker/platform/http/signing-keys.ts";

/** The secrets in the addresses of a private feed (docs/decisions/0121-private-feeds.md). */

/** Of an HMAC-SHA-256: 128 bits. */
const BYTES = 16;
/** Characters of 128 bits as base64url. */
const LENGTH = 22;

/** What a token looks like, as the pattern of a path. */
export const TOKEN = `[\\w-]{${LENGTH}}`;

const isToken = new RegExp(`^${TOKEN}$`);

/** The hash of a token: it identifies the feed in the database and in addresses of audio. Null if the text isn’t a token. */
export const feedHashOf = async (token: string) =>
  isToken.test(token) ? (await sha256(token)).slice(0, LENGTH) : null;

/**
 * Derives tokens and signatures, from the key that is never replaced: so a member can be shown the address again, although the
 * database has only its hash, and an app can store the addresses of audio.
 */
export async function feedSigner(ctx: Context) {
  const { secret } = await currentKey(ctx, "lasting");
  const sign = (text: string) =>
    createHmac("sha256", secret).update(text).digest().subarray(0, BYTES).toString("base64url");
  const signatureOf = (feed: string, key: string) => sign(`member-audio ${feed} ${key}`);
  return {
    tokenOf: (seed: string) => sign(`member-feed ${seed}`),
    /** `feed`: its hash. `key`: of the file, in R2. */
    signatureOf,
    isSignature(given: string, feed: string, key: string) {
      const [one, other] = [given, signatureOf(feed, key)].map((text) => new TextEncoder().encode(text));
      return one!.byteLength === other!.byteLength && timingSafeEqual(one!, other!);
    },
  };
}
