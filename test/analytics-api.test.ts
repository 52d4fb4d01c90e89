import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it, test, vi } from "vitest";
import { pagePathAt } from "#worker/addresses.ts";
import { pruneAnalytics, recordEvents } from "#worker/analytics/commands.ts";
import { storeMessages } from "#worker/analytics/store-messages.ts";
import { countedPages, EventsInput, MAX_EVENTS, MAX_EVENTS_BYTES } from "#worker/analytics/contract.ts";
import { dayOf } from "#worker/analytics/days.ts";
import type { AnalyticsMessage } from "#worker/analytics/messages.ts";
import { readRules } from "#worker/analytics/salts-and-lists.ts";
import {
  analyticsBatches,
  analyticsEvents,
  analyticsSalts,
  analyticsTotals,
} from "#worker/analytics/table.ts";
import { consume } from "#worker/jobs.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { anAddress, anEvent, counted, DAY, queued } from "./support/analytics.ts";
import { publishedArticle } from "./support/articles.ts";
import { fetchSite, jobContext, ownerContext, SITE, visitorContext } from "./support/client.ts";
import { MORE_THAN_A_BURST } from "./support/rates.ts";

const { db } = jobContext();
const NOON = new Date("2026-11-24T12:00:00Z");

beforeEach(() =>
  db.batch([db.delete(analyticsBatches), db.delete(analyticsEvents), db.delete(analyticsTotals)]),
);

