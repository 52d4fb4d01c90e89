import { expect, type Page } from "@playwright/test";
import { shuffled } from "../../src/playlists/order.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { complaintsOf } from "./support/console.ts";
import { episodePath, episodes, site, test } from "./support/demo.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import {
  aListener,
  cardOf,
  expectOrder,
  itemsOf,
  openPanel,
  openPlaylist,
  playing,
  titlesOf,
} from "./support/listener.ts";
import { barOf, seekOf } from "./support/player.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";
import { desktop, phone } from "./support/windows.ts";

test("the create dialog ignores a blank name, shows an error beside its field, and is empty the next time @full", async ({
  browser,
}) => {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  await watchToasts(context);
  const page = await context.newPage();
  const asked: string[] = [];
  page.on("request", (request) => request.method() === "POST" && asked.push(request.url()));
  const panel = await openPanel(page);
  await expect(panel).toContainText("No playlists yet");
  await expect(panel).toContainText("Create your first playlist to get started.");
  await page.route("**/assets/playlist-dialog-*.js", (route) => route.abort(), { times: 1 });
  await panel.getByRole("button", { name: "New Playlist" }).click();
  await expectToast(page, "Check your connection and try again.");
  await panel.getByRole("button", { name: "New Playlist" }).click();
  const dialog = page.getByRole("dialog", { name: "Create New Playlist" });
  const name = dialog.getByLabel("Playlist Name");
  const create = dialog.getByRole("button", { name: "Create Playlist" });
  await expect(name).toBeFocused();
  await name.fill("   ");
  await create.click();
  await expect(dialog).toBeVisible();
  expect(asked.filter((url) => url.endsWith("/api/playlists"))).toEqual([]);

  const error = { error: { code: "invalid", message: "Another name, please.", field: "name" } };
  await page.route("**/api/playlists", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 422, json: error }) : route.continue(),
  );
  await name.fill("For the train");
  await dialog.getByLabel("Description (Optional)").fill("Forty minutes.");
  await create.click();
  await expect(name).toHaveAccessibleDescription("Another name, please.");
  await expect(name).toHaveValue("For the train");
  await page.unroute("**/api/playlists");
  await create.click();
  await expect(dialog).toBeHidden();
  await expect(cardOf(page, "For the train")).toContainText("Forty minutes.");
  await expect(cardOf(page, "For the train")).toContainText("0 episodes");
  await panel.getByRole("button", { name: "New Playlist" }).click();
  await expect(name).toHaveValue("");
  await context.close();
});

/** The address is missing within 15 seconds, however long the response to an earlier request took. */
async function goesWithin15Seconds(stranger: Page, address: string) {
  const end = Date.now() + 15_000;
  for (let isLast = false; ; await stranger.waitForTimeout(500)) {
    isLast = Date.now() > end;
    const status = (await stranger.request.get(address)).status();
    if (isLast) expect(status, address).toBe(404);
    if (status === 404) return;
  }
}

test("the list shows three placeholder cards while loading, and a failed load can be retried @full", async ({
  browser,
}) => {
  const { context, page, create } = await aListener(browser);
  await create("Kept", []);
  let answer: "never" | "fail" | "go" = "never";
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  await page.route("**/api/playlists", async (route) => {
    if (answer === "never") await stopped;
    return answer === "go" ? route.continue() : route.abort();
  });
  const panel = await openPanel(page);
  await expect(panel.getByRole("list", { name: "Loading playlists" }).locator("li")).toHaveCount(3);
  answer = "fail";
  stop();
  await expect(panel.getByRole("alert")).toContainText("Failed to load playlists.");
  answer = "go";
  await panel.getByRole("button", { name: "Try Again" }).click();
  await expect(cardOf(page, "Kept")).toBeVisible();
  await context.close();
});

test("Favourites and Recently Played show loading and failure, and appear after a retry @full", async ({
  browser,
}) => {
  const { context, page, send } = await aListener(browser);
  const { id } = episodes[1]!;
  await send("PUT", `/favorites/${id}`);
  await send("PUT", `/progress/${id}`, { progressSeconds: 30, completed: false });
  let isDown = true;
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  await page.route(/\/api\/(playlists|favorites)/, async (route) => {
    await stopped;
    return isDown ? route.fulfill({ status: 500, json: {} }) : route.continue();
  });
  const panel = await openPanel(page);
  const card = (name: string) =>
    panel.getByRole("listitem").filter({ has: page.getByRole("heading", { name, exact: true }) });
  const names = ["Favourites", "Recently Played"];
  for (const name of names) await expect(card(name)).toContainText("Loading");
  stop();
  for (const name of names) {
    await expect(card(name)).toContainText("Failed to load");
    await expect(card(name).getByRole("button", { name: `Play ${name}` })).toHaveCount(0);
  }
  await expect(card("Favourites")).not.toContainText("0 episodes");
  await expectNoAxeFindings(page);
  isDown = false;
  await panel.getByRole("button", { name: "Try Again" }).click();
  await expect(card("Favourites")).toContainText("1 episode");
  for (const name of names)
    await expect(card(name).getByRole("button", { name: `Play ${name}` })).toBeEnabled();
  await context.close();
});

