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
  site = await startSite({ sql: "delete from press_items" });
  page = await (await browser.newContext()).newPage();
  complaints = complaintsOf(page.context());
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const HOSTILE = `"><img src=x onerror=alert(1)> {{7*7}}`;
const save = () => page.getByRole("button", { name: "Save", exact: true });
/** The answer of the next write to the API of a noun. */
const saved = (noun: string) =>
  page.waitForResponse(
    (answer) => answer.url().includes(`/api/admin/${noun}`) && answer.request().method() !== "GET",
  );

/** What visitors read on a page. */
async function readAsVisitor(path: string) {
  const visitor = await page.context().browser()!.newPage();
  await visitor.goto(site.url + path);
  // innerText would leave out what is below the window (content-visibility).
  const text = await visitor.getByRole("main").textContent();
  await visitor.close();
  return text;
}

test("a media item begins as a published release of today, in the site's time zone", async () => {
  await openHydrated(page, `${site.url}/admin/media`);
  await expect(page.getByRole("heading", { name: "Media Management" })).toBeVisible();
  await expect(page.getByText("No media items yet")).toBeVisible();
  const today = () => new Intl.DateTimeFormat("sv-SE", { timeZone: "Australia/Sydney" }).format();
  const before = today();
  await page.getByRole("link", { name: "New media item" }).click();
  await expect(page.getByRole("heading", { name: "New media item" })).toBeVisible();
  await expect(page.getByLabel("Type", { exact: true })).toHaveValue("press_release");
  await expect(page.getByRole("switch", { name: "Published" })).toBeChecked();
  // Midnight may have passed.
  const date = await page.getByLabel("Date", { exact: true }).inputValue();
  expect([before, today()]).toContain(date);
});

test("media item: errors appear beside their fields and the typed text stays @full", async () => {
  await page.getByLabel("Date", { exact: true }).fill("");
  await page.getByRole("textbox", { name: "Link" }).fill("harbour");
  await save().click();
  await expect(page.getByRole("textbox", { name: "Title" })).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveAccessibleDescription("Title is required");
  await expect(page.getByLabel("Date", { exact: true })).toHaveAccessibleDescription("Date is required");
  await expect(page.getByLabel("Summary")).toHaveAccessibleDescription(/Summary is required/);
  await expect(page.getByRole("textbox", { name: "Link" })).toHaveAccessibleDescription(/full address/);
  await expect(page.getByRole("textbox", { name: "Link" })).toHaveValue("harbour");
  await expectNoAxeFindingsInThemes(page);
});

test("a media item is created, changed, found and deleted, and visitors see each", async () => {
  await page.getByRole("textbox", { name: "Title" }).fill(`Release ${HOSTILE}`);
  await page.getByLabel("Date", { exact: true }).fill("2026-03-04");
  await page.getByLabel("Summary").fill(`Forty-one homes. ${HOSTILE}`);
  await page.getByRole("textbox", { name: "Link" }).fill("https://harbour.example/1");
  await page.getByLabel("Outlet").fill(HOSTILE);
  await page.getByRole("textbox", { name: "Text", exact: true }).fill(`**Bold** words. ${HOSTILE}`);
  await expect(page.getByRole("region", { name: "Preview" }).locator("strong")).toHaveText("Bold");
  const created = saved("press");
  await save().click();
  expect((await created).status()).toBe(201);
  await expectToast(page, "Media item created successfully");
  const row = page.getByRole("row").filter({ hasText: "Release" });
  await expect(row).toContainText("Published");
  await expect(row).toContainText("Press release");
  await expect(row).toContainText(HOSTILE);
  expect(await readAsVisitor("/media")).toContain(`Forty-one homes. ${HOSTILE}`);
  await expectNoAxeFindingsInThemes(page);

  await row.getByRole("link", { name: /^Edit/ }).click();
  // The list, too, has a type to choose.
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Edit media item");
  await page.getByLabel("Type", { exact: true }).selectOption("media_coverage");
  await page.getByRole("switch", { name: "Published" }).uncheck();
  const changed = saved("press");
  await save().click();
  expect((await changed).ok()).toBe(true);
  await expectToast(page, "The media item is a draft again");
  await expect(row).toContainText("Draft");
  expect(await readAsVisitor("/media")).not.toContain("Forty-one homes");

  await page.getByLabel("Search").fill("nothing like it");
  await page.getByRole("search").getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("No media items found")).toBeVisible();
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(row).toHaveCount(1);
  await page.getByLabel("Status").selectOption("draft");
  await page.getByRole("search").getByRole("button", { name: "Search" }).click();
  await page.waitForURL(/status=draft/);
  await expect(row).toHaveCount(1);

  await row.getByRole("button", { name: /^Delete/ }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("Are you sure you want to delete this media item?");
  await expectNoAxeFindings(page);
  await dialog.getByRole("button", { name: "Delete media item" }).click();
  await expectToast(page, "Media item deleted successfully");
  await expect(row).toHaveCount(0);
});

