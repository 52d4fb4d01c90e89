import { expect, type Browser, type Page } from "@playwright/test";
import { HYDRATED } from "../../src/document/deferred-hydration.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { formsHydrated, openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { translatePages } from "./support/translation.ts";
import { expectToast } from "./support/toasts.ts";

let site: Site;
let owner: Page;
let ownerComplaints: string[];
let essay = "";

const SENT = "Thank you. Now check your email, and open the link to confirm your comment.";
const PHONE = { width: 360, height: 740 };
const LIST = "/admin/guests/comments";

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  const answer = await fetch(`${site.url}/api/articles`);
  const { items } = (await answer.json()) as { items: { slug: string }[] };
  essay = `${site.url}/essays/${items[0]!.slug}`;
  owner = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  ownerComplaints = complaintsOf(owner.context());
  await signInAsOwner(owner, site);
});
test.afterAll(() => site?.stop());

const sectionOf = (page: Page) => page.getByRole("region", { name: /comment/i });
const formOf = (page: Page) => page.getByRole("form", { name: "Write a comment" });
const open = async (browser: Browser, options: Parameters<Browser["newContext"]>[0] = {}) =>
  (await browser.newContext({ reducedMotion: "reduce", ...options })).newPage();

test("the owner switches comments on; until then an essay has none", async ({ browser }) => {
  const page = await open(browser);
  await page.goto(essay);
  await expect(sectionOf(page)).toHaveCount(0);
  await openHydrated(owner, `${site.url}/admin/settings/features`);
  await owner.getByRole("checkbox", { name: "Comments" }).check();
  await owner.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(owner, "Settings saved successfully!");
  await page.reload();
  await expect(sectionOf(page).getByText("No comments on this essay yet.")).toBeVisible();
  await page.context().close();
});

