import { expect, type Browser, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { site, test } from "./support/demo.ts";
import { goTo, openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { phone } from "./support/windows.ts";

const tabs = (page: Page) => page.getByRole("navigation", { name: "Admin" });
const subTabs = (page: Page) => page.getByRole("navigation", { name: "Articles" });

async function openAt(browser: Browser, width: number, path: string) {
  const viewport = { ...phone, width };
  const page = await (await browser.newContext({ viewport, reducedMotion: "reduce" })).newPage();
  await signInAsOwner(page, site);
  await openHydrated(page, `${site.url}/admin/${path}`);
  return page;
}

test("on a phone the head is one row, and its menus lead to the tabs and to the account @full", async ({
  browser,
}) => {
  const page = await openAt(browser, 360, "settings/general");
  const { height } = (await page.getByRole("banner").boundingBox())!;
  expect(height).toBeLessThanOrEqual(52);
  // The name has all the room that the three buttons leave.
  const buttons = await page
    .locator("header")
    .getByRole("button")
    .evaluateAll((all: HTMLElement[]) =>
      all.filter((one) => one.checkVisibility()).map((one) => one.offsetWidth),
    );
  expect(buttons).toHaveLength(3);
  const room = 360 - 2 * 24 + 8 - buttons.reduce((sum, width) => sum + width, 0);
  const name = page.getByRole("link", { name: /Back to Site$/ });
  expect((await name.boundingBox())!.width).toBeCloseTo(room, 0);
  const menu = tabs(page).getByRole("button", { name: "Tabs: Settings" });
  await expect(tabs(page).getByRole("link", { name: "Speaking" })).toBeHidden();
  await menu.click();
  await expect(tabs(page).getByRole("link", { name: "Settings" })).toHaveAttribute("aria-current", "page");
  await expectNoAxeFindings(page);
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
  await menu.click();
  await tabs(page).getByRole("link", { name: "Podcast" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Podcast Episodes");
  await expect(tabs(page).getByRole("button", { name: "Tabs: Podcast" })).toBeVisible();
  await expect(tabs(page).getByRole("link", { name: "Podcast" })).toBeHidden();

  await page.getByRole("button", { name: "Account" }).click();
  await expect(page.getByRole("link", { name: "Home", exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Logout" })).toBeVisible();
  await page.getByRole("link", { name: /^Welcome, / }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your account");
  await page.getByRole("link", { name: /Back to Site$/ }).click();
  await expect(page).toHaveURL(`${site.url}/`);
  await page.context().close();
});

test("on a phone the addresses in the list of pages end at the same edge @full", async ({ browser }) => {
  const page = await openAt(browser, 360, "articles/pages");
  const ends = await page.locator("main td:nth-child(2) a").evaluateAll((links) =>
    links.map((link) => {
      const range = document.createRange();
      range.selectNodeContents(link);
      return Math.round(range.getBoundingClientRect().right);
    }),
  );
  expect(ends.length).toBeGreaterThan(5);
  expect([...new Set(ends)]).toEqual([360 - 24]);
  await page.context().close();
});

test("from 768 px on all tabs are in the row, none cut @full", async ({ browser }) => {
  const page = await openAt(browser, 768, "speaking");
  await expect(tabs(page).getByRole("button")).toBeHidden();
  const links = await tabs(page).getByRole("link").all();
  expect(links).toHaveLength(10);
  for (const link of links) await expect(link).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("button", { name: "Logout" })).toBeVisible();
  await page.context().close();
});

test("at 768 px no button of a tab's list is beyond the window @full", async ({ browser }) => {
  const page = await openAt(browser, 768, "speaking");
  for (const path of [
    "speaking",
    "articles",
    "media",
    "media/campaigns",
    "media/posts",
    "podcast",
    "podcast/files",
    "ventures",
    "newsletter",
    "users",
    "guests",
    "analytics",
    "settings",
  ]) {
    await goTo(page, `/admin/${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const beyond = await page
      .locator("main :is(a, button):visible")
      .evaluateAll((all) =>
        all
          .filter((control) => control.getBoundingClientRect().right > innerWidth)
          .map((control) => control.textContent),
      );
    expect(beyond, path).toEqual([]);
  }
  await page.context().close();
});

/** Rows of a table in which another cell's text is not on the first line of the first cell's. */
const offTheFirstLine = (page: Page) =>
  page.locator("main tbody tr:visible").evaluateAll((rows) => {
    const firstLineOf = (cell: Element) => {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode as Text;
        if (!text.data.trim() || text.parentElement!.closest(".sr-only")) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        return range.getClientRects()[0];
      }
      return undefined;
    };
    return rows.flatMap((row) => {
      const link = row.querySelector("td a");
      if (!link) return [];
      link.textContent = "A title of so many words that it has several lines in a row of any table ".repeat(
        3,
      );
      const first = firstLineOf(link)!;
      const others = [...row.children].filter((cell) => !cell.contains(link)).map(firstLineOf);
      return others
        .filter((line) => line !== undefined && Math.abs(line.bottom - first.bottom) > 3)
        .map((line) => `${row.textContent}: ${line!.bottom - first.bottom} px`);
    });
  });

test("the cells of a row are on the first line of its title, however many that has @full", async ({
  browser,
}) => {
  const page = await openAt(browser, 1440, "articles");
  // The podcast's rows are centred beside their covers.
  for (const path of ["articles", "media", "speaking", "users", "articles/pages"]) {
    await openHydrated(page, `${site.url}/admin/${path}`);
    await expect(page.locator("main tbody tr:visible").first()).toBeVisible();
    expect(await offTheFirstLine(page), path).toEqual([]);
  }
  await page.context().close();
});

test("on a phone the tools of a text are in one line @full", async ({ browser }) => {
  const page = await openAt(browser, 360, "articles/new");
  const tools = page.getByRole("toolbar", { name: "Formatting" }).getByRole("button");
  const boxes = await tools.evaluateAll((all) =>
    all.map((tool) => tool.getBoundingClientRect().toJSON() as DOMRect),
  );
  expect(boxes).toHaveLength(9);
  expect(new Set(boxes.map(({ top }) => top)).size).toBe(1);
  for (const { width, height } of boxes) expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
  await page.context().close();
});

/** Pixels over which the row fades out at its beginning and at its end. */
const fades = (page: Page) =>
  subTabs(page).evaluate((row) => {
    const style = getComputedStyle(row);
    if (!style.maskImage.startsWith("linear-gradient")) throw new Error("The row has no mask.");
    return ["--fade-before", "--fade-after"].map((name) => parseFloat(style.getPropertyValue(name)));
  });

test("on a phone the pages of a tab are one row, which shows the open one and that there are more @full", async ({
  browser,
}) => {
  const page = await openAt(browser, 360, "articles");
  for (const [path, label, before, after] of [
    ["articles", "Articles", 0, 48],
    ["articles/new", "Articles", 0, 48],
    ["articles/categories", "Categories", 48, 48],
    ["articles/pages/about", "Pages", 48, 0],
  ] as const) {
    await openHydrated(page, `${site.url}/admin/${path}`);
    const current = subTabs(page).getByRole("link", { name: label, exact: true });
    await expect(current).toHaveAttribute("aria-current", "page");
    await expect(current).toBeInViewport({ ratio: 1 });
    await expect.poll(() => fades(page)).toEqual([before, after]);
  }

  // Focused elements are not within the part that fades out.
  await openHydrated(page, `${site.url}/admin/articles`);
  const links = subTabs(page).getByRole("link");
  await links.first().focus();
  for (let at = 1; at < (await links.count()); at++) {
    await page.keyboard.press("Tab");
    await expect(links.nth(at)).toBeFocused();
    await expect(links.nth(at)).toBeInViewport({ ratio: 1 });
  }
  await page.context().close();
});

test("on a phone the filters of a list open by their button, and stay open if one is set @full", async ({
  browser,
}) => {
  const page = await openAt(browser, 360, "articles");
  const status = page.getByRole("search").getByLabel("Status");
  await expect(status).toBeHidden();
  await page.getByRole("button", { name: "Filters" }).click();
  await status.selectOption("published");
  await page.getByRole("search").getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/status=published/);
  await openHydrated(page, page.url());
  await expect(status).toHaveValue("published");
  await expect(status).toBeVisible();
  await page.context().close();
});
