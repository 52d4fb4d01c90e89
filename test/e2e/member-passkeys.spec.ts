import { expect, type Browser, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { addAuthenticator, recordSignals, signalsOf, type Authenticator } from "./support/authenticator.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInByPassword } from "./support/owner.ts";
import { OWNER, PASSWORD } from "./support/set-up.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";
import { looks } from "./support/windows.ts";

const ADA = "ada@passkeys.example.com";

let site: Site;
let page: Page;
let authenticator: Authenticator;
let complaints: string[];

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite({
    sql: `insert into tiers (id, name, description, price, sort_order, created_at, updated_at)
        values (1, 'Patron', '', '', 1, 1, 1);
      insert into members (email, tier_id, source, since, stamp, created_at, updated_at)
        values ('${ADA}', 1, 'by-hand', 1750000000000, 's', 1, 1)`,
  });
  page = await pageIn(browser);
  complaints = complaintsOf(page.context());
  authenticator = await addAuthenticator(page);
});
test.afterAll(() => site?.stop());

async function pageIn(browser: Browser) {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  await context.addInitScript(recordSignals);
  await context.addInitScript(offerOnlyIfAsked);
  return context.newPage();
}

/** Runs in the page: the authenticator would answer the offer in the email field before a test has pressed the button. */
function offerOnlyIfAsked() {
  if (!isSecureContext || location.search.includes("offer")) return;
  PublicKeyCredential.isConditionalMediationAvailable = async () => false;
}

const sql = (statement: string) => site.env.DB.prepare(statement).run();
const section = (on = page) => on.getByRole("region", { name: "Passkeys" });
const button = (name: string, on = page) => on.getByRole("button", { name, exact: true });
const membership = (on = page) => on.getByRole("heading", { name: "Membership", exact: true });
const open = (on = page) => openHydrated(on, `${site.url}/account`);

async function signInByLink(on = page) {
  await open(on);
  await on.getByRole("textbox", { name: "Email", exact: true }).fill(ADA);
  await button("Email me a link", on).click();
  await openHydrated(on, (await site.mailTo(ADA)).link);
  await button("Sign in", on).click();
  await expect(membership(on)).toBeVisible();
}

async function signOut() {
  await open();
  await button("Sign out here").click();
  await expect(page.getByText("You are signed out.", { exact: true })).toBeFocused();
}

/** Presses the button for a passkey, and gives the fingerprint. */
const signInByPasskey = () =>
  authenticator.approve(async () => {
    await button("Use a passkey").click();
    await expect(membership()).toBeVisible();
  });

/** As if the member had signed in a quarter of an hour ago. */
const ageSignIn = () => sql(`update member_sessions set created_at = created_at - 900000`);

test("the owner opens members’ accounts", async ({ browser }) => {
  const owner = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInByPassword(owner, site);
  await openHydrated(owner, `${site.url}/admin/settings/features`);
  await owner.getByLabel("Members’ accounts").check();
  await owner.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(owner, "saved");
  await expect.poll(async () => (await owner.request.get(`${site.url}/account`)).status()).toBe(200);
  await owner.context().close();
});

test("a passkey is added by keyboard, soon after the sign-in", async () => {
  await signInByLink();
  await expect(section().getByText("You have no passkey yet.")).toBeVisible();
  await expectNoAxeFindings(page);
  await section().getByLabel("Name of the new passkey").fill("The laptop");
  await authenticator.approve(async () => {
    await page.keyboard.press("Enter");
    await expect(section().getByRole("status")).toHaveText(
      "The passkey was added. You can sign in with it now.",
    );
  });
  await expect(section().getByRole("listitem")).toContainText("The laptop");
  await expect(section().getByRole("listitem")).toContainText("Not used yet");
  await expect(section().getByLabel("Name of the new passkey")).toHaveValue("");
  expect((await site.mailTo(ADA)).subject).toMatch(/^A passkey was added to your account/);
  const [credential, ...others] = await authenticator.readCredentials();
  expect(others).toEqual([]);
  expect(credential).toMatchObject({ isResidentCredential: true, rpId: "localhost" });
  expect(complaints).toEqual([]);
});

test("the same device is not added twice @full", async () => {
  await authenticator.approve(async () => {
    await button("Add a passkey").click();
    await expect(section().getByRole("alert")).toHaveText("This passkey was already added.");
  });
  await expect(section().getByRole("listitem")).toHaveCount(1);
  await expectNoAxeFindings(page);
});

