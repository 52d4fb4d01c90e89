import { expect, type Browser, type BrowserContextOptions, type Page } from "@playwright/test";
import { startHttpServer } from "../support/http-server.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { site, test } from "./support/demo.ts";

/** Among the demo's frame hosts, and not. */
const ALLOWED = "example.org";
const STRANGER = "example.net";

/**
 * A page for which this test serves both hosts. The browser applies its content policy before any request, so refused
 * requests never arrive.
 */
async function newPage(browser: Browser, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  const asked: string[] = [];
  await context.route(
    (url) => [ALLOWED, STRANGER].includes(url.hostname),
    (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: "text/html", body: form(route.request().url()) });
    },
  );
  return { page: await context.newPage(), complaints: complaintsOf(context), asked };
}

const form = (address: string) => `<!doctype html>
  <html lang="en"><title>A form</title><main aria-label="The form"><h1>Form of ${new URL(address).pathname}</h1>
  <form action="/signed"><label>Name <input name="name"></label><button>Sign</button></form></main></html>`;

const frameOf = (page: Page) => page.frameLocator("main iframe");
const campaigns = (page: Page) => page.getByRole("navigation", { name: "Campaigns" }).getByRole("link");

test("the first campaign's form loads in its frame, 700 px high, and can be filled in and sent", async ({
  browser,
}) => {
  const { page, complaints } = await newPage(browser);
  await page.goto(`${site.url}/petitions`);
  const frame = page.locator("main iframe");
  await frame.scrollIntoViewIfNeeded();
  expect((await frame.boundingBox())?.height).toBe(700);
  await expect(frameOf(page).getByRole("heading")).toHaveText("Form of /petitions/EN8108");
  await frameOf(page).getByLabel("Name").fill("Ada");
  await frameOf(page).getByRole("button", { name: "Sign" }).click();
  await expect(frameOf(page).getByRole("heading")).toHaveText("Form of /signed");
  expect(page.url()).toBe(`${site.url}/petitions`);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the frame is in the HTML only for browsers without scripts @full", async ({ browser }) => {
  const sent = await (await fetch(`${site.url}/petitions`)).text();
  const frames = [...sent.matchAll(/(<noscript\b[^>]*>)?<iframe [^>]*src="([^"]*)"/g)];
  expect(frames.map(([, before]) => before)).toEqual([expect.stringMatching(/^<noscript/)]);
  const { page } = await newPage(browser, { javaScriptEnabled: false });
  await page.goto(`${site.url}/petitions`);
  const frame = page.locator("main iframe");
  await expect(frame).toHaveAttribute("src", frames[0]![2]!);
  const { y, height } = (await frame.boundingBox())!;
  expect(height).toBe(700);
  const header = (await page.locator("#campaign header").boundingBox())!;
  expect(y - (header.y + header.height)).toBeLessThan(50);
  await expect(frameOf(page).getByRole("heading")).toHaveText("Form of /petitions/EN8108");
  await page.context().close();
});

test("it needs none of the page's own scripts, and does not change when they load @full", async ({
  browser,
}) => {
  const { page, complaints } = await newPage(browser);
  const release = await hold(page, "**/assets/*.js");
  await page.goto(`${site.url}/petitions`);
  await page.locator("main iframe").scrollIntoViewIfNeeded();
  await frameOf(page).getByLabel("Name").fill("Ada");
  release();
  await expect(page.locator("html")).not.toHaveClass(/first-layout/);
  await expect(frameOf(page).getByLabel("Name")).toHaveValue("Ada");
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("the frame also loads after a client-side navigation from another page @full", async ({ browser }) => {
  const { page, complaints } = await newPage(browser);
  await openHydrated(page, `${site.url}/podcast`);
  await page.evaluate(() => document.documentElement.setAttribute("data-visit", "same"));
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Petitions" }).click();
  await page.locator("main iframe").scrollIntoViewIfNeeded();
  await expect(frameOf(page).getByRole("heading")).toHaveText("Form of /petitions/EN8108");
  await expect(page.locator("html")).toHaveAttribute("data-visit", "same");
  expect(complaints).toEqual([]);
  await page.context().close();
});

/** A page for which the allowed host is a server on this machine that answers when it is let. */
async function slowHost(browser: Browser, options: BrowserContextOptions) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const server = await startHttpServer((request, response) => {
    void released.then(() => {
      response.setHeader("Content-Type", "text/html");
      response.end(form(`https://${ALLOWED}${request.url}`));
    });
  });
  const context = await browser.newContext(options);
  await context.route(
    (url) => url.hostname === ALLOWED,
    async (route) => {
      const { pathname } = new URL(route.request().url());
      await route.fulfill({
        response: await route.fetch({ url: `http://127.0.0.1:${server.port}${pathname}` }),
      });
    },
  );
  const stop = async () => {
    release();
    await context.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
    server.stop();
  };
  return { page: await context.newPage(), complaints: complaintsOf(context), release, stop };
}

/** The colours that the middle of the frame shows, as a picture of the page has them. */
async function shownColors(page: Page) {
  const { x, y, height } = (await page.locator("main iframe").boundingBox())!;
  const clip = { x: x + 20, y: y + height / 2, width: 200, height: 40 };
  const picture = (await page.screenshot({ clip })).toString("base64");
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(
      new Blob([Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0))]),
    );
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
    canvas.drawImage(image, 0, 0);
    const bytes = [...canvas.getImageData(0, 0, image.width, image.height).data];
    const pixels = Array.from({ length: bytes.length / 4 }, (_, at) =>
      bytes.slice(4 * at, 4 * at + 3).join(),
    );
    return [...new Set(pixels)];
  }, picture);
}

