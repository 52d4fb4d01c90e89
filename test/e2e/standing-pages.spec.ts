import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { complaintsOf } from "./support/console.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { desktop, looks, phone } from "./support/windows.ts";

let site: Site;
let page: Page;
let complaints: string[];
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  complaints = complaintsOf(page.context());
  await signInAsOwner(page, site);
  await openHydrated(page, `${site.url}/admin/articles`);
});
test.afterAll(() => site?.stop());

const edit = (slug: string) => openHydrated(page, `${site.url}/admin/articles/pages/${slug}`);
const field = (label: string) => page.getByLabel(label, { exact: true });
const row = (name: string) => page.getByRole("group", { name, exact: true });
const save = async () => {
  const answer = page.waitForResponse((response) => response.request().method() === "PUT");
  await page.getByRole("button", { name: "Save page" }).click();
  return (await answer).status();
};
const visit = async (path: string) => (await fetch(site.url + path)).text();
const preview = () => page.getByRole("dialog", { name: /^Preview of/ });
const openPreview = async () => {
  await page.getByRole("button", { name: "Preview", exact: true }).last().click();
  return preview().frameLocator("iframe");
};

test("a page is found in its list, and saved as its form says, rows in their new order", async () => {
  await page.getByRole("navigation", { name: "Articles" }).getByRole("link", { name: "Pages" }).click();
  await expect(page.getByRole("heading", { name: "Pages" })).toBeVisible();
  await expectNoAxeFindings(page);
  await expect(page.getByRole("row", { name: /^Privacy Policy/ })).toContainText("Not changed yet");
  await page.getByRole("link", { name: "The 3 Es" }).click();
  await expect(page.getByRole("heading", { name: "The 3 Es", level: 1 })).toBeVisible();
  await row("pillar 3").getByRole("textbox", { name: "In full" }).fill("Still *there*.");
  await page.getByRole("button", { name: "Move pillar 3 up" }).press("Enter");
  await page.getByRole("button", { name: "Add a pillar" }).click();
  await row("pillar 4").getByLabel("Title").fill("Ease");
  await page.getByRole("button", { name: "Remove pillar 1" }).click();
  expect(await save()).toBe(200);
  const html = await visit("/three-es");
  expect([...html.matchAll(/<h2[^>]*>(\w+)<\/h2>/g)].slice(0, 3).map(([, title]) => title)).toEqual([
    "Endurance",
    "Evidence",
    "Ease",
  ]);
  expect(html).toContain("Still <em>there</em>.");
  await expectNoAxeFindings(page);
});

test("an invalid value shows an error in its row, preserves the text, and has no preview", async () => {
  await edit("home");
  await field("Headline").fill("Typed");
  await row("block 2").getByLabel("Links to").fill("https://elsewhere.example");
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  const wrong = row("block 2").getByLabel("Links to");
  await expect(wrong).toBeFocused();
  await expect(wrong).toHaveAccessibleDescription(/^Enter a path of the site, such as \/about\./);
  await expect(field("Headline")).toHaveValue("Typed");
  await expect(preview()).toBeHidden();
  expect(await visit("/")).not.toContain("Typed");
});

test("the preview shows unsaved text at both widths, runs no scripts and opens links in a new tab", async () => {
  await row("block 2").getByLabel("Links to").fill("/media");
  await field("Lead with").selectOption("The latest essay");
  // Also while its pictures load.
  const load = await hold(page, "**/media/**");
  const frame = await openPreview();
  await expect(frame.getByRole("heading", { level: 1 })).toHaveText("Typed");
  await expect(frame.getByText("Read the essay")).toBeVisible();
  await expect(preview().locator("iframe")).not.toHaveAttribute("sandbox", /scripts|forms/);
  const widthSeen = () => frame.locator("html").evaluate(() => innerWidth);
  expect(await widthSeen()).toBe(1280);
  await preview().getByRole("button", { name: "Phone" }).click();
  await expect.poll(widthSeen).toBe(360);
  expect(await frame.locator("html").evaluate(() => document.readyState)).not.toBe("complete");
  const opened = page.waitForEvent("popup");
  await frame.getByRole("link", { name: "Book to Speak" }).click();
  const elsewhere = await opened;
  await elsewhere.waitForURL("**/speaking");
  await elsewhere.close();
  load();
  await page.unrouteAll({ behavior: "wait" });
  // axe waits for a frame to answer, and in this one nothing runs.
  await preview()
    .locator("iframe")
    .evaluate((element) => element.remove());
  await expectNoAxeFindings(page);
  await preview().getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("button", { name: "Preview", exact: true })).toBeFocused();
  expect(await visit("/")).not.toContain("Typed");
  expect(await save()).toBe(200);
  expect(await visit("/")).toContain("Typed</h1>");
});

