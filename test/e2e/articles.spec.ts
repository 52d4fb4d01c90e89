import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { hold } from "./support/hold.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { htmlIn } from "./support/translation.ts";

declare global {
  interface Window {
    /** Defines the custom elements that were held back; says whether there were any. */
    defineHeld: () => boolean;
  }
}

let site: Site;
let page: Page;
let complaints: string[];
test.describe.configure({ mode: "serial" });

test.beforeAll(async ({ browser }) => {
  site = await startSite();
  const context = await browser.newContext({
    reducedMotion: "reduce",
    viewport: { width: 1440, height: 900 },
  });
  complaints = complaintsOf(context);
  page = await context.newPage();
  await signInAsOwner(page, site);
  await openHydrated(page, `${site.url}/admin/articles`);
});
test.afterAll(() => site?.stop());

const area = () => page.getByLabel("Text", { exact: true });
const preview = () => page.getByRole("region", { name: "Preview" });
const save = async (button: string, said: string) => {
  await page.getByRole("button", { name: button }).click();
  await expectToast(page, said);
};

/** Selects a part of the text. */
const select = (words: string) =>
  area().evaluate((element: HTMLTextAreaElement, wanted) => {
    const start = element.value.indexOf(wanted);
    element.focus();
    element.setSelectionRange(start, start + wanted.length);
  }, words);

test("a category is created with the specified colour, and an invalid one is refused beside its field", async () => {
  await page.getByRole("link", { name: "Categories" }).click();
  await page.getByLabel("Name").fill("Verandahs");
  await expect(page.getByLabel("Colour", { exact: true })).toHaveValue("#6366f1");
  await page.getByLabel("Colour", { exact: true }).fill("mauve");
  await page.getByRole("button", { name: "Create category" }).click();
  await expect(page.getByText("Choose a colour such as #6366f1.")).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Verandahs");
  await page.getByLabel("Pick a colour").fill("#aa3366");
  await save("Create category", "Category created successfully!");
  await expect(page.getByLabel("Name")).toHaveValue("");
  await expect(page.getByRole("button", { name: "Create category" })).toBeFocused();
  await expect(page.getByLabel("Name")).toHaveValue("");
  await expectNoAxeFindings(page);
});

