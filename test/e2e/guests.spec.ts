import { expect, type Page } from "@playwright/test";
import { hostileTexts } from "../support/hostile.ts";
import { expectNoAxeFindingsInThemes } from "./support/accessible.ts";
import { complaintsOf } from "./support/console.ts";
import { countPresses } from "./support/presses.ts";
import { enquirySql } from "./support/enquiries.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { phone } from "./support/windows.ts";

let site: Site;
let page: Page;
let complaints: string[];

const ARABIC = "ليلى الأنصاري";
const ADDED = "June Never-Applied";

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite({
    sql: [
      enquirySql("application", { name: ARABIC, email: "layla@example.com" }),
      enquirySql("application", { name: "Second Guest" }),
      enquirySql("application", { name: "Third Guest", isSpam: true }),
      enquirySql("message", { name: "Ada Quill", title: "A question" }),
      enquirySql("message", { name: "Win Now", title: "Win now", isSpam: true }),
      enquirySql("booking", { name: "Bo Booker", email: "bo@example.com", title: "Perth Book Fair" }),
    ],
  });
  page = await (await browser.newContext()).newPage();
  complaints = complaintsOf(page.context());
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const box = (name: string) => page.getByRole("navigation", { name: "Boxes" }).getByRole("link", { name });
async function openBox(name: string) {
  await box(name).click();
  await expect(box(name)).toHaveAttribute("aria-current", "page");
}
const subTab = (name: string) =>
  page.getByRole("navigation", { name: "Guests", exact: true }).getByRole("link", { name });
const card = (name: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: name });

async function expectToFit() {
  const [content, window_] = await page.evaluate(() => [document.body.scrollWidth, innerWidth]);
  expect(content).toBeLessThanOrEqual(window_!);
}

