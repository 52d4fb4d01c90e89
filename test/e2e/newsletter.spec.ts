import { expect, type Browser, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { stopClock } from "./support/clock.ts";
import { complaintsOf } from "./support/console.ts";
import { coveredOf } from "./support/covered.ts";
import { hold } from "./support/hold.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";
import { episodePath, site, test } from "./support/demo.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";
import { desktop, phone } from "./support/windows.ts";

const SUCCESS = "Successfully subscribed! Check your email.";
const FAILURE = "Failed to subscribe. Please try again.";
const WIDE = { width: 1280, height: 800 };

async function open(browser: Browser, options: Parameters<Browser["newContext"]>[0] = {}) {
  const context = await browser.newContext({ viewport: WIDE, ...options });
  await watchToasts(context);
  return context.newPage();
}

/** Milliseconds. */
const MESSAGE_SHOWN = 5000;

/** Sends the footer's form with a stopped page clock; the response arrives when the returned function is called. */
async function sendHeld(page: Page, send = () => subscribeButton(page).click()) {
  const answer = await hold(page, SUBSCRIBE);
  const asked = page.waitForRequest(SUBSCRIBE);
  await send();
  await asked;
  await stopClock(page);
  return answer;
}

const SUBSCRIBE = "**/api/newsletter/subscribe";
const footerOf = (page: Page) => page.locator("#newsletter");
const subscribeButton = (page: Page) => footerOf(page).getByRole("button", { name: "Subscribe Now" });
const popupOf = (page: Page) => page.getByRole("dialog", { name: "Before you go" });
const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);

