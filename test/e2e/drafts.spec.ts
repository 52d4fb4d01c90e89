import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { hold } from "./support/hold.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";
import { loseAnswers } from "./support/lose-answers.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { desktop } from "./support/windows.ts";

let site: Site;
let page: Page;
/** Where the draft is edited. */
let written: string;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  const context = await browser.newContext({ reducedMotion: "reduce" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  page = await context.newPage();
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const titleOf = (target: Page) => target.getByLabel("Title", { exact: true });
const textOf = (target: Page) => target.getByLabel("Text", { exact: true });
const save = () => page.getByRole("button", { name: "Save draft" });

/** The response to the next automatic save of a form. */
const savedByItself = (target: Page) =>
  target.waitForResponse(
    (response) => response.request().postDataJSON()?.automatic === true && response.status() < 300,
  );

/** The event that a browser sends when the connection is back. */
const comeOnline = (target: Page) => target.evaluate(() => dispatchEvent(new Event("online")));

/** Appends to the text by keys, as an author who keeps typing. */
async function write(target: Page, words: string) {
  await textOf(target).press("ControlOrMeta+End");
  await target.keyboard.type(words);
}

test("a new article is saved automatically, gets its address, and stays editable", async () => {
  await openHydrated(page, `${site.url}/admin/articles/new`);
  const created: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/admin/articles"))
      created.push(request.url());
  });
  await titleOf(page).fill("Written on a train");
  const saved = savedByItself(page);
  await textOf(page).focus();
  await page.keyboard.type("The first words.");
  await saved;
  await page.waitForURL(/\/admin\/articles\/\d+$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Written on a train · Draft");
  await expect(textOf(page)).toBeFocused();
  const again = savedByItself(page);
  await page.keyboard.type(" And more.");
  await again;
  await expect(page.getByText(/Draft saved at \d+:\d\d [ap]m$/)).toBeVisible();
  expect(created).toHaveLength(1);
  await expectNoAxeFindings(page);
  await page.reload();
  await hydrated(page);
  await expect(textOf(page)).toHaveValue("The first words. And more.");
  await expect(page.getByText("It’s still in this browser.")).toHaveCount(0);
  expect((await page.request.get(`${site.url}/essays/written-on-a-train`)).status()).toBe(404);
  written = page.url();
});

test("the first press of the button creates a draft once, and later presses update it @full", async () => {
  await openHydrated(page, `${site.url}/admin/articles/new`);
  const saved = savedByItself(page);
  await titleOf(page).fill("Begun on a ferry");
  await saved;
  await page.waitForURL(/\/admin\/articles\/\d+$/);
  await save().click();
  await expectToast(page, "Article created successfully!");
  await save().click();
  await expectToast(page, "Article updated successfully!");
  await page.goto(written);
});

test("the address of a draft follows its title, also in a page that was read again @full", async () => {
  await openHydrated(page, page.url());
  const address = page.getByLabel("Address");
  for (const title of ["Written on a slow train", "Written on a slow train north"]) {
    const slug = title.toLowerCase().replaceAll(" ", "-");
    const saved = savedByItself(page);
    await titleOf(page).fill(title);
    expect(await (await saved).json()).toMatchObject({ slug });
    await openHydrated(page, page.url());
    await expect(address).toHaveValue("");
    await expect(address).toHaveAttribute("placeholder", slug);
  }
});

test("the button waits for a save that is under way @full", async () => {
  await openHydrated(page, page.url());
  const isHeld = page.waitForRequest((request) => request.postDataJSON()?.automatic === true);
  const release = await hold(page, `**/api${new URL(page.url()).pathname}`, { times: 1 });
  await write(page, " Held.");
  await isHeld;
  await write(page, " Pressed.");
  await save().click();
  release();
  await expectToast(page, "Article updated successfully!");
  await expect(page.getByText("was changed elsewhere")).toHaveCount(0);
  await page.reload();
  await expect(textOf(page)).toHaveValue(/Held\. Pressed\.$/);
});

test("leaving saves a draft without a question @full", async () => {
  await openHydrated(page, page.url());
  const address = page.url();
  await write(page, " Left behind.");
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("heading", { name: "Articles", exact: true })).toBeVisible();
  await openHydrated(page, address);
  await expect(textOf(page)).toHaveValue(/Left behind\.$/);
});

