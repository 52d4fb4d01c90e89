import { text } from "node:stream/consumers";
import { expect, type Page } from "@playwright/test";
import * as yauzl from "yauzl";
import { startMailServer } from "../support/smtp-server.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { OWNER } from "./support/set-up.ts";
import { startSite, type Site } from "./support/site.ts";
import { pickUp } from "./support/sorting.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { desktop, looks, sweepsAll } from "./support/windows.ts";

let site: Site;
let page: Page;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  mailServer = await startMailServer();
  site = await startSite({ vars: { SMTP_URL: mailServer.url } });
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInAsOwner(page, site);
});
test.afterAll(async () => {
  await site?.stop();
  mailServer?.stop();
});

const settings = (tab: string) => openHydrated(page, `${site.url}/admin/settings/${tab}`);
const field = (label: string) => page.getByLabel(label, { exact: true });
const row = (name: string) => page.getByRole("group", { name, exact: true });
const saveBy = async (button: string) => {
  const answer = page.waitForResponse((response) => response.request().method() === "PUT");
  await page.getByRole("button", { name: button }).click();
  expect((await answer).status()).toBe(200);
  await expectToast(page, "Settings saved successfully!");
};
const save = () => saveBy("Save Changes");
/** What a visitor is given. */
const visit = async (path: string) => {
  const response = await fetch(site.url + path);
  return { status: response.status, html: await response.text() };
};
const hasBreadcrumb = (html: string) => html.includes('aria-label="Breadcrumb"');

test("Settings open on General, whose saved name and link are shown on the whole site", async () => {
  await openHydrated(page, `${site.url}/admin/settings`);
  await page.waitForURL("**/admin/settings/general");
  const tabs = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
  await expect(tabs).toHaveText(
    "General Email Features Transcripts Payments Security Webhooks Programs Export Restore System".split(" "),
  );
  await expect(field("Site URL")).toHaveValue(site.url);
  await expect(field("Site URL")).not.toBeEditable();
  await expectNoAxeFindings(page);
  await field("Site Name").fill("Plain Ground & Co");
  await field("LinkedIn").fill("https://example.com/in/plain-ground");
  await save();
  for (const path of ["/", "/podcast", "/essays", "/contact"]) {
    const { html } = await visit(path);
    expect(html, path).toContain("Plain Ground &amp; Co");
    expect(html, path).toContain('href="https://example.com/in/plain-ground"');
  }
  await field("LinkedIn").fill("");
  await save();
  expect((await visit("/contact")).html).not.toContain("example.com/in/plain-ground");
});

