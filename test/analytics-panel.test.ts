import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, test } from "vitest";
import { storeMessages } from "#worker/analytics/store-messages.ts";
import { dayOf, spansOf } from "#worker/analytics/days.ts";
import { readEpisodeAnalytics } from "#worker/analytics/episode-queries.ts";
import { exportAnalytics } from "#worker/analytics/export.ts";
import {
  readCountingReport,
  readMeasuredFigures,
  readArticleViews,
} from "#worker/analytics/public-queries.ts";
import { readAnalytics } from "#worker/analytics/queries.ts";
import { updateArticle } from "#worker/articles/commands.ts";
import { createLetter } from "#worker/letters/commands.ts";
import { createContext, type Context } from "#worker/platform/context.ts";
import {
  anAddress,
  anEvent,
  audioKeyOf,
  counted,
  DAY,
  fillSoFar,
  noonOf,
  storeDownloads,
} from "./support/analytics.ts";
import { publishedArticle } from "./support/articles.ts";
import {
  contextAs,
  fetchSite,
  jobContext,
  ownerContext,
  signedIn,
  visitorContext,
} from "./support/client.ts";
import { publishedEpisode } from "./support/factories.ts";
import { WITHOUT_FIGURES } from "./support/figures.ts";

const NOW = new Date("2026-11-24T12:00:00Z");
const today = dayOf(NOW);
const owner = () => ownerContext({ now: NOW });
const editor = () => contextAs("editor", { now: NOW });
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY);

beforeEach(() => env.DB.batch(WITHOUT_FIGURES.map((statement) => env.DB.prepare(statement))));

/** Whole downloads of an episode on a day, by listeners of their own. */
const download = (file: string, days: number, listeners: number) =>
  storeDownloads(file, {
    quarter: noonOf(today - days),
    listeners: Array.from({ length: listeners }, () => crypto.randomUUID()),
  });

describe("the panel", () => {
  it("has no figures without data, and zeros beside days that were counted", async () => {
    const report = await readAnalytics(owner(), { days: "7" });
    const none = { value: null, before: null };
    expect(report.cards).toEqual({ views: none, visitors: none, readingSeconds: none, engagement: none });
    expect(report.downloads.total).toEqual(none);
    expect(report).toMatchObject({ content: [], sources: [], actions: [], letters: [] });
    expect(report.period).toEqual({ from: "2026-11-18", to: "2026-11-24", days: 7 });
    expect(report.before).toEqual({ from: "2026-11-11", to: "2026-11-17", days: 7 });
    expect(report.days).toHaveLength(7);
    await counted([anEvent()], { now: daysAgo(10) });
    expect((await readAnalytics(owner(), { days: "7" })).cards.views).toEqual({ value: null, before: 1 });
  });

  it("compares a period with the one before, by its own days", async () => {
    const read = (readingTime: number) => anEvent("reading_time", { metadata: { readingTime } });
    await counted([anEvent(), read(60)], { now: daysAgo(0) });
    await counted([anEvent(), anEvent(), read(20), anEvent("scroll_depth")], { now: daysAgo(6) });
    await counted([anEvent()], { now: daysAgo(7) });
    await counted([anEvent(), read(10)], { now: daysAgo(13) });
    await counted([anEvent()], { now: daysAgo(14) });
    const { cards, days } = await readAnalytics(owner(), { days: "7" });
    expect(cards).toEqual({
      views: { value: 3, before: 2 },
      visitors: { value: 2, before: 2 },
      readingSeconds: { value: 40, before: 10 },
      engagement: { value: 50, before: 0 },
    });
    expect(days.map(({ views }) => views)).toEqual([2, 0, 0, 0, 0, 0, 1]);
    const custom = await readAnalytics(owner(), { from: "2026-11-10", to: "2026-11-11" });
    expect(custom.cards.views).toEqual({ value: 2, before: null });
  });

  it("ranks contents by views, with titles and links of published items", async () => {
    const article = await publishedArticle({ title: "On rent" });
    const hidden = await publishedArticle({ title: "Withdrawn" });
    const episode = await publishedEpisode({ title: "Ground" });
    const view = (contentType: string, id: number) =>
      anEvent("page_view", { contentType, contentId: String(id) });
    for (let visitors = 0; visitors < 3; visitors++)
      await counted([view("article", article.id)], { now: NOW });
    await counted([view("episode", episode.id), view("episode", episode.id), anEvent()], { now: NOW });
    await counted([view("article", hidden.id)], { now: NOW });
    await updateArticle(ownerContext(), hidden.id, { status: "archived" } as never);
    const { content } = await readAnalytics(owner());
    expect(
      content.map(({ rank, title, link, views, visitors }) => [rank, title, link, views, visitors]),
    ).toEqual([
      [1, "On rent", `/essays/${article.slug}`, 3, 3],
      [2, "Ground", `/episode/${episode.id}`, 2, 1],
      [3, "Withdrawn", null, 1, 1],
      [4, "/", "/", 1, 1],
    ]);
    expect(await readArticleViews(owner(), article.id)).toBe(3);
  });

  it("lists ten contents, and sources with the most views first", async () => {
    const paths = ["/about", "/podcast", "/essays", "/mission", "/contact", "/guest", "/media", "/speaking"];
    const more = ["/", "/three-es", "/petitions", "/letters/:id"];
    const referrers = ["https://a.example/", "https://b.example/", "https://b.example/2"];
    await counted(
      [...paths, ...more].map((contentId) =>
        anEvent("page_view", { contentId, metadata: { referrer: referrers[0] } }),
      ),
      { now: NOW },
    );
    await counted(
      referrers.flatMap((referrer) =>
        Array.from({ length: 7 }, () => anEvent("page_view", { metadata: { referrer } })),
      ),
      { now: NOW },
    );
    const { content, sources } = await readAnalytics(owner());
    expect(content).toHaveLength(10);
    expect(sources[0]).toEqual({ name: "a.example", count: 19 });
  });

  it("shows letters only to users with the audience capability", async () => {
    const { id } = await createLetter(ownerContext(), { subject: "Of rent", content: "Words." });
    await env.DB.prepare("update letters set started_at = ?, recipients = 5, sent = 4 where id = ?")
      .bind(daysAgo(3).getTime(), id)
      .run();
    expect((await readAnalytics(owner())).letters).toMatchObject([
      { id, counts: { recipients: 5, sent: 4 } },
    ]);
    expect((await readAnalytics(editor())).letters).toBeNull();
  });

  it.each([
    "?days=8",
    "?from=2026-01-01",
    "?from=2026-02-01&to=2026-01-01",
    "?from=2020-01-01&to=2026-01-01",
    "?a=1",
  ])("refuses %s", async (query) => {
    const { cookie } = await signedIn("editor");
    const response = await fetchSite(`/api/admin/analytics${query}`, { headers: { cookie } });
    expect(response.status).toBe(422);
  });
});

