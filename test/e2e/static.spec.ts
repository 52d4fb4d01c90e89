import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { getTableColumns } from "drizzle-orm";
import { parseFeed } from "podcast-partytime";
import { checkLinks } from "../../scripts/static/check-links.ts";
import { writeSite, type Written } from "../../scripts/static/write-site.ts";
import { articles } from "../../worker/articles/table.ts";
import { createContext } from "../../worker/platform/context.ts";
import { updateSite } from "../../worker/settings/commands.ts";
import { readSite } from "../../worker/settings/queries.ts";
import type { HttpServer } from "../support/http-server.ts";
import { startStaticHost } from "../support/static-host.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { testFeeds } from "./support/feed-tests.ts";
import { startSite } from "./support/site.ts";
import { test } from "./support/test.ts";
import { looks } from "./support/windows.ts";

const FROM = "https://old.example";
const DRAFT = "Nobody may read this yet";
const ESSAY = "the-dull-virtue-of-a-long-lease";
const LONG_TITLE =
  `Donaudampfschifffahrtsgesellschaftskapitänsmützen ${"and the long lease ".repeat(8)}`.trim();
const PLAYLIST = "11111111-2222-4333-8444-555555555555";
const PRIVATE = "99999999-2222-4333-8444-555555555555";
/** An email address that is never public. */
const READER = "reader@example.net";
const COPIED = Object.values(getTableColumns(articles))
  .map(({ name }) => name)
  .filter((name) => !["id", "slug", "guid", "title", "draft_key"].includes(name))
  .join(", ");
const FEEDS = ["/rss/podcast.xml", "/rss/essays.xml"];

let host: HttpServer;
let address: string;
let folder: string;
let written: Written;
/** The feeds of the running site. */
const feeds: Record<string, string> = {};

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "rostrum-static-"));
  host = await startStaticHost(folder);
  address = `http://localhost:${host.port}`;
  const site = await startSite({
    vars: { SITE_URL: FROM, EDGE_CACHE: "off" },
    sql: [
      `update articles set status = 'draft', title = '${DRAFT}', slug = 'secret' where slug = 'write-the-last-page-first'`,
      `update articles set title = '${LONG_TITLE}' where slug = 'what-the-bus-timetable-knows'`,
      `update articles set title = 'פגישה שנייה על דיור', excerpt = 'בעברית' where slug = 'the-second-appointment'`,
      `insert into article_former_slugs (slug, article_id) select 'long-leases', id from articles where slug = '${ESSAY}'`,
      `insert into article_old_addresses (address, article_id) select '/2019/05/lease', id from articles where slug = '${ESSAY}'`,
      `insert into article_old_addresses (address, article_id) select '/?p=12', id from articles where slug = '${ESSAY}'`,
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 12)
       insert into articles (slug, guid, title, ${COPIED})
       select 'copy-' || n, 'copy-' || n, 'Copy ' || n, ${COPIED}
       from numbers, articles where slug = '${ESSAY}'`,
      `insert into playlists (id, listener, name, description, is_public, created_at, updated_at)
       values ('${PLAYLIST}', 'a', 'For the long drive', 'Begin anywhere.', 1, 1, 1), ('${PRIVATE}', 'a', 'Mine', '', 0, 2, 2)`,
      `insert into playlist_items (playlist_id, episode_id, position, added_at)
       select '${PLAYLIST}', id, id, 1 from episodes`,
      `insert into comments (content_type, content_id, name, email, text, status, created_at, updated_at, key)
       select 'article', id, 'A reader', '${READER}', 'Ten years is not long.', 'approved', 1, 1, 'k'
       from articles where slug = '${ESSAY}'`,
      `insert into letters (subject, preheader, status, segment, is_public, started_at, created_at, updated_at,
         embedded_file_ids, content, content_html)
       values ('A letter about leases', '', 'sent', '{}', 1, 1, 1, 1, '[]', '', '<p>Dear tenants</p>')`,
    ],
  });
  try {
    const ctx = createContext(site.env, { actor: { kind: "job", name: "static" } });
    const { features, newsletter } = await readSite(ctx);
    await updateSite(ctx, {
      features: { ...features, comments: true },
      newsletter: { ...newsletter, archive: true },
    });
    for (const path of FEEDS) feeds[path] = await (await fetch(site.url + path)).text();
    written = await writeSite({
      folder,
      url: site.url,
      ctx,
      from: FROM,
      address,
      hasAudio: true,
    });
  } finally {
    await site.stop();
  }
});

test.afterAll(() => {
  host.stop();
  rmSync(folder, { recursive: true, force: true });
});

const files = () =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
const read = (path: string) => readFileSync(join(folder, path), "utf8");

test("every link, picture, style and font of a static site has a file @full", () => {
  expect(written.missing).toEqual([]);
  expect(written.recordings).toEqual([]);
  expect(checkLinks(folder, { address })).toEqual([]);
});

test("a static site has no drafts, nothing of the admin area, and no address of the owner that the site hides @full", () => {
  const texts = files().filter((name) => /\.(?:html|xml|json|txt|js)$|^_/.test(name));
  for (const secret of [
    DRAFT,
    "/essays/secret",
    `href="/admin`,
    "/api/",
    "owner@example.com",
    PRIVATE,
    FROM,
  ]) {
    expect(
      texts.filter((name) => read(name).includes(secret)),
      secret,
    ).toEqual([]);
  }
  expect(files().filter((name) => /^(?:admin|api)/.test(name))).toEqual([]);
});