test("a cancelled addition changes nothing, and the typed name stays @full", async () => {
  await open();
  await section().getByLabel("Name of the new passkey").fill("Another");
  await page.evaluate(() => {
    const cancelled = new DOMException("The operation was cancelled.", "NotAllowedError");
    navigator.credentials.create = () => Promise.reject(cancelled);
  });
  await button("Add a passkey").click();
  await expect(section().getByRole("alert")).toHaveText(
    "No passkey was added: it was cancelled, or took too long.",
  );
  await expect(section().getByLabel("Name of the new passkey")).toHaveValue("Another");
  await expect(section().getByRole("listitem")).toHaveCount(1);
});

test("a passkey is renamed, and its name is required", async () => {
  await open();
  await button("Rename The laptop").press("Enter");
  const name = section().getByLabel("Name", { exact: true });
  await expect(name).toBeFocused();
  await expect(name).toHaveValue("The laptop");
  await button("Cancel").press("Enter");
  await expect(button("Rename The laptop")).toBeFocused();
  await page.keyboard.press("Enter");
  await name.fill(" ");
  await button("Save name").click();
  await expect(name).toHaveAccessibleDescription("Name is required");
  await expectNoAxeFindings(page);
  await name.fill("Fingerprint");
  await page.keyboard.press("Enter");
  await expect(section().getByRole("status")).toHaveText("The name was saved.");
  await expect(section().getByRole("status")).toBeFocused();
  await expect(section().getByRole("listitem")).toContainText("Fingerprint");
});

test("the button signs in, and the account shows the last use", async () => {
  await signOut();
  await expect(page.getByLabel("Email", { exact: true })).toHaveAttribute("autocomplete", "email webauthn");
  await expectNoAxeFindings(page);
  await signInByPasskey();
  await expect(section().getByRole("listitem")).toContainText("Last used");
});

test("the email field offers the passkey", async () => {
  await signOut();
  await authenticator.approve(async () => {
    await page.goto(`${site.url}/account?offer`);
    await page.evaluate(() => dispatchEvent(new Event("focusin")));
    await expect(membership()).toBeVisible();
  });
});

test("a key whose counter went back, and a member who is not verified, are refused @full", async () => {
  await authenticator.setCounter(1);
  await signOut();
  await authenticator.approve(async () => {
    await button("Use a passkey").click();
    await expect(page.getByRole("alert")).toHaveText(
      "This passkey can’t sign in. Ask for a link by email, or use another passkey.",
    );
  });
  await expectNoAxeFindings(page);
  await authenticator.setCounter(100);
  await authenticator.setVerified(false);
  await authenticator.approve(async () => {
    await button("Use a passkey").click();
    await expect(page.getByRole("alert")).toHaveText(
      "No passkey was used. Try again, or ask for a link by email.",
    );
  });
  await authenticator.setVerified(true);
  await signInByPasskey();
});

test("a connection that is lost is reported @full", async () => {
  await signOut();
  await page.route("**/api/member/session/passkey", (route) => route.abort());
  await button("Use a passkey").click();
  await expect(page.getByRole("alert")).toHaveText("That didn’t work. Please try again.");
  await page.unroute("**/api/member/session/passkey");
  await signInByPasskey();
});

test("a while after the sign-in, the section asks for a new one, by a link or a passkey @full", async () => {
  await ageSignIn();
  // The page does not know it yet.
  await button("Remove Fingerprint").press("Enter");
  await button("Remove passkey").press("Enter");
  const asks = section().getByText("To add or remove a passkey, sign in again");
  await expect(asks).toBeFocused();
  await expect(button("Remove Fingerprint")).toHaveCount(0);
  await expect(button("Add a passkey")).toHaveCount(0);
  await expectAccessible(page);
  await button("Email me a link").press("Enter");
  await expect(
    section().getByText("A link is on its way to you. Open it on this device to sign in again."),
  ).toBeVisible();
  expect((await site.mailTo(ADA)).subject).toMatch(/^Sign in to /);
  await authenticator.setVerified(false);
  await authenticator.approve(async () => {
    await button("Use a passkey").click();
    await expect(section().getByRole("alert")).toHaveText(
      "No passkey was used. Try again, or ask for a link by email.",
    );
  });
  await authenticator.setVerified(true);
  await authenticator.approve(async () => {
    await button("Use a passkey").click();
    await expect(section().getByText("You’re signed in again. You can continue.")).toBeFocused();
  });
  await expect(button("Remove Fingerprint")).toBeVisible();
});