describe("an episode", () => {
  it("has its downloads by day since publication, beside the median of the others", async () => {
    const publishedAt = daysAgo(3).getTime();
    // The last was there before anything was counted, on another host.
    const [one, two, mine, old] = await Promise.all([
      publishedEpisode({ publishedAt: daysAgo(2).getTime() }),
      publishedEpisode({ publishedAt: daysAgo(40).getTime() }),
      publishedEpisode({ publishedAt, chapters: [{ start: 0, title: "Beginning", url: null }] }),
      publishedEpisode({ publishedAt: daysAgo(60).getTime() }),
    ]);
    await env.DB.prepare("update episodes set status = 'archived' where id not in (?, ?, ?, ?)")
      .bind(one.id, two.id, mine.id, old.id)
      .run();
    const uncounted = await readEpisodeAnalytics(owner(), mine.id);
    expect(uncounted.downloads[0]).toEqual({ sinceDay: 0, downloads: null, median: null });
    await download(await audioKeyOf(mine.id), 3, 5);
    await download(await audioKeyOf(mine.id), 1, 2);
    await download(await audioKeyOf(one.id), 2, 4);
    await download(await audioKeyOf(two.id), 40, 2);
    await download(await audioKeyOf(two.id), 37, 7);
    const report = await readEpisodeAnalytics(owner(), mine.id);
    expect(report.downloads).toEqual([
      { sinceDay: 0, downloads: 5, median: 3 },
      { sinceDay: 1, downloads: 0, median: 0 },
      { sinceDay: 2, downloads: 2, median: 0 },
      { sinceDay: 3, downloads: 0, median: 7 },
    ]);
    expect(report).toMatchObject({ total: 7, chapters: [{ start: 0, title: "Beginning" }], step: 30 });
    const { downloads } = await readAnalytics(owner(), { days: "7" });
    expect(downloads.total).toEqual({ value: 11, before: null });
    expect(downloads.episodes).toEqual([
      { id: mine.id, title: mine.title, downloads: 7 },
      { id: one.id, title: one.title, downloads: 4 },
    ]);
    expect(downloads.apps).toEqual([{ name: "Overcast", count: 11 }]);
    const figures = await readMeasuredFigures(visitorContext({ now: NOW }));
    expect(figures).toEqual({
      asOf: "2026-11-23",
      views: null,
      visitors: null,
      downloads: 11,
      downloadsPerEpisode: 9,
    });
    const movedIn = (await readEpisodeAnalytics(owner(), old.id)).downloads;
    expect(movedIn.slice(18, 22).map((day) => day.downloads)).toEqual([null, null, 0, 0]);
    expect(movedIn.slice(0, 4).map(({ median }) => median)).toEqual([4, 0, 0, 3.5]);
  });

  it("shows where listeners stop", async () => {
    const { id } = await publishedEpisode();
    const at = (type: "podcast_play" | "podcast_pause", seconds: number) =>
      anEvent(type, { contentType: "episode", contentId: String(id), metadata: { seconds } });
    await counted([at("podcast_play", 0), at("podcast_pause", 65)], { now: NOW });
    await counted([at("podcast_play", 0), at("podcast_pause", 80), at("podcast_pause", 20)], { now: NOW });
    expect(await readEpisodeAnalytics(owner(), id)).toMatchObject({
      plays: 2,
      completions: 0,
      stops: [
        { second: 0, listeners: 1 },
        { second: 60, listeners: 1 },
      ],
    });
    await expect(readEpisodeAnalytics(owner(), 99_999)).rejects.toMatchObject({ code: "not_found" });
  });
});

