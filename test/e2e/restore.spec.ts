import { expect, type Page, type Route } from "@playwright/test";
import { BlobReader, BlobWriter, ZipReader } from "@zip.js/zip.js";
import { zipOf } from "../support/exports.ts";
import { expectAccessible } from "./support/accessible.ts";
import { complaintsOf } from "./support/console.ts";
import { holdFirst } from "./support/hold.ts";
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
const chooseOne = (buffer: Buffer) => choose({ "site.zip": buffer });
const toBuffer = async (blob: Blob) => Buffer.from(await blob.arrayBuffer());
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

/** Adds a file to the library, as an upload in another tab would. */
async function addFile() {
  const key = "uploads/another/a.txt";
  await site.env.MEDIA.put(key, "Words.");
  await site.env.DB.prepare(
    `insert into files (id, key, folder, name, type, size, part_size, status, created_by, created_at, completed_at)
     values ('another', ?, 'uploads', 'a.txt', 'text/plain', 6, 6, 'complete', 'owner', 0, 0)`,
  )
    .bind(key)
    .run();
  return {
    async remove() {
      await site.env.DB.prepare("delete from files where id = 'another'").run();
      await site.env.DB.prepare("delete from object_hashes where key = ?").bind(key).run();
      await site.env.MEDIA.delete(key);
    },
  };
}

/** The archive with other values in its manifest. */
async function changedArchive(change: object) {
  const reader = new ZipReader(new BlobReader(new Blob([new Uint8Array(archive)])), { useWebWorkers: false });
  const files: Record<string, Blob> = {};
  for (const entry of await reader.getEntries())
    if (!entry.directory) files[entry.filename] = await entry.getData(new BlobWriter());
  const manifest = JSON.parse(await files["manifest.json"]!.text()) as object;
  files["manifest.json"] = new Blob([JSON.stringify({ ...manifest, ...change })]);
  return toBuffer(await zipOf(files));
}

const countOf = async (table: string) =>
  site.env.DB.prepare(`select count(*) as count from ${table}`).first<number>("count");

/** Deletes a piece that waits in R2. */
async function losePiece() {
  const { objects } = await site.env.MEDIA.list({ prefix: "restoring/pieces/" });
  const { key } = objects[Math.floor(objects.length / 2)]!;
  const text = await (await site.env.MEDIA.get(key))!.text();
  await site.env.MEDIA.delete(key);
  return { putBack: () => site.env.MEDIA.put(key, text) };
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
  const saved = page.waitForEvent("download");
  await part.click();
  expect((await saved).suggestedFilename()).toBe("localhost-files-1.zip");
  const file = await addFile();
  await part.click();
  await expect(page.getByRole("alert").getByText("The files have changed. List them again.")).toBeVisible();
  await expectAccessible(page);
  await button("List them again").click();
  await expect(page.getByRole("alert").getByText(/have changed/)).toHaveCount(0);
  await expect(button("List them again")).toBeFocused();
  await file.remove();
  await part.click();
  await expect(page.getByRole("alert").getByText(/have changed/)).toBeVisible();
  await button("List them again").click();
  await expect(page.getByRole("alert").getByText(/have changed/)).toHaveCount(0);
  const answer = await page.request.get(`${site.url}${await part.getAttribute("href")}`);
  filesZip = await answer.body();
  expect(filesZip.length).toBe(Number(answer.headers()["content-length"]));
});

test("a file that is no archive is refused beside the field @full", async () => {
  await emptySite();
  await openHydrated(page, `${site.url}${PATH}`);
  await expectAccessible(page);
  await chooseOne(archive.subarray(0, archive.length / 2));
  await expect(page.getByText(/This file isn’t a whole zip/)).toBeVisible();
  expect(complaints.splice(0)).toEqual([expect.stringContaining("End of central directory not found")]);
  await expectAccessible(page);
  await chooseOne(await toBuffer(await zipOf({ "ghost.json": "{}" })));
  await expect(page.getByText(/This zip isn’t an archive of a Rostrum site/)).toBeVisible();
  await chooseOne(await toBuffer(await zipOf({ "media.txt": "" })));
  await expect(page.getByText(/made by an older version of Rostrum, which can’t be restored/)).toBeVisible();
  await chooseOne(await changedArchive({ version: 2 }));
  await expect(page.getByText(/made by a newer version of Rostrum. Update this site first/)).toBeVisible();
  await chooseOne(filesZip);
  await expect(page.getByText(/These zips have only files/)).toBeVisible();
  await choose({ "site.zip": archive, "site-2.zip": archive });
  await expect(page.getByText(/Choose one archive of a site/)).toBeVisible();
});

test("an archive of an older version is refused with that version, and nothing is written @full", async () => {
  await chooseOne(await changedArchive({ migration: "0001_old" }));
  await button("Restore this site").click();
  await expect(page.getByText(/made by an older version of Rostrum \(0001_old\)/)).toBeVisible();
  await expectAccessible(page);
  expect(complaints.splice(0)).toEqual([expect.stringContaining("Failed to load resource")]);
  expect(await countOf("imports")).toBe(0);
  await button("Choose another archive").click();
});

