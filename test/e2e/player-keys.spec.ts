import { expect } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { episodePath, episodes, test } from "./support/demo.ts";
import { hydrated } from "./support/hydrated.ts";
import {
  barOf,
  isPlaying,
  jumps,
  leaveQueue,
  openPage,
  passes,
  play,
  secondsOf,
  stopsAt,
} from "./support/player.ts";

test("no key moves a player that has not played in this visit; arrows scroll a horizontal scroller @full", async ({
  browser,
}) => {
  const page = await openPage(browser, "/about");
  await leaveQueue(page.context());
  await page.reload();
  await hydrated(page);
  const bar = barOf(page);
  await expect(bar).toContainText(episodes[1]!.title);
  for (const key of ["ArrowRight", "ArrowLeft", "n", "p", "j", "l"]) await page.keyboard.press(key);
  await expect(bar).toContainText(episodes[1]!.title);
  expect(await secondsOf(page)).toBe(40);

  await page.keyboard.press("k");
  await passes(page, 40);
  await page.keyboard.press("k");
  const at = await stopsAt(page);
  await page.locator("main").evaluate((main) => {
    const code = `<div class="reading"><pre tabindex="0">${"wide ".repeat(200)}</pre></div>`;
    main.insertAdjacentHTML("beforeend", code);
  });
  const wide = page.locator("pre");
  await wide.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => wide.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
  expect(await stopsAt(page)).toBe(at);
  await page.locator("main").focus();
  await page.keyboard.press("Shift+ArrowLeft");
  expect(await stopsAt(page)).toBe(at);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => stopsAt(page)).toBeLessThan(at - 10);
  await page.context().close();
});

test("keys play, but not while one types, nor in a dialog, nor once they are switched off", async ({
  browser,
}) => {
  const page = await openPage(browser, episodePath());
  await play(page);
  const bar = barOf(page);
  await page.locator("main").focus();
  await page.keyboard.press("l");
  await jumps(page, 29);
  await page.keyboard.press(" ");
  await expect(bar.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  const further = await secondsOf(page);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => secondsOf(page)).toBeLessThan(further);
  await page.keyboard.press("m");
  await expect(bar.getByRole("button", { name: "Unmute" })).toBeVisible();
  expect(await page.locator("audio:not([controls])").evaluate(({ muted }: HTMLAudioElement) => muted)).toBe(
    true,
  );
  await page.keyboard.press(">");
  await expect(bar).toContainText("1.25×");

  const email = page.getByRole("contentinfo").getByRole("textbox");
  await email.fill("");
  await email.pressSequentially("km ?");
  await expect(bar.getByRole("button", { name: "Unmute" })).toBeVisible();
  expect(await isPlaying(page)).toBe(false);
  await email.blur();

  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("k");
  expect(await isPlaying(page)).toBe(false);
  await expectNoAxeFindings(page);
  await dialog.getByLabel("Use keyboard shortcuts").uncheck();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.keyboard.press("m");
  await page.keyboard.press("k");
  await expect(bar.getByRole("button", { name: "Unmute" })).toBeVisible();
  expect(await isPlaying(page)).toBe(false);
  await page.context().close();
});
