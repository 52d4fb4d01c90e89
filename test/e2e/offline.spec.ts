import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { WITHOUT_FIGURES } from "../support/figures.ts";
import { untilDayIsLong } from "./support/day.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";
import { phone } from "./support/windows.ts";
import { barOf, openSheet, passes, secondsOf, seekOf } from "./support/player.ts";

test.use({
  serviceWorkers: "allow",
  // A robot's downloads are not counted.
  userAgent:
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
});

let site: Site;
test.beforeAll(async () => {
  await untilDayIsLong();
  site = await startSite({ sql: WITHOUT_FIGURES });
});
test.afterAll(() => site.stop());

/** The addresses of all offline copies, in every cache. */
const keptIn = (page: Page) =>
  page.evaluate(async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    const requests = (await Promise.all(stores.map((store) => store.keys()))).flat();
    return requests.map(({ url }) => url.slice(location.origin.length));
  });

const untilKept = (page: Page, ...addresses: string[]) =>
  expect.poll(() => keptIn(page)).toEqual(expect.arrayContaining(addresses));

const communityButton = (page: Page) => page.getByRole("button", { name: "Join the community" });

/** Until the service worker, too, has a connection or none: it hears of it later than the page. */
const setConnected = (page: Page, isConnected: boolean) =>
  expect
    .poll(async () => {
      await page.context().setOffline(!isConnected);
      const answered = () =>
        fetch("/three-es.data", { cache: "no-store" }).then(
          () => true,
          () => false,
        );
      return page.evaluate(answered);
    })
    .toBe(isConnected);

const headingOf = (page: Page) => page.getByRole("heading", { level: 1 });

test("a visited page opens offline, another page shows “You are offline”, and the admin area is never cached", async ({
  page,
  context,
}) => {
  const complaints = complaintsOf(context);
  await openHydrated(page, `${site.url}/about`);
  await untilKept(page, "/about", "/about.data");
  await page.getByRole("banner").getByRole("link", { name: "Podcast" }).click();
  await expect(page).toHaveURL(`${site.url}/podcast`);
  const podcast = "Plain Ground";
  await expect(headingOf(page)).toHaveText(podcast);
  await untilKept(page, "/podcast", "/podcast.data");
  expect(complaints).toEqual([]);

  // The owner's own area, and pages that are for one person.
  await signInAsOwner(page, site);
  await page.goto(`${site.url}/admin/articles`);
  await expect(headingOf(page)).toHaveText("Articles");
  await page.goto(`${site.url}/unsubscribe?token=${"a".repeat(43)}`);
  // The code that caches pages is loaded with it.
  await expect(communityButton(page)).toBeVisible();
  await openHydrated(page, `${site.url}/mission`);
  await untilKept(page, "/mission", "/mission.data");
  await context.clearCookies();
  const kept = await keptIn(page);
  const isFile = (address: string) => /^\/(?:assets\/|__manifest)/.test(address);
  expect(kept.filter((one) => !isFile(one) && /admin|token|unsub|^\/api\/|^\/media\//.test(one))).toEqual([]);
  expect(kept.filter((one) => one.startsWith("/assets/admin-"))).toEqual([]);

  await setConnected(page, false);
  await expect(page.goto(`${site.url}/admin/articles`)).rejects.toThrow("ERR_INTERNET_DISCONNECTED");
  await page.waitForURL("chrome-error://**");
  await page.goto(`${site.url}/podcast?utm_source=letter`);
  await expect(headingOf(page)).toHaveText(podcast);
  await page.reload();
  await hydrated(page);
  await expect(headingOf(page)).toHaveText(podcast);
  // By a link, in the running page.
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.getByRole("banner").getByRole("link", { name: "About" }).click();
  await expect(headingOf(page)).toHaveText("Why I Lead");
  // One that was never visited keeps the page, and opens at a later try.
  await expect(communityButton(page)).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "You are offline" });
  await expect(notice).toContainText("You can continue reading here.");
  await expect(headingOf(page)).toHaveText("Why I Lead");
  await expectNoAxeFindings(page);
  await setConnected(page, true);
  await notice.getByRole("button", { name: "Try Again" }).click();
  await expect(headingOf(page)).toHaveText("Privacy Policy");
  await expect(notice).toHaveCount(0);
  expect(await page.evaluate(() => "isSame" in window)).toBe(true);
  await setConnected(page, false);

  const unvisited = await page.goto(`${site.url}/three-es`);
  expect(unvisited!.status()).toBe(503);
  await expect(headingOf(page)).toHaveText("You are offline");
  await expect(page.getByRole("link", { name: "Try Again" })).toHaveAttribute("href", "/three-es");
  expect(await page.locator("main").evaluate((main) => getComputedStyle(main).display)).toBe("grid");
  await expectNoAxeFindings(page);
  await page.locator("main a[href='/podcast']").click();
  await expect(headingOf(page)).toHaveText(podcast);
  await page.goBack();
  await context.setOffline(false);
  // Without a press.
  await expect(page).toHaveTitle(/^The 3 Es/);
});