test("Recently Played that alone failed to load is read again from its card @full", async ({ browser }) => {
  const { context, page } = await aListener(browser);
  await page.route("**/api/playlists/smart/**", (route) => route.abort(), { times: 1 });
  const panel = await openPanel(page);
  await panel.getByRole("button", { name: "Reload Recently Played" }).click();
  await expect(panel).toContainText("Your listening history");
  await context.close();
});

test("Recently Played and a smart playlist's card update while a new visitor plays @full", async ({
  browser,
}) => {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  await watchToasts(context);
  const page = await context.newPage();
  const panel = await openPanel(page);
  await panel.getByRole("button", { name: "Smart Playlist", exact: true }).click();
  await expect(cardOf(page, "Recently Played")).toContainText("0 episodes");
  const play = panel.getByRole("button", { name: "Play Recently Played" }).first();
  await expect(play).toBeDisabled();
  await page.getByRole("button", { name: "Play episode" }).click();
  await expect(play).toBeEnabled();
  await expect(cardOf(page, "Recently Played")).toContainText("1 episode");
  await context.close();
});

test("a deleted playlist shows a message and a way back @full", async ({ browser }) => {
  const { context, page, create, send } = await aListener(browser);
  const id = await create("Gone", []);
  const panel = await openPanel(page);
  await expect(cardOf(page, "Gone")).toBeVisible();
  await send("DELETE", `/playlists/${id}`);
  await panel.getByRole("button", { name: "Open Gone" }).click();
  await expect(panel).toContainText("Playlist not found");
  await panel.getByRole("button", { name: "Back to Playlists" }).click();
  await expect(panel).toContainText("No playlists yet");
  await context.close();
});

test("a late response does not replace the playlist opened since @full", async ({ browser }) => {
  const { context, page, create } = await aListener(browser);
  const [left, opened] = [await create("Left", []), await create("Opened", [])];
  const panel = await openPanel(page);
  const answer = await hold(page, `**/api/playlists/${left}`);
  await page.route(`**/api/playlists/${opened}`, (route) => route.abort(), { times: 1 });
  const asked = page.waitForRequest(`**/api/playlists/${left}`);
  await panel.getByRole("button", { name: "Open Left" }).click();
  await asked;
  await panel.getByRole("button", { name: "Your Playlists" }).click();
  await panel.getByRole("button", { name: "Open Opened" }).click();
  answer();
  await expect(panel.getByRole("alert")).toContainText("Failed to load this playlist.");
  await panel.getByRole("button", { name: "Try Again" }).click();
  await expect(panel.getByRole("heading", { name: "Opened" })).toBeFocused();
  await context.close();
});

test("Play All plays in list order, Shuffle in another, both continue; an item plays alone", async ({
  browser,
}) => {
  const { context, page, create } = await aListener(browser);
  const titles = titlesOf(4);
  await create("Evening", titles);
  const panel = await openPanel(page);
  await panel.getByRole("button", { name: "Play Evening" }).click();
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${titles[0]}`);
  const bar = barOf(page);
  /** At the end of an episode the next one of the list plays automatically. */
  const goOn = async (at: number, title: string) => {
    await expect(bar.getByLabel("Seek")).toBeEnabled();
    await bar.getByLabel("Seek").fill(String(Math.floor(episodes[at]!.durationSeconds) - 1));
    await expect(playing(page)).toHaveAccessibleName(`Open player: ${title}`);
    await expect.poll(async () => Number(await bar.getByLabel("Seek").inputValue())).toBeGreaterThan(0);
    await expect(bar.getByRole("button", { name: "Pause" })).toBeVisible();
  };
  await bar.getByRole("button", { name: "Next episode" }).click();
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${titles[1]}`);
  await panel.getByRole("button", { name: "Open Evening" }).click();
  await panel.getByRole("button", { name: "Play All" }).click();
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${titles[0]}`);
  await goOn(0, titles[1]!);
  await page.evaluate(() => (Math.random = () => 0));
  await panel.getByRole("button", { name: "Shuffle" }).click();
  const mixed = shuffled(titles, () => 0);
  expect(mixed[0]).not.toBe(titles[0]);
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${mixed[0]}`);
  await bar.getByRole("button", { name: "Next episode" }).click();
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${mixed[1]}`);
  await goOn(titles.indexOf(mixed[1]!), mixed[2]!);
  await itemsOf(page)
    .getByRole("button", { name: `Play ${titles[2]}` })
    .click();
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${titles[2]}`);
  await context.close();
});

