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
import { looks } from "./support/windows.ts";

const ADA = "ada@account.example.com";

let site: MailingSite;
let page: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startMailingSite({
    sql: `insert into tiers (id, name, description, price, sort_order, created_at, updated_at)
        values (1, 'Patron', 'A table at the yearly dinner.', '$50 a month', 1, 1, 1);
      insert into members (email, tier_id, source, since, stamp, created_at, updated_at)
        values ('${ADA}', 1, 'by-hand', 1750000000000, 's', 1, 1)`,
  });
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
});
test.afterAll(async () => {
  await site?.stop();
});

const sql = (statement: string) => site.env.DB.prepare(statement).run();
const on = (where: Page) => ({
  button: (name: string) => where.getByRole("button", { name, exact: true }),
  heading: (name: string) => where.getByRole("heading", { name, exact: true }),
});
const { button, heading } = {
  button: (name: string) => on(page).button(name),
  heading: (name: string) => on(page).heading(name),
};

/** The link in the latest email to the member, once there are so many. */
async function linkIn(count: number) {
  const mails = () => site.received.filter(({ to }) => to.includes(ADA));
  await expect.poll(() => mails().length).toBe(count);
  const { text = "", subject } = await PostalMime.parse(mails()[count - 1]!.raw);
  expect(subject).toMatch(/^Sign in to /);
  return /http\S+\/account\/sign-in\?token=\S+/.exec(text)![0];
}

async function askFor(where: Page, email: string) {
  await where.getByRole("textbox", { name: "Email", exact: true }).fill(email);
  await on(where).button("Email me a link").press("Enter");
  await expect(where.getByText("If this address has a membership, a link is on its way")).toBeVisible();
}

test("the owner opens members’ accounts", async ({ browser }) => {
  const admin = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInAsOwner(admin, site);
  expect((await admin.request.get(`${site.url}/account`)).status()).toBe(404);
  await openHydrated(admin, `${site.url}/admin/settings/features`);
  await admin.getByLabel("Members’ accounts").check();
  await admin.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(admin, "saved");
  await expect.poll(async () => (await admin.request.get(`${site.url}/account`)).status()).toBe(200);
  await admin.context().close();
});

test("a member signs in with a mailed link, with the keyboard", async () => {
  const complaints = complaintsOf(page.context());
  await openHydrated(page, site.url);
  await page.getByRole("contentinfo").getByRole("link", { name: "Account", exact: true }).click();
  await expect(heading("Sign in")).toBeVisible();
  await expectNoAxeFindings(page);
  await button("Email me a link").press("Enter");
  await expect(page.getByRole("textbox", { name: "Email", exact: true })).toHaveAccessibleDescription(
    /Email is required/,
  );
  await askFor(page, "stranger@account.example.com");
  await page.reload();
  await askFor(page, ADA);
  const link = await linkIn(1);
  expect(site.received.filter(({ to }) => to.includes("stranger@account.example.com"))).toEqual([]);
  // A scanner opens the link.
  expect((await page.request.get(link)).status()).toBe(200);
  await openHydrated(page, link);
  await expect(page.getByText(`As ${ADA}, on this device.`)).toBeVisible();
  await expectNoAxeFindings(page);
  await button("Sign in").press("Enter");
  await expect(heading("Membership")).toBeVisible();
  await expect(page.getByText("Patron", { exact: true })).toBeVisible();
  await expect(page.getByText("$50 a month")).toBeVisible();
  await expect(page.getByText("You have been a member since 16 June 2025")).toBeVisible();
  await expect(page).toHaveURL(`${site.url}/account`);
  await expectNoAxeFindings(page);
  expect(complaints).toEqual([]);
  await openHydrated(page, link);
  await expect(page.getByText("This link isn’t valid, or was used already.")).toBeVisible();
  await page.getByRole("link", { name: "Ask for a new link" }).click();
  await expect(heading("Membership")).toBeVisible();
});

