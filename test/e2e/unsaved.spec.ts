import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { signInAsOwner } from "./support/owner.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { loseAnswers } from "./support/lose-answers.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

let site: Site;
let page: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  page = await (await browser.newContext()).newPage();
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const notes = () => page.getByLabel("Show notes");
const save = () => page.getByRole("button", { name: "Save changes" });

test("an edit of the text preserves the publication time to the millisecond", async ({ request }) => {
  const published = async () => {
    const { publishedAt } = (await (await request.get(`${site.url}/api/episodes/1`)).json()) as {
      publishedAt: number;
    };
    return publishedAt;
  };
  // Seconds are what the field does not show.
  const exact = (await published()) + 12_345;
  await page.request.patch(`${site.url}/api/admin/episodes/1`, { data: { publishedAt: exact } });
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  await notes().fill("Edited.");
  await save().click();
  await expectToast(page, "Episode updated successfully!");
  expect(await published()).toBe(exact);
});

test("a lost connection preserves the typed text @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  await notes().fill("Typed on a train.");
  await page.context().setOffline(true);
  await save().click();
  await expect(page.getByRole("alert").getByText(/The connection was lost/)).toBeVisible();
  await expect(notes()).toHaveValue("Typed on a train.");
  await page.context().setOffline(false);
  await save().click();
  await expectToast(page, "Episode updated successfully!");
});

test("pressing Save again after a lost answer causes no conflict @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  await loseAnswers(page, "**/api/admin/episodes/1", 1);
  await notes().fill("Saved in a tunnel.");
  await save().click();
  await expect(page.getByRole("alert").getByText(/it may not be saved/)).toBeVisible();
  await save().click();
  await expectToast(page, "Episode updated successfully!");
  await notes().fill("Saved after it.");
  await save().click();
  await expectToast(page, "Episode updated successfully!");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.reload();
  await expect(notes()).toHaveValue("Saved after it.");
});

/** What its button alone saves: the list, the link there to the form, the fields that it needs, and the button. */
const newItems = {
  press: ["media", "New media item", ["Title", "Summary"], "Save"],
  campaigns: ["media/campaigns", "New campaign", ["Title", "Address"], "Save"],
  "social-posts": ["media/posts", "New social post", ["Post"], "Save"],
  ventures: ["ventures", "Add venture", ["Venture Name", "Description"], "Save"],
  engagements: ["speaking", "Add Engagement", ["Title"], "Add engagement"],
} as const;

for (const [noun, [list, add, fields, button]] of Object.entries(newItems))
  test(`a new item whose answer was lost is there once, and the next one is another: ${noun}${noun === "press" ? "" : " @full"}`, async () => {
    const api = `${site.url}/api/admin/${noun}`;
    const words = `https://a.example/${noun}`;
    const link = page.getByRole("link", { name: add, exact: true });
    const press = () => page.getByRole("button", { name: button, exact: true }).click();
    const fillIn = async () => {
      await link.click();
      for (const field of fields) await page.getByRole("textbox", { name: field }).fill(words);
    };
    const saveItem = async () => {
      const saved = page.waitForResponse(api);
      await press();
      expect((await saved).status()).toBe(201);
      await expect(link).toBeVisible();
    };
    await openHydrated(page, `${site.url}/admin/${list}`);
    await loseAnswers(page, api, 1);
    await fillIn();
    await press();
    await expect(page.getByRole("alert").getByText(/it may not be saved/)).toBeVisible();
    await saveItem();
    const countMade = async () => {
      const { items } = (await (await page.request.get(api)).json()) as { items: object[] };
      return items.filter((item) => Object.values(item).includes(words)).length;
    };
    expect(await countMade()).toBe(1);
    await fillIn();
    await saveItem();
    expect(await countMade()).toBe(2);
  });

test("leaving with something unsaved asks first, by a link and by a reload @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  await notes().fill("Not saved.");
  await page.getByRole("link", { name: "Cancel" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(notes()).toHaveValue("Not saved.");
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => location.reload()));
  await (await asked).dismiss();
  await expect(notes()).toHaveValue("Not saved.");
  await page.getByRole("link", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "Podcast Episodes" })).toBeVisible();
});

