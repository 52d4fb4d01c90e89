import { OWNER, PASSWORD } from "../e2e/support/set-up.ts";
import { a, until, type Page } from "./page.ts";

/** Signs the owner in as a person does: each engine has a rule of its own for cookies. */
export async function signIn(page: Page) {
  await page.open("/admin/login");
  await page.click(a("field", "Email"));
  await page.type(OWNER);
  await page.click(a("field", "Password"));
  await page.type(PASSWORD);
  await page.press("Enter");
  await until("the admin area is there", () => page.evaluate(() => location.pathname === "/admin/articles"));
}
