import { expect, type Page } from "@playwright/test";
import type { HttpServer } from "../support/http-server.ts";
import { startStripeServer } from "../support/stripe-server.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { looks } from "./support/windows.ts";

const KEY = "sk_test_browser";
const SECRET = "whsec_browser";
const LISTED = "sub_lost";

let site: Site;
let page: Page;
let stripe: HttpServer;

const ask = async (kind: string, body: unknown) =>
  (
    await fetch(`http://127.0.0.1:${stripe.port}/test/${KEY}/${kind}`, {
      method: "POST",
      body: JSON.stringify(body),
    })
  ).json();

const now = () => Math.floor(Date.now() / 1000);
const aPrice = (id: string, amount: number, currency = "usd") => ({
  id,
  object: "price",
  active: true,
  currency,
  unit_amount: amount,
  recurring: { interval: "month", interval_count: 1 },
});
const aSubscription = (id: string, price: string, email: string) => ({
  id,
  object: "subscription",
  livemode: false,
  status: "active",
  created: now(),
  current_period_start: now(),
  current_period_end: now() + 30 * 86_400,
  cancel_at: null,
  cancel_at_period_end: false,
  ended_at: null,
  trial_end: null,
  customer: { id: "cus_1", object: "customer", email },
  items: { data: [{ price: { id: price, currency: "usd" } }] },
  latest_invoice: { id: "in_1", charge: { id: "ch_1", refunded: false, disputed: false } },
});
const anEvent = (id: string, subscription: string) => ({
  id,
  object: "event",
  type: "customer.subscription.created",
  created: now(),
  livemode: false,
  data: { object: { id: subscription } },
});

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  stripe = await startStripeServer();
  const vars = { STRIPE_API_URL: `http://127.0.0.1:${stripe.port}`, IMPORT_LOOPBACK: "on" };
  site = await startSite({
    vars,
    sql: [
      `insert into tiers (id, name, description, price, sort_order, created_at, updated_at)
        values (901, 'Card supporter', '', '$5 a month', 901, 1, 1)`,
      `update settings set site = json_set(site, '$.members', json('{"signIn":true}'))`,
    ],
  });
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInAsOwner(page, site);
  await ask("objects", [
    aPrice("price_five", 500),
    aPrice("price_yen", 700, "jpy"),
    aSubscription(LISTED, "price_five", "lost@example.com"),
    aSubscription("sub_other", "price_other", "other@example.com"),
  ]);
  await ask("events", [anEvent("evt_1", LISTED), anEvent("evt_2", "sub_other")]);
});
test.afterAll(async () => {
  await site?.stop();
  stripe?.stop();
});

const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const open = () => openHydrated(page, `${site.url}/admin/settings/payments`);

test("The owner enters the keys of Stripe, and tests them @full", async () => {
  await open();
  await expect(page.getByText("No keys are stored.")).toBeVisible();
  await expect(page.getByText(`${site.url}/api/webhooks/stripe`)).toBeVisible();
  await page.getByLabel("Key", { exact: true }).fill("sk_test_refused");
  await page.getByLabel("Signing secret of the webhook").fill(SECRET);
  await press("Save keys");
  await expect(page.getByText("Stripe refused the key. Enter another one.")).toBeVisible();
  await page.getByLabel("Key", { exact: true }).fill(KEY);
  await press("Save keys");
  await expectToast(page, "Keys saved");
  await expect(page.getByText("acct_browser")).toBeVisible();
  await expect(page.getByText("Test mode", { exact: true })).toBeVisible();
  await press("Test the key");
  await expectToast(page, "Stripe answers. The key is of the account acct_browser");
});

test("The owner gives a tier prices, and removes one @full", async () => {
  for (const price of ["price_five", "price_yen"]) {
    await page.getByLabel("Tier", { exact: true }).selectOption("Card supporter");
    await page.getByLabel("Price at Stripe").fill(price);
    await press("Add price");
    await expectToast(page, "Price added");
  }
  const prices = page.getByRole("list", { name: "Prices" });
  await expect(prices).toContainText("Card supporter $5.00 a month");
  await expect(prices).toContainText("Card supporter ¥700 a month");
  await press("Remove price_yen");
  await expectToast(page, "Price removed");
  await expect(prices).not.toContainText("¥700");
});

test("the owner compares payments with Stripe, and sees the refused ones @full", async () => {
  await press("Compare now");
  await expectToast(page, "Comparison started");
  await expect(page.getByText("1 membership is paid now.")).toBeVisible();
  const notices = page.getByRole("list", { name: "Notices that changed nothing" });
  await expect(notices).toContainText("price_other in USD, which no tier has");
  await openHydrated(page, `${site.url}/admin/newsletter/members`);
  await expect(page.getByText("lost@example.com")).toBeVisible();
  await expect(page.getByText("other@example.com")).toBeHidden();
});

test("The owner of a paid membership is referred to Stripe to end it @full", async () => {
  await page.getByRole("link", { name: "lost@example.com" }).click();
  await expect(page.getByRole("heading", { name: "lost@example.com" })).toBeVisible();
  await expect(page.getByText("To end it, cancel its subscription at Stripe.")).toBeVisible();
  await expect(page.getByRole("button", { name: "End now" })).toHaveCount(0);
});

test("The payments have no accessibility finding in any look @full", async () => {
  for (const { viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    await open();
    await expectNoAxeFindings(page);
  }
});

test("A visitor joins by card, and manages the payments @full", async ({ browser }) => {
  const visitor = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await openHydrated(visitor, `${site.url}/account`);
  const join = visitor.getByRole("button", { name: "Join by card: Card supporter, $5.00 a month" });
  await expect(join).toHaveText("Join by card");
  await expect(visitor.getByText("If you are a member already, sign in first.")).toBeVisible();
  for (const { viewport, colorScheme } of looks) {
    await visitor.setViewportSize(viewport);
    await setColorScheme(visitor, colorScheme);
    await expectNoAxeFindings(visitor);
  }
  await join.click();
  await expect(visitor.getByText("line_items[0][price]: price_five")).toBeVisible();
  await visitor.getByRole("link", { name: "Continue" }).click();
  await expect(visitor.getByText("Sign in with the address that you paid with.")).toBeVisible();
  await visitor.getByLabel("Email", { exact: true }).fill("lost@example.com");
  await visitor.getByRole("button", { name: "Email me a link" }).click();
  const { link } = await site.mailTo("lost@example.com");
  await openHydrated(visitor, link);
  await visitor.getByRole("button", { name: "Sign in" }).click();
  await expect(visitor.getByText("Card supporter")).toBeVisible();
  await visitor.getByRole("button", { name: "Manage payments" }).click();
  await expect(visitor.getByText("customer: cus_1")).toBeVisible();
  await visitor.context().close();
});

test("A notice of Stripe ends a membership, and the keys are removed @full", async () => {
  const ended = {
    ...aSubscription(LISTED, "price_five", "lost@example.com"),
    status: "canceled",
    ended_at: now(),
  };
  await ask("objects", [ended]);
  const body = JSON.stringify({ ...anEvent("evt_3", LISTED), type: "customer.subscription.deleted" });
  const { header } = (await ask("sign", { secrets: [SECRET], at: now(), body })) as { header: string };
  const sent = () =>
    fetch(`${site.url}/api/webhooks/stripe`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Stripe-Signature": header },
      body,
    });
  expect((await sent()).status).toBe(200);
  await open();
  await expect(page.getByText("0 memberships are paid now.")).toBeVisible();
  await press("Remove keys");
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove keys" }).click();
  await expectToast(page, "Keys removed");
  expect((await sent()).status).toBe(404);
});
