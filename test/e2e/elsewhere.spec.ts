import { expect, type Page } from "@playwright/test";
import { pngOf } from "../support/png.ts";
import { startPodcastHost } from "../support/podcast-host.ts";
import { ghostExport, substackFiles, wordPressExport, wxrItem, wxrOf, zipOf } from "../support/exports.ts";
import { expectAccessible } from "./support/accessible.ts";
import { complaintsOf } from "./support/console.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";

let site: Site;
let page: Page;
let complaints: string[];
let host: Awaited<ReturnType<typeof startPodcastHost>>;

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  host = await startPodcastHost();
  const bytes = Buffer.from(await pngOf(320, 200)).toString("base64");
  host.answers.set("/up/wall.png", { path: "/up/wall.png", headers: { "Content-Type": "image/png" }, bytes });
  site = await startSite({ vars: { IMPORT_LOOPBACK: "on" } });
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  complaints = complaintsOf(page.context());
  await signInAsOwner(page, site);
});
test.afterAll(async () => {
  await site?.stop();
  host?.stop();
});

const ELSEWHERE = "/admin/articles/elsewhere";
const heading = (name: string | RegExp) => page.getByRole("heading", { name });
const button = (name: string | RegExp) => page.getByRole("button", { name });
const row = (words: string) => page.getByRole("listitem").filter({ hasText: words }).last();
const choose = (name: string, content: string | Uint8Array) =>
  page
    .getByLabel("Export")
    .setInputFiles([{ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) }]);

test("a WordPress export is previewed, and then imported with pictures and redirects", async () => {
  await openHydrated(page, site.url + ELSEWHERE);
  await expectAccessible(page);
  await choose("broken.json", '{"posts": 1}');
  await expect(page.getByText("This JSON isn’t a Ghost export")).toBeVisible();
  await choose("a.pdf", "%PDF-1.7");
  await expect(page.getByText("This isn’t an export: it’s a PDF.")).toBeVisible();
  await choose("old.xml", wordPressExport(`http://127.0.0.1:${host.port}/up`));
  await expect(heading("What’s in this export from WordPress")).toBeFocused();
  await expect(row("Blocks & bricks")).toContainText("at /essays/blocks");
  await expect(row("About")).toContainText("Not imported");
  await expect(page.getByText("It’s in the bin (1)")).toBeVisible();
  await expect(page.getByText("Authors’ names aren’t imported: Ada Writer.")).toBeVisible();
  await page.getByLabel(/^Pages, as draft/).check();
  await expectAccessible(page);
  await button("Import 6 articles").click();
  await page.waitForURL(/elsewhere\/\d+$/);
  await expect(page.getByText("6 of 6 articles")).toBeVisible();
  await expect(row("Classic")).toContainText(
    "A picture couldn’t be imported, and is a link: there is nothing at its address (404).",
  );
  await expectAccessible(page);
  const old = await page.request.get(`${site.url}/2020/01/02/blocks`, { maxRedirects: 0 });
  expect([old.status(), old.headers()["location"]]).toEqual([301, "/essays/blocks"]);
  await page.goto(`${site.url}/2020/01/02/blocks/`);
  await expect(page).toHaveURL(`${site.url}/essays/blocks`);
  await page.goto(`${site.url}/?p=12`);
  await expect(page).toHaveURL(`${site.url}/essays/blocks`);
  await expect(page.getByRole("img", { name: "A wall" })).toBeVisible();
  await expect(page.getByRole("link", { name: "the classic" })).toHaveAttribute("href", "/essays/classic");
});