test("the preview begins with a phone's window on a phone @full", async () => {
  await page.setViewportSize(phone);
  await edit("mission");
  const frame = await openPreview();
  await expect(frame.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(preview().getByRole("button", { name: "Phone" })).toHaveAttribute("aria-pressed", "true");
  expect(await frame.locator("html").evaluate(() => innerWidth)).toBe(phone.width);
  await page.setViewportSize(desktop);
});

test("a page saved by another user is not overwritten without a question @full", async () => {
  await edit("mission");
  await field("Headline").fill("Mine");
  const path = `${site.url}/api/admin/pages/mission`;
  const { values } = (await (await page.request.get(path)).json()) as { values: object };
  const theirs = { ...values, headline: "Theirs" };
  expect((await page.request.put(path, { data: theirs })).status()).toBe(200);
  expect(await save()).toBe(409);
  await expect(page.getByRole("alert").getByText(/was changed elsewhere/)).toBeVisible();
  await expect(field("Headline")).toHaveValue("Mine");
  expect(await visit("/mission")).toContain("Theirs</h1>");
});

test("closing a picture's dialog during its upload does not block the page @full", async () => {
  await edit("mission");
  const waits = page.getByText("You can save once the upload is complete or cancelled.");
  const release = await hold(page, "**/parts/*");
  await page.getByRole("button", { name: "Image", exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: "Add a picture" });
  await dialog
    .getByLabel("Picture", { exact: true })
    .setInputFiles(new URL("../fixtures/camera.jpg", import.meta.url).pathname);
  await expect(waits).toHaveCount(1);
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(waits).toHaveCount(0);
  release();
  await page.unrouteAll({ behavior: "wait" });
  expect(await save()).toBe(200);
});

test("the toolbar is shown with the text, and hidden with the preview @full", async () => {
  const toolbar = page.locator("markdown-toolbar").first();
  const toggle = page.getByRole("button", { name: "Preview", exact: true }).first();
  await expect(toolbar).toBeVisible();
  await toggle.click();
  await expect(page.getByRole("region", { name: "Preview" }).first()).toBeVisible();
  await expect(toolbar).toBeHidden();
  await toggle.click();
  await expect(toolbar).toBeVisible();
});

test("a version is compared word by word, and restored", async () => {
  await edit("three-es");
  await page.getByRole("link", { name: "Versions" }).click();
  await expect(page.getByRole("heading", { name: "Versions" })).toBeVisible();
  const versions = page.getByRole("navigation", { name: "Versions" }).getByRole("link");
  await expect(versions.first()).toContainText("Imogen Tarrant");
  await expect(versions.first()).toContainText("The three");
  await versions.nth(1).click();
  await page.getByRole("button", { name: "What changed since" }).click();
  await expect(page.getByRole("insertion").filter({ hasText: "Ease" })).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "Restore this version" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
  await page.waitForURL("**/pages/three-es");
  await expect(row("pillar 1").getByLabel("Title")).toHaveValue("Earshot");
  expect(await visit("/three-es")).not.toContain(">Ease<");
});

test("every form fits a phone and a desk in both themes @full", async () => {
  test.slow();
  for (const slug of ["home", "about", "media-kit", "contact", "privacy-policy"]) {
    await edit(slug);
    for (const { viewport, colorScheme } of looks) {
      await page.setViewportSize(viewport);
      await setColorScheme(page, colorScheme);
      await expectNoAxeFindings(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, slug).toBeLessThanOrEqual(0);
    }
  }
  expect(complaints.filter((complaint) => !complaint.includes("409 (Conflict)"))).toEqual([]);
});
