import { expect, test, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { phone } from "./support/windows.ts";

let site: Site;
let page: Page;
let complaints: string[];
test.describe.configure({ mode: "serial" });

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000);
  site = await startSite();
  const context = await browser.newContext({ reducedMotion: "reduce" });
  complaints = complaintsOf(context);
  page = await context.newPage();
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const palette = () => page.getByRole("dialog", { name: "Search" });
const typed = () => palette().getByRole("combobox");
const option = (name: string) => palette().getByRole("option", { name, exact: true });

test("everything is found and opened by keyboard alone, from anywhere", async () => {
  await page.keyboard.press("Control+k");
  await expect(typed()).toBeFocused();
  await expect(palette().getByRole("group", { name: "Newest articles" })).toBeVisible();
  await expect(option("New article")).toHaveAttribute("aria-selected", "true");
  await expectNoAxeFindings(page);
  await page.keyboard.type("feature sett");
  await expect(option("Feature settings")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/admin/settings/features");
  await expect(palette()).toBeHidden();
  await expect(page.getByRole("main")).toBeFocused();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("saltbush hous");
  const venture = option("Saltbush Housing Co-operative");
  await expect(venture).toHaveAttribute("aria-selected", "true");
  await expect(palette().getByRole("status")).toHaveText("2 results");
  await page.keyboard.press("ArrowDown");
  await expect(option("Search the text of all articles for “saltbush hous”")).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.press("ArrowUp");
  await expect(typed()).toHaveAttribute("aria-activedescendant", (await venture.getAttribute("id"))!);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/admin\/ventures\/\d+$/);

  const opener = page.getByRole("button", { name: "Search", exact: true });
  await opener.focus();
  await page.keyboard.press("Enter");
  await expect(typed()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();
});

test("the search fits a phone, and says when it does not work", async () => {
  await page.setViewportSize(phone);
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.route("**/api/admin/search?*", (route) => route.abort());
  await typed().fill("verandah");
  await expect(palette().getByRole("status")).toContainText("The search did not work.");
  await expectNoAxeFindings(page);
  await page.unroute("**/api/admin/search?*");
  // The browser says so itself.
  expect(complaints.splice(0)).toEqual([expect.stringContaining("Failed to load resource")]);
  await typed().fill("x".repeat(200));
  await expect(palette().getByRole("option")).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.keyboard.press("Escape");
});

test("an address that is not there says so, signed in or not, and leads home", async ({ browser }) => {
  const stranger = await (await browser.newContext()).newPage();
  for (const [visitor, path] of [
    [page, "/admin/nope"],
    [page, "/admin/articles/999999"],
    [page, "/admin/ventures/999999"],
    [page, "/admin/settings/nope"],
    [stranger, "/admin/nope/further"],
  ] as const) {
    const response = await openHydrated(visitor, site.url + path);
    expect(response?.status(), path).toBe(404);
    await expect(visitor.getByRole("heading", { name: "Page not found" })).toBeVisible();
    await expect(visitor).toHaveTitle("Page not found · Admin");
  }
  await expect(stranger.getByRole("button", { name: "Logout" })).toBeHidden();
  await expectNoAxeFindings(stranger);
  await stranger.getByRole("link", { name: "Return to Home" }).click();
  await stranger.waitForURL(`${site.url}/`);
  await stranger.context().close();
  expect(complaints.splice(0).filter((text) => !text.includes("404"))).toEqual([]);
});
