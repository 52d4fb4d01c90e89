import { expect, type Page } from "@playwright/test";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";

let site: Site;
/** More than a page of any list. */
const MANY = 60;

test.beforeAll(async ({ browser }) => {
  site = await startSite();
  const page = await browser.newPage();
  await signInAsOwner(page, site);
  const write = (number: number) =>
    page.request.post(`${site.url}/api/admin/articles`, {
      data: { title: `Article ${number}`, excerpt: "Words.", content: "Words.", status: "published" },
      headers: { Origin: site.url },
    });
  for (const answer of await Promise.all(Array.from({ length: MANY }, (_, index) => write(index))))
    expect(answer).toBeOK();
  await page.close();
});
test.afterAll(() => site?.stop());

/** The text of the live region that announces pages. */
const announced = (page: Page) => page.locator("p[aria-live=polite]");
const main = (page: Page) => page.getByRole("main");

test("another page of a public list is announced, and read from its beginning @full", async ({ page }) => {
  await openHydrated(page, `${site.url}/essays`);
  await expect(announced(page)).toHaveText("");
  const older = page.getByRole("link", { name: "Older essays" });
  await older.press("Enter");
  await expect(page).toHaveURL(/\?before=/);
  await expect(announced(page)).toHaveText(/^Essays/);
  // The link is there still, out of sight.
  await expect(main(page)).toBeFocused();
  const last = () => announced(page).locator("span").elementHandle();
  const before = await last();
  await older.press("Enter");
  // The same words, announced again.
  await expect.poll(async () => before?.evaluate((span) => span.isConnected)).toBe(false);
  await expect(announced(page)).toHaveText(/^Essays/);

  await openHydrated(page, `${site.url}/conversations`);
  const filter = page.getByRole("link", { name: "From LinkedIn" });
  await filter.press("Enter");
  await expect(announced(page)).toHaveText(/^Conversations/);
  await expect(filter).toBeFocused();
});

test("a page that is left from below is read from its beginning @full", async ({ page }) => {
  await openHydrated(page, site.url);
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" }).press("Enter");
  await expect(announced(page)).toHaveText(/^Privacy Policy/);
  await expect(main(page)).toBeFocused();
});

test("a screen reader hears the result of a search or of another page of a list @full", async ({ page }) => {
  await signInAsOwner(page, site);
  await openHydrated(page, `${site.url}/admin/articles`);
  const shown = main(page).getByRole("status").filter({ hasText: "shown:" });
  await main(page).getByRole("searchbox", { name: "Search" }).fill("Article 29");
  await page.keyboard.press("Enter");
  await expect(shown).toHaveText("Articles shown: 1.");
  await expect(announced(page)).toHaveText(/^Articles/);
  await main(page).getByRole("searchbox", { name: "Search" }).fill("xylophone");
  await page.keyboard.press("Enter");
  await expect(shown).toHaveText("Articles shown: 0.");
  await main(page).getByRole("link", { name: "Clear" }).press("Enter");
  await expect(shown).toHaveText(/There are older ones\.$/);
  await expect(main(page)).toBeFocused();

  // A screen reader announces a dialog automatically.
  await openHydrated(page, `${site.url}/admin/speaking`);
  await page.getByRole("link", { name: "Add Engagement" }).press("Enter");
  await expect(page.getByRole("dialog", { name: "Add Engagement" })).toBeVisible();
  await expect(announced(page)).toHaveText("");
});

test("the number of items is right after a deletion, which does not announce it @full", async ({ page }) => {
  await signInAsOwner(page, site);
  await openHydrated(page, `${site.url}/admin/articles?q=Article+3`);
  const shown = (count: number) => main(page).getByText(`Articles shown: ${count}.`, { exact: true });
  await expect(shown(11)).toHaveCount(1);
  await main(page).getByRole("button", { name: "Delete Article 30" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete article" }).click();
  await expect(main(page).getByText("Article 30", { exact: true })).toHaveCount(0);
  await expect(shown(10)).toHaveCount(1);
  await expect(shown(11)).toHaveCount(0);
  await expect(main(page).getByRole("status").filter({ hasText: "shown:" })).toHaveCount(0);
});

test("a confirmed deletion dialog stays closed in the next search @full", async ({ page }) => {
  await signInAsOwner(page, site);
  await openHydrated(page, `${site.url}/admin/articles?q=Article+4`);
  await main(page).getByRole("button", { name: "Delete Article 40" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete article" }).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await main(page).getByRole("searchbox", { name: "Search" }).fill("Article 41");
  await main(page).getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("Articles shown: 1.", { exact: true })).toHaveCount(1);
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
});
