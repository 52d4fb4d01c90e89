import type { Context } from "#worker/platform/context.ts";
import { lastingSigner, readLasting } from "#worker/platform/http/signed.ts";

const PURPOSE = "unsubscribe";

/**
 * Signs the tokens of the unsubscribe page and of the one-click header, many with one read of the key. They never
 * expire, since readers keep letters for years. `letterId` is the letter that contains the token.
 */
export async function unsubscribeSigner(ctx: Context) {
  const sign = await lastingSigner(ctx);
  return (subscriberId: string, letterId?: number) =>
    // They are reusable, so the stamp can name the letter.
    sign({ purpose: PURPOSE, subject: subscriberId, stamp: letterId ? String(letterId) : "" });
}

/** The tokens of these subscribers, in their order. */
export async function signUnsubscribes(ctx: Context, subscriberIds: string[], letterId?: number) {
  const sign = await unsubscribeSigner(ctx);
  return Promise.all(subscriberIds.map((id) => sign(id, letterId)));
}

export async function signUnsubscribe(ctx: Context, { id }: { id: string }) {
  const sign = await unsubscribeSigner(ctx);
  return sign(id);
}

/** The subscriber of a token and the letter that contained it; null for an invalid token. */
export async function readUnsubscribe(ctx: Context, token: string) {
  const link = await readLasting(ctx, PURPOSE, token);
  return link.ok ? { subscriberId: link.subject, letterId: link.stamp ? Number(link.stamp) : null } : null;
}
