import { expect, type Page } from "@playwright/test";
import type { Settings } from "../../worker/settings/contract.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { countPresses } from "./support/presses.ts";
import { openHydrated } from "./support/hydrated.ts";
import { loseAnswers } from "./support/lose-answers.ts";
import { signInAsOwner } from "./support/owner.ts";
import { OWNER } from "./support/set-up.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

let site: Site;
let page: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const content = () => page.getByLabel("Content", { exact: true });
const mail = () => page.frameLocator("iframe[title='The email as an email app shows it']");

const savedByItself = () =>
  page.waitForResponse(
    (response) => response.request().postDataJSON()?.automatic === true && response.status() < 300,
  );

test("a letter is composed beside its preview, saved automatically, checked, and sent to its author as a test", async () => {
  const complaints = complaintsOf(page.context());
  await openHydrated(page, `${site.url}/admin/newsletter`);
  await expect(page.getByText("No letters yet")).toBeVisible();
  await page.getByRole("link", { name: "New letter" }).click();
  const saved = savedByItself();
  await page.getByLabel("Subject").fill("On rent");
  await content().fill("Dear reader.\n\n**[Listen](/episode/1)**\n\n<img src=x onerror=alert(1)>");
  // If the response is lost, the next save updates the same letter.
  expect((await saved).request().postDataJSON()).toMatchObject({ draftKey: expect.any(String) });
  await page.waitForURL(/\/admin\/newsletter\/\d+$/);
  await expect(mail().getByRole("heading", { level: 1, name: "On rent" })).toBeVisible();
  await expect(mail().getByRole("link", { name: "Listen" })).toHaveCSS("color", "rgb(255, 255, 255)");

  // The email's own dark styles are applied, although the page's policy would not allow them.
  await page.getByRole("button", { name: "Dark" }).click();
  await expect(mail().locator("body")).toHaveCSS("background-color", "rgb(20, 23, 26)");
  await expect(mail().getByRole("link", { name: "Listen" })).toHaveCSS("color", "rgb(20, 23, 26)");
  await page.getByRole("button", { name: "Phone" }).click();
  await expect
    .poll(() =>
      mail()
        .locator("html")
        .evaluate(() => innerWidth),
    )
    .toBe(360);
  await expect(mail().getByRole("heading", { level: 1 })).toHaveCSS("font-size", "24px");

  await page.getByRole("button", { name: "Check this letter" }).click();
  await expect(page.getByText("You can still send it.")).toBeVisible();
  await expect(page.getByText("There’s no preheader")).toBeVisible();

  await page.getByLabel("Preheader").fill("What it costs.");
  await page.getByRole("button", { name: "Send a test to me" }).click();
  await expect(page.getByText(`The test for ${OWNER} is on its way.`)).toBeVisible();
  expect((await site.mailTo(OWNER)).subject).toBe("[Test] On rent");
  expect(complaints).toEqual([]);
  // axe waits for each frame to answer, and no script runs in this one.
  await page.locator("iframe").evaluate((element) => element.remove());
  await expectNoAxeFindings(page);

  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page.getByRole("row", { name: /On rent/ }).getByText("Draft")).toBeVisible();
});

test("the typed text of a letter and of a subscriber remains when saving fails @full", async () => {
  await openHydrated(page, `${site.url}/admin/newsletter/new`);
  // Before the automatic save.
  await page.context().setOffline(true);
  await page.getByLabel("Subject").fill("From the train");
  await content().fill("Dear reader.");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Your text is still here" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Save draft" })).toBeEnabled();
  await expect(content()).toHaveValue("Dear reader.");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.waitForURL(/\/admin\/newsletter\/\d+$/);

  await openHydrated(page, `${site.url}/admin/newsletter/subscribers`);
  await page.getByRole("link", { name: "Add subscriber" }).click();
  const dialog = page.getByRole("dialog", { name: "Add subscriber" });
  await dialog.getByLabel("Email", { exact: true }).fill("train@example.com");
  await page.context().setOffline(true);
  await dialog.getByLabel("How they agreed").fill("She asked me to, on paper.");
  await dialog.getByRole("button", { name: "Add subscriber" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Your text is still here");
  await expect(dialog.getByLabel("How they agreed")).toHaveValue("She asked me to, on paper.");
  await page.context().setOffline(false);
  await dialog.getByRole("button", { name: "Add subscriber" }).click();
  await expect(dialog).toHaveCount(0);
});

