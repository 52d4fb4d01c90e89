import { expect, type Browser, type Locator, type Page } from "@playwright/test";
import type { AnalyticsEvent, AnalyticsReport } from "../../worker/analytics/contract.ts";
import type { Settings } from "../../worker/settings/contract.ts";
import { stopClock } from "./support/clock.ts";
import { complaintsOf } from "./support/console.ts";
import { WITHOUT_FIGURES } from "../support/figures.ts";
import { untilDayIsLong } from "./support/day.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { watchRequests } from "./support/requests.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";
import { barOf } from "./support/player.ts";
import { desktop, phone } from "./support/windows.ts";

/** What the browser reports about a visit, through the API, the queue and D1. */

let site: Site;
let owner: Page;
/** The visitors' browser. */
let visitors: Browser;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ playwright }, { project }) => {
  const { args = [], ...options } = project.use.launchOptions ?? {};
  // A page's own user agent is not used for beacons that are sent on leaving.
  visitors = await playwright.chromium.launch({ ...options, args: [...args, `--user-agent=${userAgent}`] });
  await untilDayIsLong();
  site = await startSite({ sql: WITHOUT_FIGURES });
  owner = await (await aVisitor()).newPage();
  await signInAsOwner(owner, site);
});
test.afterAll(async () => {
  await visitors?.close();
  await site?.stop();
});

/** Headless Chromium names itself in its user agent, and would count as a robot. */
const userAgent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

async function aVisitor(options: Parameters<Browser["newContext"]>[0] = {}) {
  const context = await visitors.newContext({ reducedMotion: "reduce", ...options });
  await watchToasts(context);
  return context;
}

type Stored = { type: string; content: string; detail: string; seconds: number };

/** The stored events of a content, in the order in which the visitor caused them. */
async function storedAbout(content: string) {
  const { results } = await site.env.DB.prepare(
    "select type, kind || ' ' || content as content, detail, seconds from analytics_events order by sent_at, id",
  ).all<Stored>();
  return results.filter((row) => row.content === content);
}
/** Time spent on a page, which depends on the machine. */
const isTime = (name: string) => /^(?:reading_time|time_on_page:)/.test(name);
const namesOf = (rows: Stored[]) => rows.map(({ type, detail }) => (detail ? `${type}:${detail}` : type));
const countStored = async () =>
  (await site.env.DB.prepare("select count(*) as count from analytics_events").first<number>("count")) ?? 0;

const report = async () => {
  const answer = await owner.request.get(`${site.url}/api/admin/analytics`);
  return (await answer.json()) as AnalyticsReport;
};

/** Whether the tracker has replaced the inline script. */
const isTracking = (page: Page) =>
  page.evaluate(() => window.analytics !== undefined && !Array.isArray(window.analytics));
declare global {
  interface Window {
    /** Whether the tracker was loaded when the page's load event fired. */
    hadTracker?: boolean;
    /** When the document was parsed. */
    shownAt?: number;
  }
}

const trackerFile = (page: Page) => page.locator("head script[src*='/assets/tracker-']");
const trackerOf = async (page: Page) => {
  await page.clock.fastForward(3000);
  await expect.poll(() => isTracking(page)).toBe(true);
};
/**
 * Resolves when an added favourite is saved and then read again: the heart changes immediately, and its event is sent
 * between the two. Playing creates a listener, whose favourites are read as well.
 */
function favouriteReadBack(page: Page) {
  let isSaved = false;
  page.on("response", (response) => {
    if (response.request().method() === "PUT" && response.url().includes("/api/favorites/")) isSaved = true;
  });
  return page.waitForRequest(
    (request) => isSaved && request.method() === "GET" && request.url().endsWith("/api/favorites"),
  );
}
const allowComments = async () => {
  const settings = `${site.url}/api/admin/settings`;
  const { site: stored } = (await (await owner.request.get(settings)).json()) as Settings;
  const data = { features: { ...stored.features, comments: true } };
  expect(await owner.request.put(settings, { data, headers: { Origin: site.url } })).toBeOK();
};
/**
 * To be called without routes: Playwright forgets an intercepted request that the browser sends on leaving and reports too
 * late, and then it never arrives.
 */
const leave = (page: Page) => page.goto("about:blank");

/** Fails requests to these addresses, by the browser itself; returns what ends that. */
async function block(page: Page, ...urls: string[]) {
  const browser = await page.context().newCDPSession(page);
  await browser.send("Network.enable");
  await browser.send("Network.setBlockedURLs", { urls });
  return () => browser.detach();
}