it.each([
  ["the panel", (ctx: Context) => readAnalytics(ctx)],
  ["an episode's report", (ctx: Context) => readEpisodeAnalytics(ctx, 1)],
  ["the export", (ctx: Context) => exportAnalytics(ctx, {})],
])("only users with the analytics capability can read %s", async (_, read) => {
  await expect(read(contextAs("user"))).rejects.toMatchObject({ code: "forbidden" });
  await expect(read(visitorContext())).rejects.toMatchObject({ code: "unauthenticated" });
});

it("exports days and contents as CSV that a spreadsheet runs nothing of", async () => {
  const { id, slug } = await publishedArticle({ title: '=HYPERLINK("x")' });
  await counted([anEvent("page_view", { contentType: "article", contentId: String(id) })], { now: NOW });
  const days = (await exportAnalytics(owner(), { days: "7" })).split("\r\n");
  expect(days[0]).toBe("\ufeffday,views,visitors,reading_seconds,engagement_percent,downloads");
  // Nothing was counted before, and no download at all: empty, as n/a in the panel.
  expect(days.slice(1, 7)).toEqual([18, 19, 20, 21, 22, 23].map((day) => `2026-11-${day},,,,,`));
  expect(days[7]).toBe("2026-11-24,1,1,,0,");
  await counted([anEvent("page_view")], { now: daysAgo(9) });
  const { id: episodeId } = await publishedEpisode();
  await download(await audioKeyOf(episodeId), 2, 1);
  const later = (await exportAnalytics(owner(), { days: "7" })).split("\r\n");
  expect(later[1]).toBe("2026-11-18,0,0,,,");
  expect(later[5]).toBe("2026-11-22,0,0,,,1");
  expect(later[6]).toBe("2026-11-23,0,0,,,0");
  expect((await exportAnalytics(owner(), { of: "content" })).split("\r\n")[1]).toBe(
    `article,${id},"'=HYPERLINK(""x"")",/essays/${slug},1,1,,0`,
  );
  const { cookie } = await signedIn("editor");
  const response = await fetchSite("/api/admin/analytics/export?days=7", { headers: { cookie } });
  expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
});

it("exports contents without a formula in wide characters", async () => {
  const { id, slug } = await publishedArticle({ title: "＝SUM(A1)" });
  await counted([anEvent("page_view", { contentType: "article", contentId: String(id) })], { now: NOW });
  expect((await exportAnalytics(owner(), { of: "content" })).split("\r\n")).toContain(
    `article,${id},"'＝SUM(A1)",/essays/${slug},1,1,,0`,
  );
});

