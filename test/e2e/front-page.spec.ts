import { expect, type Page } from "@playwright/test";
import { episodes, site, test } from "./support/demo.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { barOf } from "./support/player.ts";
import { openHydrated } from "./support/hydrated.ts";
import { desktop, phone } from "./support/windows.ts";

/** The layout of the front page and the podcast's page: sizes of type, the first screen, heights. */

async function openIn(page: Page, path: string, viewport = desktop) {
  await page.setViewportSize(viewport);
  await openHydrated(page, site.url + path);
  await page.evaluate(() => document.fonts.ready);
}

/** Texts of the main part, each with the size of its type in px, rounded. Drawings are left out. */
const sizesOf = (page: Page) =>
  page.locator("main").evaluate((main) => {
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const found: { text: string; size: number; tag: string }[] = [];
    while (texts.nextNode()) {
      const text = texts.currentNode.textContent!.trim();
      const element = texts.currentNode.parentElement!;
      if (!text || element.closest("svg, script, template")) continue;
      const tag = element.closest("h1, h2, h3")?.tagName ?? "";
      found.push({ text, size: Math.round(parseFloat(getComputedStyle(element).fontSize)), tag });
    }
    return found;
  });

test("the front page has one scale: a title of 56 px, the lead at 48, stories at 36, ventures at 29, nothing between @full", async ({
  page,
}) => {
  await openIn(page, "/");
  const sizes = await sizesOf(page);
  const sizeOf = (text: string) => sizes.find((one) => one.tag && one.text === text)?.size;
  const large = sizes.filter(({ size }) => size > 36);
  expect(large.map(({ tag, size }) => ({ tag, size }))).toEqual([
    { tag: "H1", size: 56 },
    { tag: "H2", size: 48 },
  ]);
  expect(large[1]!.text).toBe(episodes[0]!.title);
  const featured = await page
    .getByRole("article")
    .filter({ has: page.getByRole("link", { name: "Subscribe to" }) })
    .getByRole("heading")
    .allTextContents();
  expect(featured.map(sizeOf)).toEqual([36, 36]);
  expect(sizeOf("Be a Guest")).toBe(36);
  for (const venture of ["Health platforms", "Housing platforms", "Lifestyle platforms"]) {
    expect(sizeOf(venture)).toBeGreaterThanOrEqual(26);
    expect(sizeOf(venture)).toBeLessThanOrEqual(29);
  }
});

test("every department of the front page has the same heading, under the same rule @full", async ({
  page,
}) => {
  await openIn(page, "/");
  const looks = await page.locator("main section").evaluateAll((sections) =>
    sections.map((section) => {
      const { fontSize, fontFamily, fontWeight } = getComputedStyle(section.querySelector("h2")!);
      const { borderTopWidth, borderTopColor, paddingTop } = getComputedStyle(section);
      return {
        title: section.querySelector("h2")!.textContent,
        rule: [borderTopWidth, borderTopColor, paddingTop].join(" "),
        heading: [fontSize, fontFamily.split(",")[0], fontWeight].join(" "),
      };
    }),
  );
  expect(new Set(looks.map(({ rule }) => rule)).size).toBe(1);
  // The two that invite are set as stories are.
  const invites = ["Be a Guest", "Something to ask, propose or correct?"];
  const departments = looks.filter(({ title }) => !invites.includes(title!));
  expect(departments.length).toBeGreaterThanOrEqual(5);
  expect([...new Set(departments.map(({ heading }) => heading))]).toEqual(['17px "Instrument Sans" 600']);
});

