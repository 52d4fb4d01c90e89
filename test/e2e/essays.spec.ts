import { expect, type Browser, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { hold } from "./support/hold.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";
import { site, test } from "./support/demo.ts";
import { watchRequests } from "./support/requests.ts";

const TITLE = "The second appointment";
const PATH = "/essays/the-second-appointment";

/** The conversations page in its own window, and its console errors. */
async function openList(browser: Browser, options: Parameters<Browser["newContext"]>[0] = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  const complaints = complaintsOf(context);
  const page = await context.newPage();
  const { untilFetched } = watchRequests(page);
  const address = `${site.url}/conversations`;
  if (options.javaScriptEnabled === false) await page.goto(address);
  else await openHydrated(page, address);
  return { page, complaints, untilFetched, close: () => context.close() };
}

const titleOf = (page: Page) => page.getByRole("main").getByRole("link", { name: TITLE });
const reader = (page: Page) => page.getByRole("dialog", { name: TITLE });
const isScrollable = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).overflowY);

test("an article opens over the list with its own address and title, and the list stays", async ({
  browser,
}) => {
  const { page, complaints, close } = await openList(browser);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(new URL(request.url()).pathname));
  await titleOf(page).click();
  await expect(reader(page)).toBeVisible();
  await expect(page).toHaveURL(site.url + PATH);
  await expect(page).toHaveTitle(`${TITLE} | Imogen Tarrant`);
  await expect(reader(page).getByText("27 October 2026")).toBeVisible();
  await expect(reader(page).getByRole("heading", { name: "The same face" })).toBeAttached();
  await expect(
    page.getByRole("heading", { level: 1, name: "Conversations", includeHidden: true }),
  ).toBeAttached();
  await expectNoAxeFindings(page);
  await page.goBack();
  await expect(reader(page)).toHaveCount(0);
  await expect(page).toHaveURL(`${site.url}/conversations`);
  await expect(page).toHaveTitle(/^Conversations/);
  expect(requests.filter((path) => path.startsWith("/conversations"))).toEqual([]);
  await page.goForward();
  await expect(reader(page)).toBeVisible();
  await expect(page).toHaveURL(site.url + PATH);
  expect(complaints).toEqual([]);
  await close();
});

const ways: Record<string, (page: Page) => Promise<unknown>> = {
  Escape: (page) => page.keyboard.press("Escape"),
  "the Close button": (page) => reader(page).getByRole("button", { name: "Close" }).click(),
  "a click beside it": (page) => page.mouse.click(20, 400),
  "the browser's back": (page) => page.goBack(),
};
for (const [name, closeIt] of Object.entries(ways)) {
  test(`${name} closes it and restores focus, scroll position and address${name === "Escape" ? "" : " @full"}`, async ({
    browser,
  }) => {
    const { page, complaints, close } = await openList(browser);
    await titleOf(page).focus();
    const place = await page.evaluate(() => scrollY);
    expect(place).toBeGreaterThan(0);
    await page.keyboard.press("Enter");
    await expect(reader(page)).toBeVisible();
    expect(await isScrollable(page)).toBe("hidden");
    await closeIt(page);
    await expect(reader(page)).toHaveCount(0);
    await expect(page).toHaveURL(`${site.url}/conversations`);
    await expect(titleOf(page)).toBeFocused();
    await expect.poll(() => isScrollable(page)).toBe("visible");
    expect(await page.evaluate(() => scrollY)).toBe(place);
    expect(complaints).toEqual([]);
    await close();
  });
}

test("focus stays within it, and the page behind does not scroll @full", async ({ browser }) => {
  const { page, close } = await openList(browser);
  await titleOf(page).click();
  await expect(reader(page)).toBeVisible();
  await expect(reader(page)).toBeFocused();
  const place = await page.evaluate(() => scrollY);
  const isInside = () =>
    page.evaluate(() => {
      const { activeElement, body } = document;
      return activeElement === body || activeElement?.closest("dialog") !== null;
    });
  const stops = await reader(page).getByRole("link").or(reader(page).getByRole("button")).count();
  for (let step = 0; step < stops + 3; step++) {
    await page.keyboard.press("Tab");
    expect(await isInside()).toBe(true);
  }
  const dialogPlace = () => reader(page).evaluate((dialog) => dialog.scrollTop);
  await page.mouse.move(640, 400);
  await reader(page).evaluate((dialog) => dialog.scrollTo(0, 0));
  await page.mouse.wheel(0, 300);
  await expect.poll(dialogPlace).toBeGreaterThan(100);
  await page.mouse.move(20, 400);
  await page.mouse.wheel(0, 300);
  await page.waitForTimeout(200);
  expect(await page.evaluate(() => scrollY)).toBe(place);
  await close();
});

test("without a connection, a link in the article window shows a notice in view @full", async ({
  browser,
}) => {
  const { page, untilFetched, close } = await openList(browser);
  // The code that caches pages is loaded with it, some seconds after the first page.
  await untilFetched("deferred-widgets-entry");
  await titleOf(page).click();
  await expect(reader(page).getByRole("heading", { name: "The same face" })).toBeAttached();
  await page.route("**/*.data*", (route) => route.abort());
  await page.context().setOffline(true);
  const notice = reader(page).getByRole("alert").filter({ hasText: "You are offline" });
  const openAsPage = reader(page).getByRole("link", { name: "Open as a page" });
  await openAsPage.click();
  await expect(notice).toBeInViewport();
  await expectNoAxeFindings(page);
  await notice.getByRole("button", { name: "Close" }).click();
  await expect(notice).toHaveCount(0);
  await expect(reader(page)).toBeVisible();

  await openAsPage.click();
  await expect(notice).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(reader(page)).toHaveCount(0);
  await expect(page.getByRole("alert").filter({ hasText: "You are offline" })).toHaveCount(0);
  await expect(page).toHaveURL(`${site.url}/conversations`);
  await close();
});

