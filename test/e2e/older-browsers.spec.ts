import { expect } from "@playwright/test";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { site, test } from "./support/demo.ts";

/** Takes away what Firefox 115 and Safari 16 lack. Runs in the page. */
function growOlder() {
  const lacking = [
    [Intl, "Segmenter"],
    [Map, "groupBy"],
    [Promise, "withResolvers"],
    [URL, "canParse"],
    [URL, "parse"],
    [URLSearchParams.prototype, "size"],
  ] as const;
  for (const [owner, name] of lacking) Reflect.deleteProperty(owner, name);
}

test("a public form counts characters in browsers that cannot split text into them", async ({ page }) => {
  const complaints = complaintsOf(page.context());
  await page.addInitScript(growOlder);
  await openHydrated(page, `${site.url}/contact`);
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("👨‍👩‍👧‍👦👍🏽é".repeat(42));
  await expect(name).toHaveAccessibleDescription("6 too many.");
  expect(complaints).toEqual([]);
});
