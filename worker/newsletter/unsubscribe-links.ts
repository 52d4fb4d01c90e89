import type { Context } from "#worker/platform/context.ts";
import { readLasting, signLasting } from "#worker/platform/signed.ts";

const PURPOSE = "unsubscribe";

/**
 * The tokens of the unsubscribe page and of the one-click header, of these subscribers. They never expire: letters are
 * kept for years. `letterId` is the letter that they stand in.
 */
export const signUnsubscribes = (ctx: Context, subscriberIds: string[], letterId?: number) =>
  signLasting(
    ctx,
    // They work more than once, so that the stamp is free to name the letter.
    subscriberIds.map((subject) => ({ purpose: PURPOSE, subject, stamp: letterId ? String(letterId) : "" })),
  );

export async function signUnsubscribe(ctx: Context, { id }: { id: string }) {
  const [token] = await signUnsubscribes(ctx, [id]);
  return token!;
}

/** Whom a token is about, and the letter that it stood in; null for one that is not valid. */
export async function readUnsubscribe(ctx: Context, token: string) {
  const link = await readLasting(ctx, PURPOSE, token);
  return link.ok ? { subscriberId: link.subject, letterId: link.stamp ? Number(link.stamp) : null } : null;
}
