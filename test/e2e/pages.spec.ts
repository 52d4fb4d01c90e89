import { expect, type Browser, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { episodePath, site, test } from "./support/demo.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { forbidStorage } from "./support/storage.ts";
import { desktop, phone } from "./support/windows.ts";
import { barOf, seekOf } from "./support/player.ts";

test("a path of the admin area is found, in capitals and encoded, too", async ({ request }) => {
  for (const path of ["/admin/login", "/ADMIN/Login", "/%61dmin/login"])
    expect(await (await request.get(site.url + path)).text()).toContain('type="password"');
});

test("the mobile menu opens, is free of axe findings, and closes with Escape", async ({ browser }) => {
  const page = await newPage(browser, { viewport: phone });
  await page.goto(site.url);
  const toggle = page.getByRole("button", { name: "Menu" });
  const menu = page.getByRole("navigation", { name: "Menu" });
  await toggle.click();
  await expect(menu.getByRole("link", { name: "Podcast" })).toBeVisible();
  await expectNoAxeFindings(page);
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(toggle).toBeFocused();
  await page.context().close();
});

test("the mobile menu closes when the keyboard focus moves behind it @full", async ({ browser }) => {
  const page = await newPage(browser, { viewport: phone });
  await openHydrated(page, site.url);
  const toggle = page.getByRole("button", { name: "Menu" });
  const menu = page.getByRole("navigation", { name: "Menu" });
  const search = page.getByRole("banner").getByRole("link", { name: "Search" });
  await toggle.press("Enter");
  await menu.getByRole("radio", { checked: true }).focus();
  await expect(menu).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(menu).toBeHidden();
  await expect(page.getByRole("main").locator(":focus")).toBeVisible();
  await toggle.press("Enter");
  await expect(menu).toBeVisible();
  await page.keyboard.press("Shift+Tab");
  await expect(menu).toBeHidden();
  await expect(search).toBeFocused();
  await page.context().close();
});

test("the mobile menu opens before the scripts have loaded @full", async ({ browser }) => {
  const page = await newPage(browser, { viewport: phone });
  await page.route("**/assets/*.js", () => {});
  await page.goto(site.url, { waitUntil: "commit" });
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(page.getByRole("navigation", { name: "Menu" })).toBeVisible();
  await page.context().close();
});

/** What the public style sheet has for browsers that have no popovers. */
const WITHOUT_POPOVERS = "@supports not selector(:popover-open)";

/** As in Safari 16: a popover is an element like others, and its buttons do nothing. */
async function removePopovers(page: Page) {
  await page.addInitScript(() => {
    for (const name of ["popover", "showPopover", "hidePopover", "togglePopover"] as const)
      Reflect.deleteProperty(HTMLElement.prototype, name);
    const ignore = (event: Event) => {
      if (event.target instanceof Element && event.target.closest("[popovertarget]")) event.preventDefault();
    };
    addEventListener("click", ignore, true);
  });
  await page.route("**/assets/*.css", async (route) => {
    const response = await route.fetch();
    const style = await response.text();
    const body = `@layer base{[popover]{display:block}}${style.replace(WITHOUT_POPOVERS, "@media all")}`;
    await route.fulfill({ response, body });
  });
}

test("in a browser without popovers the mobile menu is closed until it is pressed @full", async ({
  browser,
}) => {
  const page = await newPage(browser, { viewport: phone });
  const complaints = complaintsOf(page.context());
  await removePopovers(page);
  await openHydrated(page, site.url);
  const menu = page.getByRole("navigation", { name: "Menu" });
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).click();
  await expect(menu).toBeInViewport();
  await page.getByRole("main").focus();
  await menu.getByRole("button", { name: "Close" }).click();
  await expect(menu).toBeHidden();
  await page.getByRole("button", { name: "Menu" }).click();
  await menu.getByRole("link", { name: "Podcast" }).click();
  await expect(page).toHaveURL(`${site.url}/podcast`);
  await expect(menu).toBeHidden();
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("a player bar whose code failed to load appears with the next episode @full", async ({ browser }) => {
  const page = await newPage(browser, {});
  const thrown: Error[] = [];
  page.on("pageerror", (error) => thrown.push(error));
  await page.route("**/assets/bar-*.js", (route) => route.abort());
  await openHydrated(page, site.url + episodePath());
  const failed = page.waitForEvent("requestfailed", (request) => /\/bar-[^/]+\.js$/.test(request.url()));
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  await failed;
  const bar = barOf(page);
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(bar).toHaveCount(0);
  await page.unroute("**/assets/bar-*.js");
  await page.getByRole("link", { name: "All episodes" }).click();
  await page
    .getByRole("link", { name: /^Listen Now/ })
    .nth(1)
    .click();
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  await expect(bar).toBeVisible();
  expect(thrown).toEqual([]);
  await page.context().close();
});

test("the code that follows a transcript loads at the second try, after a failed first @full", async ({
  browser,
}) => {
  const page = await newPage(browser, { viewport: desktop });
  await page.route("**/assets/follow-entry-*.js", (route) => route.abort());
  await openHydrated(page, site.url + episodePath());
  const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/follow-entry-"));
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  await failed;
  await page.unroute("**/assets/follow-entry-*.js");
  await page.getByRole("link", { name: "All episodes" }).click();
  await expect(page).toHaveURL(`${site.url}/podcast`);
  await page.goBack();
  await page.getByRole("main").locator("summary", { hasText: "Transcript" }).press("Enter");
  await page.evaluate(() => scrollTo(0, 0));
  await expect(page.getByRole("button", { name: "Back to what is playing" })).toBeVisible();
  await page.context().close();
});

test("results do not change the search field while the visitor types; otherwise it shows their query", async ({
  browser,
}) => {
  const page = await newPage(browser, {});
  await openHydrated(page, `${site.url}/search?q=housing`);
  const release = await hold(page, "**/search.data*");
  const field = page.getByRole("searchbox");
  await field.fill("rent");
  await field.press("Enter");
  await page.keyboard.type(" control");
  release();
  await expect(page).toHaveURL(`${site.url}/search?q=rent`);
  await expect(field).toHaveValue("rent control");
  await expect(field).toBeFocused();
  await field.blur();
  await page.goBack();
  await expect(field).toHaveValue("housing");
  await page.context().close();
});

test("a press release opened from a search result is expanded @full", async ({ browser }) => {
  const page = await browser.newPage({ viewport: desktop });
  const { items } = (await (await fetch(`${site.url}/api/press?type=press_release`)).json()) as {
    items: { id: number; title: string; contentHtml: string }[];
  };
  const release = items.findLast(({ contentHtml }) => contentHtml !== "")!;
  await openHydrated(page, `${site.url}/search?kind=press&q=${encodeURIComponent(release.title)}`);
  await page.getByRole("main").getByRole("link", { name: release.title }).click();
  await expect(page).toHaveURL(`${site.url}/media?item=${release.id}#press-${release.id}`);
  await expect(page.locator("details[open]")).toHaveCount(1);
  await expect(page.locator(`#press-${release.id}`)).toBeInViewport();
  await page.context().close();
});

test("a page that failed is tried again by a link to it, which needs no scripts @full", async ({
  browser,
}) => {
  const page = await newPage(browser, {});
  await openHydrated(page, site.url);
  await page.route("**/podcast.data*", (route) => route.abort());
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Podcast" }).click();
  const tryAgain = page.getByRole("alert").getByRole("link", { name: "Try Again" });
  await expect(tryAgain).toHaveAttribute("href", "/podcast");
  await page.unroute("**/podcast.data*");
  await page.evaluate(() => (window.name = "the same document"));
  await tryAgain.click();
  await expect(page.getByRole("link", { name: /^Listen Now/ }).first()).toBeVisible();
  expect(await page.evaluate(() => window.name)).toBe("the same document");
  await page.context().close();
});

test("on a phone, failed audio can be retried and continues @full", async ({ browser }) => {
  const page = await newPage(browser, { viewport: phone });
  let isBroken = true;
  await page.route("**/media/podcast-audio/**", (route) => (isBroken ? route.abort() : route.continue()));
  await page.goto(site.url + episodePath());
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  const bar = barOf(page);
  await expect(bar.getByText("Couldn’t be loaded.")).toBeVisible();
  isBroken = false;
  await bar.getByRole("button", { name: "Try again" }).click();
  await expect.poll(async () => Number(await bar.getByLabel("Seek").inputValue())).toBeGreaterThan(0);
  await page.context().close();
});

/** Runs in the page: whether this data, and all modules that were asked for ahead, are here. */
function isFetchedAhead(path: string) {
  const fetched = performance
    .getEntriesByType("resource")
    .filter((entry) => (entry as PerformanceResourceTiming).responseEnd > 0)
    .map(({ name }) => name);
  const modules = [...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")];
  return fetched.some((name) => name.includes(path)) && modules.every(({ href }) => fetched.includes(href));
}

test("a page that was never visited opens without a connection while an episode plays @full", async ({
  browser,
}) => {
  const page = await newPage(browser, {});
  await page.goto(site.url + episodePath());
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  const seek = seekOf(page);
  const seconds = async () => Number(await seek.inputValue());
  await expect.poll(seconds).toBeGreaterThan(0);
  await expect.poll(() => page.evaluate(isFetchedAhead, "/podcast.data")).toBe(true);
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "All episodes" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Plain Ground" })).toBeVisible();
  const before = await seconds();
  await expect.poll(seconds).toBeGreaterThan(before);
  await page.context().close();
});

test("a change of page is said to screen readers", async ({ browser }) => {
  const page = await newPage(browser, {});
  await openHydrated(page, site.url);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Podcast" }).click();
  await page.waitForURL("**/podcast");
  await expect(page.locator("[aria-live=polite]").first()).toHaveText(/Plain Ground/);
  await page.context().close();
});

test("without JavaScript an episode can be read, and heard through the browser's own control", async ({
  browser,
}) => {
  const page = await newPage(browser, { javaScriptEnabled: false });
  await page.goto(`${site.url}/podcast`);
  await page.getByRole("link", { name: "Listen Now" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.locator("audio[controls]")).toHaveAttribute("src", /^\/media\//);
  await page.context().close();
});

test("the home page's button opens the listener's playlists in place, and closes them @full", async ({
  browser,
}) => {
  const page = await newPage(browser, { viewport: desktop });
  await page.goto(site.url);
  const panel = page.getByRole("region", { name: "Your Playlists" });
  await page.getByRole("button", { name: "Show your playlists" }).click();
  await expect(panel).toContainText("Organise your favourite episodes");
  await expect(panel).toContainText("No playlists yet");
  await expect(panel).toContainText("Create your first playlist to get started.");
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "Hide your playlists" }).click();
  await expect(panel).toBeHidden();
  await page.context().close();
});

test("a picture alone fills its grid cell @full", async ({ browser }) => {
  const page = await newPage(browser, { viewport: desktop });
  await page.goto(`${site.url}/podcast`);
  const picture = (await page.locator("main header img").boundingBox())!;
  const title = (await page.getByRole("heading", { level: 1 }).boundingBox())!;
  expect(picture.width).toBeLessThan(300);
  expect(picture.x + picture.width).toBeLessThan(title.x);
  expect(Math.abs(picture.y - title.y)).toBeLessThan(100);
  await page.context().close();
});

test("the chosen theme is stored, and an unknown value falls back to the system's", async ({ browser }) => {
  const page = await newPage(browser, { colorScheme: "dark" });
  await page.goto(site.url);
  await page.evaluate(() => localStorage.setItem("theme", "light"));
  await page.reload();
  await expect(page.locator("html")).toHaveClass(/\blight\b/);
  await page.evaluate(() => localStorage.setItem("theme", "mauve"));
  await page.reload();
  await expect(page.locator("html")).toHaveClass(/\bdark\b/);
  await page.context().close();
});

test("with storage forbidden pages work, and a chosen theme lasts while the page is open @full", async ({
  browser,
}) => {
  const page = await newPage(browser, { colorScheme: "light" });
  await forbidStorage(page.context());
  await openHydrated(page, site.url);
  await page.getByRole("group", { name: "Colour theme" }).getByText("Dark").click();
  await expect(page.locator("html")).toHaveClass(/\bdark\b/);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Podcast" }).click();
  await expect(page).toHaveURL(`${site.url}/podcast`);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.emulateMedia({ colorScheme: "light" });
  // The page hears of it with its next frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await expect(page.locator("html")).toHaveClass(/\bdark\b/);
  await page.context().close();
});

const newPage = async (browser: Browser, options: Parameters<Browser["newContext"]>[0]) =>
  (await browser.newContext(options)).newPage();
