import type { MiddlewareHandler } from "hono";
import type { Client, Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import type { HonoEnv } from "#worker/platform/http.ts";
import { sha256 } from "#worker/platform/random.ts";

/** Seconds; the period of the BURST binding in wrangler.toml. */
const BURST_PERIOD = 10;
const HOUR = 3600;

/** Refuses bursts from one address to one route, before anything is read or hashed. */
export const limitBurst =
  (route: string): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    const { success } = await c.env.BURST.limit({ key: `${route}:${addressOf(c.req.raw)}` });
    if (!success) throw tooMany(BURST_PERIOD);
    await next();
  };

/** Refuses more than `most` requests an hour from one address to one route. */
export const limitHourly =
  (route: string, most: number): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    await countInWindow(c.var.ctx, `${route}:${addressOf(c.req.raw)}`, { most });
    await next();
  };

/**
 * Counts one in the subject's current window and refuses it beyond `most`. KV is eventually consistent, so a few too
 * many may pass: enough against floods, not for guesses at a password.
 */
export async function countInWindow(ctx: Context, subject: string, { most, seconds = HOUR }: Window) {
  const now = ctx.now.getTime() / 1000;
  const window = Math.floor(now / seconds);
  const key = `rate:${await sha256(subject)}:${window}`;
  const count = Number((await ctx.kv.get(key)) ?? 0);
  if (count >= most) throw tooMany(Math.ceil((window + 1) * seconds - now));
  await ctx.kv.put(key, String(count + 1), { expirationTtl: seconds + 60 }).catch(keyIsBusy);
}

type Window = { most: number; seconds?: number };

/** KV takes one write a second to a key. A count that is lost to this is no reason to refuse the visitor. */
const keyIsBusy = (error: unknown) => console.error("rate: KV did not take the count", error);

/** Where a request comes from. One household or one machine holds a whole /64 of IPv6. */
export function addressOf(request: Request) {
  const address = request.headers.get("CF-Connecting-IP") ?? "unknown";
  return address.includes(":") && !address.includes(".")
    ? `${expandIpv6(address).slice(0, 4).join(":")}::/64`
    : address;
}

/** Characters of a User-Agent that are kept. */
const MAX_USER_AGENT = 400;

export const clientOf = (request: Request): Client => ({
  address: addressOf(request),
  userAgent: (request.headers.get("User-Agent") ?? "").slice(0, MAX_USER_AGENT),
});

function expandIpv6(address: string) {
  const [head = "", tail] = address
    .toLowerCase()
    .split("::")
    .map((part) => part.split(":").filter(Boolean));
  const left = [...head];
  const right = [...(tail ?? [])];
  return [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0"), ...right];
}

const tooMany = (retryAfter: number) =>
  new AppError("too_many", "Too many requests. Please wait a little and try again.", { retryAfter });