const ESSAY = "/essays/the-second-appointment";
const OTHER_ESSAY = "/essays/the-dull-virtue-of-a-long-lease";
const idOf = async (table: string, where: string) =>
  (await site.env.DB.prepare(`select id from ${table} where ${where}`).first<number>("id"))!;

test("a visitor who reads, scrolls, navigates, listens and leaves is counted exactly", async () => {
  const context = await aVisitor({ permissions: ["clipboard-write", "clipboard-read"] });
  const complaints = complaintsOf(context);
  const page = await context.newPage();
  await page.clock.install();
  await page.addInitScript(() => {
    addEventListener("DOMContentLoaded", () => (window.shownAt = Date.now()));
    addEventListener(
      "load",
      () => (window.hadTracker = document.querySelector("[src*='/tracker-']") !== null),
    );
  });
  await openHydrated(page, `${site.url}${ESSAY}?q=secret`);
  // The tracker delays neither the first paint nor the page's own scripts.
  await expect.poll(() => page.evaluate(() => window.hadTracker)).toBe(false);
  await trackerOf(page);
  await expect(trackerFile(page)).toHaveCount(1);
  await stopClock(page);
  // Advances to 35 seconds, some of which may have passed already.
  const passed = await page.evaluate(() => Date.now() - window.shownAt!);
  await page.clock.fastForward(Math.max(0, 35_000 - passed));
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.clock.fastForward(10_000);
  await page.getByRole("banner").getByRole("link", { name: "Podcast" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Plain Ground");
  await page.clock.resume();
  // Without scrolling to the link.
  await page.locator("main a[href^='/episode/']").first().dispatchEvent("click");
  await page.waitForURL("**/episode/*");
  const episodeId = new URL(page.url()).pathname.split("/").at(-1)!;
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  const bar = barOf(page);
  await expect.poll(async () => Number(await bar.getByLabel("Seek").inputValue())).toBeGreaterThan(0);
  const audio = page.locator(`[data-episode="${episodeId}"] audio`);
  await audio.evaluate((element: HTMLAudioElement) => (element.currentTime = element.duration * 0.95));
  await expect
    .poll(() =>
      audio.evaluate((element: HTMLAudioElement) => element.currentTime > 0.95 * element.duration + 0.5),
    )
    .toBe(true);
  await leave(page);

  const article = await idOf("articles", "slug = 'the-second-appointment'");
  await expect
    .poll(async () => namesOf(await storedAbout(`episode ${episodeId}`)))
    .toContain("podcast_pause");
  const read = await storedAbout(`article ${article}`);
  // A slow machine may also pass the one-minute milestone.
  expect(
    namesOf(read)
      .filter((name) => name !== "time_on_page:60")
      .toSorted(),
  ).toEqual(
    [
      "page_view",
      "time_on_page:30",
      "scroll_depth:25",
      "scroll_depth:50",
      "scroll_depth:75",
      "scroll_depth:90",
      "engagement:copy_link",
      "reading_time",
    ].toSorted(),
  );
  expect(read[0]!.type).toBe("page_view");
  const seconds = read.find(({ type }) => type === "reading_time")!.seconds;
  expect(seconds).toBeGreaterThanOrEqual(44);
  expect(seconds).toBeLessThan(120);
  const listed = await storedAbout("page /podcast");
  const heard = await storedAbout(`episode ${episodeId}`);
  // Reading times depend on the machine.
  const besidesReading = (rows: Stored[]) => namesOf(rows).filter((name) => !isTime(name));
  expect(besidesReading(listed)).toEqual(["page_view"]);
  expect(besidesReading(heard)).toEqual(["page_view", "podcast_play", "podcast_complete", "podcast_pause"]);
  expect(heard[1]!.seconds).toBeLessThan(30);
  expect(await countStored()).toBe(read.length + listed.length + heard.length);
  expect(complaints).toEqual([]);

  const { cards, actions, sources } = await report();
  expect(cards.views.value).toBe(3);
  expect(cards.visitors.value).toBe(1);
  expect(actions.find(({ name }) => name === "time_on_page:30")?.count).toBeGreaterThan(0);
  const besidesTime = actions.filter(({ name }) => !isTime(name));
  expect(Object.fromEntries(besidesTime.map(({ name, count }) => [name, count]))).toEqual({
    "engagement:copy_link": 1,
    podcast_complete: 1,
    podcast_play: 1,
    "scroll_depth:25": 1,
    "scroll_depth:50": 1,
    "scroll_depth:75": 1,
    "scroll_depth:90": 1,
  });
  expect(sources).toEqual([{ name: "", count: 1 }]);
  await context.close();
});

test("a visitor who leaves before the scripts load is counted, and again after a return from the back/forward cache @full", async () => {
  const context = await aVisitor();
  const page = await context.newPage();
  await page.addInitScript(() => {
    const send = navigator.sendBeacon.bind(navigator);
    navigator.sendBeacon = (url, body) => {
      // Only the inline script sends text.
      if (typeof body === "string") localStorage.setItem("reported", body);
      else if (body instanceof Blob)
        void body
          .text()
          .then((text) => sessionStorage.setItem("sent", `${sessionStorage.getItem("sent") ?? ""}${text}\n`));
      return send(url, body);
    };
  });
  /** Whether the last reported view was the tab's first of that page. */
  const isUnique = async () => {
    const { origins } = await context.storageState();
    const reported = origins[0]?.localStorage.find(({ name }) => name === "reported")?.value;
    return (JSON.parse(reported!) as { events: AnalyticsEvent[] }).events[0]!.metadata.isUnique;
  };
  const unblock = await block(page, "*/assets/*.js");
  await page.goto(`${site.url}/mission`, { waitUntil: "commit" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await leave(page);
  await expect.poll(async () => namesOf(await storedAbout("page /mission"))).toEqual(["page_view"]);
  expect(await isUnique()).toBe(true);
  await unblock();
  await page.clock.install();
  await openHydrated(page, `${site.url}/three-es`);
  await trackerOf(page);
  await page.clock.fastForward(7000);
  const hide = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  await hide(true);
  // Reading time is sent immediately: a hidden tab may never return.
  const isMilestone = (name: string) => name.startsWith("time_on_page");
  await expect
    .poll(async () => namesOf(await storedAbout("page /three-es")).filter((name) => !isMilestone(name)))
    .toEqual(["page_view", "reading_time"]);
  const sent = (await page.evaluate(() => sessionStorage.getItem("sent")))!.trim().split("\n");
  const about = {
    timestamp: expect.any(Number),
    isUnique: true,
    url: `${site.url}/three-es`,
    title: await page.title(),
    path: "/three-es",
  };
  const common = {
    contentType: "page",
    contentId: "/three-es",
    userId: null,
    sessionId: expect.stringMatching(/^[\d-]{8,64}$/),
  };
  const reported = sent.flatMap((body) => (JSON.parse(body) as { events: AnalyticsEvent[] }).events);
  expect(reported.filter(({ eventType }) => !isMilestone(eventType))).toEqual([
    { ...common, eventType: "page_view", metadata: { ...about, referrer: "" } },
    {
      ...common,
      eventType: "reading_time",
      metadata: { ...about, readingTime: expect.any(Number), scrollDepth: 0 },
    },
  ]);
  await page.clock.fastForward(600_000);
  await hide(false);
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
  await leave(page);
  const readings = (rows: Stored[]) => rows.filter(({ type }) => type === "reading_time");
  await expect
    .poll(async () => namesOf(await storedAbout("page /three-es")).filter((name) => !isTime(name)))
    .toEqual(["page_view", "page_view"]);
  const read = readings(await storedAbout("page /three-es"));
  expect(read.reduce((sum, { seconds }) => sum + seconds, 0)).toBeLessThan(300);
  await block(page, "*/assets/*.js");
  await page.goto(`${site.url}/three-es`, { waitUntil: "commit" });
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await leave(page);
  await expect.poll(isUnique).toBe(false);
  await context.close();
});

test("a prerendered page is counted from when it is shown @full", async () => {
  const context = await aVisitor();
  await context.addInitScript(() =>
    Object.defineProperty(document, "prerendering", { value: true, configurable: true }),
  );
  const page = await context.newPage();
  await page.clock.install();
  const { untilFetched } = watchRequests(page);
  await openHydrated(page, `${site.url}/media-kit`);
  await page.clock.fastForward(3000);
  await expect(trackerFile(page)).toHaveCount(1);
  await untilFetched("tracker");
  await page.clock.fastForward(300_000);
  expect(await isTracking(page)).toBe(false);
  // With a stopped clock no reading time passes.
  await stopClock(page);
  await page.evaluate(() => {
    Object.defineProperty(document, "prerendering", { value: false });
    document.dispatchEvent(new Event("prerenderingchange"));
  });
  await expect.poll(() => isTracking(page)).toBe(true);
  await leave(page);
  await expect
    .poll(async () => namesOf(await storedAbout("page /media-kit")).slice(0, 2))
    .toEqual(["page_view"]);
  await context.close();
});

test("clicks and playback before the tracker loads are counted, too @full", async () => {
  const context = await aVisitor({ permissions: ["clipboard-write", "clipboard-read"] });
  const page = await context.newPage();
  const { promise: held, resolve: arrive } = Promise.withResolvers<void>();
  const trackerAddress = "**/assets/tracker-*.js";
  await page.route(trackerAddress, async (route) => {
    await held;
    await route.continue();
  });
  const episodeId = await idOf("episodes", "title = 'A visit at two in the afternoon'");
  await openHydrated(page, `${site.url}/episode/${episodeId}`);
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  const bar = barOf(page);
  await expect.poll(async () => Number(await bar.getByLabel("Seek").inputValue())).toBeGreaterThan(0);
  await bar.getByRole("button", { name: "Pause" }).click();
  const favourite = page
    .getByRole("main")
    .getByRole("button", { name: / to favourites$/ })
    .first();
  const readBack = favouriteReadBack(page);
  await favourite.click();
  await expect(favourite).toHaveAttribute("aria-pressed", "true");
  await readBack;
  expect(await isTracking(page)).toBe(false);
  arrive();
  await expect.poll(() => isTracking(page)).toBe(true);
  await page.unroute(trackerAddress);
  await leave(page);
  await expect
    .poll(async () =>
      namesOf(await storedAbout(`episode ${episodeId}`)).filter((name) => name !== "reading_time"),
    )
    .toEqual(expect.arrayContaining(["page_view", "podcast_play", "podcast_pause", "engagement:favorite"]));
  await context.close();
});

test("an episode resumed after a reload is counted from there, and completed only once @full", async () => {
  const context = await aVisitor();
  const page = await context.newPage();
  const episodeId = await idOf("episodes", "title = 'A visit at two in the afternoon'");
  const heard = async () =>
    (await storedAbout(`episode ${episodeId}`)).filter(({ type }) => type.startsWith("podcast_"));
  const before = (await heard()).length;
  await openHydrated(page, `${site.url}/episode/${episodeId}`);
  await expect.poll(() => isTracking(page)).toBe(true);
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  const bar = barOf(page);
  const seek = bar.getByLabel("Seek");
  await expect.poll(async () => Number(await seek.inputValue())).toBeGreaterThan(0);
  const late = Math.ceil(Number(await seek.getAttribute("max")) * 0.92);
  await seek.fill(String(late));
  await expect.poll(async () => Number(await seek.inputValue())).toBeGreaterThan(late);
  await bar.getByRole("button", { name: "Pause" }).click();

  await openHydrated(page, `${site.url}/mission`);
  await expect.poll(() => isTracking(page)).toBe(true);
  await bar.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(async () => Number(await seek.inputValue())).toBeGreaterThan(late + 1);
  await bar.getByRole("button", { name: "Pause" }).click();
  await leave(page);
  await expect.poll(async () => (await heard()).length - before).toBeGreaterThanOrEqual(5);
  const reported = (await heard()).slice(before);
  expect(reported.map(({ type }) => type)).toEqual([
    "podcast_play",
    "podcast_complete",
    "podcast_pause",
    "podcast_play",
    "podcast_pause",
  ]);
  expect(reported[3]!.seconds).toBe(reported[2]!.seconds);
  await context.close();
});

test("an article opened over the list is counted as on its own page, once; the list when the article is closed @full", async () => {
  const context = await aVisitor();
  const page = await context.newPage();
  await page.clock.install();
  await openHydrated(page, `${site.url}/conversations`);
  const link = page.getByRole("main").locator("h2 a[href^='/essays/']").nth(2);
  const [title, path] = [await link.innerText(), (await link.getAttribute("href"))!];
  const article = `article ${await idOf("articles", `slug = '${path.replace("/essays/", "")}'`)}`;
  const reader = page.getByRole("dialog", { name: title });
  const seen = async (content: string) =>
    namesOf(await storedAbout(content)).filter((name) => !name.startsWith("time_on_page"));
  const views = async (content: string) =>
    (await seen(content)).filter((name) => name === "page_view").length;

  // The click also loads the tracker.
  await link.click();
  await expect(reader).toBeVisible();
  await expect.poll(() => isTracking(page)).toBe(true);
  await page.clock.fastForward(10_000);
  await page.keyboard.press("Escape");
  await expect(reader).toHaveCount(0);
  await page.clock.fastForward(10_000);
  await expect.poll(async () => (await seen(article)).toSorted()).toEqual(["page_view", "reading_time"]);
  await expect.poll(() => views("page /conversations")).toBe(2);

  await link.click();
  await expect(reader).toBeVisible();
  const data = "**/essays/*.data*";
  const answer = await hold(page, data);
  await reader.getByRole("link", { name: "Open as a page" }).click();
  // A skeleton is shown while the page loads.
  await expect(reader).toHaveCount(0);
  answer();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await page.unroute(data);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Conversations" })).toBeVisible();
  await link.click();
  await expect(reader).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await leave(page);
  // Opened three times, once as a page, and reloaded once.
  await expect.poll(() => views(article)).toBe(4);
  await expect.poll(() => views("page /conversations")).toBe(3);
  await context.close();
});

test("without a connection no event is lost and no error is shown; the owner is not counted @full", async () => {
  const context = await aVisitor();
  const page = await context.newPage();
  const complaints = complaintsOf(context);
  await page.clock.install();
  const { untilFetched } = watchRequests(page);
  await openHydrated(page, `${site.url}/about`);
  await trackerOf(page);
  // Delayed events have been sent.
  await page.clock.fastForward(32_000);
  await untilFetched("deferred-widgets-entry", "toaster", "popup");
  await context.setOffline(true);
  await page.clock.fastForward(30_000);
  await page.clock.fastForward(6000);
  expect(complaints).toEqual([]);
  await context.setOffline(false);
  await expect
    .poll(async () => namesOf(await storedAbout("page /about")))
    .toEqual(["page_view", "time_on_page:30", "time_on_page:60"]);
  // Events sent on leaving a page arrive before the next ones are counted.
  await leave(page);
  await expect.poll(async () => namesOf(await storedAbout("page /about"))).toContain("reading_time");
  await context.close();

  const before = await countStored();
  await owner.goto(`${site.url}/contact`);
  await owner.goto(`${site.url}/admin/settings/features`);
  expect(await owner.evaluate(() => document.querySelector("[data-last]"))).toBeNull();
  // The queue preserves the order of its messages.
  const later = await (await aVisitor()).newPage();
  // Nor are reading times sent.
  await block(later, "*/assets/tracker-*.js");
  await later.goto(`${site.url}/guest`);
  await leave(later);
  await expect.poll(async () => namesOf(await storedAbout("page /guest"))).toEqual(["page_view"]);
  expect(await countStored()).toBe(before + 1);
});

test("searching, signing up, sharing, following, saving and commenting are events with their own names @full", async () => {
  const context = await aVisitor();
  const page = await context.newPage();
  await allowComments();
  /** Sends a form without a server; no route is left (see `leave`). */
  const answered = async (path: string, sent: () => Promise<void>) => {
    await page.route(path, (route) => route.fulfill({ json: {} }));
    await sent();
    await page.unroute(path);
  };
  const open = async (path: string) => {
    await openHydrated(page, site.url + path);
    await trackerOf(page);
  };
  const signUp = (within: Locator, button: string, expectDone: (within: Locator) => Promise<void>) =>
    answered("**/api/newsletter/subscribe", async () => {
      await within.getByLabel("Email address").fill("somebody@example.com");
      await within.getByRole("button", { name: button }).click();
      await expectDone(within);
    });
  /** The field is cleared permanently; the message disappears after five seconds. */
  const expectSent = (within: Locator) => expect(within.getByLabel("Email address")).toHaveValue("");
  const popup = page.getByRole("dialog", { name: "Before you go" });
  await page.clock.install();
  await open("/speaking");
  await page.clock.fastForward(30_000);
  await expect(async () => {
    await page.evaluate(() =>
      document.documentElement.dispatchEvent(new MouseEvent("mouseleave", { clientY: -1 })),
    );
    await page.clock.runFor(600);
    await expect(popup).toBeVisible({ timeout: 500 });
  }).toPass();
  await signUp(popup, "Subscribe", (within) => expect(within).toHaveCount(0));
  // The popup's history entry is removed shortly after: a navigation before that would be lost.
  await expect.poll(() => page.evaluate(() => history.state?.layers ?? 0)).toBe(0);
  await open("/about");
  const inline = page
    .getByRole("main")
    .locator("form", { has: page.getByRole("button", { name: "Subscribe" }) });
  await signUp(inline.first(), "Subscribe", expectSent);
  await open("/conversations");
  await signUp(page.getByRole("main"), "Subscribe", expectSent);
  await open("/");
  await signUp(page.locator("#newsletter"), "Subscribe Now", expectSent);
  // The link's target does not matter here.
  await page.evaluate(() => addEventListener("click", (event) => event.preventDefault()));
  await page.getByRole("contentinfo").getByRole("link", { name: "Podcast RSS" }).dispatchEvent("click");
  await open("/search?q=waiting");
  await open(ESSAY);
  await page.evaluate(() => addEventListener("click", (event) => event.preventDefault()));
  await page.getByRole("main").getByRole("link", { name: "Share on LinkedIn" }).dispatchEvent("click");
  await page.setViewportSize(phone);
  await open(OTHER_ESSAY);
  await page.evaluate(() => (navigator.share = () => Promise.resolve()));
  await page.getByRole("main").getByRole("button", { name: "Share", exact: true }).click();
  await page.setViewportSize(desktop);
  // No other test adds this episode.
  const episodeId = await idOf(
    "episodes",
    "status = 'published' and audio_file_id is not null and title <> 'A visit at two in the afternoon'",
  );
  await open(`/episode/${episodeId}`);
  const readBack = favouriteReadBack(page);
  await page
    .getByRole("main")
    .getByRole("button", { name: / to favourites$/ })
    .first()
    .click();
  await readBack;
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Add to playlist/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "New playlist…" }).click();
  const naming = page.getByRole("dialog", { name: "Create New Playlist" });
  await naming.getByLabel("Playlist Name").fill("Mine");
  await naming.getByRole("button", { name: "Create Playlist" }).click();
  await expectToast(page, "Added to Mine");
  const comment = page.getByRole("form", { name: "Write a comment" });
  await comment.getByLabel("Name").fill("Tunde");
  await comment.getByLabel("Email").fill("tunde@example.com");
  await comment.getByLabel("Comment").fill("I heard it twice.");
  await answered("**/api/comments", async () => {
    await comment.getByRole("button", { name: "Send comment" }).click();
    await expect(comment.getByRole("status").filter({ hasText: "Thank you." })).toBeVisible();
  });
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the audio" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.mp3$/);
  await leave(page);
  const done = async (content: string) =>
    namesOf(await storedAbout(content)).filter((name) => /^(engagement|search|newsletter|social)/.test(name));
  await expect
    .poll(() => done(`episode ${episodeId}`))
    .toEqual([
      "engagement:favorite",
      ...["add_to_playlist", "comment", "download"].map((name) => `engagement:${name}`),
    ]);
  const essayId = await idOf("articles", `slug = '${ESSAY.replace("/essays/", "")}'`);
  await expect
    .poll(() => done(`article ${essayId}`))
    .toEqual(expect.arrayContaining(["engagement:share", "social_click:linkedin"]));
  const otherId = await idOf("articles", `slug = '${OTHER_ESSAY.replace("/essays/", "")}'`);
  await expect.poll(() => done(`article ${otherId}`)).toEqual(["engagement:share"]);
  for (const [content, names] of [
    ["page /speaking", ["newsletter_signup:exit_intent_popup"]],
    ["page /", ["newsletter_signup:footer", "social_click:rss"]],
    ["page /about", ["newsletter_signup:inline_subscribe"]],
    ["page /conversations", ["newsletter_signup:page"]],
    ["page /search", ["search"]],
  ] as const)
    await expect.poll(async () => (await done(content)).toSorted()).toEqual(names);
  await context.close();
});

for (const signal of ["doNotTrack", "globalPrivacyControl"])
  test(`nothing is sent, stored or loaded for a browser that asks not to be tracked: ${signal}${signal === "doNotTrack" ? "" : " @full"}`, async () => {
    const context = await aVisitor();
    await context.addInitScript((name) => {
      Object.defineProperty(Navigator.prototype, name, { get: () => (name === "doNotTrack" ? "1" : true) });
    }, signal);
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.clock.install();
    await openHydrated(page, `${site.url}${ESSAY}`);
    await page.clock.fastForward(40_000);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.getByRole("banner").getByRole("link", { name: "Podcast" }).click();
    await page.waitForURL("**/podcast");
    expect(await page.evaluate(() => sessionStorage.getItem("analytics"))).toBeNull();
    await leave(page);
    expect(asked.filter((path) => /analytics|tracker-/.test(path))).toEqual([]);
    await context.close();
  });