test("applications are decided on by keyboard, once, and the focus moves to the next", async () => {
  await openHydrated(page, `${site.url}/admin/guests`);
  await expect(box("All 2")).toHaveAttribute("aria-current", "page");
  await expect(subTab("Applications 2 waiting")).toBeVisible();
  await expect(subTab("Messages 1 waiting")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Guest Applications");
  for (const name of ["Pending 2", "Approved 0", "Rejected 0"]) await expect(box(name)).toBeVisible();
  const first = card(ARABIC);
  for (const words of ["layla@example.com", /Applied \w/, "A title", "Words of it.", "Pending"]) {
    await expect(first).toContainText(words);
  }
  await expect(first.getByRole("link", { name: /LinkedIn/ })).toHaveAttribute("href", /linkedin\.com/);
  await expectNoAxeFindingsInThemes(page);

  // Another user decided first.
  await page.getByRole("button", { name: "Approve Second Guest" }).focus();
  await site.env.DB.prepare("update enquiries set status = 'rejected' where name = 'Second Guest'").run();
  await page.keyboard.press("Enter");
  await expectToast(page, "Failed to update application status. This application is already rejected.");
  await expect(card("Second Guest")).toContainText("Rejected");
  await expect(page.getByRole("button", { name: "Approve Second Guest" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Second Guest", exact: true })).toBeFocused();

  await openBox("Pending 1");
  await page.getByRole("button", { name: `Approve ${ARABIC}` }).press("Enter");
  await expectToast(page, "Application approved successfully");
  // The card stays among the pending ones until another list is opened, with the next step.
  await expect(first.getByText("Approved", { exact: true })).toBeVisible();
  await expect(first.getByRole("link", { name: `Add to an episode: ${ARABIC}` })).toBeVisible();
  await expect(first.getByRole("link", { name: `New episode with this guest: ${ARABIC}` })).toBeVisible();
  await expect(first.getByRole("link", { name: ARABIC, exact: true })).toBeFocused();
  await expectNoAxeFindingsInThemes(page);
  await expect(box("Approved 1")).toBeVisible();
  await openBox("Rejected 1");
  await openBox("Pending 0");
  await expect(page.getByText("No applications found")).toBeVisible();
  await expect(subTab("Applications")).not.toContainText("waiting");

  await openBox("Spam 1");
  await page.getByRole("button", { name: "Not spam" }).click();
  await expectToast(page, "Moved out of spam");
  await openBox("Pending 1");
  await page.getByRole("button", { name: "Reject Third Guest" }).click();
  await expectToast(page, "Application rejected successfully");
});

test("an applicant gets an email and an invitation, whose text remains after a failure, and becomes a guest", async () => {
  await page.setViewportSize(phone);
  await openHydrated(page, `${site.url}/admin/guests`);
  await expectToFit();
  await expect(page.getByRole("search").getByRole("button")).toHaveText(["Search"]);
  const opener = page.getByRole("button", { name: `Send Email to ${ARABIC}` });
  await opener.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Send Email" });
  const send = dialog.getByRole("button", { name: "Send Email" });
  await expect(dialog.getByLabel("Subject")).toBeFocused();
  await expect(send).toBeDisabled();
  await page.keyboard.type("Our recording");
  await expect(send).toBeDisabled();
  await dialog.getByLabel("Message").fill("Dear Layla,\n\nsee you there.");
  await dialog.getByLabel("Invite to a recording").check();
  await send.click();
  await expect(dialog.getByLabel("Recording", { exact: true })).toHaveAccessibleDescription(
    /Enter a date and time/,
  );
  await dialog.getByLabel("Recording", { exact: true }).fill("2031-03-04T10:30");
  await dialog.getByLabel("Place or link").fill("Studio 1");
  await expectNoAxeFindingsInThemes(page);
  await page.route("**/email", (route) => route.abort());
  await send.click();
  await expectToast(page, "Failed to send email");
  await expect(dialog.getByLabel("Message")).toHaveValue("Dear Layla,\n\nsee you there.");
  await page.unroute("**/email");
  await send.click();
  await expectToast(page, "Email sent successfully");
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
  expect(await site.mailTo("layla@example.com")).toMatchObject({ subject: "Our recording" });

  await page.getByRole("link", { name: ARABIC, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: ARABIC })).toHaveAttribute("dir", "auto");
  const history = page.getByRole("region", { name: "Sent emails" });
  await expect(history).toContainText("Invites to the recording on 4 March 2031 at 10:30 am AEDT");
  await expect(history).toContainText("To layla@example.com, by Imogen Tarrant");
  await expectToFit();
  await page.getByRole("combobox", { name: "Episode" }).selectOption({ index: 0 });
  await page.getByRole("button", { name: "Add as a guest" }).click();
  await expectToast(page, "Guest of “");
  await page.getByRole("button", { name: "Add as a guest" }).click();
  await expectToast(page, "Guest of “");
  await expect(page.getByRole("definition").filter({ has: page.locator("a[href*=podcast]") })).toBeVisible();
  await expectNoAxeFindingsInThemes(page);
  await history.getByRole("link", { name: "Our recording" }).click();
  await expect(page.getByRole("region", { name: "Invitation" })).toContainText("DTSTART:20310303T233000Z");
  const settings = page.getByRole("navigation", { name: "Settings", exact: true });
  await expect(settings.getByRole("link", { name: "Email" })).toHaveAttribute("aria-current", "page");
  // Wide, the email has the width of its border; in a window that becomes narrow, that of the window.
  const mail = page.locator("iframe");
  const unused = () =>
    mail.evaluate(
      (frame: HTMLElement) => frame.parentElement!.parentElement!.clientWidth - frame.offsetWidth,
    );
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(unused).toBe(0);
  await page.setViewportSize(phone);
  await expect.poll(() => page.evaluate(() => document.body.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await page.goBack();
  const recording = page.getByRole("region", { name: "Recording", exact: true });
  await expect(recording).toContainText("4 March 2031 at 10:30 am AEDT");
  await recording.getByRole("button", { name: "Cancel the recording" }).press("Enter");
  const question = page.getByRole("alertdialog", { name: "Cancel this recording?" });
  await expectNoAxeFindingsInThemes(page);
  await question.getByRole("button", { name: "Keep it" }).click();
  await page.getByRole("button", { name: "Delete application" }).click();
  await expect(page.getByRole("alertdialog")).toContainText("cancels the recording on 4 March 2031");
  await page.keyboard.press("Escape");
  await recording.getByRole("button", { name: "Cancel the recording" }).click();
  await question.getByRole("button", { name: "Cancel the recording" }).click();
  await expectToast(page, "Recording cancelled");
  await expect(recording).toHaveCount(0);
  await expect(history).toContainText("Cancels the recording on 4 March 2031");
  const cancelled = history.getByRole("link", { name: /^Cancelled: recording for/ });
  await cancelled.click();
  await expect(page.getByRole("region", { name: "Cancellation" })).toContainText("METHOD:CANCEL");
  expect((await site.mailTo("layla@example.com")).subject).toMatch(/^Cancelled: recording for/);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test("a guest who never applied is added without an email, and joins a new episode @full", async () => {
  await openHydrated(page, `${site.url}/admin/guests?box=approved`);
  const opener = page.getByRole("link", { name: "Add a guest" });
  await opener.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Add a guest" });
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await dialog.getByLabel("Name").fill(ADDED);
  await dialog.getByLabel("Topic").fill("Night buses");
  await dialog.getByRole("button", { name: "Add guest" }).click();
  await expect(dialog.getByLabel("Email")).toHaveAccessibleDescription(/Email is required/);
  await expectNoAxeFindingsInThemes(page);
  await dialog.getByLabel("Email").fill("june@example.com");
  await dialog.getByRole("button", { name: "Add guest" }).click();
  await expectToast(page, "Guest added");
  await expect(dialog).toHaveCount(0);
  await expect(card(ADDED)).toContainText(/Added \w/);
  await expect(card(ADDED).getByRole("link", { name: /LinkedIn/ })).toHaveCount(0);
  const { results } = await site.env.DB.prepare(
    "select id from outbox where payload like '%june@example.com%'",
  ).all();
  expect(results).toEqual([]);

  await card(ADDED).getByRole("link", { name: "New episode with this guest" }).click();
  await page.waitForURL(/\/admin\/podcast\/new\?guest=\d+$/);
  const people = page.getByRole("group", { name: "People" });
  await expect(people.getByLabel("Name").last()).toHaveValue(ADDED);
  await expect(people.getByLabel("Role").last()).toHaveValue("cast/guest");
});

test("an approved guest is added to an episode with three presses, from the list of pending applications @full", async () => {
  const presses = await countPresses(page);
  await site.env.DB.prepare(enquirySql("application", { name: "Fourth Guest" })).run();
  // Of two guests with one link an episode names the first.
  await site.env.DB.prepare(
    "update enquiries set fields = json_set(fields, '$.linkedinProfile', 'https://example.com/fourth') where name = 'Fourth Guest'",
  ).run();
  await openHydrated(page, `${site.url}/admin/guests?box=pending`);
  await page.getByRole("button", { name: "Approve Fourth Guest" }).click();
  await expectToast(page, "Application approved successfully");
  await page.getByRole("link", { name: "Add to an episode: Fourth Guest" }).click();
  const dialog = page.getByRole("dialog", { name: "Add to an episode" });
  await expect(dialog.getByLabel("Episode")).toHaveAccessibleDescription(/The episode names them/);
  await expectNoAxeFindingsInThemes(page);
  await dialog.getByRole("button", { name: "Add as a guest" }).click();
  await expectToast(page, "Guest of “");
  expect(presses, presses.join()).toHaveLength(3);
  await expect(dialog).toHaveCount(0);
  await openHydrated(page, `${site.url}/admin/guests?box=approved`);
  await card("Fourth Guest").getByRole("paragraph").filter({ hasText: "Guest of" }).getByRole("link").click();
  const people = page.getByRole("group", { name: "People" });
  await expect(people.getByLabel("Name").last()).toHaveValue("Fourth Guest");
});

test("a list and an application are printed without navigation and buttons @full", async () => {
  for (const path of ["/admin/guests?box=all", `/admin/guests/1`]) {
    await openHydrated(page, site.url + path);
    await page.emulateMedia({ media: "print" });
    await expect(page.getByRole("main").getByText(ARABIC).first()).toBeVisible();
    const repeated = await page.locator("body *").evaluateAll((elements) =>
      elements
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .filter((element) => element.clientWidth > 1)
        .filter((element) => ["fixed", "sticky"].includes(getComputedStyle(element).position))
        .map((element) => element.className),
    );
    expect(repeated).toEqual([]);
    expect(await page.locator("nav, button").filter({ visible: true }).count()).toBe(0);
    await page.emulateMedia({ media: "screen" });
  }
});

test("without a connection an email draft is not changed @full", async () => {
  await openHydrated(page, `${site.url}/admin/guests`);
  await page.getByRole("button", { name: `Send Email to ${ARABIC}` }).click();
  const dialog = page.getByRole("dialog", { name: "Send Email" });
  await dialog.getByLabel("Subject").fill("From the train");
  await dialog.getByLabel("Message").fill("Dear Layla");
  await page.context().setOffline(true);
  await dialog.getByRole("button", { name: "Send Email" }).click();
  await expectToast(page, "Failed to send email");
  await expect(dialog.getByRole("button", { name: "Send Email" })).toBeEnabled();
  await expect(dialog.getByLabel("Message")).toHaveValue("Dear Layla");
  await page.context().setOffline(false);
  await dialog.getByRole("button", { name: "Send Email" }).click();
  await expectToast(page, "Email sent successfully");
});

test("a message is read by opening it, answered with a quotation, and done @full", async () => {
  await openHydrated(page, `${site.url}/admin/guests/messages`);
  await expect(box("New 1")).toHaveAttribute("aria-current", "page");
  await openBox("Spam 1");
  await expect(card("Win now")).toContainText("Someone on your team marked it as spam.");
  await openBox("New 1");
  await page.getByRole("link", { name: "A question" }).click();
  await expect(subTab("Messages")).not.toContainText("waiting");
  await expect(page.getByRole("main").getByText("Read", { exact: true })).toBeVisible();

  await page.getByRole("button", { name: "Answer by email" }).click();
  const dialog = page.getByRole("dialog", { name: "Send Email" });
  await expect(dialog.getByLabel("Subject")).toHaveValue("Re: A question");
  await expect(dialog.getByLabel("Message")).toHaveValue("\n\nAda Quill wrote:\n> Words of it.");
  await expect(dialog.getByRole("button", { name: "Send Email" })).toBeDisabled();
  await expect(dialog.getByLabel("Message")).toBeFocused();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("Gladly.");
  await dialog.getByRole("button", { name: "Send Email" }).click();
  await expectToast(page, "Email sent successfully");
  await page.getByRole("button", { name: "Mark done" }).click();
  await expectToast(page, "Marked as done");
  await page.getByRole("button", { name: "Reopen" }).click();
  await expectToast(page, "Opened again");

  // Typing while the page reloads is not an edit elsewhere.
  const release = await hold(page, "**/guests/messages/*.data*");
  const notes = page.getByLabel("Your notes");
  await notes.fill("Mi");
  await page.getByRole("button", { name: "Save notes" }).click();
  await expectToast(page, "Notes saved");
  await notes.fill("Min");
  release();
  await page.getByRole("button", { name: "Save notes" }).click();
  await expectToast(page, "Notes saved");
  await expect(notes).toHaveValue("Min");
  await page.unrouteAll({ behavior: "wait" });

  // Notes saved by another user are only overwritten after a confirmation, and the typed text remains.
  await page.getByLabel("Your notes").fill("Mine");
  await page.getByRole("button", { name: "Save notes" }).click();
  await expectToast(page, "Notes saved");
  await page.getByLabel("Your notes").fill("Mine, and more");
  await site.env.DB.prepare(
    "update enquiries set notes = 'Theirs', notes_at = notes_at + 1 where kind = 'message'",
  ).run();
  await page.getByRole("button", { name: "Mark done" }).click();
  await expectToast(page, "Marked as done");
  await expect(page.getByLabel("Your notes")).toHaveValue("Mine, and more");
  await page.getByRole("button", { name: "Save notes" }).click();
  await expect(page.getByText("These notes were saved elsewhere since you opened them.")).toBeVisible();
  await page.getByRole("button", { name: "Save this version anyway" }).click();
  await expectToast(page, "Notes saved");
  await page.reload();
  await expect(page.getByLabel("Your notes")).toHaveValue("Mine, and more");
});

test("an email draft is not closed without a question, an empty one is @full", async () => {
  await openHydrated(page, `${site.url}/admin/guests/messages?box=all`);
  await page.getByRole("link", { name: "A question" }).click();
  const opener = page.getByRole("button", { name: "Answer by email" });
  const dialog = page.getByRole("dialog", { name: "Send Email" });
  const message = dialog.getByLabel("Message");
  const question = page.getByRole("alertdialog", { name: "Close without sending?" });
  await opener.press("Enter");
  await expect(message).toBeFocused();
  const quote = await message.inputValue();
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();

  await opener.press("Enter");
  await message.fill("A long answer.");
  await page.keyboard.press("Escape");
  await expectNoAxeFindingsInThemes(page);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(message).toBeFocused();
  await page.goBack();
  await page
    .getByRole("alertdialog", { name: "Leave without sending?" })
    .getByRole("button", { name: "Cancel" })
    .click();
  await expect(message).toHaveValue("A long answer.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await question.getByRole("button", { name: "Discard email" }).click();
  await expect(opener).toBeFocused();
  await opener.press("Enter");
  await expect(message).toHaveValue(quote);
  await page.keyboard.press("Escape");
  await expect(opener).toBeFocused();
});

test("deleting an application and a message is permanent, except for their emails @full", async () => {
  const sent = page.getByRole("region", { name: "Sent emails" }).getByRole("link").first();
  for (const [noun, list, name] of [
    ["application", "/admin/guests", ARABIC],
    ["message", "/admin/guests/messages", "A question"],
  ] as const) {
    await openHydrated(page, `${site.url}${list}?box=all`);
    await page.getByRole("link", { name, exact: true }).click();
    const mail = (await sent.getAttribute("href"))!;
    const { href } = new URL(page.url());
    await page.getByRole("button", { name: `Delete ${noun}` }).click();
    const question = page.getByRole("alertdialog");
    await expect(question).toContainText("Emails about this stay under Settings ▸ Email");
    await question.getByRole("button", { name: `Delete ${noun}` }).click();
    await expectToast(page, "Deleted");
    await page.waitForURL(site.url + list);
    await openBox(noun === "message" ? "All 0" : "All 4");
    await expect(page.getByRole("link", { name, exact: true })).toHaveCount(0);
    expect((await page.request.get(href)).status()).toBe(404);
    expect((await page.request.get(site.url + mail)).status()).toBe(200);
  }
});

test("a booking is answered, becomes an engagement, and is found, exported and deleted @full", async () => {
  await openHydrated(page, `${site.url}/admin/guests/bookings`);
  await page.getByRole("searchbox", { name: "Search" }).fill("nobody");
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("No bookings found")).toBeVisible();
  await page.getByRole("link", { name: "Clear" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^speaking-bookings-/);
  await page.getByRole("link", { name: "Perth Book Fair" }).click();
  await page.getByRole("button", { name: "Answer by email" }).click();
  const answer = page.getByRole("dialog", { name: "Send Email" });
  await answer.getByLabel("Message").fill("I would be glad to.");
  await answer.getByRole("button", { name: "Send Email" }).click();
  await expectToast(page, "Email sent successfully");
  await expect(page.getByRole("region", { name: "Sent emails" })).toContainText("To bo@example.com");
  expect(await site.mailTo("bo@example.com")).toMatchObject({ subject: "Re: Perth Book Fair" });
  await page.getByRole("button", { name: "Make it an engagement" }).click();
  await expectToast(page, "Speaking engagement created successfully");
  await expectNoAxeFindingsInThemes(page);
  await page.getByRole("region", { name: "Speaking engagement" }).getByRole("link").click();
  await expect(page.getByRole("dialog", { name: "Edit Engagement" }).getByLabel("Title")).toHaveValue(
    "Perth Book Fair",
  );
  await openHydrated(page, `${site.url}/admin/guests/bookings?box=all`);
  await page.getByRole("link", { name: "Perth Book Fair" }).click();
  await page.getByRole("button", { name: "Delete booking" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete booking" }).click();
  await expectToast(page, "Deleted");
  await expect(page).toHaveURL(/\/admin\/guests\/bookings$/);
  await expect(page.getByText("No bookings found")).toBeVisible();
  // But for what these tests provoked.
  expect(
    complaints.filter(
      (complaint) => !/ERR_FAILED|ERR_INTERNET_DISCONNECTED|Failed to fetch|409|422/.test(complaint),
    ),
  ).toEqual([]);
});

test("no text of a visitor runs in a list or on a page @full", async () => {
  const ran: string[] = [];
  await page.exposeFunction("ranHere", (what: string) => void ran.push(what));
  const texts = hostileTexts("ranHere");
  const at = (index: number) => texts[index % texts.length]!;
  const rows = Math.ceil(texts.length / 3);
  const statements = Array.from({ length: rows }, (_, index) =>
    (["application", "message", "booking"] as const).map((kind) =>
      site.env.DB.prepare(
        enquirySql(kind, {
          name: at(index),
          title: at(index + rows),
          text: at(index + 2 * rows),
          notes: at(index),
        }),
      ),
    ),
  ).flat();
  await site.env.DB.batch(statements);
  for (const path of ["/admin/guests", "/admin/guests/messages", "/admin/guests/bookings"]) {
    let next: string | null = path;
    while (next !== null) {
      await openHydrated(page, site.url + next);
      const older = page.getByRole("link", { name: /^Older / });
      next = (await older.count()) > 0 ? await older.getAttribute("href") : null;
    }
    await page.getByRole("main").getByRole("listitem").getByRole("link").first().click();
    await expect(page.getByLabel("Your notes")).toBeVisible();
    await page.getByRole("button", { name: /^(Send Email|Answer by email)$/ }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
  }
  expect(ran).toEqual([]);
});
