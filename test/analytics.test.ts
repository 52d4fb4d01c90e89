import { beforeEach, describe, expect, it } from "vitest";
import { countedPages } from "#worker/analytics/contract.ts";
import { dayOf } from "#worker/analytics/days.ts";
import type { EventsMessage } from "#worker/analytics/messages.ts";
import { storeMessages } from "#worker/analytics/store-messages.ts";
import {
  analyticsBatches,
  analyticsCounts,
  analyticsEvents,
  analyticsRejections,
  analyticsSources,
  analyticsTotals,
} from "#worker/analytics/table.ts";
import { anAddress, anEvent, BROWSER, counted, DAY, queued } from "./support/analytics.ts";
import { publishedArticle } from "./support/articles.ts";
import { contextAs, jobContext } from "./support/client.ts";
import { publishedEpisode } from "./support/factories.ts";

const { db } = jobContext();
const NOON = new Date("2026-11-24T12:00:00Z");
const today = dayOf(NOON);

beforeEach(async () => {
  await db.batch([
    db.delete(analyticsBatches),
    db.delete(analyticsEvents),
    db.delete(analyticsTotals),
    db.delete(analyticsCounts),
    db.delete(analyticsSources),
    db.delete(analyticsRejections),
  ]);
});

const totalOf = async (kind: string, content: string, span = 0, start = 0) =>
  (await db.select().from(analyticsTotals)).find(
    (row) => row.kind === kind && row.content === content && row.span === span && row.start === start,
  );
const countsOf = async (kind: string, content: string) =>
  Object.fromEntries(
    (await db.select().from(analyticsCounts))
      .filter((row) => row.kind === kind && row.content === content && row.span === 0 && row.count !== 0)
      .map(({ name, count }) => [name, count]),
  );
const rejected = async () =>
  Object.fromEntries(
    (await db.select().from(analyticsRejections)).map(({ reason, count }) => [reason, count]),
  );

describe("a visit", () => {
  it("is counted for its day, its larger spans and all time, for the content and the site", async () => {
    await counted([anEvent(), anEvent("reading_time"), anEvent("scroll_depth")], { now: NOON });
    const expected = { views: 1, visitors: 1, visits: 1, engaged: 1, readings: 1, readingSeconds: 40 };
    for (const [kind, content] of [
      ["page", "/"],
      ["site", ""],
    ] as const) {
      expect(await totalOf(kind, content)).toMatchObject(expected);
      expect(await totalOf(kind, content, 1, today)).toMatchObject(expected);
      expect(await totalOf(kind, content, 5, today - (today % 5))).toMatchObject(expected);
      expect(await totalOf(kind, content, 30, today - (today % 30))).toMatchObject(expected);
    }
    expect(await db.$count(analyticsTotals)).toBe(8);
  });

  it.each([0, Date.parse("9999-12-31T23:59:59Z")])(
    "is counted on the server's day if a clock says %i",
    async (timestamp) => {
      await counted([anEvent("page_view", { metadata: { timestamp } })], { now: NOON });
      expect(await totalOf("site", "", 1, today)).toMatchObject({ views: 1, viewsSoFar: 1 });
      expect(await db.$count(analyticsTotals)).toBe(8);
    },
  );

  it("has one visitor, however often they look", async () => {
    const visit = { now: NOON, address: anAddress() };
    await counted([anEvent(), anEvent()], visit);
    await counted([anEvent(), anEvent("page_view", { contentId: "/about" })], visit);
    expect(await totalOf("page", "/")).toMatchObject({ views: 3, visitors: 1 });
    expect(await totalOf("site", "")).toMatchObject({ views: 4, visitors: 1, visits: 2 });
  });

  it("counts each milestone once", async () => {
    const visit = { now: NOON, address: anAddress() };
    const depth = (scrollDepth: number) => anEvent("scroll_depth", { metadata: { scrollDepth } });
    await counted([depth(25), depth(50), depth(25)], visit);
    await counted([depth(50), depth(90), anEvent("newsletter_signup")], visit);
    const expected = {
      "scroll_depth:25": 1,
      "scroll_depth:50": 1,
      "scroll_depth:90": 1,
      "newsletter_signup:inline_subscribe": 1,
    };
    expect(await countsOf("page", "/")).toEqual(expected);
    expect(await countsOf("site", "")).toEqual(expected);
  });

  it("stops at its last position, by the listener's clock", async () => {
    const { id } = await publishedEpisode();
    const visit = { now: NOON, address: anAddress() };
    const about = { contentType: "episode", contentId: String(id) };
    const pause = (seconds: number, timestamp: number) =>
      anEvent("podcast_pause", { ...about, metadata: { seconds, timestamp } });
    await counted([pause(100, 5000), pause(40, 4000)], visit);
    expect(await countsOf("episode", String(id))).toEqual({ "stop:90": 1 });
    await counted([pause(20, 3000)], visit);
    expect(await countsOf("episode", String(id))).toEqual({ "stop:90": 1 });
    await counted([pause(200, 9000)], visit);
    expect(await countsOf("episode", String(id))).toEqual({ "stop:180": 1 });
  });

  it("counts as external only by the referrer's host", async () => {
    const from = (referrer?: string) => anEvent("page_view", { metadata: { referrer } });
    await counted(
      [
        from("https://www.news.example/a?token=secret"),
        from("http://localhost:8787/about"),
        from(""),
        from("javascript:alert(1)"),
      ],
      { now: NOON },
    );
    const sources = (await db.select().from(analyticsSources)).filter(({ span }) => span === 0);
    expect(sources.map(({ host, views }) => [host, views]).toSorted()).toEqual([
      ["", 2],
      ["news.example", 1],
    ]);
    expect(JSON.stringify(await db.select().from(analyticsEvents))).not.toContain("secret");
  });
});

