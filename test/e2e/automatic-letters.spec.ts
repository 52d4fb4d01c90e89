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
import { looks } from "./support/windows.ts";

const READER = "reader@automatic.example.com";
const FIVE_MINUTES = 5 * 60_000;
const WEEK = 7 * 86_400_000;

let site: MailingSite;
let page: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startMailingSite({
    sql: `insert into subscribers (id, email, status, source, subscribed_at, consent, verified_at, stamp)
      values ('reader', '${READER}', 'active', 'footer', 1000, 'Yes.', 2000, 's')`,
  });
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInAsOwner(page, site);
});
test.afterAll(async () => {
  await site?.stop();
});

const open = (path: string) => openHydrated(page, `${site.url}/admin/${path}`.replace(/\/$/, ""));
const list = () => open("newsletter/automatic");
const button = (name: string) => page.getByRole("button", { name, exact: true });
const rows = () => page.getByRole("main").getByRole("listitem");
const mail = () => page.frameLocator("iframe[title='The email as an email app shows it']");
const sql = (statement: string) => site.env.DB.prepare(statement).run();
const received = () => site.received.filter(({ to }) => to.includes(READER));

/** Publishes an essay, as if `ago` milliseconds before. */
async function publish(title: string, ago = 0) {
  const headers = { Origin: site.url };
  const data = { title, excerpt: `What ${title} says.`, content: "Words.", status: "published" };
  const answer = await page.request.post(`${site.url}/api/admin/articles`, { data, headers });
  expect(answer).toBeOK();
  await sql(`update automatic_letter_items set noticed_at = noticed_at - ${ago} where status = 'waiting'`);
  return (await answer.json()) as { id: number };
}

async function removeFrame() {
  // axe waits for each frame to answer, and no script runs in this one.
  await page.locator("iframe").evaluate((element) => element.remove());
}

test("an automatic letter is written beside its preview, and sends each new essay once", async () => {
  const complaints = complaintsOf(page.context());
  await open("newsletter");
  await page.getByRole("link", { name: "Automatic", exact: true }).click();
  await expect(page.getByText("No automatic letters yet")).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByRole("link", { name: "New automatic letter" }).click();
  await page.getByLabel("Name").fill("Each essay");
  await page.getByLabel("About").selectOption("Essays");
  await expect(page.getByText("made 5 minutes after the publication")).toBeVisible();
  await page.getByLabel("Once a letter is made").selectOption("Send automatically");
  await expect(page.getByText("published by an editor, or by a program that may publish")).toBeVisible();
  await page.getByRole("switch", { name: "On" }).check();
  await page.getByLabel("Subject").fill("New: {{title}}");
  await expect(page.getByText(/^Subject: New: \S/)).toBeVisible();
  await expect(mail().getByRole("link", { name: "Read on the site" })).toBeVisible();

  await page.getByText("Placeholders", { exact: true }).click();
  await expect(page.getByText("{{summary}}", { exact: true })).toBeVisible();
  const content = page.getByLabel("Content", { exact: true });
  const whole = await content.inputValue();
  await content.fill("Dear reader, {{titel}}");
  await expect(page.getByRole("status").filter({ hasText: "The items are missing" })).toBeVisible();
  await button("Save").click();
  await expect(content).toHaveAccessibleDescription(/The items are missing/);
  // The browser reports the refused preview and the refused save.
  for (const complaint of complaints.splice(0)) expect(complaint).toContain("422");
  await content.fill(`Dear reader.\n\n${whole}`);
  await removeFrame();
  await expectNoAxeFindings(page);
  await button("Save").click();
  await expectToast(page, "Automatic letter created successfully");
  await expect(rows()).toContainText("After each publication · Essays · Sent automatically");
  await expect(rows()).toContainText("Nothing new yet");

  const { id: essay } = await publish("On heat");
  await open(`articles/${essay}`);
  await button("After publishing").click();
  await expect(page.getByText("It waits for the automatic letter “Each essay”.")).toBeVisible();
  await site.tick();
  await list();
  await expect(rows()).toContainText("1 new item");
  await expect(rows()).toContainText("No letter yet");
  expect(received()).toEqual([]);
  await sql(`update automatic_letter_items set noticed_at = noticed_at - ${FIVE_MINUTES}`);
  await site.tick();
  await expect.poll(() => received().length).toBe(1);
  await site.tick();
  const sent = await PostalMime.parse(received()[0]!.raw);
  expect(sent.subject).toBe("New: On heat");
  expect(sent.text).toContain("Dear reader.");
  expect(sent.text).toContain("What On heat says.");
  await list();
  await expect(rows()).toContainText("Nothing new yet");
  await rows().getByRole("link", { name: /\d{4}/ }).click();
  await page.waitForURL(/\/report$/);
  await expect(page.getByText("New: On heat").first()).toBeVisible();
  expect(received()).toHaveLength(1);
  expect(complaints).toEqual([]);
});