test("the form of a campaign shows how its address will be displayed, while it is typed", async () => {
  await page.getByRole("navigation", { name: "Media" }).getByRole("link", { name: "Campaigns" }).click();
  await page.getByRole("link", { name: "New campaign" }).click();
  await expect(page.getByRole("heading", { name: "New campaign" })).toBeVisible();
  const address = page.getByLabel("Address");
  const note = page.getByRole("status").filter({ hasText: /on your page/ });
  await address.fill("http://unknown.example/");
  await expect(note).toHaveCount(0);
  await address.fill("https://unknown.example/sign");
  await expect(note).toContainText("unknown.example can’t be shown on your page");
  await expect(note.getByRole("link", { name: "General settings" })).toHaveAttribute("href", /frame-hosts/);
  await expectNoAxeFindingsInThemes(page);

  const settings = (await (await page.request.get(`${site.url}/api/admin/settings`)).json()) as {
    site: { frameHosts: string[] };
  };
  await address.fill(`https://${settings.site.frameHosts[0]}/sign`);
  await expect(note).toContainText(`Visitors see the form from ${settings.site.frameHosts[0]}`);
  await address.fill("http://unknown.example/");
  await save().click();
  await expect(address).toHaveAccessibleDescription(/starts with https/);
  await expect(page.getByRole("textbox", { name: "Title" })).toHaveAccessibleDescription("Title is required");
});

test("a campaign is created, ordered by the buttons, closed and deleted", async () => {
  await page.getByRole("textbox", { name: "Title" }).fill(`Sign ${HOSTILE}`);
  await page.getByLabel("Description").fill(HOSTILE);
  await page.getByLabel("Address").fill("https://unknown.example/sign");
  await page.getByLabel("Sort Order").fill("-1");
  const created = saved("campaigns");
  await save().click();
  expect((await created).status()).toBe(201);
  await expectToast(page, "Campaign created successfully");
  const cards = page.getByRole("list", { name: "Campaigns" }).getByRole("listitem");
  await expect(cards.first()).toContainText(`Sign ${HOSTILE}`);
  await expect(cards.first()).toContainText("Petition on unknown.example, a link");
  expect(await readAsVisitor("/petitions")).toContain("Sign it on unknown.example");
  await expectNoAxeFindingsInThemes(page);

  const ordered = saved("campaigns/order");
  await page.getByRole("button", { name: /^Move Sign .* down/ }).click();
  expect((await ordered).ok()).toBe(true);
  await expect(cards.nth(1)).toContainText("Sign");

  await cards.nth(1).getByRole("link", { name: /^Edit/ }).click();
  await page.getByLabel("Status").selectOption("closed");
  const changed = saved("campaigns");
  await save().click();
  expect((await changed).ok()).toBe(true);
  await expect(cards.nth(1)).toContainText("Closed");
  expect(await readAsVisitor("/petitions")).not.toContain('Sign ">');

  await cards
    .nth(1)
    .getByRole("button", { name: /^Delete/ })
    .click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete campaign" }).click();
  await expectToast(page, "Campaign deleted successfully");
  await expect(cards.filter({ hasText: 'Sign ">' })).toHaveCount(0);
});

test("a social post is created, changed and deleted, and the front page shows it @full", async () => {
  await page.getByRole("navigation", { name: "Media" }).getByRole("link", { name: "Social posts" }).click();
  await expect(page.getByRole("region", { name: "Followers" }).getByRole("link")).toHaveAttribute(
    "href",
    "/admin/settings/general#followers",
  );
  await expectNoAxeFindingsInThemes(page);
  await page.getByRole("link", { name: "New social post" }).click();
  await page.getByLabel("Likes").fill("-1");
  await page.getByRole("textbox", { name: "Link" }).fill("http://a.example/");
  await save().click();
  await expect(page.getByRole("textbox", { name: "Post" })).toHaveAccessibleDescription(
    /The post needs some text/,
  );
  await expect(page.getByLabel("Likes")).toHaveAccessibleDescription(/whole number/);
  await expect(page.getByRole("textbox", { name: "Link" })).toHaveAccessibleDescription(/starts with https/);
  await expectNoAxeFindingsInThemes(page);

  await page.getByRole("textbox", { name: "Post" }).fill(`Said today. ${HOSTILE}`);
  await page.getByLabel("Likes").fill("12");
  await page.getByRole("textbox", { name: "Link" }).fill("");
  const created = saved("social-posts");
  await save().click();
  expect((await created).status()).toBe(201);
  await expectToast(page, "Social post created successfully");
  const posts = page.getByRole("list", { name: "Social posts" }).getByRole("listitem");
  await expect(posts.first()).toContainText(`Said today. ${HOSTILE}`);
  await expect(posts.first()).toContainText("12 likes");
  await expect(posts.first()).toContainText("Front page");
  expect(await readAsVisitor("/")).toContain(`Said today. ${HOSTILE}`);

  await posts.first().getByRole("link", { name: /^Edit/ }).click();
  await page.getByRole("textbox", { name: "Post" }).fill("Said again.");
  const changed = saved("social-posts");
  await save().click();
  expect((await changed).ok()).toBe(true);
  await expect(posts.first()).toContainText("Said again.");

  await posts
    .first()
    .getByRole("button", { name: /^Delete/ })
    .click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete social post" }).click();
  await expectToast(page, "Social post deleted successfully");
  await expect(posts.filter({ hasText: "Said again." })).toHaveCount(0);
});

test("nothing was complained of", () => {
  // The browser logs each error response; the forms here are refused before they are sent.
  expect(complaints).toEqual([]);
});

test("a too long title shows an error beside its field and is not truncated @full", async () => {
  await openHydrated(page, `${site.url}/admin/media/campaigns/new`);
  const title = page.getByLabel("Title", { exact: true });
  await title.fill("x".repeat(400));
  await page.keyboard.press("ControlOrMeta+s");
  await expect(title).toHaveAccessibleDescription("A title has at most 160 characters.");
  await expect(title).toHaveValue("x".repeat(400));
});
