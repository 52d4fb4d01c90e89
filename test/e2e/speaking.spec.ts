import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindingsInThemes } from "./support/accessible.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { stopClock } from "./support/clock.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";
import { elementOf } from "./support/translation.ts";
import { desktop, phone } from "./support/windows.ts";

let site: Site;
let page: Page;
let complaints: string[];

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite({ sql: "delete from engagements" });
  page = await (await browser.newContext()).newPage();
  complaints = complaintsOf(page.context());
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const EDITORS_PASSWORD = "Gum leaves in June 7";
const dialog = () => page.getByRole("dialog");
const field = (label: string) => dialog().getByLabel(label);
const rowOf = (title: string) => page.getByRole("row", { name: new RegExp(title) });

test("the list says that it is empty, and Back closes the dialog", async () => {
  await openHydrated(page, `${site.url}/admin/speaking`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Speaking Engagements");
  await expect(page.getByText("No speaking engagements found. Create your first one!")).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByRole("link", { name: "Add Engagement" }).click();
  await expect(field("Title")).toBeFocused();
  await expect(field("Status")).toHaveValue("upcoming");
  await expect(field("Fee")).toHaveAttribute("step", "0.01");
  await page.goBack();
  await expect(dialog()).toBeHidden();
  await expect(page.getByRole("link", { name: "Add Engagement" })).toBeFocused();
});

test("engagement: errors appear beside their fields and the typed text stays", async () => {
  await page.getByRole("link", { name: "Add Engagement" }).click();
  await field("Venue").fill("Elder Hall");
  await field("Contact Email").fill("nobody");
  await field("Audience Size").fill("1.5");
  await field("Fee").fill("-1");
  await field("Date").focus();
  await page.keyboard.type("03");
  await dialog().getByRole("button", { name: "Add engagement" }).click();
  await expect(field("Title")).toBeFocused();
  await expect(field("Title")).toHaveAccessibleDescription("Title is required");
  await expect(field("Contact Email")).toHaveAccessibleDescription("Enter an email address.");
  await expect(field("Audience Size")).toHaveAccessibleDescription(/whole number/);
  await expect(field("Fee")).toHaveAccessibleDescription(/amount/);
  await expect(field("Date")).toHaveAccessibleDescription("Enter the whole date, or clear it.");
  await expect(field("Venue")).toHaveValue("Elder Hall");
  await expect(field("Contact Email")).toHaveValue("nobody");
  await expectNoAxeFindingsInThemes(page);
});

test("an engagement needs only a title, and shows its open details", async () => {
  for (const label of ["Venue", "Contact Email", "Audience Size", "Fee"]) await field(label).fill("");
  await field("Date").press("Delete");
  await field("Title").fill("A talk");
  await dialog().getByRole("button", { name: "Add engagement" }).click();
  await expectToast(page, "Speaking engagement created successfully");
  await expect(dialog()).toBeHidden();
  await expect(rowOf("A talk")).toContainText("No date set");
  await expect(rowOf("A talk")).toContainText("Location TBD");
  await expect(rowOf("A talk")).not.toContainText("attendees");
  await expect(elementOf(rowOf("A talk").getByText("Upcoming"))).toHaveClass(/text-info/);
});

test("an engagement is edited, and visitors see its public fields", async ({ browser }) => {
  await page.getByRole("link", { name: "Edit A talk" }).click();
  await field("Date").fill("2099-03-04");
  await field("Venue").fill("Elder Hall");
  await field("Location").fill("Adelaide SA");
  await field("Audience Size").fill("1420");
  await field("Contact Email").fill("private@example.com");
  await field("Contact Phone").fill("0400 000 000");
  await field("Fee").fill("4321.5");
  await field("Notes").fill("Only for the owner.");
  const path = "**/api/admin/engagements/*";
  await page.route(path, (route) =>
    route.fulfill({ status: 500, json: { error: { code: "internal", message: "Something went wrong." } } }),
  );
  await dialog().getByRole("button", { name: "Save changes" }).click();
  await expectToast(page, "Failed to save speaking engagement");
  await expect(field("Notes")).toHaveValue("Only for the owner.");
  await page.unroute(path);
  await dialog().getByRole("button", { name: "Save changes" }).click();
  await expectToast(page, "Speaking engagement updated successfully");
  await expect(dialog()).toBeHidden();
  await expect(page.getByRole("link", { name: "Edit A talk" })).toBeFocused();
  await expect(rowOf("A talk")).toContainText("Mar 4, 2099");
  await expect(rowOf("A talk")).toContainText("Elder Hall, Adelaide SA");
  await expect(rowOf("A talk")).toContainText("1,420 attendees");

  const visitor = await browser.newPage();
  await visitor.goto(`${site.url}/speaking`);
  await expect(visitor.getByRole("article").filter({ hasText: "A talk" })).toContainText("Elder Hall");
  expect(await visitor.content()).not.toMatch(/private@example|0400 000|4321\.5|Only for the owner/);
  await visitor.close();
});

test("completed ones are green, cancelled ones red @full", async () => {
  for (const [status, colour] of [
    ["completed", /text-accent/],
    ["cancelled", /text-danger/],
  ] as const) {
    await page.getByRole("link", { name: "Edit A talk" }).click();
    await field("Status").selectOption(status);
    await dialog().getByRole("button", { name: "Save changes" }).click();
    await expect(dialog()).toBeHidden();
    const badge = rowOf("A talk").getByText(status === "completed" ? "Completed" : "Cancelled");
    await expect(elementOf(badge)).toHaveClass(colour);
  }
  await expectNoAxeFindingsInThemes(page);
});

test("an engagement saved elsewhere is not overwritten without a question @full", async () => {
  await page.getByRole("link", { name: "Edit A talk" }).click();
  await field("Venue").fill("Mine");
  await page.setViewportSize(phone);
  const id = new URL(page.url()).searchParams.get("edit");
  await page.request.patch(`${site.url}/api/admin/engagements/${id}`, { data: { venue: "Theirs" } });
  await dialog().getByRole("button", { name: "Save changes" }).click();
  await expect(dialog().getByRole("alert")).toContainText("was changed elsewhere");
  await expect(dialog().getByRole("alert")).toBeInViewport();
  await expect(field("Venue")).toHaveValue("Mine");
  await expectNoAxeFindings(page);
  const opened = page.waitForEvent("popup");
  await dialog().getByRole("link", { name: "Open the newer version in a new tab" }).click();
  const newer = await opened;
  await expect(newer.getByRole("dialog").getByLabel("Venue")).toHaveValue("Theirs");
  await newer.close();
  await dialog().getByRole("button", { name: "Save this version anyway" }).click();
  await expect(dialog()).toBeHidden();
  await expect(rowOf("A talk")).toContainText("Mine");
  await page.setViewportSize(desktop);
});

test("an editor edits engagements without seeing contact, fee and notes @full", async ({ browser }) => {
  const email = "tom@example.com";
  await page.request.post(`${site.url}/api/admin/users`, {
    data: { email, fullName: "Tom Okafor", role: "editor", password: EDITORS_PASSWORD },
  });
  const mail = await site.mailTo(email);
  const context = await browser.newContext();
  await watchToasts(context);
  const editor = await context.newPage();
  await openHydrated(editor, mail.link);
  await stopClock(editor);
  await editor.getByRole("button", { name: "Confirm email address" }).click();
  await expect(editor.getByRole("heading", { name: "Email verified" })).toBeVisible();
  await editor.clock.resume();
  await openHydrated(editor, `${site.url}/admin/login?next=%2Fadmin%2Fspeaking`);
  await editor.getByLabel("Email").fill(email);
  await editor.getByLabel("Password", { exact: true }).fill(EDITORS_PASSWORD);
  await editor.getByRole("button", { name: "Sign in" }).click();
  await editor.getByRole("link", { name: "Edit A talk" }).click();
  await expect(editor.getByText("Only admins can see and edit contact, fee and notes.")).toBeVisible();
  await expect(editor.getByLabel("Contact Email")).toHaveCount(0);
  await editor.getByLabel("Venue").fill("By the editor");
  await editor.getByRole("button", { name: "Save changes" }).click();
  await expectToast(editor, "Speaking engagement updated successfully");
  await editor.close();

  await openHydrated(page, `${site.url}/admin/speaking`);
  await page.getByRole("link", { name: "Edit A talk" }).click();
  await expect(field("Venue")).toHaveValue("By the editor");
  await expect(field("Notes")).toHaveValue("Only for the owner.");
  await dialog().getByRole("button", { name: "Cancel" }).click();
});

test("an engagement is deleted after a confirmation, and the focus stays on the page", async () => {
  await page.getByRole("button", { name: "Delete A talk" }).click();
  const question = page.getByRole("alertdialog", {
    name: "Are you sure you want to delete this speaking engagement?",
  });
  await expect(question).toBeVisible();
  await expectNoAxeFindings(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: "Delete A talk" })).toBeFocused();
  await page.keyboard.press("Enter");
  await question.getByRole("button", { name: "Delete engagement" }).click();
  await expectToast(page, "Speaking engagement deleted successfully");
  await expect(page.getByText("No speaking engagements found. Create your first one!")).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  // The browser also logs each error of the API to the console.
  expect(complaints.filter((complaint) => !/Failed to load resource/.test(complaint))).toEqual([]);
});
