import type { Context } from "#worker/platform/context.ts";
import { randomToken } from "#worker/platform/data/random.ts";

/** The columns of a subscriber who leaves. With the new stamp, no former link to confirm works. */
export const unsubscribed = ({ now }: Pick<Context, "now">) => ({
  status: "unsubscribed" as const,
  unsubscribedAt: now,
  pausedUntil: null,
  stamp: randomToken(),
});
