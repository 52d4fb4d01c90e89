import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { looks } from "./support/windows.ts";

const ADA = "ada@members.example.com";
const BO = "bo@members.example.com";

let site: Site;
let page: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const open = (path: string) => openHydrated(page, `${site.url}/admin/newsletter/${path}`);
const button = (name: string) => page.getByRole("button", { name, exact: true });
const link = (name: string) => page.getByRole("link", { name, exact: true });
const search = () => page.getByRole("search").getByRole("button", { name: "Search" }).click();
const row = (name: string | RegExp) => page.getByRole("row", { name });
const sql = (statement: string) => site.env.DB.prepare(statement).run();

test("the owner defines tiers, and puts them into an order", async () => {
  const complaints = complaintsOf(page.context());
  await open("subscribers");
  await link("Members").click();
  await expect(page.getByText("A membership is of a tier")).toBeVisible();
  await expectNoAxeFindings(page);
  await link("New tier").click();
  await button("Save").click();
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.getByLabel("Name").fill("Patron");
  await page.getByLabel("Price").fill("$50 a month");
  await page.getByLabel("Description").fill("A table at the yearly dinner.");
  await expectNoAxeFindings(page);
  await button("Save").click();
  await expectToast(page, "Tier created successfully");

  await link("New tier").click();
  await page.getByLabel("Name").fill("Patron");
  await button("Save").click();
  await expect(page.getByLabel("Name")).toHaveAccessibleDescription(/There is a tier with this name/);
  for (const complaint of complaints.splice(0)) expect(complaint).toContain("409");
  await page.getByLabel("Name").fill("Friend");
  await page.getByLabel("Price").fill("$5 a month");
  await button("Save").click();
  await expectToast(page, "Tier created successfully");
  const names = page.getByRole("list", { name: "Tiers" }).getByRole("link", { name: /^(Patron|Friend)$/ });
  await expect(names).toHaveText(["Patron", "Friend"]);
  await page.getByRole("button", { name: "Move Friend up" }).press("Enter");
  await expectToast(page, "Tiers reordered successfully");
  await expect(names).toHaveText(["Friend", "Patron"]);
  await link("Edit Friend").click();
  await page.getByLabel("Price").fill("$6 a month");
  await button("Save").click();
  await expectToast(page, "Tier updated successfully");
  await expect(page.getByText("$6 a month")).toBeVisible();
  await expectNoAxeFindings(page);
  expect(complaints).toEqual([]);
});

test("a member is added by hand, with an end or without", async () => {
  const complaints = complaintsOf(page.context());
  await open("members");
  await expect(page.getByText("Add people who pay you elsewhere")).toBeVisible();
  await link("Add member").click();
  await expect(page.getByText("no letters: those need their own consent")).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByLabel("Email").fill("nobody");
  await page.getByLabel("Until").fill("2020-01-01T10:00");
  await button("Add member").click();
  await expect(page.getByLabel("Until")).toHaveAccessibleDescription(/The end must be after the beginning/);
  await page.getByLabel("Since").fill("2019-01-01T10:00");
  await button("Add member").click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(/isn’t an address/);
  await expectToast(page, "Failed to save member");
  for (const complaint of complaints.splice(0)) expect(complaint).toContain("422");
  await page.getByLabel("Email").fill(ADA);
  await page.getByLabel("Tier").selectOption("Patron");
  await button("Add member").click();
  await expectToast(page, "Member added successfully");
  await expect(row(ADA)).toContainText("Ended");
  await expect(row(ADA)).toContainText("Added by hand");

  await link("Add member").click();
  await page.getByLabel("Email").fill(BO);
  await page.getByLabel("Payment").selectOption("Without payment");
  await button("Add member").click();
  await expectToast(page, "Member added successfully");
  await expect(row(BO)).toContainText("Friend");
  await expect(row(BO)).toContainText("Free");
  await expect(row(BO)).toContainText("No end");
  await expectNoAxeFindings(page);
  expect((await sql("select 1 from subscribers")).results).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a membership is changed and ended", async () => {
  await open("members");
  await link(ADA).click();
  await page.getByLabel("Until").fill("2999-01-01T10:00");
  await button("Save").click();
  await expectToast(page, "Member updated successfully");
  await expect(row(ADA)).toContainText("Active");
  await link(ADA).click();
  await button("End now").click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("They stay in the list as a former member.");
  await expectNoAxeFindings(page);
  await question.getByRole("button", { name: "End now" }).click();
  await expectToast(page, "Membership ended");
  await expect(page.getByText("Ended", { exact: true })).toBeVisible();
  await expect(button("End now")).toHaveCount(0);
});