test("the first screen has the title with its standfirst beside it, the whole lead, and one filled button @full", async ({
  page,
}) => {
  await openIn(page, "/");
  const main = page.getByRole("main");
  const title = (await main.getByRole("heading", { level: 1 }).boundingBox())!;
  const standfirst = (await main.locator("header p").boundingBox())!;
  expect(standfirst.x).toBeGreaterThanOrEqual(title.x + title.width);
  expect(standfirst.y).toBeLessThan(title.y + title.height);
  const lead = (await main.getByRole("article").first().boundingBox())!;
  expect(lead.y + lead.height).toBeLessThanOrEqual(desktop.height);
  const filled = await main.evaluate((element) =>
    [...element.querySelectorAll("a, button")]
      .filter((one) => one.getBoundingClientRect().top < innerHeight)
      .filter((one) => getComputedStyle(one).backgroundColor !== "rgba(0, 0, 0, 0)")
      .map((one) => one.textContent),
  );
  expect(filled).toEqual(["Play episode"]);
});

test("the front page is at most 6,000 px high on a phone @full", async ({ page }) => {
  await openIn(page, "/", phone);
  // All is laid out, also what is far below.
  await expect(page.locator("html")).not.toHaveClass(/first-layout/);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(6000);
});

test("a phone's first screen of the podcast has Play, the platforms in one line, and the first episode @full", async ({
  page,
}) => {
  await openIn(page, "/podcast", phone);
  const main = page.getByRole("main");
  const first = (await main.getByRole("heading", { level: 3 }).first().boundingBox())!;
  expect(first.y + first.height).toBeLessThanOrEqual(phone.height);
  const tiles = main.getByRole("navigation", { name: "Listen on" }).getByRole("listitem");
  const tops = await tiles.evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().top));
  expect(tops.length).toBeGreaterThan(4);
  expect(new Set(tops).size).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
  const play = main.getByRole("button", { name: "Play latest" });
  expect((await play.boundingBox())!.y).toBeLessThan(first.y);
  await play.click();
  await expect(barOf(page)).toContainText(episodes[0]!.title);
  await expect(main.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
});

test("a long description of the podcast is cut off until More is pressed, without scripts too @full", async ({
  browser,
}) => {
  const context = await browser.newContext({ viewport: phone, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.url}/podcast`);
  const text = page.locator("main header p.whitespace-pre-line");
  const heightOf = async () => (await text.boundingBox())!.height;
  const cut = await heightOf();
  const more = page.getByText("More about the podcast");
  await more.click();
  await expect.poll(heightOf).toBeGreaterThan(3 * cut);
  await more.click();
  await expect.poll(heightOf).toBe(cut);
  await context.close();
});

test("every picture has a line over its edge, which a sky as pale or as dark as the page lacks @full", async ({
  page,
}) => {
  await openIn(page, "/podcast");
  for (const colorScheme of ["light", "dark"] as const) {
    await setColorScheme(page, colorScheme);
    const edges = await page.locator("main img").evaluateAll((pictures) =>
      pictures.map((picture) => {
        const { outlineStyle, outlineWidth, outlineOffset, outlineColor } = getComputedStyle(picture);
        return [outlineStyle, outlineWidth, outlineOffset, outlineColor].join(" ");
      }),
    );
    expect(edges.length).toBeGreaterThan(4);
    expect([...new Set(edges)]).toEqual(["solid 1px -1px rgba(128, 120, 110, 0.25)"]);
  }
});

test("of a long description the lead shows six lines @full", async ({ page }) => {
  await openIn(page, "/");
  const text = page.getByRole("main").getByRole("article").first().locator("p.font-reading");
  const lines = await text.evaluate((element) => {
    element.textContent = "What an episode is about, in more words than a front page has room for. ".repeat(
      50,
    );
    return element.getBoundingClientRect().height / parseFloat(getComputedStyle(element).lineHeight);
  });
  expect(Math.round(lines)).toBe(6);
});

test("a page of older episodes has no button for the latest @full", async ({ request }) => {
  expect(await (await request.get(`${site.url}/podcast`)).text()).toContain("Play latest");
  const older = await (await request.get(`${site.url}/podcast?before=${Date.now()}-1`)).text();
  expect(older).toContain(episodes[0]!.title);
  expect(older).not.toContain("Play latest");
});