for (const [noun, list, link] of [
  ["essay", "articles", /\*\*\[Read on the site\]\(http\S+\/essays\/\S+\)\*\*$/],
  ["episode", "podcast", /\*\*\[Listen to the episode\]\(http\S+\/episode\/\d+\)\*\*/],
] as const)
  test(`an ${noun} becomes a letter with one click, and its form then links to the letter @full`, async () => {
    await openHydrated(page, `${site.url}/admin/${list}`);
    await page.getByRole("row").filter({ hasText: "Published" }).getByRole("link").first().click();
    const title = await page.getByLabel("Title", { exact: true }).first().inputValue();
    const send = page.getByRole("button", { name: "Send as a letter" });
    await loseAnswers(page, "**/api/admin/newsletters", 1);
    await send.click();
    await expectToast(page, "The connection was lost. Try again.");
    await send.click();
    await page.waitForURL(/\/admin\/newsletter\/\d+$/);
    await expect(page.getByLabel("Subject")).toHaveValue(title);
    await expect(content()).toHaveValue(link);
    await page.getByRole("link", { name: noun, exact: true }).click();
    await expect(page.getByRole("link", { name: "Open its letter" }).first()).toBeVisible();
    await openHydrated(page, `${site.url}/admin/newsletter`);
    await expect(page.getByRole("link", { name: title, exact: true })).toHaveCount(1);
  });