for (const { viewport, colorScheme } of looks)
  test(`the passkeys fit ${viewport.width} px in ${colorScheme} colours @full`, async () => {
    const long = "Donaudampfschifffahrtsgesellschaft".repeat(2).slice(0, 60);
    await sql(`update member_passkeys set name = '${long}'`);
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    await open();
    const fits = async () => {
      await expectNoAxeFindings(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    };
    await expect(section().getByRole("listitem")).toContainText(long);
    await fits();
    await button(`Rename ${long}`).click();
    await fits();
    await button("Cancel").click();
    await button(`Remove ${long}`).click();
    await fits();
    await sql("update member_passkeys set name = 'Fingerprint'");
    await open();
  });

test("a passkey of the admin area does not open the account, nor the other way round", async ({
  browser,
}) => {
  const owner = await pageIn(browser);
  const other = await addAuthenticator(owner);
  await watchToasts(owner.context());
  const data = { email: OWNER, password: PASSWORD };
  expect(
    await owner.request.post(`${site.url}/api/admin/session`, { data, headers: { Origin: site.url } }),
  ).toBeOK();
  await openHydrated(owner, `${site.url}/admin/account`);
  await other.approve(async () => {
    await section(owner).getByRole("button", { name: "Add a passkey" }).click();
    await expectToast(owner, "was added. You can sign in with it now.");
  });
  expect((await site.mailTo(OWNER)).subject).toMatch(/^A passkey was added/);
  await open(owner);
  await other.approve(async () => {
    await button("Use a passkey", owner).click();
    await expect(owner.getByRole("alert")).toHaveText(
      /^This passkey opens the admin area, not an account here/,
    );
  });
  await page.goto(`${site.url}/admin/login`);
  await authenticator.approve(async () => {
    await button("Use a passkey").click();
    await expect(page.getByRole("alert")).toHaveText(
      /^This passkey opens a member’s account, not the admin area/,
    );
  });
  for (const each of [owner, page]) expect(await signalsOf(each)).toEqual([]);
  await owner.context().close();
});

test("a passkey is removed after a question, and the browser is asked to forget it", async () => {
  const { userHandle } = (await authenticator.readCredentials())[0]!;
  await open();
  await button("Remove Fingerprint").press("Enter");
  await expect(button("Remove passkey")).toBeFocused();
  await expect(section().getByText("Devices that are signed in stay signed in.")).toBeVisible();
  await button("Keep it").press("Enter");
  await expect(button("Remove Fingerprint")).toBeFocused();
  await page.keyboard.press("Enter");
  await button("Remove passkey").press("Enter");
  await expect(section().getByText("The passkey was removed.")).toBeFocused();
  await expect(section().getByText("You have no passkey yet.")).toBeVisible();
  expect((await site.mailTo(ADA)).subject).toMatch(/^A passkey was removed from your account/);
  await expect
    .poll(() => signalsOf(page))
    .toEqual([
      [
        "signalAllAcceptedCredentials",
        {
          rpId: "localhost",
          userId: userHandle!.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
          allAcceptedCredentialIds: [],
        },
      ],
    ]);
  await signOut();
  await authenticator.approve(async () => {
    await button("Use a passkey").click();
    await expect(page.getByRole("alert")).toHaveText(/^This passkey doesn’t open an account here/);
  });
  expect((await signalsOf(page)).at(-1)).toMatchObject(["signalUnknownCredential", { rpId: "localhost" }]);
  // The browser also logs each refusal, and the lost connection.
  expect(complaints.filter((complaint) => !/Failed to (load resource|fetch)/.test(complaint))).toEqual([]);
});

test("without passkeys in the browser, there is the link only @full", async ({ browser }) => {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  await context.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
  const other = await context.newPage();
  await open(other);
  await expect(button("Email me a link", other)).toBeVisible();
  await expect(button("Use a passkey", other)).toHaveCount(0);
  await signInByLink(other);
  await expect(section(other)).toContainText(
    "This browser has no passkeys. Open this page in another one to add one.",
  );
  await expect(button("Add a passkey", other)).toHaveCount(0);
  await context.close();
});

test("the code of passkeys loads on the account's page only @full", async ({ browser }) => {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  const other = await context.newPage();
  const scripts: string[] = [];
  other.on("response", async (answer) => {
    if (answer.url().endsWith(".js") && (await answer.text()).includes("allAcceptedCredentialIds"))
      scripts.push(answer.url());
  });
  await openHydrated(other, site.url);
  await other.getByRole("contentinfo").getByRole("link", { name: "Account", exact: true }).hover();
  await other.waitForLoadState("networkidle");
  expect(scripts).toEqual([]);
  await open(other);
  await expect(button("Use a passkey", other)).toBeVisible();
  await expect.poll(() => scripts.length).toBe(1);
  await context.close();
});