it("takes five host names from one address, so that it cannot use up the list", async () => {
  const from = (host: string, contentId = "/") =>
    anEvent("page_view", { contentId, metadata: { referrer: `https://${host}/` } });
  await counted([from("first.example")], { now: NOON });
  const flood = { now: NOON, address: anAddress() };
  for (const page of ["/", "/about", "/podcast"])
    await counted(
      Array.from({ length: 15 }, (_, at) => from(`h${at}.${page.length}.example`, page)),
      flood,
    );
  await counted([from("first.example"), from("last.example")], flood);
  await counted([from("first.example"), from("honest.example")], { now: NOON });
  const sources = (await db.select().from(analyticsSources)).filter(({ span }) => span === 1);
  const views = Object.fromEntries(sources.map((row) => [row.host, row.views]));
  expect(Object.keys(views)).toHaveLength(5 + 3);
  expect(views).toMatchObject({ "first.example": 3, "honest.example": 1, other: 41 });
});

describe("an event that is not counted", () => {
  it("is a repeated message, also among others", async () => {
    const messages = await counted([anEvent()], { now: NOON });
    const other = await queued([anEvent()], { now: NOON });
    await storeMessages(jobContext(), [...messages, ...other, ...other]);
    expect(await totalOf("page", "/")).toMatchObject({ views: 2, visitors: 2 });
    expect(await db.$count(analyticsEvents)).toBe(2);
  });

  it("is an event that a browser sends twice", async () => {
    const event = anEvent();
    const visit = { now: NOON, address: anAddress() };
    await counted([event, event], visit);
    await counted([event], visit);
    expect(await totalOf("page", "/")).toMatchObject({ views: 1 });
    expect(await rejected()).toEqual({});
  });

  it("is a content that is unpublished or missing", async () => {
    const draft = await publishedArticle({ status: "draft" });
    const { id } = await publishedArticle();
    const about = (contentId: unknown) =>
      anEvent("page_view", { contentType: "article", contentId: String(contentId) });
    await counted([about(draft.id), about(99_999), about(id)], { now: NOON });
    const contents = await db.select({ content: analyticsTotals.content }).from(analyticsTotals);
    expect(new Set(contents.map(({ content }) => content))).toEqual(new Set(["", String(id)]));
    expect(await rejected()).toEqual({ "unknown-content": 2 });
  });

  it("is from a robot, an opted-out visitor or a signed-in user", async () => {
    await counted([anEvent(), anEvent()], { now: NOON, userAgent: "Googlebot/2.1" });
    expect(await db.$count(analyticsTotals)).toBe(0);
    expect(await rejected()).toEqual({ robot: 2 });
    expect(await queued([anEvent()], { isOptedOut: true })).toEqual([]);
    const { actor } = contextAs("editor");
    expect(await queued([anEvent()], { actor })).toEqual([]);
  });

  it("exceeds the limits of one address, with any user agents", async () => {
    const address = anAddress();
    for (let round = 0; round < 3; round++) {
      for (let agent = 0; agent < 30; agent++) {
        await counted(
          Array.from({ length: 10 }, () => anEvent()),
          { now: NOON, address, userAgent: `${BROWSER} ${agent}` },
        );
      }
    }
    expect(await totalOf("page", "/")).toMatchObject({ views: 20 });
    expect((await totalOf("site", ""))!.visitors).toBeLessThanOrEqual(20);
    expect(await db.$count(analyticsEvents)).toBe(20);
    expect(await rejected()).toEqual({ flood: 880 });
    await counted([anEvent()], { now: NOON });
    expect(await totalOf("page", "/")).toMatchObject({ views: 21 });
  });
});

it("counts at most twenty visitors of one address, also if they come one after the other", async () => {
  const visit = (agent: number) => ({ now: NOON, address: "203.0.113.9", userAgent: `${BROWSER} ${agent}` });
  // Two pages, each below the limit of events about the same content.
  const view = (agent: number) => anEvent("page_view", { contentId: countedPages[agent % 2]! });
  for (let agent = 0; agent < 30; agent++) await counted([view(agent)], visit(agent));
  expect(await totalOf("site", "")).toMatchObject({ visitors: 20, views: 20 });
  expect(await rejected()).toEqual({ flood: 10 });
  await counted([view(0)], visit(0));
  expect(await totalOf("site", "")).toMatchObject({ visitors: 20, views: 21 });
});

it("keeps neither addresses nor user agents, and nothing that ties two days together", async () => {
  const visit = { address: "203.0.113.77", userAgent: BROWSER };
  const [first] = (await counted([anEvent()], { ...visit, now: NOON })) as EventsMessage[];
  const [second] = (await counted([anEvent()], {
    ...visit,
    now: new Date(NOON.getTime() + DAY),
  })) as EventsMessage[];
  expect(first!.visitor).not.toBe(second!.visitor);
  expect(first!.network).not.toBe(second!.network);
  const stored = JSON.stringify([first, second, await db.select().from(analyticsEvents)]);
  expect(stored).not.toMatch(/203\.0\.113|Macintosh|a-session/);
});