test("a letter is reviewed, scheduled and sent, and its report shows the result", async () => {
  const complaints = complaintsOf(page.context());
  await openHydrated(page, `${site.url}/admin/newsletter`);
  await page.getByRole("link", { name: "On rent", exact: true }).click();
  await page.getByRole("button", { name: "Review and send" }).click();
  await expect(page.getByText("No one would get this letter")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send Newsletter" })).toBeDisabled();

  await subscribe(12);
  await page.reload();
  await expect(page.getByText("12 subscribers right now.")).toBeVisible();
  await page.getByRole("button", { name: "Schedule" }).click();
  await expect(page.getByLabel("Date and time")).toHaveAccessibleDescription(/Choose a date and a time\./);
  await page.getByLabel("Date and time").fill("2030-10-07T08:30");
  await page.getByRole("button", { name: "Schedule" }).click();
  await page.waitForURL(/\/admin\/newsletter$/);
  await expect(page.getByRole("row", { name: /On rent/ }).getByText("Scheduled")).toBeVisible();

  await page.getByRole("link", { name: "On rent", exact: true }).click();
  await page.getByRole("button", { name: "Review and send" }).click();
  const check = page.getByRole("button", { name: "Check this letter" });
  await expect(check).toBeVisible();
  await expect(page.getByRole("button", { name: "Send Newsletter" })).toBeVisible();
  // The same height as other buttons, however long the text beside it is.
  const heightOf = async (button: typeof check) => (await button.boundingBox())!.height;
  expect(await heightOf(check)).toBe(await heightOf(page.getByRole("button", { name: "Send Newsletter" })));
  await check.click();
  await expect(page.getByText("You can still send it.")).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByRole("button", { name: "Send Newsletter" }).click();
  await page.getByRole("button", { name: "Send to 12 subscribers" }).click();
  await page.waitForURL(/\/report$/);
  await expectToast(page, "Newsletter Sent! Successfully sent to 12 subscribers");
  await expect(page.getByRole("definition").getByText("12").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Pause" })).toBeHidden();
  expect(complaints).toEqual([]);
  await page.locator("iframe").evaluate((element) => element.remove());
  await expectNoAxeFindings(page);
});

test("the summary of a letter's recipients opens their fields, and is updated after each change @full", async () => {
  await openHydrated(page, `${site.url}/admin/newsletter/new`);
  const line = page.locator("summary").filter({ hasText: "Who gets it:" });
  await expect(line).toContainText(/Everyone \(12\)\s*·\s*Change/);
  await expect(page.getByLabel("Signed up from")).toBeHidden();
  await line.press("Enter");
  await expect(page.getByLabel("Signed up from")).toBeVisible();
  await page.getByLabel("Signed up from").fill("2031-01-01T00:00");
  await expect(line).toContainText("Some subscribers (0)");
  await page.getByLabel("Signed up from").fill("");
  await expect(line).toContainText("Everyone (12)");
  // axe waits for each frame to answer, and no script runs in this one.
  await page.locator("iframe").evaluate((element) => element.remove());
  await expectNoAxeFindings(page);
  await line.press("Enter");
  await expect(page.getByLabel("Signed up from")).toBeHidden();
});

test("a letter is sent with four clicks, the first of which opens its form @full", async () => {
  const presses = await countPresses(page);
  await openHydrated(page, `${site.url}/admin/newsletter`);
  presses.length = 0;
  await page.getByRole("link", { name: "New letter" }).click();
  await page.getByLabel("Subject").fill("On sleep");
  await content().fill("Sleep well.");
  await page.getByRole("button", { name: "Review and send" }).click();
  await page.waitForURL(/\/admin\/newsletter\/\d+\/send$/);
  await page.getByRole("button", { name: "Send Newsletter" }).click();
  await page.getByRole("button", { name: "Send to 12 subscribers" }).click();
  await page.waitForURL(/\/report$/);
  expect(presses, presses.join()).toHaveLength(4);
});

test("the report of a sent letter adds it to the archive, and removes it @full", async () => {
  const headers = { Origin: site.url };
  const settings = `${site.url}/api/admin/settings`;
  const { site: stored } = (await (await page.request.get(settings)).json()) as Settings;
  const newsletter = { ...stored.newsletter, archive: true };
  expect(await page.request.put(settings, { data: { newsletter }, headers })).toBeOK();
  await openHydrated(page, `${site.url}/admin/newsletter`);
  await page.getByRole("link", { name: "On rent", exact: true }).click();
  const archive = page.getByRole("region", { name: "Archive" });
  // It was written while there was no archive.
  await expect(archive).toContainText("It isn’t in the archive");
  await archive.getByRole("button", { name: "Show in archive" }).click();
  await expectToast(page, "The letter is in the archive");
  const address =
    site.url + (await archive.getByRole("link", { name: "on its own page" }).getAttribute("href"));
  expect((await fetch(address)).status).toBe(200);
  await archive.getByRole("button", { name: "Remove from archive" }).click();
  await expectToast(page, "The letter is no longer in the archive");
  await expect.poll(async () => (await fetch(address)).status).toBe(404);
  // Duplicated from its report, and the copy from its form.
  for (const copies of ["(copy)", "(copy) (copy)"]) {
    await page.getByRole("button", { name: "Duplicate", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`On rent ${copies} · Draft`);
  }
});

test("a letter that was changed since its review cannot be scheduled or sent before another review @full", async () => {
  const headers = { Origin: site.url };
  const letters = `${site.url}/api/admin/newsletters`;
  const data = { subject: "On heat", content: "It is hot." };
  const { id } = (await (await page.request.post(letters, { data, headers })).json()) as { id: number };
  await openHydrated(page, `${site.url}/admin/newsletter/${id}/send`);
  const change = (subject: string) =>
    page.request.patch(`${letters}/${id}`, { data: { subject, content: "It is hot, and" }, headers });
  expect(await change("On heat and light")).toBeOK();
  await page.getByLabel("Date and time").fill("2030-10-07T08:30");
  await page.getByRole("button", { name: "Schedule" }).click();
  await expect(page.getByText("This letter has changed, and wasn’t scheduled.")).toBeVisible();
  await expect(page.getByRole("link", { name: "On heat and light" })).toBeVisible();
  await expect(page.getByLabel("Date and time")).toHaveValue("2030-10-07T08:30");

  expect(await change("On heat and shade")).toBeOK();
  const send = async () => {
    await page.getByRole("button", { name: "Send Newsletter" }).click();
    await page.getByRole("button", { name: "Send to 12 subscribers" }).click();
  };
  await send();
  await expectToast(page, "This letter has changed, and wasn’t sent.");
  await expect(page.getByRole("link", { name: "On heat and shade" })).toBeVisible();
  await send();
  await page.waitForURL(/\/report$/);
});

/** Creates this many confirmed subscribers. */
const subscribe = (count: number) =>
  site.env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into subscribers (id, email, status, source, subscribed_at, consent, verified_at, stamp)
    select 'reader' || i, 'reader' || i || '@example.com', 'active', 'footer', 1000, 'Yes.', 2000, 's' from n`,
  ).run();
