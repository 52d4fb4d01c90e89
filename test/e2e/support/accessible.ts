import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./axe.ts";
import { setColorScheme } from "./color-scheme.ts";
import { looks } from "./windows.ts";

/** At both widths and in both themes, without a word that leaves the page. */
export async function expectAccessible(page: Page) {
  for (const { viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    await expectNoAxeFindings(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(viewport.width);
  }
}
