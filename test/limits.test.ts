import { createExecutionContext, createScheduledController, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { tick } from "#worker/jobs.ts";
import {
  countHourly,
  countInWindow,
  enforceLimits,
  countWithinLimits,
  perAddress,
} from "#worker/platform/http/rate.ts";
import { rateLimits } from "#worker/platform/table.ts";
import { at, HOUR, rejectionOf, SECOND } from "./support/accounts.ts";
import { jobContext, visitorContext } from "./support/client.ts";

const NOW = Date.parse("2026-03-01T10:00:00Z");
const aSubject = () => crypto.randomUUID();

describe("an exact limit", () => {
  it("allows exactly its number of concurrent requests", async () => {
    const limit = { subject: aSubject(), most: 7 };
    const passed = await Promise.all(
      Array.from({ length: 50 }, () => countWithinLimits(visitorContext(), [limit])),
    );
    expect(passed.filter(Boolean)).toHaveLength(7);
  });

  it("lasts an hour from the first on, and says how many seconds are left", async () => {
    const limit = { subject: aSubject(), most: 2 };
    await enforceLimits(at(NOW), [limit]);
    await enforceLimits(at(NOW + 50 * 60 * SECOND), [limit]);
    const error = await rejectionOf(enforceLimits(at(NOW + 59 * 60 * SECOND), [limit]));
    expect(error).toMatchObject({ code: "too_many", retryAfter: 60 });
    await enforceLimits(at(NOW + HOUR), [limit]);
  });

  it("of another window lasts as long as that", async () => {
    const limit = { subject: aSubject(), most: 1, seconds: 86_400 };
    await enforceLimits(at(NOW), [limit]);
    const error = await rejectionOf(enforceLimits(at(NOW + 23 * HOUR), [limit]));
    expect(error).toMatchObject({ code: "too_many", retryAfter: 3600 });
    await enforceLimits(at(NOW + 24 * HOUR), [limit]);
  });

  it("is not extended by refused requests", async () => {
    const limit = { subject: aSubject(), most: 1 };
    for (const time of [NOW, NOW + SECOND, NOW + 2 * SECOND]) await countWithinLimits(at(time), [limit]);
    const rows = await jobContext().db.select().from(rateLimits);
    expect(rows).toContainEqual(expect.objectContaining({ count: 1, expiresAt: new Date(NOW + HOUR) }));
    expect(rows).not.toContainEqual(expect.objectContaining({ count: 2 }));
  });

  it("counts towards none of several if one is reached", async () => {
    const [wide, narrow] = [aSubject(), aSubject()];
    const both = [
      { subject: wide, most: 2 },
      { subject: narrow, most: 1 },
    ];
    await enforceLimits(at(NOW), both);
    for (let tries = 0; tries < 5; tries++) expect(await countWithinLimits(at(NOW), both)).toBe(false);
    expect(await countWithinLimits(at(NOW), both.slice(0, 1))).toBe(true);
  });

  it("counts several limits together, or none", async () => {
    const limit = { subject: aSubject(), most: 3 };
    expect(await countWithinLimits(at(NOW), [{ ...limit, amount: 2 }])).toBe(true);
    expect(await countWithinLimits(at(NOW), [{ ...limit, amount: 2 }])).toBe(false);
    expect(await countWithinLimits(at(NOW), [limit])).toBe(true);
  });

  it("is one statement, and one more for the words of an error", async () => {
    const limit = { subject: aSubject(), most: 1 };
    const ctx = visitorContext();
    await enforceLimits(ctx, [limit]);
    expect(ctx.d1.statements).toBe(1);
    await rejectionOf(enforceLimits(ctx, [limit]));
    expect(ctx.d1.statements).toBe(3);
  });

  it("keeps no address and no mailbox in plain words", async () => {
    await enforceLimits(visitorContext(), [{ subject: "mailbox:reader@example.com", most: 1 }]);
    expect(JSON.stringify(await jobContext().db.select().from(rateLimits))).not.toContain("reader@example");
  });

  it("by address applies to requests only, not to scheduled jobs", () => {
    expect(perAddress(jobContext(), "subscribe", 30)).toEqual([]);
  });

  it("of an address lets ten times as many through from all of its /48", async () => {
    const route = aSubject();
    const tryFrom = (address: string) => {
      const ctx = visitorContext({ client: { address, userAgent: "" } });
      return countWithinLimits(ctx, perAddress(ctx, route, 2));
    };
    const households = Array.from({ length: 40 }, (_, n) => `2001:db8:77:${n.toString(16)}::/64`);
    const passed = await Promise.all(households.map(tryFrom));
    expect(passed.filter(Boolean)).toHaveLength(20);
    expect(await tryFrom("2001:db8:78::/64")).toBe(true);
    expect(await tryFrom("192.0.2.77")).toBe(true);
  });

  it("is forgotten the day after it ended", async () => {
    const { db } = jobContext();
    await db.delete(rateLimits);
    await enforceLimits(at(NOW), [{ subject: aSubject(), most: 1 }]);
    const current = { subject: aSubject(), most: 1 };
    await enforceLimits(at(NOW + 24 * HOUR), [current]);
    const execution = createExecutionContext();
    const scheduledTime = new Date(NOW + 24 * HOUR);
    await tick(createScheduledController({ cron: "17 3 * * *", scheduledTime }), env, execution);
    await waitOnExecutionContext(execution);
    expect(await db.select().from(rateLimits)).toHaveLength(1);
    expect(await countWithinLimits(at(NOW + 24 * HOUR), [current])).toBe(false);
  });
});

it("a coarse limit lets ten times as many through from all of a /48", async () => {
  const route = aSubject();
  const countFrom = (address: string) =>
    countHourly(visitorContext({ now: new Date(NOW), client: { address, userAgent: "" } }), route, 1);
  for (let n = 0; n < 10; n++) await countFrom(`2001:db8:77:${n}::/64`);
  expect(await rejectionOf(countFrom("2001:db8:77:10::/64"))).toMatchObject({ code: "too_many" });
  await countFrom("2001:db8:78::/64");
});

it("a coarse limit refuses no request while KV does not answer", async () => {
  const away = () => Promise.reject(new Error("KV is away"));
  const ctx = visitorContext({ kv: { get: away, put: away } as unknown as KVNamespace });
  await countInWindow(ctx, aSubject(), { most: 1 });
});
