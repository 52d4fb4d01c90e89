import { expect, test, type Browser } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { startSite, type Site } from "./support/site.ts";

let site: Site;
let episodePath: string;
test.beforeAll(async () => {
  test.setTimeout(180_000);
  site = await startSite();
  const { episodes } = (await (await fetch(`${site.url}/api/episodes`)).json()) as {
    episodes: { id: number }[];
  };
  episodePath = `/episode/${episodes[0]!.id}`;
});
test.afterAll(() => site?.stop());

const pages: Record<string, () => string> = {
  home: () => "/",
  podcast: () => "/podcast",
  episode: () => episodePath,
  "an episode that does not exist": () => "/episode/99999",
  "an unknown address": () => "/nothing/here",
  login: () => "/admin/login",
  setup: () => "/admin/setup",
};

const widths = { phone: { width: 360, height: 740 }, desktop: { width: 1440, height: 900 } };

for (const [name, path] of Object.entries(pages)) {
  for (const [device, viewport] of Object.entries(widths)) {
    for (const colorScheme of ["light", "dark"] as const) {
      test(`${name}: axe and the console find nothing on a ${device}, ${colorScheme}, and nothing overflows`, async ({
        browser,
      }) => {
        const context = await browser.newContext({ viewport, colorScheme });
        const complaints = complaintsOf(context);
        const page = await context.newPage();
        await page.goto(site.url + path());
        await page.waitForLoadState("networkidle");
        await expectNoAxeFindings(page);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
        // The browser itself reports the status of a page that does not exist.
        expect(complaints.filter((complaint) => !/status of 404/.test(complaint))).toEqual([]);
        await context.close();
      });
    }
  }
}

test("the mobile menu opens, is free of axe findings, and closes with Escape", async ({ browser }) => {
  const page = await newPage(browser, { viewport: widths.phone });
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

test("on a phone, audio that failed can be tried again, and goes on", async ({ browser }) => {
  const page = await newPage(browser, { viewport: widths.phone });
  let isBroken = true;
  await page.route("**/media/podcast-audio/**", (route) => (isBroken ? route.abort() : route.continue()));
  await page.goto(site.url + episodePath);
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  const bar = page.getByRole("region", { name: "Audio player" });
  await expect(bar.getByText("Could not be loaded.")).toBeVisible();
  isBroken = false;
  await bar.getByRole("button", { name: "Try again" }).click();
  await expect.poll(async () => Number(await bar.getByLabel("Seek").inputValue())).toBeGreaterThan(0);
  await page.context().close();
});

test("a page that was never visited opens without a connection while an episode plays", async ({
  browser,
}) => {
  const page = await newPage(browser, {});
  await page.goto(site.url + episodePath);
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  const seek = page.getByRole("region", { name: "Audio player" }).getByLabel("Seek");
  const seconds = async () => Number(await seek.inputValue());
  await expect.poll(seconds).toBeGreaterThan(0);
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await page.getByRole("link", { name: "All episodes" }).click();
  await page.waitForURL("**/podcast");
  const before = await seconds();
  await expect.poll(seconds).toBeGreaterThan(before);
  await page.context().close();
});

test("a change of page is said to screen readers", async ({ browser }) => {
  const page = await newPage(browser, {});
  await page.goto(site.url);
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

test("the chosen theme is kept, and an unknown value falls back to the system's", async ({ browser }) => {
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

const newPage = async (browser: Browser, options: Parameters<Browser["newContext"]>[0]) =>
  (await browser.newContext(options)).newPage();
