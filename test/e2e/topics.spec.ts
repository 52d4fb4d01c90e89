import { expect, type Page } from "@playwright/test";
import PostalMime from "postal-mime";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startMailingSite, type MailingSite } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { looks, phone } from "./support/windows.ts";

const READERS = ["ada@topics.example.com", "ben@topics.example.com", "cleo@topics.example.com"];

let site: MailingSite;
/** The owner's. */
let page: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startMailingSite({
    sql: READERS.map(
      (email, index) => `insert into subscribers
        (id, email, status, source, subscribed_at, consent, verified_at, stamp)
        values ('reader${index}', '${email}', 'active', 'footer', 1000, 'Yes.', 2000, 's')`,
    ),
  });
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInAsOwner(page, site);
});
test.afterAll(async () => {
  await site?.stop();
});

const open = (path: string) => openHydrated(page, `${site.url}/admin/newsletter/${path}`);
const button = (name: string) => page.getByRole("button", { name, exact: true });
const link = (name: string) => page.getByRole("link", { name, exact: true });
const sql = (statement: string) => site.env.DB.prepare(statement).run();

/** The address in the last email to a person that begins with this path. */
async function linkIn(to: string, path: string) {
  const found = () => site.received.filter((mail) => mail.to.includes(to));
  const address = new RegExp(String.raw`http://localhost:\d+${path}\S*`);
  const text = async () => (await PostalMime.parse(found().at(-1)?.raw ?? "")).text ?? "";
  await expect.poll(text).toMatch(address);
  return address.exec(await text())![0];
}

