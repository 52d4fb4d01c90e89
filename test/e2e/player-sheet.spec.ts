import { expect } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { episodes, site, test } from "./support/demo.ts";
import { hydrated } from "./support/hydrated.ts";
import {
  barOf,
  isPlaying,
  jumps,
  leaveQueue,
  openPage,
  openSheet,
  passes,
  playQueue,
  secondsOf,
  stopsAt,
} from "./support/player.ts";
import { desktop, phone } from "./support/windows.ts";

test("the sheet has chapters, a transcript that follows the playback, the queue, speed and the sleep timer", async ({
  browser,
}) => {
  const page = await openPage(browser, "/", { viewport: phone });
  await playQueue(page);
  const sheet = await openSheet(page);
  const seek = sheet.getByLabel("Seek");
  const chapters = sheet.getByRole("tabpanel", { name: "Chapters" }).getByRole("button");
  const start = await page.evaluate(async (id) => {
    const episode = (await (await fetch(`/api/episodes/${id}`)).json()) as { chapters: { start: number }[] };
    return episode.chapters[1]!.start;
  }, episodes[0]!.id);
  await sheet.getByRole("button", { name: "Pause", exact: true }).click();
  const from = await stopsAt(page);
  await chapters.nth(1).click();
  await jumps(page, start - from - 2);
  await expect.poll(async () => Number(await seek.inputValue())).toBeGreaterThanOrEqual(Math.floor(start));
  await expect(chapters.nth(1)).toHaveAttribute("aria-current", "true");
  await expect(chapters.nth(0)).not.toHaveAttribute("aria-current");
  await sheet.getByRole("button", { name: "Pause", exact: true }).click();

  await sheet.getByRole("tab", { name: "Transcript" }).click();
  const lines = sheet.getByRole("tabpanel", { name: "Transcript" }).locator("li button");
  await expect(
    lines.locator("[aria-current=true]").or(sheet.locator("li button[aria-current=true]")),
  ).toBeInViewport();
  await lines.first().scrollIntoViewIfNeeded();
  await sheet.getByRole("tabpanel", { name: "Transcript" }).evaluate((panel) => panel.scrollTo(0, 0));
  await sheet.getByRole("button", { name: "Back to what is playing" }).click();
  await expect(sheet.locator("li button[aria-current=true]")).toBeInViewport();
  await expect(sheet.locator("li button[aria-current=true]")).toBeFocused();
  await sheet.getByRole("tabpanel", { name: "Transcript" }).evaluate((panel) => panel.scrollTo(0, 0));
  // It is read aloud from its beginning, and soon is over.
  await expect(async () => {
    await lines.first().click();
    await expect(lines.first()).toHaveAttribute("aria-current", "true", { timeout: 1000 });
  }).toPass();
  await expect.poll(async () => Number(await seek.inputValue())).toBeLessThan(start);

  await sheet.getByRole("tab", { name: "Queue" }).click();
  await sheet.getByLabel("Speed").selectOption("2.5");
  await expect.poll(() => page.evaluate(() => document.querySelector("audio")?.playbackRate)).toBe(2.5);
  await sheet.getByLabel("Sleep timer").selectOption("5");
  await expect(sheet).toContainText("5 min left");

  const queue = sheet.getByRole("tabpanel", { name: "Queue" });
  await queue.getByRole("button", { name: `Remove ${episodes[1]!.title} from the queue` }).click();
  await expect(queue.getByRole("listitem")).toHaveCount(episodes.length - 1);
  await expect(
    queue.getByRole("button", { name: `Remove ${episodes[2]!.title} from the queue` }),
  ).toBeFocused();
  await queue.getByRole("button", { name: episodes[2]!.title, exact: true }).click();
  await expect(sheet.getByRole("heading", { level: 2 })).toHaveText(episodes[2]!.title);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(barOf(page).getByRole("button", { name: /^Open player/ })).toBeFocused();
  await page.context().close();
});