test("members are found by tier, state and address, and exported", async () => {
  await open("members");
  await page.getByLabel("State").selectOption("Free");
  await search();
  await expect(row(ADA)).toHaveCount(0);
  await expect(row(BO)).toBeVisible();
  await page.getByLabel("Tier").selectOption("Patron");
  await search();
  await expect(page.getByText("No members found")).toBeVisible();
  await link("Clear").click();
  await expect(row(BO)).toBeVisible();
  await page.getByLabel("Search").fill("ADA@");
  await search();
  await expect(row(ADA)).toBeVisible();
  await expect(row(BO)).toHaveCount(0);
  const [download] = await Promise.all([page.waitForEvent("download"), link("Export CSV").click()]);
  expect(download.suggestedFilename()).toMatch(/^members-\d{4}-\d\d-\d\d\.csv$/);
  const lines = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/^ada@members\.example\.com,Patron,ended,by-hand,/),
    expect.stringMatching(/^bo@members\.example\.com,Friend,free,free,/),
  ]);
});

for (const { viewport, colorScheme } of looks)
  test(`long names fit, at ${viewport.width} px and in ${colorScheme} colours @full`, async () => {
    const long = "Donaudampfschifffahrtsgesellschaft".repeat(2).slice(0, 60);
    await sql(`update tiers set name = '${long}' where price = '$6 a month'`);
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    const { id } = (await sql("select id from members limit 1")).results[0] as { id: number };
    for (const path of ["members", `members/${id}`, "members/new", "members/tiers", "members/tiers/1"]) {
      await open(path);
      await expectNoAxeFindings(page);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    }
    await sql(`update tiers set name = 'Friend' where price = '$6 a month'`);
  });

test("a tier with members stays, and members and tiers are deleted with the keyboard", async () => {
  const complaints = complaintsOf(page.context());
  await open("members/tiers");
  const question = page.getByRole("alertdialog");
  await button("Delete Friend").press("Enter");
  await question.getByRole("button", { name: "Delete tier" }).press("Enter");
  await expectToast(page, "Failed to delete tier. “Friend” has members. Give them another tier first.");
  for (const complaint of complaints.splice(0)) expect(complaint).toContain("409");
  await open("members");
  await button(`Delete ${BO}`).press("Enter");
  await expect(question).toContainText("If they get letters, they still do.");
  await question.getByRole("button", { name: "Delete member" }).press("Enter");
  await expectToast(page, "Member deleted successfully");
  await expect(row(BO)).toHaveCount(0);
  await link(ADA).click();
  await button("Delete").press("Enter");
  await question.getByRole("button", { name: "Delete member" }).press("Enter");
  await expectToast(page, "Member deleted successfully");
  await page.waitForURL(/\/members$/);
  await expect(page.getByText("No members yet")).toBeVisible();
  await link("Tiers").click();
  await button("Delete Friend").press("Enter");
  await question.getByRole("button", { name: "Delete tier" }).press("Enter");
  await expectToast(page, "Tier deleted successfully");
  await expect(link("Friend")).toHaveCount(0);
  expect(complaints).toEqual([]);
});
