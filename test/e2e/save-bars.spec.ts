import { expect, type Browser, type Locator, type Page } from "@playwright/test";
import { site, test } from "./support/demo.ts";
import { goTo, openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";

/** One window for all tests: a new one parses the admin area's scripts again. */
let opened: Promise<Page> | undefined;

async function openWindow(browser: Browser) {
  const page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInAsOwner(page, site);
  await openHydrated(page, `${site.url}/admin/articles`);
  return page;
}

/** The bar of each form that is a page, from its first button on. */
const bars: Record<string, string[]> = {
  "/admin/articles/new": ["Publish…", "Save draft", "Cancel"],
  "/admin/podcast/new": ["Publish…", "Save draft", "Cancel"],
  "/admin/newsletter/new": ["Review and send", "Save draft", "Cancel"],
  "/admin/articles/pages/about": ["Save page", "Cancel", "Preview"],
  "/admin/media/new": ["Save", "Cancel"],
  "/admin/media/campaigns/new": ["Save", "Cancel"],
  "/admin/media/posts/new": ["Save", "Cancel"],
  "/admin/ventures/new": ["Save", "Cancel"],
  "/admin/podcast/show": ["Save changes"],
  "/admin/settings": ["Save Changes"],
  "/admin/settings/features": ["Save Changes"],
};

const boxOf = (element: Locator) =>
  element.evaluate((shown) => shown.getBoundingClientRect().toJSON() as DOMRect);

for (const [path, names] of Object.entries(bars)) {
  test(`the bar with Save is at the window's bottom, its buttons in one order and line, toasts above it: ${path}${path === "/admin/articles/new" ? "" : " @full"}`, async ({
    browser,
  }) => {
    const page = await (opened ??= openWindow(browser));
    await goTo(page, path);
    const footer = page.locator("main form > footer");
    const buttons = footer.locator("button:visible, a:visible");
    await expect(footer.getByRole("button", { name: /^Save/ })).toBeEnabled();
    for (const [width, height] of [
      [360, 500],
      [768, 500],
      [1440, 500],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect
        .poll(async () => Math.round((await boxOf(footer)).bottom), { message: `at ${width}` })
        .toBe(height);
      await expect(async () => {
        const toasts = await boxOf(page.getByLabel("Notifications"));
        expect(toasts.bottom, `at ${width}`).toBeLessThan((await boxOf(footer)).top);
      }).toPass();
      await expect(buttons).toHaveText(names);
      const tops = await buttons.evaluateAll((all) =>
        all.map((button) => Math.round(button.getBoundingClientRect().top)),
      );
      expect(new Set(tops).size, `at ${width}`).toBe(1);
    }
  });
}
