import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import PostalMime from "postal-mime";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startMailingSite, type MailingSite } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { looks, phone, sweepsAll } from "./support/windows.ts";

const READERS = ["ada@answers.example.com", "ben@answers.example.com"];

let site: MailingSite;
/** The owner's. */
let page: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startMailingSite({
    sql: READERS.map(
      (email, index) => `insert into subscribers
        (id, email, status, source, subscribed_at, consent, verified_at, stamp)
        values ('reader${index}', '${email}', 'active', 'footer', 1000, 'Yes.', 2000, 's')`,
    ),
  });
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInAsOwner(page, site);
});
test.afterAll(async () => {
  await site?.stop();
});

const mailOf = () => page.frameLocator("iframe[title='The email as an email app shows it']");
const SUBJECT = "On what comes next";
const FRAME = "iframe[title='The email as an email app shows it']";

/** axe waits for each frame to answer, and no script runs in this one. */
const withoutFrame = () => page.locator(FRAME).evaluate((element) => element.remove());

test("a question is written in a letter's form, shown in the preview, and refused with one answer", async () => {
  const complaints = complaintsOf(page.context());
  await openHydrated(page, `${site.url}/admin/newsletter/new`);
  await page.getByLabel("Subject").fill(SUBJECT);
  await page.getByLabel("Content", { exact: true }).fill("Dear reader.");
  const line = page.locator("summary").filter({ hasText: "Question to readers" });
  await line.click();
  await page.getByLabel("Question", { exact: true }).fill("What next?");
  await page.getByLabel("Answers").fill("Rent");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByText("Write 2 to 5 answers, each on its own line.")).toBeVisible();
  await expect(mailOf().getByText("What next?")).toHaveCount(0);
  await page.getByLabel("Answers").fill("Rent\n\n  Buses & trains \nWater");
  await page.getByLabel("Show the results to readers").check();
  await expect(mailOf().getByRole("heading", { name: "What next?" })).toBeVisible();
  await expect(mailOf().getByRole("link", { name: "Buses & trains" })).toBeVisible();
  for (const { viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    await page.screenshot({ path: test.info().outputPath(`form-${viewport.width}.png`), fullPage: true });
  }
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.waitForURL(/\/admin\/newsletter\/\d+$/);
  await page.reload();
  await expect(page.getByLabel("Answers")).toHaveValue("Rent\nBuses & trains\nWater");
  await expect(page.getByLabel("Show the results to readers")).toBeChecked();
  expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
  await withoutFrame();
  await expectNoAxeFindings(page);
});

/** The links of the answers in a reader's copy of the letter. */
async function linksFor(reader: string) {
  const found = () =>
    site.received.find(({ to, raw }) => to.includes(reader) && raw.includes(`Subject: ${SUBJECT}`));
  await expect.poll(() => found() !== undefined, { timeout: 30_000 }).toBe(true);
  const { html = "" } = await PostalMime.parse(found()!.raw);
  const hrefs = [...html.matchAll(/href="([^"]*\/answer\?[^"]*)"/g)].map(([, href]) =>
    href!.replaceAll("&#38;", "&"),
  );
  return { html, hrefs };
}

