import assert from "node:assert/strict";
import type { Site } from "../e2e/support/site.ts";
import { a, until, type Page } from "./page.ts";

const EMAIL = "owner@example.com";
const PASSWORD = "a long and quiet verandah";

/** Sets the admin area up by the API. */
export async function setUpOwner(site: Site) {
  const post = async (path: string, body: object) => {
    const headers = { "Content-Type": "application/json", Origin: site.url };
    const url = `${site.url}/api/admin/${path}`;
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    assert.ok(answer.ok, await answer.text());
  };
  await post("setup", { email: EMAIL, fullName: "Imogen Tarrant", password: PASSWORD });
  const token = new URL((await site.mailTo(EMAIL)).link).searchParams.get("token");
  await post("verification/confirm", { token, password: PASSWORD });
}

/** Signs the owner in as a person does: each engine has a rule of its own for cookies. */
export async function signIn(page: Page) {
  await page.open("/admin/login");
  await page.click(a("field", "Email"));
  await page.type(EMAIL);
  await page.click(a("field", "Password"));
  await page.type(PASSWORD);
  await page.press("Enter");
  await until("the admin area is there", () => page.evaluate(() => location.pathname === "/admin/articles"));
}
