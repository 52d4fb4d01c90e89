import { expect, type Page } from "@playwright/test";
import { HYDRATED } from "../../src/document/deferred-hydration.ts";
import { STORAGE_KEY } from "../../src/document/early-play.ts";
import { complaintsOf } from "./support/console.ts";
import { episodePath, episodes, site, test } from "./support/demo.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { sweepsAll } from "./support/windows.ts";
import { barOf, seekOf } from "./support/player.ts";

/** What is pressed after the first paint, before React has hydrated the page. */

const play = (page: Page) => page.getByRole("button", { name: "Play in Audio Player" });
const favourite = (page: Page) => page.getByRole("button", { name: /favourites$/ });

/** A parameter that keeps the player's stored state of an earlier visit. */
const KEEPS = "?keeps-player";

/** As a visitor who never listened, or, with `KEEPS`, has a player from an earlier visit. */
const asNewcomer = (page: Page) =>
  page.addInitScript(
    ({ event, key, keeps }) => {
      addEventListener(event, () => (window.isHydrated = true));
      const stored = localStorage.getItem(key);
      localStorage.clear();
      if (location.search === keeps && stored) localStorage.setItem(key, stored);
    },
    { event: HYDRATED, key: STORAGE_KEY, keeps: KEEPS },
  );

/** Opens a page and waits for its first paint, no longer. */
async function openPainted(page: Page, path: string) {
  await page.goto(site.url + path, { waitUntil: "commit" });
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0, null, {
    polling: 5,
  });
}

/** Where it is at this moment: a person does not wait until it is stable. */
async function press(page: Page, button: ReturnType<typeof play>) {
  const { x, y } = await button.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  });
  await page.mouse.click(x, y);
}

/** Of the player: the page of an episode has an element of its own besides, with controls. */
const audioIn = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLAudioElement>("audio:not([controls])")].map(
      ({ paused, currentTime, volume, playbackRate }) => ({ paused, currentTime, volume, playbackRate }),
    ),
  );

async function expectSound(page: Page, after = 0) {
  await expect(barOf(page).getByRole("button", { name: "Pause" })).toBeEnabled();
  await expect
    .poll(async () => (await audioIn(page)).map((audio) => !audio.paused && audio.currentTime > after))
    .toEqual([true]);
}

const VISITS = sweepsAll ? 50 : 12;
/** Milliseconds after the first paint within which the test presses. */
const SOON = 400;

test("none of many presses at any moment after the first paint is lost, scrolled or not @full", async ({
  page,
}) => {
  const complaints = complaintsOf(page.context());
  await asNewcomer(page);
  // In half of the visits the browser is never idle, so that some presses are early on any machine.
  await page.addInitScript(() => {
    if (Math.random() < 0.5) window.requestIdleCallback = () => 1;
  });
  let early = 0;
  for (let visit = 0; visit < VISITS; visit++) {
    // From another IP address, because requests of one address are limited.
    await page.setExtraHTTPHeaders({ "CF-Connecting-IP": `203.0.113.${visit}` });
    await openPainted(page, episodePath() + (visit % 4 > 1 ? KEEPS : ""));
    if (visit % 2 === 1) await page.evaluate(() => scrollBy(0, 40));
    await page.evaluate((moment) => new Promise((then) => setTimeout(then, moment)), Math.random() * SOON);
    if (!(await page.evaluate(() => window.isHydrated))) early++;
    const buttons = [play(page), favourite(page)];
    for (const button of visit % 3 === 0 ? buttons.toReversed() : buttons) await press(page, button);
    await expectSound(page);
    await expect(favourite(page)).toHaveAttribute("aria-pressed", "true");
  }
  expect(early, "presses before hydration").toBeGreaterThan(0);
  expect(complaints).toEqual([]);
});

test("a page that can play loads the player's file again if it failed on an earlier page @full", async ({
  page,
}) => {
  await page.addInitScript((key) => localStorage.setItem(key, "{}"), STORAGE_KEY);
  let failed = 0;
  await page.route(
    "**/assets/player-*.js*",
    (route) => {
      failed++;
      return route.abort();
    },
    { times: 1 },
  );
  await openHydrated(page, `${site.url}/about`);
  await expect.poll(() => failed).toBe(1);
  await page.getByRole("link", { name: "Podcast" }).first().click();
  await page.waitForURL(/\/podcast$/);
  await page.locator(`main a[href="${episodePath()}"]`).first().click();
  await play(page).click();
  await expectSound(page);
});