test("a row plays at a press; a phone's bar skips ahead, the sheet skips back and to other episodes, and a switch continues the queue @full", async ({
  browser,
}) => {
  const page = await openPage(browser, "/podcast", { viewport: phone });
  const row = page.getByRole("listitem").filter({ hasText: episodes[1]!.title });
  await row.getByRole("button", { name: `Play ${episodes[1]!.title}` }).click();
  const bar = barOf(page);
  await expect(bar).toContainText(episodes[1]!.title);
  await passes(page, 0);
  await expect(bar.getByRole("button", { name: /^(Next|Previous) episode$/ })).toHaveCount(0);
  await bar.getByRole("button", { name: "Forward 30 seconds" }).click();
  await jumps(page, 29);
  await row.getByRole("button", { name: `Pause ${episodes[1]!.title}` }).click();
  const paused = Math.round(await stopsAt(page));
  await expect.poll(() => secondsOf(page)).toBe(paused);
  await expect(bar.getByRole("button", { name: "Back 15 seconds" })).toHaveCount(0);
  const sheet = await openSheet(page);
  await sheet.getByRole("button", { name: "Back 15 seconds" }).click();
  await expect
    .poll(async () => Number(await sheet.getByLabel("Seek").inputValue()))
    .toBeCloseTo(paused - 15, 1);
  await page.keyboard.press("Escape");
  await expect(row).toContainText("min left");

  await openSheet(page);
  const goesOn = sheet.getByRole("switch", { name: "Play the next episode automatically" });
  await expect(goesOn).not.toBeChecked();
  await goesOn.check();
  const playToEnd = async () => {
    await sheet.getByRole("button", { name: "Play", exact: true }).click();
    await sheet.getByLabel("Seek").fill(String(Math.floor(episodes[1]!.durationSeconds) - 1));
    await expect(sheet).toHaveAccessibleName(episodes[2]!.title);
  };
  await sheet.getByLabel("Sleep timer").selectOption("End of episode");
  await playToEnd();
  await expect(sheet.getByRole("button", { name: "Play", exact: true })).toBeEnabled();
  expect(await isPlaying(page)).toBe(false);
  await sheet.getByRole("button", { name: "Previous episode" }).click();

  await sheet.getByRole("tab", { name: "Transcript" }).click();
  await expect(goesOn).toBeHidden();
  await expect(sheet).toHaveAccessibleName(episodes[1]!.title);
  const transcript = await sheet.getByRole("tabpanel", { name: "Transcript" }).boundingBox();
  expect(transcript!.height).toBeGreaterThan(phone.height * 0.6);
  expect(transcript!.y + transcript!.height).toBeLessThanOrEqual(phone.height);
  await sheet.getByRole("button", { name: "Next episode" }).click();
  await expect(sheet).toHaveAccessibleName(episodes[2]!.title);
  await sheet.getByRole("button", { name: "Previous episode" }).click();
  await expect(sheet).toHaveAccessibleName(episodes[1]!.title);
  await playToEnd();
  await expect.poll(() => isPlaying(page)).toBe(true);
  await sheet.getByRole("tab", { name: "Queue" }).click();
  await expect(goesOn).toBeChecked();
  await goesOn.uncheck();
  await page.reload();
  await hydrated(page);
  await expect(bar).toContainText(episodes[2]!.title);
  const stored = await page.evaluate(
    () => JSON.parse(localStorage.getItem("player")!) as { goesOn: boolean },
  );
  expect(stored.goesOn).toBe(false);
  await page.context().close();
});