test("text typed before the page's code has loaded stays and is saved @full", async () => {
  const address = page.url();
  await page.goto("about:blank");
  const release = await hold(page, "**/assets/*.js");
  await page.goto(address, { waitUntil: "commit" });
  await write(page, " Typed early.");
  const saved = savedByItself(page);
  release();
  await saved;
  await expect(textOf(page)).toHaveValue(/ Typed early\.$/);
  await page.unroute("**/assets/*.js");
  await openHydrated(page, address);
  await expect(textOf(page)).toHaveValue(/Left behind\. Typed early\.$/);
});

test("a save whose answer is lost causes no conflict with the next save @full", async () => {
  await openHydrated(page, page.url());
  const api = `**/api${new URL(page.url()).pathname}`;
  await loseAnswers(page, api, 2);
  await write(page, " In the tunnel.");
  await expect(
    page.getByText("No connection. Your changes save automatically when you’re back online."),
  ).toBeVisible();
  const lostAgain = page.waitForEvent("requestfailed", (request) => request.method() === "PATCH");
  await write(page, " Behind it.");
  await lostAgain;
  await comeOnline(page);
  await expect(page.getByText(/Draft saved at \d+:\d\d [ap]m$/)).toBeVisible();
  await page.reload();
  await expect(textOf(page)).toHaveValue(/Typed early\. In the tunnel\. Behind it\.$/);
});

test("a draft reports a lost connection or session, and is saved once it returns", async () => {
  await page.context().setOffline(true);
  await write(page, " Offline.");
  await expect(
    page.getByText("No connection. Your changes save automatically when you’re back online."),
  ).toBeVisible();
  const online = savedByItself(page);
  await page.context().setOffline(false);
  await online;
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await write(page, " Signed out.");
  await expect(page.getByText("Your session has ended.")).toBeVisible();
  await page.context().addCookies(cookies);
  await write(page, " Signed in.");
  // Not of a half that was saved while it was typed.
  await expect(page.getByText(/Draft saved at \d+:\d\d [ap]m$/)).toBeVisible();
  await page.reload();
  await expect(textOf(page)).toHaveValue(/Offline\. Signed out\. Signed in\.$/);
});

test("two authors of the same draft see both texts and choose from each", async () => {
  const address = page.url();
  await openHydrated(page, address);
  const other = await page.context().newPage();
  await openHydrated(other, address);
  const theirs = savedByItself(other);
  await titleOf(other).fill("Their title");
  await write(other, " Their words.");
  await theirs;
  await other.close();
  await write(page, " My words.");
  await expect(page.getByText("This article was changed elsewhere since you opened it.")).toBeVisible();
  await page.getByRole("button", { name: "Compare the two versions" }).click();
  const dialog = page.getByRole("dialog", { name: "Two versions" });
  await expect(dialog.locator("ins", { hasText: "My" })).toBeVisible();
  await expect(dialog.locator("del", { hasText: "Their" }).first()).toBeVisible();
  await expect(dialog).toContainText(/saved a version on \d+ \w+ \d{4} at/);
  await expectNoAxeFindings(page);
  await dialog.getByRole("button", { name: "Use theirs: Title" }).click();
  await expect(dialog.getByRole("term").filter({ hasText: "Title" })).toHaveCount(0);
  await dialog.getByRole("button", { name: "Save mine" }).click();
  await expectToast(page, "Article updated successfully!");
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await expect(titleOf(page)).toHaveValue("Their title");
  await expect(textOf(page)).toHaveValue(/Signed in\. My words\.$/);
});

