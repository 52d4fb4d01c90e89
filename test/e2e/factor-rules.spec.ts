import { expect, type Browser, type Page } from "@playwright/test";
import { codeAt } from "../support/totp.ts";
import { expectAccessible } from "./support/accessible.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { OWNER, PASSWORD, setUpOwner } from "./support/set-up.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";

const EDITOR = "editor@example.com";
const DAY = 86_400_000;

let site: Site;
let owner: Page;
let editor: Page;
let complaints: string[];

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  await setUpOwner(site);
  // An editor with the owner's password, who was added long ago.
  await site.env.DB.prepare(
    `insert into users (id, email, full_name, role, password_hash, is_active, email_verified, stamp, created_at, updated_at)
    select 'editor', ?1, 'Ada Quill', 'editor', password_hash, 1, 1, 'stamp', 1, 1 from users where email = ?2`,
  )
    .bind(EDITOR, OWNER)
    .run();
  owner = await pageOf(browser, OWNER);
  editor = await pageOf(browser, EDITOR);
  complaints = complaintsOf(owner.context());
});
test.afterAll(() => site?.stop());

async function pageOf(browser: Browser, email: string) {
  const context = await browser.newContext();
  await watchToasts(context);
  const page = await context.newPage();
  await openHydrated(page, `${site.url}/admin/login`);
  await signIn(page, email);
  await page.waitForURL("**/admin/articles");
  return page;
}

async function signIn(page: Page, email: string) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function setUpApp(page: Page) {
  await openHydrated(page, `${site.url}/admin/account`);
  await page.getByRole("button", { name: "Set up an authenticator app" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up an authenticator app" });
  const secret = (await dialog.getByRole("code").innerText()).replaceAll(/\s/g, "");
  await dialog.getByLabel("Code that the app shows").fill(codeAt(secret, Date.now()));
  await dialog.getByRole("button", { name: "Switch on" }).click();
  await page.getByRole("button", { name: "I have saved them" }).click();
}

const requirement = () => owner.getByRole("region", { name: "Required second factor" });

test("a super admin requires a second factor once they have one", async () => {
  await openHydrated(owner, `${site.url}/admin/settings/security`);
  await requirement().getByLabel("Editor").check();
  await requirement().getByRole("button", { name: "Save requirement" }).click();
  await expect(requirement().getByRole("alert")).toHaveText(/Set up a second factor for yourself first/);
  await setUpApp(owner);
  await openHydrated(owner, `${site.url}/admin/settings/security`);
  await requirement().getByLabel("Editor").check();
  await requirement().getByLabel("Days of grace").selectOption("14 days");
  await requirement().getByRole("button", { name: "Save requirement" }).click();
  await expectToast(owner, /Users without a second factor see/);
  await expectAccessible(owner);
});

test("a user without one sees until when they need it, and afterwards only their account", async () => {
  await openHydrated(editor, `${site.url}/admin/articles`);
  const notice = editor.getByRole("region", { name: "Second factor" });
  await expect(notice).toContainText("Set up a second factor by");
  await expectAccessible(editor);
  await site.env.DB.prepare("update factor_rules set since = since - ?1")
    .bind(15 * DAY)
    .run();
  await editor.goto(`${site.url}/admin/articles`);
  await expect(editor.getByRole("heading", { level: 1 })).toHaveText("You don’t have access to this");
  await expect(editor.getByText(/^Your role needs a second factor/)).toBeVisible();
  await notice.getByRole("link", { name: "Set one up" }).click();
  await expect(notice).toContainText("Only your account is open to you");
  await expectAccessible(editor);
  await setUpApp(editor);
  await expect(notice).toBeHidden();
  await editor.goto(`${site.url}/admin/articles`);
  await expect(editor.getByRole("heading", { level: 1 })).toHaveText("Articles");
});

test("a super admin resets another user’s second factor", async () => {
  await openHydrated(owner, `${site.url}/admin/users`);
  await owner.getByRole("link", { name: "Edit Ada Quill" }).click();
  await owner.getByRole("button", { name: "Reset second factor" }).click();
  await expectAccessible(owner);
  await owner.getByRole("alertdialog").getByRole("button", { name: "Reset second factor" }).click();
  await expectToast(owner, /Their second factor was reset/);
  await expect(owner.getByRole("button", { name: "Reset second factor" })).toBeHidden();
  expect((await site.mailTo(EDITOR)).subject).toMatch(/^An authenticator app was added/);
  expect((await site.mailTo(EDITOR)).subject).toMatch(/second factor .* was reset/);
});

test("“It was not me” opens a page with one button, which signs out and mails a link for a new password", async () => {
  const [row] = (
    await site.env.DB.prepare(
      "select payload ->> '$.text' as text from outbox where payload ->> '$.to' = ?1 order by rowid desc limit 1",
    )
      .bind(EDITOR)
      .all<{ text: string }>()
  ).results;
  const link = /\S+\/admin\/not-me\?token=\S+/.exec(row!.text)![0];
  await openHydrated(editor, link);
  await expectAccessible(editor);
  await site.env.DB.prepare(
    `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
    values ('old', 'editor', 'old', '', 0, '[]', 'Work laptop', 1)`,
  ).run();
  await editor.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(editor.getByRole("heading", { level: 1 })).toHaveText("Every device is signed out");
  const remaining = editor.getByRole("region", { name: "Older, and not removed" });
  await expect(remaining.getByRole("listitem")).toHaveText(/^Passkey “Work laptop”Added .*1970$/);
  await expectAccessible(editor);
  await expect(editor.getByText(EDITOR)).toBeVisible();
  expect((await site.mailTo(EDITOR)).subject).toMatch(/^Reset your password/);
  await openHydrated(editor, link);
  await expect(editor.getByRole("link", { name: "Reset password" })).toBeVisible();
  // The refused requirement is answered with 409.
  expect(complaints.filter((complaint) => !/409|422/.test(complaint))).toEqual([]);
});
