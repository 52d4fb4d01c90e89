import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { complaintsOf } from "./support/console.ts";
import { enquirySql } from "./support/enquiries.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { desktop, looks } from "./support/windows.ts";

let site: Site;
let page: Page;
let complaints: string[];

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite({
    sql: [
      enquirySql("message", { name: "Ada Quill", title: "A question" }),
      ...["First", "Second"].map(
        (name, index) =>
          `insert into comments (content_type, content_id, name, email, text, status, created_at, updated_at)
           values ('episode', 1, '${name}', '${name}@example.com', 'Words.', 'pending', ${index}, ${index})`,
      ),
    ],
  });
  page = await (await browser.newContext({ viewport: desktop })).newPage();
  complaints = complaintsOf(page.context());
  await signInAsOwner(page, site);
  const headers = { Origin: site.url };
  const data = { email: "tom@example.com", fullName: "Tom Okafor" };
  expect(await page.request.post(`${site.url}/api/admin/users`, { data, headers })).toBeOK();
  const talk = { title: "A talk" };
  expect(await page.request.post(`${site.url}/api/admin/engagements`, { data: talk, headers })).toBeOK();
});
test.afterAll(() => site?.stop());

const question = () => page.getByRole("alertdialog", { name: "Leave without saving?" });
const stay = () => question().getByRole("button", { name: "Cancel" }).click();
const leave = () => question().getByRole("button", { name: "Leave" }).click();
const settings = () => page.getByRole("link", { name: "Settings", exact: true });

/** By the title of the dialog: the list, what opens it there, and a field. */
const dialogs = {
  "Add User": ["users", "Add User", "Full name"],
  "Edit user": ["users", "Edit Tom Okafor", "Full name"],
  "Add subscriber": ["newsletter/subscribers", "Add subscriber", "How they agreed"],
  "Add Engagement": ["speaking", "Add Engagement", "Title"],
  "Edit Engagement": ["speaking", "Edit A talk", "Title"],
} as const;

const dialogOf = (title: string) => page.getByRole("dialog", { name: title });

const closings: Record<string, (title: string) => Promise<unknown>> = {
  Escape: () => page.keyboard.press("Escape"),
  "the backdrop": async (title) => {
    // Radix hears presses beside a dialog a task after it has given it the focus.
    await expect(dialogOf(title).locator(":focus")).toHaveCount(1);
    await page.evaluate(() => new Promise((done) => setTimeout(done)));
    await page.mouse.click(5, 5);
  },
  Close: (title) => dialogOf(title).getByRole("button", { name: "Close" }).click(),
  Cancel: (title) => dialogOf(title).getByRole("button", { name: "Cancel" }).click(),
  Back: () => page.goBack(),
};

/** All dialogs are closed by the same parts: `npm test` tries them in this one. */
const EACH_WAY = "Edit Engagement";

for (const [title, [list, opener, label]] of Object.entries(dialogs))
  test(`${title}: closes immediately without changes, and asks for confirmation with some${title === EACH_WAY ? "" : " @full"}`, async () => {
    await openHydrated(page, `${site.url}/admin/${list}`);
    const link = page.getByRole("link", { name: opener, exact: true });
    const dialog = dialogOf(title);
    const field = dialog.getByLabel(label, { exact: true });
    const expectClosed = async () => {
      await expect(dialog).toHaveCount(0);
      await expect(page).toHaveURL(`${site.url}/admin/${list}`);
    };
    for (const close of Object.values(closings)) {
      await link.press("Enter");
      await expect(field).toBeVisible();
      await close(title);
      await expectClosed();
      await expect(question()).toHaveCount(0);
    }

    await link.press("Enter");
    const before = await field.inputValue();
    await field.fill("Typed");
    for (const close of Object.values(closings)) {
      await close(title);
      await expect(question()).toBeVisible();
      await stay();
      await expect(question()).toHaveCount(0);
      await expect(field).toHaveValue("Typed");
      await expect(dialog.locator(":focus")).toHaveCount(1);
    }
    await field.focus();
    await page.keyboard.press("Escape");
    await expectNoAxeFindings(page);
    await page.keyboard.press("Escape");
    await expect(field).toBeFocused();
    // An undone change does not count.
    await field.fill(before);
    await page.keyboard.press("Escape");
    await expectClosed();

    for (const close of [closings["Escape"]!, closings["Back"]!]) {
      await link.press("Enter");
      await field.fill("Typed");
      await close(title);
      await leave();
      await expectClosed();
      await expect(link).toBeFocused();
      await link.press("Enter");
      await expect(field).toHaveValue(before);
      await page.keyboard.press("Escape");
      await expectClosed();
    }
  });

test("the question over a dialog is accessible on a phone and at a desk, in light and in the dark @full", async () => {
  await openHydrated(page, `${site.url}/admin/speaking`);
  await page.getByRole("link", { name: "Edit A talk" }).click();
  await dialogOf("Edit Engagement").getByLabel("Venue").fill("Elsewhere");
  await page.keyboard.press("Escape");
  await expect(question()).toContainText("Your changes here aren’t saved yet.");
  for (const { viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    await expectNoAxeFindings(page);
  }
  await setColorScheme(page, "light");
  await leave();
});

test("closing asks after a failed save, and waits for one in progress @full", async () => {
  await openHydrated(page, `${site.url}/admin/users`);
  const dialog = dialogOf("Edit user");
  const name = dialog.getByLabel("Full name");
  const save = dialog.getByRole("button", { name: "Save changes" });
  await page.getByRole("link", { name: "Edit Tom Okafor" }).click();
  await name.fill("Tom A. Okafor");
  await page.route(
    "**/api/admin/users/*",
    (route) => route.fulfill({ status: 500, json: { error: { code: "internal", message: "No." } } }),
    { times: 1 },
  );
  await save.click();
  await expect(dialog.getByRole("alert")).toHaveText("Error: No.");
  // What could not be saved is still a change. The form may show an answer a moment before it counts on it.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await expect(question()).toBeVisible({ timeout: 2000 });
  }).toPass();
  await stay();
  await expect(name).toHaveValue("Tom A. Okafor");

  const isSent = page.waitForRequest((request) => request.method() === "PATCH");
  const release = await hold(page, "**/api/admin/users/*", { times: 1 });
  await save.click();
  await isSent;
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(name).toHaveValue("Tom A. Okafor");
  await expect(question()).toHaveCount(0);
  release();
  await expectToast(page, "User updated successfully!");
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(`${site.url}/admin/users`);
  await expect(question()).toHaveCount(0);
});

