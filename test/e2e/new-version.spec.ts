import { expect, type Page } from "@playwright/test";
import { enquiryAnswers } from "../../worker/enquiries/limits.ts";
import { episodePath, site, test } from "./support/demo.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { phone } from "./support/windows.ts";
import { barOf, isPlaying, openPage, secondsOf } from "./support/player.ts";

const UPDATED = "This site was just updated.";
const noticeOf = (page: Page) => page.getByRole("alert").filter({ hasText: UPDATED });

/** Simulates a deployment: files that the page has not loaded are missing. Documents are of the new version. */
async function deploy(page: Page) {
  // What every page loads ahead within its first seconds, for its notices.
  const isAhead = () => performance.getEntriesByType("resource").some(({ name }) => /\/toaster-/.test(name));
  await page.waitForFunction(isAhead);
  const loaded = () => page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  // With the modules that it imports in turn.
  let had: string[] = [];
  const isAllLoaded = async () => {
    const before = had.length;
    had = await loaded();
    return had.length === before;
  };
  await expect.poll(isAllLoaded, { intervals: [700] }).toBe(true);
  const known = new Set(had.map((name) => new URL(name).pathname));
  let isNewDocument = false;
  await page.route("**/*", (route) => {
    const request = route.request();
    const { pathname } = new URL(request.url());
    if (request.isNavigationRequest()) isNewDocument = true;
    if (isNewDocument || known.has(pathname) || !/^\/assets\/.*\.js$/.test(pathname)) return route.fallback();
    return route.fulfill({ status: 404, contentType: "text/html", body: "<h1>Page not found</h1>" });
  });
}

const countOf = async (table: string, email: string) =>
  site.env.DB.prepare(`select count(*) as n from ${table} where email = ?`).bind(email).first("n");

test("a newsletter sign-up from a tab of the version before arrives", async ({ browser }) => {
  const page = await openPage(browser, "/podcast");
  await deploy(page);
  const footer = page.locator("#newsletter");
  await footer.getByLabel("Email address").fill("old-tab@example.com");
  await footer.getByRole("button", { name: "Subscribe Now" }).click();
  await page.waitForURL("**/podcast#footer-sent");
  await expect(footer.getByText("Successfully subscribed! Check your email.")).toBeInViewport();
  expect((await site.mailTo("old-tab@example.com")).subject).toMatch(/^Confirm your subscription/);
  await page.context().close();
});

test("a message from a tab of the previous version arrives once, and is no longer a draft @full", async ({
  browser,
}) => {
  const page = await openPage(browser, "/contact");
  await deploy(page);
  const email = "old-message@example.com";
  await page.getByLabel("Name", { exact: true }).fill("Ada");
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Subject").fill("From yesterday");
  await page.getByLabel("Message", { exact: true }).fill("One\nTwo");
  await page.getByRole("button", { name: "Send message" }).dblclick();
  await page.waitForURL("**/contact#contact-sent");
  await expect(page.getByText(enquiryAnswers.message.success)).toBeVisible();
  await hydrated(page);
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("");
  expect(await countOf("enquiries", email)).toBe(1);
  const fields = await site.env.DB.prepare("select fields from enquiries where email = ?")
    .bind(email)
    .first("fields");
  expect(JSON.parse(String(fields))).toMatchObject({ message: "One\nTwo" });
  await page.context().close();
});

test("a message that is sent without a connection stays in its form @full", async ({ browser }) => {
  const page = await openPage(browser, "/contact");
  await page.getByLabel("Name", { exact: true }).fill("Ada");
  await page.getByLabel("Email", { exact: true }).fill("offline@example.com");
  await page.getByLabel("Subject").fill("Offline");
  await page.getByLabel("Message", { exact: true }).fill("Hello");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Send message" }).click();
  await expect(page.getByRole("alert")).toHaveText(enquiryAnswers.message.failure);
  await expect(page.getByLabel("Message", { exact: true })).toHaveValue("Hello");
  await page.context().close();
});

test("Play in a tab of the previous version starts, offers to reload, and continues after it @full", async ({
  browser,
}) => {
  const page = await openPage(browser, episodePath());
  await deploy(page);
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  await expect(noticeOf(page)).toContainText("Reload the page to continue.");
  await expect.poll(() => isPlaying(page)).toBe(true);
  await expect
    .poll(() =>
      page.evaluate(() => document.querySelector<HTMLAudioElement>("audio:not([controls])")!.currentTime),
    )
    .toBeGreaterThan(2);
  // Nothing that plays is cut off.
  await page.waitForTimeout(4500);
  await expect(barOf(page)).toBeHidden();
  await noticeOf(page).getByRole("button", { name: "Reload" }).click();
  await expect(barOf(page)).toBeVisible();
  expect(await secondsOf(page)).toBeGreaterThan(2);
  await page.context().close();
});

