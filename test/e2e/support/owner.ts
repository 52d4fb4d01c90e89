import { expect, type Page } from "@playwright/test";
import { newSessionId, signSessionToken } from "../../../worker/accounts/session-token.ts";
import { readSessionOf } from "../../../worker/accounts/sessions.ts";
import { createContext } from "../../../worker/platform/context.ts";
import { createOwnerSession } from "../../support/owner-session.ts";
import { openHydrated } from "./hydrated.ts";
import { OWNER, OWNER_NAME, PASSWORD, setUpOwner } from "./set-up.ts";
import type { Site } from "./site.ts";
import { watchToasts } from "./toasts.ts";

const sessions = new WeakMap<Site, ReturnType<typeof createOwnerSession>>();

/** Gives the page's context a session of the owner, one for each site: without setup, emails and passwords, which take time. */
export async function signInAsOwner(page: Page, site: Site) {
  await watchToasts(page.context());
  const ctx = createContext(site.env, { actor: { kind: "job", name: "test" } });
  if (!sessions.has(site))
    sessions.set(site, createOwnerSession(ctx, { email: OWNER, fullName: OWNER_NAME }));
  const cookie = await sessions.get(site)!;
  const { hostname: domain } = new URL(site.url);
  await page.context().addCookies([{ ...cookie, domain, path: "/", httpOnly: true, sameSite: "Lax" }]);
}

/** Sets the admin area up and opens a session by the API, for tests that need the owner's password. */
export async function signInByPassword(page: Page, site: Site) {
  await watchToasts(page.context());
  await setUpOwner(site);
  // With the cookies of the page's context, which keeps the one that is set.
  const answer = await page.request.post(`${site.url}/api/admin/session`, {
    data: { email: OWNER, password: PASSWORD },
    headers: { Origin: site.url },
  });
  expect(answer).toBeOK();
}

/** As if the user of the page's browser had proved who they are a quarter of an hour ago; or, with 0, now. */
export async function ageProof(page: Page, site: Site, ago = 15 * 60_000) {
  const cookie = (await page.context().cookies()).find(({ name }) => name.endsWith("session"))!;
  const ctx = createContext(site.env, { actor: { kind: "job", name: "test" } });
  const { session } = await readSessionOf(ctx, cookie.value);
  // Of a new session: an earlier proof has ended the tokens of this one that are older.
  const aged = { ...session!, id: newSessionId(), authenticatedAt: new Date(Date.now() - ago) };
  const value = await signSessionToken(ctx, aged);
  await page.context().addCookies([{ ...cookie, value }]);
}

/** The link of the set-up, in a browser that did not send the form. */
async function expectToAskForPassword(page: Page, link: string) {
  const context = await page.context().browser()!.newContext();
  const other = await context.newPage();
  await openHydrated(other, link);
  await other.getByRole("button", { name: "Confirm email address" }).click();
  await expect(other.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(
    /Password is required/,
  );
  await context.close();
}

/** Sets the admin area up with the second link, as if the first email had not arrived, which signs in, as a person does. */
export async function setUpByHand(page: Page, site: Site) {
  await watchToasts(page.context());
  await openHydrated(page, `${site.url}/admin/setup`);
  await page.getByLabel("Email").fill(OWNER);
  await page.getByLabel("Full name").fill(OWNER_NAME);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByRole("heading", { name: "Check Your Email" })).toBeVisible();
  await site.mailTo(OWNER);
  await page.getByRole("button", { name: "Resend Verification Email" }).click();
  await expect(page.getByText(`A new link was sent to ${OWNER}.`)).toBeVisible();
  const mail = await site.mailTo(OWNER);
  await expectToAskForPassword(page, mail.link);
  await openHydrated(page, mail.link);
  await expect(page.getByLabel("Password", { exact: true })).toHaveCount(0);
  await page.getByRole("button", { name: "Confirm email address" }).click();
  await expect(page.getByRole("heading", { name: "Email verified" })).toBeVisible();
  await page.getByRole("link", { name: "Not now" }).click();
  await page.waitForURL("**/admin/articles");
}