test("the toolbar and its keys write Markdown, and undo takes it back", async () => {
  await page.getByRole("link", { name: "Articles", exact: true }).last().click();
  // The toolbar's code is loaded late.
  await page.evaluate(() => {
    const define = customElements.define.bind(customElements);
    const held: Parameters<typeof define>[] = [];
    customElements.define = (...element) => void held.push(element);
    window.defineHeld = () => held.map((element) => define(...element)).length > 0;
  });
  await page.getByRole("link", { name: "New article" }).click();
  // The list, too, has a status to choose.
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New article · Draft");
  // Only drafts are saved automatically.
  await page.getByLabel("Status").selectOption("archived");
  await page.getByLabel("Title", { exact: true }).fill("On verandahs");
  await page.getByLabel("Excerpt").fill("Where a house meets the street.");
  await area().fill("plain bold slanted linked\n\none\n\nquoted\n\ncoded\n\nこれは日本語です");
  await select("bold");
  await page.keyboard.press("Control+b");
  await page.getByRole("button", { name: "Italic" }).click();
  await page.waitForFunction(() => window.defineHeld());
  await expect(area()).toHaveValue(/^plain \*\*\*bold\*\*\*/);
  for (const [words, keys, expected] of [
    ["slanted", "Control+i", " *slanted* "],
    ["slanted", "Control+i", " slanted "],
    ["bold", "Control+i", " **bold** "],
    ["日本語", "Control+i", "これは*日本語*です"],
    ["linked", "Control+k", "[linked](url)"],
    ["one", "Control+Shift+Digit8", "- one"],
    ["quoted", "Control+Shift+Period", "> quoted"],
    ["coded", "Control+e", "`coded`"],
  ] as const) {
    await select(words);
    await page.keyboard.press(keys);
    await expect(area()).toHaveValue(new RegExp(expected.replaceAll(/[*[\]().]/g, String.raw`\$&`)));
  }
  await select("plain");
  await page.getByRole("button", { name: "Numbered list" }).click();
  await expect(area()).toHaveValue(/1\. plain/);
  await page.keyboard.press("Control+z");
  await expect(area()).not.toHaveValue(/1\. plain/);
  // One tab stop, and arrow keys from button to button.
  await page.getByRole("button", { name: "Bold" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("button", { name: "Italic" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(area()).toBeFocused();
});

test("a pasted picture is uploaded, asked for its description, and shown", async () => {
  const bytes = (await readFile("test/fixtures/camera.jpg")).toString("base64");
  await area().evaluate((element: HTMLTextAreaElement, encoded) => {
    element.focus();
    element.setSelectionRange(element.value.length, element.value.length);
    const data = new DataTransfer();
    const content = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
    data.items.add(new File([content], "house.jpg", { type: "image/jpeg" }));
    element.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
    );
  }, bytes);
  const dialog = page.getByRole("dialog", { name: "Add a picture" });
  await expect(dialog.getByText("house.jpg")).toBeVisible();
  await expectNoAxeFindings(page);
  await dialog.getByLabel("Description of the picture").fill("A verandah [wide]");
  await dialog.getByRole("button", { name: "Insert picture" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(area()).toBeFocused();
  await expect(area()).toHaveValue(
    /`coded`\n\nこれは\*日本語\*です\n\n!\[A verandah \\\[wide\\\]\]\(\/media\/articles\/.+\)/,
  );
  await expect(preview().getByRole("img", { name: "A verandah [wide]" })).toBeVisible();
  await expectNoAxeFindings(page);
});

test("an error appears beside its field and the typed text stays", async () => {
  await page.getByLabel("Title", { exact: true }).fill("x".repeat(300));
  await page.getByLabel("Address").fill("the-second-appointment");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("A title has at most 255 characters.")).toBeVisible();
  await expect(page.getByLabel("Title", { exact: true })).toBeFocused();
  await page.getByLabel("Title", { exact: true }).fill("On verandahs");
  await page.keyboard.press("Control+s");
  await expect(
    page.getByText("Another article already uses “the-second-appointment”. Choose another."),
  ).toBeVisible();
  await expect(area()).toHaveValue(/plain \*\*bold\*\*/);
  await page.getByLabel("Address").fill("");
});

test("a scheduled time names its zone, and a skipped or repeated local time is reported", async () => {
  await page.getByLabel("Status").selectOption("scheduled");
  const time = page.getByLabel("Publish at");
  await time.fill("2037-10-04T02:30");
  await expect(page.getByText("Clocks go forward and skip this time.")).toBeVisible();
  await page.getByRole("button", { name: "Schedule article" }).click();
  await expect(time).toBeFocused();
  await time.fill("2037-04-05T02:30");
  await expect(page.getByText("(GMT+11 then)")).toBeVisible();
  await page.getByLabel("this time happens twice").selectOption({ label: "The second time, GMT+10" });
  await expect(page.getByText("(GMT+10 then)")).toBeVisible();
  await page.getByLabel("Category").selectOption({ label: "Verandahs" });
  await page.getByLabel("Tags").fill("houses, streets");
  await save("Schedule article", "Article scheduled for 5 April 2037 at 2:30 am AEST");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("On verandahs · Scheduled");
  await expect(page).toHaveURL(/\/admin\/articles\/\d+$/);
  await expect(time).toHaveValue("2037-04-05T02:30");
  await expect(page.getByLabel("this time happens twice")).toHaveValue(
    String(Date.parse("2037-04-04T16:30:00Z")),
  );
  expect((await page.request.get(`${site.url}/essays/on-verandahs`)).status()).toBe(404);
});

test("a published article matches its preview, has its category and is in the feed", async () => {
  await page.getByLabel("Status").selectOption("published");
  await save("Publish article", "Article published successfully!");
  // The picture's copies are made after its upload.
  const copied = () =>
    site.env.DB.prepare("select 1 from files where name = 'house.jpg' and variants is not null").first();
  await expect.poll(copied).not.toBeNull();
  await page.reload();
  await expect(preview().locator("img[srcset]")).toBeVisible();
  // Ids of footnotes and sizes of pictures included.
  const shown = await htmlIn(preview().locator(".reading"));
  const visitor = await page.context().newPage();
  await openHydrated(visitor, `${site.url}/essays/on-verandahs`);
  expect(await htmlIn(visitor.locator("article .reading"))).toBe(shown);
  const styleOf = (target: Page) =>
    target
      .locator(".reading p")
      .first()
      .evaluate((element) => {
        const { fontFamily, lineHeight } = getComputedStyle(element);
        const { color, float } = getComputedStyle(element, "::first-letter");
        return [fontFamily, lineHeight, color, float];
      });
  expect(await styleOf(visitor)).toEqual(await styleOf(page));
  await expect(visitor.getByText("Verandahs", { exact: true })).toBeVisible();
  await visitor.close();
  const feed = await (await page.request.get(`${site.url}/rss/essays.xml`)).text();
  expect(feed).toContain("On verandahs");
});

test("after a change of slug the former address redirects to the new one", async () => {
  await page.getByLabel("Address").fill("verandahs");
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("link", { name: "View on the site" })).toHaveAttribute(
    "href",
    "/essays/verandahs",
  );
  const old = await page.request.get(`${site.url}/essays/on-verandahs`, { maxRedirects: 0 });
  expect([old.status(), old.headers()["location"]]).toEqual([301, "/essays/verandahs"]);
});

test("text typed during a save is saved after it, based on the new version", async () => {
  const savedWith = (words: string) =>
    page.waitForResponse(
      (response) =>
        response.request().method() === "PATCH" && response.request().postDataJSON().content.endsWith(words),
    );
  const isHeld = page.waitForRequest((request) => request.method() === "PATCH");
  const answer = await hold(page, `**/api${new URL(page.url()).pathname}`, { times: 1 });
  await area().press("ControlOrMeta+End");
  await page.keyboard.type(" One.");
  await page.keyboard.press("Control+s");
  await isHeld;
  await page.keyboard.type(" Two.");
  const second = savedWith(" Two.");
  await page.keyboard.press("Control+s");
  answer();
  const { updatedAt } = (await (await second).json()) as { updatedAt: number };
  // The page was read again, too.
  await expect(page.locator("input[name=basedOn]")).toHaveValue(String(updatedAt));

  // While the page is read again.
  const read = await hold(page, "**/admin/articles/*.data*", { times: 1 });
  await page.keyboard.type(" Three.");
  const third = savedWith(" Three.");
  await page.keyboard.press("Control+s");
  await third;
  await page.keyboard.type(" Four.");
  const fourth = savedWith(" Four.");
  await page.keyboard.press("Control+s");
  read();
  expect((await fourth).status()).toBe(200);
  await expect(page.getByRole("button", { name: "Save changes" })).not.toHaveAttribute("aria-busy");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("text that a crash left unsaved is offered, and a newer version is not overwritten by it @full", async () => {
  await area().press("End");
  await page.keyboard.type("Lost words.");
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain("Lost words.");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.goto("about:blank");
  await page.goBack();
  await expect(page.getByText("It’s still in this browser.")).toBeVisible();
  await expect(area()).not.toHaveValue(/Lost words\./);
  await expectNoAxeFindings(page);
  await page.request.patch(`${site.url}/api/admin/articles/${page.url().split("/").at(-1)}`, {
    headers: { Origin: site.url },
    data: { excerpt: "Changed elsewhere." },
  });
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole("button", { name: "Restore it" }).click();
  await expect(area()).toHaveValue(/Lost words\./);
  await expect(preview()).toContainText("Lost words.");
  await page.keyboard.press("Control+s");
  await expect(page.getByText("This article was changed elsewhere since you opened it.")).toBeVisible();
  await save("Save this version anyway", "Article updated successfully!");
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).not.toContain("Lost words.");
  await page.reload();
  await hydrated(page);
  await expect(area()).toHaveValue(/Lost words\./);
  await expect(page.getByText("It’s still in this browser.")).toHaveCount(0);
});

test("an expired session shows a message and preserves the typed text @full", async () => {
  const cookies = await page.context().cookies();
  await area().press("End");
  await page.keyboard.type("Later words.");
  await page.context().clearCookies();
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Your session has ended.")).toBeVisible();
  await expect(area()).toHaveValue(/Later words\./);
  await page.context().addCookies(cookies);
  await save("Save changes", "Article updated successfully!");
});

test("leaving with something unsaved asks first @full", async () => {
  await area().press("End");
  await page.keyboard.type("More.");
  await page.getByRole("link", { name: "Cancel" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "Articles" })).toBeVisible();
});

test("an incomplete date is ignored, and a published article retains its date @full", async () => {
  const { items } = await (await page.request.get(`${site.url}/api/articles`)).json();
  await openHydrated(page, `${site.url}/admin/articles/${items.at(-1).id}`);
  const date = page.getByLabel("Publication date", { exact: true });
  const published = await date.inputValue();
  await date.focus();
  await page.keyboard.press("Delete");
  await expect(date).toHaveValue("");
  // In Firefox an input whose attribute is emptied counts as an empty one, not as half a date.
  await expect(date).toHaveAttribute("value", published);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(date).toHaveAccessibleDescription(/Enter the whole date and time, or clear it\./);
  await expect(date).toBeFocused();
  await expectNoAxeFindings(page);
  await date.fill(published);
  await save("Save changes", "Article updated successfully!");
  const after = await (await page.request.get(`${site.url}/api/articles`)).json();
  expect(after.items.at(-1).publishedAt).toBe(items.at(-1).publishedAt);
});

test("the list is searched and filtered, and an article is deleted once that is confirmed", async () => {
  await openHydrated(page, `${site.url}/admin/articles`);
  await page.getByLabel("Search", { exact: true }).fill("verand");
  await page.getByLabel("Category").selectOption({ label: "Verandahs" });
  await page.getByRole("search").getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/q=verand/);
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(page.getByRole("row", { name: /On verandahs Verandahs Published/ })).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "Delete On verandahs" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Are you sure you want to delete this article?" });
  await dialog.getByRole("button", { name: "Delete article" }).click();
  await expectToast(page, "Article deleted successfully!");
  await expect(page.getByText("No articles found")).toBeVisible();
  expect((await page.request.get(`${site.url}/essays/verandahs`)).status()).toBe(404);
});

test("a category is edited, and deleted once that is confirmed in the words of the specification", async () => {
  await page.getByRole("link", { name: "Categories" }).click();
  await page.getByRole("link", { name: "Edit Verandahs" }).click();
  await expect(page.getByLabel("Name")).toBeFocused();
  await expect(page.getByRole("heading", { name: "Edit category" })).toBeVisible();
  await page.getByLabel("Name").fill("Porches");
  await save("Save changes", "Category updated successfully!");
  await expect(page.getByRole("heading", { name: "New category" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Edit Porches" })).toBeFocused();
  await page.getByRole("link", { name: "Edit Health" }).click();
  await expect(page.getByRole("heading", { name: "Edit category" })).toBeVisible();
  await page.getByLabel("Description").fill("Still being typed.");
  await page.getByRole("button", { name: "Delete Porches" }).click();
  const dialog = page.getByRole("alertdialog", {
    name: "Are you sure? This will affect all articles in this category.",
  });
  await dialog.getByRole("button", { name: "Delete category" }).click();
  await expectToast(page, "Category deleted successfully!");
  await expect(page.getByText("Porches", { exact: true })).toHaveCount(0);
  await expect(page.getByRole("listitem").getByRole("link", { name: /^Edit / })).not.toHaveCount(0);
  await expect(page.getByRole("list").locator(":focus")).toHaveCount(1);
  await expect(page.getByLabel("Description")).toHaveValue("Still being typed.");
});

test("a category that was changed elsewhere is not overwritten unasked", async () => {
  const patch = async (description: string) => {
    const { items } = await (await page.request.get(`${site.url}/api/admin/categories`)).json();
    const { id } = items.find(({ name }: { name: string }) => name === "Health");
    const headers = { Origin: site.url };
    await page.request.patch(`${site.url}/api/admin/categories/${id}`, { data: { description }, headers });
  };
  await patch("Theirs.");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("This category was changed elsewhere since you opened it.")).toBeVisible();
  await expect(page.getByLabel("Description")).toHaveValue("Still being typed.");
  await save("Save this version anyway", "Category updated successfully!");
  await expect(page.getByText("Still being typed.")).toBeVisible();
});

test("the browser complains of nothing but the answers that refuse", () => {
  expect(complaints.filter((text) => !/status of 4(01|04|09|22)/.test(text))).toEqual([]);
});