test("mine can be given up for the other version @full", async () => {
  await openHydrated(page, page.url());
  await page.request.patch(`${site.url}/api${new URL(page.url()).pathname}`, {
    headers: { Origin: site.url },
    data: { content: "Only theirs." },
  });
  await write(page, " Never mind.");
  await page.getByRole("button", { name: "Compare the two versions" }).click();
  await page.getByRole("button", { name: "Discard mine, open theirs" }).click();
  await expect(textOf(page)).toHaveValue("Only theirs.");
  await expect(page.getByText("was changed elsewhere")).toHaveCount(0);
  const saved = savedByItself(page);
  await write(page, " And mine.");
  await saved;
});

async function restore() {
  await page.getByRole("button", { name: "Restore this version" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Restore" }).click();
  await expectToast(page, "Version restored");
}

test("a former version is compared word by word, and restored @full", async () => {
  await page.getByRole("link", { name: "Versions" }).click();
  await expect(page.getByRole("heading", { name: "Versions", exact: true })).toBeVisible();
  const versions = page.getByRole("navigation", { name: "Versions" }).getByRole("link");
  // Below mine, which continued from theirs: the version with my text.
  await versions.nth(2).click();
  await expect(page.getByRole("heading", { name: /^Version of/ })).toBeVisible();
  await page.getByRole("button", { name: "What changed since" }).click();
  await expect(page.locator("ins", { hasText: "Only" })).toBeVisible();
  await expectNoAxeFindings(page);
  await restore();
  await expect(textOf(page)).toHaveValue(/My words\.$/);
  await page.getByRole("link", { name: "Versions" }).click();
  await expect(versions.first()).toContainText("Restored from");
});

const previews = () => page.getByRole("dialog", { name: "Preview link" });

/** The address of a preview link that the owner makes. */
async function createPreviewLink() {
  await page.getByRole("button", { name: "Preview link" }).click();
  await previews().getByRole("button", { name: "Create a link" }).click();
  return previews().getByLabel("Address").inputValue();
}

async function withdrawPreviewLink() {
  const gone = page.waitForResponse((response) => response.request().method() === "DELETE");
  await previews().getByRole("button", { name: "Turn off" }).click();
  expect((await gone).status()).toBe(204);
  await expect(previews().getByRole("button", { name: "Create a link" })).toBeVisible();
}

test("a preview link shows the draft to a stranger until it is withdrawn @full", async ({ browser }) => {
  await page.goBack();
  const address = await createPreviewLink();
  await expectNoAxeFindings(page);
  await previews().getByRole("button", { name: "Copy" }).click();
  await expectToast(page, "Link copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
  const stranger = await (await browser.newContext()).newPage();
  const answer = await stranger.goto(address);
  expect(answer?.headers()["x-robots-tag"]).toBe("noindex");
  expect(answer?.headers()["cache-control"]).toBe("no-store");
  await expect(stranger.getByText("This is a draft.")).toBeVisible();
  await expect(stranger.getByRole("heading", { name: "Their title" })).toBeVisible();
  await expect(stranger.getByRole("article")).toContainText("My words.");
  await expectNoAxeFindings(stranger);
  await withdrawPreviewLink();
  expect((await stranger.reload())?.status()).toBe(404);
  await expect(stranger.getByText("This preview link no longer works.")).toBeVisible();
  await stranger.context().close();
});

test("an episode's former version is restored, and its preview link shows it until it is withdrawn", async () => {
  const episodes = `${site.url}/api/admin/episodes`;
  const created = await page.request.post(episodes, { data: { title: "The first words" } });
  const { id } = (await created.json()) as { id: number };
  await page.request.patch(`${episodes}/${id}`, { data: { title: "The second words" } });
  await openHydrated(page, `${site.url}/admin/podcast/${id}/versions`);
  await page.getByRole("navigation", { name: "Versions" }).getByRole("link").last().click();
  await restore();
  await expect(titleOf(page).first()).toHaveValue("The first words");

  const address = await createPreviewLink();
  const seen = await fetch(address);
  expect([seen.status, await seen.text()]).toEqual([200, expect.stringContaining("The first words")]);
  await withdrawPreviewLink();
  expect((await fetch(address)).status).toBe(404);
});

test("Back asks before it leaves unsaved text @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  const saved = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.keyboard.press("ControlOrMeta+s");
  await saved;
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByLabel("Site Name").fill("Not saved yet");
  await page.goBack();
  await expect(page.getByRole("alertdialog", { name: "Leave without saving?" })).toBeVisible();
});

test("a first save whose answer is lost is sent again, and makes one article @full", async () => {
  await openHydrated(page, `${site.url}/admin/articles/new`);
  await loseAnswers(page, "**/api/admin/articles", 1);
  await titleOf(page).fill("Zephyrs on their way");
  await expect(
    page.getByText("No connection. Your changes save automatically when you’re back online."),
  ).toBeVisible();
  await comeOnline(page);
  await page.waitForURL(/\/admin\/articles\/\d+$/);
  const found = await page.request.get(`${site.url}/api/admin/articles?q=zephyrs`);
  expect(((await found.json()) as { items: unknown[] }).items).toHaveLength(1);
});

test("once it is published its address is the one that it went out with @full", async () => {
  const saved = savedByItself(page);
  await titleOf(page).fill("Zephyrs on their way home");
  await saved;
  await page.getByLabel("Status").selectOption("published");
  await page.getByRole("button", { name: "Publish article" }).click();
  await expectToast(page, "Article published successfully!");
  await expect(page.getByLabel("Address")).toHaveValue("zephyrs-on-their-way-home");
});

test("text typed while the button saves a new article stays and is saved @full", async () => {
  await openHydrated(page, `${site.url}/admin/articles/new`);
  const isHeld = page.waitForRequest("**/api/admin/articles");
  const release = await hold(page, "**/api/admin/articles", { times: 1 });
  await titleOf(page).fill("Typed on");
  await page.keyboard.press("ControlOrMeta+s");
  await isHeld;
  await textOf(page).focus();
  await page.keyboard.type("More words.");
  const saved = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.keyboard.press("ControlOrMeta+s");
  release();
  expect((await saved).status()).toBe(200);
  await expect(page).toHaveURL(/\/admin\/articles\/\d+$/);
  await expect(textOf(page)).toBeFocused();
  await expect(textOf(page)).toHaveValue("More words.");
});

test("a link within the page does not change the form of a new article @full", async () => {
  await page.setViewportSize(desktop);
  await openHydrated(page, `${site.url}/admin/articles/new`);
  const saved = savedByItself(page);
  await titleOf(page).fill("With a footnote");
  await textOf(page).fill("Words.[^1]\n\n[^1]: Where from");
  await saved;
  await page.waitForURL(/\/admin\/articles\/\d+$/);
  await page.getByRole("region", { name: "Preview" }).getByRole("link", { name: "1", exact: true }).click();
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  expect(new URL(page.url()).hash).toBe("");
  const again = savedByItself(page);
  await write(page, ", and more.");
  await again;
  await expect(page.getByText(/Draft saved at \d+:\d\d [ap]m$/)).toBeVisible();
  await page.reload();
  await expect(textOf(page)).toHaveValue(/Where from, and more\.$/);
});

test("another new article from the search asks before the first is lost @full", async () => {
  await openHydrated(page, `${site.url}/admin/articles/new`);
  await textOf(page).fill("Untitled yet.");
  await page.getByLabel("Excerpt").focus();
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("dialog", { name: "Search" }).getByRole("option", { name: "New article" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(textOf(page)).toHaveValue("Untitled yet.");
});

test("while an earlier text is offered, automatic saving pauses with a message, and resumes after the choice @full", async () => {
  const earlier = { at: Date.now(), basedOn: null, values: { title: "Earlier" } };
  await page.evaluate(
    (text) => localStorage.setItem("rostrum:unsaved:article-new", JSON.stringify(text)),
    earlier,
  );
  await openHydrated(page, `${site.url}/admin/articles/new`);
  await titleOf(page).fill("Meanwhile");
  await expect(page.getByText("Autosave is off until you restore or discard")).toBeVisible();
  const saved = savedByItself(page);
  await page.getByRole("button", { name: "Discard it" }).click();
  expect((await saved).request().postDataJSON()).toMatchObject({ title: "Meanwhile" });
});

test("text typed into a draft that was deleted elsewhere becomes a new draft @full", async () => {
  const gone = (words: string) => page.getByText(words);
  const asNew = page.getByRole("button", { name: "Save as a new draft" });
  for (const { noun, path, api } of [
    { noun: "article", path: "articles", api: "articles" },
    { noun: "episode", path: "podcast", api: "episodes" },
  ]) {
    const created = await page.request.post(`${site.url}/api/admin/${api}`, {
      data: { title: `Deleted ${noun}` },
    });
    const { id } = (await created.json()) as { id: number };
    await openHydrated(page, `${site.url}/admin/${path}/${id}`);
    await page.request.delete(`${site.url}/api/admin/${api}/${id}`);
    await titleOf(page).first().fill(`Typed after the ${noun} was gone`);
    const said = gone(`That ${noun} no longer exists.`);
    await expect(said).toBeVisible();
    await save().click();
    await expect(
      page.getByRole("alert").filter({ has: said }).or(page.getByRole("alert").and(said)),
    ).toBeVisible();
    await expect(said).toHaveCount(1);
    await expectNoAxeFindings(page);
    const saved = savedByItself(page);
    await asNew.click();
    expect((await saved).request().postDataJSON()).toMatchObject({ status: "draft" });
    await page.waitForURL((url) => url.pathname !== `/admin/${path}/${id}`);
    await expect(said).toHaveCount(0);
    await expect(asNew).toHaveCount(0);
    await expect(save()).toBeFocused();
    // It saves itself from now on, as a draft does.
    const again = savedByItself(page);
    await titleOf(page).first().fill(`Typed into a new ${noun}`);
    expect((await again).request().method()).toBe("PATCH");
    await page.reload();
    await expect(titleOf(page).first()).toHaveValue(`Typed into a new ${noun}`);
    await expect(page.getByText("It’s still in this browser.")).toHaveCount(0);
  }
});

test("a published article deleted elsewhere becomes one draft, even if the answer was lost @full", async () => {
  const created = await page.request.post(`${site.url}/api/admin/articles`, {
    data: { title: "Quokkas", status: "published" },
  });
  const { id } = (await created.json()) as { id: number };
  await openHydrated(page, `${site.url}/admin/articles/${id}`);
  await page.request.delete(`${site.url}/api/admin/articles/${id}`);
  await textOf(page).fill("Typed since.");
  await page.getByRole("button", { name: "Save changes" }).click();
  const asNew = page.getByRole("button", { name: "Save as a new draft" });
  await loseAnswers(page, "**/api/admin/articles", 1);
  await asNew.click();
  await expect(page.getByText("No connection.")).toBeVisible();
  await comeOnline(page);
  await page.waitForURL((url) => url.pathname !== `/admin/articles/${id}`);
  await page.reload();
  await expect(textOf(page)).toHaveValue("Typed since.");
  await expect(page.getByLabel("Status")).toHaveValue("draft");
  const found = await page.request.get(`${site.url}/api/admin/articles?q=quokkas`);
  expect(((await found.json()) as { items: unknown[] }).items).toHaveLength(1);
});
