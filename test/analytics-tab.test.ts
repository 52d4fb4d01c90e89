import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { storeMessages } from "#worker/analytics/store-messages.ts";
import { dayOfIso, quarterOf } from "#worker/analytics/days.ts";
import { readAnalytics } from "#worker/analytics/queries.ts";
import { analyticsZones } from "#worker/analytics/table.ts";
import { createLetter } from "#worker/letters/commands.ts";
import type { Role } from "#worker/access/contract.ts";
import { actionsOf } from "../src/admin/analytics/content-titles.ts";
import { withCountryNames } from "../src/admin/analytics/country-names.server.ts";
import {
  ACTIONS,
  NETWORKS,
  SIGNUP_SOURCES,
  SCROLL_MILESTONES,
  TIME_MILESTONES,
} from "#worker/analytics/contract.ts";
import { anEvent, counted, DAY } from "./support/analytics.ts";
import { publishedArticle } from "./support/articles.ts";
import { fetchSite, jobContext, ownerContext, signedIn } from "./support/client.ts";
import { holdClock } from "./support/clock.ts";
import { publishedEpisode } from "./support/factories.ts";
import { WITHOUT_FIGURES } from "./support/figures.ts";

const { db } = jobContext();

beforeEach(() => env.DB.batch(WITHOUT_FIGURES.map((statement) => env.DB.prepare(statement))));

async function pageOf(path: string, role: Role = "super_admin") {
  const { cookie } = await signedIn(role);
  const response = await fetchSite(path, { headers: { cookie } });
  const html = await response.text();
  // The visible text: without tags, scripts and React's separators.
  const [, main = ""] = /<main[^>]*>(.*)<\/main>/s.exec(html) ?? [];
  const text = main
    .replace(/<!--.*?-->/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
  return { status: response.status, html: main, text };
}

let part = 0;
async function download(id: number, country: string, daysAgo = 0) {
  const file = await env.DB.prepare(
    "select key from files where id = (select audio_file_id from episodes where id = ?)",
  )
    .bind(id)
    .first<string>("key");
  const listener = `listener-${++part}`;
  const one = {
    file: file!,
    network: listener,
    listener,
    first: 0,
    last: 1e9,
  };
  await storeMessages(jobContext(), [
    {
      kind: "downloads",
      id: crypto.randomUUID(),
      quarter: quarterOf(Date.now() - daysAgo * DAY),
      parts: [{ ...one, app: "Overcast", device: "Phone", country }],
      rejections: [],
    },
  ]);
}

describe("the tab", () => {
  it("says that nothing was counted, in no figure by a zero", async () => {
    const { status, text } = await pageOf("/admin/analytics");
    expect(status).toBe(200);
    expect(text).toContain("Nothing was counted in this period.");
    expect(text).toContain("No content data available for this period.");
    expect(text.match(/n\/a Not measured/g)).toHaveLength(5);
    expect(text).not.toContain("than in");
    expect(text).toContain(", today so far. Days are in Sydney time. How we count");
  });

  it("names the time zone of its days, also after a change of it", async () => {
    const [from, to] = [dayOfIso("2026-09-01"), dayOfIso("2026-09-20")];
    await db.insert(analyticsZones).values([
      { day: 0, timeZone: "UTC" },
      { day: from + 3, timeZone: "America/Argentina/Buenos_Aires" },
      { day: to + 1, timeZone: "Australia/Sydney" },
    ]);
    const { text } = await pageOf("/admin/analytics?from=2026-09-01&to=2026-09-20");
    expect(text).toContain(
      "Days are in Sydney time. Until 3 September 2026 , they are in UTC. Until 20 September 2026 , they are in Buenos Aires time.",
    );
    expect((await pageOf("/admin/analytics?from=2026-09-21&to=2026-09-22")).text).not.toContain("Until");
  });

  it("has the cards with their trends, the contents with their links, and names of countries", async () => {
    const article = await publishedArticle({ title: "On rent" });
    const episode = await publishedEpisode({ title: "Ground" });
    const about = { contentType: "article", contentId: String(article.id) };
    const here = [
      anEvent("page_view", about),
      anEvent("reading_time", about),
      anEvent("time_on_page", about),
    ];
    await counted(here, { now: new Date(Date.now() - DAY) });
    await counted([anEvent("page_view", { contentType: "episode", contentId: String(episode.id) })]);
    await counted([anEvent()], { now: new Date(Date.now() - 9 * DAY) });
    await download(episode.id, "NZ");
    await download(episode.id, "XX");
    const { text, html } = await pageOf("/admin/analytics?days=7");
    expect(text).toMatch(/Total Views .*? 2 100% more than in the 7 days before/);
    expect(text).toMatch(/Avg Reading Time .*? 40 s /);
    expect(text).toMatch(/Engagement Score .*? 50% 50 points more than in the 7 days before/);
    expect(text).toContain("1 On rent Article 1 view 40 s reading High: 100%");
    expect(text).toContain("Ground Episode 1 view n/a reading 0% engagement");
    expect(html).toContain(`href="/essays/${article.slug}"`);
    expect(html).toContain(`href="/admin/analytics/episodes/${episode.id}"`);
    expect(text).toContain("New Zealand");
    expect(text).toContain("Unknown");
    expect(html).toContain('href="/api/admin/analytics/export?days=7&amp;of=content"');
    expect(html).toContain('href="/how-we-count"');
  });

  it("hides the figures of letters from users without the audience capability", async () => {
    const { id } = await createLetter(ownerContext(), { subject: "Of rent", content: "Words." });
    await env.DB.prepare(
      "update letters set status = 'sent', started_at = ?, recipients = 5, sent = 4 where id = ?",
    )
      .bind(Date.now(), id)
      .run();
    const [owner, editor] = [await pageOf("/admin/analytics"), await pageOf("/admin/analytics", "editor")];
    expect(owner.html).toContain(`href="/admin/newsletter/${id}/report"`);
    expect(owner.text).toContain("5 recipients 4 sent");
    expect(editor.status).toBe(200);
    expect(editor.text).not.toMatch(/Of rent|Letters/);
  });

  it("refuses an invalid period beside its fields, and preserves the typed dates", async () => {
    const { status, html, text } = await pageOf("/admin/analytics?from=2026-02-02&to=2026-02-01");
    expect(status).toBe(422);
    expect(text).toContain("The last day is before the first.");
    expect(html).toMatch(/<input[^>]*value="2026-02-02"/);
    expect(text).not.toContain("Total Views");
    expect((await pageOf("/admin/analytics?days=8")).status).toBe(404);
  });

  it("shows an error as an error", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    await env.DB.exec("alter table analytics_totals rename to analytics_totals_away");
    const { status, text } = await pageOf("/admin/analytics");
    await env.DB.exec("alter table analytics_totals_away rename to analytics_totals");
    expect(status).toBe(500);
    expect(text).toContain("Failed to load analytics");
    expect(text).toContain("Try again");
    expect(text).not.toContain("Total Views");
  });
});