test("without a service worker, a link pressed offline shows an error and opens at a later try @full", async ({
  browser,
}) => {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  // The code that caches pages is loaded with it.
  await page.route("**/assets/deferred-widgets-entry-*.js", (route) => route.abort());
  await openHydrated(page, `${site.url}/about`);
  await context.setOffline(true);
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" }).click();
  await expect(headingOf(page)).toHaveText("You are offline");
  await expectNoAxeFindings(page);
  await context.setOffline(false);
  await page.getByRole("link", { name: "Try Again" }).click();
  await expect(headingOf(page)).toHaveText("Privacy Policy");
  await context.close();
});

test("online, a page is always the current one, not the offline copy @full", async ({ page, context }) => {
  await openHydrated(page, `${site.url}/about`);
  await untilKept(page, "/about", "/about.data");
  await page.evaluate(async () => {
    const name = (await caches.keys()).find((one) => one.startsWith("pages-"))!;
    // Marked as new, so that it is not fetched again during the test.
    const headers = { "Content-Type": "text/html", "Kept-At": String(Date.now()) };
    await (await caches.open(name)).put("/about", new Response("<h1>Of yesterday</h1>", { headers }));
  });
  await page.reload();
  await expect(headingOf(page)).toHaveText("Why I Lead");
  await setConnected(page, false);
  await page.reload();
  await expect(headingOf(page)).toHaveText("Of yesterday");
  await context.setOffline(false);
  const { headers, ok } = await page.evaluate(async () => {
    const answer = await fetch("/sw.js");
    return { ok: answer.ok, headers: Object.fromEntries(answer.headers) };
  });
  expect(ok).toBe(true);
  expect(headers).toMatchObject({
    "cache-control": "no-cache",
    "content-type": expect.stringContaining("javascript"),
    "content-security-policy": "default-src 'none'; connect-src 'self'",
  });
});

const countDownloads = async () =>
  (await site.env.DB.prepare("select count(*) as n from downloads").first<{ n: number }>())!.n;

