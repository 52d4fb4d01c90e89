import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { storeMessages } from "../../worker/analytics/store-messages.ts";
import type { EventType } from "../../worker/analytics/contract.ts";
import { dayAt, isoDay } from "../../worker/analytics/days.ts";
import type { AnalyticsMessage } from "../../worker/analytics/messages.ts";
import { createContext } from "../../worker/platform/context.ts";
import { siteDefaults } from "../../worker/settings/contract.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { complaintsOf } from "./support/console.ts";
import { WITHOUT_FIGURES } from "../support/figures.ts";
import { untilDayIsLong } from "./support/day.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { desktop, looks, phone } from "./support/windows.ts";

/** An episode with three chapters, which begin at 0, 36 and 58 seconds. */
const EPISODE = "A visit at two in the afternoon";
const PATH = "/admin/analytics";

let site: Site;
let page: Page;
let complaints: string[];
let today: number;
let episode: number;

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  await untilDayIsLong();
  site = await startSite();
  today = dayAt(Date.now(), siteDefaults.timeZone);
  const context = await browser.newContext({ reducedMotion: "reduce", viewport: desktop });
  complaints = complaintsOf(context);
  page = await context.newPage();
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

/** Three visits today, two yesterday, one ten days ago; four downloads yesterday; two listeners on the site. */
async function storeFigures() {
  const row = await site.env.DB.prepare(
    "select episodes.id, key from episodes join files on files.id = audio_file_id where title = ?",
  )
    .bind(EPISODE)
    .first<{ id: number; key: string }>();
  episode = row!.id;
  const listener = (name: string, seconds: number) => [
    look("podcast_play", 0, name),
    look("podcast_pause", seconds, name),
  ];
  const parts = ["a", "b", "c", "d"].map((name) => ({
    file: row!.key,
    network: name,
    listener: name,
    first: 0,
    last: 1e9,
    app: "Overcast",
    device: "Phone",
    country: "NZ",
  }));
  const ctx = createContext(site.env, { actor: { kind: "job", name: "test" } });
  await storeMessages(ctx, [
    visit("1", today),
    visit("2", today),
    visit("3", today, listener("3", 40)),
    visit("4", today - 1, listener("4", 10)),
    visit("5", today - 1),
    visit("6", today - 10),
    { kind: "downloads", id: "downloads", quarter: (today - 1) * 96 + 48, parts, rejections: [] },
  ]);
}

const look = (type: EventType, seconds: number, visitor: string) => ({
  key: `${visitor}-${type}`,
  type,
  kind: "episode" as const,
  content: String(episode),
  detail: "",
  seconds,
  isAttentive: type === "podcast_play",
  sentAt: seconds,
  source: type === "page_view" ? "linkedin.com" : null,
});

const visit = (name: string, day: number, more: ReturnType<typeof look>[] = []): AnalyticsMessage => ({
  kind: "events",
  id: name,
  // Noon UTC, which has the same date in the site's time zone.
  quarter: day * 96 + 48,
  network: name,
  visitor: name,
  events: [look("page_view", 0, name), ...more],
});

const figure = (name: string) =>
  page.getByRole("term").filter({ hasText: name }).locator("xpath=following-sibling::dd[1]");
const period = (name: string) => page.getByRole("navigation", { name: "Period" }).getByRole("link", { name });
const slider = () => page.getByRole("slider", { name: "Day" });

