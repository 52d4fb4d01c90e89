import { createHash } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import jsQR from "jsqr";
import { parseFeed } from "podcast-partytime";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { looks } from "./support/windows.ts";

const ADA = "ada@feeds.example.com";
const TOKEN = "a-token-of-a-session";

let site: Site;
let owner: Page;
let page: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  const session = createHash("sha256").update(TOKEN).digest("base64url");
  site = await startSite({
    sql: [
      `insert into tiers (id, name, description, price, sort_order, created_at, updated_at)
        values (1, 'Patron', '', '', 1, 1, 1)`,
      `insert into members (id, email, tier_id, source, since, stamp, created_at, updated_at)
        values (1, '${ADA}', 1, 'by-hand', 1750000000000, 's', 1, 1)`,
      `insert into member_sessions (id, member_id, user_agent, created_at, seen_at)
        values ('${session}', 1, '', ${Date.now()}, ${Date.now()})`,
    ],
  });
  owner = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInAsOwner(owner, site);
  const context = await browser.newContext({ reducedMotion: "reduce" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await context.addCookies([{ name: "rostrum-member", value: TOKEN, url: site.url }]);
  page = await context.newPage();
});
test.afterAll(() => site?.stop());

const button = (name: string) => page.getByRole("button", { name, exact: true });
const address = () => page.getByRole("textbox", { name: "Your address" });
const openAccount = () => openHydrated(page, `${site.url}/account`);
const statusOf = async (url: string) => (await page.request.get(url)).status();

test("the owner opens private feeds", async () => {
  const complaints = complaintsOf(owner.context());
  await openHydrated(owner, `${site.url}/admin/settings/features`);
  await owner.getByLabel("Members’ accounts").check();
  await owner.getByLabel("Members’ private feeds").check();
  await owner.getByLabel("Days of grace").fill("61");
  await owner.getByRole("button", { name: "Save Changes" }).click();
  await expect(owner.getByLabel("Days of grace")).toHaveAccessibleDescription(
    /Enter whole days from 0 to 60/,
  );
  await owner.getByLabel("Days of grace").fill("0");
  await expectNoAxeFindings(owner);
  await owner.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(owner, "saved");
  await expect.poll(() => statusOf(`${site.url}/account`)).toBe(200);
  expect(complaints).toEqual([]);
});

let former = "";

test("a member makes an address, copies it, and opens it in an app or on the phone", async () => {
  const complaints = complaintsOf(page.context());
  await openAccount();
  await expect(page.getByText("An address of the podcast’s feed that is yours alone")).toBeVisible();
  await expectNoAxeFindings(page);
  await button("Make an address").press("Enter");
  await expect(page.getByText("The address is made. Add it to your podcast app.")).toBeVisible();
  former = await address().inputValue();
  expect(former).toMatch(/\/rss\/members\/[\w-]{22}\.xml$/);
  await button("Copy address").click();
  await expect(page.getByText("Link copied!").first()).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(former);
  const bare = former.replace("http://", "");
  for (const [name, href] of [
    ["Apple Podcasts", `podcast://${bare}`],
    ["Overcast", `overcast://x-callback-url/add?url=${encodeURIComponent(former)}`],
    ["Pocket Casts", `pktc://subscribe/${bare}`],
    ["Castro", `castros://subscribe/${bare}`],
  ] as const)
    await expect(page.getByRole("main").getByRole("link", { name, exact: true })).toHaveAttribute(
      "href",
      href,
    );
  await page.getByText("QR code for your phone").click();
  expect(await readQrCode()).toBe(former);
  await expectNoAxeFindings(page);
  expect(complaints).toEqual([]);
});

/** What a phone's camera reads from the picture on the page. */
async function readQrCode() {
  const picture = page.getByRole("img", { name: "QR code of your address" });
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  const { data, size } = await picture.evaluate((img: HTMLImageElement) => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 480;
    const drawing = canvas.getContext("2d")!;
    drawing.drawImage(img, 0, 0, 480, 480);
    return { data: [...drawing.getImageData(0, 0, 480, 480).data], size: 480 };
  });
  return jsQR(new Uint8ClampedArray(data), size, size)?.data;
}