test("a downloaded episode plays and seeks without a connection, counts as one download, and is deleted on request @full", async ({
  page,
  context,
}) => {
  await watchToasts(context);
  await page.setViewportSize(phone);
  const [episode] = (
    (await (await fetch(`${site.url}/api/episodes`)).json()) as {
      items: { id: number; title: string; audioUrl: string }[];
    }
  ).items;
  const path = `/episode/${episode!.id}`;
  await openHydrated(page, site.url + path);
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  await passes(page, 0);
  const sheet = await openSheet(page);
  const keep = sheet.getByRole("button", { name: "Keep offline" });

  // The sheet's first row has one line.
  const copy = sheet.getByRole("button", { name: "Copy link at this time" });
  for (const width of [320, phone.width]) {
    await page.setViewportSize({ ...phone, width });
    expect((await copy.boundingBox())!.height).toBeLessThan(36);
  }

  // Without free space, and one that the listener cancels.
  await page.evaluate(() => {
    const estimate = navigator.storage.estimate.bind(navigator.storage);
    const full = () => Promise.resolve({ quota: 10, usage: 9 });
    Object.assign(window, { empty: () => Object.assign(navigator.storage, { estimate }) });
    Object.assign(navigator.storage, { estimate: full });
  });
  await keep.click();
  await expect(sheet.getByText("There isn’t enough space on this device.")).toBeVisible();
  await page.evaluate((audioUrl) => {
    (window as unknown as { empty: () => void }).empty();
    const ask = window.fetch;
    window.fetch = (input, init) => {
      if (input !== audioUrl) return ask(input, init);
      window.fetch = ask;
      const signal = init!.signal!;
      return new Promise((_, reject) => {
        const stop = () => reject(new DOMException("Stopped", "AbortError"));
        // It may be stopped before it has started.
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop);
      });
    };
  }, episode!.audioUrl);
  await keep.click();
  await expect(sheet.getByRole("progressbar", { name: "Download" })).toBeVisible();
  await sheet.getByRole("button", { name: "Cancel download" }).click();
  await expect(keep).toBeEnabled();
  expect(await keptIn(page)).not.toContain(episode!.audioUrl);

  await keep.click();
  await expect(sheet.getByRole("button", { name: "Kept offline" })).toBeVisible();
  await untilKept(page, episode!.audioUrl, path, `${path}.data`, `/api/episodes/${episode!.id}`);
  await expect.poll(countDownloads).toBe(1);
  await sheet.getByRole("button", { name: "Close player" }).click();

  // Online, too, the offline copy is played, without a request.
  const asked: string[] = [];
  context.on("request", (request) => {
    if (request.serviceWorker()) asked.push(new URL(request.url()).pathname);
  });
  await page.reload();
  await hydrated(page);
  const playOn = barOf(page).getByRole("button", { name: "Play", exact: true });
  await expect(playOn).toBeEnabled();
  const stored = await secondsOf(page);
  await playOn.click();
  await passes(page, stored + 1);
  await context.setOffline(true);
  await page.reload();
  await hydrated(page);
  await barOf(page).getByRole("button", { name: "Play", exact: true }).click();
  const end = Number(await seekOf(page).getAttribute("max"));
  await seekOf(page).fill(String(Math.floor(end * 0.6)));
  await passes(page, end * 0.6);
  await expect(barOf(page).getByRole("button", { name: "Pause" })).toBeEnabled();
  expect(asked).not.toContain(episode!.audioUrl);
  // Its chapters are there as well.
  const again = await openSheet(page);
  await expect(again.getByRole("tabpanel", { name: "Chapters" }).getByRole("listitem").first()).toBeVisible();

  await again.getByRole("button", { name: "Offline storage" }).click();
  const storage = page.getByRole("dialog", { name: "Offline storage" });
  const row = storage.getByRole("listitem").filter({ hasText: episode!.title });
  await expect(row).toContainText(/\d (MB|KB)/);
  await expect(storage).toContainText(/in total on this device, with \d+ visited pages?\./);
  await expectNoAxeFindings(page);
  await row.getByRole("button", { name: `Remove ${episode!.title}` }).click();
  await expect(storage).toContainText("No episodes kept yet.");
  expect(await keptIn(page)).not.toContain(episode!.audioUrl);
  await storage.getByRole("button", { name: "Clear all" }).click();
  await expect(storage).toContainText("with 0 visited pages.");
  expect((await keptIn(page)).filter((address) => !/^\/(assets\/|__manifest)/.test(address))).toEqual([]);
  expect(await countDownloads()).toBe(1);

  // From the episode's own menu.
  await setConnected(page, true);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  const add = page.getByRole("button", { name: `Add to playlist: ${episode!.title}` }).first();
  await add.click();
  await page.getByRole("menuitem", { name: "Keep offline" }).click();
  await expectToast(page, "Kept offline");
  await untilKept(page, episode!.audioUrl);
  await add.click();
  await expectNoAxeFindings(page);
  await page.getByRole("menuitem", { name: "Remove from this device" }).click();
  await expect.poll(() => keptIn(page)).not.toContain(episode!.audioUrl);
});
