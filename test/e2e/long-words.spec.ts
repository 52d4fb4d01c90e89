import { expect, type Page } from "@playwright/test";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";

let site: Site;

const WORD = "Rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz".repeat(3);
const TITLE = WORD.slice(0, 190);
const chapters = Array.from({ length: 4 }, (_, at) => ({ start: at * 20, title: `${at} ${TITLE}` }));

test.beforeAll(async ({ browser }) => {
  site = await startSite();
  const page = await browser.newPage();
  await signInAsOwner(page, site);
  const send = async (method: "post" | "patch", path: string, data: object) => {
    const url = `${site.url}/api/admin/${path}`;
    const answer = await page.request[method](url, { data, headers: { Origin: site.url } });
    expect(answer.ok(), await answer.text()).toBe(true);
  };
  const article = { title: TITLE, slug: "long", excerpt: WORD, content: WORD, tags: [WORD.slice(0, 60)] };
  await send("post", "articles", { ...article, status: "published" });
  const press = {
    title: TITLE,
    summary: WORD,
    outlet: WORD.slice(0, 90),
    date: "2026-03-04",
    published: true,
  };
  for (const type of ["press_release", "media_coverage"]) await send("post", "press", { ...press, type });
  const place = { venue: WORD.slice(0, 90), location: WORD.slice(0, 90) };
  await send("post", "engagements", { title: TITLE, description: WORD, status: "upcoming", ...place });
  const people = [{ name: WORD.slice(0, 120) }];
  await send("patch", "episodes/1", { title: TITLE, description: WORD, showNotes: WORD, chapters, people });
  await page.close();
});
test.afterAll(() => site?.stop());

/** What is wider than the window, or than the player's list. */
const beyond = (page: Page) =>
  page.evaluate(() => {
    // What is far below is laid out too.
    document.documentElement.classList.remove("first-layout");
    return [document.documentElement, ...document.querySelectorAll("[role=tabpanel]")]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ tagName, scrollWidth, clientWidth }) => `${tagName}: ${scrollWidth} > ${clientWidth}`);
  });

const paths = [
  "/",
  "/podcast",
  "/episode/1",
  "/conversations",
  "/essays",
  "/essays/long",
  "/media",
  "/speaking",
];
for (const path of paths)
  test(`${path}: a word that is longer than a line makes nothing wider, and breaks no label @full`, async ({
    page,
  }) => {
    await openHydrated(page, site.url + path);
    for (const width of [320, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await beyond(page)).toEqual([]);
      for (const button of await page.getByRole("button", { name: /^\w+$/ }).all())
        if (await button.isVisible()) expect((await button.boundingBox())!.height).toBeLessThanOrEqual(48);
    }
  });

test("the player's chapters stay beside their times on a phone @full", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openHydrated(page, `${site.url}/episode/1`);
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  await page.getByRole("button", { name: /^Open player/ }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("tab", { name: "Chapters" }).click();
  await expect(sheet.getByRole("button", { name: TITLE })).toHaveCount(chapters.length);
  expect(await beyond(page)).toEqual([]);
});
