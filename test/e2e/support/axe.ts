import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import axe, { type AxeResults, type RunOptions } from "axe-core";

/** What else axe finds takes as long to write down as to find. */
const options: RunOptions = { resultTypes: ["violations"] };

/** Fails with a list of what axe found, by rule and element. */
export async function expectNoAxeFindings(page: Page) {
  await endOfTransitions(page);
  const isAlone = page.frames().length === 1;
  const { violations } = await (isAlone ? analyze(page) : analyzeWithFrames(page));
  const findings = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")}`),
  );
  expect(findings).toEqual([]);
}

/** A colour on its way from one theme to the other is neither. Asking for animations starts those of a change of style. */
const endOfTransitions = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          document
            .getAnimations()
            .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY).length,
      ),
    )
    .toBe(0);

/** Each document is given axe once: reading its source takes as long as an analysis. */
async function analyze(page: Page): Promise<Pick<AxeResults, "violations">> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  return page.evaluate(async (given) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, given);
    return { violations };
  }, options);
}

/** What spans frames is put together in a second page. */
const analyzeWithFrames = (page: Page) => new AxeBuilder({ page }).options(options).analyze();
