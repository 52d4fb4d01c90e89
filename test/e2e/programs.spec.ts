import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./support/accessible.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { ageProof, signInByPassword } from "./support/owner.ts";
import { PASSWORD } from "./support/set-up.ts";
import { startSite, type Site } from "./support/site.ts";
import { smallTargets } from "./support/targets.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

let site: Site;
let page: Page;
let complaints: string[];
let secret = "";

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  const context = await browser.newContext({
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  page = await context.newPage();
  complaints = complaintsOf(context);
  await signInByPassword(page, site);
  await openHydrated(page, `${site.url}/admin/settings/programs`);
});
test.afterAll(() => site?.stop());

const part = (name: string) => page.getByRole("region", { name });
const made = () => part("Copy the token now");
const ask = (method: string, path: string, body?: object) =>
  fetch(`${site.url}/api/admin${path}`, {
    method,
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });

test("a token needs a name and something that it may do", async () => {
  await expect(part("Tokens").getByText("No program has a token yet.")).toBeVisible();
  await page.getByRole("button", { name: "Make token" }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveAccessibleDescription(/Name is required/);
  await expect(page.getByRole("group", { name: "What it may do" })).toHaveAccessibleDescription(
    "Choose what the program may do.",
  );
  await expectAccessible(page);
});

test("a token is made by keyboard, copied, and shown once", async () => {
  await page.getByLabel("Name", { exact: true }).fill("The mill");
  await page.getByLabel("Read and write articles").press("Space");
  await page.getByLabel("Expires").selectOption("In 30 days");
  await page.getByLabel("Name", { exact: true }).press("Enter");
  await expect(made().getByRole("heading")).toBeFocused();
  await expect(made()).toContainText("The mill is ready. Its token is shown this once.");
  await made().getByRole("button", { name: "Copy Token" }).click();
  await expectToast(page, "Copied");
  secret = await page.evaluate(() => navigator.clipboard.readText());
  expect(secret).toMatch(/^rostrum_[\w-]{43}$/);
  await expect(made().getByLabel("Token", { exact: true })).toHaveValue(secret);
  await expectAccessible(page);
  expect(await smallTargets(page)).toEqual([]);

  await openHydrated(page, page.url());
  await expect(made()).toBeHidden();
  await expect(part("Tokens").getByRole("listitem")).toContainText("Read and write articles");
  await expect(part("Tokens").getByRole("listitem")).toContainText("Not used yet");
});

test("a program works with the token, within what it may do", async () => {
  expect((await ask("POST", "/articles", { title: "By a program" })).status).toBe(201);
  expect((await ask("POST", "/articles", { title: "Loud", status: "published" })).status).toBe(403);
  await openHydrated(page, page.url());
  await expect(part("Tokens").getByRole("listitem")).toContainText("Last used");
  await openHydrated(page, `${site.url}/admin/settings/security`);
  await expect(page.getByRole("row", { name: /Changed by a token/ })).toContainText(
    "by the token “The mill”",
  );
});

test("a token is revoked after a proof of who the user is, and then refused", async () => {
  await ageProof(page, site);
  await openHydrated(page, `${site.url}/admin/settings/programs`);
  await page.getByRole("button", { name: "Revoke The mill" }).click();
  await page.getByRole("button", { name: "Revoke token" }).click();
  const dialog = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await dialog.getByLabel("Current password", { exact: true }).fill(PASSWORD);
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expectToast(page, "The mill was revoked.");
  await expect(part("Tokens").getByText("No program has a token yet.")).toBeVisible();
  const refused = await ask("GET", "/articles");
  expect(refused.status).toBe(401);
  expect(refused.headers.get("WWW-Authenticate")).toBe('Bearer error="invalid_token"');
  // The browser reports each refused request.
  expect(complaints.filter((complaint) => !complaint.includes("Failed to load resource"))).toEqual([]);
});
