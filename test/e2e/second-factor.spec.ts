import { readFile } from "node:fs/promises";
import { expect, type Browser, type Page } from "@playwright/test";
import jsQR from "jsqr";
import { codeAt, stepAfter } from "../support/totp.ts";
import { expectAccessible } from "./support/accessible.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { ageProof } from "./support/owner.ts";
import { OWNER, PASSWORD, setUpOwner } from "./support/set-up.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";

let site: Site;
let page: Page;
let complaints: string[];
let secret = "";
let codes: string[] = [];

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  await setUpOwner(site);
  page = await pageIn(browser);
  complaints = complaintsOf(page.context());
});
test.afterAll(() => site?.stop());

async function pageIn(browser: Browser) {
  const context = await browser.newContext();
  await watchToasts(context);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  return context.newPage();
}

/** As a phone beside the computer shows it; each step has one, and a used one is not accepted again. */
let lastStep = 0;
async function nextCode() {
  let time = Date.now();
  // A code of the next step is accepted, too.
  while (Math.floor(time / 30_000) <= lastStep) time = stepAfter(time);
  if (time > Date.now() + 30_000) await page.waitForTimeout(time - 30_000 - Date.now());
  lastStep = Math.floor(time / 30_000);
  return codeAt(secret, time);
}

const section = () => page.getByRole("region", { name: "Authenticator app" });
const codeField = () => page.getByLabel("Code", { exact: true });

/** The first step of a sign-in. */
async function enterPassword(on = page) {
  // Without the page, whose requests would be refused.
  await on.goto("about:blank");
  await on.context().clearCookies();
  await openHydrated(on, `${site.url}/admin/login`);
  await on.getByLabel("Email").fill(OWNER);
  await on.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await on.getByRole("button", { name: "Sign in" }).click();
}

/** What a camera reads: the picture as it is shown. */
async function readQrCode() {
  const picture = page.getByRole("img", { name: "QR code with the key below" });
  const pixels = await picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
    const drawn = canvas.getContext("2d")!;
    drawn.drawImage(image, 0, 0, canvas.width, canvas.height);
    const { data, width, height } = drawn.getImageData(0, 0, canvas.width, canvas.height);
    return { data: [...data], width, height };
  });
  return jsQR(new Uint8ClampedArray(pixels.data), pixels.width, pixels.height)?.data;
}

test("an app is set up with its QR code, and the recovery codes are saved", async () => {
  await enterPassword();
  await page.waitForURL("**/admin/articles");
  await openHydrated(page, `${site.url}/admin/account`);
  await section().getByRole("button", { name: "Set up an authenticator app" }).click();
  const dialog = page.getByRole("dialog", { name: "Set up an authenticator app" });
  secret = (await dialog.getByRole("code").innerText()).replaceAll(/\s/g, "");
  await dialog.getByRole("button", { name: "Copy the key" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  const uri = new URL((await readQrCode()) ?? "");
  expect(uri.protocol).toBe("otpauth:");
  expect(uri.searchParams.get("secret")).toBe(secret);
  await expect(dialog.getByRole("link", { name: "Open in an app" })).toHaveAttribute("href", uri.href);
  await expectAccessible(page);
  await dialog.getByLabel("Code that the app shows").fill("000000");
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Code that the app shows")).toHaveAccessibleDescription(
    /^This code isn’t right/,
  );
  await dialog.getByLabel("Code that the app shows").fill(await nextCode());
  await dialog.getByRole("button", { name: "Switch on" }).click();
  const saved = page.getByRole("dialog", { name: "Save your recovery codes" });
  await expect(saved.getByRole("listitem")).toHaveCount(10);
  codes = await saved.getByRole("listitem").allTextContents();
  await expectAccessible(page);
  await saved.getByRole("button", { name: "Copy" }).click();
  await expectToast(page, "Codes copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join("\n"));
  const download = page.waitForEvent("download");
  await saved.getByRole("button", { name: "Download" }).click();
  const text = await readFile(await (await download).path(), "utf8");
  expect(text).toContain(OWNER);
  for (const code of codes) expect(text).toContain(code);
  expect((await site.mailTo(OWNER)).subject).toMatch(/^An authenticator app was added/);
  await saved.getByRole("button", { name: "I have saved them" }).click();
  await expect(section()).toContainText("10 recovery codes are left");
});

test("signing in by password asks for a code, and explains a wrong one", async () => {
  await enterPassword();
  await expect(page.getByRole("heading", { name: "Enter your code" })).toBeFocused();
  await expectAccessible(page);
  await codeField().fill("000000");
  await page.keyboard.press("Enter");
  await expect(codeField()).toHaveAccessibleDescription(/^This code isn’t right/);
  expect((await site.mailTo(OWNER)).subject).toBe("A sign-in with your password had a wrong code");
  await page.getByRole("button", { name: "Back to Login" }).click();
  await expect(page.getByLabel("Email")).toBeVisible();
  await enterPassword();
  await codeField().fill(await nextCode());
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/admin/articles");
});

test("a recovery code signs in once, and the account shows how many are left", async () => {
  await enterPassword();
  await page.getByRole("button", { name: "Use a recovery code instead" }).click();
  await page.getByLabel("Recovery code").fill(codes[0]!);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/admin/articles");
  expect((await site.mailTo(OWNER)).subject).toMatch(/^A recovery code was used/);
  await openHydrated(page, `${site.url}/admin/account`);
  await expect(section()).toContainText("9 recovery codes are left");
});

test("new recovery codes need a recent proof, for which a code of the app is enough @full", async () => {
  await ageProof(page, site);
  await section().getByRole("button", { name: "Make new recovery codes" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Make new codes" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await proof.getByRole("button", { name: "Use a code of your app instead" }).click();
  await proof.getByLabel("Code", { exact: true }).fill(await nextCode());
  await proof.getByRole("button", { name: "Confirm" }).click();
  const saved = page.getByRole("dialog", { name: "Save your recovery codes" });
  await expect(saved.getByRole("listitem")).toHaveCount(10);
  expect(await saved.getByRole("listitem").allTextContents()).not.toContain(codes[1]);
  await page.emulateMedia({ media: "print" });
  await expect(saved.getByRole("list")).toBeVisible();
  await expect(saved.getByText(`Recovery codes of ${OWNER}`)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Your account" })).toBeHidden();
  // Not the shade behind the dialog.
  await expect(page.locator("html")).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => (window.print = () => void (document.title = "printed")));
  await saved.getByRole("button", { name: "Print" }).click();
  await expect(page).toHaveTitle("printed");
  await saved.getByRole("button", { name: "I have saved them" }).click();
});

test("the app is switched off, and the password alone signs in again", async () => {
  await section().getByRole("button", { name: "Switch off the authenticator app" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Switch off" }).click();
  await expectToast(page, "The authenticator app is switched off.");
  await expect(section()).toContainText("asks only for the password");
  await enterPassword();
  await page.waitForURL("**/admin/articles");
  // Wrong codes are answered with 422, and a request that needs a proof with 403.
  expect(complaints.filter((complaint) => !/status of (403|422)/.test(complaint))).toEqual([]);
});
