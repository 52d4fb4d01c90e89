import { expect } from "@playwright/test";
import { startHttpServer } from "../support/http-server.ts";
import { expectAccessible } from "./support/accessible.ts";
import { openHydrated } from "./support/hydrated.ts";
import { OWNER, PASSWORD, setUpOwner } from "./support/set-up.ts";
import { startSite } from "./support/site.ts";
import { test } from "./support/test.ts";

/** Replaces Turnstile's script: a box that issues a token when it is rendered. */
const SCRIPT = `window.turnstile = {
  render(container, options) {
    const field = Object.assign(document.createElement("input"), { type: "hidden", value: "a token" });
    field.name = options["response-field-name"];
    container.replaceChildren(field, "Success!");
    setTimeout(options.callback);
    return "widget";
  },
  reset() {},
  remove() {},
};`;

test("after three failures the login asks for a robot check, and then signs in @full", async ({
  browser,
}) => {
  let asked = 0;
  const verifier = await startHttpServer((_request, response) => {
    asked++;
    response.writeHead(200, { "Content-Type": "application/json" }).end('{"success":true}');
  });
  const site = await startSite({
    vars: {
      TURNSTILE_SITE_KEY: "1x00000000000000000000AA",
      TURNSTILE_SECRET_KEY: "0x",
      TURNSTILE_URL: `http://127.0.0.1:${verifier.port}`,
    },
  });
  await setUpOwner(site);
  const page = await (await browser.newContext()).newPage();
  const script = "https://challenges.cloudflare.com/**";
  await page.route(script, (route) => route.fulfill({ contentType: "text/javascript", body: SCRIPT }));
  await openHydrated(page, `${site.url}/admin/login`);
  await page.getByLabel("Email").fill(OWNER);
  const signIn = async (password: string) => {
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  for (let n = 0; n < 3; n++) {
    await signIn(`Not the password ${n}`);
    await expect(page.getByRole("alert")).toHaveText(/^Invalid email or password/);
  }
  await signIn(PASSWORD);
  await expect(page.getByRole("alert")).toHaveText("Pass the robot check below, then sign in again.");
  await expect(page.getByText("Success!")).toBeVisible();
  await expectAccessible(page);
  expect(asked).toBe(0);
  await signIn(PASSWORD);
  await page.waitForURL("**/admin/articles");
  expect(asked).toBe(1);
  await site.stop();
  await verifier.stop();
});
