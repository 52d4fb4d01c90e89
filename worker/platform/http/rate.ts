import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { MiddlewareHandler } from "hono";
import ipaddr from "ipaddr.js";
import type { Client, Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import type { HonoEnv } from "#worker/platform/http/router.ts";
import { logAsNull } from "#worker/platform/log.ts";
import { sha256 } from "#worker/platform/data/random.ts";
import { PATIENCE, within } from "#worker/platform/time/within.ts";
import { rateLimits } from "#worker/platform/table.ts";

/** Seconds; the period of the BURST binding in wrangler.toml. */
const BURST_PERIOD = 10;
const HOUR = 3600;

/** Refuses bursts from one address to one route, before any read or hash. */
export const limitBurst =
  (route: string): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    await refuseBurst(c.var.ctx, route);
    await next();
  };

/**
 * The same in a use case.
 * @throws `too_many`
 */
export async function refuseBurst(ctx: Context, route: string) {
  if (await isBurst(ctx, route)) throw tooMany(BURST_PERIOD);
}

/**
 * Counts a request of the client's address to a route, and returns whether it is part of a burst. Jobs have no address
 * and no limit. If the binding fails, nothing is a burst: the exact limits of emails and passwords are in D1.
 */
export async function isBurst({ burst, client }: Context, route: string) {
  if (client.address === "") return false;
  const counting = burst.limit({ key: `${route}:${client.address}` });
  const limited = await within(PATIENCE, "BURST.limit", counting).catch(unlimited);
  return limited !== null && !limited.success;
}

const unlimited = logAsNull("rate: the burst limit did not count");

/** Refuses more than about `most` requests an hour from one address to one route; for routes that send no mail. */
export const limitHourly =
  (route: string, most: number): MiddlewareHandler<HonoEnv> =>
  async (c, next) => {
    await countHourly(c.var.ctx, route, most);
    await next();
  };

/** The same in a use case. */
export async function countHourly(ctx: Context, route: string, most: number) {
  for (const limit of perAddress(ctx, route, most)) await countInWindow(ctx, limit.subject, limit);
}

/**
 * Counts a request in the subject's current window and refuses it beyond `most`. KV is eventually consistent, so a few
 * too many may pass: enough against floods, not for emails or guesses at a password.
 */
export async function countInWindow(ctx: Context, subject: string, { most, seconds = HOUR }: Window) {
  const now = ctx.now.getTime() / 1000;
  const window = Math.floor(now / seconds);
  const key = `rate:${await sha256(subject)}:${window}`;
  const count = await ctx.kv.get(key).then((stored) => Number(stored ?? 0), uncounted);
  if (count === null) return;
  if (count >= most) throw tooMany(Math.ceil((window + 1) * seconds - now));
  await ctx.kv.put(key, String(count + 1), { expirationTtl: seconds + 60 }).catch(uncounted);
}

type Window = { most: number; seconds?: number };

/** KV allows one write a second per key, and may be down. A lost count is no reason to refuse the visitor. */
const uncounted = logAsNull("rate: KV did not count");

/** A limit for a subject, of an hour unless it says otherwise. */
export type Limit = {
  subject: string;
  most: number;
  /** The window, which begins with the first that is counted. */
  seconds?: number;
  /** How much one call counts; 1 by default. */
  amount?: number;
};

/** The limit of a /48 as a multiple of an IPv6 address's limit. */
export const ADDRESSES_OF_NETWORK = 10;

/** Limits for the client's address, and for the network around it; none for jobs, which have no address. */
export function perAddress({ client: { address } }: Context, route: string, most: number): Limit[] {
  if (address === "") return [];
  const network = networkOf(address);
  return [
    { subject: `${route}:address:${address}`, most },
    ...(network ? [{ subject: `${route}:network:${network}`, most: ADDRESSES_OF_NETWORK * most }] : []),
  ];
}

/** The /48 of an IPv6 address, which one person may have: 65,536 networks of the size counted here. Null for IPv4. */
export function networkOf(address: string) {
  if (!address.endsWith("/64")) return null;
  const wide = address.replace(/64$/, "48");
  return `${ipaddr.IPv6.networkAddressFromCIDR(wide).toString()}/48`;
}

