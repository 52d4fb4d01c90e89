import { expect, type BrowserContext, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { coveredOf } from "./support/covered.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { watchRequests } from "./support/requests.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { desktop, phone } from "./support/windows.ts";

/** The tag manager of another company, which the owner may have loaded. */

let site: Site;
let owner: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  owner = await browser.newPage();
  await signInAsOwner(owner, site);
});
test.afterAll(() => site?.stop());

const ID = "GTM-AB12CD3";
const setTags = async (tagManager: object) => {
  const headers = { Origin: site.url };
  const data = { tagManager };
  expect(await owner.request.put(`${site.url}/api/admin/settings`, { data, headers })).toBeOK();
};
/** Replaces Google's script. */
const answerTags = async (context: BrowserContext) => {
  const asked: string[] = [];
  await context.route("https://www.googletagmanager.com/**", async (route) => {
    asked.push(route.request().url());
    await route.fulfill({ contentType: "text/javascript", body: "window.tagged = true" });
  });
  return asked;
};
const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);
const isTagged = (page: Page) => page.evaluate(() => "tagged" in window);
const bar = (page: Page) => page.getByRole("region", { name: "Other companies’ tags" });

test("it is absent without an id", async ({ browser }) => {
  const context = await browser.newContext();
  const asked = await answerTags(context);
  const page = await context.newPage();
  await openHydrated(page, site.url);
  await page.waitForTimeout(500);
  await expect(bar(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Tag choice" })).toHaveCount(0);
  expect(asked).toEqual([]);
  await context.close();
});

test("the tag manager loads only after consent, also by keyboard; the answer can be changed", async ({
  browser,
}) => {
  await setTags({ id: ID, needsConsent: true });
  const context = await browser.newContext({ viewport: phone, reducedMotion: "reduce" });
  const complaints = complaintsOf(context);
  const asked = await answerTags(context);
  const page = await context.newPage();
  // Without a sign of the visitor, for which a phone's page otherwise waits.
  await page.goto(`${site.url}/about`);
  await expect(bar(page)).toContainText("May we load Google Tag Manager?");
  await page.evaluate(() => document.fonts.ready);
  const heading = page.getByRole("heading", { level: 1 });
  const place = await heading.boundingBox();
  await expectNoAxeFindings(page);
  const [refuse, agree] = [
    bar(page).getByRole("button", { name: "Refuse" }),
    bar(page).getByRole("button", { name: "Agree" }),
  ];
  const sizes = await Promise.all([refuse.boundingBox(), agree.boundingBox()]);
  expect(sizes[0]!.height).toBe(sizes[1]!.height);
  await refuse.press("Enter");
  await expect(bar(page)).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
  expect(await heading.boundingBox()).toEqual(place);
  await openHydrated(page, `${site.url}/about`);
  await expect(page.getByRole("button", { name: "Tag choice" })).toBeVisible();
  await expect(bar(page)).toHaveCount(0);
  expect(asked).toEqual([]);

  await openHydrated(page, `${site.url}/privacy-policy`);
  await expect(page.getByText("Tags aren’t loaded.")).toBeVisible();
  await page.getByRole("button", { name: "Agree" }).press("Enter");
  await expect.poll(() => isTagged(page)).toBe(true);
  expect(asked).toEqual([`https://www.googletagmanager.com/gtm.js?id=${ID}`]);
  await page.getByRole("button", { name: "Refuse" }).press("Enter");
  await expect(page.getByText("Tags aren’t loaded.")).toBeVisible();
  expect(await isTagged(page)).toBe(false);
  expect(asked).toHaveLength(1);

  // And from any page, by its footer.
  await openHydrated(page, `${site.url}/about`);
  const again = page.getByRole("contentinfo").getByRole("button", { name: "Tag choice" });
  await again.press("Enter");
  await expect(bar(page)).toBeFocused();
  await expect(bar(page)).toContainText("Tags aren’t loaded.");
  await expectNoAxeFindings(page);
  await agree.press("Enter");
  await expect(again).toBeFocused();
  await expect.poll(() => isTagged(page)).toBe(true);
  await again.press("Enter");
  await expect(bar(page)).toContainText("Tags are loaded.");
  await refuse.press("Enter");
  await expect.poll(() => isTagged(page)).toBe(false);
  await expect(bar(page)).toHaveCount(0);
  expect(complaints).toEqual([]);
  await context.close();
});

/** Of what has the focus, how much lies under what sticks to the window's bottom; 0 without. */
const focusedUnder = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement!;
    const { bottom } = (focused.closest("label") ?? focused).getBoundingClientRect();
    const sticking = [...document.querySelectorAll<HTMLElement>("section")].filter(
      (section) => getComputedStyle(section).position === "fixed" && section.offsetHeight > 0,
    );
    const tops = sticking.map((section) => section.getBoundingClientRect().top);
    return Math.max(0, bottom - Math.min(innerHeight, ...tops));
  });
