import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";
import { looks, phone } from "./support/windows.ts";

/** Pictures of words that a reader selects in a transcript. */

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

let site: Site;
test.beforeAll(async () => void (site = await startSite()));
test.afterAll(() => site.stop());

const dialog = (page: Page) => page.getByRole("dialog", { name: "A picture of a quote" });
const picture = (page: Page) => dialog(page).getByRole("img");
const field = (page: Page) => dialog(page).getByRole("textbox", { name: "Select the words" });

/** Opens the first episode's page and its transcript. */
async function openTranscript(page: Page, path = "/episode/1") {
  await watchToasts(page.context());
  await openHydrated(page, site.url + path);
  await page.getByRole("main").locator("summary", { hasText: "Transcript" }).press("Enter");
}

/** Selects words of the page, as a mouse or a finger does. */
const select = (page: Page, words: string) =>
  page.evaluate((wanted) => {
    const texts = [...document.querySelectorAll("main .reading")];
    const element = texts.find(({ textContent }) => textContent.includes(wanted))!;
    // Of a translated page it is not the first child.
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()!;
    const from = text.textContent!.indexOf(wanted);
    getSelection()!.setBaseAndExtent(text, from, text, from + wanted.length);
  }, words);

const open = async (page: Page, words: string) => {
  await select(page, words);
  await page.getByRole("button", { name: "Make a picture", exact: true }).click();
};

/** The picture's own size, in pixels. */
const sizeOf = (page: Page) =>
  picture(page).evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);