test("a save that nothing answers can be left behind @full", async () => {
  await page.clock.install();
  await openHydrated(page, `${site.url}/admin/users`);
  await page.getByRole("link", { name: /^Edit Tom/ }).click();
  const dialog = dialogOf("Edit user");
  await dialog.getByLabel("Full name").fill("Tom B. Okafor");
  const isSent = page.waitForRequest((request) => request.method() === "PATCH");
  const release = await hold(page, "**/api/admin/users/*", { times: 1 });
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await isSent;
  await page.keyboard.press("Escape");
  await page.clock.fastForward(9_000);
  await expect(question()).toHaveCount(0);
  await page.clock.fastForward(2_000);
  await leave();
  await expect(dialog).toHaveCount(0);
  release();
});

test("a reload asks while a dialog holds something unsaved @full", async () => {
  await openHydrated(page, `${site.url}/admin/newsletter/subscribers`);
  await page.getByRole("link", { name: "Add subscriber" }).click();
  const consent = dialogOf("Add subscriber").getByLabel("How they agreed");
  await consent.fill("On paper.");
  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => location.reload()));
  await (await asked).dismiss();
  await expect(consent).toHaveValue("On paper.");
  await page.keyboard.press("Escape");
  await leave();
});

test("notes on an enquiry are not left unasked, and saved ones are @full", async () => {
  await openHydrated(page, `${site.url}/admin/guests/messages`);
  await page.getByRole("link", { name: "A question" }).click();
  const notes = page.getByLabel("Your notes");
  await notes.fill("Call her on Tuesday.");
  await settings().click();
  await stay();
  await expect(settings()).toBeFocused();
  await expect(notes).toHaveValue("Call her on Tuesday.");
  await page.goBack();
  await stay();
  await expect(notes).toHaveValue("Call her on Tuesday.");
  // The unsaved email beside them is closed without a question.
  await page.getByRole("button", { name: "Answer by email" }).click();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await page.getByRole("button", { name: "Save notes" }).click();
  await expectToast(page, "Notes saved");
  await settings().click();
  await page.waitForURL("**/admin/settings/general");

  await page.goBack();
  await notes.fill("Call her on Friday.");
  await settings().click();
  await leave();
  await page.waitForURL("**/admin/settings/general");
});

test("a link that is pressed while notes are saved is followed @full", async () => {
  await openHydrated(page, `${site.url}/admin/guests/messages?box=all`);
  await page.getByRole("link", { name: "A question" }).click();
  await page.getByLabel("Your notes").fill("Call her on Monday.");
  const isSent = page.waitForRequest((request) => request.method() === "PATCH");
  const release = await hold(page, "**/api/admin/contact-messages/*", { times: 1 });
  await page.getByRole("button", { name: "Save notes" }).click();
  await isSent;
  await settings().click();
  release();
  await page.waitForURL("**/admin/settings/general");
  await expect(question()).toHaveCount(0);
});

test("an answer to a comment is neither closed nor left unasked, nor for another answer @full", async () => {
  await openHydrated(page, `${site.url}/admin/guests/comments`);
  const button = (name: string) => page.getByRole("button", { name: `Answer the comment of ${name}` });
  const answer = page.getByLabel("Your answer");
  const cancel = () => page.getByRole("main").getByRole("button", { name: "Cancel" }).press("Enter");
  await button("First").press("Enter");
  await cancel();
  await expect(button("First")).toBeFocused();

  await button("First").press("Enter");
  await answer.fill("So it is.");
  for (const close of [
    cancel,
    () => button("Second").press("Enter"),
    () => page.getByRole("navigation", { name: "Boxes" }).getByRole("link", { name: "Spam" }).click(),
    () => settings().click(),
  ]) {
    await close();
    await expect(question()).toBeVisible();
    await stay();
    await expect(answer).toHaveValue("So it is.");
  }
  await button("Second").press("Enter");
  await leave();
  await expect(answer).toBeFocused();
  await expect(answer).toHaveValue("");
  await expect(button("First")).toBeVisible();
  await answer.fill("And so is this.");
  await cancel();
  await leave();
  await expect(button("Second")).toBeFocused();
  await expect(answer).toHaveCount(0);
});

test("a picture for a text is not given up unasked @full", async () => {
  await openHydrated(page, `${site.url}/admin/articles/new`);
  const tool = page.getByRole("button", { name: "Image", exact: true });
  const dialog = dialogOf("Add a picture");
  await tool.click();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await tool.click();
  await dialog.getByLabel("Description of the picture").fill("A verandah");
  await page.keyboard.press("Escape");
  await stay();
  await expect(dialog.getByLabel("Description of the picture")).toHaveValue("A verandah");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await leave();
  await expect(dialog).toHaveCount(0);
  await settings().click();
  await page.waitForURL("**/admin/settings/general");
});

test("the console has no errors except those provoked by these tests", () => {
  expect(complaints.filter((text) => !/status of 500/.test(text))).toEqual([]);
});