for (const [name, viewport] of Object.entries({ phone, desktop })) {
  test(`while it is asked on a ${name}, the page's end can be scrolled clear of it, and what has the focus is not under it @full`, async ({
    browser,
  }) => {
    await setTags({ id: ID, needsConsent: true });
    const context = await browser.newContext({ viewport, reducedMotion: "reduce" });
    await answerTags(context);
    const page = await context.newPage();
    const isClear = async () => {
      // The footer is laid out, and the page gets longer, when it is scrolled near.
      await expect(async () => {
        expect(await coveredOf(page)).toEqual([]);
        await expect(page.getByRole("contentinfo").locator("a, button, label").last()).toBeInViewport({
          timeout: 1000,
        });
      }).toPass();
      await page.getByRole("contentinfo").getByRole("textbox").focus();
      const last = page.getByRole("contentinfo").locator("a, button, input:checked").last();
      for (let step = 0; !(await last.evaluate((button) => button === document.activeElement)); step++) {
        expect(step).toBeLessThan(60);
        await page.keyboard.press("Tab");
        expect(await focusedUnder(page)).toBe(0);
      }
    };
    await openHydrated(page, `${site.url}/episode/1`);
    await expect(bar(page)).toBeVisible();
    await isClear();
    await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
    await isClear();
    await page.evaluate(() => document.documentElement.style.removeProperty("font-size"));
    await page.getByRole("button", { name: "Play in Audio Player" }).click();
    await expect(page.getByRole("region", { name: "Audio player" })).toBeVisible();
    await isClear();
    await bar(page).getByRole("button", { name: "Refuse" }).click();
    await isClear();
    await context.close();
  });
}

test("it does not move the footer of a short page @full", async ({ browser }) => {
  await setTags({ id: ID, needsConsent: true });
  const context = await browser.newContext({ viewport: { width: 1440, height: 1800 } });
  await answerTags(context);
  const page = await context.newPage();
  await openHydrated(page, `${site.url}/nothing-here`);
  await expect(bar(page)).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  await expect(page.locator("html")).toHaveAttribute("style", /--consent-height/);
  const [footer, height] = [await page.getByRole("contentinfo").boundingBox(), await heightOf(page)];
  const room = (await bar(page).boundingBox())!.height;
  await bar(page).getByRole("button", { name: "Refuse" }).click();
  await expect(bar(page)).toHaveCount(0);
  expect(await page.getByRole("contentinfo").boundingBox()).toEqual(footer);
  expect(await heightOf(page)).toBe(Math.round(height - room));
  await context.close();
});

test("it is not asked about if the owner does not want it, and never loaded against the browser's setting @full", async ({
  browser,
}) => {
  await setTags({ id: ID, needsConsent: false });
  const context = await browser.newContext();
  const asked = await answerTags(context);
  const page = await context.newPage();
  await openHydrated(page, `${site.url}/about`);
  await expect.poll(() => isTagged(page)).toBe(true);
  await expect(bar(page)).toHaveCount(0);
  await context.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, "globalPrivacyControl", { get: () => true }),
  );
  const requests = watchRequests(page);
  await openHydrated(page, `${site.url}/privacy-policy`);
  await expect(page.getByText("no tags are loaded")).toBeVisible();
  await requests.untilFetched("tag-manager");
  expect(await isTagged(page)).toBe(false);
  expect(asked).toHaveLength(1);
  await context.close();
});

test("the data layer gets each page and event, but not the session @full", async ({ browser }) => {
  await setTags({ id: ID, needsConsent: false });
  const context = await browser.newContext();
  await answerTags(context);
  const page = await context.newPage();
  const events = () =>
    page.evaluate(() =>
      (window.dataLayer ?? []).flatMap((each) => {
        const { event, content, path, network } = each as Record<string, unknown>;
        return event === "gtm.js" ? [] : [[event, content, path, network].filter(Boolean).join(" ")];
      }),
    );
  await openHydrated(page, `${site.url}/about`);
  await expect.poll(() => isTagged(page)).toBe(true);
  await page.getByRole("contentinfo").getByRole("link", { name: "Speaking" }).click();
  await page.waitForURL("**/speaking");
  await expect.poll(events).toContain("page_view page /speaking /speaking");
  await page.evaluate(() => addEventListener("click", (event) => event.preventDefault()));
  await page.getByRole("contentinfo").getByRole("link", { name: "Podcast RSS" }).click();
  await expect.poll(events).toContain("social_click page /speaking /speaking rss");
  expect(await page.evaluate(() => JSON.stringify(window.dataLayer))).not.toMatch(/sessionId|userId/);
  await context.close();
});