for (const { viewport, colorScheme } of looks)
  test(`the account fits ${viewport.width} px in ${colorScheme} colours @full`, async () => {
    await sql(`update tiers set name = '${"Donaudampfschifffahrtsgesellschaft".repeat(2).slice(0, 60)}'`);
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    await openHydrated(page, `${site.url}/account`);
    await page.getByText("Delete your account", { exact: true }).first().click();
    await expect(page.getByText("Comments and messages that you sent us stay.")).toBeVisible();
    await expectNoAxeFindings(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    await sql("update tiers set name = 'Patron'");
  });

test("a member chooses letters, and downloads their data", async () => {
  const complaints = complaintsOf(page.context());
  await openHydrated(page, `${site.url}/account`);
  await expect(page.getByText("You get no letters from us.")).toBeVisible();
  await expect(
    page.getByRole("main").getByText("A letter now and then, by email. You can leave at any time."),
  ).toBeVisible();
  await button("Get letters").press("Enter");
  await expect(page.getByText("You get our letters at this address.")).toBeVisible();
  const { results } = await sql(`select source, verified_at from subscribers where email = '${ADA}'`);
  expect(results).toMatchObject([{ source: "account", verified_at: expect.any(Number) }]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download your data" }).click(),
  ]);
  const { records } = JSON.parse(await readFile(await download.path(), "utf8")) as {
    records: { kind: string }[];
  };
  expect(records.map(({ kind }) => kind)).toEqual(["membership", "subscription"]);
  await button("Stop letters").click();
  await expect(page.getByText("You get no letters from us.")).toBeVisible();
  await page.route("**/api/member/letters", (route) => route.abort());
  await button("Get letters").click();
  await expect(page.getByRole("alert")).toHaveText("That didn’t work. Please try again.");
  await page.unroute("**/api/member/letters");
  for (const complaint of complaints.splice(0)) expect(complaint).toMatch(/Failed to fetch|ERR_FAILED/);
});

test("an account that cannot be loaded is loaded again with a press @full", async () => {
  await page.route("**/api/member", (route) => route.abort());
  await openHydrated(page, `${site.url}/account`);
  await expect(page.getByText("Your account could not be loaded.")).toBeVisible();
  await page.unroute("**/api/member");
  await button("Try again").click();
  await expect(heading("Membership")).toBeVisible();
});

test("devices are signed out alone, or all together", async ({ browser }) => {
  const other = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await openHydrated(other, `${site.url}/account`);
  await askFor(other, ADA);
  await openHydrated(other, await linkIn(2));
  await on(other).button("Sign in").click();
  await expect(on(other).heading("Membership")).toBeVisible();
  await openHydrated(page, `${site.url}/account`);
  const devices = page.getByRole("listitem").filter({ hasText: / on / });
  await expect(devices).toHaveCount(2);
  await page.getByRole("button", { name: /^Sign out \S+ on / }).click();
  await expect(devices).toHaveCount(1);
  await other.getByText("Delete your account", { exact: true }).first().click();
  await on(other).button("Delete your account").click();
  await expect(other.getByText("You were signed out. Sign in again.")).toBeFocused();
  await askFor(other, ADA);
  await openHydrated(other, await linkIn(3));
  await on(other).button("Sign in").click();
  await expect(on(other).heading("Membership")).toBeVisible();
  await on(other).button("Sign out everywhere").click();
  await expect(other.getByText("You are signed out on all devices.")).toBeFocused();
  await page.reload();
  await expect(heading("Sign in")).toBeVisible();
  await other.context().close();
});

test("a member signs out, and deletes their account", async () => {
  await askFor(page, ADA);
  await openHydrated(page, await linkIn(4));
  await button("Sign in").click();
  await button("Sign out here").press("Enter");
  await expect(page.getByText("You are signed out.", { exact: true })).toBeFocused();
  await expectNoAxeFindings(page);
  await askFor(page, ADA);
  await openHydrated(page, await linkIn(5));
  await button("Sign in").click();
  await page.getByText("Delete your account", { exact: true }).first().click();
  await button("Delete your account").press("Enter");
  await expect(page.getByText("Your membership and its data are deleted.")).toBeFocused();
  expect((await sql("select 1 from members")).results).toEqual([]);
  expect((await sql(`select 1 from subscribers where email = '${ADA}'`)).results).toEqual([]);
});
