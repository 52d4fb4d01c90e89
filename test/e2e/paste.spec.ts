import { expect, type Page } from "@playwright/test";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { expectToast } from "./support/toasts.ts";
import { test } from "./support/test.ts";

let site: Site;
let page: Page;
let complaints: string[];
test.describe.configure({ mode: "serial" });

test.beforeAll(async ({ browser }) => {
  site = await startSite();
  const context = await browser.newContext({
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  complaints = complaintsOf(context);
  page = await context.newPage();
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const area = () => page.getByLabel("Text", { exact: true });

/** What a program copies: its text, and its HTML. */
const paste = (html: string, plain: string) =>
  area().evaluate(
    (element, [asHtml = "", asText = ""]) => {
      element.focus();
      const data = new DataTransfer();
      data.setData("text/html", asHtml);
      data.setData("text/plain", asText);
      const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
      // A script's paste event inserts nothing.
      if (element.dispatchEvent(event)) document.execCommand("insertText", false, asText);
    },
    [html, plain],
  );

const DOCUMENT =
  '<b style="font-weight:normal" id="docs-internal-guid-1"><h2>Head</h2><p><span style="font-weight:700">bold</span> ' +
  '<a href="https://example.com/">link</a></p><ul><li>one</li></ul><p><img src="file:///a.png"></p></b>';
const AS_TEXT = "Head\nbold link\none";

test("formatted text is pasted as Markdown, in one step that undo takes back @full", async () => {
  await openHydrated(page, `${site.url}/admin/articles/new`);
  await area().fill("Before. After.");
  await area().evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(8, 8));
  await paste(DOCUMENT, AS_TEXT);
  await expect(area()).toHaveValue(
    "Before. \n\n## Head\n\n**bold** [link](https://example.com/)\n\n- one\n\nAfter.",
  );
  await expectToast(page, "1 picture wasn’t pasted. Add it with the Image button.");
  await expect(
    page.getByRole("region", { name: "Preview" }).getByRole("link", { name: "link" }),
  ).toBeVisible();
  await page.keyboard.press("Control+z");
  await expect(area()).toHaveValue("Before. After.");
});

test("a part of a paragraph is pasted into the line @full", async () => {
  await area().fill("An  word");
  await area().evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(3, 3));
  await paste("<i>odd</i>", "odd");
  await expect(area()).toHaveValue("An *odd* word");
});

test("text stays text: unformatted, in a block of code, and pasted with Control+Shift+V @full", async () => {
  await area().fill("");
  await paste("<p>One *star*</p>", "One *star*");
  await expect(area()).toHaveValue("One *star*");
  await area().fill("```\n\n```");
  await area().evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(4, 4));
  await paste("<b>bold</b>", "bold");
  await expect(area()).toHaveValue("```\nbold\n```");
  await area().fill("");
  await page.evaluate(async () => {
    const blob = (type: string, content: string) => new Blob([content], { type });
    await navigator.clipboard.write([
      new ClipboardItem({
        "text/html": blob("text/html", "<b>bold</b>"),
        "text/plain": blob("text/plain", "bold"),
      }),
    ]);
  });
  await area().press("Control+Shift+v");
  await expect(area()).toHaveValue("bold");
  await page.waitForTimeout(1100);
  await area().fill("");
  await area().press("Control+v");
  await expect(area()).toHaveValue("**bold**");
});

test("a paste too long to convert is pasted as text, with a message @full", async () => {
  await area().fill("");
  await paste("<p><b>a</b> b</p>".repeat(7000), "many words");
  await expect(area()).toHaveValue("many words");
  await expectToast(page, "This is too long to keep its formatting. It was pasted as plain text.");
  expect(complaints).toEqual([]);
});