/** Keeps React away until the returned function is called. */
const holdScripts = (page: Page) => hold(page, "**/assets/*.js");

/** The state of the audio that an early press started; it is not in the document yet. */
const earlyAudio = (page: Page) =>
  page.evaluate(() => {
    const { audio } = window.earlyPlay!;
    return { paused: audio.paused, currentTime: audio.currentTime };
  });

test("Play starts the audio once without any script file, and the player adopts it", async ({ page }) => {
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(".mp3")) requests.push(request.url());
  });
  const release = await holdScripts(page);
  await asNewcomer(page);
  await openPainted(page, episodePath());
  await press(page, play(page));
  await expect.poll(async () => (await earlyAudio(page)).currentTime).toBeGreaterThan(0.5);
  const asked = requests.length;
  release();
  await expectSound(page, 0.5);
  await expect(page.getByRole("button", { name: "Pause", exact: true }).first()).toBeVisible();
  expect(requests.length, "the audio is fetched once").toBe(asked);
  expect(Number(await seekOf(page).getAttribute("max"))).toBeCloseTo(episodes[0]!.durationSeconds, 0);
});

test("a second early press pauses, and it stays paused @full", async ({ page }) => {
  const release = await holdScripts(page);
  await asNewcomer(page);
  await openPainted(page, episodePath());
  await press(page, play(page));
  await expect.poll(async () => (await earlyAudio(page)).currentTime).toBeGreaterThan(0);
  await press(page, play(page));
  expect((await earlyAudio(page)).paused).toBe(true);
  release();
  await expect(barOf(page).getByRole("button", { name: "Play", exact: true })).toBeEnabled();
  expect((await audioIn(page)).map(({ paused }) => paused)).toEqual([true]);
});

test("an early press on Play resumes the earlier visit's position, volume and speed @full", async ({
  page,
}) => {
  await asNewcomer(page);
  await openPainted(page, episodePath());
  await press(page, play(page));
  await expectSound(page);
  // Where no player runs that would write its own.
  await page.goto(`${site.url}/admin/login${KEEPS}`);
  await page.evaluate((key) => {
    const stored = JSON.parse(localStorage.getItem(key)!) as object;
    localStorage.setItem(key, JSON.stringify({ ...stored, currentTime: 42, volume: 0.5, rate: 1.5 }));
  }, STORAGE_KEY);
  const release = await holdScripts(page);
  await openPainted(page, episodePath() + KEEPS);
  await press(page, play(page));
  await expect.poll(async () => (await earlyAudio(page)).currentTime).toBeGreaterThan(42);
  release();
  await expectSound(page, 42);
  expect(await audioIn(page)).toEqual([expect.objectContaining({ volume: 0.5, playbackRate: 1.5 })]);
});

test("an early press plays though the stored state is malformed @full", async ({ page }) => {
  const complaints = complaintsOf(page.context());
  await asNewcomer(page);
  await page.goto(`${site.url}/admin/login${KEEPS}`);
  await page.evaluate(
    ({ key, audioUrl }) => {
      const queue = { tracks: [{ audioUrl }], index: 0 };
      localStorage.setItem(key, JSON.stringify({ queue, currentTime: "1e999", volume: 4, rate: "fast" }));
    },
    { key: STORAGE_KEY, audioUrl: await audioUrlOfNewest() },
  );
  const release = await holdScripts(page);
  await openPainted(page, episodePath() + KEEPS);
  await press(page, play(page));
  await expect.poll(async () => (await earlyAudio(page)).currentTime).toBeGreaterThan(0);
  release();
  await expectSound(page);
  expect(complaints).toEqual([]);
});

test("a press between hydration and the player's mount plays, and one that is replayed does not pause it @full", async ({
  page,
}) => {
  await asNewcomer(page);
  const release = await holdScripts(page);
  await openPainted(page, episodePath());
  await page.evaluate((event) => dispatchEvent(new Event(event)), HYDRATED);
  await press(page, play(page));
  await expect.poll(async () => (await earlyAudio(page)).currentTime).toBeGreaterThan(0);
  await play(page).evaluate((button: HTMLElement) => button.click());
  expect((await earlyAudio(page)).paused).toBe(false);
  await page.evaluate(() => (window.hasPlayer = true));
  await press(page, play(page));
  expect((await earlyAudio(page)).paused).toBe(false);
  release();
});

async function audioUrlOfNewest() {
  const page = await (await fetch(site.url + episodePath())).text();
  return /data-plays="([^"]+)"/.exec(page)![1]!;
}