test("each reader's email has links whose page counts by its button only, also without scripts", async ({
  browser,
}) => {
  await page.getByRole("button", { name: "Review and send" }).click();
  await page.getByRole("button", { name: "Send Newsletter" }).click();
  await page.getByRole("button", { name: "Send to 2 subscribers" }).click();
  await page.waitForURL(/\/report$/);
  const { hrefs, html } = await linksFor(READERS[0]!);
  expect(hrefs).toHaveLength(3);

  const mail = await (await browser.newContext({ viewport: phone })).newPage();
  await mail.setContent(html);
  for (const scheme of ["light", "dark"] as const) {
    await mail.emulateMedia({ colorScheme: scheme });
    await mail.screenshot({ path: test.info().outputPath(`mail-${scheme}.png`), fullPage: true });
  }
  // A finger hits each.
  for (const link of await mail.locator("a[href*='/answer?']").all())
    expect((await link.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  await mail.context().close();

  const context = await browser.newContext({ viewport: phone, javaScriptEnabled: false });
  const reader = await context.newPage();
  const complaints = complaintsOf(context);
  await reader.goto(hrefs[1]!);
  await expect(reader.getByRole("heading", { level: 1, name: "What next?" })).toBeVisible();
  await expect(reader.getByText("You answer as a***@answers.example.com.")).toBeVisible();
  await expect(reader.getByRole("radio", { name: "Buses & trains" })).toBeChecked();
  await reader.screenshot({ path: test.info().outputPath("page-open.png"), fullPage: true });
  // Opened, not pressed.
  expect(await votes()).toEqual([0, 0, 0]);
  await reader.getByRole("button", { name: "Send answer" }).click();
  await expect(reader.getByRole("heading", { level: 1, name: "Thank you for your answer" })).toBeVisible();
  await expect(reader.getByText("What next? Buses & trains")).toBeVisible();
  await expect(reader.getByText("100% (1)")).toBeVisible();
  expect(await votes()).toEqual([0, 1, 0]);
  await reader.getByRole("radio", { name: "Water" }).check();
  await reader.getByRole("button", { name: "Change answer" }).click();
  await expect(reader.getByText("What next? Water")).toBeVisible();
  expect(await votes()).toEqual([0, 0, 1]);
  await reader.goto(hrefs[0]!);
  await expect(reader.getByText("Your answer so far: Water")).toBeVisible();
  await expect(reader.getByRole("radio", { name: "Rent" })).toBeChecked();
  expect(complaints).toEqual([]);
  await context.close();
});

const votes = async () => {
  const { results } = await site.env.DB.prepare("select votes from letter_answers order by position").all<{
    votes: number;
  }>();
  return results.map((row) => row.votes);
};

test("the answer's page is read in each window and theme without a finding", async ({ browser }) => {
  const { hrefs } = await linksFor(READERS[1]!);
  for (const { viewport, colorScheme } of sweepsAll ? looks : looks.slice(0, 1)) {
    const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
    const complaints = complaintsOf(context);
    const reader = await context.newPage();
    for (const [name, address] of [
      ["open", hrefs[2]!],
      ["thanks", hrefs[2]!.replace(/&answer=.*/, "")],
      ["none", `${site.url}/answer?token=test&answer=1`],
    ] as const) {
      await openHydrated(reader, address);
      if (name === "thanks" && (await reader.getByRole("button", { name: "Send answer" }).isVisible())) {
        await reader.getByRole("radio", { name: "Rent" }).check();
        await reader.getByRole("button", { name: "Send answer" }).click();
        await expect(reader.getByRole("heading", { name: "Thank you for your answer" })).toBeVisible();
      }
      await expectNoAxeFindings(reader);
      const scrollWidth = await reader.evaluate(() => document.documentElement.scrollWidth);
      expect(scrollWidth).toBeLessThanOrEqual(viewport.width);
      await reader.screenshot({
        path: test.info().outputPath(`${name}-${viewport.width}-${colorScheme}.png`),
        fullPage: true,
      });
    }
    await expect(reader.getByRole("heading", { level: 1 })).toHaveText("This link can’t be answered");
    await expect(reader.getByText("It is from a preview or a test")).toBeVisible();
    expect(complaints).toEqual([]);
    await context.close();
  }
});

test("the owner reads the results, downloads them, and closes the question", async ({ browser }) => {
  const complaints = complaintsOf(page.context());
  await page.reload();
  const results = page.getByRole("region", { name: "What next?" });
  await expect(results).toContainText("2 of 2 readers answered.");
  await expect(results.getByRole("row", { name: "Water 1 50%" })).toBeVisible();
  await expect(results).toContainText("Individual answers aren’t shown");
  const downloading = page.waitForEvent("download");
  await results.getByRole("link", { name: "Download as CSV" }).click();
  const file = await (await downloading).path();
  expect(await readFile(file, "utf8")).toBe(
    "\ufeffanswer,readers,percent\r\nRent,1,50\r\nBuses & trains,0,0\r\nWater,1,50\r\n",
  );
  for (const { viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    await results.screenshot({ path: test.info().outputPath(`results-${viewport.width}.png`) });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await results.getByRole("button", { name: "Close question" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Close this question?" });
  await expect(dialog).toContainText("This can’t be undone.");
  await dialog.getByRole("button", { name: "Close question" }).click();
  await expectToast(page, "The question is closed");
  await expect(results).toContainText("Closed since");
  await expect(results.getByRole("button", { name: "Close question" })).toHaveCount(0);
  await withoutFrame();
  await expectNoAxeFindings(page);
  expect(complaints).toEqual([]);

  const context = await browser.newContext({ viewport: phone });
  const reader = await context.newPage();
  const { hrefs } = await linksFor(READERS[0]!);
  await openHydrated(reader, hrefs[0]!);
  await expect(reader.getByRole("heading", { level: 1, name: "This question is closed" })).toBeVisible();
  await expect(reader.getByText("50% (1)")).toHaveCount(2);
  await expectNoAxeFindings(reader);
  await site.env.DB.prepare("delete from subscribers where id = 'reader0'").run();
  await reader.reload();
  await expect(reader.getByRole("heading", { level: 1, name: "This subscription is deleted" })).toBeVisible();
  await expect(reader.getByText("an address that is no longer in our list")).toBeVisible();
  await context.close();
});
