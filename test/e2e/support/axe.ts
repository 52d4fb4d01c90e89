import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import type axe from "axe-core";
import type { AxeResults, RunOptions } from "axe-core";

/** Less than half of `axe.source`, which each document would have to read. */
const source = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What else axe finds takes as long to write down as to find. */
const options: RunOptions = { resultTypes: ["violations"] };

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
 * What is on its way from one look to another has the colours of neither, and may only begin after it was waited for: a
 * theme that the browser was told of, a dialog that opens. So nothing moves while axe looks.
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

/** Each document is given axe once: reading its source takes as long as an analysis. */
async function analyze(page: Page): Promise<Pick<AxeResults, "violations">> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  return page.evaluate(async (given) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, given);
    return { violations };
  }, options);
}

/** What spans frames is put together in a second page. */
const analyzeWithFrames = (page: Page) => new AxeBuilder({ page }).options(options).analyze();
