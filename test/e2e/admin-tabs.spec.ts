import { expect, type Page } from "@playwright/test";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { phone } from "./support/windows.ts";
import { test } from "./support/test.ts";

let site: Site;
test.beforeAll(async () => {
  site = await startSite();
});
test.afterAll(() => site?.stop());

const row = (page: Page) => page.getByRole("navigation", { name: "Admin" }).getByRole("list");
/** Pixels over which the row fades out at its beginning and at its end. */
const fades = (page: Page) =>
  row(page).evaluate((list) => {
    const style = getComputedStyle(list);
    if (!style.maskImage.startsWith("linear-gradient")) throw new Error("The row has no mask.");
    return ["--fade-before", "--fade-after"].map((name) => parseFloat(style.getPropertyValue(name)));
  });

test("on a phone the row of tabs shows the open one and that there are more, also to the keyboard", async ({
  browser,
}) => {
  const page = await (await browser.newContext({ viewport: phone, reducedMotion: "reduce" })).newPage();
  await signInAsOwner(page, site);
  for (const [path, label, before, after] of [
    ["speaking", "Speaking", 0, 48],
    ["newsletter", "Newsletter", 48, 48],
    ["settings/general", "Settings", 48, 0],
  ] as const) {
    await openHydrated(page, `${site.url}/admin/${path}`);
    const current = row(page).getByRole("link", { name: label });
    await expect(current).toHaveAttribute("aria-current", "page");
    await expect(current).toBeInViewport({ ratio: 1 });
    await expect.poll(() => fades(page)).toEqual([before, after]);
  }

  // What the keyboard reaches is no part of what fades out.
  await openHydrated(page, `${site.url}/admin/speaking`);
  const links = row(page).getByRole("link");
  await links.first().focus();
  for (let at = 1; at < (await links.count()); at++) {
    await page.keyboard.press("Tab");
    await expect(links.nth(at)).toBeFocused();
    await expect(links.nth(at)).toBeInViewport({ ratio: 1 });
  }
  await page.context().close();
});

test("on a wide screen nothing of the row of tabs fades out", async ({ browser }) => {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await signInAsOwner(page, site);
  await openHydrated(page, `${site.url}/admin/speaking`);
  expect(await fades(page)).toEqual([0, 0]);
  await page.context().close();
});
