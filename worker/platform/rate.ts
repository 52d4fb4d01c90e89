import { and, eq, gt, lte, sql } from "drizzle-orm";
import type { MiddlewareHandler } from "hono";
import ipaddr from "ipaddr.js";
import type { Client, Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import type { HonoEnv } from "#worker/platform/http.ts";
import { logAsNull } from "#worker/platform/log.ts";
import { sha256 } from "#worker/platform/random.ts";
import { rateLimits } from "#worker/platform/table.ts";

/** Seconds; the period of the BURST binding in wrangler.toml. */
const BURST_PERIOD = 10;
const HOUR = 3600;

/** Refuses bursts from one address to one route, before anything is read or hashed. */
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

/** Counts a request of the client's address to a route; whether it is one of a burst. Jobs have no address, and no limit. */
export async function isBurst({ burst, client }: Context, route: string) {
  if (client.address === "") return false;
  const { success } = await burst.limit({ key: `${route}:${client.address}` });
  return !success;
}

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
 * Counts one in the subject's current window and refuses it beyond `most`. KV is eventually consistent, so a few too
 * many may pass: enough against floods, not for mails or guesses at a password.
 */
export async function countInWindow(ctx: Context, subject: string, { most, seconds = HOUR }: Window) {
  const now = ctx.now.getTime() / 1000;
  const window = Math.floor(now / seconds);
  const key = `rate:${await sha256(subject)}:${window}`;
  const count = await ctx.kv.get(key).catch(uncounted);
  if (Number(count ?? 0) >= most) throw tooMany(Math.ceil((window + 1) * seconds - now));
  const next = String(Number(count ?? 0) + 1);
  await ctx.kv.put(key, next, { expirationTtl: seconds + 60 }).catch(uncounted);
}

type Window = { most: number; seconds?: number };

/** KV takes one write a second to a key, or is away. A count that is lost to this is no reason to refuse the visitor. */
const uncounted = logAsNull("rate: KV did not count");

/** What is counted, and how much of it an hour may have. */
export type Limit = {
  subject: string;
  most: number;
  /** How much is counted at once; 1 by default. */
  amount?: number;
};

/** How often the limit of one IPv6 address its whole /48 has. */
const ADDRESSES_OF_NETWORK = 10;

/** Limits for the client's address, and for the network around it; none for jobs, which have no address. */
export function perAddress({ client: { address } }: Context, route: string, most: number): Limit[] {
  if (address === "") return [];
  const network = networkOf(address);
  return [
    { subject: `${route}:address:${address}`, most },
    ...(network ? [{ subject: `${route}:network:${network}`, most: ADDRESSES_OF_NETWORK * most }] : []),
  ];
}

/** The /48 of an IPv6 address, which one person may hold: 65,536 addresses as they are counted here. Null for IPv4. */
function networkOf(address: string) {
  if (!address.endsWith("/64")) return null;
  const wide = address.replace(/64$/, "48");
  return `${ipaddr.IPv6.networkAddressFromCIDR(wide).toString()}/48`;
}

/**
 * Counts towards all of these limits in D1, exactly. Where one is reached, counts towards none.
 * @throws `too_many`, with the seconds until there is room again
 */
export async function enforceLimits(ctx: Context, limits: Limit[]) {
  const rows = await rowsOf(limits);
  if (!(await tryCount(ctx, rows))) throw tooMany(await secondsUntilFree(ctx, rows));
}

/** When the hour of a limit ends that is being counted; null where none is. */
export async function endOfHour({ db, now }: Context, { subject }: Pick<Limit, "subject">) {
  const isOpen = and(eq(rateLimits.subject, await sha256(subject)), gt(rateLimits.expiresAt, now));
  const [row] = await db.select({ end: rateLimits.expiresAt }).from(rateLimits).where(isOpen);
  return row?.end ?? null;
}

/** Does the same, and returns whether there was room. */
export const countWithinLimits = async (ctx: Context, limits: Limit[]) => tryCount(ctx, await rowsOf(limits));

/** As JSON, which one parameter carries: of each limit the hash of its subject, the amount, and the most. */
const rowsOf = async (limits: Limit[]) =>
  JSON.stringify(
    await Promise.all(
      limits.map(async ({ subject, most, amount = 1 }) => [await sha256(subject), amount, most]),
    ),
  );

/** Where nothing is limited, there is room. */
const NO_LIMITS = "[]";

/** One statement checks and counts: of requests in parallel none passes on an older count. */
async function tryCount({ db, now }: Context, rows: string) {
  if (rows === NO_LIMITS) return true;
  const time = now.getTime();
  const counted = await db.all(sql`
    insert into rate_limits (subject, count, expires_at)
    select value ->> 0, value ->> 1, ${time + HOUR * 1000} from json_each(${rows})
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

/** SQL: the rows of the limits that have no room for the amount. */
const reached = (now: Date, rows: string) => sql`(
  select expires_at from json_each(${rows}) as given inner join rate_limits on subject = given.value ->> 0
  where expires_at > ${now.getTime()} and count + (given.value ->> 1) > given.value ->> 2)`;

export async function pruneLimits({ db, now }: Context) {
  await db.delete(rateLimits).where(lte(rateLimits.expiresAt, now));
}

/** The client's IPv4 address, or the /64 of its IPv6 address: one household or one machine holds a whole one. */
export function addressOf(request: Request) {
  const header = request.headers.get("CF-Connecting-IP") ?? "";
  if (!ipaddr.isValid(header)) return "unknown";
  // An IPv4 address that is written as IPv6 counts as itself.
  const address = ipaddr.process(header);
  if (address.kind() === "ipv4") return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()}/64`;
}

/** Characters of a User-Agent that are stored. */
const MAX_USER_AGENT = 400;

export const clientOf = (request: Request): Client => ({
  address: addressOf(request),
  userAgent: (request.headers.get("User-Agent") ?? "").slice(0, MAX_USER_AGENT),
});

const tooMany = (retryAfter: number) =>
  new AppError("too_many", "Too many requests. Please wait a little and try again.", { retryAfter });
