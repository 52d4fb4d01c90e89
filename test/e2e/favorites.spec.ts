import { expect } from "@playwright/test";
import { episodes, site, test } from "./support/demo.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { aListener, expectOrder, itemsOf, openPanel, openPlaylist, playing } from "./support/listener.ts";
import { watchRequests } from "./support/requests.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";

/** The two controls that add an episode to a list, on every page: the heart, and Add to playlist. */

test("an episode is added from its card and from its page, to a playlist and to a new one; twice is once", async ({
  browser,
}) => {
  const { context, page, create } = await aListener(browser);
  await create("Mine", []);
  const [first, second] = episodes;
  await openHydrated(page, `${site.url}/podcast`);
  const add = page.getByRole("button", { name: `Add to playlist: ${first!.title}` });
  const mine = page.getByRole("menuitem", { name: /^Mine/ });
  await add.click();
  await mine.click();
  await expectToast(page, "Added to Mine");
  await expect(add).toBeFocused();
  await add.press("Enter");
  await expect(page.getByRole("menuitem", { name: /^New playlist/ })).toBeVisible();
  await page.keyboard.press("Home");
  await expect(mine).toBeFocused();
  await page.keyboard.press("Enter");
  await expectToast(page, "Already in Mine");

  await openHydrated(page, `${site.url}/episode/${second!.id}`);
  await page.getByRole("button", { name: "Add to playlist" }).click();
  await page.getByRole("menuitem", { name: /^New playlist/ }).click();
  const dialog = page.getByRole("dialog", { name: "Create New Playlist" });
  await dialog.getByLabel("Playlist Name").fill("New one");
  await dialog.getByLabel("Playlist Name").press("Enter");
  await expectToast(page, "Added to New one");

  await openPlaylist(page, "Mine");
  await expectOrder(page, [first!.title]);
  await page.getByRole("button", { name: "Your Playlists", exact: true }).click();
  await page.getByRole("button", { name: "Open New one" }).click();
  await expectOrder(page, [second!.title]);
  await itemsOf(page)
    .getByRole("button", { name: `Remove ${second!.title}` })
    .click();
  await expect(page.getByText("No episodes in this playlist")).toBeVisible();
  await expect(page.getByRole("region", { name: "Your Playlists" })).toBeFocused();
  await expect(page.getByText("Add episodes to start building your playlist.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Play All" })).toBeDisabled();
  await expect(page.getByRole("button", { name: "Shuffle" })).toBeDisabled();
  await context.close();
});

test("a menu opens and closes in place, by keyboard too, and returns the focus @full", async ({
  browser,
}) => {
  const { context, page } = await aListener(browser);
  await openHydrated(page, `${site.url}/podcast`);
  const add = page.getByRole("button", { name: /^Add to playlist/ }).last();
  await add.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => scrollY);
  await add.press("Enter");
  await expect(page.getByRole("menuitem", { name: /^New playlist/ })).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(scrolled);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(add).toBeFocused();
  await add.click();
  await expect(page.getByRole("menu")).toBeVisible();
  await add.click();
  await expect(page.getByRole("menu")).toBeHidden();
  await context.close();
});

test("the heart is saved, and taken back when the server refuses @full", async ({ browser }) => {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  await watchToasts(context);
  const page = await context.newPage();
  const heart = page.getByRole("button", { name: `Add ${episodes[0]!.title} to favourites` });
  await openHydrated(page, `${site.url}/podcast`);
  expect(await page.evaluate(() => localStorage.getItem("user_id"))).toBeNull();
  const reloaded = page.waitForResponse((response) => response.url().endsWith("/api/favorites"));
  // Shown before the code that sends it is loaded.
  const release = await hold(page, "**/assets/favorites-*.js");
  await heart.click();
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  release();
  await reloaded;
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await openHydrated(page, `${site.url}/episode/${episodes[0]!.id}`);
  await expect(heart).toHaveAttribute("aria-pressed", "true");

  await page.route("**/api/favorites/*", (route) =>
    route.fulfill({ status: 429, json: { error: { code: "rate_limited", message: "Slow down a little." } } }),
  );
  await heart.click();
  await expectToast(page, "Slow down a little.");
  await expect(heart).toHaveAttribute("aria-pressed", "true");
  await page.unroute("**/api/favorites/*");
  const panel = await openPanel(page);
  await expect(panel.getByRole("listitem").filter({ hasText: "Favourites" })).toContainText("1 episode");
  await panel.getByRole("button", { name: "Play Favourites" }).click();
  await expect(playing(page)).toHaveAccessibleName(`Open player: ${episodes[0]!.title}`);
  await context.close();
});

test("favourites load without layout shift, and a visitor without any sends no request @full", async ({
  browser,
}) => {
  const { context, page, send } = await aListener(browser);
  await send("PUT", `/favorites/${episodes[0]!.id}`);
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  await page.route("**/api/favorites", async (route) => {
    await arrived;
    await route.continue();
  });
  const asking = page.waitForRequest("**/api/favorites");
  await openHydrated(page, `${site.url}/podcast`);
  await asking;
  await page.waitForLoadState("load");
  await page.evaluate(() => document.fonts.ready);
  const places = () =>
    page.locator("main li, main button").evaluateAll((elements) =>
      elements.map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x, y, width, height];
      }),
    );
  const before = await places();
  arrive();
  await expect(page.locator("[aria-pressed=true]")).toHaveCount(1);
  expect(await places()).toEqual(before);
  await context.close();

  const nobody = await browser.newContext();
  const other = await nobody.newPage();
  const asked: string[] = [];
  other.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const { untilFetched } = watchRequests(other);
  await openHydrated(other, `${site.url}/podcast`);
  // The scripts that are loaded some seconds after the first page.
  await untilFetched("deferred-widgets-entry");
  expect(asked.filter((path) => path.startsWith("/api/") && path !== "/api/analytics/events")).toEqual([]);
  await nobody.close();
});

test("without JavaScript there is no heart and no Add to playlist @full", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.url}/podcast`);
  await expect(page.getByRole("link", { name: /^Listen Now/ }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: /favourites|Add to playlist/ })).toHaveCount(0);
  await context.close();
});
