import { expect, type Browser, type Locator, type Page } from "@playwright/test";
import { expectNoAxeFindingsInThemes } from "./support/accessible.ts";
import { addAuthenticator, recordSignals, signalsOf, type Authenticator } from "./support/authenticator.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { setUpOwner, OWNER, PASSWORD } from "./support/set-up.ts";
import { ageProof } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";

let site: Site;
let page: Page;
let authenticator: Authenticator;
let complaints: string[];

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  await setUpOwner(site);
  page = await pageIn(browser);
  complaints = complaintsOf(page.context());
  authenticator = await addAuthenticator(page);
});
test.afterAll(() => site?.stop());

async function pageIn(browser: Browser) {
  const context = await browser.newContext();
  await watchToasts(context);
  await context.addInitScript(recordSignals);
  await context.addInitScript(offerOnlyBeforePodcast);
  return context.newPage();
}

/** Runs in the page: the authenticator would answer the offer in the email field before a test has pressed the button. */
function offerOnlyBeforePodcast() {
  if (!isSecureContext || location.search.includes("podcast")) return;
  PublicKeyCredential.isConditionalMediationAvailable = async () => false;
}

const passkeys = (on: Page) => on.getByRole("region", { name: "Passkeys" });
const byPasskey = (on: Page | Locator) => on.getByRole("button", { name: "Use a passkey" });

async function signOut(on: Page) {
  await on.context().clearCookies();
  await openHydrated(on, `${site.url}/admin/login`);
  await expect(byPasskey(on)).toBeVisible();
}

async function signInByPassword(on: Page) {
  await on.getByLabel("Email").fill(OWNER);
  await on.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await on.getByRole("button", { name: "Sign in" }).click();
  await on.waitForURL("**/admin/articles");
}

/** Presses the button for a passkey, and gives the fingerprint. */
const signInByPasskey = (on: Page, by = authenticator) =>
  by.approve(async () => {
    await byPasskey(on).click();
    await on.waitForURL("**/admin/articles");
  });

const identityDialog = (on: Page) => on.getByRole("dialog", { name: "Confirm that it’s you" });

test("a passkey is added by keyboard, soon after the sign-in", async () => {
  await openHydrated(page, `${site.url}/admin/login`);
  await signInByPassword(page);
  await openHydrated(page, `${site.url}/admin/account`);
  const section = passkeys(page);
  await expect(section.getByText("You have no passkey yet.")).toBeVisible();
  await expectNoAxeFindings(page);
  await section.getByLabel("Name", { exact: true }).fill("The laptop");
  await authenticator.approve(async () => {
    await page.keyboard.press("Enter");
    await expectToast(page, "The laptop was added. You can sign in with it now.");
  });
  await expect(section.getByRole("listitem")).toContainText("The laptop");
  await expect(section.getByRole("listitem")).toContainText("Not used yet");
  await expect(section.getByLabel("Name", { exact: true })).toHaveValue("");
  expect((await site.mailTo(OWNER)).subject).toMatch(/^A passkey was added/);
  const [credential, ...others] = await authenticator.readCredentials();
  expect(others).toEqual([]);
  expect(credential).toMatchObject({ isResidentCredential: true, rpId: "localhost" });
  await expectNoAxeFindingsInThemes(page);
});

test("the same device is not added twice @full", async () => {
  const section = passkeys(page);
  await authenticator.approve(async () => {
    await section.getByRole("button", { name: "Add a passkey" }).click();
    await expect(section.getByRole("alert")).toHaveText("This passkey was already added.");
  });
  await expect(section.getByRole("listitem")).toHaveCount(1);
});

test("a passkey is renamed, and its name is required", async () => {
  const rename = page.getByRole("link", { name: "Rename The laptop" });
  const dialog = page.getByRole("dialog", { name: "Rename passkey" });
  await rename.press("Enter");
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveValue("The laptop");
  await page.goBack();
  await expect(dialog).toBeHidden();
  await rename.press("Enter");
  await expect(dialog).toBeVisible();
  await expectNoAxeFindings(page);
  await dialog.getByLabel("Name", { exact: true }).fill(" ");
  await dialog.getByRole("button", { name: "Save name" }).click();
  await expect(dialog.getByLabel("Name", { exact: true })).toHaveAccessibleDescription("Name is required");
  await dialog.getByLabel("Name", { exact: true }).fill("Fingerprint");
  await page.keyboard.press("Enter");
  await expectToast(page, "Name saved.");
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("link", { name: "Rename Fingerprint" })).toBeFocused();
});

test("the button signs in, and the account shows the last use", async () => {
  await signOut(page);
  await expectNoAxeFindingsInThemes(page);
  await page.getByLabel("Email").fill("typed@example.com");
  await signInByPasskey(page);
  await openHydrated(page, `${site.url}/admin/account`);
  await expect(passkeys(page).getByRole("listitem")).toContainText("Last used");
  const [row] = (
    await site.env.DB.prepare("select kind, detail from security_events order by id desc limit 1").all()
  ).results;
  expect(row).toEqual({ kind: "login", detail: "passkey: Fingerprint" });
});