test("the address is a feed with audio that plays in parts", async () => {
  const answer = await page.request.get(former);
  expect(answer.headers()).toMatchObject({
    "cache-control": "private, no-cache",
    "x-robots-tag": "noindex, nofollow",
    "referrer-policy": "no-referrer",
  });
  const feed = parseFeed(await answer.text())!;
  expect(feed.itunesBlock).toBe(true);
  expect(feed.items.length).toBeGreaterThan(0);
  const { url } = feed.items[0]!.enclosure;
  const part = await page.request.get(url, { headers: { Range: "bytes=0-99" } });
  expect([part.status(), (await part.body()).byteLength]).toEqual([206, 100]);
  const again = await page.request.get(former, { headers: { "If-None-Match": answer.headers()["etag"]! } });
  expect(again.status()).toBe(304);
});

for (const { viewport, colorScheme } of looks)
  test(`the account with a feed fits ${viewport.width} px in ${colorScheme} colours @full`, async () => {
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    await openAccount();
    await page.getByText("QR code for your phone").click();
    await page.getByText("Replace or delete the address").click();
    await expect(page.getByText("Use this if others have it.")).toBeVisible();
    await expectNoAxeFindings(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  });

test("a member replaces the address, and deletes it", async () => {
  await openAccount();
  await page.getByText("Replace or delete the address").click();
  await button("Replace the address").press("Enter");
  await expect(page.getByText("The address is replaced. Add the new one to your app.")).toBeVisible();
  const next = await address().inputValue();
  expect(next).not.toBe(former);
  expect([await statusOf(former), await statusOf(next)]).toEqual([404, 200]);
  await page.route("**/api/member/feed", (route) => route.abort());
  await button("Delete the address").click();
  await expect(page.getByRole("alert")).toHaveText("That didn’t work. Please try again.");
  await page.unroute("**/api/member/feed");
  await button("Delete the address").press("Enter");
  await expect(page.getByText("The address is deleted.")).toBeVisible();
  expect(await statusOf(next)).toBe(404);
  await button("Make an address").click();
  former = await address().inputValue();
});

test("the owner sees that there is a feed, and revokes it", async () => {
  const complaints = complaintsOf(owner.context());
  await openHydrated(owner, `${site.url}/admin/newsletter/members/1`);
  const section = owner.getByRole("region", { name: "Private feed" });
  await expect(section).toContainText("The member made its address on");
  await expectNoAxeFindings(owner);
  await section.getByRole("button", { name: "Revoke feed" }).click();
  const question = owner.getByRole("alertdialog");
  await expect(question).toContainText("Its address stops working within a minute");
  await expectNoAxeFindings(owner);
  await question.getByRole("button", { name: "Revoke feed" }).click();
  await expectToast(owner, "Private feed revoked");
  await expect(section).toHaveCount(0);
  expect(await statusOf(former)).toBe(404);
  await openAccount();
  await expect(button("Make an address")).toBeVisible();
  expect(complaints).toEqual([]);
});

test("a member whose membership has ended sees that the feed is closed", async () => {
  await button("Make an address").click();
  const last = await address().inputValue();
  await site.env.DB.prepare("update members set until = 1760000000000").run();
  await openAccount();
  await expect(page.getByText("Your membership isn’t active, so your private feed is closed.")).toBeVisible();
  await expect(address()).toHaveCount(0);
  await expect(button("Make an address")).toHaveCount(0);
  await page.getByText("Replace or delete the address").click();
  await expect(button("Replace the address")).toHaveCount(0);
  expect(await statusOf(last)).toBe(404);
  // A key that was lost: the address works, but cannot be derived.
  await site.env.DB.prepare("update members set until = null, feed_seed = 'another'").run();
  await openAccount();
  await expect(page.getByText("Your address works, but it can’t be shown again.")).toBeVisible();
  expect(await statusOf(last)).toBe(200);
});
