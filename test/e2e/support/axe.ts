import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** Fails with a list of what axe found, by rule and element. */
export async function expectNoAxeFindings(page: Page) {
  // What spans frames is put together in a second page, which takes as long as the analysis: only where there are any.
  const isAlone = page.frames().length === 1;
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(isAlone).analyze();
  const findings = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(" ")}`),
  );
  expect(findings).toEqual([]);
}
