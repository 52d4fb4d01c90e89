import { expect, type Page } from "@playwright/test";
import { createContext } from "../../../worker/platform/context.ts";
import { createOwnerSession } from "../../support/owner-session.ts";
import { stopClock } from "./clock.ts";
import { openHydrated } from "./hydrated.ts";
import type { Site } from "./site.ts";
import { watchToasts } from "./toasts.ts";

export const OWNER = "owner@example.com";
const OWNER_NAME = "Imogen Tarrant";
export const PASSWORD = "a long and quiet verandah";

const sessions = new WeakMap<Site, ReturnType<typeof createOwnerSession>>();

/** Gives the page's context a session of the owner, one for each site: without setup, mails and passwords, which take time. */
export async function signInAsOwner(page: Page, site: Site) {
  await watchToasts(page.context());
  const ctx = createContext(site.env, { actor: { kind: "job", name: "test" } });
  if (!sessions.has(site))
    sessions.set(site, createOwnerSession(ctx, { email: OWNER, fullName: OWNER_NAME }));
  const cookie = await sessions.get(site)!;
  const { hostname: domain } = new URL(site.url);
  await page.context().addCookies([{ ...cookie, domain, path: "/", httpOnly: true, sameSite: "Lax" }]);
}

/** Sets the admin area up and opens a session by the API, where a test needs the owner's password. */
export async function signInByPassword(page: Page, site: Site) {
  await watchToasts(page.context());
  await setUp(page, site);
  expect(await post(page, site, "session", { email: OWNER, password: PASSWORD })).toBeOK();
}

async function setUp(page: Page, site: Site) {
  const fields = { email: OWNER, fullName: OWNER_NAME, password: PASSWORD };
  expect(await post(page, site, "setup", fields)).toBeOK();
  const { link } = await site.mailTo(OWNER);
  const token = new URL(link).searchParams.get("token");
  expect(await post(page, site, "verification/confirm", { token, password: PASSWORD })).toBeOK();
}

/** With the cookies of the page's context, which keeps those that are set. */
const post = (page: Page, site: Site, path: string, data: object) =>
  page.request.post(`${site.url}/api/admin/${path}`, { data, headers: { Origin: site.url } });

/** Sets the admin area up and signs in, as a person does. */
export async function setUpByHand(page: Page, site: Site) {
  await watchToasts(page.context());
  await openHydrated(page, `${site.url}/admin/setup`);
  await page.getByLabel("Email").fill(OWNER);
  await page.getByLabel("Full name").fill(OWNER_NAME);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
  const mail = await site.mailTo(OWNER);
  await openHydrated(page, mail.link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await stopClock(page);
  await page.getByRole("button", { name: "Confirm e-mail address" }).click();
  await expect(page.getByRole("heading", { name: "Email verified" })).toBeVisible();
  await page.clock.resume();
  await page.waitForURL("**/admin/login");
  await page.getByLabel("Email").fill(OWNER);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/admin/articles");
}