const send = (body: unknown, headers: HeadersInit = {}, address = anAddress()) =>
  fetchSite("/api/analytics/events", {
    method: "POST",
    headers: { "Content-Type": "application/json", "CF-Connecting-IP": address, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe("the route", () => {
  it.each(["application/json", "text/plain;charset=UTF-8"])("takes a beacon of %s", async (type) => {
    const response = await send({ events: [anEvent()] }, { "Content-Type": type, Origin: SITE });
    expect([response.status, await response.text()]).toEqual([202, ""]);
  });

  it("reads nothing of D1 before it answers", async () => {
    const later = vi.fn();
    const ctx = visitorContext({ later });
    await recordEvents(ctx, { events: [anEvent()] }, { isOptedOut: false });
    expect(ctx.d1.statements).toBe(0);
    expect(later).toHaveBeenCalledOnce();
  });

  it.each<[string, number, unknown, HeadersInit]>([
    ["another site", 403, { events: [anEvent()] }, { Origin: "https://elsewhere.example" }],
    ["another type", 400, { events: [anEvent()] }, { "Content-Type": "application/x-www-form-urlencoded" }],
    ["no JSON", 400, "{", {}],
    ["a number that is none", 400, '{"events":NaN}', {}],
    ["a prototype", 422, `{"__proto__":{},"events":${JSON.stringify([anEvent()])}}`, {}],
    ["deep nesting", 422, "[".repeat(15_000) + "]".repeat(15_000), {}],
    ["too many bytes", 413, " ".repeat(MAX_EVENTS_BYTES + 1), {}],
    ["too many events", 422, { events: Array.from({ length: MAX_EVENTS + 1 }, () => anEvent()) }, {}],
  ])("refuses %s with %i", async (_what, status, body, headers) => {
    expect((await send(body, headers)).status).toBe(status);
  });

  it("refuses a burst from one address", async () => {
    const address = anAddress();
    const answers = await Promise.all(
      Array.from({ length: MORE_THAN_A_BURST }, () => send({ events: [anEvent()] }, {}, address)),
    );
    expect(answers.map(({ status }) => status)).toContain(429);
    expect(answers.map(({ status }) => status)).toContain(202);
  });

  it.each(["DNT", "Sec-GPC"])("takes %s for an answer", async (header) => {
    expect((await send({ events: [anEvent()] }, { [header]: "1" })).status).toBe(202);
  });
});

describe("a hostile event", () => {
  const event = anEvent();
  it.each<[string, object]>([
    ["a field of its own", { ...event, extra: 1 }],
    ["metadata of its own", { ...event, metadata: { ...event.metadata, html: "<b>" } }],
    ["another kind", { ...event, eventType: "purchase" }],
    ["a user", { ...event, userId: "user_1" }],
    ["a page that there is not", { ...event, contentId: "/wp-admin" }],
    ["a page of one person", { ...event, contentId: "/verify-email" }],
    ["a page's address in place of its path", { ...event, contentId: "/playlists/1" }],
    ["a path for an id", { ...event, contentType: "article", contentId: "../1" }],
    ["an id of nothing", { ...event, contentType: "episode", contentId: "0" }],
    ["a long session", { ...event, sessionId: "a".repeat(65) }],
    ["a session with a quote", { ...event, sessionId: "aaaaaaaa'--" }],
    ["no time", { ...event, metadata: { ...event.metadata, timestamp: undefined } }],
    ["a time beyond all", { ...event, metadata: { ...event.metadata, timestamp: 1e300 } }],
    ["a long address", { ...event, metadata: { ...event.metadata, url: "a".repeat(2001) } }],
    ["a long title", { ...event, metadata: { ...event.metadata, title: "a".repeat(301) } }],
    ["an hour of reading", anEvent("reading_time", { metadata: { readingTime: 3600 } })],
    ["negative reading", anEvent("reading_time", { metadata: { readingTime: -1 } })],
    ["a depth between milestones", anEvent("scroll_depth", { metadata: { scrollDepth: 26 } })],
    ["a position beyond two days", anEvent("podcast_play", { metadata: { seconds: 172_801 } })],
    ["a fraction of a second", anEvent("podcast_pause", { metadata: { seconds: 1.5 } })],
    ["an action of its own", anEvent("engagement", { metadata: { action: "x".repeat(10) } })],
    ["what was searched for", anEvent("search", { metadata: { query: "me" } })],
  ])("with %s is refused", (_what, hostile) => {
    expect(EventsInput.safeParse({ events: [hostile] }).success).toBe(false);
  });

  it("is refused, or stored within its bounds for existing content only", async () => {
    const there = await publishedArticle();
    const [id, missing, draft] = [there.id, 98_765, (await publishedArticle({ status: "draft" })).id].map(
      String,
    );
    const nasty = fc.oneof(
      fc.anything(),
      fc.string({ unit: "binary" }),
      fc.constantFrom("\0", "😀".repeat(900)),
    );
    const oneOf = (...values: unknown[]) =>
      fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: nasty });
    const referrer = fc.oneof(
      fc.webUrl(),
      fc.string().map((text) => `https://${text}.example/`),
      fc.constantFrom(
        "javascript:alert(1)",
        `https://${"long.".repeat(60)}example/`,
        "https://[::1]/",
        SITE,
        "",
      ),
    );
    const forged = fc.record({
      eventType: oneOf("page_view", "reading_time", "search", "x"),
      contentType: oneOf("page", "article", "episode"),
      contentId: oneOf("/", "/about", id, missing, draft),
      userId: oneOf(null),
      sessionId: oneOf("a-session", "another-session"),
      metadata: fc.oneof(
        {
          weight: 9,
          arbitrary: fc.record({ timestamp: fc.maxSafeNat(), referrer }, { requiredKeys: ["timestamp"] }),
        },
        { weight: 1, arbitrary: nasty },
      ),
    });
    const hostile = fc
      .sample(forged, 1000)
      .filter((each) => EventsInput.safeParse({ events: [each] }).success);
    expect(hostile.length).toBeGreaterThan(20);
    for (const each of hostile) await counted([each], { now: NOON });
    const rows = await db.select().from(analyticsEvents);
    expect(rows.length).toBeGreaterThan(10);
    const contents = rows.map(({ kind, content }) => `${kind} ${content}`);
    expect(["page /", "page /about", `article ${id}`]).toEqual(
      expect.arrayContaining([...new Set(contents)]),
    );
    for (const { source } of rows) expect(source ?? "").toMatch(/^[\w.:[\]-]{0,100}$/);
  });
});

test("every page that is counted is found by its address", () => {
  expect(pagePathAt("/about/")).toBe("/about");
  expect(pagePathAt("/letters/12")).toBe("/letters/:id");
  expect(pagePathAt("/nowhere")).toBeUndefined();
  expect(countedPages).not.toContain("/episode/:id");
  expect(countedPages).not.toContain("/preview");
});

describe("the queue", () => {
  const message = (body: unknown, attempts: number) => ({
    id: crypto.randomUUID(),
    timestamp: new Date(),
    attempts,
    body,
  });
  async function consumed(bodies: unknown[], attempts = 1) {
    const messages = bodies.map((body) => message(body, attempts));
    const batch = createMessageBatch<never>("second-site-events", messages as never);
    const execution = createExecutionContext();
    await consume(batch, env, execution);
    return getQueueResult(batch, execution);
  }

  it("stores all messages in one batch, and retries them if D1 fails", async () => {
    const messages = [await queued([anEvent()]), await queued([anEvent(), anEvent()])].flat();
    vi.spyOn(console, "error").mockImplementation(() => {});
    await env.DB.exec(
      "create trigger unwritable before insert on analytics_totals begin select raise(abort, 'unwritable'); end",
    );
    const failed = await consumed(messages);
    await env.DB.exec("drop trigger unwritable");
    expect([failed.explicitAcks, failed.retryMessages]).toMatchObject([[], [{}, {}]]);
    expect(await db.$count(analyticsEvents)).toBe(0);
    expect((await consumed(messages)).explicitAcks).toHaveLength(2);
    expect(await db.$count(analyticsEvents)).toBe(3);
  });

  it("counts a redelivered message once if the consumer ended before its acknowledgement", async () => {
    const messages = [await queued([anEvent()]), await queued([anEvent()])].flat();
    await storeMessages(jobContext(), messages as AnalyticsMessage[]);
    const [before] = await db.batch([db.select().from(analyticsTotals)]);
    expect((await consumed([...messages, ...messages])).explicitAcks).toHaveLength(4);
    expect(await db.select().from(analyticsTotals)).toEqual(before);
    expect(await db.$count(analyticsEvents)).toBe(2);
  });

  it("loses no other to a message that cannot be stored", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const good = [await queued([anEvent()]), await queued([anEvent()])].flat();
    const [first, second] = good;
    const broken = { kind: "events", id: crypto.randomUUID(), quarter: null, events: [{}] };
    expect((await consumed([first, broken, second])).retryMessages).toHaveLength(3);
    const fifth = await consumed([first, broken, second], 5);
    expect([fifth.explicitAcks.length, fifth.retryMessages.length]).toEqual([2, 1]);
    expect(await db.$count(analyticsEvents)).toBe(2);
  });

  it("takes ten thousand events from as many people without losing one", async () => {
    const sources = await Promise.all(
      Array.from({ length: 1000 }, () => queued(Array.from({ length: 10 }, () => anEvent()))),
    );
    const messages = sources.flat();
    for (let from = 0; from < messages.length; from += 100) await consumed(messages.slice(from, from + 100));
    expect(await db.$count(analyticsEvents)).toBe(10_000);
    const rows = await db.select().from(analyticsTotals);
    expect(rows.find(({ kind, span }) => kind === "site" && span === 0)).toMatchObject({
      views: 10_000,
      visitors: 1000,
    });
  });
});

