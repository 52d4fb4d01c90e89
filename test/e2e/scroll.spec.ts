import { expect, type Page } from "@playwright/test";
import { site, test } from "./support/demo.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";

/** Where in a page somebody is who comes back to it. */

/** Pixels. */
const LINE = 1;

/** Says where a page is, and leaves a place in it. */
function placesIn(page: Page) {
  const now = () => page.evaluate(() => Math.round(scrollY));
  // A document may be on its way out.
  const isAt = (place: number) =>
    expect(async () => expect(Math.abs((await now()) - place)).toBeLessThan(LINE)).toPass({
      timeout: 10_000,
    });
  // Fonts that come late move what is above, and the page with it.
  const scroll = async (to: number) => {
    await page.evaluate(() => document.fonts.ready);
    await expect(async () => {
      await page.evaluate((top) => scrollTo(0, top), to);
      expect(await now()).toBe(to);
    }).toPass({ timeout: 10_000 });
  };
  return { isAt, scroll };
}

/** A route of Playwright's would switch the browser's cache off: fonts would come late, and move what is above. */
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

test("a page is come back to at the place where it was left: by a reload, from another document, within one", async ({
  page,
}) => {
  const { isAt, scroll } = placesIn(page);
  await openHydrated(page, site.url);
  await scroll(900);
  await page.reload();
  await isAt(900);
  await hydrated(page);
  await isAt(900);
  await press(page, "Privacy");
  await expect(page).toHaveURL(`${site.url}/privacy-policy`);
  await isAt(0);
  // Each document's first entry has a place of its own.
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

test("an earlier page of a visit is come back to at its place as a new document: over others, or before React is there", async ({
  page,
}) => {
  const { isAt, scroll } = placesIn(page);
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

test("who comes back from another site is where they left", async ({ page }) => {
  const { isAt, scroll } = placesIn(page);
  await page.route("https://elsewhere.example/", (route) =>
    route.fulfill({ contentType: "text/html", body: "<h1>Elsewhere</h1>" }),
  );
  await openHydrated(page, site.url);
  await scroll(900);
  await page.goto("https://elsewhere.example/");
  // The page that was left ends in a process of its own, after the other is shown.
  await page.waitForTimeout(1000);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/`);
  await isAt(900);
});