test("feeds of a static site are those of the site, byte for byte but for its address @full", () => {
  for (const path of FEEDS) {
    const xml = read(path);
    const guids = (text: string) => [...text.matchAll(/<guid[^>]*>[^<]*<\/guid>/g)].map(([guid]) => guid);
    expect(guids(xml)).toEqual(guids(feeds[path]!));
    expect(xml).toBe(feeds[path]!.replaceAll(FROM, address));
  }
  expect(read("/rss/podcast.xml")).toContain(`<atom:link rel="self" href="${address}/rss/podcast.xml"`);
});

test.describe("feeds of a static site @full", () => testFeeds(test, () => address));

test("the sitemap of a static site has the canonical addresses of its pages, on the new address @full", () => {
  const listed = [...read("sitemap.xml").matchAll(/<loc>([^<]*)/g)].map(([, found]) => found!);
  expect(listed).toContain(`${address}/essays/${ESSAY}/`);
  for (const found of listed) {
    const html = read(`${new URL(found).pathname}index.html`);
    expect(html).toContain(`<link rel="canonical" href="${found}"`);
    expect(html).toContain(`<meta property="og:url" content="${found}"`);
  }
});

test("a static site replaces the service worker of the old one by one that unregisters @full", () => {
  expect(read("sw.js")).toContain("unregister()");
});

test("forms of a static site say where to write instead @full", async ({ page }) => {
  for (const path of ["/contact/", "/guest/", "/speaking/book/", "/petitions/"]) {
    await open(page, path);
    await expect(page.getByText("This form is closed.").first(), path).toBeVisible();
  }
  const texts = files()
    .filter((name) => name.endsWith(".html"))
    .map(read);
  expect(texts.filter((text) => /method="post"/i.test(text))).toEqual([]);
});

test("a static essay shows its comments, and a reply leads to the sentence that the form is closed @full", async ({
  page,
}) => {
  await open(page, `/essays/${ESSAY}/`);
  await expect(page.getByText("Ten years is not long.")).toBeVisible();
  await page.getByRole("link", { name: "Reply" }).click();
  await expect(page.locator("#comment-form")).toContainText("This form is closed.");
  await expect(page.locator("#comment-form")).toBeInViewport();
});

test("a static site has its public letters @full", async ({ page }) => {
  await open(page, "/letters/");
  await page.getByRole("link", { name: "A letter about leases" }).click();
  await expect(page).toHaveURL(`${address}/letters/1/`);
  await expect(page.getByText("Dear tenants")).toBeVisible();
});

test("redirects of a static site lead from former addresses to files @full", () => {
  const lines = read("_redirects").trim().split("\n");
  expect(lines).toContain(`/essays/long-leases /essays/${ESSAY}/ 301`);
  expect(lines).toContain(`/2019/05/lease /essays/${ESSAY}/ 301`);
  expect(lines).toContain("/feed /rss/essays.xml 301");
  expect(lines).toContain("/privacy /privacy-policy/ 301");
  expect(lines.filter((line) => /^\/podcast\/[\w-]+ \/episode\/\d+\/ 301$/.test(line))).toHaveLength(5);
  expect(written.omitted.map(({ from }) => from)).toEqual(["/?p=12"]);
});