test("Back closes the sheet without leaving the page, scrolling it or stopping the audio @full", async ({
  browser,
}) => {
  const page = await openPage(browser, "/about", { viewport: phone });
  await page.goto(`${site.url}/podcast`);
  await page
    .getByRole("button", { name: /^Play / })
    .first()
    .click();
  await expect.poll(() => isPlaying(page)).toBe(true);
  await page.evaluate(() => scrollTo(0, 300));
  const before = await page.evaluate(() => [history.length, scrollY]);
  const state = () => page.evaluate(() => [location.pathname, scrollY]);
  const sheet = await openSheet(page);

  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goBack();
  await expect(sheet).toBeHidden();
  expect(await state()).toEqual(["/podcast", before[1]]);
  expect(await isPlaying(page)).toBe(true);
  // The page's data is not loaded again, which would fail without a connection.
  expect(asked.filter((url) => url.includes(".data"))).toEqual([]);

  // Closed in another way, it leaves no entry: the next Back leaves the page.
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => sheet.getByRole("button", { name: "Close player" }).click(),
  ]) {
    await openSheet(page);
    await close();
    await expect(sheet).toBeHidden();
    expect(await state()).toEqual(["/podcast", before[1]]);
  }
  await expect.poll(() => page.evaluate(() => (history.state as { layers?: number }).layers)).toBeUndefined();
  expect(await page.evaluate(() => history.length)).toBeLessThanOrEqual(before[0]! + 1);

  // A dialog over the sheet is closed first.
  await openSheet(page);
  await page.getByRole("button", { name: "Offline storage" }).click();
  await expect(page.getByRole("dialog", { name: "Offline storage" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("dialog", { name: "Offline storage" })).toBeHidden();
  await expect(sheet).toBeVisible();
  await page.goBack();
  await expect(sheet).toBeHidden();
  expect(await isPlaying(page)).toBe(true);

  // A link in the sheet leaves it; Back returns to the page, not to the sheet's entry.
  await openSheet(page);
  await sheet.getByRole("heading", { level: 2 }).getByRole("link").click();
  await expect(page).toHaveURL(/\/episode\/\d+$/);
  await expect(sheet).toBeHidden();
  await page.goBack();
  // The address changes and is reverted while the next page is fetched, so the test waits for the page itself.
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute("href", `${site.url}/podcast`);
  await expect(page).toHaveURL(`${site.url}/podcast`);
  expect(await isPlaying(page)).toBe(true);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/about`);
  await page.context().close();
});

test("Back closes a phone's menu without leaving the page or stopping the audio; a link in the menu replaces its history entry @full", async ({
  browser,
}) => {
  const page = await openPage(browser, "/about", { viewport: phone });
  await page.goto(`${site.url}/podcast`);
  const openMenu = async () => {
    await page.getByRole("button", { name: "Menu" }).click();
    await expect(menu).toBeVisible();
    // Loaded when the menu is first opened.
    await expect.poll(layersOf).toBe(1);
  };
  const menu = page.getByRole("navigation", { name: "Menu" });
  const layersOf = () => page.evaluate(() => (history.state as { layers?: number }).layers);
  // Before the scripts are there, too.
  await openMenu();
  await page.goBack();
  await expect(menu).toBeHidden();
  await page
    .getByRole("button", { name: /^Play / })
    .first()
    .click();
  await expect.poll(() => isPlaying(page)).toBe(true);
  await page.evaluate(() => scrollTo(0, 300));
  await openMenu();
  await page.goBack();
  await expect(menu).toBeHidden();
  await expect(page).toHaveURL(`${site.url}/podcast`);
  expect(await page.evaluate(() => scrollY)).toBe(300);
  expect(await isPlaying(page)).toBe(true);

  // Closed in another way, it leaves no entry.
  await openMenu();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect.poll(layersOf).toBeUndefined();
  // A link to the page itself closes the menu, and adds no entry either.
  await openMenu();
  await menu.getByRole("link", { name: "Podcast" }).click();
  await expect(menu).toBeHidden();
  await expect.poll(layersOf).toBeUndefined();

  await openMenu();
  await menu.getByRole("link", { name: "Mission" }).click();
  await expect(page).toHaveURL(`${site.url}/mission`);
  await expect(menu).toBeHidden();
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/podcast`);
  await expect(menu).toBeHidden();
  expect(await isPlaying(page)).toBe(true);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/about`);
  await page.context().close();
});

for (const [colorScheme, viewport] of [
  ["light", phone],
  ["dark", desktop],
] as const) {
  test(`the bar and the sheet are free of axe findings (${colorScheme}) @full`, async ({ browser }) => {
    const page = await openPage(browser, "/about", { viewport, colorScheme, reducedMotion: "reduce" });
    await leaveQueue(page.context());
    await page.reload();
    await expect(barOf(page)).toBeVisible();
    await expectNoAxeFindings(page);
    const sheet = await openSheet(page);
    for (const name of ["Chapters", "Transcript", "Queue"]) {
      await sheet.getByRole("tab", { name }).click();
      await expect(sheet.getByRole("tabpanel", { name }).getByRole("listitem").first()).toBeVisible();
      await expectNoAxeFindings(page);
    }
    await page.context().close();
  });
}