for (const moment of [HYDRATED, "load"] as const)
  test(`text typed into a comment remains when its code is loaded on a translated page (${moment}) @full`, async ({
    browser,
  }) => {
    const page = await open(browser);
    const complaints = complaintsOf(page.context());
    await translatePages(page.context(), moment);
    let send = () => {};
    const isTyped = new Promise<void>((resolve) => (send = resolve));
    await page.route("**/assets/section-*.js", async (route) => {
      await isTyped;
      await route.continue();
    });
    await page.goto(essay);
    await formOf(page).getByLabel("Comment").fill("Typed early.");
    await expect(page.locator("footer font").first()).toBeAttached();
    send();
    await formsHydrated(page);
    await expect(sectionOf(page).locator("font").first()).toBeAttached();
    await expect(formOf(page).getByLabel("Comment")).toHaveValue("Typed early.");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

test("a reader comments by keyboard on a phone, hears the errors, and confirms by email", async ({
  browser,
}) => {
  const page = await open(browser, { viewport: PHONE });
  const complaints = complaintsOf(page.context());
  await openHydrated(page, essay);
  await formOf(page).getByLabel("Name").focus();
  await page.keyboard.type("ليلى حداد");
  await page.keyboard.press("Tab");
  // A browser has nothing against it.
  await page.keyboard.type("reader@nowhere");
  await page.keyboard.press("Tab");
  await page.keyboard.type("First words.");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.keyboard.insertText(`Second words: https://a.example/${"x".repeat(200)} 👩🏽‍🚀`);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const email = formOf(page).getByLabel("Email address");
  await expect(email).toHaveAccessibleDescription(/Email is invalid/);
  await expect(email).toBeFocused();
  await expect(formOf(page).getByLabel("Comment")).toHaveValue(/Second words/);
  await expectNoAxeFindings(page);
  await email.fill("leila@example.com");
  await page.keyboard.press("Enter");
  await expect(formOf(page).getByRole("status").filter({ hasText: SENT })).toBeVisible();
  await expect(formOf(page).getByLabel("Comment")).toHaveValue("");
  await expect(formOf(page).getByLabel("Name")).toHaveValue("ليلى حداد");

  await openHydrated(page, (await site.mailTo("leila@example.com")).link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Confirm your comment");
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "Confirm comment" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Thank you for your comment");
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  expect((await site.mailTo("hello@example.com")).subject).toMatch(/^New comment to review on /);
  expect(complaints.filter((text) => !/422/.test(text))).toEqual([]);
  await page.context().close();
});

test("the owner approves it and answers, and the cached page shows both", async ({ browser }) => {
  await openHydrated(owner, site.url + LIST);
  await expect(owner.getByRole("navigation", { name: "Boxes" })).toContainText("Pending 1");
  await expectNoAxeFindings(owner);
  await owner.getByRole("button", { name: "Answer the comment of ليلى حداد" }).click();
  await expect(owner.getByLabel("Your answer")).toBeFocused();
  await owner.getByRole("button", { name: "Approve and answer" }).click();
  await expect(owner.getByLabel("Your answer")).toHaveAccessibleDescription(/Answer is required/);
  await owner.getByLabel("Your answer").fill("So it is.");
  await owner.getByRole("button", { name: "Approve and answer" }).click();
  await expectToast(owner, "Answer published");
  await expect(owner.getByText("Nothing to review")).toBeVisible();

  const page = await open(browser, { viewport: PHONE });
  await page.goto(essay);
  await expect(sectionOf(page).getByRole("heading", { level: 2 })).toHaveText("2 comments");
  const answer = page.getByRole("article", { name: "Comment by Imogen Tarrant" });
  await expect(answer).toContainText("So it is.");
  await expect(answer.getByText("Author")).toBeVisible();
  expect(
    await sectionOf(page)
      .locator("article > p a")
      .evaluateAll((links) => links.map((a) => a.getAttribute("href"))),
  ).toEqual([expect.stringMatching(/^#comment-/), expect.stringMatching(/^#comment-/)]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);
  await expectNoAxeFindings(page);
  await page.context().close();
});

test("without scripts a reader replies, confirms and deletes", async ({ browser }) => {
  const page = await open(browser, { javaScriptEnabled: false });
  await page.goto(essay);
  await page.getByRole("link", { name: "Reply to ليلى حداد" }).click();
  await expect(page).toHaveURL(/\?reply=\d+#comment-form$/);
  await page.waitForTimeout(2100);
  await formOf(page).getByLabel("Name").fill("Plain Reader");
  await formOf(page).getByLabel("Email address").fill("plain@nowhere");
  await formOf(page).getByLabel("Comment").fill("A reply.");
  await formOf(page).getByRole("button", { name: "Send comment" }).click();
  const email = formOf(page).getByLabel("Email address");
  await expect(email).toHaveAccessibleDescription(/Email is invalid/);
  await expect(email).toBeFocused();
  await expect(formOf(page).getByLabel("Comment")).toHaveValue("A reply.");
  await expect(formOf(page).getByLabel("In reply to").locator("option:checked")).toContainText("ليلى حداد");
  await email.fill("plain@example.com");
  await formOf(page).getByRole("button", { name: "Send comment" }).click();
  await expect(page).toHaveURL(`${essay}#comment-sent`);
  await expect(formOf(page).getByText(SENT)).toBeInViewport();
  const { link } = await site.mailTo("plain@example.com");
  await page.goto(link);
  await page.getByRole("button", { name: "Confirm comment" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Thank you for your comment");

  await openHydrated(owner, site.url + LIST);
  await owner.getByRole("checkbox", { name: "Choose all on this page" }).check();
  await owner.getByRole("button", { name: "Approve chosen comments" }).click();
  await expectToast(owner, "Comment approved");
  await page.goto(essay);
  await expect(page.getByRole("article", { name: "Comment by Plain Reader" })).toBeVisible();

  await page.goto(link);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your comment is published");
  await page.getByText("Delete this comment").click();
  await page.getByRole("button", { name: "Delete comment" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your comment is deleted");
  await page.goto(essay);
  await expect(page.getByRole("article", { name: "Comment by Plain Reader" })).toHaveCount(0);
  await page.context().close();
});

test("the owner deletes a comment with a reply: the reply remains below a note @full", async ({
  browser,
}) => {
  await openHydrated(owner, `${site.url}${LIST}?email=leila@example.com`);
  await owner.getByRole("button", { name: "Delete the comment of ليلى حداد" }).click();
  await owner.getByRole("alertdialog").getByRole("button", { name: "Delete comment" }).click();
  await expectToast(owner, "Comment deleted");
  const page = await open(browser);
  await openHydrated(page, essay);
  await expect(sectionOf(page).getByText("Deleted comment")).toBeVisible();
  await sectionOf(page).getByRole("link", { name: "Reply to Imogen Tarrant" }).click();
  await expect(formOf(page).getByLabel("In reply to")).not.toHaveValue("");
  await page.context().close();
});

test("an episode is commented on by keyboard alone on a phone, and the text survives a reload @full", async ({
  browser,
}) => {
  const page = await open(browser, { viewport: PHONE });
  const complaints = complaintsOf(page.context());
  const url = `${site.url}/episode/1`;
  await openHydrated(page, url);
  await expect(sectionOf(page).getByText("No comments on this episode yet.")).toBeVisible();
  await formOf(page).getByLabel("Name").focus();
  await page.keyboard.type("Tunde");
  await page.keyboard.press("Tab");
  await page.keyboard.type("tunde@example.com");
  await page.keyboard.press("Tab");
  await page.keyboard.insertText("ليلى: نعم، سمعتها. ".repeat(160));
  await expect(formOf(page).getByText("39 too many.")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const text = formOf(page).getByLabel("Comment");
  await expect(text).toHaveAccessibleDescription(/Use at most 3000 characters/);
  await expect(text).toBeFocused();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width);

  await openHydrated(page, url);
  await expect(formOf(page).getByText("39 too many.")).toBeVisible();
  await text.focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText("I heard it twice.");

  await openHydrated(page, url);
  await expect(formOf(page).getByText("We restored what you typed before.")).toBeVisible();
  await expect(formOf(page).getByLabel("Name")).toHaveValue("Tunde");
  await formOf(page).getByLabel("Comment").focus();
  await page.keyboard.press("Tab");
  await page.context().setOffline(true);
  await page.keyboard.press("Enter");
  await expect(formOf(page).getByRole("alert")).toContainText("Your comment wasn’t sent. Please try again.");
  await expect(formOf(page).getByLabel("Comment")).toHaveValue("I heard it twice.");
  await page.context().setOffline(false);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(formOf(page).getByRole("status").filter({ hasText: SENT })).toBeVisible();
  await expect(formOf(page).getByLabel("Comment")).toHaveValue("");
  await page.keyboard.press("Enter");
  await expect(formOf(page).getByRole("status").filter({ hasText: SENT })).toBeVisible();
  await expect(formOf(page).getByLabel("Comment")).not.toHaveAccessibleDescription(/required/);

  await openHydrated(page, (await site.mailTo("tunde@example.com")).link);
  await page.getByRole("button", { name: "Confirm comment" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Thank you for your comment");
  const count = await site.env.DB.prepare(
    "select count(*) as n from comments where email like 'tunde%'",
  ).first();
  expect(count).toEqual({ n: 1 });
  await site.env.DB.exec("update comments set status = 'approved' where email like 'tunde%'");
  const answer = await fetch(`${site.url}/api/comments?contentType=episode&contentId=1`);
  expect(await answer.json()).toMatchObject({
    count: 1,
    items: [{ name: "Tunde", text: "I heard it twice." }],
  });
  expect(complaints.filter((line) => !/INTERNET_DISCONNECTED|TypeError/.test(line))).toEqual([]);
  await page.context().close();
});

test("a comment typed under one essay remains there, and Start over focuses the first field @full", async ({
  browser,
}) => {
  const page = await open(browser);
  await openHydrated(page, `${site.url}/essays/the-second-appointment`);
  const text = formOf(page).getByLabel("Comment");
  await text.fill("Of this one.");
  await page.getByRole("link", { name: /^Previous essay/ }).click();
  await page.waitForURL((url) => !url.pathname.endsWith("the-second-appointment"));
  await expect(text).toHaveValue("");
  await page.goBack();
  await expect(text).toHaveValue("Of this one.");
  await formOf(page).getByRole("button", { name: "Start over" }).press("Enter");
  await expect(text).toHaveValue("");
  await expect(formOf(page).locator(":focus")).toHaveCount(1);
  await page.context().close();
});

test("an essay open in a tab of the previous version reports that the comments' code is missing @full", async ({
  browser,
}) => {
  const { pathname } = new URL(essay);
  // The address of the document may contain that of the essay.
  for (const list of ["/essays", `/essays?from=${pathname}`]) {
    const page = await open(browser);
    await page.route(/\/assets\/section-/, (route) => route.fulfill({ status: 404, body: "Not found" }));
    await openHydrated(page, site.url + list);
    await page.locator(`main a[href="${pathname}"]`).first().click();
    await page.waitForURL(essay);
    await expect(page.getByRole("alert").filter({ hasText: "This site was just updated." })).toBeVisible();
    await page.context().close();
  }
});

test("by keyboard the focus moves to the next comment, and back to the control that opened it @full", async () => {
  const names = ["First", "Second", "Third", "Fourth"];
  await site.env.DB.batch(
    // The newest is first.
    names.toReversed().map((name) =>
      site.env.DB.prepare(
        `insert into comments (content_type, content_id, name, email, text, status, created_at, updated_at)
         values ('episode', 1, ?1, lower(?1) || '@example.com', 'Words.', 'pending', ?2, ?2)`,
      ).bind(name, Date.now()),
    ),
  );
  await openHydrated(owner, site.url + LIST);
  const press = (name: string) => owner.getByRole("button", { name, exact: true }).press("Enter");
  const of = (email: string) => owner.getByRole("link", { name: email, exact: true });
  const answer = owner.getByLabel("Your answer");
  await press("Answer the comment of First");
  await expect(answer).toBeFocused();
  await press("Cancel");
  await expect(owner.getByRole("button", { name: "Answer the comment of First" })).toBeFocused();
  await press("Approve: comment of First");
  await expect(of("first@example.com")).toHaveCount(0);
  await expect(of("second@example.com")).toBeFocused();
  await press("Answer the comment of Second");
  await answer.fill("So it is.");
  await press("Approve and answer");
  await expect(of("second@example.com")).toHaveCount(0);
  await expect(of("third@example.com")).toBeFocused();
  await owner.getByRole("checkbox", { name: "Choose the comment of Third" }).press("Space");
  await press("Spam chosen comments");
  await expect(of("third@example.com")).toHaveCount(0);
  await expect(owner.getByRole("checkbox", { name: "Choose all on this page" })).toBeFocused();
  await press("Reject: comment of Fourth");
  await expect(owner.getByText("Nothing to review")).toBeVisible();
  await expect(owner.getByRole("main")).toBeFocused();

  // A comment that is answered in its own box remains there.
  await openHydrated(owner, `${site.url}${LIST}?box=approved`);
  await press("Answer the comment of First");
  await answer.fill("And so it stays.");
  await press("Publish answer");
  await expect(owner.getByText("And so it stays.", { exact: true })).toBeVisible();
  await expect(owner.getByRole("button", { name: "Answer the comment of First" })).toBeFocused();
  // A later action does not reopen it, and a selection only applies to its list.
  const chosen = owner.getByRole("checkbox", { name: "Choose the comment of First" });
  await chosen.check();
  await press("Reject: comment of Second");
  await expect(of("second@example.com")).toHaveCount(0);
  await expect(answer).toHaveCount(0);
  await expect(chosen).toBeChecked();
  const boxes = owner.getByRole("navigation", { name: "Boxes" });
  await boxes.getByRole("link", { name: "Rejected" }).click();
  await expect(of("second@example.com")).toBeVisible();
  await boxes.getByRole("link", { name: "Approved" }).click();
  await expect(chosen).not.toBeChecked();
});

test("a typed answer is not lost unasked when its comment is moved or deleted among others @full", async () => {
  await site.env.DB.batch(
    ["Fifth", "Sixth"].map((name) =>
      site.env.DB.prepare(
        `insert into comments (content_type, content_id, name, email, text, status, created_at, updated_at)
         values ('episode', 1, ?1, lower(?1) || '@example.com', 'Words.', 'pending', ?2, ?2)`,
      ).bind(name, Date.now()),
    ),
  );
  await openHydrated(owner, site.url + LIST);
  const press = (name: string) => owner.getByRole("button", { name, exact: true }).click();
  const choose = (name: string) => owner.getByRole("checkbox", { name: `Choose the comment of ${name}` });
  const of = (email: string) => owner.getByRole("link", { name: email, exact: true });
  const answer = owner.getByLabel("Your answer");
  const question = owner.getByRole("alertdialog");
  await press("Answer the comment of Fifth");
  await answer.fill("Typed at length.");
  await owner.getByRole("checkbox", { name: "Choose all on this page" }).check();

  await press("Approve chosen comments");
  await expect(question).toContainText("Your answer isn’t published yet");
  await expectNoAxeFindings(owner);
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(owner.getByRole("button", { name: "Approve chosen comments" })).toBeFocused();
  await press("Delete chosen comments");
  await expect(question).toContainText("Your answer isn’t published yet, and is lost too.");
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(answer).toHaveValue("Typed at length.");

  // Others are moved without a confirmation, and the reply form stays open.
  await choose("Fifth").uncheck();
  await press("Reject chosen comments");
  await expect(of("sixth@example.com")).toHaveCount(0);
  await expect(answer).toHaveValue("Typed at length.");
  await answer.fill("");
  // In a list of all boxes it remains, and so does its reply form.
  await openHydrated(owner, `${site.url}${LIST}?email=fifth@example.com`);
  await press("Answer the comment of Fifth");
  await answer.fill("Typed once more.");
  await choose("Fifth").check();
  await press("Approve chosen comments");
  await expectToast(owner, "Comment approved");
  await expect(answer).toHaveValue("Typed once more.");
  await answer.fill("");

  await openHydrated(owner, `${site.url}${LIST}?box=approved`);
  await press("Answer the comment of Fifth");
  await answer.fill("Given up.");
  await choose("Fifth").check();
  await press("Spam chosen comments");
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(of("fifth@example.com")).toHaveCount(0);
  await expect(owner.getByRole("checkbox", { name: "Choose all on this page" })).toBeFocused();
  const boxes = owner.getByRole("navigation", { name: "Boxes" });
  await boxes.getByRole("link", { name: "Spam" }).click();
  await expect(of("fifth@example.com")).toBeVisible();
  await expect(answer).toHaveCount(0);
});

test("the owner's pages complain of nothing", () => {
  expect(ownerComplaints.filter((text) => !/422/.test(text))).toEqual([]);
});