async function open(page: Page, path: string) {
  await page.goto(address + path);
  await expect(page.locator("h1")).toBeVisible();
}

test("pages of a static site are accessible at both widths and in both themes, without complaints @full", async ({
  page,
  context,
}) => {
  const complaints = complaintsOf(context);
  for (const path of [
    "/",
    "/episode/5/",
    `/essays/${ESSAY}/`,
    "/essays/what-the-bus-timetable-knows/",
    "/essays/the-second-appointment/",
    "/contact/",
    "/search/",
    "/search/?q=lease",
    "/404.html",
  ]) {
    await open(page, path);
    for (const { viewport, colorScheme } of looks) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await expectNoAxeFindings(page);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, path).toBeLessThanOrEqual(viewport.width);
    }
  }
  expect(complaints).toEqual([]);
});

test("further pages of a static list are folders, linked to each other @full", async ({ page }) => {
  await open(page, "/essays/");
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page).toHaveURL(/\/essays\/before-[\d-]+\/$/);
  await expect(page.locator("main article").first()).toBeVisible();
});

test("a shared playlist of a static site has its page, its feed and its player @full", async ({ page }) => {
  await open(page, `/playlists/${PLAYLIST}/`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("For the long drive");
  const feed = parseFeed(read(`rss/playlists/${PLAYLIST}.xml`));
  expect(feed!.items).toHaveLength(5);
  await page.goto(`${address}/embed/playlist/${PLAYLIST}/`);
  await expect(page.locator("audio")).toBeAttached();
});

test("the audio of a static episode plays, from a timestamp too @full", async ({ page, context }) => {
  const complaints = complaintsOf(context);
  await open(page, "/episode/1/");
  const audio = page.locator("audio");
  await audio.evaluate((element: HTMLAudioElement) => element.play());
  await expect
    .poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime))
    .toBeGreaterThan(0.2);
  await page.getByRole("link", { name: /What the phone calls found/ }).click();
  await expect
    .poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime))
    .toBeGreaterThan(78);
  await open(page, "/episode/1/?t=1m18s");
  await audio.evaluate((element: HTMLAudioElement) => element.play());
  await expect
    .poll(() => audio.evaluate((element: HTMLAudioElement) => element.currentTime))
    .toBeGreaterThan(78);
  expect(complaints).toEqual([]);
});

test("a static site's search finds words of texts and of transcripts, in every script @full", async ({
  page,
  context,
}) => {
  const complaints = complaintsOf(context);
  await open(page, "/");
  await page.getByRole("link", { name: "Search" }).first().click();
  await expect(page.locator("#status")).toHaveText("All titles");
  await page.getByRole("searchbox").fill("leas");
  await page.getByRole("searchbox").press("Enter");
  await expect(page.locator("#status")).toHaveText("Best matches for “leas”");
  await expect(page.getByRole("link", { name: "The dull virtue of a long lease" })).toBeVisible();
  // Pages have no date.
  await expect(page.locator("[data-part=date]:visible").filter({ hasText: /^$/ })).toHaveCount(0);
  await page.goto(`${address}/search/?q=דיור`);
  await expect(page.getByRole("heading", { level: 3 }).first()).toHaveText("פגישה שנייה על דיור");
  // Said in an episode.
  await page.goto(`${address}/search/?q=weather+appointments`);
  await expect(page.getByRole("link", { name: "The waiting room is a policy" })).toBeVisible();
  await page.goto(`${address}/search/?q=virtuee`);
  await expect(page.getByRole("link", { name: "The dull virtue of a long lease" })).toBeVisible();
  await page.goto(`${address}/search/?q=xylophone`);
  await expect(page.locator("#status")).toHaveText(
    "No results for “xylophone”. Try fewer or different words.",
  );
  expect(complaints).toEqual([]);
});

test("an unknown address of a static site says so @full", async ({ page }) => {
  const answer = await page.goto(`${address}/nothing/here`);
  expect(answer!.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await page.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL(`${address}/`);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the search page of a static site lists all titles @full", async ({ page }) => {
    await page.goto(`${address}/search/?q=lease`);
    await expect(page.getByRole("link", { name: "The dull virtue of a long lease" })).toBeVisible();
    await expect(page.getByRole("link", { name: "The waiting room is a policy" })).toBeVisible();
  });
});