test("the plan of an import shows the status of each item and what it loses @full", async () => {
  const audio = `<wp:postmeta><wp:meta_key>audio_file</wp:meta_key><wp:meta_value>https://media.example/1.mp3</wp:meta_value></wp:postmeta>`;
  const items = [
    wxrItem({ id: "31", title: "Oil and wick", name: "oil-and-wick", content: "<p>Lit.</p>" }),
    wxrItem({
      id: "32",
      title: "Half a lamp",
      name: "half-a-lamp",
      status: "private",
      content: '<p>Dim.</p>\n\n[contact-form-7 id="5"]',
    }),
    wxrItem({
      id: "33",
      title: "A table of oils",
      name: "a-table-of-oils",
      content: '<table><tr><td colspan="2">Oils</td></tr></table>',
    }),
    wxrItem({ id: "34", title: "Episode one", name: "episode-one", content: "<p>Notes.</p>", extra: audio }),
  ];
  await openHydrated(page, site.url + ELSEWHERE);
  await choose("lamps.xml", wxrOf(items.join("")));
  await expect(page.getByText("Arriving: 2 published, 1 draft.")).toBeVisible();
  await expect(row("Half a lamp")).toContainText("It was private, so it’s imported as a draft.");
  await expect(row("Half a lamp")).toContainText("only WordPress can show: [contact-form-7].");
  await expect(row("A table of oils")).toContainText("Merged cells of a table are split.");
  const changes = page.getByRole("region", { name: "What changes on the way" });
  await expect(changes.getByRole("listitem")).toHaveText([
    /It has parts that only WordPress can show \(1\)\s*Half a lamp/,
    /It was private, so it’s imported as a draft \(1\)\s*Half a lamp/,
    /Merged cells of a table are split \(1\)\s*A table of oils/,
  ]);
  await expect(row("Episode one")).toContainText("Not imported");
  await expect(page.getByText("1 post is an episode of a podcast.")).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel("Import all of them as drafts").check();
  await expect(page.getByText("Arriving: 3 drafts.")).toBeVisible();
  await expect(row("Oil and wick")).toContainText("Draft");
  await button("Import 3 articles").click();
  await page.waitForURL(/elsewhere\/\d+$/);
  await expect(page.getByText("3 of 3 articles")).toBeVisible();
  const { results } = await site.env.DB.prepare(
    "select slug, status, original_published_at as at from articles where slug in ('oil-and-wick', 'half-a-lamp', 'a-table-of-oils')",
  ).all();
  const at = Date.UTC(2020, 0, 2, 3, 4, 5);
  expect(results.map(({ status, at: kept }) => `${String(status)} ${String(kept)}`)).toEqual(
    Array(3).fill(`draft ${at}`),
  );
  await openHydrated(page, site.url + ELSEWHERE);
  await choose("lamps.xml", wxrOf(items.join("")));
  await page.getByRole("link", { name: "Import the podcast of Episode one" }).click();
  await expect(page.getByLabel("Address of the feed")).toHaveValue("https://old.example/feed/podcast/");
});

test("a site without an export is read by its address @full", async () => {
  const url = `http://127.0.0.1:${host.port}/nothing`;
  await openHydrated(page, site.url + ELSEWHERE);
  await button("Read the site").click();
  await expect(page.getByText("Enter the address of the site, such as")).toBeVisible();
  await page.getByLabel("Or your site’s address").fill(url);
  await button("Read the site").click();
  await expect(page.getByText("There is nothing at this address.")).toBeVisible();
  await expect(page.getByLabel("Or your site’s address")).toHaveValue(url);
  await expectAccessible(page);
  const item =
    "<item><title>From a feed</title><link>https://f.example/from-a-feed</link><guid>f-1</guid><pubDate>Sat, 06 May 2023 10:00:00 +0200</pubDate><description>Words.</description></item>";
  const feed = `<rss version="2.0"><channel><title>F</title><link>https://f.example</link>${item}</channel></rss>`;
  host.answers.set("/rss.xml", {
    path: "/rss.xml",
    headers: { "Content-Type": "application/rss+xml" },
    body: feed,
  });
  await page.getByLabel("Or your site’s address").fill(url.replace("nothing", "rss.xml"));
  await button("Read the site").click();
  await expect(heading("What’s in this export from a feed")).toBeFocused();
  await expect(row("From a feed")).toContainText("Published");
  await expectAccessible(page);
});

test("half an export is named before anything moves @full", async () => {
  const count = () => site.env.DB.prepare("select count(*) from articles").first("count(*)");
  const before = await count();
  const whole = wxrOf(
    wxrItem({ id: "41", title: "Whole", name: "whole", content: "<p>Lit.</p>" }) +
      wxrItem({ id: "42", title: "Half", name: "half", content: "<p>Dim.</p>" }),
  );
  await openHydrated(page, site.url + ELSEWHERE);
  await choose("half.xml", whole.slice(0, whole.indexOf("Dim.")));
  await expect(row("Whole")).toContainText("at /essays/whole");
  await expect(page.getByText("The file is cut off. Everything after that point is missing.")).toBeVisible();
  await expect(page.getByText("Arriving: 1 published.")).toBeVisible();
  expect(await count()).toBe(before);
});

