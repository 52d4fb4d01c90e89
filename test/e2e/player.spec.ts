import { expect, type Page } from "@playwright/test";
import { stopClock } from "./support/clock.ts";
import { complaintsOf } from "./support/console.ts";
import { episodePath, episodes, site, test } from "./support/demo.ts";
import { hold } from "./support/hold.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";
import {
  barOf,
  isPlaying,
  jumps,
  leaveQueue,
  openPage,
  passes,
  play,
  playQueue,
  secondsOf,
  seekOf,
  stopsAt,
} from "./support/player.ts";
import { forbidStorage } from "./support/storage.ts";
import { desktop, phone } from "./support/windows.ts";

test("an episode plays, seeks, and at its end the next one is selected and paused", async ({ browser }) => {
  const page = await openPage(browser, "/");
  const complaints = complaintsOf(page.context());
  await playQueue(page);
  const bar = barOf(page);
  await passes(page, 0);
  await expect(bar.getByRole("button", { name: "Previous episode" })).toBeDisabled();
  await expect(bar.getByRole("button", { name: "Next episode" })).toBeEnabled();
  const end = Number(await seekOf(page).getAttribute("max"));
  expect(Math.round(end)).toBe(episodes[0]!.durationSeconds);
  await seekOf(page).fill(String(Math.floor(end) - 1));
  await expect(bar).toContainText(episodes[1]!.title);
  await expect(bar.getByRole("button", { name: "Play", exact: true })).toBeEnabled();
  await expect.poll(() => secondsOf(page)).toBe(0);
  await expect.poll(() => isPlaying(page)).toBe(false);
  await bar.getByRole("button", { name: "Previous episode" }).click();
  await expect(bar).toContainText(episodes[0]!.title);
  for (let step = 1; step < episodes.length; step++) {
    await bar.getByRole("button", { name: "Next episode" }).click();
    await expect(bar).toContainText(episodes[step]!.title);
  }
  await expect(bar.getByRole("button", { name: "Next episode" })).toBeDisabled();
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("a second Back while the first one’s page is fetched leads two pages back, and the audio continues @full", async ({
  browser,
}) => {
  const page = await openPage(browser, "/mission");
  const heading = page.getByRole("heading", { level: 1 });
  const mission = (await heading.textContent())!;
  const links = page.getByRole("banner").getByRole("link");
  await links.filter({ hasText: "Podcast" }).click();
  await page.waitForURL("**/podcast");
  await page.getByRole("button", { name: "Play latest" }).click();
  await passes(page, 0);
  await links.filter({ hasText: "About" }).click();
  await page.waitForURL("**/about");
  const release = await hold(page, "**/podcast.data*");
  await page.evaluate(() => {
    const moves = window as unknown as { moves: number };
    moves.moves = 0;
    addEventListener("popstate", () => moves.moves++);
  });
  const back = () => page.evaluate(() => history.back());
  await back();
  // There and back: the page stays until the other one can be shown.
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { moves: number }).moves))
    .toBeGreaterThanOrEqual(2);
  await expect(page).toHaveURL(`${site.url}/about`);
  await back();
  await expect(heading).toHaveText(mission);
  await expect(page).toHaveURL(`${site.url}/mission`);
  await passes(page, await secondsOf(page));
  release();
  await page.evaluate(() => history.forward());
  await expect(heading).toHaveText("Plain Ground");
  await expect(page).toHaveURL(`${site.url}/podcast`);
  await page.context().close();
});

test("it plays on across pages, also by a link in a text; after a reload it is at the same second, paused, and loads nothing until asked", async ({
  browser,
}) => {
  const page = await openPage(browser, episodePath());
  await play(page);
  await seekOf(page).fill("40");
  await passes(page, 40);
  // As the owner writes one.
  await page
    .locator("main .reading")
    .first()
    .evaluate((text) => text.insertAdjacentHTML("beforeend", '<a href="/mission">the mission</a>'));
  await page.getByRole("link", { name: "the mission", exact: true }).click();
  await page.waitForURL("**/mission");
  await passes(page, await secondsOf(page));
  await page.goBack();
  // So that a slow machine does not reach its end.
  await seekOf(page).fill("40");
  await passes(page, 40);
  await page.getByRole("link", { name: "All episodes" }).click();
  await page.waitForURL("**/podcast");
  await passes(page, await secondsOf(page));
  await page.getByRole("slider", { name: "Volume" }).fill("0.3");
  await page.keyboard.press(">");
  await barOf(page).getByRole("button", { name: "Pause" }).click();
  await expect.poll(() => isPlaying(page)).toBe(false);
  const before = await page.evaluate(() => Math.round(document.querySelector("audio")!.currentTime));
  await expect.poll(() => secondsOf(page)).toBe(before);

  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/media/podcast-audio/")) asked.push(request.url());
  });
  await page.goto(`${site.url}/about`);
  const bar = barOf(page);
  await expect(bar).toContainText(episodes[0]!.title);
  expect(await secondsOf(page)).toBe(before);
  await expect(bar.getByLabel("Volume")).toHaveValue("0.3");
  await expect(bar).toContainText("1.25×");
  expect(await isPlaying(page)).toBe(false);
  expect(asked).toEqual([]);
  await bar.getByRole("button", { name: "Play", exact: true }).press("Enter");
  await passes(page, before);
  await jumps(page, before - 1);
  await expect(bar.getByRole("button", { name: "Pause" })).toBeFocused();
  expect(await page.evaluate(() => document.querySelector("audio")?.playbackRate)).toBe(1.25);
  await page.context().close();
});

