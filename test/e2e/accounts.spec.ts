import { expect, type Browser, type Page } from "@playwright/test";
import { createContext } from "../../worker/platform/context.ts";
import { createOwnerSession } from "../support/owner-session.ts";
import { expectNoAxeFindingsInThemes } from "./support/accessible.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { stopClock } from "./support/clock.ts";
import { complaintsOf } from "./support/console.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { ageProof, signInByPassword } from "./support/owner.ts";
import { OWNER, PASSWORD } from "./support/set-up.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

const NEW_PASSWORD = "A longer verandah 2";
const NEWEST_PASSWORD = "Another verandah 3";
const EDITOR = "tom@example.com";
const EDITORS_NEW_ADDRESS = "tom.okafor@example.com";
const EDITORS_PASSWORD = "Gum leaves in June 7";

let site: Site;
/** The owner's browser. */
let page: Page;
/** The owner's other device, and later the editor's. */
let second: Page;
let complaints: string[];

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  page = await pageIn(browser);
  complaints = complaintsOf(page.context());
  second = await pageIn(browser);
  await signInByPassword(page, site);
});
test.afterAll(() => site?.stop());

const pageIn = async (browser: Browser) => (await browser.newContext()).newPage();

async function signIn(on: Page, email: string, password: string) {
  await openHydrated(on, `${site.url}/admin/login`);
  await on.getByLabel("Email").fill(email);
  await on.getByLabel("Password", { exact: true }).fill(password);
  await on.getByRole("button", { name: "Sign in" }).click();
}

const tabsOf = (on: Page) => on.getByRole("navigation", { name: "Admin" }).getByRole("link");

let resetLink: string;

test("a forgotten password is asked for by email, on a screen that Back leaves", async () => {
  await signIn(second, OWNER, PASSWORD);
  await second.waitForURL("**/admin/articles");

  const visitor = await pageIn(page.context().browser()!);
  await openHydrated(visitor, `${site.url}/admin/login`);
  await expectNoAxeFindings(visitor);
  await visitor.getByLabel("Email").fill(OWNER);
  await visitor.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(visitor.getByRole("heading", { name: "Reset Password" })).toBeFocused();
  await expect(visitor.getByLabel("Email")).toHaveValue(OWNER);
  await visitor.goBack();
  await expect(visitor.getByRole("heading", { name: "Admin Login" })).toBeVisible();
  await visitor.goForward();
  await expect(visitor.getByRole("heading", { name: "Reset Password" })).toBeVisible();

  await visitor.getByLabel("Email").fill("nobody");
  await visitor.getByRole("button", { name: "Send reset link" }).click();
  await expect(visitor.getByLabel("Email")).toHaveAccessibleDescription(
    "Admin user not found or password reset failed. Please check your email address.",
  );
  await visitor.getByLabel("Email").fill(OWNER);
  await visitor.getByRole("button", { name: "Send reset link" }).click();
  await expect(visitor.getByRole("heading", { name: "Check Your Email" })).toBeFocused();
  await expect(visitor).toHaveTitle("Check Your Email · Admin");
  await expect(visitor.getByText("expires in 1 hour")).toBeVisible();
  await expectNoAxeFindingsInThemes(visitor);
  await visitor.getByRole("link", { name: "Back to Login" }).click();
  await expect(visitor.getByRole("heading", { name: "Admin Login" })).toBeVisible();
  await expect(visitor).toHaveTitle("Login · Admin");
  resetLink = (await site.mailTo(OWNER)).link;
  await visitor.context().close();
});

