import { mkdirSync } from "node:fs";
import { chromium as playwright, type Page } from "@playwright/test";
import { signInAsOwner } from "../test/e2e/support/owner.ts";
import { startSite } from "../test/e2e/support/site.ts";
import { chromium } from "./chromium.ts";
import { build } from "./local.ts";

/** `npm run pictures`: the README's pictures of the site and of the desk, taken of the demo. */
const FOLDER = "docs/pictures";
mkdirSync(FOLDER, { recursive: true });

await build();
const site = await startSite();
const browser = await playwright.launch({ executablePath: await chromium({ headless: true }) });
try {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    locale: "en-AU",
  });
  const page = await context.newPage();
  await take(page, "/", "site");
  await signInAsOwner(page, site);
  await page.goto(`${site.url}/admin`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Dismiss the first steps" }).click();
  await take(page, "/admin", "desk");
} finally {
  await browser.close();
  await site.stop();
}

async function take(page: Page, path: string, name: string) {
  await page.goto(site.url + path, { waitUntil: "networkidle" });
  await page.screenshot({ path: `${FOLDER}/${name}.jpg`, type: "jpeg", quality: 80 });
}