test("a seek made while the audio is loading wins over the last visit's position @full", async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: desktop });
  await leaveQueue(context);
  const page = await context.newPage();
  await openHydrated(page, `${site.url}/about`);
  // Before React's next turn: as the press of a thumb that waits for it.
  await seekOf(page).evaluate((slider: HTMLInputElement) => {
    const goElsewhere = () => {
      if (slider.disabled) return;
      observer.disconnect();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(slider, "70");
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const observer = new MutationObserver(goElsewhere);
    observer.observe(slider, { attributeFilter: ["disabled"] });
  });
  await barOf(page).getByRole("button", { name: "Play", exact: true }).click();
  await jumps(page, 65);
  await context.close();
});

test("an invalid saved state is ignored; without storage it plays and remembers nothing @full", async ({
  browser,
}) => {
  const page = await openPage(browser, episodePath());
  await page.evaluate(() => localStorage.setItem("player", '{"queue":{"tracks":[{"id":1}],"index":0}'));
  await page.reload();
  await play(page);
  const saved = () => page.evaluate(() => localStorage.getItem("player"));
  await expect.poll(saved).toContain(episodes[0]!.title);
  await page.context().close();

  const context = await browser.newContext();
  await forbidStorage(context);
  const forbidden = await context.newPage();
  await openHydrated(forbidden, site.url + episodePath());
  await play(forbidden);
  await context.close();
});

/** The second from which it plays next. After a failure, played ranges are reported from 0. */
const nextStart = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        addEventListener("playing", ({ target }) => resolve((target as HTMLAudioElement).currentTime), {
          capture: true,
          once: true,
        }),
      ),
  );

test("failed audio shows an error, and a retry resumes at the same position", async ({ browser }) => {
  const page = await openPage(browser, episodePath());
  await play(page);
  await seekOf(page).fill("30");
  await passes(page, 30);
  await barOf(page).getByRole("button", { name: "Pause" }).click();
  await page.reload();
  await hydrated(page);
  await page.route("**/media/podcast-audio/**", (route) => route.abort());
  const bar = barOf(page);
  await bar.getByRole("button", { name: "Play", exact: true }).click();
  await expect(bar.getByText("Couldn’t be loaded.")).toBeVisible();
  await page.unroute("**/media/podcast-audio/**");
  const from = nextStart(page);
  await bar.getByRole("button", { name: "Try again" }).click();
  expect(await from).toBeGreaterThan(29);
  await page.context().close();
});

test("a recording that was replaced since the last visit plays from the stored position, from the bar and from its page @full", async ({
  browser,
}) => {
  const GONE = "/media/podcast-audio/replaced.mp3";
  const context = await browser.newContext({ viewport: desktop });
  await leaveQueue(context, GONE);
  const page = await context.newPage();
  const gone: string[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith(GONE)) gone.push(response.url());
  });
  await openHydrated(page, `${site.url}/about`);
  const bar = barOf(page);
  const from = nextStart(page);
  await bar.getByRole("button", { name: "Play", exact: true }).click();
  expect(await from).toBeGreaterThan(39);
  await expect(bar.getByText("Couldn’t be loaded.")).toHaveCount(0);
  expect(gone).toHaveLength(1);

  // The page has the new address, which is requested immediately.
  const path = episodePath(1);
  const chapters = page.locator("section", { has: page.getByRole("heading", { name: "Chapters" }) });
  const presses = [
    { press: page.getByRole("button", { name: "Play in Audio Player" }), place: 40 },
    { press: chapters.getByRole("link").nth(1), place: 0 },
  ];
  for (const { press, place } of presses) {
    gone.length = 0;
    await openHydrated(page, site.url + path);
    await expect(bar).toContainText(episodes[1]!.title);
    await press.click();
    await expect(bar.getByRole("button", { name: "Pause" })).toBeEnabled();
    await passes(page, place + 1);
    expect(gone).toEqual([]);
    await expect(bar.getByRole("button", { name: "Next episode" })).toBeEnabled();
  }
  await context.close();
});