const WHITE = "255,255,255";
const waiting = (page: Page) =>
  page.getByRole("status").filter({ hasText: `Loading the form from ${ALLOWED}…` });
/** Advances the clock of the animation that shows delayed content. */
const waitInAnimation = (page: Page, selector: string, ms: number) =>
  page.locator(selector).evaluate((element, time) => {
    const [animation] = element.getAnimations();
    animation!.pause();
    animation!.currentTime = time;
  }, ms);

for (const colorScheme of ["light", "dark"] as const)
  test(`a slow form has the colours of the page until it loads, and its link after 8 seconds: ${colorScheme} @full`, async ({
    browser,
  }) => {
    const { page, complaints, release, stop } = await slowHost(browser, { colorScheme });
    const asked = page.waitForRequest((request) => new URL(request.url()).hostname === ALLOWED);
    await openHydrated(page, `${site.url}/petitions`);
    await page.locator("main iframe").scrollIntoViewIfNeeded();
    await asked;
    await expect(waiting(page)).toContainText("Put a date on every pilot");
    expect(await shownColors(page)).toEqual([colorScheme === "light" ? "255,253,248" : "28,32,36"]);
    const link = page.getByRole("link", { name: `Open the form on ${ALLOWED}` });
    await waitInAnimation(page, ".late", 7999);
    await expect(link).toBeHidden();
    await waitInAnimation(page, ".late", 8002);
    await expect(link).toBeVisible();
    await expect(link).toHaveAttribute("href", `https://${ALLOWED}/petitions/EN8108`);
    await expectNoAxeFindings(page);
    const below = page.getByText("The form above is");
    const { y } = (await below.boundingBox())!;
    release();
    await expect(frameOf(page).getByRole("heading")).toHaveText("Form of /petitions/EN8108");
    await expect(waiting(page)).toBeHidden();
    await expect(link).toBeHidden();
    expect(await shownColors(page)).toContain(WHITE);
    expect((await below.boundingBox())!.y).toBe(y);
    expect(complaints).toEqual([]);
    await stop();
  });

test("a slow form has its name and link without scripts, and is white after 8 seconds @full", async ({
  browser,
}) => {
  const { page, stop } = await slowHost(browser, { colorScheme: "dark", javaScriptEnabled: false });
  await page.goto(`${site.url}/petitions`, { waitUntil: "commit" });
  await expect(waiting(page)).toContainText("Put a date on every pilot");
  await expect(page.getByRole("link", { name: `open it on ${ALLOWED}` })).toBeVisible();
  const ground = () =>
    page.locator("main iframe").evaluate((frame) => getComputedStyle(frame).backgroundColor);
  await waitInAnimation(page, "main iframe", 7999);
  expect(await ground()).toBe("rgba(0, 0, 0, 0)");
  await waitInAnimation(page, "main iframe", 8002);
  expect(await ground()).toBe("rgb(255, 255, 255)");
  await expect(page.getByRole("link", { name: `Open the form on ${ALLOWED}` })).toBeHidden();
  await stop();
});

test("a frame of any other host is refused before it is asked for @full", async ({ browser }) => {
  const { page, asked } = await newPage(browser);
  await page.goto(`${site.url}/petitions`);
  const refused = await page.evaluate(async (host) => {
    const violation = new Promise<string>((resolve) =>
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
        resolve(`${effectiveDirective} ${blockedURI}`),
      ),
    );
    const frame = document.createElement("iframe");
    frame.src = `https://${host}/`;
    document.body.appendChild(frame);
    return violation;
  }, STRANGER);
  expect(refused).toContain(`frame-src https://${STRANGER}`);
  expect(asked.filter((address) => new URL(address).hostname === STRANGER)).toEqual([]);
  await page.context().close();
});

test("the form cannot take the page away @full", async ({ browser }) => {
  const { page } = await newPage(browser);
  await page.goto(`${site.url}/petitions`);
  await page.locator("main iframe").scrollIntoViewIfNeeded();
  await expect(frameOf(page).getByRole("heading")).toBeVisible();
  const [, frame] = page.frames();
  const blockedBy = await frame!.evaluate((address) => {
    try {
      window.top!.location.href = address;
      return "left";
    } catch (error) {
      return (error as Error).name;
    }
  }, `https://${STRANGER}/`);
  expect(blockedBy).toBe("SecurityError");
  expect(page.url()).toBe(`${site.url}/petitions`);
  await page.context().close();
});

test("a campaign is chosen with the keyboard, has its own address, and back leads to the one before", async ({
  browser,
}) => {
  const { page, complaints } = await newPage(browser);
  await openHydrated(page, `${site.url}/petitions`);
  const first = await page.getByRole("heading", { level: 2 }).first().textContent();
  await campaigns(page).first().focus();
  await page.keyboard.press("Tab");
  await expect(campaigns(page).nth(1)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(campaigns(page).nth(1)).toHaveAttribute("aria-current", "true");
  await expect(campaigns(page).first()).not.toHaveAttribute("aria-current");
  await expect(page).toHaveURL(/\/petitions\?campaign=\d+#campaign$/);
  await expect(page.locator("main iframe")).toHaveAttribute("src", /EN8093$/);
  await expect(frameOf(page).getByRole("heading")).toHaveText("Form of /petitions/EN8093");
  await page.goBack();
  await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText(first!);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("without JavaScript a campaign is chosen by its link @full", async ({ browser }) => {
  const { page } = await newPage(browser, { javaScriptEnabled: false });
  await page.goto(`${site.url}/petitions`);
  await campaigns(page).last().click();
  await expect(campaigns(page).last()).toHaveAttribute("aria-current", "true");
  await expect(page.locator("main iframe")).toHaveAttribute("src", /wirrabara/);
  await page.context().close();
});