test("unsaved text is restored after a crash, and rows are unchanged", async () => {
  const names = async () =>
    page
      .getByRole("group", { name: "People" })
      .getByLabel("Name")
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
  await openHydrated(page, `${site.url}/admin/podcast/2`);
  const before = await names();
  expect(new Set(before).size).toBeGreaterThan(1);
  await notes().fill("Lost in a crash.");
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain("Lost in a crash.");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole("button", { name: "Restore it" }).click();
  await expect(notes()).toHaveValue("Lost in a crash.");
  expect(await names()).toEqual(before);
});

test("an expired session preserves the typed text, and saving works after signing in again @full", async () => {
  await notes().fill("Typed at midnight.");
  await page.context().clearCookies();
  await save().click();
  await expect(page.getByRole("alert").getByText(/Your session has ended/)).toBeVisible();
  await expect(notes()).toHaveValue("Typed at midnight.");
  const other = await page.context().newPage();
  await signInAsOwner(other, site);
  await other.close();
  await save().click();
  await expectToast(page, "Episode updated successfully!");
  await page.reload();
  await expect(notes()).toHaveValue("Typed at midnight.");
});

test("a removed row counts as unsaved, and the keyboard focus stays in its group @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  await page.getByRole("button", { name: "Add a soundbite" }).press("Enter");
  await expect(page.getByLabel("Starts at").last()).toBeFocused();
  await page
    .getByRole("button", { name: /Remove soundbite/ })
    .last()
    .click();
  await page.getByRole("link", { name: "Cancel" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await dialog.getByRole("button", { name: "Leave" }).click();
  await page.waitForURL("**/admin/podcast");
});

test("each field shows its own error, and the first one gets the focus @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  const title = page.getByLabel("Title", { exact: true }).first();
  const before = await title.inputValue();
  await title.fill(" ");
  await page.getByLabel("YouTube URL").fill("youtube");
  await page.getByRole("button", { name: "Add a soundbite" }).click();
  await page.getByLabel("Starts at").last().fill("soon");
  await save().click();
  await expect(title).toBeFocused();
  await expect(title).toHaveAttribute("aria-invalid", "true");
  await expect(title).toHaveAccessibleDescription("Title is required");
  await expect(page.getByLabel("YouTube URL")).toHaveAccessibleDescription(/full address/);
  await expect(page.getByLabel("YouTube URL")).toHaveValue("youtube");
  const start = page.getByLabel("Starts at").last();
  await expect(start).toHaveAccessibleDescription(/Enter a time such as 1:15/);
  await expectNoAxeFindings(page);

  await title.fill(before);
  await page.getByLabel("YouTube URL").fill("");
  await save().click();
  await expect(start).toBeFocused();
  await page
    .getByRole("button", { name: /Remove soundbite/ })
    .last()
    .click();
  await save().click();
  await expectToast(page, "Episode updated successfully!");
  await expect(page.locator("[aria-invalid=true], [data-invalid]")).toHaveCount(0);
});

test("an item saved elsewhere is not overwritten without a question @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  await notes().fill("Mine.");
  await page.request.patch(`${site.url}/api/admin/episodes/1`, { data: { showNotes: "Theirs." } });
  await save().click();
  await expect(page.getByRole("alert").getByText(/was changed elsewhere/)).toBeVisible();
  await expect(notes()).toHaveValue("Mine.");
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "Compare the two versions" }).click();
  const dialog = page.getByRole("dialog", { name: "Two versions" });
  await expect(dialog.locator("del")).toContainText("Theirs");
  await expect(dialog.locator("ins")).toContainText("Mine");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save this version anyway" }).click();
  await expectToast(page, "Episode updated successfully!");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(save()).toBeFocused();
  await page.reload();
  await expect(notes()).toHaveValue("Mine.");
});

test("leaving waits for a save in progress, and is cancelled if that is refused @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  await notes().fill("Refused.");
  await page.request.patch(`${site.url}/api/admin/episodes/1`, { data: { showNotes: "Newer." } });
  const refuse = await hold(page, "**/api/admin/episodes/1", { times: 1 });
  await save().click();
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  refuse();
  await expect(page.getByRole("alert").getByText(/was changed elsewhere/)).toBeVisible();
  await expect(notes()).toHaveValue("Refused.");
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain("Refused.");
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Cancel" }).click();

  const answer = await hold(page, "**/api/admin/episodes/1", { times: 1 });
  const saved = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.getByRole("button", { name: "Save this version anyway" }).click();
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  answer();
  expect((await saved).status()).toBe(200);
  await page.waitForURL("**/admin/settings/general");
});