test("reloading the address shows the essay's own page, and Back leads to the list @full", async ({
  browser,
}) => {
  const { page, complaints, close } = await openList(browser);
  await titleOf(page).click();
  await expect(reader(page)).toBeVisible();
  await page.reload();
  await hydrated(page);
  await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Conversations" })).toBeVisible();
  expect(complaints).toEqual([]);
  await close();
});

test("Open as a page leads to the essay's own page, and back from it to the list @full", async ({
  browser,
}) => {
  const { page, close } = await openList(browser);
  await titleOf(page).click();
  await reader(page).getByRole("link", { name: "Open as a page" }).click();
  await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeVisible();
  await expect(page).toHaveURL(site.url + PATH);
  await expect(page).toHaveTitle(/^The second appointment \|/);
  expect(await isScrollable(page)).toBe("visible");
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1, name: "Conversations" })).toBeVisible();
  await expect(page).toHaveTitle(/^Conversations/);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await close();
});

test("a filter shows the old list until the new one has loaded; another page shows placeholders @full", async ({
  browser,
}) => {
  const { page, close } = await openList(browser);
  const main = page.getByRole("main");
  await page.clock.install();
  const answerFilter = await hold(page, "**/conversations.data*");
  await page.getByRole("link", { name: "From LinkedIn" }).click();
  await expect(main).toHaveAttribute("aria-busy", "true");
  // Longer than the site's patience.
  await page.clock.runFor(5000);
  await expect(main).toHaveAttribute("aria-busy", "true");
  await expect(titleOf(page)).toBeVisible();
  answerFilter();
  await expect(page).toHaveURL(`${site.url}/conversations?source=linkedin`);
  await expect(titleOf(page)).toHaveCount(0);
  await expect(main).toHaveAttribute("aria-busy", "false");
  const answerPage = await hold(page, "**/podcast.data*");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Podcast" }).click();
  await expect(page.getByRole("list", { name: "Loading episodes" })).toBeVisible();
  answerPage();
  await expect(page).toHaveURL(`${site.url}/podcast`);
  await close();
});

test("an article that fails to load shows an error, and Try Again opens it @full", async ({ browser }) => {
  const { page, close } = await openList(browser);
  await page.route("**/essays/*.data*", (route) => route.abort());
  await titleOf(page).click();
  await expect(page.getByRole("alert")).toContainText("Failed to load this article. Please try again later.");
  await expectNoAxeFindings(page);
  await page.unroute("**/essays/*.data*");
  await page.getByRole("link", { name: "Try Again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeVisible();
  await page.goBack();
  await expect(titleOf(page)).toBeVisible();
  await close();
});

test("a page that is missing or fails to load has the site's name in its title @full", async ({
  browser,
}) => {
  const { page, close } = await openList(browser);
  for (const [path, title] of [
    ["/essays/none", "Essay not found"],
    ["/episode/999999", "Episode Not Found"],
    ["/letters/none", "Letter not found"],
    ["/podcast?before=none", "Page not found"],
  ] as const) {
    await page.goto(site.url + path);
    expect.soft(await page.title()).toBe(`${title} | Imogen Tarrant`);
  }
  await openHydrated(page, `${site.url}/essays`);
  await page.route("**/essays/*.data*", (route) =>
    // As the platform answers a request that took too long.
    route.fulfill({ status: 503, contentType: "text/html", body: "<!DOCTYPE html><h1>Error 1102</h1>" }),
  );
  await titleOf(page).first().click();
  const failure = "Failed to load this essay. Please try again later.";
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(failure);
  await expect(page).toHaveTitle(`${failure} | Imogen Tarrant`);
  await expect(page.getByText("An unexpected error occurred.")).toBeVisible();
  await expect(page.getByText("Error 1102")).toHaveCount(0);
  await close();
});

test("on a phone in the night edition it fills the window and axe finds nothing @full", async ({
  browser,
}) => {
  const { page, close } = await openList(browser, {
    viewport: { width: 360, height: 740 },
    colorScheme: "dark",
  });
  await titleOf(page).click();
  await expect(reader(page)).toBeVisible();
  expect(await reader(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 360, height: 740 });
  await expectNoAxeFindings(page);
  await close();
});

test("without JavaScript the filters are links and an article is its own page", async ({ browser }) => {
  const { page, close } = await openList(browser, { javaScriptEnabled: false });
  await page.getByRole("link", { name: "From LinkedIn" }).click();
  await expect(page).toHaveURL(`${site.url}/conversations?source=linkedin`);
  await expect(titleOf(page)).toHaveCount(0);
  await page.getByRole("link", { name: "What the bus timetable knows" }).click();
  await expect(page).toHaveURL(`${site.url}/essays/what-the-bus-timetable-knows`);
  await expect(page.getByText("1,284 likes")).toBeVisible();
  await close();
});
