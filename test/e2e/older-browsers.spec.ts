import { expect } from "@playwright/test";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
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

test("a public form counts characters in browsers that cannot split text into them @full", async ({
  page,
}) => {
  const complaints = complaintsOf(page.context());
  await page.addInitScript(growOlder);
  await openHydrated(page, `${site.url}/contact`);
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("👨‍👩‍👧‍👦👍🏽é".repeat(42));
  await expect(name).toHaveAccessibleDescription("6 too many.");
  expect(complaints).toEqual([]);
});

test("decorative signs are drawn in browsers without alternative text for content @full", async ({
  page,
}) => {
  await openHydrated(page, site.url);
  const path = await page.locator("link[rel=stylesheet]").first().getAttribute("href");
  const style = await (await page.request.get(site.url + path!)).text();
  const dots = [...style.matchAll(/content:("[^"]+") ?\/ ?""/g)];
  expect(dots.length).toBeGreaterThan(0);
  for (const { index, 1: drawn } of dots)
    expect(style.slice(0, index)).toMatch(new RegExp(`content:${drawn};$`));
});

test("the admin area works in browsers that lack newer parts of the language @full", async ({ page }) => {
  const complaints = complaintsOf(page.context());
  await page.addInitScript(growOlder);
  await openHydrated(page, `${site.url}/admin/login?next=%2Fadmin%2Fpodcast`);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(page).toHaveURL(/\?reset=&next=%2Fadmin%2Fpodcast$/);
  expect(await page.evaluate(() => URL.parse("/admin/podcast", location.origin)?.pathname)).toBe(
    "/admin/podcast",
  );

  await signInAsOwner(page, site);
  await openHydrated(page, `${site.url}/admin/newsletter/subscribers?q=nobody`);
  await page.getByRole("link", { name: "Add subscriber" }).click();
  await expect(page).toHaveURL(/\?q=nobody&add=$/);

  await openHydrated(page, `${site.url}/admin/podcast/new`);
  const speech = new URL("../fixtures/speech.mp4", import.meta.url).pathname;
  await page.getByLabel("Audio file", { exact: true }).setInputFiles(speech);
  await expect(page.getByText("4 KB · 0:02")).toBeVisible();

  await openHydrated(page, `${site.url}/admin/articles/update`);
  const article = "---\ntitle: An article of the batch\n---\n\nIts text.\n";
  const file = { name: "article.md", mimeType: "text/markdown", buffer: Buffer.from(article) };
  await page.locator("input[type=file]").setInputFiles(file);
  await expect(page.getByText("An article of the batch")).toBeVisible();
  expect(complaints).toEqual([]);
});
