import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindingsInThemes } from "./support/accessible.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

let site: Site;
let page: Page;
let complaints: string[];

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  page = await (await browser.newContext()).newPage();
  complaints = complaintsOf(page.context());
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

/** Deletes the first item of a list, and returns its name. */
async function deleteFirst(list: string, noun: string) {
  await openHydrated(page, site.url + list);
  const button = page.getByRole("button", { name: /^Delete / }).first();
  const name = (await button.getAttribute("aria-label"))!.replace("Delete ", "");
  await button.click();
  const question = page.getByRole("alertdialog", { name: `Are you sure you want to delete this ${noun}?` });
  await expect(question).toContainText("moves to the bin for 30 days");
  await question.getByRole("button", { name: `Delete ${noun}` }).click();
  // Closing moves the focus, also away from where a test has just put it.
  await expect(question).toHaveCount(0);
  return name;
}

const inList = (name: string) => page.getByRole("button", { name: `Delete ${name}`, exact: true });
const inBin = (name: string) => page.getByRole("button", { name: `Restore ${name}`, exact: true });

test("an empty bin says what will be in it @full", async () => {
  await openHydrated(page, `${site.url}/admin/articles`);
  await page.getByRole("main").getByRole("link", { name: "bin", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Bin", exact: true })).toBeVisible();
  await expect(page.getByText("The bin is empty")).toBeVisible();
  await expectNoAxeFindingsInThemes(page);
});

for (const [list, noun, toast] of [
  ["/admin/articles", "article", "Article deleted successfully!"],
  ["/admin/podcast", "episode", "Episode deleted successfully!"],
  ["/admin/media", "media item", "Media item deleted successfully"],
] as const)
  test(`Undo in the toast restores the deleted ${noun}, by keyboard${noun === "article" ? "" : " @full"}`, async () => {
    const name = await deleteFirst(list, noun);
    await expectToast(page, toast);
    await expect(inList(name)).toHaveCount(0);
    const undo = page.getByRole("region", { name: "Notifications" }).getByRole("button", { name: "Undo" });
    await undo.focus();
    await page.keyboard.press("Enter");
    await expectToast(page, `${noun.charAt(0).toUpperCase()}${noun.slice(1)} restored`);
    await expect(inList(name)).toHaveCount(1);
  });

test("the bin shows what was deleted and by whom, and restores it", async () => {
  const name = await deleteFirst("/admin/articles", "article");
  await expectToast(page, "Article deleted successfully!");
  await openHydrated(page, `${site.url}/admin/bin`);
  const row = page.getByRole("row").filter({ has: inBin(name) });
  await expect(row).toContainText(/Article.*by .+/);
  await expectNoAxeFindingsInThemes(page);
  await inBin(name).click();
  await expectToast(page, "Article restored");
  await expect(inBin(name)).toHaveCount(0);
  await openHydrated(page, `${site.url}/admin/articles`);
  await expect(inList(name)).toHaveCount(1);
});

test("deleting for good asks first, and leaves the item if it is cancelled", async () => {
  const name = await deleteFirst("/admin/podcast", "episode");
  await expectToast(page, "Episode deleted successfully!");
  await openHydrated(page, `${site.url}/admin/bin`);
  const ask = page.getByRole("button", { name: `Delete for good: ${name}` });
  await ask.click();
  const question = page.getByRole("alertdialog", {
    name: "Are you sure you want to delete this episode for good?",
  });
  await expectNoAxeFindings(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(ask).toBeFocused();
  await ask.click();
  await question.getByRole("button", { name: "Delete for good" }).click();
  await expectToast(page, "Deleted for good");
  await expect(page.getByText("The bin is empty")).toBeVisible();
});

test("the search of the admin area finds the bin @full", async () => {
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox").fill("trash");
  await page.getByRole("option", { name: /Bin/ }).first().click();
  await expect(page.getByRole("heading", { name: "Bin", exact: true })).toBeVisible();
});

test("no page wrote anything to the console", () => {
  expect(complaints).toEqual([]);
});