test("publishing over a newer version asks about apps and about the version @full", async () => {
  const created = await page.request.post(`${site.url}/api/admin/episodes`, {
    data: { title: "Two of us", episodeNumber: 77 },
  });
  const { id } = (await created.json()) as { id: number };
  await openHydrated(page, `${site.url}/admin/podcast/${id}`);
  await page.request.patch(`${site.url}/api/admin/episodes/${id}`, { data: { title: "Two of them" } });
  await page.getByLabel("Status").selectOption("published");
  await page.getByRole("button", { name: "Publish episode" }).click();
  const question = page.getByRole("alertdialog", { name: "Before you publish" });
  await question.getByRole("button", { name: "Publish anyway" }).click();
  await page.getByRole("button", { name: "Save this version anyway" }).click();
  await question.getByRole("button", { name: "Publish anyway" }).click();
  // Already published; a toast may be from an earlier save.
  await expect(save()).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Title", { exact: true }).first()).toHaveValue("Two of us");
  await expect(page.getByLabel("Status")).toHaveValue("published");
});

test("answering no before publishing leaves the typed text unsaved @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/new`);
  await page.getByLabel("Status").selectOption("published");
  await page.getByLabel("Title", { exact: true }).first().fill("Not ready yet");
  const ask = await hold(page, "**/api/admin/episodes/check", { times: 1 });
  await page.getByRole("button", { name: "Publish episode" }).click();
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  ask();
  const question = page.getByRole("alertdialog", { name: "Before you publish" });
  await expect(question).toContainText("There’s no transcript");
  await expectNoAxeFindings(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  // Pressed last.
  await expect(page.getByRole("link", { name: "Settings", exact: true })).toBeFocused();
  await page.getByRole("link", { name: "Cancel" }).click();
  const leaving = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await leaving.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "Podcast Episodes" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Not ready yet", exact: true })).toHaveCount(0);
});

test("a double click saves a new episode once, and nothing of it is offered to the next", async () => {
  await page.clock.install();
  await openHydrated(page, `${site.url}/admin/podcast/new`);
  await page.getByLabel("Title", { exact: true }).fill("Clicked twice");
  const posts: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/admin/episodes"))
      posts.push(request.url());
  });
  await page.getByRole("button", { name: "Save draft" }).dblclick();
  await page.waitForURL(/\/admin\/podcast\/\d+$/);
  expect(posts.length).toBe(1);
  // The text is stored a second after it was typed.
  await page.clock.fastForward(2000);
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain("rostrum:unsaved:episode-new");
});

test("a dialog returns the focus to the control that opened it", async () => {
  await openHydrated(page, `${site.url}/admin/podcast`);
  const button = page.getByRole("button", { name: "Delete Clicked twice" });
  await button.click();
  await page.keyboard.press("Escape");
  await expect(button).toBeFocused();
});

test("an unknown address below /admin shows a 404 within the admin area", async () => {
  await page.goto(`${site.url}/admin/nope`);
  await expect(page.getByText("Page not found").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Logout" })).toBeVisible();
});

test("an admin tab opened offline shows an error, and opens once the connection returns @full", async ({
  browser,
}) => {
  // A window that has not fetched that tab's code.
  const context = await browser.newContext();
  const owner = await context.newPage();
  await signInAsOwner(owner, site);
  await openHydrated(owner, `${site.url}/admin/podcast`);
  await context.setOffline(true);
  await owner.getByRole("link", { name: "Guests" }).click();
  const heading = owner.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("You are offline");
  await expectNoAxeFindings(owner);
  const again = owner.getByRole("button", { name: "Try again" });
  await again.click();
  await expect(again).not.toHaveAttribute("aria-busy");
  await expect(heading).toHaveText("You are offline");
  await context.setOffline(false);
  await again.click();
  await expect(heading).toHaveText("Guest Applications");
  await context.close();
});