test("opening a dialog in a tab of the previous version reloads the page, unless text is typed @full", async ({
  browser,
}) => {
  const page = await openPage(browser, episodePath());
  await deploy(page);
  await page.locator("#newsletter").getByLabel("Email address").fill("typed@");
  const add = page.getByRole("button", { name: /^Add to playlist/ }).first();
  await add.click();
  await expect(noticeOf(page)).toContainText("Reload the page to continue.");
  await page.locator("#newsletter").getByLabel("Email address").fill("");
  await page.evaluate(() => Object.assign(window, { isOld: true }));
  await add.click();
  await expect(noticeOf(page)).toContainText("The page reloads in a moment.");
  await page.waitForFunction(() => !("isOld" in window));
  await hydrated(page);
  await add.click();
  await expect(page.getByRole("menu")).toBeVisible();
  await page.context().close();
});

/** Simulates a deployment while the page loads: these files are missing before it requests them. */
const withoutFiles = (page: Page, names: RegExp) =>
  page.route(names, (route) => route.fulfill({ status: 404, contentType: "text/html", body: "Not found" }));

test("a deployment in the first seconds of a page shows the notice, too @full", async ({ browser }) => {
  const page = await (await browser.newContext()).newPage();
  await withoutFiles(page, /\/assets\/(toaster|add-menu)-/);
  await openHydrated(page, site.url + episodePath());
  const asked = page.waitForEvent("dialog");
  const pressing = page
    .getByRole("button", { name: /^Add to playlist/ })
    .first()
    .click();
  const dialog = await asked;
  expect(dialog.message()).toContain(UPDATED);
  await dialog.dismiss();
  await pressing;
  await page.context().close();
});

test("the admin area reports missing code of an old version, and never reloads automatically @full", async ({
  browser,
}) => {
  const page = await (await browser.newContext()).newPage();
  await signInAsOwner(page, site);
  await withoutFiles(page, /\/assets\/convert-pasted-/);
  await openHydrated(page, `${site.url}/admin/articles/new`);
  await page.getByLabel("Title", { exact: true }).fill("Not saved");
  const text = page.getByLabel("Text", { exact: true });
  await text.evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", "<h2>Bold <b>words</b></h2><ul><li>One</li></ul>");
    clipboardData.setData("text/plain", "Bold words");
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(noticeOf(page)).toContainText("Reload the page to continue.");
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Not saved");
  await page.context().close();
});

test("without a connection a failed import is reported as such, and the page stays @full", async ({
  browser,
}) => {
  const page = await openPage(browser, episodePath());
  await page.waitForTimeout(6000);
  await page.context().setOffline(true);
  await page
    .getByRole("button", { name: /^Add to playlist/ })
    .first()
    .click();
  await expect(page.getByText("Check your connection and try again.")).toBeVisible();
  await expect(noticeOf(page)).toBeHidden();
  await page.context().close();
});

test("the first press on Play in a page of the previous version sounds until it is paused, and reloads then @full", async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: phone });
  const page = await context.newPage();
  const counted = page.waitForRequest("**/tracker-*.js");
  await page.goto(site.url + episodePath(), { waitUntil: "load" });
  await counted;
  await page.evaluate(() => Object.assign(window, { isOld: true }));
  await withoutFiles(page, /\/assets\/.*\.js/);
  const play = page.getByRole("button", { name: "Play in Audio Player" });
  await play.click();
  // The failed imports have been noticed.
  await page.waitForFunction(() => document.querySelector("head script[type=module]"));
  await page.waitForFunction(() => window.earlyPlay!.audio.currentTime > 2);
  expect(await page.evaluate(() => [window.earlyPlay!.audio.paused, "isOld" in window])).toEqual([
    false,
    true,
  ]);
  await play.click();
  await page.waitForFunction(() => !("isOld" in window));
  await context.close();
});

test("a page of the previous version with missing files is reloaded once", async ({ browser }) => {
  const page = await (await browser.newContext()).newPage();
  let documents = 0;
  page.on("request", (request) => void (request.isNavigationRequest() && documents++));
  await page.route("**/assets/shell-*.js", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(`${site.url}/contact`);
  await page.waitForTimeout(3000);
  expect(documents).toBe(2);
  await page.unroute("**/assets/shell-*.js");
  await openHydrated(page, `${site.url}/contact`);
  await page.context().close();
});