it("/how-we-count explains the counting and lists rejected requests", async () => {
  const rejected = (day: number, of: "downloads" | "events", reason: "robot" | "flood", count: number) => ({
    kind: "downloads" as const,
    id: crypto.randomUUID(),
    quarter: noonOf(day),
    parts: [],
    rejections: [{ of, reason, count }],
  });
  await storeMessages(jobContext(), [
    rejected(today, "downloads", "robot", 4),
    rejected(today - 29, "downloads", "robot", 3),
    rejected(today - 30, "downloads", "robot", 100),
    rejected(today, "events", "flood", 2),
  ]);
  expect(await readCountingReport(visitorContext({ now: NOW }))).toMatchObject({
    period: { from: "2026-10-26", to: "2026-11-24", days: 30 },
    rejections: [
      { of: "downloads", reason: "robot", count: 7 },
      { of: "events", reason: "flood", count: 2 },
    ],
    keepDays: 90,
  });
});

test.each([
  [0, 89],
  [13, 102],
  [1, 90],
  [5, 14],
  [5, 16],
  [10, 19],
  [19, 20],
  [7, 7],
])("the spans of the days %i to %i have each day once", (from, to) => {
  const days = spansOf(from, to).flatMap(({ span, from: first, to: last }) =>
    Array.from({ length: Math.max(0, last - first + span) }, (_, at) => first + at),
  );
  expect(days.toSorted((a, b) => a - b)).toEqual(Array.from({ length: to - from + 1 }, (_, at) => from + at));
});

/** Of each day, so that none is less than the most: contents, episodes, hosts, apps with devices and countries, and things that were done. */
const EACH_DAY = { contents: 1320, episodes: 300, hosts: 60, values: 100, actions: 40 };

test("reads 90 days of five million events with eleven statements and 20,000 rows", async () => {
  const rows = (count: number) =>
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count}),
      d(day) as (select ${today - 209} union all select day + 1 from d where day < ${today}),
      s(span) as (values (0), (1), (5), (30))`;
  const start = "iif(span = 0, 0, day - day % span)";
  const statements = [
    `insert into analytics_totals ${rows(EACH_DAY.contents)}
      select span, ${start}, iif(i % 2, 'article', 'episode'), i, sum(70), sum(40), sum(40), 0, 0, 0, 0
      from n, d, s group by 1, 2, 3, 4`,
    `insert into analytics_totals ${rows(1)}
      select span, ${start}, 'site', '', sum(28000), sum(16000), sum(16000), sum(8000), sum(800), sum(64000), 0
      from n, d, s group by 1, 2`,
    `insert into analytics_counts ${rows(EACH_DAY.actions)}
      select span, ${start}, 'site', '', 'action-' || i, sum(9) from n, d, s group by 1, 2, 5`,
    `insert into analytics_sources ${rows(EACH_DAY.hosts)}
      select span, ${start}, 'host-' || i, sum(9) from n, d, s group by 1, 2, 3`,
    `insert into download_totals ${rows(EACH_DAY.episodes)}
      select 'episode', span, ${start}, i, '', sum(9), 0 from n, d, s group by 2, 3, 4`,
    `insert into download_totals ${rows(EACH_DAY.values)}
      select iif(i <= 40, 'app', 'country'), span, ${start}, 0, 'value-' || i, sum(9), 0 from n, d, s group by 1, 2, 3, 5`,
    `insert into download_totals ${rows(1)}
      select 'show', span, ${start}, 0, '', sum(900), 0 from n, d, s group by 2, 3`,
  ];
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
  await fillSoFar();
  const cost = { statements: 0, rowsRead: 0 };
  // Each position of the period's end within thirty days.
  for (let at = 0; at < 30; at++) {
    const now = daysAgo(at);
    const ctx = { ...createContext(env, { actor: { kind: "job", name: "test" }, now }) };
    const report = await readAnalytics(ctx, { days: "90" });
    expect(report.cards.views.value).toBe(90 * 28_000);
    expect(report.content[0]!.views).toBe(90 * 70);
    cost.statements = Math.max(cost.statements, ctx.d1.statements);
    cost.rowsRead = Math.max(cost.rowsRead, ctx.d1.rowsRead);
  }
  expect(210 * 28_000).toBeGreaterThan(5_000_000);
  expect(cost.statements).toBeLessThanOrEqual(11);
  expect(cost.rowsRead).toBeLessThanOrEqual(20_000);
});

it("contains no visitor addresses", async () => {
  await counted([anEvent()], { now: NOW, address: anAddress() });
  expect(JSON.stringify(await readAnalytics(owner()))).not.toContain("10.0");
});