test("a reader signs up in the footer, and confirms once by the link in the email", async ({ browser }) => {
  const page = await open(browser);
  const complaints = complaintsOf(page.context());
  const email = "reader@example.com";
  await page.clock.install();
  await openHydrated(page, `${site.url}/podcast`);
  await footerOf(page).getByLabel("Email address").fill(email);
  const answer = await sendHeld(page);
  await expect(footerOf(page).getByRole("button", { name: "Subscribing..." })).toBeDisabled();
  await expect(footerOf(page).getByLabel("Email address")).toBeDisabled();
  answer();
  await expect(footerOf(page).getByRole("status")).toHaveText(SUCCESS);
  await expect(footerOf(page).getByLabel("Email address")).toHaveValue("");
  await expect.poll(() => stored(page, "newsletterSubscribed")).toBe("true");
  await page.clock.runFor(MESSAGE_SHOWN);
  await expect(footerOf(page).getByRole("status")).toBeEmpty();
  await page.clock.resume();

  const mail = await site.mailTo(email);
  await page.goto(mail.link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm your subscription");
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "Confirm subscription" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are subscribed");
  await page.goto(mail.link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Already confirmed");
  await expectNoAxeFindings(page);
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("a confirmation link that was used while its page was open shows no error there @full", async ({
  browser,
}) => {
  const page = await open(browser);
  const email = "twice@example.com";
  await page.request.post(`${site.url}/api/newsletter/subscribe`, { data: { email } });
  const { link } = await site.mailTo(email);
  await openHydrated(page, link);
  const token = new URL(link).searchParams.get("token");
  await page.request.post(`${site.url}/api/newsletter/verify`, { data: { token } });
  await page.getByRole("button", { name: "Confirm subscription" }).click();
  await expectSaid(page, "You are subscribed");
  await page.context().close();
});

/** The heading and the window have this title, and the heading has the focus. */
async function expectSaid(page: Page, title: string) {
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(title);
  await expect(heading).toBeFocused();
  await expect(page).toHaveTitle(`${title} | Imogen Tarrant`);
}

test("a failed confirmation shows an error and can be retried @full", async ({ browser }) => {
  const page = await open(browser);
  const email = "retry@example.com";
  await page.request.post(`${site.url}/api/newsletter/subscribe`, { data: { email } });
  await openHydrated(page, (await site.mailTo(email)).link);
  await page.route("**/api/newsletter/verify", (route) => route.abort());
  await page.getByRole("button", { name: "Confirm subscription" }).click();
  await expect(page.getByRole("alert")).toHaveText(
    "An error occurred during verification. Please try again.",
  );
  await page.unroute("**/api/newsletter/verify");
  await page.getByRole("button", { name: "Confirm subscription" }).click();
  await expectSaid(page, "You are subscribed");
  await page.context().close();
});

test("a failed sign-up shows an error and preserves the typed address @full", async ({ browser }) => {
  const page = await open(browser);
  await openHydrated(page, `${site.url}/podcast`);
  await page.route("**/api/newsletter/subscribe", (route) => route.fulfill({ status: 500, body: "{}" }));
  await footerOf(page).getByLabel("Email address").fill("stored@example.com");
  await page.keyboard.press("Enter");
  await expect(footerOf(page).getByRole("status")).toHaveText(FAILURE);
  await expect(footerOf(page).getByLabel("Email address")).toHaveValue("stored@example.com");
  await expect(footerOf(page).getByLabel("Email address")).toBeFocused();
  await page.context().close();
});

test("an address that the server refuses shows the server's message beside the field @full", async ({
  browser,
}) => {
  const page = await open(browser);
  await openHydrated(page, `${site.url}/podcast`);
  const field = footerOf(page).getByLabel("Email address");
  // The browser accepts it.
  await field.fill("reader@nowhere");
  await footerOf(page).getByRole("button", { name: "Subscribe Now" }).click();
  await expect(field).toHaveAccessibleDescription("Email is invalid");
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("reader@nowhere");
  await expect(footerOf(page).getByText(FAILURE)).toBeHidden();
  await expectNoAxeFindings(page);

  await field.fill("somewhere@example.com");
  const answer = await sendHeld(page, () => page.keyboard.press("Enter"));
  answer();
  await expect(footerOf(page).getByRole("status")).toHaveText(SUCCESS);
  await expect(field).not.toHaveAttribute("aria-invalid");
  await page.context().close();
});

test("without scripts the sign-up form works and shows its result, and so do the pages of the email's links", async ({
  browser,
}) => {
  const page = await open(browser, { javaScriptEnabled: false });
  const email = "plain@example.com";
  await page.goto(`${site.url}/podcast`);
  await page.waitForTimeout(2100);
  await footerOf(page).getByLabel("Email address").fill(email);
  await footerOf(page).getByRole("button", { name: "Subscribe Now" }).click();
  await expect(page).toHaveURL(`${site.url}/podcast#footer-sent`);
  await expect(footerOf(page).getByText(SUCCESS)).toBeInViewport();
  await expect(footerOf(page).getByText(FAILURE)).toBeHidden();

  await page.goto((await site.mailTo(email)).link);
  await page.getByRole("button", { name: "Confirm subscription" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("You are subscribed");
  await expect(page).toHaveTitle(/^You are subscribed \|/);
  await page.context().close();
});

test("the result of a form replaces the message that was shown before hydration @full", async ({
  browser,
}) => {
  const page = await open(browser);
  await page.clock.install();
  await openHydrated(page, `${site.url}/podcast#footer-failed`);
  await expect(footerOf(page).getByText(FAILURE)).toBeVisible();
  await footerOf(page).getByLabel("Email address").fill("again@example.com");
  const answer = await sendHeld(page);
  answer();
  await expect(footerOf(page).getByRole("status")).toHaveText(SUCCESS);
  await expect(footerOf(page).getByText(FAILURE)).toBeHidden();
  await page.clock.runFor(MESSAGE_SHOWN);
  await expect(footerOf(page).getByRole("status")).toBeEmpty();
  await expect(footerOf(page).getByText(FAILURE)).toBeHidden();
  await page.context().close();
});

test("without scripts a refused form shows the error message @full", async ({ browser }) => {
  const page = await open(browser, { javaScriptEnabled: false });
  const address = `${site.url}/search?q=nobody+asked+this`;
  await page.goto(address);
  // The browser accepts it as an address, and the server does not.
  await footerOf(page).getByLabel("Email address").fill("visitor@localhost");
  await footerOf(page).getByRole("button", { name: "Subscribe Now" }).click();
  await expect(page).toHaveURL(`${address}#footer-failed`);
  await expect(footerOf(page).getByText(FAILURE)).toBeInViewport();
  await page.context().close();
});

/** A page whose clock the test controls, and which reports that the popup's code is loaded. */
async function armedPage(browser: Browser, path = "/podcast") {
  const page = await open(browser);
  await page.clock.install();
  await page.addInitScript(() => {
    const listen = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (...given) {
      if (this === document.documentElement && given[0] === "mouseleave") window.isArmed = true;
      return listen.apply(this, given);
    };
  });
  await openHydrated(page, site.url + path);
  return page;
}

declare global {
  interface Window {
    /** Whether the popup waits for the pointer to leave the page. */
    isArmed?: boolean;
  }
}

/** Advances the clock until the popup is due, and waits for its code. */
async function arm(page: Page) {
  await page.clock.fastForward(30_000);
  await page.waitForFunction(() => window.isArmed);
}

/** Waits for something that must not happen. */
const settle = (page: Page) => page.waitForTimeout(500);

const move = (page: Page, type: "mouseleave" | "mouseenter") =>
  page.evaluate(
    (name) => document.documentElement.dispatchEvent(new MouseEvent(name, { clientY: -1 })),
    type,
  );

async function leave(page: Page) {
  await move(page, "mouseleave");
  await page.clock.runFor(600);
}

test("the popup opens on exit intent after 30 seconds, closes with Escape, and stays closed", async ({
  browser,
}) => {
  const opened = Date.now();
  const page = await armedPage(browser);
  await leave(page);
  // A slow machine checks only after the popup is due.
  if (Date.now() - opened < 25_000) await expect(popupOf(page)).toHaveCount(0);
  await arm(page);
  await stopClock(page);
  await move(page, "mouseleave");
  await page.clock.runFor(300);
  await move(page, "mouseenter");
  await page.clock.resume();
  await page.clock.runFor(2000);
  await expect(popupOf(page)).toHaveCount(0);

  await leave(page);
  await expect(popupOf(page)).toBeVisible();
  await expect(popupOf(page)).toContainText("48 hours before others");
  expect(Number(await stored(page, "exitIntentShown"))).toBeGreaterThan(0);
  await page.clock.runFor(500);
  await expectNoAxeFindings(page);
  await page.keyboard.press("Escape");
  await expect(popupOf(page)).toHaveCount(0);
  expect(await stored(page, "exitIntentDismissedToday")).toMatch(/^\d{4}-\d\d-\d\d$/);
  await leave(page);
  await expect(popupOf(page)).toHaveCount(0);

  await page.reload();
  await hydrated(page);
  await page.clock.fastForward(30_000);
  await settle(page);
  await leave(page);
  await settle(page);
  await expect(popupOf(page)).toHaveCount(0);
  await page.context().close();
});

test("the popup waits while an article is open over the page @full", async ({ browser }) => {
  const page = await armedPage(browser, "/conversations");
  await arm(page);
  await page.getByRole("main").getByRole("link", { name: "The second appointment" }).click();
  const article = page.getByRole("dialog", { name: "The second appointment" });
  await expect(article).toBeVisible();
  await leave(page);
  await settle(page);
  await expect(popupOf(page)).toHaveCount(0);
  expect(await stored(page, "exitIntentShown")).toBeNull();
  await page.keyboard.press("Escape");
  await expect(article).toHaveCount(0);
  await leave(page);
  await expect(popupOf(page)).toBeVisible();
  await page.context().close();
});

test("the popup waits while a dialog is open over the page @full", async ({ browser }) => {
  const page = await armedPage(browser, episodePath());
  await arm(page);
  await page
    .getByRole("main")
    .getByRole("button", { name: /^Add to playlist/ })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "New playlist…" }).click();
  const naming = page.getByRole("dialog", { name: "Create New Playlist" });
  await expect(naming).toBeVisible();
  await leave(page);
  await settle(page);
  await expect(popupOf(page)).toHaveCount(0);
  expect(await stored(page, "exitIntentShown")).toBeNull();
  await page.keyboard.press("Escape");
  await expect(naming).toHaveCount(0);
  await leave(page);
  await expect(popupOf(page)).toBeVisible();
  await page.context().close();
});

test("a sign-up in the popup shows a toast without scrolling the page; a failed one shows an error @full", async ({
  browser,
}) => {
  const page = await armedPage(browser, "/about");
  await arm(page);
  await leave(page);
  await popupOf(page).getByLabel("Email address").fill("popup@example.com");
  await page.route("**/api/newsletter/subscribe", (route) => route.abort());
  await popupOf(page).getByRole("button", { name: "Subscribe" }).click();
  await page.clock.runFor(3000);
  await expectToast(page, "Subscription failed Please try again later.");
  await expect(popupOf(page).getByLabel("Email address")).toHaveValue("popup@example.com");

  await page.unroute("**/api/newsletter/subscribe");
  // The server's clock did not advance with the page's, and refuses forms that are sent too fast.
  await page.waitForTimeout(2000);
  await popupOf(page).getByRole("button", { name: "Subscribe" }).click();
  await page.clock.runFor(3000);
  await expectToast(page, "Welcome aboard! 🎉 Check your email for your exclusive content guide.");
  await expect(popupOf(page)).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await expect.poll(() => stored(page, "newsletterSubscribed")).toBe("true");
  await site.mailTo("popup@example.com");
  await page.context().close();
});

test("the community widget appears after 5 seconds, opens and closes, and links to the newsletter @full", async ({
  browser,
}) => {
  const page = await open(browser);
  await page.clock.install();
  const opened = Date.now();
  await openHydrated(page, `${site.url}/podcast`);
  const widget = page.getByRole("complementary", { name: "Community" });
  await stopClock(page);
  // A slow machine checks only after it has appeared.
  if (Date.now() - opened < 3500) await expect(widget).toHaveCount(0);
  await page.clock.fastForward(4100);
  await page.clock.resume();
  const toggle = widget.getByRole("button", { name: "Join the community" });
  await expect(toggle).toHaveAttribute("aria-expanded", "false");
  // A one-line label in the corner of a desktop window.
  await page.setViewportSize(desktop);
  const { width, height } = (await widget.boundingBox())!;
  expect(width).toBeGreaterThan(2 * height);
  // The footer is only laid out, and the page grows, when it is scrolled near.
  await expect(async () => {
    expect(await coveredOf(page)).toEqual([]);
    await expect(page.getByRole("link", { name: "Admin Login" })).toBeInViewport({ timeout: 1000 });
  }).toPass();
  await toggle.click();
  await expect(toggle).toHaveAttribute("aria-expanded", "true");
  await expect(widget.getByRole("link")).toHaveText([
    "Watch on YouTube",
    "Listen to the podcast",
    "Get the newsletter",
  ]);
  await page.clock.runFor(1000);
  await expectNoAxeFindings(page);
  await widget.getByRole("link", { name: "Get the newsletter" }).click();
  await expect(footerOf(page)).toBeInViewport();
  await toggle.click();
  await expect(widget.getByRole("link")).toHaveCount(0);
  await page.context().close();
});

test("on a phone the community button appears after one screen, and stays closed for the session @full", async ({
  browser,
}) => {
  const page = await open(browser, { viewport: phone });
  await openHydrated(page, `${site.url}/privacy-policy`);
  const widget = page.getByRole("complementary", { name: "Community", includeHidden: true });
  const toggle = widget.getByRole("button", { name: "Join the community" });
  await expect(widget).toBeAttached();
  await expect(widget).toBeHidden();
  await page.evaluate(() => scrollTo(0, innerHeight + 100));
  await expect(toggle).toBeVisible();
  expect(await toggle.boundingBox()).toMatchObject({ width: 44, height: 44 });
  const isHiddenBy = (pixels: number) =>
    page.evaluate(async (by) => {
      scrollBy(0, by);
      await new Promise((done) => addEventListener("scroll", () => setTimeout(done), { once: true }));
      return getComputedStyle(document.querySelector("aside[aria-label=Community]")!).visibility === "hidden";
    }, pixels);
  expect(await isHiddenBy(50)).toBe(true);
  expect(await isHiddenBy(-20)).toBe(false);
  await toggle.click();
  await widget.getByRole("button", { name: "Close" }).click();
  await expect(widget).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
  // Nor does it appear on another page of the session that is scrolled as far.
  const loaded = page.waitForResponse(/\/assets\/deferred-widgets-entry-[^/]+\.js$/);
  await openHydrated(page, `${site.url}/podcast`);
  await loaded;
  await expect(widget).toHaveCount(0);
  await page.context().close();
});

test("an essay's link is copied, and a failed copy shows the link to copy by hand @full", async ({
  browser,
}) => {
  const page = await open(browser, { permissions: ["clipboard-read", "clipboard-write"] });
  await openHydrated(page, `${site.url}/essays/the-second-appointment`);
  const share = page.getByRole("group", { name: "Share" });
  await share.getByRole("button", { name: "Copy link" }).click();
  await expectToast(page, "Link copied! The link has been copied to your clipboard.");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${site.url}/essays/the-second-appointment`,
  );
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("Not allowed."));
  });
  await share.getByRole("button", { name: "Copy link" }).click();
  await expectToast(page, "Failed to copy Please copy the link manually.");
  for (const name of ["Share on X", "Share on Facebook", "Share on LinkedIn", "Share by email"]) {
    await expect(share.getByRole("link", { name })).toHaveAttribute("href", /the-second-appointment/);
  }
  await page.context().close();
});
