import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./axe.ts";
import { setColorScheme } from "./color-scheme.ts";
import { desktop, looks, sweepsAll } from "./windows.ts";

const places = sweepsAll ? looks : [{ viewport: desktop, colorScheme: "light" } as const];

/** At both widths and in both themes, without a word that leaves the page; if not all are tested, at a desk in the light one. */
export async function expectAccessible(page: Page) {
  for (const { viewport, colorScheme } of places) {
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    await expectNoAxeFindings(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(viewport.width);
  }
}

/** In both themes; if not all are tested, in the light one. */
export async function expectNoAxeFindingsInThemes(page: Page) {
  await expectNoAxeFindings(page);
  if (!sweepsAll) return;
  await setColorScheme(page, "dark");
  await expectNoAxeFindings(page);
  await setColorScheme(page, "light");
}