test("a recording that fails is not loaded again and again @full", async ({ browser }) => {
  const context = await browser.newContext({ viewport: desktop });
  await leaveQueue(context, "/media/podcast-audio/replaced.mp3");
  const page = await context.newPage();
  const asked: string[] = [];
  await page.route("**/media/podcast-audio/**", (route) => {
    asked.push(route.request().url());
    return route.abort();
  });
  await openHydrated(page, `${site.url}/about`);
  const bar = barOf(page);
  await bar.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(() => asked.length).toBe(2);
  await expect(bar.getByText("Couldn’t be loaded.")).toBeVisible();
  const answer = page.waitForResponse((response) => response.url().includes("/api/episodes/"));
  await bar.getByRole("button", { name: "Try again" }).click();
  await (await answer).finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(bar.getByText("Couldn’t be loaded.")).toBeVisible();
  expect(asked).toHaveLength(3);
  expect(new Set(asked).size).toBe(2);
  await context.close();
});

test("an episode added before the stored queue is restored goes to its end @full", async ({ browser }) => {
  const context = await browser.newContext({ viewport: desktop });
  await leaveQueue(context);
  const page = await context.newPage();
  const release = await hold(page, "**/assets/bar-*.js");
  await openHydrated(page, site.url + episodePath(2));
  await page.getByRole("button", { name: "Add to queue" }).click();
  await expect(page.getByRole("button", { name: "Add to queue" })).toBeDisabled();
  release();
  await expect(barOf(page)).toContainText(episodes[1]!.title);
  expect(await secondsOf(page)).toBe(40);
  // As the page is left.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  const stored = await page.evaluate(() => localStorage.getItem("player"));
  const { queue, currentTime } = JSON.parse(stored!) as {
    queue: { tracks: { id: number }[]; index: number };
    currentTime: number;
  };
  expect(queue.tracks.map(({ id }) => id)).toEqual([0, 1, 3, 4, 2].map((at) => episodes[at]!.id));
  expect([queue.index, currentTime]).toEqual([1, 40]);
  await barOf(page).getByRole("button", { name: "Play", exact: true }).click();
  await jumps(page, 39);
  await context.close();
});

test("the system's own controls show and move it @full", async ({ browser }) => {
  const context = await browser.newContext({ viewport: desktop });
  await context.addInitScript(() => {
    const actions: Record<string, unknown> = {};
    Object.assign(window, { actions });
    MediaSession.prototype.setActionHandler = (action, handler) => void (actions[action] = handler);
  });
  const page = await context.newPage();
  await openHydrated(page, site.url);
  await playQueue(page);
  await passes(page, 0);
  const act = (name: string, details = {}) =>
    page.evaluate(
      ([action, given]) =>
        (window as unknown as { actions: Record<string, ((given: unknown) => void) | null> }).actions[
          action as string
        ]?.(given),
      [name, details],
    );
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe(episodes[0]!.title);
  await act("pause");
  const from = await stopsAt(page);
  await act("seekto", { seekTime: from + 12 });
  await jumps(page, 10);
  await act("seekforward");
  await jumps(page, 38);
  await act("play");
  await passes(page, from + 42);
  await act("pause");
  await expect.poll(() => isPlaying(page)).toBe(false);
  await act("nexttrack");
  await expect(barOf(page)).toContainText(episodes[1]!.title);
  await expect
    .poll(() => page.evaluate(() => navigator.mediaSession.metadata?.title))
    .toBe(episodes[1]!.title);
  await context.close();
});

for (const viewport of [phone, desktop]) {
  test(`what is said does not cover the bar in a window of ${viewport.width} px @full`, async ({
    browser,
  }) => {
    const page = await openPage(browser, episodePath(), { viewport, reducedMotion: "reduce" });
    await play(page);
    await page.getByRole("link", { name: "All episodes" }).click();
    await page
      .getByRole("link", { name: /^Listen Now/ })
      .nth(1)
      .click();
    // The toast stays while the clock is stopped.
    await stopClock(page);
    await page.getByRole("button", { name: "Add to queue" }).click();
    const end = async () => {
      await page.clock.runFor(20);
      // For a missing element boundingBox would wait, while the clock is stopped.
      if ((await page.locator("[data-toast]").count()) === 0) return Infinity;
      const box = await page.locator("[data-toast]").boundingBox();
      return box ? box.y + box.height : Infinity;
    };
    const seek = (await seekOf(page).boundingBox())!;
    await expect.poll(end).toBeLessThan(seek.y);
    await page.context().close();
  });
}
