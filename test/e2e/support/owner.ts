import { expect, type Page } from "@playwright/test";
import { openHydrated } from "./hydrated.ts";
import type { Site } from "./site.ts";

export const OWNER = "owner@example.com";
export const PASSWORD = "a long and quiet verandah";

/** Signs the owner in; the first time sets the admin area up through the form and the mail. */
export async function signInAsOwner(page: Page, site: Site) {
  await page.goto(`${site.url}/admin/setup`);
  // A site that is set up leads on to the login.
  if (page.url().endsWith("/setup")) await setUp(page, site);
  await openHydrated(page, `${site.url}/admin/login`);
  await page.getByLabel("Email").fill(OWNER);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/admin/articles");
}

/** From the form to the confirmed address. */
export async function setUp(page: Page, site: Site) {
  await openHydrated(page, `${site.url}/admin/setup`);
  await page.getByLabel("Email").fill(OWNER);
  await page.getByLabel("Full name").fill("Imogen Tarrant");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
  const mail = await site.mailTo(OWNER);
  await openHydrated(page, mail.link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Confirm e-mail address" }).click();
  await expect(page.getByRole("heading", { name: "Email verified" })).toBeVisible();
  await page.waitForURL("**/admin/login");
}