test("a stopped upload leaves nothing, and a lost connection is waited for @full", async () => {
  const held: Route[] = [];
  await page.route("**/pieces", (route) => void held.push(route));
  await chooseOne(archive);
  await expect(page.getByText(/From http:\/\/localhost/)).toBeVisible();
  await expect(page.getByText(/Each has the hash that the archive states/)).toBeVisible();
  await expectAccessible(page);
  await button("Restore this site").click();
  await expect.poll(() => held.length).toBe(1);
  await page.getByRole("link", { name: "Export", exact: true }).click();
  const question = page.getByRole("alertdialog", { name: "Stop the restore?" });
  await expect(question).toContainText("Nothing has been restored yet");
  await question.getByRole("button", { name: "Cancel" }).click();
  await held[0]!.abort("connectionfailed");
  await expect(
    page.getByText("The connection was lost. The restore continues when it’s back."),
  ).toBeVisible();
  await expect.poll(() => held.length).toBe(2);
  await button("Cancel").click();
  await held[1]!.continue();
  await expect(page.getByText("The upload was stopped. Nothing was restored.")).toBeVisible();
  await expect.poll(() => countOf("imports")).toBe(0);
  await page.unroute("**/pieces");
  expect(complaints.splice(0)).toEqual([expect.stringContaining("Failed to load resource")]);
});

test("a restore continues where it stopped, and ends with the hashes of all tables and files @full", async () => {
  await emptySite();
  await openHydrated(page, `${site.url}${PATH}`);
  await choose({ "site.zip": archive, "site-files-1.zip": filesZip });
  // It ends faster than its buttons are pressed.
  const start = await holdFirst(page, "*/start*");
  await button("Restore this site").click();
  // The files are uploaded before.
  await start.isHeld;
  const lost = await losePiece();
  await start.release();
  await page.waitForURL(`**${PATH}/*`);
  await expect(page.getByText(/Stopped: A part of the archive is no longer stored/)).toBeVisible();
  await expectAccessible(page);
  await lost.putBack();
  await button("Resume").click();
  await expectToast(page, "Restore resumed");
  await expect(page.getByText("The site is restored.")).toBeVisible();
  await expect(
    page.getByText(/^All \d+ tables.* and all files are the same as in the archive\.$/),
  ).toBeVisible();
  await expect(page.getByText(/have the archive’s hashes/).first()).toBeVisible();
  await expect(page.getByText("Compare: the files themselves").first()).toBeVisible();
  await expect(page.getByText(/\.ndjson/)).toHaveCount(0);
  await page.getByRole("link", { name: "More steps" }).click();
  await expect(page.getByText("Compare: former addresses of episodes")).toBeVisible();
  await expect(page.getByText(/Missing:|former_slugs/)).toHaveCount(0);
  await expectAccessible(page);
});

test("the restored feed is the same byte for byte @full", async () => {
  expect(await read("/rss/podcast.xml")).toBe(feed);
  await page.locator("p", { hasText: "The site is restored." }).getByRole("link", { name: "Users" }).click();
  await page.waitForURL("**/admin/users");
  await openHydrated(page, `${site.url}${PATH}`);
  await expect(page.getByText(/This site isn’t empty: it has/)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Past restores" })).toBeVisible();
  await page.getByRole("link", { name: "site.zip" }).click();
  await expect(page.getByText("The site is restored.")).toBeVisible();
});

test("a paused restore is cancelled after a question @full", async () => {
  await emptySite();
  await openHydrated(page, `${site.url}${PATH}`);
  await chooseOne(archive);
  await button("Restore this site").click();
  await page.waitForURL(`**${PATH}/*`);
  await button("Pause").click();
  await expectToast(page, "Restore paused");
  await expect(page.getByText(/^Until it has ended, nothing can be changed here/)).toBeVisible();
  const [restore] = page.url().split("?");
  await openHydrated(page, `${site.url}/admin/settings/export`);
  await expect(page.getByText(/^This site is being restored, so an export would lack/)).toBeVisible();
  await expect(page.getByRole("link", { name: "Download export" })).toHaveCount(0);
  await expect(button("List the downloads")).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole("link", { name: "Open Restore" }).click();
  await expect(page.getByText("This site is being restored.")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "See its progress, or cancel it" }).click();
  await expect(page.getByRole("heading", { name: "All steps" })).toBeVisible();
  expect(page.url()).toBe(restore);
  await button("Cancel the restore").click();
  const question = page.getByRole("alertdialog", { name: "Cancel this restore?" });
  await expect(question).toContainText("To restore again, start with a new site.");
  await question.getByRole("button", { name: "Cancel the restore" }).click();
  await expectToast(page, "Restore cancelled");
  await expect(page.getByText(/^Only a part of the archive is here/)).toBeVisible();
  await expectAccessible(page);
});

test("a restore whose upload was interrupted says that nothing was restored @full", async () => {
  await emptySite();
  await openHydrated(page, `${site.url}${PATH}`);
  const held: Route[] = [];
  await page.route("**/pieces", (route) => void held.push(route));
  await chooseOne(archive);
  await button("Restore this site").click();
  await expect.poll(() => held.length).toBe(1);
  const id = await site.env.DB.prepare("select id from imports").first<number>("id");
  await openHydrated(page, `${site.url}${PATH}/${id}`);
  await expect(page.getByText(/Only part of the archive was sent, so nothing was restored/)).toBeVisible();
  await expectAccessible(page);
  expect(complaints).toEqual([]);
});