test("an email with a link to an account is shown after a proof of who the user is @full", async () => {
  await ageProof(page, site);
  await openHydrated(page, `${site.url}/admin/settings/email`);
  await page.getByRole("link", { name: "Reset your password" }).click();
  await expect(page.getByText("This email gives access to an account.")).toBeVisible();
  await expect(page.getByText("token=")).toHaveCount(0);
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "Show the email" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await dialog.getByLabel("Current password", { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("link", { name: resetLink })).toBeVisible();
});

test("the export of enquiries begins after a proof of who the user is @full", async () => {
  await ageProof(page, site);
  await openHydrated(page, `${site.url}/admin/guests`);
  await page.getByRole("link", { name: "Export CSV" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await dialog.getByLabel("Current password", { exact: true }).fill(PASSWORD);
  const download = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  expect((await download).suggestedFilename()).toMatch(/^guest-applications-/);
  expect((await site.mailTo(OWNER)).subject).toContain("Enquiries exported");
});

test("the link chooses a new password once, and every device is signed out", async () => {
  const visitor = await pageIn(page.context().browser()!);
  await openHydrated(visitor, resetLink);
  const password = visitor.getByLabel("New Password", { exact: true });
  await password.fill("verandah");
  await expect(visitor.getByText("At least 8 characters: met.")).toBeVisible();
  await expect(visitor.getByText("One number: not met.")).toBeVisible();
  await visitor.getByLabel("Confirm Password", { exact: true }).fill("verandah");
  await visitor.getByRole("button", { name: "Reset password" }).click();
  await expect(visitor.getByText("Password must contain at least one uppercase letter")).toBeVisible();
  await expect(password).toBeFocused();
  await expectNoAxeFindings(visitor);

  await password.fill(NEW_PASSWORD);
  await visitor.getByLabel("Confirm Password", { exact: true }).fill(NEW_PASSWORD);
  await visitor.getByRole("button", { name: "Show new password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await stopClock(visitor);
  await visitor.getByRole("button", { name: "Reset password" }).click();
  await expect(visitor.getByRole("heading", { name: "Password reset" })).toBeVisible();
  await visitor.clock.resume();
  await visitor.waitForURL("**/admin/login");
  expect((await site.mailTo(OWNER)).subject).toContain("was changed");

  await openHydrated(visitor, resetLink);
  await expect(visitor.getByRole("heading", { name: "Link already used" })).toBeVisible();
  await expect(visitor.getByText("Invalid or expired reset link. Please request a new one.")).toBeVisible();
  await visitor.getByRole("link", { name: "Request a new link" }).click();
  await expect(visitor.getByRole("heading", { name: "Reset Password" })).toBeVisible();
  await visitor.context().close();

  await tabsOf(second).getByText("Podcast").click();
  await expect(second.getByText("Your session has ended.")).toBeVisible();
});

test("a user is added by an invitation; errors appear beside their fields, and Escape restores the focus", async () => {
  await signIn(page, OWNER, NEW_PASSWORD);
  await page.waitForURL("**/admin/articles");
  await tabsOf(page).getByText("Users").click();
  const add = page.getByRole("link", { name: "Add User" });
  await add.click();
  const dialog = page.getByRole("dialog", { name: "Add User" });
  await expect(dialog.getByLabel("Email", { exact: true })).toBeFocused();
  await expectNoAxeFindings(page);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(add).toBeFocused();
  await expect(page).toHaveURL(/\/admin\/users$/);

  await page.keyboard.press("Enter");
  await dialog.getByLabel("Email", { exact: true }).fill(OWNER);
  await dialog.getByLabel("Full name").fill("Tom Okafor");
  await dialog.getByLabel("Role").selectOption("Editor");
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await expect(dialog.getByLabel("Email", { exact: true })).toHaveAccessibleDescription(
    "Another user has this address.",
  );
  await expect(dialog.getByLabel("Email", { exact: true })).toBeFocused();
  await expect(dialog.getByLabel("Full name")).toHaveValue("Tom Okafor");
  await dialog.getByLabel("Email", { exact: true }).fill(EDITOR);
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await expectToast(page, "User created successfully!");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("row", { name: /Tom Okafor/ })).toContainText("Invited");
  await expectNoAxeFindings(page);
});

test("Enter in a field saves, even if the invitation may be sent again", async () => {
  await page.getByRole("link", { name: "Edit Tom Okafor" }).click();
  await expect(page.getByRole("button", { name: "Send the invitation again" })).toBeVisible();
  await page.getByLabel("Full name").press("Enter");
  await expectToast(page, "User updated successfully!");
});

test("an invited editor chooses a password and sees only an editor's tabs", async () => {
  const { link } = await site.mailTo(EDITOR);
  await openHydrated(second, link);
  await expect(second.getByRole("heading", { name: "Choose your password" })).toBeVisible();
  await expect(second.getByText("Welcome, Tom Okafor")).toBeVisible();
  await second.getByLabel("New Password", { exact: true }).fill(EDITORS_PASSWORD);
  await second.getByLabel("Confirm Password", { exact: true }).fill(EDITORS_PASSWORD);
  await second.getByRole("button", { name: "Save password" }).click();
  await expect(second.getByRole("heading", { name: "Password saved" })).toBeFocused();
  await expect(second.getByRole("heading", { name: "Next time without the password?" })).toBeVisible();
  await expectNoAxeFindingsInThemes(second);
  await second.getByRole("link", { name: "Not now" }).click();
  await second.waitForURL("**/admin/articles");
  await expect(tabsOf(second)).toHaveText([
    "Speaking",
    "Articles",
    "Media",
    "Podcast",
    "Ventures",
    "Analytics",
  ]);
  await second.goto(`${site.url}/admin/users`);
  await expect(second.getByText("You don’t have access to this")).toBeVisible();
  await expect(tabsOf(second)).toHaveCount(6);
  await expectNoAxeFindings(second);
});

test("an edit of a user reports its result: saved, refused, or no connection @full", async () => {
  await openHydrated(page, `${site.url}/admin/users`);
  await page.getByRole("link", { name: "Edit Tom Okafor" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit user" });
  const name = dialog.getByLabel("Full name");
  const save = dialog.getByRole("button", { name: "Save changes" });
  await expect(name).toBeVisible();
  await expectNoAxeFindings(page);
  await name.fill("Tom A. Okafor");

  await page.context().setOffline(true);
  await save.click();
  await expect(dialog.getByRole("alert")).toHaveText("An unexpected error occurred");
  await page.context().setOffline(false);

  await page.route("**/api/admin/users/*", (route) =>
    route.fulfill({ status: 409, json: { error: { code: "conflict", message: "Changed meanwhile." } } }),
  );
  await save.click();
  await expect(dialog.getByRole("alert")).toHaveText("Operation failed: Changed meanwhile.");
  await page.unroute("**/api/admin/users/*");
  await page.route("**/api/admin/users/*", (route) => route.fulfill({ status: 500, body: "" }));
  await save.click();
  await expect(dialog.getByRole("alert")).toHaveText("Error: Something went wrong.");
  await page.unroute("**/api/admin/users/*");

  await expect(name).toHaveValue("Tom A. Okafor");
  await save.click();
  await expectToast(page, "User updated successfully!");
  await expect(page.getByRole("link", { name: "Edit Tom A. Okafor" })).toBeVisible();
});

test("a user's address changes when the link mailed to the new address is opened @full", async () => {
  await openHydrated(second, `${site.url}/admin/account`);
  const form = second.locator("form").filter({ has: second.getByLabel("New address") });
  const current = form.getByLabel("Current password", { exact: true });
  await form.getByLabel("New address").fill(EDITORS_NEW_ADDRESS);
  await current.fill("Not the password 1");
  await form.getByRole("button", { name: "Change address" }).click();
  await expect(current).toHaveAccessibleDescription("This isn’t your current password.");
  await current.fill(EDITORS_PASSWORD);
  await form.getByRole("button", { name: "Change address" }).click();
  await expect(form.getByText(`${EDITORS_NEW_ADDRESS} is waiting to be confirmed`)).toBeVisible();
  await expect(current).toHaveValue("");
  await expectNoAxeFindings(second);

  // A link that no longer works leads to another one.
  const before = await site.mailTo(EDITORS_NEW_ADDRESS);
  await openHydrated(second, `${before.link}x`);
  await second.getByRole("link", { name: "Request New Verification" }).click();
  await second.getByLabel("Email").fill(EDITORS_NEW_ADDRESS);
  await second.getByRole("button", { name: "Send new link" }).click();
  await expect(second.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
  await expect(second.getByText(`If ${EDITORS_NEW_ADDRESS} is waiting to be confirmed`)).toBeVisible();
  await expectNoAxeFindings(second);

  await openHydrated(second, (await site.mailTo(EDITORS_NEW_ADDRESS)).link);
  const confirm = second.getByRole("button", { name: "Confirm email address" });
  const error = { code: "conflict", message: "Another user has this address.", field: "email" };
  await second.route("**/api/admin/verification/confirm", (route) =>
    route.fulfill({ status: 409, json: { error: error } }),
  );
  await confirm.click();
  await expect(second.getByRole("alert")).toHaveText(error.message);
  await second.unroute("**/api/admin/verification/confirm");
  await stopClock(second);
  await confirm.click();
  await expect(second.getByRole("heading", { name: "Email verified" })).toBeFocused();
  await second.clock.resume();
  await signIn(second, EDITORS_NEW_ADDRESS, EDITORS_PASSWORD);
  await second.waitForURL("**/admin/articles");
});

test("closing a user dialog twice before the list has loaded returns to the list @full", async () => {
  await tabsOf(page).getByText("Ventures").click();
  await page.waitForURL("**/admin/ventures");
  await tabsOf(page).getByText("Users").click();
  await page.getByRole("link", { name: "Edit Tom A. Okafor" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit user" });
  await expect(dialog).toBeVisible();
  const release = await hold(page, "**/admin/users.data*");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  release();
  await page.unrouteAll({ behavior: "wait" });
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/admin\/users$/);
  // Opened again, it closes again.
  await page.goForward();
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("Back closes a dialog @full", async () => {
  await page.getByRole("link", { name: "Edit Tom A. Okafor" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page).toHaveURL(/\/admin\/users$/);
});

test("a disabled user is signed out at their next click @full", async () => {
  await openHydrated(second, `${site.url}/admin/podcast`);
  await page.getByRole("link", { name: "Edit Tom A. Okafor" }).click();
  await page.getByLabel("May sign in").uncheck();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("row", { name: /Tom A. Okafor/ })).toContainText("Disabled");
  await tabsOf(second).getByText("Ventures").click();
  await expect(second.getByText("Your session has ended.")).toBeVisible();
});

test("a user changed since the dialog was opened is not overwritten without a question @full", async () => {
  const changeElsewhere = async (change: object) => {
    const id = new URL(page.url()).searchParams.get("edit");
    const user = `${site.url}/api/admin/users/${id}`;
    return (await page.request.patch(user, { data: change, headers: { Origin: site.url } })).json();
  };
  const row = page.getByRole("row", { name: /Tom A. Okafor/ });
  const dialog = page.getByRole("dialog", { name: "Edit user" });
  const maySignIn = dialog.getByLabel("May sign in");
  const save = dialog.getByRole("button", { name: "Save changes" });
  await page.getByRole("link", { name: "Edit Tom A. Okafor" }).click();
  await maySignIn.check();
  await save.click();
  await expect(row).not.toContainText("Disabled");

  await page.getByRole("link", { name: "Edit Tom A. Okafor" }).click();
  await dialog.getByLabel("Role").selectOption("User");
  expect(await changeElsewhere({ isActive: false })).toMatchObject({ state: "disabled" });
  await save.click();
  await expect(dialog.getByRole("alert")).toHaveText(/^Operation failed: .* was changed elsewhere/);
  await expect(dialog.getByLabel("Role")).toHaveValue("user");
  await expect(maySignIn).toBeChecked();
  expect(await changeElsewhere({})).toMatchObject({ state: "disabled", role: "editor" });
  await expectNoAxeFindings(page);
  const opened = page.waitForEvent("popup");
  await dialog.getByRole("link", { name: "Open the newer version in a new tab" }).click();
  const newer = await opened;
  await expect(newer.getByRole("dialog").getByLabel("May sign in")).not.toBeChecked();
  await newer.close();
  await dialog.getByRole("button", { name: "Save this version anyway" }).click();
  await expect(dialog).toBeHidden();
  await expect(row).not.toContainText("Disabled");
  await expect(row).toContainText("User");
});

test("an admin who finds a super admin by search is shown who may change the account @full", async ({
  browser,
}) => {
  const context = await browser.newContext();
  const ctx = createContext(site.env, { actor: { kind: "job", name: "test" } });
  const email = "admin@example.com";
  const cookie = await createOwnerSession(ctx, { email, fullName: "Ada Admin" });
  await site.env.DB.prepare("update users set role = 'admin' where email = ?").bind(email).run();
  const { hostname: domain } = new URL(site.url);
  await context.addCookies([{ ...cookie, domain, path: "/", httpOnly: true, sameSite: "Lax" }]);
  const admin = await context.newPage();
  await openHydrated(admin, `${site.url}/admin/users`);
  await admin.keyboard.press("ControlOrMeta+k");
  await admin.getByRole("combobox").fill("Imogen");
  await admin.getByRole("option", { name: /Imogen Tarrant/ }).click();
  const dialog = admin.getByRole("dialog", { name: "Edit user" });
  await expect(dialog).toContainText("Only a super admin can change this user.");
  await expectNoAxeFindings(admin);
  await admin.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await context.close();
  await site.env.DB.prepare("delete from users where email = ?").bind(email).run();
});

test("a user is deleted after a confirmation @full", async () => {
  await page.getByRole("button", { name: "Delete Tom A. Okafor" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Are you sure you want to delete this user?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: "Delete Tom A. Okafor" })).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Delete user" }).click();
  await expectToast(page, "User deleted successfully!");
  await expect(page.getByRole("row", { name: /Tom A. Okafor/ })).toHaveCount(0);
  await expect(page.getByRole("row").locator(":focus")).toHaveCount(1);
  await expectNoAxeFindingsInThemes(page);
});

test("account page: a user changes the name and signs out another device @full", async () => {
  await signIn(second, OWNER, NEW_PASSWORD);
  await second.waitForURL("**/admin/articles");
  await page.getByRole("link", { name: "Welcome, Imogen Tarrant" }).click();
  await expect(page.getByLabel("Full name")).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByLabel("Full name").fill("Imogen Q. Tarrant");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByRole("link", { name: "Welcome, Imogen Q. Tarrant" })).toBeVisible();

  const devices = page.getByRole("list", { name: "Signed-in devices" });
  await expect(devices.getByRole("listitem")).toHaveCount(2);
  await devices.getByRole("button", { name: /^Sign out/ }).click();
  await expect(devices.getByRole("listitem")).toHaveCount(1);
  await expect(devices).toBeFocused();
  await tabsOf(second).getByText("Media").click();
  await expect(second.getByText("Your session has ended.")).toBeVisible();
});

test("the password is changed in Settings, whose Security lists what happened @full", async () => {
  await tabsOf(page).getByText("Settings").click();
  await page.waitForURL("**/admin/settings/general");
  await page.getByRole("link", { name: "Security" }).click();
  await page.getByLabel("Current password", { exact: true }).fill("Not the password 1");
  await page.getByLabel("New password", { exact: true }).fill(NEWEST_PASSWORD);
  await page.getByLabel("Confirm password", { exact: true }).fill(NEWEST_PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  const current = page.getByLabel("Current password", { exact: true });
  await expect(current).toHaveAccessibleDescription("This isn’t your current password.");
  await expect(current).toBeFocused();
  await current.fill(NEW_PASSWORD);
  await page.getByRole("button", { name: "Change password" }).click();
  await expectToast(page, "All other devices are signed out.");
  await expect(current).toHaveValue("");

  const events = page.getByRole("region", { name: "Recent security events" });
  await expect(events.getByRole("row", { name: `Current password refused ${OWNER}` })).toBeVisible();
  await expect(events.getByRole("row", { name: /User deleted/ })).toContainText(EDITORS_NEW_ADDRESS);
  await expectNoAxeFindingsInThemes(page);
  // The browser also logs each error, and the lost connection, to the console.
  expect(complaints.filter((complaint) => !/Failed to (load resource|fetch)/.test(complaint))).toEqual([]);
});

test("the login warns a browser without cookies and preserves the typed values @full", async ({
  browser,
}) => {
  const visitor = await pageIn(browser);
  await visitor.route("**/api/admin/session", async (route) => {
    const response = await route.fetch();
    await visitor.context().clearCookies();
    const { "set-cookie": _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  const next = "/admin/podcast?status=draft";
  await openHydrated(visitor, `${site.url}/admin/login?next=${encodeURIComponent(next)}`);
  await visitor.getByLabel("Email").fill(OWNER);
  await visitor.getByLabel("Password", { exact: true }).fill(NEWEST_PASSWORD);
  await visitor.getByRole("button", { name: "Sign in" }).click();
  await expect(visitor.getByRole("alert")).toContainText("Allow cookies for this site");
  await expect(visitor.getByLabel("Email")).toHaveValue(OWNER);
  await visitor.unroute("**/api/admin/session");
  await visitor.getByRole("button", { name: "Sign in" }).click();
  await visitor.waitForURL(`**${next}`);
  await visitor.context().close();
});