it("a period that reaches beyond today ends today; one in the future is refused", async () => {
  const now = new Date("2026-11-24T12:00:00Z");
  const { period } = await readAnalytics(ownerContext({ now }), { from: "2026-11-20", to: "2026-12-31" });
  expect(period).toEqual({ from: "2026-11-20", to: "2026-11-24", days: 5 });
  await expect(
    readAnalytics(ownerContext({ now }), { from: "2026-11-25", to: "2026-11-26" }),
  ).rejects.toMatchObject({ code: "invalid", field: "from" });
});

it("an exported file of figures is named after its contents", async () => {
  const { cookie } = await signedIn("editor");
  const nameOf = async (query: string) =>
    (await fetchSite(`/api/admin/analytics/export${query}`, { headers: { cookie } })).headers.get(
      "Content-Disposition",
    );
  expect(await nameOf("?days=7")).toBe('attachment; filename="analytics-days-last-7.csv"');
  expect(await nameOf("?from=2026-01-01&to=2026-01-31&of=content")).toBe(
    'attachment; filename="analytics-content-2026-01-01-to-2026-01-31.csv"',
  );
});

describe("an episode's page", () => {
  it("has its downloads beside the median, and by chapter the shares of listeners who stop", async () => {
    holdClock();
    const chapters = [
      { start: 0, title: "Beginning", url: null },
      { start: 60, title: "The lease", url: null },
    ];
    const { id, title } = await publishedEpisode({ chapters });
    await download(id, "AU");
    const at = (type: "podcast_play" | "podcast_pause", seconds: number) =>
      anEvent(type, { contentType: "episode", contentId: String(id), metadata: { seconds } });
    await counted([at("podcast_play", 0), at("podcast_pause", 20)]);
    const { status, text } = await pageOf(`/admin/analytics/episodes/${id}`, "editor");
    expect(status).toBe(200);
    expect(text).toContain(title);
    expect(text).toMatch(/Day since publication This episode Median of the others 0, so far 1 /);
    expect(text).toContain("1 listener;");
    expect(text).toMatch(/Chapter Still listening Stopped here 0:00 Beginning 100% 1/);
    expect((await pageOf(`/admin/podcast/${id}`)).html).toContain(`href="/admin/analytics/episodes/${id}"`);
    const before = await publishedEpisode({ publishedAt: Date.now() - DAY });
    const { text: movedIn } = await pageOf(`/admin/analytics/episodes/${before.id}`);
    expect(movedIn).toMatch(/Median of the others 0 n\/a (?:n\/a|[\d.]+) 1, so far 0 /);
  });

  it("is a 404 for a missing episode", async () => {
    const { status, html } = await pageOf("/admin/analytics/episodes/99999");
    expect(status).toBe(404);
    expect(html).toContain('href="/admin/analytics"');
  });
});

it("everything that visitors can do has a name", () => {
  const names = [
    ...ACTIONS.map((action) => `engagement:${action}`),
    ...NETWORKS.map((network) => `social_click:${network}`),
    ...SIGNUP_SOURCES.map((source) => `newsletter_signup:${source}`),
    ...SCROLL_MILESTONES.map((depth) => `scroll_depth:${depth}`),
    ...TIME_MILESTONES.map((seconds) => `time_on_page:${seconds}`),
    "podcast_play",
    "podcast_complete",
    "search",
  ];
  const rows = (["reading", "listening", "signups", "sharing"] as const).flatMap((group) =>
    actionsOf(
      group,
      names.map((name) => ({ name, count: 1 })),
    ),
  );
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(names.length);
});

it("countries have names in the site's language, also those that the language does not know", () => {
  const rows = ["NZ", "XX", "ZZ", "QQ"].map((name) => ({ name, count: 1 }));
  expect(withCountryNames(rows, "en-AU").map(({ name }) => name)).toEqual([
    "New Zealand",
    "Unknown",
    "Unknown Region",
    "QQ",
  ]);
  expect(withCountryNames(rows.slice(0, 1), "de")[0]!.name).toBe("Neuseeland");
});
