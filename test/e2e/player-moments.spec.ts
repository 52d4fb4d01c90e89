import { expect } from "@playwright/test";
import { episodePath, episodes, site, test } from "./support/demo.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";
import {
  barOf,
  forgetQueue,
  jumps,
  openPage,
  openSheet,
  passes,
  play,
  secondsOf,
  seekOf,
} from "./support/player.ts";
import { expectToast } from "./support/toasts.ts";
import { desktop } from "./support/windows.ts";

test("a link to the moment is copied, and leads there @full", async ({ browser }) => {
  const page = await openPage(browser, episodePath(), {
    viewport: desktop,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await play(page);
  await barOf(page).getByRole("button", { name: "Pause" }).click();
  await seekOf(page).fill("50");
  await expect.poll(() => secondsOf(page)).toBe(50);
  const sheet = await openSheet(page);
  await sheet.getByRole("button", { name: "Copy link at this time" }).click();
  await expectToast(page, "Link copied! The link has been copied to your clipboard.");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${site.url}${episodePath()}?t=50`);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("Denied", "NotAllowedError"));
  });
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await expectToast(page, "Failed to copy");
  await forgetQueue(page);
  await openHydrated(page, link);
  await page.getByRole("button", { name: "Play from 0:50" }).click();
  await jumps(page, 49);
  await page.context().close();
});

test("an episode plays from the moment of its link, however that is written @full", async ({ browser }) => {
  const context = await browser.newContext({ viewport: desktop });
  for (const moment of ["?t=0m15s", "?t=15s", "?t=0:15", "?start=15", "#t=15"]) {
    const page = await context.newPage();
    await openHydrated(page, site.url + episodePath() + moment);
    await page.getByRole("button", { name: "Play from 0:15" }).click();
    await jumps(page, 14);
    await forgetQueue(page);
    await page.close({ runBeforeUnload: true });
  }
  await context.close();
});

test("a link within the page to a moment leads there, also while another one plays @full", async ({
  browser,
}) => {
  const page = await openPage(browser, episodePath());
  const follow = () =>
    page.evaluate(() => {
      const link = Object.assign(document.createElement("a"), { href: "#t=15", textContent: "A moment" });
      document.querySelector(".reading")!.appendChild(link);
      link.click();
    });
  await follow();
  await page.waitForURL("**?t=15");
  await hydrated(page);
  await page.getByRole("button", { name: "Play from 0:15" }).click();
  await jumps(page, 14);
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  await page.getByRole("link", { name: "All episodes" }).click();
  await page
    .getByRole("link", { name: /^Listen Now/ })
    .nth(1)
    .click();
  await page.waitForURL(/\/episode\/\d+$/);
  await page.locator(".reading").first().waitFor();
  await follow();
  await page.waitForURL("**?t=15");
  await expect(page.getByRole("button", { name: "Play from 0:15" })).toBeVisible();
  expect(await page.evaluate(() => "isSame" in window)).toBe(true);
  await page.context().close();
});

test("on the episode's page the chapter and the paragraph that are heard are marked, and lead there @full", async ({
  browser,
}) => {
  const page = await openPage(browser, episodePath());
  const chapters = page
    .locator("section", { has: page.getByRole("heading", { name: "Chapters" }) })
    .getByRole("link");
  await chapters.nth(1).click();
  await expect(chapters.nth(1)).toHaveAttribute("aria-current", "true");
  await passes(page, 1);
  await page.getByText("Transcript", { exact: true }).click();
  const times = page.locator("details li a");
  await expect(async () => {
    await times.first().click();
    const line = page.locator("details li").first();
    await expect(line).toHaveAttribute("aria-current", "time", { timeout: 1000 });
  }).toPass();
  await expect(page.getByRole("button", { name: "Add to queue" })).toBeDisabled();
  await page.getByRole("link", { name: "All episodes" }).click();
  await page
    .getByRole("link", { name: /^Listen Now/ })
    .nth(1)
    .click();
  await page.getByRole("button", { name: "Add to queue" }).click();
  await expectToast(page, "Added to the queue");
  await barOf(page).getByRole("button", { name: "Next episode" }).click();
  await expect(barOf(page)).toContainText(episodes[1]!.title);
  await page.context().close();
});
