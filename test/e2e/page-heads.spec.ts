import { expect } from "@playwright/test";
import { pages } from "../../worker/addresses.ts";
import { sharePlaylist, site, test } from "./support/demo.ts";
import { startSite } from "./support/site.ts";

/** Their heads differ: a front page, and what has a picture, a date or an author of its own. */
const OWN_HEAD = new Set(["/", "/podcast", "/episode/:id", "/essays/:slug", "/letters/:id"]);
const WIDTHS = [360, 768, 1440];
/** CSS pixels. */
const TOP = 140;

/** Where a page's head is, in CSS pixels, and how its words are set. */
const readHead = () => {
  const title = document.querySelector("main h1")!;
  const head = title.closest("header")!;
  const standfirst = head.querySelector("p.font-reading");
  const look = (element: Element) => {
    const { fontSize, fontFamily, color } = getComputedStyle(element);
    return { fontSize, fontFamily: fontFamily.split(",")[0], color };
  };
  const { borderBottomWidth, borderBottomColor } = getComputedStyle(head);
  const boxOf = (element: Element) => element.getBoundingClientRect();
  return {
    top: Math.round(boxOf(title).top + scrollY),
    title: look(title),
    standfirst: standfirst && look(standfirst),
    gap: head.querySelector("h1 + p.font-reading")
      ? Math.round(boxOf(standfirst!).top - boxOf(title).bottom)
      : null,
    rule: `${borderBottomWidth} ${borderBottomColor}`,
  };
};

test("every public page begins with the same head @full", async ({ page }) => {
  const fixed = Object.keys(pages).filter((path) => !OWN_HEAD.has(path) && !path.includes(":"));
  const paths = [
    ...fixed,
    await sharePlaylist(),
    "/search?q=housing",
    "/search?q=xyzzy",
    "/conversations?source=linkedin",
    // What follows a form or a link in an email.
    "/speaking/book?requested=1",
    "/verify-email?confirmed=1",
    "/unsubscribe?done=1",
    "/answer",
    "/unsubscribe?deleted=1",
    "/comment?confirmed=1",
    "/comment?deleted=1",
    "/confirm-enquiry?confirmed=1",
    // What is missing.
    "/nothing/here",
    "/episode/99999",
    "/essays/nothing-here",
    "/letters/99999",
    "/playlists/00000000-0000-4000-8000-000000000000",
  ];
  const heads: ({ path: string; width: number } & ReturnType<typeof readHead>)[] = [];
  for (const path of paths) {
    await page.goto(site.url + path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      heads.push({ path, width, ...(await page.evaluate(readHead)) });
    }
  }
  expect(heads.filter(({ top }) => top !== TOP)).toEqual([]);
  for (const width of WIDTHS) {
    const ofWidth = heads.filter((head) => head.width === width);
    for (const part of ["title", "standfirst", "gap", "rule"] as const) {
      const looks = ofWidth.map((head) => head[part]).filter((value) => value !== null);
      expect([...new Set(looks.map((look) => JSON.stringify(look)))], `${part} at ${width}`).toHaveLength(1);
    }
  }
});

test("an episode, an essay, a letter and the podcast set their titles like every page @full", async ({
  page,
}) => {
  const own = await startSite({
    sql: [
      `update settings set site = json_set(site, '$.newsletter.archive', json('true'))`,
      `insert into letters (id, subject, preheader, status, segment, started_at, finished_at, is_public, created_at,
        updated_at, embedded_file_ids, content, content_html)
        values (1, 'On rent', 'Three rooms', 'sent', '{"sources":[],"since":null,"until":null}', 1000, 2000, 1, 1000, 2000,
        '[]', 'Words.', '<p>Words.</p>')`,
    ],
  });
  try {
    const titles: Record<number, ReturnType<typeof readHead>["title"]> = {};
    for (const path of [
      "/letters",
      "/podcast",
      "/episode/1",
      "/essays/write-the-last-page-first",
      "/letters/1",
    ]) {
      await page.goto(own.url + path);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        if (path === "/letters") {
          const { top, title } = await page.evaluate(readHead);
          expect(top).toBe(TOP);
          titles[width] = title;
        }
        const title = await page.locator("main h1").evaluate((element) => {
          const { fontSize, fontFamily, color } = getComputedStyle(element);
          return { fontSize, fontFamily: fontFamily.split(",")[0], color };
        });
        expect(title, `${path} at ${width}`).toEqual(titles[width]);
      }
    }
  } finally {
    await own.stop();
  }
});