/**
 * Counts towards all of these limits in D1, exactly. If one is reached, counts towards none. `message` says why it refuses.
 * @throws `too_many`, with the seconds until there is room again
 */
export async function enforceLimits(ctx: Context, limits: Limit[], message?: string) {
  const rows = await rowsOf(limits);
  if (!(await tryCount(ctx, rows))) throw tooMany(await secondsUntilFree(ctx, rows), message);
}

/** When the limit's current window ends; null if none is running. */
export async function endOfHour({ db, now }: Context, { subject }: Pick<Limit, "subject">) {
  const isOpen = and(eq(rateLimits.subject, await sha256(subject)), gt(rateLimits.expiresAt, now));
  const [row] = await db.select({ end: rateLimits.expiresAt }).from(rateLimits).where(isOpen);
  return row?.end ?? null;
}

/** As `enforceLimits`, but returns whether there was room. */
export const countWithinLimits = async (ctx: Context, limits: Limit[]) => tryCount(ctx, await rowsOf(limits));

/** As JSON, in one parameter: each limit's subject hash, amount, maximum and milliseconds. */
const rowsOf = async (limits: Limit[]) =>
  JSON.stringify(
    await Promise.all(
      limits.map(async ({ subject, most, amount = 1, seconds = HOUR }) => [
        await sha256(subject),
        amount,
        most,
        seconds * 1000,
      ]),
    ),
  );

/** No limits: always room. */
const NO_LIMITS = "[]";

/** One statement checks and counts, so that concurrent requests cannot pass on a stale count. */
async function tryCount({ db, now }: Context, rows: string) {
  if (rows === NO_LIMITS) return true;
  const time = now.getTime();
  const counted = await db.all(sql`
    insert into rate_limits (subject, count, expires_at)
    select value ->> 0, value ->> 1, ${time} + (value ->> 3) from json_each(${rows})
    where not exists (select 1 from ${reached(now, rows)})
    on conflict (subject) do update set
      count = iif(expires_at > ${time}, count, 0) + excluded.count,
      expires_at = iif(expires_at > ${time}, expires_at, excluded.expires_at)
    returning subject`);
  return counted.length > 0;
}

async function secondsUntilFree({ db, now }: Context, rows: string) {
  const [row] = await db.all<{ end: number | null }>(
    sql`select max(expires_at) as end from ${reached(now, rows)}`,
  );
  return Math.max(1, Math.ceil(((row?.end ?? 0) - now.getTime()) / 1000));
}

/** SQL: the limits without room for the amount. */
const reached = (now: Date, rows: string) => sql`(
  select expires_at from json_each(${rows}) as given inner join rate_limits on subject = given.value ->> 0
  where expires_at > ${now.getTime()} and count + (given.value ->> 1) > given.value ->> 2)`;

export async function pruneLimits({ db, now }: Context) {
  await db.delete(rateLimits).where(lte(rateLimits.expiresAt, now));
}

/** The client's IPv4 address, or the /64 of its IPv6 address, since a household or machine has a whole /64. */
export function addressOf(request: Request) {
  const header = request.headers.get("CF-Connecting-IP") ?? "";
  if (!ipaddr.isValid(header)) return "unknown";
  // An IPv4-mapped IPv6 address counts as IPv4.
  const address = ipaddr.process(header);
  if (address.kind() === "ipv4") return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
}

/** Characters of a User-Agent that are stored. */
const MAX_USER_AGENT = 400;

/** The address is parsed when it is asked for, since only limits and logs ask. */
export const clientOf = (request: Request): Client => ({
  get address() {
    return addressOf(request);
  },
  userAgent: (request.headers.get("User-Agent") ?? "").slice(0, MAX_USER_AGENT),
  country: (request.cf as { country?: string } | undefined)?.country,
});

const tooMany = (retryAfter: number, message = "Too many requests. Please wait a little and try again.") =>
  new AppError("too_many", message, { retryAfter });