test("tiers are added, moved by button, keyboard and drag, removed, and shown in that order @full", async () => {
  const namesShown = async () =>
    [...(await visit("/podcast")).html.matchAll(/<h3[^>]*>(Neighbour|Regular|Patron|Founder)<\/h3>/g)].map(
      ([, name]) => name,
    );
  const tiers = page.getByRole("group", { name: "Tiers" });
  const names = tiers.getByLabel("Name", { exact: true });
  const namesTyped = () =>
    names.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value));
  await tiers.getByRole("button", { name: "Add a tier" }).press("Enter");
  await expect(names.last()).toBeFocused();
  await names.last().fill("Founder");
  await row("tier 4").getByLabel("Dollars a month").fill("100");
  await row("tier 4").getByLabel("Benefits, one per line").fill("A letter\n\nA seat ");
  const up = tiers.getByRole("button", { name: "Move tier 4 up" });
  await up.press("Enter");
  await expect(tiers.getByRole("button", { name: "Move tier 3 up" })).toBeFocused();
  expect(await namesTyped()).toEqual(["Neighbour", "Regular", "Founder", "Patron"]);
  await expect(row("tier 3").getByLabel("Benefits, one per line")).toHaveValue("A letter\n\nA seat ");

  const handle = (name: string) => tiers.getByRole("button", { name: `Reorder ${name}` });
  await pickUp(page, handle("tier 1"), "Picked up tier 1, position 1 of 4.");
  await expect(handle("tier 1")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByText("tier 1 is now at position 2 of 4.")).toBeAttached();
  await page.keyboard.press("Space");
  await expect.poll(namesTyped).toEqual(["Regular", "Neighbour", "Founder", "Patron"]);

  // Near an edge of the window a drag scrolls the page for as long as it lasts.
  await page.setViewportSize({ width: 1280, height: 1600 });
  await handle("tier 2").evaluate((element) => element.scrollIntoView({ block: "center" }));
  const from = (await handle("tier 3").boundingBox())!;
  const to = (await handle("tier 2").boundingBox())!;
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y - 4);
  await page.mouse.move(to.x + 8, to.y - 20, { steps: 10 });
  await expect(page.getByText("tier 3 is now at position 2 of 4.")).toBeAttached();
  await page.mouse.up();
  await page.setViewportSize(desktop);
  await expect.poll(namesTyped).toEqual(["Regular", "Founder", "Neighbour", "Patron"]);

  await tiers.getByRole("button", { name: "Remove tier 4" }).press("Enter");
  await expect(tiers.getByRole("button", { name: "Remove tier 3" })).toBeFocused();
  await save();
  expect(await namesShown()).toEqual(["Regular", "Founder", "Neighbour"]);
  await page.reload();
  expect(await namesTyped()).toEqual(["Regular", "Founder", "Neighbour"]);
});

test("each invalid setting shows its error in its row and preserves the typed value", async () => {
  await settings("general");
  await field("Site Name").fill(" ");
  await field("Time zone").fill("Mars/Olympus");
  await field("Patron link").fill("patreon");
  await row("tier 2").getByLabel("Dollars a month").fill("two");
  await page.getByRole("button", { name: "Add a host" }).click();
  await row("host 2").getByRole("textbox").fill("https://www.example.org/");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(field("Site Name")).toBeFocused();
  await expect(field("Site Name")).toHaveAccessibleDescription("Give the site a name.");
  await expect(field("Time zone")).toHaveAccessibleDescription(
    /^Enter a time zone such as Australia\/Sydney\./,
  );
  await expect(field("Patron link")).toHaveAccessibleDescription(
    /^Enter a full address that starts with https:/,
  );
  const price = (tier: number) => row(`tier ${tier}`).getByLabel("Dollars a month");
  await expect(price(2)).toHaveAccessibleDescription("Enter whole dollars, from 1 to 10,000.");
  await expect(price(1)).not.toHaveAttribute("aria-invalid");
  await expect(row("host 2").getByRole("textbox")).toHaveAccessibleDescription(
    "Enter a host such as www.example.org.",
  );
  await expect(field("Time zone")).toHaveValue("Mars/Olympus");
  await expect(price(2)).toHaveValue("two");
  await expectNoAxeFindings(page);
  // The message is removed with its row.
  await page.getByRole("button", { name: "Move tier 2 up" }).click();
  await expect(price(1)).toHaveAccessibleDescription("Enter whole dollars, from 1 to 10,000.");
  await expect(price(2)).not.toHaveAttribute("aria-invalid");
  expect((await visit("/")).html).toContain("Plain Ground &amp; Co");
});

test("settings saved by another user are not overwritten without a question", async () => {
  await settings("general");
  await field("Site Description").fill("Mine");
  const theirs = { description: "Theirs, too", social: { linkedin: "https://example.com/in/theirs" } };
  expect((await page.request.put(`${site.url}/api/admin/settings`, { data: theirs })).status()).toBe(200);
  // That the page is read again makes it no version that was seen.
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "General" }).click();
  await expect(field("LinkedIn")).toHaveValue("https://example.com/in/theirs");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByRole("alert").getByText(/were changed elsewhere/)).toBeVisible();
  await expect(field("Site Description")).toHaveValue("Mine");
  expect((await visit("/")).html).toContain("Theirs, too");
  await saveBy("Save this version anyway");
  expect((await visit("/")).html).toContain("Mine");
});

