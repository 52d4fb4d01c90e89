import type { Context } from "#worker/platform/context.ts";
import { lastingSigner, readLasting } from "#worker/platform/signed.ts";

const PURPOSE = "unsubscribe";

/**
 * Signs the tokens of the unsubscribe page and of the one-click header, many with one read of the key. They never expire:
 * letters are kept for years. `letterId` is the letter that a token stands in.
 */
export async function unsubscribeSigner(ctx: Context) {
  const sign = await lastingSigner(ctx);
  return (subscriberId: string, letterId?: number) =>
    // They work more than once, so that the stamp is free to name the letter.
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

/** Whom a token is about, and the letter that it stood in; null for one that is not valid. */
export async function readUnsubscribe(ctx: Context, token: string) {
  const link = await readLasting(ctx, PURPOSE, token);
  return link.ok ? { subscriberId: link.subject, letterId: link.stamp ? Number(link.stamp) : null } : null;
}