async function lookAtAllWidths() {
  for (const { viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    await expectNoAxeFindings(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }
}

test("a new site shows the demo's figures", async () => {
  const last = await site.env.DB.prepare(
    "select max(start) from analytics_totals where span = 1",
  ).first<number>("max(start)");
  await openHydrated(page, `${site.url}${PATH}?from=${isoDay(last! - 89)}&to=${isoDay(last!)}`);
  for (const name of ["Total Views", "Unique Visitors", "Avg Reading Time", "Engagement Score"])
    await expect(figure(name)).toHaveText(/^[1-9]/);
  await expect(page.getByText(/(?:than|as) in the 90 days before/)).toHaveCount(5);
  await expect(page.getByRole("row", { name: EPISODE })).toHaveCount(2);
  await expect(page.getByText("Nothing was counted")).toHaveCount(0);
  for (const statement of WITHOUT_FIGURES) await site.env.DB.prepare(statement).run();
  await storeFigures();
});

test("yesterday's downloads are on the desk, and on the first card of the panel", async () => {
  await openHydrated(page, `${site.url}/admin/articles`);
  const link = page
    .getByRole("region", { name: "Needs your attention" })
    .getByRole("link", { name: "4 yesterday" });
  await expect(link).toBeVisible();
  await expect(link.locator("xpath=..")).toHaveText("4 yesterday, 0 today so far");
  await link.click();
  await expect(page.getByRole("heading", { level: 1, name: "Analytics" })).toBeVisible();
  const first = page.getByRole("main").locator("dl").first().locator("> div").first();
  await expect(first.getByRole("term")).toHaveText(/^Downloads/);
  await expect(first).toContainText("Yesterday 4 · 0 today so far");
});

test("a period is an address: chosen, typed, refused beside its field, and left by Back @full", async () => {
  await openHydrated(page, site.url + PATH);
  await expect(period("Last 30 days")).toHaveAttribute("aria-current", "true");
  await expect(figure("Total Views")).toHaveText("6");
  const answer = await hold(page, "**/admin/analytics.data?days=7*");
  await period("Last 7 days").click();
  const busy = page.locator("[aria-busy=true]");
  await expect(page.getByRole("status").filter({ hasText: "Loading the figures" })).toHaveCount(1);
  await expect(busy).toContainText("Total Views");
  answer();
  await page.unrouteAll({ behavior: "wait" });
  await page.waitForURL("**?days=7");
  await expect(busy).toHaveCount(0);
  await expect(page.getByText("Loading the figures")).toHaveCount(0);
  await expect(figure("Total Views")).toHaveText("5");
  await expect(page.getByText("400% more than in the 7 days before").first()).toBeVisible();
  await period("Custom").click();
  await expect(page.getByLabel("From", { exact: true })).toHaveValue(isoDay(today - 6));
  await page.setViewportSize(phone);
  const toEnd = await page.getByLabel("To", { exact: true }).evaluate((field) => {
    const form = field.closest("form")!;
    return form.getBoundingClientRect().right - field.getBoundingClientRect().right;
  });
  expect(toEnd).toBeGreaterThanOrEqual(0);
  await page.setViewportSize(desktop);
  await page.getByLabel("From", { exact: true }).fill(isoDay(today - 1));
  await page.getByLabel("To", { exact: true }).fill(isoDay(today - 2));
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByLabel("To", { exact: true })).toBeFocused();
  await expect(page.getByLabel("To", { exact: true })).toHaveAccessibleDescription(
    "The last day is before the first.",
  );
  await expect(page.getByText("Total Views")).toBeHidden();
  await expectNoAxeFindings(page);
  await page.getByLabel("To", { exact: true }).fill(isoDay(today - 1));
  await page.getByRole("button", { name: "Show" }).click();
  await expect(figure("Total Views")).toHaveText("2");
  await page.reload();
  await expect(figure("Total Views")).toHaveText("2");
  await page.goBack();
  await expect(page.getByLabel("To", { exact: true })).toHaveValue(isoDay(today - 2));
  await page.goBack();
  await page.goBack();
  await expect(period("Last 7 days")).toHaveAttribute("aria-current", "true");
  await expect(figure("Total Views")).toHaveText("5");
});

test("the definition of a figure opens with one key press @full", async () => {
  await openHydrated(page, site.url + PATH);
  const button = page.getByRole("button", { name: "What is counted: Unique Visitors" });
  const definition = page.getByRole("dialog", { name: "Unique Visitors" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(definition).toBeFocused();
  await expect(definition).toContainText("someone who visits on two days is counted twice");
  await expect(definition).toBeInViewport({ ratio: 1 });
  await expectNoAxeFindings(page);
  await page.keyboard.press("Escape");
  await expect(definition).toBeHidden();
  await expect(button).toBeFocused();
  const last = page.getByRole("button", { name: "What is counted: Engagement Score" });
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport);
    await last.click();
    await expect(page.getByRole("dialog", { name: "Engagement Score" })).toBeInViewport({ ratio: 1 });
    await page.keyboard.press("Escape");
  }
});

test("the chart is read by keyboard and as a table, and drawn in both themes and widths @full", async () => {
  const chart = page.getByRole("figure", { name: "Views and visitors by day" });
  await expect(chart.locator("canvas")).toBeVisible();
  await slider().focus();
  await page.keyboard.press("ArrowLeft");
  await expect(slider()).toHaveAttribute("aria-valuetext", /, Views 2, Visitors 2$/);
  await expect(chart.getByText("Views 2")).toBeVisible();
  await expect(slider()).toHaveCSS("opacity", "1");
  await page.keyboard.press("End");
  await expect(slider()).toHaveAttribute("aria-valuetext", / 20\d\d, so far, Views 3, Visitors 3$/);
  await page.keyboard.press("Home");
  // Nothing was counted before the first visit.
  await expect(slider()).toHaveAttribute("aria-valuetext", /, Views n\/a, Visitors n\/a$/);
  await page.mouse.move(0, 0);
  await slider().blur();
  await expect(slider()).toHaveCSS("opacity", "0");
  await chart.locator(".u-over").scrollIntoViewIfNeeded();
  const box = (await chart.locator(".u-over").boundingBox())!;
  await page.mouse.move(box.x + box.width - 2, box.y + 20);
  await expect(chart.getByText("Views 3")).toBeVisible();
  await expect(slider()).toHaveCSS("opacity", "1");
  await chart.getByText("The same figures as a table").click();
  const rows = chart.getByRole("region", { name: /as a table/ }).getByRole("row");
  await expect(rows).toHaveCount(31);
  await expect(rows.last()).toContainText(/ 20\d\d, so far\s*3\s*3\s*0$/);
  await lookAtAllWidths();
  await page.setViewportSize(phone);
  await expect
    .poll(async () => (await chart.locator("canvas").boundingBox())!.width)
    .toBeLessThan(phone.width);
  await page.setViewportSize(desktop);
  await page.getByRole("button", { name: "Downloads", exact: true }).click();
  await expect(page.getByRole("figure", { name: "Downloads by day" }).locator("canvas")).toBeVisible();
});

test("the figures are saved as CSV", async () => {
  const saved = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export content (CSV)" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe("analytics-content-last-30.csv");
  const [, row] = readFileSync(await file.path(), "utf8").split("\r\n");
  expect(row).toContain(`episode,${episode},${EPISODE},/episode/${episode},6,6`);
});

test("an error is not shown as zero, and can be retried; so can a chart that did not load @full", async () => {
  await openHydrated(page, `${site.url}/admin/speaking`);
  complaints.length = 0;
  await page.route("**/assets/plot-*.js*", (route) => route.abort());
  await site.env.DB.exec("alter table analytics_totals rename to away");
  await page.getByRole("link", { name: "Analytics" }).click();
  await expect(page.getByRole("alert")).toContainText("Failed to load analytics");
  await expect(page.getByText("Total Views")).toBeHidden();
  await site.env.DB.exec("alter table away rename to analytics_totals");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(figure("Total Views")).toHaveText("6");
  await expect(page.getByRole("alert")).toContainText("The chart didn’t load.");
  await page.unroute("**/assets/plot-*.js*");
  await page.getByRole("button", { name: "Try Again" }).click();
  await expect(page.locator("canvas").first()).toBeVisible();
  complaints.length = 0;
});

test("an episode's report has its downloads, and its listeners by chapter @full", async () => {
  await page.getByRole("table").getByRole("link", { name: EPISODE }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: EPISODE })).toBeVisible();
  await expect(figure("Downloads")).toHaveText("4");
  await expect(figure("Plays here")).toHaveText("2");
  await expect(page.locator("canvas")).toHaveCount(2);
  const position = page.getByRole("slider", { name: "Position" });
  // The pointer, which a chart follows, is still at the link's position.
  await page.mouse.move(0, 0);
  await position.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(position).toHaveAttribute(
    "aria-valuetext",
    "0:30, Still listening 50%, Seven houses · 1 stopped here",
  );
  await page
    .getByRole("figure", { name: /Still listening/ })
    .getByText("The same figures as a table")
    .click();
  await expect(page.getByRole("row", { name: /^0:00 Seven houses 100% 2$/ })).toBeVisible();
  await lookAtAllWidths();
  await page.getByRole("link", { name: "Edit episode" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${EPISODE} · Published`);
  await page.getByRole("main").getByRole("link", { name: "Analytics" }).click();
  await expect(page.getByRole("heading", { level: 1, name: EPISODE })).toBeVisible();
  expect(complaints).toEqual([]);
});