test("a feature that is switched off disappears from pages and API, and returns", async () => {
  const subscribe = async () => {
    const response = await fetch(`${site.url}/api/newsletter/subscribe`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: "reader@example.net" }),
    });
    return response.status;
  };
  const seen = async () => ({
    guest: (await visit("/guest")).status,
    breadcrumb: hasBreadcrumb((await visit("/guest")).html),
    supporters: (await visit("/podcast")).html.includes("Support the show"),
    newsletter: (await visit("/")).html.includes("/api/newsletter/subscribe"),
    subscribe: await subscribe(),
  });
  const isOn = { guest: 200, breadcrumb: true, supporters: true, newsletter: true, subscribe: 200 };
  const isOff = { guest: 404, breadcrumb: false, supporters: false, newsletter: false, subscribe: 404 };
  expect(await seen()).toEqual(isOn);
  await settings("features");
  await expectNoAxeFindings(page);
  await expect(field("Comments")).not.toBeChecked();
  for (const name of ["Newsletter", "Guest submissions", "Patreon"]) await field(name).uncheck();
  await save();
  expect(await seen()).toEqual(isOff);
  await page.reload();
  for (const name of ["Newsletter", "Guest submissions", "Patreon"]) {
    await expect(field(name)).not.toBeChecked();
    await field(name).check();
  }
  await save();
  expect(await seen()).toEqual(isOn);
});

test("the spam and retention settings are saved, or refused beside their fields @full", async () => {
  await settings("features");
  await field("Words").fill("Casino\n\npills.example");
  await field("Most links allowed").fill("many");
  await field("Enquiries").fill("0");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(field("Most links allowed")).toHaveAccessibleDescription(
    /^Enter a whole number from 0 to 100\./,
  );
  await expect(field("Enquiries")).toHaveAccessibleDescription(/^Enter whole months from 1 to 120/);
  await field("Most links allowed").fill("0");
  await field("Enquiries").fill("36");
  await field("Comments not shown").fill("");
  await save();
  await page.reload();
  await expect(field("Words")).toHaveValue("Casino\npills.example");
  await expect(field("Most links allowed")).toHaveValue("0");
  await expect(field("Enquiries")).toHaveValue("36");
  await expect(field("Comments not shown")).toHaveValue("");
});

test("From Email is refused at another domain with the reason, and saved at the site's own @full", async () => {
  await settings("email");
  await field("From Name").fill("Imogen");
  await field("From Email").fill("imogen@elsewhere.example");
  await field("Reply-To").fill("imogen@elsewhere.example");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(field("From Email")).toHaveAccessibleDescription(/^Use an address at example\.com/);
  await expect(field("From Email")).toHaveValue("imogen@elsewhere.example");
  await expectNoAxeFindings(page);
  await field("From Email").fill("letters@example.com");
  await save();
  await page.reload();
  await expect(field("From Email")).toHaveValue("letters@example.com");
  await expect(field("Reply-To")).toHaveValue("imogen@elsewhere.example");
});

test("a test email is sent to the user who requests it, and the mail server's response is shown", async () => {
  await settings("email");
  const send = page.getByRole("button", { name: "Send a test email to me" });
  await field("From Email").fill("stranger@example.com");
  await save();
  await send.click();
  await expectToast(page, "The mail server answered");
  await expect(page.getByText(`The email for ${OWNER} wasn’t sent.`)).toBeVisible();
  await expect(page.getByText("553 5.7.1 Not your address")).toBeVisible();
  await expectNoAxeFindings(page);
  await field("From Email").fill("letters@example.com");
  await save();
  await send.click();
  await expectToast(page, `Test email sent to ${OWNER}`);
  await expect(page.getByText(`The mail server accepted the email for ${OWNER}.`)).toBeVisible();
  await expect(page.getByText("2.0.0 queued")).toBeVisible();
  const { raw } = mailServer.received.find(({ to }) => to.includes(OWNER))!;
  expect(raw).toMatch(/^Subject: Test email from /m);
  expect(raw).toMatch(/^From: .*<letters@example\.com>\r$/m);
});

