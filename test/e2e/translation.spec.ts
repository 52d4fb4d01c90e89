import { build, type Rolldown } from "vite";
import { expect, type Browser, type Page } from "@playwright/test";
import { HYDRATED } from "../../src/document/deferred-hydration.ts";
import { enquiryAnswers } from "../../worker/enquiries/limits.ts";
import { complaintsOf } from "./support/console.ts";
import { episodePath, episodes, site, test } from "./support/demo.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";
import { cardOf, openPanel } from "./support/listener.ts";
import { signInByPassword } from "./support/owner.ts";
import { barOf, openSheet, passes, play, secondsOf } from "./support/player.ts";
import { OWNER, PASSWORD } from "./support/set-up.ts";
import { startSite } from "./support/site.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";
import { translatePages, type Moment } from "./support/translation.ts";
import { phone, sweepsAll } from "./support/windows.ts";

/** A page that is translated after hydration, and its console errors, including those about texts. */
async function openTranslated(browser: Browser, moment?: Moment) {
  const context = await browser.newContext({ reducedMotion: "reduce" });
  await watchToasts(context);
  await translatePages(context, moment);
  return { page: await context.newPage(), complaints: complaintsOf(context) };
}

/** Ends a test: the page was translated, is still the site, and complained of nothing. */
async function expectWhole(page: Page, complaints: string[]) {
  await expect(page.locator("font font").first()).toBeAttached();
  await expect(page.getByText("Something went wrong")).toHaveCount(0);
  expect(complaints).toEqual([]);
  await page.context().close();
}

test("a reader of a translated page subscribes in the footer and searches without a page error @full", async ({
  browser,
}) => {
  const { page, complaints } = await openTranslated(browser);
  await openHydrated(page, `${site.url}/search`);
  const footer = page.locator("#newsletter");
  await footer.getByLabel("Email address").fill("translated@example.com");
  await footer.getByRole("button", { name: "Subscribe Now" }).click();
  await expect(footer.getByRole("status")).toHaveText("Successfully subscribed! Check your email.");
  await expect(footer.getByRole("button", { name: "Subscribe Now" })).toBeEnabled();
  const search = page.getByRole("main").getByRole("searchbox");
  for (const [words, found] of [
    ["lemon", "lemon tree"],
    ["zzxqv", "No results for “zzxqv”."],
    ["referral", "The second appointment"],
  ] as const) {
    await search.fill(words);
    await search.press("Enter");
    await page.waitForURL(`**q=${words}*`);
    await expect(page.getByRole("main")).toContainText(found);
  }
  await expectWhole(page, complaints);
});

test("a message from a translated page is refused at its field, then accepted, and its author reads so @full", async ({
  browser,
}) => {
  const { page, complaints } = await openTranslated(browser);
  await openHydrated(page, `${site.url}/contact`);
  const form = page.locator("main form").first();
  await form.getByLabel("Name", { exact: true }).fill("Ines");
  await form.getByLabel("Email", { exact: true }).fill("ines@example.com");
  await form.getByLabel("Message", { exact: true }).fill("About a rent.");
  const subject = form.getByLabel("Subject");
  await subject.fill("é".repeat(201));
  await subject.press("Enter");
  await expect(subject).toHaveAccessibleDescription(/Use at most 200 characters/);
  await subject.fill("A rent");
  await subject.press("Enter");
  const said = form.getByRole("status").filter({ hasText: enquiryAnswers.message.success });
  await expect(said).toBeVisible();
  await expect(subject).toHaveValue("");
  await expectWhole(page, complaints);
});

