import { expect, type Browser, type Page } from "@playwright/test";
import { newListener, sendAs } from "../../support/listener-api.ts";
import { episodes, site } from "./demo.ts";
import { openHydrated } from "./hydrated.ts";
import { watchToasts } from "./toasts.ts";

/** A listener in a separate browser, with playlists if given. */
export async function aListener(browser: Browser, options: Parameters<Browser["newContext"]>[0] = {}) {
  const id = newListener();
  const localStorage = [{ name: "user_id", value: id }];
  const storageState = { cookies: [], origins: [{ origin: site.url, localStorage }] };
  const context = await browser.newContext({ reducedMotion: "reduce", storageState, ...options });
  await watchToasts(context);
  const page = await context.newPage();
  const send = (method: string, path: string, body?: unknown) => sendAs(id, site.url, method, path, body);
  const create = async (name: string, titles: string[], isPublic = false) => {
    const response = await send("POST", "/playlists", { name, isPublic });
    const playlist = (await response.json()) as { id: string };
    for (const title of titles) {
      const { id: episodeId } = episodes.find((episode) => episode.title === title)!;
      await send("POST", `/playlists/${playlist.id}/items`, { episodeId });
    }
    return playlist.id;
  };
  return { context, page, send, create };
}

/** The first so many episodes' titles. */
export const titlesOf = (count: number) => episodes.slice(0, count).map(({ title }) => title);

export async function openPanel(page: Page) {
  await openHydrated(page, site.url);
  await page.getByRole("button", { name: "Show your playlists" }).click();
  const panel = page.getByRole("region", { name: "Your Playlists" });
  await expect(panel.getByRole("heading", { name: "Your Playlists" })).toBeVisible();
  return panel;
}

export async function openPlaylist(page: Page, name: string) {
  const panel = await openPanel(page);
  await panel.getByRole("button", { name: `Open ${name}` }).click();
  await expect(panel.getByRole("heading", { name })).toBeFocused();
  return panel;
}

export const itemsOf = (page: Page) => page.getByRole("list", { name: "Episodes of the playlist" });
export const expectOrder = (page: Page, titles: string[]) =>
  expect(itemsOf(page).getByRole("link")).toHaveText(titles);
export const cardOf = (page: Page, name: string) =>
  page.getByRole("article").filter({ has: page.getByRole("heading", { name, exact: true }) });
export const playing = (page: Page) => page.getByRole("button", { name: /^Open player: / });