/** A picture of the screen in each window and theme, none of which is wider than the window. */
async function look(shown: Page, name: string) {
  for (const { viewport, colorScheme } of looks) {
    await shown.setViewportSize(viewport);
    await setColorScheme(shown, colorScheme);
    await expectNoAxeFindings(shown);
    expect(await shown.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
    const path = test.info().outputPath(`${name}-${viewport.width}-${colorScheme}.png`);
    await shown.screenshot({ path, fullPage: true });
  }
}

test("the owner makes topics, orders, hides and deletes them with the keyboard", async () => {
  const complaints = complaintsOf(page.context());
  await open("subscribers");
  await link("Topics").click();
  await expect(page.getByText("With topics, subscribers choose which letters they get.")).toBeVisible();
  await expectNoAxeFindings(page);
  for (const [name, description] of [
    ["Cities", "What happens in them, once a month."],
    ["Rivers", ""],
    ["Old one", ""],
  ] as const) {
    await link("New topic").press("Enter");
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Description").fill(description);
    await button("Save").press("Enter");
    await expectToast(page, "Topic created successfully");
  }
  await link("New topic").click();
  await page.getByLabel("Name").fill("Cities");
  await look(page, "topic");
  await button("Save").click();
  await expect(page.getByLabel("Name")).toHaveAccessibleDescription(/There is a topic with this name/);
  for (const complaint of complaints.splice(0)) expect(complaint).toContain("409");
  await link("Cancel").click();
  const leaving = page.getByRole("alertdialog");
  if (await leaving.isVisible()) await leaving.getByRole("button", { name: /Leave|Discard/ }).click();
  const names = page
    .getByRole("list", { name: "Topics" })
    .getByRole("link", { name: /^(Cities|Rivers( & seas)?|Old one)$/ });
  await expect(names).toHaveText(["Cities", "Rivers", "Old one"]);
  await button("Move Rivers up").press("Enter");
  await expectToast(page, "Topics reordered successfully");
  await expect(names).toHaveText(["Rivers", "Cities", "Old one"]);
  await link("Edit Rivers").click();
  await page.getByRole("switch", { name: "Offered" }).press("Space");
  await page.getByLabel("Name").fill("Rivers & seas");
  await button("Save").click();
  await expectToast(page, "Topic updated successfully");
  await expect(page.getByText("Hidden", { exact: true })).toBeVisible();
  await link("Edit Rivers & seas").click();
  await page.getByRole("switch", { name: "Offered" }).press("Space");
  await button("Save").click();
  await expectToast(page, "Topic updated successfully");
  await look(page, "topics");
  await button("Delete Old one").press("Enter");
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("subscribers lose their choice of it");
  await question.getByRole("button", { name: "Delete topic" }).press("Enter");
  await expectToast(page, "Topic deleted successfully");
  await expect(names).toHaveText(["Rivers & seas", "Cities"]);
  expect(complaints).toEqual([]);
});

test("a letter goes to those who get its topic; the count follows the choice", async () => {
  const complaints = complaintsOf(page.context());
  await sql(`update subscribers set topic_ids = '[' || (select id from topics where name = 'Cities') || ']'
    where id = 'reader1'`);
  await sql(`update subscribers set topic_ids = '[]' where id = 'reader2'`);
  await open("new");
  await page.getByLabel("Subject").fill("On squares");
  await page.getByLabel("Content", { exact: true }).fill("Dear reader.");
  const line = page.locator("summary").filter({ hasText: "Who gets it" });
  await expect(line).toContainText("Everyone (3)");
  await line.click();
  await page.getByLabel("Topic").selectOption("Cities");
  await expect(line).toContainText("Some subscribers (2)");
  await page.getByLabel("Topic").selectOption("Rivers & seas");
  await expect(line).toContainText("Some subscribers (1)");
  await page.getByLabel("Topic").selectOption("Cities");
  await expect(line).toContainText("Some subscribers (2)");
  await page.getByLabel("Of those, only").selectOption("any of these conditions");
  await page
    .locator("iframe[title='The email as an email app shows it']")
    .evaluate((frame) => frame.remove());
  await look(page, "letter");
  await button("Save draft").click();
  await page.waitForURL(/\/admin\/newsletter\/\d+$/);
  await page.reload();
  await line.click();
  await expect(page.getByLabel("Topic").locator("option:checked")).toHaveText("Cities");
  await expect(page.getByLabel("Of those, only").locator("option:checked")).toHaveText(
    "any of these conditions",
  );
  await page.getByRole("button", { name: "Review and send" }).click();
  await button("Send Newsletter").click();
  await button("Send to 2 subscribers").click();
  await page.waitForURL(/\/report$/);
  await open("subscribers/reader1");
  await expect(page.getByText("Cities", { exact: true })).toBeVisible();
  await open("subscribers/reader2");
  await expect(page.getByText("None: only letters to all")).toBeVisible();
  expect(complaints).toEqual([]);
});

/** The link at the end of a reader's copy of the letter. */
async function linkFor(reader: string) {
  const found = () => site.received.find(({ to }) => to.includes(reader));
  await expect.poll(() => found() !== undefined, { timeout: 30_000 }).toBe(true);
  const { html = "" } = await PostalMime.parse(found()!.raw);
  expect(html).toContain("topic “Cities”");
  const [, href] = /href="([^"]*\/unsubscribe\?[^"]*)"[^>]*>Choose topics or unsubscribe</.exec(html)!;
  return href!.replaceAll("&#38;", "&");
}

const choiceOf = async (id: string) =>
  (
    await sql(`select (select group_concat(name, ', ') from topics
    where id in (select value from json_each(topic_ids))) as names, topic_ids is null as everything
    from subscribers where id = '${id}'`)
  ).results[0];

test("a reader on a phone stops one topic, chooses others, and goes back to every letter", async ({
  browser,
}) => {
  const href = await linkFor(READERS[0]!);
  const context = await browser.newContext({ viewport: phone, reducedMotion: "reduce" });
  const complaints = complaintsOf(context);
  const reader = await context.newPage();
  await openHydrated(reader, href);
  await expect(reader.getByText("You get no more letters on “Cities”")).toBeVisible();
  await expect(reader.getByRole("radio", { name: "Every letter, also on topics to come" })).toBeChecked();
  await look(reader, "preferences");
  await reader.setViewportSize(phone);
  await reader.getByRole("button", { name: "Stop this topic" }).click();
  await expect(reader.getByRole("heading", { level: 1, name: "Your letters are changed" })).toBeFocused();
  expect(await choiceOf("reader0")).toEqual({ names: "Rivers & seas", everything: 0 });
  await look(reader, "chosen");
  await openHydrated(reader, href);
  await expect(reader.getByRole("button", { name: "Stop this topic" })).toHaveCount(0);
  await expect(reader.getByRole("radio", { name: "Only some topics" })).toBeChecked();
  await expect(reader.getByRole("checkbox", { name: "Rivers & seas" })).toBeChecked();
  await expect(reader.getByRole("checkbox", { name: /Cities/ })).not.toBeChecked();
  await reader.getByRole("radio", { name: "Every letter, also on topics to come" }).check();
  // A tick chooses some topics.
  await reader.getByRole("checkbox", { name: /Cities/ }).press("Space");
  await expect(reader.getByRole("radio", { name: "Only some topics" })).toBeChecked();
  await reader.getByRole("radio", { name: "Every letter, also on topics to come" }).check();
  await reader.getByRole("button", { name: "Save choice" }).press("Enter");
  await expect(reader.getByRole("heading", { level: 1, name: "Your letters are changed" })).toBeVisible();
  expect(await choiceOf("reader0")).toEqual({ names: null, everything: 1 });
  expect(complaints).toEqual([]);
  await context.close();
});

test("the same page works without scripts", async ({ browser }) => {
  const href = await linkFor(READERS[1]!);
  const context = await browser.newContext({ viewport: phone, javaScriptEnabled: false });
  const reader = await context.newPage();
  await reader.goto(href);
  await expect(reader.getByRole("radio", { name: "Only some topics" })).toBeChecked();
  await reader.getByRole("checkbox", { name: "Rivers & seas" }).check();
  await reader.getByRole("button", { name: "Save choice" }).click();
  await expect(reader.getByText("Your letters are changed.").first()).toBeVisible();
  expect(await choiceOf("reader1")).toEqual({ names: "Cities, Rivers & seas", everything: 0 });
  await reader.getByRole("button", { name: "Stop this topic" }).click();
  await expect(reader.locator("#stop-sent")).toBeVisible();
  expect(await choiceOf("reader1")).toEqual({ names: "Rivers & seas", everything: 0 });
  await context.close();
});

test("topics are offered with the confirmation of a sign-up", async ({ browser }) => {
  const context = await browser.newContext({ viewport: phone, reducedMotion: "reduce" });
  const complaints = complaintsOf(context);
  const reader = await context.newPage();
  await openHydrated(reader, `${site.url}/podcast`);
  const form = reader.locator("#newsletter");
  await form.getByLabel("Email address").fill("dora@topics.example.com");
  await form.getByRole("button", { name: "Subscribe Now" }).click();
  await expect(form.getByRole("status")).toHaveText("Successfully subscribed! Check your email.");
  await openHydrated(reader, await linkIn("dora@topics.example.com", "/verify-email"));
  await look(reader, "confirmation");
  await reader.setViewportSize(phone);
  await reader.getByRole("checkbox", { name: /Cities/ }).check();
  await reader.getByRole("button", { name: "Confirm subscription" }).click();
  await expect(reader.getByRole("heading", { level: 1, name: "You are subscribed" })).toBeVisible();
  const { results } = await sql(
    `select topics.name as name from subscribers, json_each(topic_ids) as had, topics
      where email = 'dora@topics.example.com' and topics.id = had.value`,
  );
  expect(results).toEqual([{ name: "Cities" }]);
  expect(complaints).toEqual([]);
  await context.close();
});

test("a member chooses topics in their account", async ({ browser }) => {
  await sql(`insert into tiers (name, description, price, sort_order, created_at, updated_at)
    values ('Friend', '', '', 1, 0, 0)`);
  await sql(`insert into members (email, tier_id, source, since, stamp, created_at, updated_at)
    values ('${READERS[2]!}', (select id from tiers), 'free', 0, 's', 0, 0)`);
  await openHydrated(page, `${site.url}/admin/settings/features`);
  await page.getByLabel("Members’ accounts").check();
  await button("Save Changes").click();
  await expectToast(page, "saved");
  await expect.poll(async () => (await page.request.get(`${site.url}/account`)).status()).toBe(200);
  const context = await browser.newContext({ viewport: phone, reducedMotion: "reduce" });
  const reader = await context.newPage();
  await openHydrated(reader, `${site.url}/account`);
  const complaints = complaintsOf(context);
  await reader.getByLabel("Email", { exact: true }).fill(READERS[2]!);
  await reader.getByRole("button", { name: "Email me a link" }).click();
  await expect(reader.getByText("If this address has a membership")).toBeVisible();
  await openHydrated(reader, await linkIn(READERS[2]!, "/account"));
  await reader.getByRole("button", { name: "Sign in" }).click();
  const letters = reader.getByRole("region", { name: "Letters" });
  await expect(letters.getByRole("radio", { name: "Only some topics" })).toBeChecked();
  await letters.getByRole("checkbox", { name: /Cities/ }).check();
  await look(reader, "account");
  await reader.setViewportSize(phone);
  await letters.getByRole("button", { name: "Save choice" }).click();
  await expect(letters.getByText("Your choice is saved.")).toBeVisible();
  expect(await choiceOf("reader2")).toEqual({ names: "Cities", everything: 0 });
  expect(complaints).toEqual([]);
  await context.close();
});
