import { expect, type Page } from "@playwright/test";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

/** Buttons that no journey of another file presses. */

let site: Site;
let page: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const open = (path: string) => openHydrated(page, `${site.url}/admin/${path}`);
const button = (name: string | RegExp) => page.getByRole("button", { name });
const sql = (statement: string) => site.env.DB.prepare(statement).run();
const confirm = (name: string) => page.getByRole("alertdialog").getByRole("button", { name }).click();

async function create(path: string, data: object) {
  const headers = { Origin: site.url };
  const answer = await page.request.post(`${site.url}/api/admin/${path}`, { data, headers });
  expect(answer).toBeOK();
  return (await answer.json()) as { id: number; title?: string };
}

test("a letter's schedule is cancelled, its sending paused, resumed and cancelled, and a draft deleted @full", async () => {
  const { id } = await create("newsletters", { subject: "On heat", content: "It is hot." });
  const set = (values: string) => sql(`update letters set ${values} where id = ${id}`);
  await set(`status = 'scheduled', scheduled_for = ${Date.now() + 86_400_000}`);
  await open(`newsletter/${id}/send`);
  await button("Unschedule").click();
  await confirm("Make it a draft");
  await expectToast(page, "The letter is a draft again");

  await set(`status = 'sending', started_at = ${Date.now()}, recipients = 1`);
  await open(`newsletter/${id}/report`);
  await button("Pause").click();
  await expectToast(page, "Letter paused");
  await button("Cancel letter").click();
  await confirm("Cancel letter");
  await expectToast(page, "Letter cancelled");
  await set("status = 'paused', finished_at = null");
  await open(`newsletter/${id}/report`);
  await button("Resume").click();
  await expectToast(page, "Letter resumed");
  await sql(
    `insert into letter_deliveries (letter_id, status, not_before) values (${id}, 'uncertain', 1000)`,
  );
  await set(`status = 'sent', finished_at = ${Date.now()}, recipients = 1, uncertain = 1`);
  await open(`newsletter/${id}/report`);
  await button("Send again to uncertain").click();
  await confirm("Send again");
  await expectToast(page, "Sending the letter again");

  await create("newsletters", { subject: "On nothing", content: "" });
  await open("newsletter");
  await button("Delete On nothing").click();
  await confirm("Delete letter");
  // While the question is open, no row has a role.
  await expectToast(page, "Letter deleted successfully!");
  await expect(page.getByRole("row", { name: /On nothing/ })).toHaveCount(0);
});

test("a delivery that was given up is tried again or dismissed, and so is a message of the queue @full", async () => {
  const failed = (id: string, topic: string) =>
    sql(`insert into outbox (id, topic, payload, created_at, attempts, not_before, failed_at, last_error)
      values ('${id}', '${topic}', '{}', 1000, 10, 1000, ${Date.now()}, 'No answer.')`);
  const message = (id: string) =>
    sql(`insert into dead_letters (id, body, arrived_at) values ('${id}', '{}', ${Date.now()})`);
  for (const id of ["one", "two"]) await failed(id, "websub");
  for (const id of ["three", "four"]) await message(id);
  await open("settings/failures");
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveCount(4);
  const messages = rows.filter({ hasText: "Its queue message failed" });
  await messages
    .first()
    .getByRole("button", { name: /^Dismiss/ })
    .click();
  await expectToast(page, "Dismissed");
  await expect(messages).toHaveCount(1);
  await messages
    .first()
    .getByRole("button", { name: /^Try again/ })
    .click();
  await expectToast(page, "Trying it again");
  const deliveries = rows.filter({ hasText: "Given up after" });
  await deliveries
    .first()
    .getByRole("button", { name: /^Dismiss/ })
    .click();
  await expectToast(page, "Dismissed");
  await failed("five", "websub");
  await page.reload();
  await button("Try all again").click();
  await expectToast(page, "Tried again: 2");
});

test("the key of sessions and links is replaced without a new sign-in @full", async () => {
  await open("settings/security");
  await button("Replace the key").click();
  await expectToast(page, "The signing key is replaced. Nobody was signed out.");
  await expect(page.getByRole("row", { name: /Signing key replaced/ })).toBeVisible();
});

test("the preload list is allowed, and no longer allowed @full", async () => {
  const header = async () => (await page.request.get(site.url)).headers()["strict-transport-security"];
  await open("settings/security");
  await expect(page.getByText("Your domain may not be entered in the browsers’ preload list.")).toBeVisible();
  await button("Allow the preload list").click();
  await expectToast(page, "The preload list is allowed.");
  await expect(page.getByRole("row", { name: /Preload list changed/ })).toBeVisible();
  expect(await header()).toMatch(/; preload$/);
  await button("Stop allowing the preload list").click();
  await expectToast(page, "The preload list is no longer allowed.");
  expect(await header()).not.toContain("preload");
});

test("an invitation is sent again, and other devices are signed out @full", async () => {
  const email = "invited@example.com";
  const user = await create("users", { email, fullName: "Ada", role: "editor" });
  await site.mailTo(email);
  await open(`users?edit=${user.id}`);
  await button("Send the invitation again").click();
  await expectToast(page, "The email was sent again.");
  await site.mailTo(email);

  await sql(`insert into sessions (id, user_id, stamp, created_at, seen_at, address, user_agent)
    select 'another', user_id, stamp, created_at, seen_at, address, user_agent from sessions limit 1`);
  await open("account");
  await button("Sign out all other devices").click();
  await expectToast(page, "All other devices are signed out.");
  await expect(page.getByRole("list", { name: "Signed-in devices" }).getByRole("listitem")).toHaveCount(1);
});