describe("expired analytics data", () => {
  it("is deleted: events after the days in the settings, salts after their day; sums remain", async () => {
    await updateSite(ownerContext(), { analytics: { ...siteDefaults.analytics, keepDays: 7 } });
    const ago = (days: number) => new Date(NOON.getTime() - days * DAY);
    for (const days of [8, 7, 6, 0]) await counted([anEvent()], { now: ago(days) });
    await pruneAnalytics(jobContext({ now: NOON }));
    const left = await db.select({ day: analyticsEvents.day }).from(analyticsEvents);
    expect(left.map(({ day }) => dayOf(NOON) - day)).toEqual([7, 6, 0]);
    const salts = await db.select({ day: analyticsSalts.day }).from(analyticsSalts);
    expect(Math.min(...salts.map(({ day }) => day))).toBe(dayOf(NOON));
    const [all] = (await db.select().from(analyticsTotals)).filter(
      (row) => row.kind === "site" && row.span === 0,
    );
    expect(all!.views).toBe(4);
  });

  it("is not counted again if the queue redelivers its message within two weeks", async () => {
    await updateSite(ownerContext(), { analytics: { ...siteDefaults.analytics, keepDays: 7 } });
    const ago = (days: number) => new Date(NOON.getTime() - days * DAY);
    const messages = (await queued([anEvent()], { now: ago(14) })) as AnalyticsMessage[];
    await storeMessages(jobContext({ now: ago(14) }), messages);
    await pruneAnalytics(jobContext({ now: NOON }));
    expect(await db.$count(analyticsEvents)).toBe(0);
    await storeMessages(jobContext({ now: NOON }), messages);
    const [all] = (await db.select().from(analyticsTotals)).filter(
      (row) => row.kind === "site" && row.span === 0,
    );
    expect(all!.views).toBe(1);
    await pruneAnalytics(jobContext({ now: ago(-2) }));
    expect(await db.$count(analyticsBatches)).toBe(0);
  });

  it("is known once a day in an isolate, so that events ask D1 for nothing else", async () => {
    const later = new Date(NOON.getTime() + 3 * DAY);
    const first = visitorContext({ now: later });
    const rules = await readRules(first);
    const second = visitorContext({ now: new Date(later.getTime() + 60_000) });
    expect(await readRules(second)).toBe(rules);
    // It asks, and makes the salts of a new day.
    expect([first.d1.roundTrips, second.d1.roundTrips]).toEqual([2, 0]);
  });
});