test("an episode plays on a translated page, its times advance, and it continues across pages @full", async ({
  browser,
}) => {
  const { page, complaints } = await openTranslated(browser);
  await openHydrated(page, site.url + episodePath());
  await play(page);
  const elapsed = barOf(page)
    .getByText(/^\d+:\d\d$/)
    .first();
  const before = await elapsed.textContent();
  await expect(elapsed).not.toHaveText(before!);
  const sheet = await openSheet(page);
  await sheet.getByLabel("Sleep timer").selectOption({ index: 1 });
  await sheet.getByRole("button", { name: "Close" }).first().click();
  await page.getByRole("link", { name: "All episodes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Plain Ground");
  await passes(page, await secondsOf(page));
  await expectWhole(page, complaints);
});

test("a listener of a translated page makes a playlist, fills it, renames it and deletes it @full", async ({
  browser,
}) => {
  const { page, complaints } = await openTranslated(browser);
  const panel = await openPanel(page);
  await panel.getByRole("button", { name: "New Playlist" }).click();
  const dialog = page.getByRole("dialog", { name: "Create New Playlist" });
  await dialog.getByLabel("Playlist Name").fill("For the train");
  await dialog.getByRole("button", { name: "Create Playlist" }).click();
  await expect(cardOf(page, "For the train")).toContainText("0 episodes");
  await page.getByRole("link", { name: episodes[0]!.title }).first().click();
  await page
    .getByRole("button", { name: `Add to playlist: ${episodes[0]!.title}` })
    .first()
    .click();
  await page.getByRole("menuitem", { name: "For the train" }).click();
  await expectToast(page, "Added to For the train");
  await openPanel(page);
  await expect(cardOf(page, "For the train")).toContainText("1 episode");
  await panel.getByRole("button", { name: "Open For the train" }).click();
  await panel.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("dialog").getByLabel("Playlist Name").fill("For the bus");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(panel.getByRole("heading", { name: "For the bus" })).toBeVisible();
  await panel.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete playlist" }).click();
  await expect(panel).toContainText("No playlists yet");
  await expectWhole(page, complaints);
});

test("the owner signs in, writes an article that saves itself, and finds it in the list, all translated @full", async ({
  browser,
}) => {
  test.skip(!sweepsAll, "`npm run test:full` translates every page of the admin area, too.");
  const owned = await startSite();
  try {
    const { page, complaints } = await openTranslated(browser);
    await signInByPassword(page, owned);
    await page.context().clearCookies();
    await openHydrated(page, `${owned.url}/admin/login`);
    await page.getByLabel("Email").fill(OWNER);
    await page.getByLabel("Password", { exact: true }).fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    complaints.splice(0);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL("**/admin/articles");
    await page.getByRole("link", { name: "New article" }).click();
    await page.getByLabel("Title", { exact: true }).fill("Written abroad");
    await page.getByLabel("Text", { exact: true }).fill("The first words.");
    await page.waitForURL(/\/admin\/articles\/\d+$/);
    await expect(page.getByText(/Draft saved at/)).toBeVisible();
    await page.getByLabel("Text", { exact: true }).press("End");
    await page.keyboard.type(" And more.");
    await expect(page.getByText("changed since")).toBeVisible();
    await expect(page.getByText("changed since")).toHaveCount(0);
    await page.getByRole("button", { name: "Save draft" }).click();
    await expectToast(page, "Article created successfully!");
    await openHydrated(page, `${owned.url}/admin/articles`);
    await page.getByLabel("Search").fill("abroad");
    await page.getByLabel("Search").press("Enter");
    await expect(page.getByRole("row", { name: /Written abroad/ })).toBeVisible();
    await expectWhole(page, complaints);
  } finally {
    await owned.stop();
  }
});

for (const moment of ["DOMContentLoaded", "load"] as const)
  test(`a page that is translated before its scripts load is hydrated unchanged, with the typed text (${moment}) @full`, async ({
    browser,
  }) => {
    const { page, complaints } = await openTranslated(browser, moment);
    await openHydrated(page, `${site.url}/about`);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/assets/*.js", async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${site.url}/contact`, { waitUntil: "commit" });
    const title = page.getByRole("heading", { level: 1 });
    await expect(title.locator("font font")).toBeVisible();
    const subject = page.getByLabel("Subject");
    await subject.fill("Typed early");
    const form = await page.locator("main form").first().elementHandle();
    release();
    await hydrated(page);
    await expect(subject).toHaveValue("Typed early");
    expect(await form!.evaluate((element) => element.isConnected)).toBe(true);
    await expect(title.locator("font font")).toBeVisible();
    await expect(page.locator("html")).not.toHaveAttribute("translate");
    await expectWhole(page, complaints);
  });

test("a phone's page that is translated before any touch hydrates then, and stays translated @full", async ({
  browser,
}) => {
  const { page, complaints } = await openTranslated(browser, "load");
  await page.addInitScript((event) => addEventListener(event, () => (window.isHydrated = true)), HYDRATED);
  await page.setViewportSize(phone);
  await page.goto(`${site.url}/about`);
  await page.waitForFunction(() => window.isHydrated);
  await expect(page.getByRole("heading", { level: 1 }).locator("font font")).toBeVisible();
  await expectWhole(page, complaints);
});

for (const way of ["in one step", "after its removal"])
  test(`a phone's page whose texts are replaced by texts, ${way}, before any touch hydrates then, unchanged @full`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ viewport: phone });
    const complaints = complaintsOf(context);
    const page = await context.newPage();
    await page.addInitScript((event) => addEventListener(event, () => (window.isHydrated = true)), HYDRATED);
    const counted = page.waitForRequest("**/tracker-*.js");
    await page.goto(`${site.url}/essays/the-second-appointment`, { waitUntil: "load" });
    await counted;
    expect(await page.evaluate(() => window.isHydrated)).toBeUndefined();
    const title = await page.locator("h1").elementHandle();
    await page.evaluate(replaceTexts, way === "in one step");
    await page.waitForFunction(() => window.isHydrated);
    expect(await title!.evaluate((element) => element.isConnected)).toBe(true);
    expect(complaints).toEqual([]);
    await context.close();
  });

/** Runs in the page: translates as Safari and Firefox do. */
function replaceTexts(inOneStep: boolean) {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const { parentElement: parent, nextSibling } = text;
    if (!parent || parent.closest("script, style, noscript, textarea") || text.data.trim() === "") continue;
    const translation = new Text(`Translated ${text.data}`);
    if (inOneStep) text.replaceWith(translation);
    else {
      text.remove();
      parent.insertBefore(translation, nextSibling);
    }
  }
}

