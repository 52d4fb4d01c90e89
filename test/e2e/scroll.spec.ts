import { expect, type Page } from "@playwright/test";
import { site, test } from "./support/demo.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";

/** The scroll position of a page that is opened again. */

/** Pixels. */
const LINE = 1;
/** Only ends what hangs. */
const PATIENCE = { timeout: 60_000 };

/** Reads and sets a page's scroll position. */
function scrolling(page: Page) {
  const now = () => page.evaluate(() => Math.round(scrollY));
  // A document may be unloading.
  const isAt = (position: number) =>
    expect(async () => expect(Math.abs((await now()) - position)).toBeLessThan(LINE)).toPass(PATIENCE);
  // Late fonts move what is above, and the page with it.
  const scroll = async (to: number) => {
    await page.evaluate(() => document.fonts.ready);
    await expect(async () => {
      await page.evaluate((top) => scrollTo(0, top), to);
      expect(await now()).toBe(to);
    }).toPass(PATIENCE);
  };
  return { isAt, scroll };
}

/** Without Playwright's routes, which would disable the browser's cache: fonts would be late and move the page. */
async function blockScripts(page: Page) {
  const browser = await page.context().newCDPSession(page);
  await browser.send("Network.enable");
  await browser.send("Network.setBlockedURLs", { urls: ["*/assets/*.js"] });
}

const press = (page: Page, name: string) =>
  page
    .getByRole("contentinfo")
    .getByRole("link", { name })
    .evaluate((link: HTMLElement) => link.click());

test("restores the scroll position after a reload, from another document and within one", async ({
  page,
}) => {
  const { isAt, scroll } = scrolling(page);
  await openHydrated(page, site.url);
  await scroll(900);
  await page.reload();
  await isAt(900);
  await hydrated(page);
  await isAt(900);
  await press(page, "Privacy");
  await expect(page).toHaveURL(`${site.url}/privacy-policy`);
  await isAt(0);
  // Each document's first entry has a position of its own.
  await page.goto(`${site.url}/about`);
  await hydrated(page);
  await scroll(400);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/privacy-policy`);
  await hydrated(page);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/`);
  await isAt(900);
});

test("restores the scroll position of an earlier page as a new document, past others and before hydration @full", async ({
  page,
}) => {
  const { isAt, scroll } = scrolling(page);
  await openHydrated(page, site.url);
  await scroll(900);
  await press(page, "Privacy");
  await expect(page).toHaveURL(`${site.url}/privacy-policy`);
  await isAt(0);
  await scroll(1200);
  await page.goto(`${site.url}/about`);
  await hydrated(page);
  await page.evaluate(() => setTimeout(() => history.go(-2)));
  await expect(page).toHaveURL(`${site.url}/`);
  await isAt(900);
  await hydrated(page);
  await isAt(900);
  await page.goForward();
  await expect(page).toHaveURL(`${site.url}/privacy-policy`);
  await isAt(1200);
  await blockScripts(page);
  await page.reload();
  await isAt(1200);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/`);
  await isAt(900);
});

test("restores the scroll position on the way back from another site @full", async ({ page }) => {
  const { isAt, scroll } = scrolling(page);
  await page.route("https://elsewhere.example/", (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Elsewhere</h1>" }),
  );
  await page.addInitScript(() => addEventListener("pagehide", () => localStorage.setItem("isLeft", "yes")));
  await expect(async () => {
    await openHydrated(page, site.url);
    await scroll(900);
    await page.goto("https://elsewhere.example/");
    // The previous page ends in its own process after the next is shown; Chromium gives it half a second.
    await expect
      .poll(async () => JSON.stringify(await page.context().storageState()), { timeout: 5000 })
      .toContain("isLeft");
  }).toPass();
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/`);
  await isAt(900);
});