test("the email field offers the passkey, and returns to the page that was asked for @full", async () => {
  await page.context().clearCookies();
  await openHydrated(page, `${site.url}/admin/login?next=%2Fadmin%2Fpodcast`);
  await expect(page.getByLabel("Email")).toHaveAttribute("autocomplete", "username webauthn");
  await authenticator.approve(async () => {
    await page.reload();
    await page.evaluate(() => dispatchEvent(new Event("focusin")));
    await page.waitForURL("**/admin/podcast");
  });
});

test("two tabs that show the login both sign in @full", async () => {
  const second = await page.context().newPage();
  const copy = await addAuthenticator(second);
  await copy.copyFrom(authenticator);
  await signOut(page);
  await openHydrated(second, `${site.url}/admin/login`);
  await expect(byPasskey(second)).toBeVisible();
  await signInByPasskey(page);
  await copy.setCounter(50);
  await signInByPasskey(second, copy);
  await second.close();
});

test("a key whose counter went back is refused and logged, and the password signs in @full", async () => {
  await authenticator.setCounter(2);
  await signOut(page);
  const refusal = page.getByRole("alert");
  await authenticator.approve(async () => {
    await byPasskey(page).click();
    await expect(refusal).toHaveText(
      "This passkey can’t sign in. Sign in with your password, or use another passkey.",
    );
  });
  await expectNoAxeFindings(page);
  await signInByPassword(page);
  await openHydrated(page, `${site.url}/admin/settings/security`);
  const events = page.getByRole("region", { name: "Recent security events" });
  await expect(events.getByRole("row", { name: /Passkey refused: it may have been copied/ })).toBeVisible();
  await authenticator.setCounter(100);
});

test("a user who is not verified is refused by the device, and may try again @full", async () => {
  await signOut(page);
  await authenticator.setVerified(false);
  await authenticator.approve(async () => {
    await byPasskey(page).click();
    await expect(page.getByRole("alert")).toHaveText(
      "No passkey was used. Try again, or sign in with your password.",
    );
  });
  await authenticator.setVerified(true);
  await signInByPasskey(page);
});

test("a cancelled addition changes nothing @full", async () => {
  await openHydrated(page, `${site.url}/admin/account`);
  const section = passkeys(page);
  const add = section.getByRole("button", { name: "Add a passkey" });
  await section.getByLabel("Name", { exact: true }).fill("Another");
  await page.evaluate(() => {
    const cancelled = new DOMException("The operation was cancelled.", "NotAllowedError");
    navigator.credentials.create = () => Promise.reject(cancelled);
  });
  await add.click();
  await expect(section.getByRole("alert")).toHaveText(
    "No passkey was added: it was cancelled, or took too long.",
  );
  await expect(section.getByLabel("Name", { exact: true })).toHaveValue("Another");
  await expect(section.getByRole("listitem")).toHaveCount(1);
});

test("a while after the sign-in, an addition asks who the user is, and continues after the answer @full", async () => {
  await openHydrated(page, `${site.url}/admin/account`);
  await ageProof(page, site);
  const section = passkeys(page);
  const add = section.getByRole("button", { name: "Add a passkey" });
  await section.getByLabel("Name", { exact: true }).fill("Another");
  await add.click();
  await expectNoAxeFindings(page);
  await page.keyboard.press("Escape");
  await expect(section.getByRole("alert")).toHaveText("Confirm that it’s you, then try again.");
  await expect(section.getByLabel("Name", { exact: true })).toHaveValue("Another");
  await add.click();
  await identityDialog(page).getByRole("button", { name: "Cancel" }).click();
  await expect(identityDialog(page)).toBeHidden();
  await add.click();
  const password = identityDialog(page).getByLabel("Current password", { exact: true });
  await expect(password).toBeFocused();
  await password.fill("Not the password 1");
  await page.keyboard.press("Enter");
  await expect(password).toHaveAccessibleDescription("This isn’t your current password.");
  await expectNoAxeFindingsInThemes(page);
  await authenticator.approve(async () => {
    await byPasskey(identityDialog(page)).click();
    await expect(section.getByRole("alert")).toHaveText("This passkey was already added.");
  });
  await section.getByLabel("Name", { exact: true }).fill("");
});

test("a while after the sign-in, a download asks who the user is, and then begins", async () => {
  await openHydrated(page, `${site.url}/admin/settings/export`);
  await ageProof(page, site);
  const link = page.getByRole("link", { name: "Download export" });
  await link.click();
  await identityDialog(page).getByRole("button", { name: "Close" }).click();
  await expectToast(page, "Confirm that it’s you, then try again.");
  await link.click();
  await identityDialog(page).getByLabel("Current password", { exact: true }).fill(PASSWORD);
  const downloading = page.waitForEvent("download");
  await identityDialog(page).getByRole("button", { name: "Confirm" }).click();
  expect((await downloading).suggestedFilename()).toMatch(/\.zip$/);
  expect((await site.mailTo(OWNER)).subject).toBe("The site’s contents exported from your account");
  await openHydrated(page, `${site.url}/admin/account`);
});