test("Play All of a shared playlist plays that list, even if its first episode is already in the player @full", async ({
  browser,
}) => {
  const { context, page, create } = await aListener(browser, { viewport: desktop });
  const [first, second] = titlesOf(2) as [string, string];
  const id = await create("Shared", [first, second], true);
  await openHydrated(page, site.url + episodePath());
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  const bar = barOf(page);
  await bar.getByRole("button", { name: "Pause" }).click();
  await expect(bar.getByRole("button", { name: "Next episode" })).toBeDisabled();

  await openHydrated(page, `${site.url}/playlists/${id}`);
  const playAll = page.getByRole("main").getByRole("button", { name: "Play All" });
  await expect(bar.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await playAll.click();
  await expect(bar.getByRole("button", { name: "Next episode" })).toBeEnabled();
  // While it plays this list, the same button pauses and resumes it.
  await page.getByRole("main").getByRole("button", { name: "Pause", exact: true }).click();
  await expect(bar.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await playAll.click();
  await expect(bar.getByLabel("Seek")).toBeEnabled();
  await seekOf(page).fill(String(Math.floor(episodes[0]!.durationSeconds) - 1));
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${second}`);
  await expect(bar.getByRole("button", { name: "Pause" })).toBeVisible();
  await context.close();
});

test("a playlist is renamed, made public, private again, and deleted", async ({ browser }) => {
  const { context, page, create } = await aListener(browser, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const [title] = titlesOf(1) as [string];
  const id = await create("Old name", [title]);
  const panel = await openPlaylist(page, "Old name");
  const dialog = page.getByRole("dialog", { name: "Edit playlist" });
  const edit = async (change: () => Promise<unknown>) => {
    await panel.getByRole("button", { name: "Edit" }).click();
    await change();
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog).toBeHidden();
  };
  await edit(async () => {
    await dialog.getByLabel("Playlist Name").fill("New name");
    await dialog.getByLabel("Description (Optional)").fill("To pass on.");
    await dialog.getByRole("switch", { name: "Make playlist public" }).check();
  });
  await expect(panel.getByRole("heading", { name: "New name" })).toBeVisible();
  await expect(panel.getByText("Public", { exact: true })).toBeVisible();
  await panel.getByRole("button", { name: "Copy link" }).click();
  await expectToast(page, "Link copied!");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${site.url}/playlists/${id}`);

  const stranger = await (await browser.newContext()).newPage();
  expect((await stranger.goto(link))?.status()).toBe(200);
  await expect(stranger.getByRole("heading", { name: "New name", level: 1 })).toBeVisible();
  const feed = `${site.url}/rss/playlists/${id}.xml`;
  expect(await (await stranger.request.get(feed)).text()).toContain(title);

  await edit(() => dialog.getByRole("switch", { name: "Make playlist public" }).uncheck());
  await expect(panel.getByText("Public", { exact: true })).toBeHidden();
  // The edge only revalidates once it has noticed the change.
  for (const address of [link, feed]) await goesWithin15Seconds(stranger, address);
  await stranger.context().close();

  await panel.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete playlist" }).click();
  await expect(panel).toBeFocused();
  await expect(panel).toContainText("No playlists yet");
  await context.close();
});

test("Smart Playlist makes Recently Played, and its menu the other kinds; they are not put in order @full", async ({
  browser,
}) => {
  const { context, page, send } = await aListener(browser);
  const { id, title } = episodes[1]!;
  await send("PUT", `/progress/${id}`, { progressSeconds: 30, completed: false });
  const panel = await openPanel(page);
  await panel.getByRole("button", { name: "Smart Playlist", exact: true }).click();
  await expect(cardOf(page, "Recently Played")).toContainText("Smart");
  await expect(cardOf(page, "Recently Played")).toContainText("1 episode");
  await panel.getByRole("button", { name: "Other smart playlists" }).click();
  await page.getByRole("menuitem", { name: /^Not finished yet/ }).click();
  await panel.getByRole("button", { name: "Open Not finished yet" }).click();
  await expectOrder(page, [title]);
  await expect(page.getByRole("button", { name: /^(Reorder|Remove|Move) / })).toHaveCount(0);
  await expect(panel.getByRole("button", { name: "Edit" })).toHaveCount(0);
  await panel.getByRole("button", { name: "Your Playlists" }).click();
  await expect(panel.getByRole("button", { name: "Open Not finished yet" })).toBeFocused();
  await panel.getByRole("button", { name: "Play Recently Played" }).first().click();
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${title}`);
  await context.close();
});

test("axe and the console find nothing in the list, a playlist, the menu and the dialog, in both themes, and nothing overflows a phone @full", async ({
  browser,
}) => {
  const { context, page, create } = await aListener(browser, { viewport: phone });
  const complaints = complaintsOf(context);
  const long = `Donaudampfschifffahrtsgesellschaftskapitän ${"and so on ".repeat(7)}`.trim();
  await create(long, titlesOf(2), true);
  const panel = await openPanel(page);
  await expect(cardOf(page, long)).toBeVisible();
  const check = async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await setColorScheme(page, colorScheme);
      await expectNoAxeFindings(page);
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  };
  await check();
  await panel.getByRole("button", { name: "Other smart playlists" }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await expectNoAxeFindings(page);
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: "New Playlist" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await check();
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: `Open ${long}` }).click();
  await expectOrder(page, titlesOf(2));
  await check();
  expect(complaints).toEqual([]);
  await context.close();
});
