import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";
import type { AxeResults, RunOptions } from "axe-core";

/** Less than half the size of `axe.source`, which each document must parse. */
const source = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/**
 * Collecting axe's other results takes as long as the analysis. Style sheets, which axe otherwise fetches and parses first,
 * are read by one rule, an experimental one that is off (css-orientation-lock).
 */
const options: RunOptions = { resultTypes: ["violations"], preload: { assets: ["media"] } };

/** Fails with a list of what axe found, by rule and element. */
export async function expectNoAxeFindings(page: Page) {
  const isAlone = page.frames().length === 1;
  const { violations } = await withoutMotion(page, () => (isAlone ? analyze(page) : analyzeWithFrames(page)));
  const findings = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")}`),
  );
  expect(findings).toEqual([]);
}

/**
 * Without animations while axe runs: in a transition, such as a theme change or an opening dialog, colours are those of
 * neither state, and it may begin after the test has waited for it.
 */
async function withoutMotion<T>(page: Page, look: () => Promise<T>) {
  const sheet = await page.evaluateHandle(() => {
    const still = new CSSStyleSheet();
    still.replaceSync("*, ::before, ::after { transition: none !important; animation: none !important }");
    document.adoptedStyleSheets.push(still);
    return still;
  });
  try {
    return await look();
  } finally {
    await sheet.evaluate((still) => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== still);
    });
  }
}

/** Each document loads axe once: parsing its source takes as long as an analysis. */
async function analyze(page: Page): Promise<Pick<AxeResults, "violations">> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  return page.evaluate(async (given) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, given);
    return { violations };
  }, options);
}

/** Results across frames are combined in a second page. */
const analyzeWithFrames = (page: Page) => new AxeBuilder({ page }).options(options).analyze();
