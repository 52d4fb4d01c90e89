import { expect, type Locator, type Page } from "@playwright/test";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";

let site: Site;

test.beforeAll(async () => {
  site = await startSite();
});
test.afterAll(() => site.stop());

const TITLE = "بيت في المدينة القديمة";
const ARABIC = "كان البيت يطل على النهر، وكان الناس يأتون إليه كل مساء.";
const ENGLISH = "The house looks over the river, and people come every evening.";
const content = `${ARABIC}\n\n${ENGLISH}\n\n- ${ARABIC}\n- ${ENGLISH}\n\n> ${ARABIC}\n\n| ${TITLE} | House |\n|---|---|\n| ${TITLE} | ${ENGLISH} |`;

async function send(page: Page, method: "post" | "patch" | "put", path: string, data: object) {
  await signInAsOwner(page, site);
  const answer = await page.request[method](`${site.url}/api/admin/${path}`, {
    data,
    headers: { Origin: site.url },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as { slug: string };
}

/** The left edges of a text's first two letters, in px, and how far its first line is from the sides of its element. */
const placesOf = (element: Locator) =>
  element.first().evaluate((shown: HTMLElement) => {
    const letters: Text[] = [];
    const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (walker.currentNode.nodeValue?.trim()) letters.push(walker.currentNode as Text);
    const rectOf = (text: Text, at: number) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect();
    };
    const text = letters[0]!;
    const at = text.data.search(/\S/);
    const first = rectOf(text, at);
    const box = shown.getBoundingClientRect();
    return {
      first: first.left,
      second: rectOf(text, at + 1).left,
      fromLeft: first.left - box.left,
      fromRight: box.right - first.right,
    };
  });

async function expectFromRight(element: Locator) {
  const { first, second, fromLeft, fromRight } = await placesOf(element);
  expect(second).toBeLessThan(first);
  expect(fromRight).toBeLessThan(fromLeft);
}

async function expectFromLeft(element: Locator) {
  const { first, second, fromLeft, fromRight } = await placesOf(element);
  expect(second).toBeGreaterThan(first);
  expect(fromLeft).toBeLessThan(fromRight);
}

test("Arabic is laid out from the right on an English site, and English from the left @full", async ({
  page,
}) => {
  const essay = { title: TITLE, excerpt: ARABIC, content, status: "published" };
  const { slug } = await send(page, "post", "articles", essay);
  await openHydrated(page, `${site.url}/essays/${slug}`);
  expect(await page.evaluate(() => document.documentElement.dir)).toBe("");
  const main = page.getByRole("main");
  await expectFromRight(main.getByRole("heading", { level: 1 }));
  await expectFromRight(main.getByText(ARABIC));
  for (const block of ["p", "li", "blockquote p", "td"])
    await expectFromRight(main.locator(`.reading ${block}`).filter({ hasText: /^\s*[ء-ي]/ }));
  for (const block of ["p", "li"])
    await expectFromLeft(main.locator(`.reading ${block}`).filter({ hasText: ENGLISH }));
  await openHydrated(page, `${site.url}/conversations`);
  await expectFromRight(page.getByRole("main").getByRole("heading", { name: TITLE }));
});

test("the owner writes Arabic from the right, and finds it so in the list @full", async ({ page }) => {
  await send(page, "post", "articles", { title: TITLE, excerpt: ARABIC, content });
  const directionOf = (element: Locator) => element.evaluate((shown) => getComputedStyle(shown).direction);
  await openHydrated(page, `${site.url}/admin/articles`);
  const links = page.getByRole("link", { name: TITLE, exact: true });
  for (const link of [links.first(), page.getByRole("row").locator(links).first()])
    expect(await directionOf(link)).toBe("rtl");
  await page.getByRole("row").locator(links).first().click();
  for (const label of ["Title", "Excerpt", "Text"]) {
    const field = page.getByLabel(label, { exact: true });
    await expect(field).not.toHaveValue("");
    expect([label, await directionOf(field)]).toEqual([label, "rtl"]);
  }
  expect(await directionOf(page.getByLabel("Source URL"))).toBe("ltr");
});

/** Whether the full stop at the end of a text is left of the letter before it. */
const endsAtTheLeft = (element: Locator) =>
  element.evaluate((node) => {
    const text = document.createTreeWalker(node, NodeFilter.SHOW_TEXT).nextNode() as Text;
    const leftOf = (at: number) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    };
    const stop = text.data.indexOf(".");
    return leftOf(stop) < leftOf(stop - 1);
  });

test("each text in a row has its own direction: a chapter, a campaign, a venue @full", async ({ page }) => {
  await send(page, "patch", "episodes/1", { chapters: [{ start: 0, title: ARABIC }] });
  const campaign = { type: "petition", title: ARABIC, description: ENGLISH, status: "active" };
  await send(page, "post", "campaigns", { ...campaign, embedUrl: "https://example.org/petition" });
  await send(page, "post", "engagements", { title: TITLE, venue: ARABIC, status: "upcoming" });
  for (const path of ["/episode/1", "/petitions", "/speaking"]) {
    await openHydrated(page, site.url + path);
    const row = page.getByRole("main").getByText(ARABIC).first();
    expect([path, await endsAtTheLeft(row)]).toEqual([path, true]);
  }
});

test("an Arabic message is aligned right in a person's data @full", async ({ page }) => {
  const message = { name: "Nadia", email: "nadia@example.com", subject: ARABIC, message: ENGLISH };
  expect(await page.request.post(`${site.url}/api/contact-messages`, { data: message })).toBeOK();
  await signInAsOwner(page, site);
  await openHydrated(page, `${site.url}/admin/guests/person?email=${message.email}`);
  expect(await endsAtTheLeft(page.locator("summary > span").filter({ hasText: ARABIC }).first())).toBe(true);
});

test("an embedded player lays an Arabic title out from the right @full", async ({ page }) => {
  await send(page, "patch", "episodes/1", { title: TITLE });
  await page.goto(`${site.url}/embed/episode/1`);
  await expectFromRight(page.getByRole("heading"));
});

test("an Arabic site is laid out from the right, also once it is hydrated @full", async ({ page }) => {
  await send(page, "put", "settings", { language: "ar" });
  for (const path of ["/", "/conversations", "/podcast", "/episode/2"]) {
    await openHydrated(page, site.url + path);
    expect(await page.evaluate(() => document.documentElement.dir)).toBe("rtl");
    // Nothing overflows at a side.
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBe(0);
  }
});
