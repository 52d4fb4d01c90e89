import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { episodePath, site, test } from "./support/demo.ts";
import { openHydrated } from "./support/hydrated.ts";
import { isPlaying, openPage, openSheet, passes, play, secondsOf } from "./support/player.ts";
import { watchRequests } from "./support/requests.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";
import { desktop, phone } from "./support/windows.ts";

test("without a connection a link stays on the page with a message, audio continues, and a later try navigates @full", async ({
  browser,
}) => {
  // The service worker's cache is tested in offline.spec.ts; not every browser has one.
  const page = await openPage(browser, episodePath(), { viewport: phone, serviceWorkers: "block" });
  const context = page.context();
  let documents = 0;
  page.on("request", (request) => (documents += Number(request.isNavigationRequest())));
  await play(page);
  // However long the machine takes.
  await page.evaluate(() => document.querySelectorAll("audio").forEach((audio) => (audio.loop = true)));
  await page.getByRole("link", { name: "All episodes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Plain Ground");
  const offline = page.getByRole("alert").filter({ hasText: "You are offline" });
  const tryAgain = offline.getByRole("button", { name: "Try Again" });
  // Its code is there from then on.
  await openSheet(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await context.setOffline(true);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Mission" }).click();
  await expect(offline).toBeVisible();
  await tryAgain.click();
  await expect(tryAgain).not.toHaveAttribute("aria-busy", "true");
  await expect(page).toHaveURL(`${site.url}/podcast`);
  await expectNoAxeFindings(page);
  await offline.getByRole("button", { name: "Close" }).click();
  await expect(offline).toHaveCount(0);
  // The menu that the link was in is closed.
  await expect(page.getByRole("main")).toBeFocused();
  await page.keyboard.press("Escape");
  // Back in the browser closes the sheet first.
  const sheet = await openSheet(page);
  // Else its data would still be in the browser's cache.
  await page.route("**/*.data*", (route) => route.abort());
  await page.goBack();
  await expect(sheet).toBeHidden();
  await page.goBack();
  await expect(offline).toBeVisible();
  await expect(page).toHaveURL(`${site.url}/podcast`);
  expect(await isPlaying(page)).toBe(true);
  await context.setOffline(false);
  await page.unroute("**/*.data*");
  await tryAgain.click();
  await expect(page).toHaveURL(site.url + episodePath());
  await expect(page.getByRole("button", { name: "Add to queue" })).toBeVisible();

  // The browser seems connected, and one file does not load.
  await page.route("**/assets/*.js", (route) => route.abort());
  const privacy = page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" });
  await privacy.click();
  await expect(offline).toBeVisible();
  await offline.getByRole("button", { name: "Close" }).press("Enter");
  await expect(privacy).toBeFocused();
  await privacy.press("Enter");
  await expect(offline).toBeVisible();
  await page.unroute("**/assets/*.js");
  await tryAgain.click();
  await expect(page).toHaveURL(`${site.url}/privacy-policy`);
  await expect(page.getByRole("heading", { level: 1, name: "Privacy Policy" })).toBeVisible();
  expect(await isPlaying(page)).toBe(true);
  expect(documents).toBe(0);
  await context.close();
});

test("after a deployment, pointing at a link whose code is missing reloads nothing, and clicking it navigates @full", async ({
  browser,
}) => {
  const page = await openPage(browser, episodePath());
  await play(page);
  const documents: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
  });
  await page.route("**/assets/page-*.js", (route) =>
    documents.length > 0 ? route.continue() : route.fulfill({ status: 404 }),
  );
  const link = page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" });
  const gone = page.waitForResponse((response) => response.status() === 404);
  await link.hover();
  await gone;
  await passes(page, await secondsOf(page));
  await link.click();
  await expect(page).toHaveTitle(/^Privacy Policy/);
  expect(new Set(documents)).toEqual(new Set(["/privacy-policy"]));
  await page.context().close();
});

test("without a connection a first press shows the error, and the next one works @full", async ({
  browser,
}) => {
  const context = await browser.newContext({
    viewport: desktop,
    serviceWorkers: "block",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await watchToasts(context);
  const page = await context.newPage();
  await page.clock.install();
  await openWithToaster(page, site.url + episodePath());
  const main = page.getByRole("main");
  const favourite = main.getByRole("button", { name: /^Add .* to favourites$/ }).first();
  const add = main.getByRole("button", { name: /^Add to playlist/ }).first();

  await context.setOffline(true);
  for (const button of [favourite, add, page.getByRole("button", { name: "Play in Audio Player" })]) {
    await button.click();
    await expectToast(page, "Check your connection and try again.");
    await page.clock.fastForward(5000);
    await expect(page.locator("[data-toast]")).toHaveCount(0);
  }
  await expect(favourite).toHaveAttribute("aria-pressed", "false");
  await expect(add).toHaveAttribute("aria-expanded", "false");

  await context.setOffline(false);
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  await passes(page, 0);
  const thrown: Error[] = [];
  page.on("pageerror", (error) => thrown.push(error));
  const saved = page.waitForResponse((response) => /\/api\/favorites\/\d+$/.test(response.url()));
  await favourite.click();
  await expect(favourite).toHaveAttribute("aria-pressed", "true");
  expect((await saved).ok()).toBe(true);
  await add.click();
  await expect(page.getByRole("menu")).toBeVisible();
  expect(thrown).toEqual([]);

  await openWithToaster(page, `${site.url}/essays`);
  await context.setOffline(true);
  await main.getByRole("button", { name: "Copy link" }).click();
  await expectToast(page, "Link copied!");
  await context.close();
});

/** The toaster is fetched some seconds after the page. */
async function openWithToaster(page: Page, url: string) {
  const { untilFetched } = watchRequests(page);
  await openHydrated(page, url);
  await page.clock.runFor(6000);
  await untilFetched("toaster");
  await page.clock.resume();
}