const HTML =
  '<!doctype html><title>Mixed texts</title><script type="module" src="/page.js"></script><body><div id="page"><main>' +
  "<p>Sent <!-- -->0<!-- --> times<!-- -->.</p><p> or even</p><p><i>!</i></p>" +
  '<input aria-label="Note"><button type="button">Send</button></main></div>';

/** What our lint rule refuses, on a translated page, after three presses of its button. */
async function openMixed(browser: Browser, hash: string) {
  const { page, complaints } = await openTranslated(browser);
  const { output } = (await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, rolldownOptions: { input: "test/e2e/support/mixed-texts.tsx" } },
  })) as Rolldown.RolldownOutput;
  await page.route("http://mixed.test/**", (route) =>
    route.request().url().endsWith(".js")
      ? route.fulfill({ contentType: "text/javascript", body: output[0].code })
      : route.fulfill({ contentType: "text/html", body: HTML }),
  );
  await page.goto(`http://mixed.test/${hash}`);
  await expect(page.locator("font font").first()).toBeAttached();
  await page.getByLabel("Note").fill("Typed");
  const press = page.getByRole("button", { name: "Send" });
  for (let times = 0; times < 3; times++) await press.click({ timeout: 5000 }).catch(() => {});
  return { page, complaints };
}

test("on a translated page a changing or conditional text is shown, and a field preserves its text @full", async ({
  browser,
}) => {
  // The result without the rule.
  const broken = await openMixed(browser, "#alone");
  await expect(broken.page.getByLabel("Note")).toHaveCount(0);
  expect(broken.complaints.join()).toContain("not a child of this node");
  const { page } = await openMixed(browser, "");
  await expect(page.getByLabel("Note")).toHaveValue("Typed");
  await expect(page.locator("p")).toHaveText(["Sent 3 times in all.", "Odd or even", "Alone!"]);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.locator("p")).toHaveText(["Sent 4 times in all.", "or even", "!"]);
  await expect(page.locator("p").first().locator("font font").first()).toBeVisible();
  for (const each of [broken.page, page]) await each.context().close();
});
