import { expect, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { episodes, site } from "./demo.ts";
import { openHydrated } from "./hydrated.ts";
import { watchToasts } from "./toasts.ts";
import { desktop } from "./windows.ts";

type Options = Parameters<Browser["newContext"]>[0];

export async function openPage(browser: Browser, path: string, options: Options = { viewport: desktop }) {
  const context = await browser.newContext(options);
  await watchToasts(context);
  const page = await context.newPage();
  await openHydrated(page, site.url + path);
  return page;
}

export const barOf = (page: Page) => page.getByRole("region", { name: "Audio player" });
export const seekOf = (page: Page) => barOf(page).getByLabel("Seek");
export const secondsOf = async (page: Page) => Number(await seekOf(page).inputValue());
export const passes = (page: Page, seconds: number) =>
  expect.poll(() => secondsOf(page)).toBeGreaterThan(seconds);

export const stopsAt = async (page: Page) => {
  await expect.poll(() => isPlaying(page)).toBe(false);
  return page.evaluate(() => document.querySelector<HTMLAudioElement>("audio:not([controls])")!.currentTime);
};

/** Seconds that it has jumped over: what passes by playing does not count. */
const jumped = (page: Page) =>
  page.evaluate(() => {
    const { played, currentTime } = document.querySelector<HTMLAudioElement>("audio:not([controls])")!;
    let heard = 0;
    for (let at = 0; at < played.length; at++) heard += played.end(at) - played.start(at);
    return currentTime - heard;
  });
export const jumps = (page: Page, seconds: number) =>
  expect.poll(() => jumped(page)).toBeGreaterThan(seconds);

/** Plays the newest episode from its page. */
export async function play(page: Page) {
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  await expect(barOf(page).getByRole("button", { name: "Pause" })).toBeEnabled();
  await passes(page, 0);
}

/** Plays the newest five from the home page. */
export async function playQueue(page: Page) {
  await page.getByRole("button", { name: "Play episode" }).click();
  await expect(barOf(page).getByRole("button", { name: "Pause" })).toBeEnabled();
}

export const openSheet = async (page: Page) => {
  await barOf(page)
    .getByRole("button", { name: /^Open player/ })
    .click();
  const sheet = page.getByRole("dialog");
  await expect(sheet).toBeVisible();
  return sheet;
};

export const isPlaying = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll("audio")].some((audio) => !audio.paused));

/** Clears the queue that the player stores when the page is left, so that the next document starts without it. */
export const forgetQueue = (page: Page) =>
  page.evaluate(() => addEventListener("pagehide", () => localStorage.removeItem("player")));

/** As an earlier visit would; `audioUrl` is of a recording that was replaced since. */
export async function leaveQueue(context: BrowserContext, audioUrl?: string) {
  const tracks = await Promise.all(
    episodes.map(async ({ id }) => {
      const episode = (await (await fetch(`${site.url}/api/episodes/${id}`)).json()) as object;
      return { ...episode, show: "Plain Ground", ...(audioUrl && { audioUrl }) };
    }),
  );
  await context.addInitScript(
    (saved) => localStorage.setItem("player", saved),
    JSON.stringify({ queue: { tracks, index: 1 }, currentTime: 40, duration: 90, volume: 1, rate: 1.5 }),
  );
}