test("a second import has nothing left to import @full", async () => {
  await openHydrated(page, site.url + ELSEWHERE);
  await choose("old.xml", wordPressExport(`http://127.0.0.1:${host.port}/up`));
  await expect(row("Blocks & bricks")).toContainText("Already here");
  await page.getByLabel(/^Pages, as draft/).check();
  await expect(button(/^Import/)).toHaveCount(0);
});

test("an import that is cancelled while it is sent leaves nothing behind @full", async () => {
  await openHydrated(page, site.url + ELSEWHERE);
  await choose("ghost.json", ghostExport());
  await page.getByLabel("Address of the old site").fill("https://old.example");
  const isSent = page.waitForRequest("**/api/admin/imports/*/items");
  const answer = await hold(page, "**/api/admin/imports/*/items", { times: 1 });
  await button("Import 5 articles").click();
  await isSent;
  await button("Cancel").click();
  answer();
  await expect(page.getByText("Cancelled. Nothing was imported.")).toBeVisible();
  await expectAccessible(page);
  await expect
    .poll(() => site.env.DB.prepare("select count(*) from imports where state = 'open'").first("count(*)"))
    .toBe(0);
  await openHydrated(page, site.url + ELSEWHERE);
  await expect(page.getByRole("listitem").filter({ hasText: "ghost.json" })).toHaveCount(0);
});

test("a Ghost export asks for the old address, and a Substack export imports its subscribers, of whom the unconfirmed are asked by email @full", async () => {
  await openHydrated(page, site.url + ELSEWHERE);
  await choose("ghost.json", ghostExport());
  await button("Import 5 articles").click();
  await expect(page.getByText("Enter the address of the old site")).toBeVisible();
  await expectAccessible(page);
  await button("Choose another export").click();
  await choose("export.zip", new Uint8Array(await (await zipOf(substackFiles)).arrayBuffer()));
  await expect(row("For payers")).toContainText("it’s imported as a draft");
  await button("Review the list email_list.x.csv").click();
  await page.getByLabel("How these people agreed").fill("By the form of my Substack.");
  await page.getByLabel(/They confirmed their addresses/).check();
  await button("Start the import").click();
  await expect(page.getByRole("heading", { name: "The import is complete" })).toBeVisible();
  const { results } = await site.env.DB.prepare(
    "select email, state from subscribers where email in ('one@example.com', 'two@example.com') order by email",
  ).all();
  expect(results).toEqual([
    { email: "one@example.com", state: "confirmed" },
    { email: "two@example.com", state: "unsubscribed" },
  ]);
  await openHydrated(page, site.url + ELSEWHERE);
  const list = "email,email_disabled,created_at\nlater@example.com,false,2024-03-01T10:00:00.000Z\n";
  await choose(
    "export.zip",
    new Uint8Array(await (await zipOf({ ...substackFiles, "email_list.x.csv": list })).arrayBuffer()),
  );
  await button("Review the list email_list.x.csv").click();
  await page.getByLabel("How these people agreed").fill("By the form of my Substack.");
  await button("Start the import").click();
  await button("Email 1 pending subscriber to confirm").click();
  await expect(page.getByText("1 pending subscriber is being emailed to confirm")).toBeVisible();
  expect((await site.mailTo("later@example.com")).link).toContain("/verify-email?token=");
  // Unreadable files are also logged to the console.
  const isTold = /This JSON isn’t a Ghost export|This isn’t an export|There is nothing at this address/;
  expect(complaints.filter((complaint) => !isTold.test(complaint))).toEqual([]);
});