test("a reader makes a picture of selected words in three shapes, downloads it and copies a link to the moment", async ({
  page,
  context,
}) => {
  const complaints = complaintsOf(context);
  await openTranscript(page);
  // Cut words are completed.
  await open(page, "edical practice in a river tow");
  await expect(dialog(page).locator("q")).toHaveText("medical practice in a river town");
  await expect(dialog(page).getByText("The picture is being drawn…")).toBeVisible();
  await expect(picture(page)).toHaveAccessibleName(
    "“medical practice in a river town” Imogen Tarrant, The waiting room is a policy, Plain Ground",
  );
  expect(await sizeOf(page)).toEqual([1080, 1080]);
  await expect(dialog(page).getByText("1080 × 1080 pixels")).toBeVisible();
  for (const [shape, width, height] of [
    ["Portrait", 1080, 1920],
    ["Wide", 1200, 630],
  ] as const) {
    await dialog(page).getByRole("radio", { name: shape }).check();
    await expect.poll(() => sizeOf(page).catch(() => null)).toEqual([width, height]);
  }
  const downloading = page.waitForEvent("download");
  await dialog(page).getByRole("link", { name: "Download" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^quote-1-wide\.(jpg|png)$/);
  const saved = readFileSync(await download.path());
  const shared = await page.request.get(`${site.url}${await addressOf(page, "wide")}`);
  expect(saved.equals(await shared.body())).toBe(true);
  await dialog(page).getByRole("button", { name: "Copy link" }).click();
  await expectToast(page, "Link copied!");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${site.url}/episode/1?t=2`);
  await expectNoAxeFindings(page);
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await expect(dialog(page)).toHaveCount(0);
  expect(complaints).toEqual([]);
});

/** The address of the chosen words' picture. */
async function addressOf(page: Page, shape: string) {
  const text = await field(page).inputValue();
  const words = await dialog(page).locator("q").innerText();
  const from = text.indexOf(words);
  return `/share/quotes/1/0/${from}-${from + words.length}/${shape}`;
}

test("a picture is shared as a file; a browser that fails to share suggests the download @full", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const shared: ShareData[] = [];
    Object.assign(window, { shared });
    Object.assign(Navigator.prototype, {
      canShare: () => true,
      share: (data: ShareData) => {
        shared.push(data);
        return shared.length === 1 ? Promise.resolve() : Promise.reject(new Error("No app"));
      },
    });
  });
  await openTranscript(page);
  await open(page, "Nine days for a standard appointment");
  const share = dialog(page).getByRole("button", { name: "Share…" });
  await share.click();
  const given = () =>
    page.evaluate(() =>
      (window as unknown as { shared: ShareData[] }).shared.map(({ files, url }) => ({
        name: files![0]!.name,
        isFull: files![0]!.size > 10_000,
        url,
      })),
    );
  expect(await given()).toEqual([
    {
      name: expect.stringMatching(/^quote-1-square\.(jpg|png)$/),
      isFull: true,
      url: `${site.url}/episode/1?t=14`,
    },
  ]);
  await share.click();
  await expectToast(page, "It couldn’t be shared Download the picture instead.");
});

test("words are chosen with the keyboard alone, in any passage, and the focus returns @full", async ({
  page,
}) => {
  await openTranscript(page);
  const start = page.getByRole("button", { name: "Make a picture of a quote" });
  await page.getByRole("main").locator("summary", { hasText: "Transcript" }).focus();
  await page.keyboard.press("Tab");
  await expect(start).toBeFocused();
  await page.keyboard.press("Enter");
  // The first sentence, until others are chosen.
  await expect(dialog(page).locator("q")).toHaveText("This is Plain Ground, and I'm Imogen Tarrant.");
  await dialog(page).getByLabel("Passage").focus();
  await page.keyboard.press("ArrowDown");
  await expect(field(page)).toHaveValue(/^Nine days for a standard appointment\./);
  await page.keyboard.press("Tab");
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Control+Home");
  for (let pressed = 0; pressed < 7; pressed++) await page.keyboard.press("Shift+ArrowRight");
  await expect(dialog(page).locator("q")).toHaveText("Nine days");
  await page.keyboard.press("x");
  await expect(field(page)).toHaveValue(/^Nine days for a standard appointment\./);
  await expect(picture(page)).toHaveAccessibleName(/^“Nine days” Maren Oakleigh, /);
  await page.keyboard.press("Escape");
  await expect(start).toBeFocused();
});

test("a picture that fails says why, and is tried again @full", async ({ page }) => {
  await openTranscript(page);
  await page.route("**/share/quotes/**", (route) => route.abort(), { times: 1 });
  await open(page, "Nine days for a standard appointment");
  const status = dialog(page).getByRole("status");
  await expect(status).toHaveText("The picture couldn’t be drawn. Check your connection, then try again.");
  const message = "Too many requests. Try again in 10 seconds.";
  await page.route(
    "**/share/quotes/**",
    (route) => route.fulfill({ status: 429, json: { error: { code: "too_many", message } } }),
    { times: 1 },
  );
  await dialog(page).getByRole("button", { name: "Try again" }).click();
  await expect(status).toHaveText(message);
  await dialog(page).getByRole("button", { name: "Try again" }).click();
  await expect(picture(page)).toBeVisible();
});

test("code that fails to load is reported, and loads at the next press @full", async ({ page }) => {
  await openTranscript(page);
  await page.route("**/assets/quotes-*.js", (route) => route.abort());
  const start = page.getByRole("button", { name: "Make a picture of a quote" });
  await start.click();
  await expectToast(page, "Pictures failed to load. Check your connection.");
  await page.unroute("**/assets/quotes-*.js");
  await start.click();
  await expect(dialog(page)).toBeVisible();
});

test("nothing of it is loaded before a selection, and a selection elsewhere has no button @full", async ({
  page,
}) => {
  const asked: string[] = [];
  page.on("request", (request) => void asked.push(request.url()));
  await openTranscript(page);
  await page.evaluate(() => getSelection()!.selectAllChildren(document.querySelector("h1")!));
  await page.waitForTimeout(300);
  expect(asked.filter((url) => /quotes/.test(url))).toEqual([]);
  await select(page, "Nine days");
  await expect(page.getByRole("button", { name: "Make a picture", exact: true })).toBeVisible();
  await page.evaluate(() => getSelection()!.removeAllRanges());
  await expect(page.getByRole("button", { name: "Make a picture", exact: true })).toHaveCount(0);
});

test("a draft's words are drawn for readers of its preview link, who get no link to share @full", async ({
  page,
  browser,
}) => {
  await signInAsOwner(page, site);
  const created = await page.request.post(`${site.url}/api/admin/episodes`, {
    data: {
      title: "Not yet",
      transcript: [
        "WEBVTT",
        "00:00:01.000 --> 00:00:02.000\n<v Ada>A draft says this.",
        "00:00:03.000 --> 00:00:04.000\n<v Noor>♪",
        `00:00:05.000 --> 00:00:09.000\n<v Ada>${"Many words. ".repeat(30)}`,
      ].join("\n\n"),
    },
    headers: { Origin: site.url },
  });
  const { id } = (await created.json()) as { id: number };
  const link = await page.request.post(`${site.url}/api/admin/episodes/${id}/preview-link`, {
    headers: { Origin: site.url },
  });
  const { url } = (await link.json()) as { url: string };
  const stranger = await (await browser.newContext()).newPage();
  await openTranscript(stranger, url.slice(site.url.length));
  await open(stranger, "draft says");
  await expect(picture(stranger)).toHaveAccessibleName("“draft says” Ada, Not yet, Plain Ground");
  await expect(dialog(stranger).getByRole("button", { name: "Copy link" })).toHaveCount(0);
  // A passage without words has no picture.
  await dialog(stranger).getByLabel("Passage").selectOption({ label: "0:03 Noor: ♪" });
  await expect(dialog(stranger).getByText("Select at least one word.")).toBeVisible();
  await dialog(stranger).getByLabel("Passage").selectOption({ index: 2 });
  await field(stranger).press("Control+a");
  await expect(field(stranger)).toHaveAccessibleDescription(
    /At most 280 characters fit on a picture\. Select fewer words\./,
  );
  await expect(picture(stranger)).toHaveCount(0);
  await stranger.context().close();
  expect((await fetch(`${site.url}/share/quotes/${id}/0/0-7/wide`)).status).toBe(404);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });
  test("an episode's page has no button for pictures @full", async ({ page }) => {
    await page.goto(`${site.url}/episode/1`);
    await page.getByRole("main").locator("summary", { hasText: "Transcript" }).click();
    await expect(page.getByText("Make a picture of a quote")).toBeHidden();
  });
});

for (const { viewport, colorScheme } of looks)
  test(`the picture's dialog fits a window of ${viewport.width} px, ${colorScheme} @full`, async ({
    browser,
  }) => {
    const context = await browser.newContext({
      viewport,
      colorScheme,
      hasTouch: viewport.width === phone.width,
    });
    const page = await context.newPage();
    await openTranscript(page);
    await open(page, "Nine days for a standard appointment");
    await expect(picture(page)).toBeVisible();
    await expectNoAxeFindings(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    await context.close();
  });