test("a passkey is removed after a question, and the browser is asked to forget it", async () => {
  const { userHandle } = (await authenticator.readCredentials())[0]!;
  await page.getByRole("button", { name: "Remove Fingerprint" }).click();
  const question = page.getByRole("alertdialog", { name: "Remove this passkey?" });
  await expectNoAxeFindings(page);
  await question.getByRole("button", { name: "Keep it" }).click();
  await expect(page.getByRole("button", { name: "Remove Fingerprint" })).toBeFocused();
  await page.keyboard.press("Enter");
  await question.getByRole("button", { name: "Remove passkey" }).click();
  await expectToast(page, "Fingerprint was removed.");
  await expect(passkeys(page).locator(":focus")).toHaveText("You have no passkey yet.");
  expect((await site.mailTo(OWNER)).subject).toMatch(/^A passkey was removed/);
  await expect
    .poll(async () => (await signalsOf(page)).at(-1))
    .toEqual([
      "signalAllAcceptedCredentials",
      {
        rpId: "localhost",
        userId: userHandle!.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
        allAcceptedCredentialIds: [],
      },
    ]);

  await signOut(page);
  await authenticator.approve(async () => {
    await byPasskey(page).click();
    await expect(page.getByRole("alert")).toHaveText(/^This passkey doesn’t open an account here/);
  });
  expect((await signalsOf(page)).at(-1)).toMatchObject(["signalUnknownCredential", { rpId: "localhost" }]);
  // The browser also logs each refusal.
  expect(complaints.filter((complaint) => !/Failed to load resource/.test(complaint))).toEqual([]);
});

test("without passkeys in the browser, the login has the password only @full", async ({ browser }) => {
  const context = await browser.newContext();
  await context.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
  const other = await context.newPage();
  await openHydrated(other, `${site.url}/admin/login`);
  await expect(byPasskey(other)).toHaveCount(0);
  await signInByPassword(other);
  await openHydrated(other, `${site.url}/admin/account`);
  await expect(passkeys(other)).toContainText("This browser has no passkeys.");
  await context.close();
});

test("without scripts, the login has no button for passkeys @full", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const other = await context.newPage();
  await other.goto(`${site.url}/admin/login`);
  await expect(other.getByLabel("Password", { exact: true })).toBeVisible();
  await expect(byPasskey(other)).toHaveCount(0);
  await context.close();
});

test("at another address than the site’s own, the login says so @full", async ({ browser }) => {
  const moved = await startSite({ vars: { SITE_URL: "https://imogen.example" } });
  const other = await pageIn(browser);
  await addAuthenticator(other);
  await openHydrated(other, `${moved.url}/admin/login`);
  await byPasskey(other).click();
  await expect(other.getByRole("alert")).toHaveText(
    "Passkeys work only at the address that is set as this site’s own. Open the site there.",
  );
  await other.context().close();
  await moved.stop();
});

test("the set-up offers a passkey, which the next sign-in uses @full", async ({ browser }) => {
  const fresh = await startSite();
  const owner = await pageIn(browser);
  const key = await addAuthenticator(owner);
  await openHydrated(owner, `${fresh.url}/admin/setup`);
  await owner.getByLabel("Full name").fill("Imogen Tarrant");
  await owner.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await owner.getByLabel("Confirm password").fill(PASSWORD);
  await owner.getByRole("button", { name: "Create account" }).click();
  await openHydrated(owner, (await fresh.mailTo(OWNER)).link);
  await owner.getByRole("button", { name: "Confirm email address" }).click();
  await expect(owner.getByRole("heading", { name: "Email verified" })).toBeFocused();
  const add = owner.getByRole("button", { name: "Add a passkey" });
  await expectNoAxeFindingsInThemes(owner);
  await key.setVerified(false);
  await key.approve(async () => {
    await add.click();
    await expect(owner.getByRole("alert")).toHaveText(/^No passkey was added/);
  });
  await key.setVerified(true);
  await ageProof(owner, fresh);
  await add.click();
  await expect(owner.getByRole("alert")).toHaveText("It’s been a while. Add one under Your account.");
  await expect(owner.getByRole("link", { name: "Your account" })).toHaveAttribute("href", "/admin/account");
  await ageProof(owner, fresh, 0);
  await key.approve(async () => {
    await add.click();
    await owner.waitForURL("**/admin/articles");
  });
  await owner.context().clearCookies();
  await openHydrated(owner, `${fresh.url}/admin/login`);
  await signInByPasskey(owner, key);
  await owner.context().close();
  await fresh.stop();
});

test("a device that cannot store a passkey is reported @full", async ({ browser }) => {
  const other = await pageIn(browser);
  const simple = await addAuthenticator(other, { isResident: false });
  await openHydrated(other, `${site.url}/admin/login`);
  await signInByPassword(other);
  await openHydrated(other, `${site.url}/admin/account`);
  const section = passkeys(other);
  await simple.approve(async () => {
    await section.getByRole("button", { name: "Add a passkey" }).click();
    await expect(section.getByRole("alert")).toHaveText(/^(No passkey was added|This device)/);
  });
  await expect(section.getByRole("listitem")).toHaveCount(0);
  await other.context().close();
});
