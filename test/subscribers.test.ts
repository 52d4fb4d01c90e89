import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { listDeliveriesTo } from "#worker/letters/subscriber-queries.ts";
import type { SubscriberListQuery, SubscriberState } from "#worker/newsletter/contract.ts";
import {
  listSources,
  listSubscribers,
  readSubscriber,
  readSubscriberStats,
} from "#worker/newsletter/owner-queries.ts";
import { createContext } from "#worker/platform/context.ts";
import { ownerContext } from "./support/client.ts";
import { plansOf } from "./support/plans.ts";

const ROWS = 100_000;
const DAY = 86_400_000;
/**
 * The sign-up of the first; each of the next signed up a second later, except the second half, who all signed up at the
 * same time.
 */
const START = Date.UTC(2026, 0, 1);
const ONCE = START + 100 * DAY;
const now = new Date(Date.UTC(2026, 10, 25));
const owner = () => ownerContext({ now });

/** One of a hundred bounced, one of a thousand is paused, and only three came from a fair. The newest are pending. */
beforeAll(async () => {
  await env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS})
    insert into subscribers
      (id, email, status, source, subscribed_at, consent, verified_at, paused_until, stamp)
    select 'id-' || i, 'reader' || i || iif(i % 2, '@example.com', '@mail.example'),
      case when i % 100 = 7 then 'bounced' when i % 100 = 8 then 'unsubscribed' when i = 9 then 'complained'
        else 'active' end,
      iif(i in (10, 20000, 90000), 'fair', 'footer'),
      iif(i > ${ROWS / 2}, ${ONCE}, ${START} + i * 1000), 'Words',
      iif(i % 10 = 0 or i > 90000, null, ${START} + i * 1000),
      iif(i % 1000 = 1, iif(i % 5000 = 1, ${now.getTime() - DAY}, ${now.getTime() + DAY}), null), ''
    from n`,
  ).run();
});

/** A context of the owner that counts the rows that D1 reads. */
const counting = () =>
  createContext(env, { actor: owner().actor, reads: { since: null }, now, clock: () => now });

const filters: SubscriberListQuery[] = [
  {},
  { state: "confirmed" },
  { state: "pending" },
  { state: "paused" },
  { state: "future-member" },
  { state: "future-member", source: "fair" },
  { state: "unsubscribed" },
  { state: "bounced" },
  { state: "complained" },
  { source: "fair" },
  { source: "footer" },
  { source: "fair", state: "pending" },
  { source: "footer", state: "bounced" },
  { source: "fair", state: "complained" },
  { since: START + 10_000, until: START + 20_000 },
  { since: ONCE, state: "confirmed" },
  { until: START + 500_000, source: "footer", state: "unsubscribed" },
  { q: "reader7" },
  { q: "example" },
  { q: "r" },
  { q: "re" },
  { q: "zz" },
  { q: "zzz" },
  { q: "example", state: "complained" },
  { q: "reader1", source: "fair" },
  { q: "r", state: "bounced" },
];

describe("the list of 100,000", () => {
  test.each(filters)("%j reads 200 rows at most, in one statement, on each of its pages", async (query) => {
    let before: string | undefined;
    for (let page = 0; page < 3; page++) {
      const ctx = counting();
      const { items, next } = await listSubscribers(ctx, { ...query, before });
      expect(ctx.d1.statements).toBe(1);
      expect(ctx.d1.rowsRead, `page ${page} of ${JSON.stringify(query)}`).toBeLessThanOrEqual(200);
      expect(items.length).toBeLessThanOrEqual(30);
      if (next === null) return;
      before = next;
    }
  });

  test("reads as few rows on late pages, also among many with the same time", async () => {
    for (const before of [`${ONCE}-60000`, `${START + 5_000_000}-5000`]) {
      for (const query of [
        {},
        { state: "confirmed" },
        { source: "footer" },
        { source: "footer", state: "confirmed" },
        { state: "paused" },
      ] as SubscriberListQuery[]) {
        const ctx = counting();
        const { items } = await listSubscribers(ctx, { ...query, before });
        expect(items.length).toBeGreaterThan(0);
        expect(ctx.d1.rowsRead, JSON.stringify(query)).toBeLessThanOrEqual(200);
      }
    }
  });

  test("has its sources by name, and reads one entry of each", async () => {
    const ctx = counting();
    expect(await listSources(ctx)).toEqual(["fair", "footer"]);
    expect(ctx.d1.statements).toBe(1);
    expect(ctx.d1.rowsRead).toBeLessThanOrEqual(20);
  });

  test("is counted by states in one statement, using only an index", async () => {
    const ctx = counting();
    const stats = await readSubscriberStats(ctx);
    const { paused, ...states } = stats;
    expect(states).toEqual({
      confirmed: 79_199,
      pending: 18_800,
      unsubscribed: 1000,
      bounced: 1000,
      complained: 1,
    });
    expect(Object.values(states).reduce((sum, count) => sum + count)).toBe(ROWS);
    expect(paused).toBe(72);
    expect(ctx.d1.statements).toBe(1);
    expect(ctx.d1.rowsRead).toBeLessThanOrEqual(ROWS + 18_800 + 100 + 10);
    const steps = (await plansOf((counted) => readSubscriberStats(counted))).join("; ");
    expect(steps).toContain("COVERING INDEX subscribers_by_status");
  });
});

/** All pages of a list. */
async function allOf(query: SubscriberListQuery) {
  const found = [];
  let before: string | undefined;
  for (let page = 0; page < 1000; page++) {
    const { items, next } = await listSubscribers(owner(), { ...query, before });
    found.push(...items);
    if (next === null) return found;
    before = next;
  }
  throw new Error("The list does not end.");
}

describe("the list", () => {
  test("has the newest first, and of the same time the last added first", async () => {
    const { items } = await listSubscribers(owner());
    expect(items.slice(0, 2)).toEqual([
      {
        id: "id-100000",
        email: "reader100000@mail.example",
        state: "pending",
        source: "footer",
        subscribedAt: ONCE,
        verifiedAt: null,
        pausedUntil: null,
        futureMember: null,
      },
      expect.objectContaining({ id: "id-99999" }),
    ]);
  });

  test("pages through all matches of a filter, without duplicates and gaps", async () => {
    const bounced = await allOf({ state: "bounced" });
    expect(bounced).toHaveLength(1000);
    expect(new Set(bounced.map(({ id }) => id)).size).toBe(1000);
    expect((await allOf({ source: "fair" })).map(({ id }) => id)).toEqual(["id-90000", "id-20000", "id-10"]);
    expect((await allOf({ source: "fair", state: "pending" })).map(({ id }) => id)).toEqual([
      "id-90000",
      "id-20000",
      "id-10",
    ]);
    const paused = await allOf({ state: "paused" });
    expect(paused).toHaveLength(72);
    expect(paused.every(({ state, pausedUntil }) => state === "confirmed" && pausedUntil !== null)).toBe(
      true,
    );
  });

  test("filters by a range of time: from its start, up to before its end", async () => {
    const found = await allOf({ since: START + 10_000, until: START + 20_000 });
    expect(found.map(({ subscribedAt }) => subscribedAt)).toEqual(
      Array.from({ length: 10 }, (_, index) => START + 19_000 - index * 1000),
    );
  });

  test.each([
    ["a part of the address", "der77777@", ["id-77777"]],
    ["in capitals", "READER77777@EXAMPLE.COM", ["id-77777"]],
    ["two characters, at the beginning", "er", []],
    ["what FTS would read as syntax", 'example" OR "mail', []],
    ["characters that SQL has a use for", "%%%", []],
  ])("finds %s", async (_what, q, ids) => {
    expect((await allOf({ q: q.toLowerCase() })).map(({ id }) => id)).toEqual(ids);
  });

  test("continues after a page without any match until it finds one", async () => {
    const [one, ...others] = await allOf({ q: "reader9", state: "complained", source: "footer" });
    expect(one).toMatchObject({ id: "id-9" });
    expect(others).toEqual([]);
  });

  test.each(["x", "1", "1-", "-1", "1-2-3", "1e3-1"])("refuses the cursor %j", async (before) => {
    await expect(listSubscribers(owner(), { before })).rejects.toMatchObject({ code: "not_found" });
    if (before !== "1")
      await expect(listSubscribers(owner(), { q: "reader", before })).rejects.toMatchObject({
        code: "not_found",
      });
  });
});

describe("a subscriber", () => {
  test("is read with consent, block and the latest letters", async () => {
    await env.DB.batch([
      env.DB.prepare(
        "update subscribers set blocked_at = 5, blocked_reason = '550 No such user' where id = 'id-7'",
      ),
      ...Array.from({ length: 25 }, (_, index) =>
        env.DB.prepare(
          `insert into letters (id, subject, preheader, status, segment, is_public, created_at, updated_at,
            embedded_file_ids, content, content_html) values (?, ?, '', 'sent', '{}', 0, 0, 0, '[]', '', '')`,
        ).bind(index + 1, `Letter ${index + 1}`),
      ),
      env.DB.prepare(
        `insert into letter_deliveries (letter_id, subscriber_id, status, not_before, settled_at, answer)
        select id, 'id-7', 'sent', 0, id, 'OK' from letters`,
      ),
    ]);
    const { deliveries, ...subscriber } = await readSubscriber(owner(), "id-7");
    expect(subscriber).toMatchObject({
      state: "bounced",
      consent: "Words",
      blockedAt: 5,
      blockedReason: "550 No such user",
    });
    expect(deliveries).toHaveLength(20);
    expect(deliveries[0]).toEqual({
      letterId: 25,
      subject: "Letter 25",
      status: "sent",
      feedback: null,
      answer: "OK",
      settledAt: 25,
    });
    const ctx = counting();
    await listDeliveriesTo(ctx, "id-7");
    expect(ctx.d1.rowsRead).toBeLessThanOrEqual(60);
  });

  test.each<[string, SubscriberState, boolean]>([
    ["id-1001", "confirmed", true],
    ["id-5001", "confirmed", false],
    ["id-91001", "pending", false],
  ])("%s is %s, and paused: %j", async (id, state, isPaused) => {
    const subscriber = await readSubscriber(owner(), id);
    expect(subscriber.state).toBe(state);
    expect(subscriber.pausedUntil !== null).toBe(isPaused);
  });

  test("that does not exist is not found", async () => {
    await expect(readSubscriber(owner(), "none")).rejects.toMatchObject({ code: "not_found" });
  });
});