test("exported articles are restored with their category after a deletion @full", async () => {
  const exported = async () => (await page.request.get(`${site.url}/api/admin/export`)).body();
  const essay = async () =>
    site.env.DB.prepare(
      `select a.slug, a.guid, a.title, a.content, a.published_at, a.tags, c.name as category, c.color
      from articles a left join categories c on c.id = a.category_id where a.slug = 'the-second-appointment'`,
    ).first();
  const before = await essay();
  expect(before).toMatchObject({ category: "Health" });
  const zip = await exported();
  await openHydrated(page, site.url + ELSEWHERE);
  await choose("site.zip", zip);
  await expect(heading("What’s in this export from another Rostrum")).toBeFocused();
  await expect(row("The second appointment")).toContainText("Already here");
  await expect(button(/^Import/)).toHaveCount(0);
  await expectAccessible(page);

  await site.env.DB.batch([
    site.env.DB.prepare("delete from articles where slug = 'the-second-appointment'"),
    site.env.DB.prepare("delete from categories where name = 'Health'"),
  ]);
  await openHydrated(page, site.url + ELSEWHERE);
  await choose("site.zip", zip);
  await button("Import 1 article").click();
  await page.waitForURL(/elsewhere\/\d+$/);
  await expect(page.getByText("1 of 1 article")).toBeVisible();
  expect(await essay()).toEqual(before);
});

test("an import is undone after one confirmation, except items that were changed since", async () => {
  const items = ["One wick", "Two wicks"].map((title, at) =>
    wxrItem({
      id: String(91 + at),
      title,
      name: title.toLowerCase().replace(" ", "-"),
      content: "<p>Lit.</p>",
    }),
  );
  await openHydrated(page, site.url + ELSEWHERE);
  await choose("wicks.xml", wxrOf(items.join("")));
  await button("Import 2 articles").click();
  await page.waitForURL(/elsewhere\/\d+$/);
  await expect(button("Delete 2 articles")).toBeVisible();
  const id = await site.env.DB.prepare("select id from articles where slug = 'one-wick'").first("id");
  const change = { method: "PATCH", headers: { "Content-Type": "application/json" } };
  const body = JSON.stringify({ excerpt: "Trimmed since." });
  expect(
    await page.evaluate(async ([path, init]) => (await fetch(path, init)).status, [
      `/api/admin/articles/${Number(id)}`,
      { ...change, body },
    ] as const),
  ).toBe(200);
  await openHydrated(page, page.url());
  const undo = page.getByRole("region", { name: "Undo this import" });
  await expect(undo).toContainText("1 article changed or commented on since the import stays:");
  await expect(undo.getByRole("listitem")).toHaveText("One wick");
  await expectAccessible(page);
  await button("Delete 1 article").click();
  const dialog = page.getByRole("alertdialog", { name: "Undo this import?" });
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Delete 1 article" }).click();
  await expect(page.getByText("Undone", { exact: true })).toBeVisible();
  await expect(row("One wick")).toContainText("Changed or commented on since the import, so it stays.");
  await expect(row("Two wicks")).toContainText("Deleted again");
  await expectAccessible(page);
  expect((await page.request.get(`${site.url}/essays/one-wick`)).status()).toBe(200);
  expect((await page.request.get(`${site.url}/essays/two-wicks`)).status()).toBe(404);
  await openHydrated(page, site.url + ELSEWHERE);
  await expect(page.getByRole("listitem").filter({ hasText: "wicks.xml" })).toContainText("Undone");
});

test("an import whose start got no answer runs, so cancelling leads to its page @full", async () => {
  await openHydrated(page, site.url + ELSEWHERE);
  const lamp = wxrItem({ id: "95", title: "A lamp", name: "a-lamp", content: "<p>Lit.</p>" });
  await choose("lamp.xml", wxrOf(lamp));
  const start = "**/api/admin/imports/*/start*";
  await page.route(start, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button("Import 1 article").click();
  await expect(page.getByText(/The connection was lost/)).toBeVisible();
  await button("Cancel").click();
  await page.waitForURL(/elsewhere\/\d+$/);
  await page.unroute(start);
  await expect(page.getByText("1 of 1 article")).toBeVisible();
  await expect(row("A lamp")).toContainText("Done");
});

test("a list of subscribers that cannot be opened leads back to the export @full", async () => {
  await openHydrated(page, site.url + ELSEWHERE);
  const files = { ...substackFiles, "email_list.x.csv": "%PDF-1.7" };
  await choose("export.zip", new Uint8Array(await (await zipOf(files)).arrayBuffer()));
  await button("Review the list email_list.x.csv").click();
  await expect(page.getByRole("alert").filter({ hasText: "it’s a PDF" })).toBeVisible();
  await expectAccessible(page);
  await button("Choose another file").click();
  await expect(button("Review the list email_list.x.csv")).toBeVisible();
});