test("switching it off drops what waits, after a question", async () => {
  await publish("On wind");
  await list();
  await button("Switch off Each essay").click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("The new item that waits for it won’t be sent");
  await question.getByRole("button", { name: "Switch off" }).click();
  await expectToast(page, "Automatic letter switched off");
  await expect(rows().getByText("Off", { exact: true })).toBeVisible();
  await button("Switch on Each essay").click();
  await expectToast(page, "Automatic letter switched on");
  await expect(rows()).toContainText("Nothing new yet");
  await button("Switch off Each essay").click();
  await expectToast(page, "Automatic letter switched off");
  await button("Switch on Each essay").click();
  await expectToast(page, "Automatic letter switched on");
  await sql(`update automatic_letter_items set noticed_at = noticed_at - ${FIVE_MINUTES}`);
  await site.tick();
  expect(received()).toHaveLength(1);
});

test("a digest waits for approval on the desk, and the owner reviews and sends it", async () => {
  await list();
  await page.getByRole("link", { name: "Edit Each essay" }).click();
  await page.getByLabel("How often").selectOption("Every month");
  await page.getByLabel("Day of the month").selectOption("31, or the last day");
  await page.getByLabel("How often").selectOption("Every week");
  await page.getByLabel("Day of the week").selectOption("Friday");
  await page.getByLabel("Hour").selectOption("17:00");
  await page.getByLabel("Once a letter is made").selectOption("Wait for my approval");
  await page.getByLabel("Name").fill("Each week");
  await page.getByLabel("Subject").fill("{{count}} new essays");
  await button("Save").click();
  await expectToast(page, "Automatic letter updated successfully");
  await expect(rows()).toContainText("Every week on Friday at 17:00 · Essays · Waits for your approval");
  await expect(rows()).toContainText("Next: ");

  await publish("On rain", 2 * WEEK);
  await publish("On snow", 2 * WEEK);
  await sql(`update automatic_letters set done_until = done_until - ${WEEK}`);
  await site.tick();
  await site.tick();
  await open("articles");
  await page.getByRole("link", { name: "1 automatic letter", exact: true }).click();
  const row = page.getByRole("row", { name: /2 new essays/ });
  await expect(row).toContainText("Made automatically. It waits for your approval.");
  await row.getByRole("link", { name: "2 new essays", exact: true }).click();
  await expect(page.getByText("It isn’t sent until you review and send it.")).toBeVisible();
  await expect(mail().getByRole("heading", { name: "On snow" })).toBeVisible();
  expect(received()).toHaveLength(1);
  await button("Review and send").click();
  await button("Send Newsletter").click();
  await button("Send to 1 subscriber").click();
  await page.waitForURL(/\/report$/);
  await expect.poll(() => received().length).toBe(2);
  expect((await PostalMime.parse(received()[1]!.raw)).subject).toBe("2 new essays");
  await open("articles");
  await expect(page.getByRole("link", { name: "1 automatic letter" })).toHaveCount(0);
});

for (const { viewport, colorScheme } of looks)
  test(`long names fit, at ${viewport.width} px and in ${colorScheme} colours @full`, async () => {
    await sql(`update automatic_letters set name = '${"Donaudampfschifffahrtsgesellschaft".repeat(2)}'`);
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    await list();
    await expectNoAxeFindings(page);
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await rows()
      .getByRole("link", { name: /^Donau/ })
      .click();
    await expect(page.getByLabel("Name")).toBeVisible();
    await removeFrame();
    await expectNoAxeFindings(page);
    expect(await overflow()).toBeLessThanOrEqual(0);
  });

test("it is deleted for good after a question, with the keyboard", async () => {
  await sql("update automatic_letters set name = 'Each week'");
  await list();
  await button("Delete Each week").press("Enter");
  await expect(page.getByRole("alertdialog")).toContainText("Letters that it has made stay.");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete automatic letter" }).press("Enter");
  await expectToast(page, "Automatic letter deleted successfully");
  await expect(page.getByText("No automatic letters yet")).toBeVisible();
  await open("newsletter");
  await expect(page.getByRole("row", { name: /2 new essays/ })).toBeVisible();
});
