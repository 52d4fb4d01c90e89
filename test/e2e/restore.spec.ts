import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

let site: Site;
let page: Page;
let complaints: string[];
let archive: Buffer;
let filesZip: Buffer;
let feed: string;

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  complaints = complaintsOf(page.context());
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const PATH = "/admin/settings/restore";
const button = (name: string) => page.getByRole("button", { name });
const choose = (files: Record<string, Buffer>) =>
  page
    .getByLabel("Archive")
    .setInputFiles(
      Object.entries(files).map(([name, buffer]) => ({ name, mimeType: "application/zip", buffer })),
    );
const read = async (path: string) => (await page.request.get(`${site.url}${path}`)).text();

/** Deletes everything but the account, which a new site has, too. */
async function emptySite() {
  const { objects } = await site.env.MEDIA.list();
  await site.env.MEDIA.delete(objects.map(({ key }) => key));
  const { results } = await site.env.DB.prepare(
    `select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'
      and name not like '%search\\_%' escape '\\' and name not like '\\_cf%' escape '\\'
      and name not in ('d1_migrations', 'sqlite_sequence', 'users', 'sessions', 'security_events')`,
  ).all<{ name: string }>();
  await site.env.DB.batch(
    ["pragma defer_foreign_keys = on", ...results.map(({ name }) => `delete from "${name}"`)].map(
      (statement) => site.env.DB.prepare(statement),
    ),
  );
}

test("a site with content refuses a restore and says what it has", async () => {
  feed = await read("/rss/podcast.xml");
  archive = await (await page.request.get(`${site.url}/api/admin/export`)).body();
  await openHydrated(page, `${site.url}${PATH}`);
  await expect(page.getByText(/This site isn’t empty: it has/)).toBeVisible();
  await expect(page.getByLabel("Archive")).toHaveCount(0);
  await expectAccessible(page);
});

test("the files are downloaded in parts", async () => {
  await openHydrated(page, `${site.url}/admin/settings/export`);
  await button("List the downloads").click();
  const part = page.getByRole("link", { name: "Part 1 of 1" });
  await expect(part).toBeVisible();
  await expectAccessible(page);
  const answer = await page.request.get(`${site.url}${await part.getAttribute("href")}`);
  filesZip = await answer.body();
  expect(filesZip.length).toBe(Number(answer.headers()["content-length"]));
});

test("a file that is no archive is refused beside the field", async () => {
  await emptySite();
  await openHydrated(page, `${site.url}${PATH}`);
  await expectAccessible(page);
  await choose({ "half.zip": archive.subarray(0, archive.length / 2) });
  await expect(page.getByText(/This file isn’t a whole zip/)).toBeVisible();
  await expectAccessible(page);
});

test("the owner sees what is in the archive, and restores it", async () => {
  await choose({ "site.zip": archive, "site-files-1.zip": filesZip });
  await expect(page.getByText(/From http:\/\/localhost/)).toBeVisible();
  await expect(page.getByText(/Each has the hash that the archive states/)).toBeVisible();
  await expectAccessible(page);
  await button("Choose another archive").click();
  await choose({ "site.zip": archive, "site-files-1.zip": filesZip });
  await button("Restore this site").click();
  await page.waitForURL(`**${PATH}/*`);
  await button("Pause").click();
  await expectToast(page, "Import paused");
  await expectAccessible(page);
  await button("Resume").click();
  await expectToast(page, "Import resumed");
  await expect(page.getByText("The site is restored.")).toBeVisible();
  await expect(page.getByText(/have the archive’s hashes/).first()).toBeVisible();
  await expect(page.getByText(/Missing:/)).toHaveCount(0);
  await expectAccessible(page);
});

test("the restored feed is the same byte for byte", async () => {
  expect(await read("/rss/podcast.xml")).toBe(feed);
  await openHydrated(page, `${site.url}/admin/users`);
  expect(complaints).toEqual([]);
});
