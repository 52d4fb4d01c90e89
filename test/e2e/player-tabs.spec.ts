import { expect, type Page } from "@playwright/test";
import { episodePath, episodes, site, test } from "./support/demo.ts";
import { openHydrated } from "./support/hydrated.ts";
import { barOf, isPlaying, jumps, openPage, passes, play, secondsOf, seekOf } from "./support/player.ts";

test("the tab that is asked to play silences the other @full", async ({ browser }) => {
  const first = await openPage(browser, episodePath());
  await play(first);
  const second = await first.context().newPage();
  await openHydrated(second, site.url + episodePath(1));
  await second.getByRole("button", { name: "Play in Audio Player" }).click();
  await passes(second, 0);
  await expect(barOf(first).getByRole("button", { name: "Play", exact: true })).toBeEnabled();
  await expect.poll(() => isPlaying(first)).toBe(false);
  expect(await isPlaying(second)).toBe(true);
  await first.context().close();
});

/** The episode and the second that the browser has stored. */
const storedIn = (page: Page) =>
  page.evaluate(() => {
    const { queue, currentTime } = JSON.parse(localStorage.getItem("player")!) as {
      queue: { tracks: { title: string }[]; index: number };
      currentTime: number;
    };
    return { title: queue.tracks[queue.index]!.title, seconds: Math.floor(currentTime) };
  });

/** As if another tab had been looked at, and this one again: it then stores what has changed. */
const lookAt = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

/** Pauses at the second that it is sent to. */
async function pauseAt(page: Page, seconds: number) {
  await barOf(page).getByRole("button", { name: "Pause" }).click();
  await expect.poll(() => isPlaying(page)).toBe(false);
  await seekOf(page).fill(String(seconds));
  await expect.poll(() => secondsOf(page)).toBe(seconds);
}

test("a paused tab resumes where its episode continued in another tab, keeps a different episode, and stores nothing outdated @full", async ({
  browser,
}) => {
  const first = await openPage(browser, episodePath());
  await play(first);
  const second = await first.context().newPage();
  await openHydrated(second, site.url + episodePath());
  await second.getByRole("button", { name: "Play in Audio Player" }).click();
  await expect.poll(() => isPlaying(first)).toBe(false);
  await passes(second, 0);
  await pauseAt(second, 30);
  await lookAt(second);
  await expect.poll(() => secondsOf(first)).toBe(30);
  await lookAt(first);
  expect(await storedIn(first)).toEqual({ title: episodes[0]!.title, seconds: 30 });
  await barOf(first).getByRole("button", { name: "Play", exact: true }).click();
  await jumps(first, 25);

  await openHydrated(second, site.url + episodePath(1));
  await second.getByRole("button", { name: "Play in Audio Player" }).click();
  await expect.poll(() => isPlaying(first)).toBe(false);
  await passes(second, 0);
  await pauseAt(second, 20);
  await lookAt(second);
  expect(await storedIn(second)).toEqual({ title: episodes[1]!.title, seconds: 20 });
  await lookAt(first);
  await expect(barOf(first)).toContainText(episodes[0]!.title);
  expect(await secondsOf(first)).toBeGreaterThanOrEqual(30);
  expect(await storedIn(first)).toEqual({ title: episodes[1]!.title, seconds: 20 });
  await first.context().close();
});
