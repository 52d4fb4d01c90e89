import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./axe.ts";
import { setColorScheme } from "./color-scheme.ts";

/** At both widths and in both themes, without a word that leaves the page. */
export async function expectAccessible(page: Page) {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["dark", "light"] as const) {
      await setColorScheme(page, colorScheme);
      await expectNoAxeFindings(page);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
}