test("the newsletter's settings are saved, and letters are public while the archive is on @full", async () => {
  await settings("email");
  const missing = await visit("/letters");
  expect(missing.status).toBe(404);
  expect(hasBreadcrumb(missing.html)).toBe(false);
  await field("Letters per second").fill("many");
  await field("Letters per batch").fill("100");
  await field("Postal address").fill("PO Box 1");
  await field("Publish a letter archive").check();
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(field("Letters per second")).toHaveAccessibleDescription(
    /^Enter a whole number from 1 to 500/,
  );
  await expect(field("Letters per second")).toHaveValue("many");
  await field("Letters per second").fill("14");
  await save();
  await expectNoAxeFindings(page);
  // A form without these settings does not change them.
  await settings("general");
  await save();
  await settings("email");
  await expect(field("Letters per second")).toHaveValue("14");
  await expect(field("Letters per batch")).toHaveValue("100");
  await expect(field("Postal address")).toHaveValue("PO Box 1");
  await openHydrated(page, `${site.url}/letters`);
  await expect(page.getByText("No letters yet")).toBeVisible();
  await expectNoAxeFindings(page);
  await settings("email");
  await field("Publish a letter archive").uncheck();
  await save();
  expect((await visit("/letters")).status).toBe(404);
});

test("every sub-tab fits a phone and a desk in both themes, with long texts and with none @full", async () => {
  test.slow();
  const long = "Antidisestablishmentarianism and its friends ".repeat(3).trim();
  const put = (data: unknown) => page.request.put(`${site.url}/api/admin/settings`, { data });
  const states = {
    long: {
      name: long.slice(0, 100),
      description: long,
      social: { x: `https://example.com/${"a".repeat(500)}` },
    },
    empty: {
      description: "",
      social: {},
      platforms: {},
      tiers: [],
      patronUrl: "",
      socialProof: [],
      frameHosts: [],
    },
  };
  for (const [at, [state, data]] of Object.entries(states).entries()) {
    expect((await put(data)).status(), state).toBe(200);
    for (const tab of ["general", "email", "features", "export"]) {
      await settings(tab);
      // Long texts are in the way on a phone.
      for (const { viewport, colorScheme } of sweepsAll ? looks : looks.slice(at, at + 1)) {
        await page.setViewportSize(viewport);
        await setColorScheme(page, colorScheme);
        await expectNoAxeFindings(page);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, `${tab} ${state}`).toBeLessThanOrEqual(0);
      }
    }
  }
});

test("Export gives the whole site as a zip, which another program reads", async () => {
  await settings("export");
  await expectNoAxeFindings(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download export" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^localhost-\d{4}-\d\d-\d\d\.zip$/);
  const files = new Map<string, string>();
  const zip = await yauzl.openPromise(await download.path());
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await text(await zip.openReadStreamPromise(entry)));
  }
  expect(files.get("README.txt")).toContain(site.url);
  expect(files.get("podcast/1-the-waiting-room-is-a-policy.md")).toContain("\n## What is on the page\n");
  expect(files.get("podcast/1-the-waiting-room-is-a-policy.vtt")).toMatch(/^WEBVTT/);
  expect(JSON.parse(files.get("settings.json")!)).toMatchObject({ timeZone: "Australia/Sydney" });
});

test("System shows the plan, and how to see today's use @full", async () => {
  await settings("system");
  await expect(page.getByText("The paid plan. Its amounts are for a month")).toBeVisible();
  await expect(page.getByText("npx wrangler secret put CLOUDFLARE_ANALYTICS_TOKEN")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Size of the database" })).toContainText(
    "of 10,000 MB",
  );
  await expectNoAxeFindings(page);
});
