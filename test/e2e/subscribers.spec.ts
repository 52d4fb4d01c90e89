import { expect, type Browser, type Page } from "@playwright/test";
import { TextReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import { SignJWT } from "jose";
import { expectNoAxeFindingsInThemes } from "./support/accessible.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { elementOf } from "./support/translation.ts";

let site: Site;
let page: Page;
let complaints: string[];

const SECRET = "a secret that this test knows, and nobody else";
const LIST = "/admin/newsletter/subscribers";

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite({
    sql: [
      "delete from subscribers",
      `insert or replace into signing_keys (id, secret) values (1, '${SECRET}')`,
    ],
  });
  page = await (await browser.newContext()).newPage();
  complaints = complaintsOf(page.context());
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const searchButton = () => page.getByRole("main").getByRole("button", { name: "Search" });
const row = (email: string) => page.getByRole("row", { name: email });
const api = (method: "get" | "post", path: string, data?: object) =>
  page.request[method](`${site.url}/api/admin/subscribers${path}`, {
    headers: { Origin: site.url },
    ...(data && { data }),
  });

/** The preview of the people in a file before the import, by state. */
const people = () =>
  page
    .getByRole("region", { name: "Who is in this file" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading") });
const choose = (name: string, content: string | Buffer) =>
  page
    .getByLabel("CSV file")
    .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(content as string) });

const file = [
  "Email Address,OPTIN_TIME,CONFIRM_TIME,Status",
  ...Array.from({ length: 700 }, (_, index) => `reader${index}@example.com,2024-05-06 10:00:00,,subscribed`),
  "reader5@example.com,,,subscribed",
  '"broken,2024-05-06',
  "jürgen@example.com,31.2.2024,,subscribed",
  "=cmd|' /C calc'!A0,,,subscribed",
  "gone@example.com,,,unsubscribed",
  "late@example.com,,,pending",
].join("\r\n");

test("a list in Latin-1 is imported despite a lost connection, with a report of each line", async () => {
  await openHydrated(page, site.url + LIST);
  await expect(page.getByText("No subscribers yet")).toBeVisible();
  await page.getByRole("link", { name: "Import CSV" }).click();
  await page
    .getByLabel("CSV file")
    .setInputFiles({ name: "picture.png", mimeType: "image/png", buffer: Buffer.from([137, 80, 0, 0]) });
  await expect(page.getByLabel("CSV file")).toHaveAccessibleDescription(/This isn’t a CSV file/);
  await page
    .getByLabel("CSV file")
    .setInputFiles({ name: "list.csv", mimeType: "text/csv", buffer: Buffer.from(file, "latin1") });
  await expect(page.getByText("read as Windows-1252")).toBeVisible();
  await expect(page.getByLabel("Confirmation date")).toHaveValue("2");
  await expect(page.getByRole("region", { name: "Preview" }).getByRole("row")).toHaveCount(6);
  await expect(people().filter({ hasText: "Unsubscribed" })).toContainText("gone@example.com");
  await page.getByRole("button", { name: "Start the import" }).click();
  await expect(page.getByLabel("How these people agreed")).toHaveAccessibleDescription(/Say how they agreed/);
  await expect(page.getByLabel("How these people agreed")).toBeFocused();
  await page.getByLabel("How these people agreed").fill("The form of my former newsletter");
  await page.getByLabel("They confirmed their addresses").check();
  await expectNoAxeFindingsInThemes(page);

  // The second part is lost; its retry is held until the alert was seen.
  let parts = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/admin/subscribers/import", async (route) => {
    const part = ++parts;
    if (part === 2) return route.abort();
    if (part > 2) await released;
    return route.continue();
  });
  await page.getByRole("button", { name: "Start the import" }).click();
  await expect(page.getByRole("alert")).toHaveText(/connection was lost/);
  release();
  await expect(page.getByRole("heading", { name: "The import is complete" })).toBeFocused();
  await page.unroute("**/api/admin/subscribers/import");
  const report = page.getByRole("main").getByRole("listitem");
  await expect(report).toHaveText([
    "706lines in total",
    "700added as verified",
    "1added as pending",
    "1added as unsubscribed, bounced or complained, so they get no emails",
    "1duplicates in the file",
    "3left out, since they couldn’t be read or aren’t clear",
    "1had an unreadable date",
  ]);
  await expect(row("reader5@example.com")).toContainText("702");
  await expect(row("Another line has the same address")).toBeVisible();
  await expect(row("This line has an unmatched quotation mark")).toBeVisible();
  await expect(row("is a formula")).toBeVisible();
  await expectNoAxeFindingsInThemes(page);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download as CSV" }).click();
  expect((await download).suggestedFilename()).toBe("import-report.csv");
  await page.getByRole("button", { name: "Email 1 pending subscriber to confirm" }).click();
  await expect(page.getByText("1 pending subscriber is being emailed to confirm")).toBeVisible();
  expect((await site.mailTo("late@example.com")).link).toContain("/verify-email?token=");
  await page.getByRole("link", { name: "Go to subscribers" }).click();
  await expect(elementOf(page.getByText("Total Subscribers")).locator("..")).toContainText("702");
});

test("the list is searched and filtered, and a deletion moves the focus to the next row", async () => {
  await expect(page.getByRole("row")).toHaveCount(31);
  await page.getByRole("searchbox", { name: "Search" }).fill("ader69");
  await searchButton().click();
  await expect(page.getByRole("row")).toHaveCount(12);
  await expect(page.getByText("Subscribers shown: 11.", { exact: true })).toHaveCount(1);
  await page.getByRole("searchbox", { name: "Search" }).fill("");
  await page.getByLabel("State").selectOption("Unsubscribed");
  await searchButton().click();
  await expect(page.getByRole("row")).toHaveCount(2);
  await expect(row("gone@example.com")).toContainText("Unsubscribed");
  await page.getByRole("link", { name: "Clear" }).click();
  // Clearing renders another form: text typed before that would be lost.
  await expect(page.getByRole("link", { name: "Clear" })).toHaveCount(0);
  await expect(page.getByRole("main")).toBeFocused();
  await expect(row("gone@example.com")).toBeVisible();
  await page.getByLabel("From").fill("2024-05-06");
  await page.getByLabel("To", { exact: true }).fill("2024-05-06");
  await searchButton().click();
  await expect(page).toHaveURL(/from=2024-05-06&to=2024-05-06/);
  await expect(row("gone@example.com")).toHaveCount(0);
  await expect(page.getByRole("row")).toHaveCount(31);
  await expectNoAxeFindingsInThemes(page);

  const [first, second] = (await page.getByRole("row").getByRole("link").allTextContents()) as [
    string,
    string,
  ];
  await page.getByRole("button", { name: `Delete ${first}` }).click();
  await page.route(`**/api/admin/subscribers/*`, (route) => route.abort());
  await page.getByRole("button", { name: "Delete subscriber" }).click();
  await expectToast(page, "Failed to delete subscriber");
  await page.unroute(`**/api/admin/subscribers/*`);
  await page.getByRole("button", { name: `Delete ${first}` }).click();
  await page.getByRole("button", { name: "Delete subscriber" }).click();
  await expectToast(page, "Subscriber deleted successfully");
  await expect(page.getByRole("link", { name: second })).toBeFocused();
  await expect(page.getByRole("link", { name: first })).toHaveCount(0);
});

test("a subscriber is added by hand with consent, opened, and unsubscribed on request", async () => {
  // Opened from a later page of a search, to which it returns.
  await openHydrated(page, `${site.url}${LIST}?q=example`);
  await page.getByRole("link", { name: "Older subscribers" }).click();
  await page.waitForURL(/before=/);
  await expect(page.getByRole("main")).toBeFocused();
  const { search } = new URL(page.url());
  await page.getByRole("link", { name: "Add subscriber" }).click();
  const dialog = page.getByRole("dialog", { name: "Add subscriber" });
  await expect(dialog.getByLabel("Email", { exact: true })).toBeFocused();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(`${site.url}${LIST}${search}`);
  await page.getByRole("link", { name: "Add subscriber" }).click();
  await dialog.getByLabel("Email", { exact: true }).fill("gone@example.com");
  await dialog.getByLabel("How they agreed").fill("Asked me at the fair");
  await dialog.getByRole("button", { name: "Add subscriber" }).click();
  await expect(dialog.getByLabel("Email", { exact: true })).toHaveAccessibleDescription(
    /This address unsubscribed/,
  );
  await expectNoAxeFindings(page);
  await dialog.getByLabel("Email", { exact: true }).fill("hand@example.com");
  await dialog.getByLabel("They already confirmed").check();
  await dialog.getByRole("button", { name: "Add subscriber" }).click();
  await expectToast(page, "Added as verified.");
  await expect(page.getByRole("row").filter({ hasText: "hand@example.com" })).toContainText("Added by hand");
  await expect(page.getByLabel("Source").locator("option", { hasText: "Added by hand" })).toBeAttached();
  await page.getByRole("link", { name: "hand@example.com" }).click();
  await expect(page.getByRole("heading", { name: "hand@example.com" })).toBeVisible();
  await expect(page.getByText(/Entered by hand on .*: Asked me at the fair/)).toBeVisible();
  await expectNoAxeFindingsInThemes(page);
  await page.getByRole("button", { name: "Unsubscribe" }).click();
  await expectToast(page, "Subscriber unsubscribed");
  await expect(page.getByRole("button", { name: "Unsubscribe" })).toHaveCount(0);
  const exported = await api("get", "/export");
  expect(exported.headers()["content-disposition"]).toContain("subscribers-");
  expect((await exported.text()).trim().split("\r\n")).toHaveLength(703);
  // Except the errors that these tests provoke.
  expect(complaints.filter((complaint) => !/ERR_FAILED|Failed to fetch|409/.test(complaint))).toEqual([]);
});

const mixed = [
  "sep=;",
  "Email;Name;Status;Unsubscribed at;Plan;Company",
  ...Array.from({ length: 12 }, (_, index) => `stays${index}@example.com;Ada;subscribed;;;`),
  "stays-too@example.com;Gil;subscribed;;;No Marketing Ltd",
  "left@example.com;Ben;subscribed;2024-01-02;",
  "came-back@example.com;Cem;bounced;;",
  "odd@example.com;Dag;Frozen;;",
  "blank@example.com;Eva;;;",
  ";Fay;subscribed;;",
].join("\r\n");

test("the preview of an import shows people by state, the columns used, and unknown values @full", async () => {
  await openHydrated(page, `${site.url}${LIST}/import`);
  await choose("list.csv", mixed);
  await expect(people()).toHaveText([
    /^13Subscribed.*stays0@example\.com, .*stays9@example\.com …$/,
    /^2Left out.*odd@example\.com, blank@example\.com$/,
    /^1Unsubscribed.*left@example\.com$/,
    /^1Bounced.*came-back@example\.com$/,
  ]);
  const found = page.getByRole("region", { name: "Who is in this file" });
  await expect(found).toContainText("Columns that decided");
  await expect(found).toContainText("“Status”: 1 person left or never confirmed");
  await expect(found).toContainText("“Unsubscribed at”: 1 person left or never confirmed");
  const open = page.getByRole("region", { name: "Not understood" });
  await expect(open).toContainText("1 line without an email address");
  await expect(open.getByLabel("“Status” is blank: 1 person")).toHaveValue("");
  await open.getByLabel("“Status” says “Frozen”: 1 person").selectOption("They left");
  await expect(people().filter({ hasText: "Unsubscribed" })).toContainText(
    "left@example.com, odd@example.com",
  );
  const mentioned = page.getByRole("region", { name: "Words in other columns" });
  const company = mentioned.getByLabel("“Company” says “No Marketing Ltd”: 1 person");
  await expect(company).toHaveValue("");
  await company.focus();
  // The answer stays on the page, with the focus in it, and can be taken back.
  for (const [key, value, subscribed] of [
    ["ArrowDown", "unsubscribed", "12"],
    ["ArrowUp", "", "13"],
  ] as const) {
    await page.keyboard.press(key);
    await expect(company).toHaveValue(value);
    await expect(people().first()).toHaveText(new RegExp(`^${subscribed}Subscribed`));
    await expect(company).toBeFocused();
  }
  await expectNoAxeFindingsInThemes(page);
  await page.getByLabel("How these people agreed").fill("By my former form");
  await page.getByLabel("They confirmed their addresses").check();
  await page.getByRole("button", { name: "Start the import" }).click();
  await expect(page.getByRole("heading", { name: "The import is complete" })).toBeFocused();
  expect(await statesOf("stays1@", "left@", "came-back@", "odd@", "blank@")).toEqual({
    "stays1@example.com": "confirmed",
    "left@example.com": "unsubscribed",
    "came-back@example.com": "bounced",
    "odd@example.com": "unsubscribed",
  });
});

test("importing a list without states asks for them, and records people who left @full", async () => {
  await openHydrated(page, `${site.url}${LIST}/import`);
  // One of them is subscribed here.
  await choose("blocklist.csv", "Email\nstays1@example.com\nnever@example.com\n");
  const question = page.getByRole("group", {
    name: "Does this file hold only people who agreed and have not left?",
  });
  await expect(question).toBeVisible();
  await page.getByRole("button", { name: "Start the import" }).click();
  await expect(question).toHaveAccessibleDescription("Answer this before the import.");
  await expect(question.getByLabel("Yes")).toBeFocused();
  await expectNoAxeFindingsInThemes(page);
  await question.getByLabel("No, these left").check();
  await expect(people()).toHaveText([/^2Unsubscribed.*stays1@example\.com, never@example\.com$/]);
  await expect(page.getByLabel("How these people agreed")).toHaveCount(0);
  await page.getByRole("button", { name: "Start the import" }).click();
  await expect(page.getByRole("heading", { name: "The import is complete" })).toBeFocused();
  await expect(page.getByRole("main").getByRole("listitem")).toHaveText([
    "2lines in total",
    "1added as unsubscribed, bounced or complained, so they get no emails",
    "1subscribed here until now, and taken off, since the file says they left",
  ]);
  expect(await statesOf("stays1@", "never@")).toEqual({
    "stays1@example.com": "unsubscribed",
    "never@example.com": "unsubscribed",
  });
  await expectNoAxeFindingsInThemes(page);
});

test("the report is shown while the pending subscribers are asked, once @full", async () => {
  await openHydrated(page, `${site.url}${LIST}/import`);
  await choose("asked.csv", "Email\nto-ask@example.com\n");
  await page.getByLabel("Yes").check();
  await page.getByLabel("How these people agreed").fill("By my former form");
  await page.getByLabel("Email them to confirm, after the import").check();
  const address = "**/api/admin/subscribers/import/ask";
  let asked = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    asked++;
    await released;
    await route.continue();
  });
  await page.getByRole("button", { name: "Start the import" }).click();
  await expect(page.getByRole("heading", { name: "The import is complete" })).toBeFocused();
  const ask = page.getByRole("button", { name: "Email 1 pending subscriber to confirm" });
  await expect(ask).toHaveAttribute("aria-busy", "true");
  release();
  await expect(page.getByText("1 pending subscriber is being emailed to confirm")).toBeVisible();
  expect(asked).toBe(1);
  await page.unroute(address);
  expect((await site.mailTo("to-ask@example.com")).link).toContain("/verify-email?token=");
});

test("a downloaded zip offers each of its lists, and names a file that is not one @full", async () => {
  await openHydrated(page, `${site.url}${LIST}/import`);
  const before = await total();
  for (const [name, content, message] of [
    ["a.pdf", "%PDF-1.7", /it’s a PDF/],
    ["a.json", '[{"email":"a@example.com"}]', /it’s a JSON file/],
    ["a.html", "<!doctype html><p>", /it’s a web page/],
    ["a.xlsx", await zipped({ "xl/workbook.xml": "<workbook/>" }), /it’s an Excel file \(XLSX\)/],
    [
      "half.zip",
      (await zipped({ "a.csv": "email\na@example.com" })).subarray(0, 40),
      /This zip can’t be read/,
    ],
  ] as const) {
    await choose(name, content);
    await expect(page.getByLabel("CSV file")).toHaveAccessibleDescription(message);
  }
  await choose("nobody.csv", "name,city\nAda,Perth\n");
  await expect(page.getByRole("alert")).toHaveText("No column of this file has email addresses.");
  await page.getByRole("button", { name: "Choose another file" }).click();
  await choose("unsubscribes.csv", "Email\nquiet@example.com\n");
  await expect(page.getByLabel("Below “unsubscribes.csv”: 1 person")).toHaveValue("");
  await page.getByRole("button", { name: "Choose another file" }).click();
  expect(await total()).toBe(before);

  const mailchimp = "Email Address,OPTIN_TIME,CONFIRM_TIME\n";
  await choose(
    "export.zip",
    await zipped({
      "subscribed_members_1.csv": `${mailchimp}zipped@example.com,2024-01-02 10:00:00,2024-01-02 10:00:00\n`,
      "nonsubscribed_members_1.csv": `${mailchimp}asked-never@example.com,,2024-01-02 10:00:00\n`,
    }),
  );
  await page.getByRole("button", { name: "Review nonsubscribed_members_1.csv" }).click();
  await expect(people()).toHaveText([/^1Unsubscribed.*asked-never@example\.com$/]);
  await expect(page.getByText(/contacts never agreed to letters, as the file’s name says/)).toBeVisible();
  await page.getByRole("button", { name: "Start the import" }).click();
  await page.getByRole("button", { name: "Import another file" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "nonsubscribed" })).toContainText("Reviewed");
  await expectNoAxeFindingsInThemes(page);
  await page.getByRole("button", { name: "Review subscribed_members_1.csv" }).click();
  await page.getByLabel("Yes").check();
  await expect(people()).toHaveText([/^1Subscribed.*zipped@example\.com$/]);
  expect(await statesOf("asked-never@", "zipped@")).toEqual({ "asked-never@example.com": "unsubscribed" });
});

test("a list of 200,000 lines is counted before anyone is imported @full", async () => {
  await openHydrated(page, `${site.url}${LIST}/import`);
  const before = await total();
  const lines = Array.from(
    { length: 200_000 },
    (_, index) => `n${index}@x.example,${index % 2 ? "subscribed" : "unsubscribed"}`,
  );
  await choose("long.csv", `email,status\n${lines.join("\n")}\n`);
  await expect(people()).toHaveText([/^100,000Subscribed/, /^100,000Unsubscribed/]);
  expect(await total()).toBe(before);
});

const total = async () => site.env.DB.prepare("select count(*) from subscribers").first<number>("count(*)");

/** The states of the subscribers whose addresses begin with these names. */
async function statesOf(...names: string[]) {
  const all = names.map((name) => `'${name}example.com'`).join();
  const { results } = await site.env.DB.prepare(
    `select email, state from subscribers where email in (${all})`,
  ).all<{ email: string; state: string }>();
  return Object.fromEntries(results.map(({ email, state }) => [email, state]));
}

async function zipped(files: Record<string, string>) {
  const writer = new ZipWriter(new Uint8ArrayWriter());
  for (const [name, content] of Object.entries(files)) await writer.add(name, new TextReader(content));
  return Buffer.from(await writer.close());
}

/** The address of the page that a letter's unsubscribe link opens. */
async function linkOf(email: string) {
  const created = await api("post", "", { email, consent: "Words", ask: false });
  const { id } = (await created.json()) as { id: string };
  const token = await new SignJWT({ stamp: "" })
    .setProtectedHeader({ alg: "HS256" })
    .setAudience("unsubscribe")
    .setSubject(id)
    .sign(new TextEncoder().encode(SECRET));
  return { address: `${site.url}/unsubscribe?token=${token}`, id };
}

const reader = async (browser: Browser, javaScriptEnabled: boolean) =>
  (await browser.newContext({ javaScriptEnabled })).newPage();

const heading = (of: Page) => of.getByRole("heading", { level: 1 });
const stateOf = async (id: string) => {
  const response = await api("get", `/${id}`);
  return response.ok() ? ((await response.json()) as { state: string; pausedUntil: number | null }) : null;
};

for (const hasScripts of [true, false]) {
  const kind = hasScripts ? "with" : "without";

  test(`${kind} scripts a reader pauses, unsubscribes, and has all data deleted${hasScripts ? "" : " @full"}`, async ({
    browser,
  }) => {
    const { address, id } = await linkOf(`${kind}@example.com`);
    const visitor = await reader(browser, hasScripts);
    const open = () => (hasScripts ? openHydrated(visitor, address) : visitor.goto(address));
    await open();
    await expect(heading(visitor)).toHaveText("Unsubscribe");
    if (hasScripts) await expectNoAxeFindingsInThemes(visitor);
    expect(await stateOf(id)).toMatchObject({ state: "confirmed", pausedUntil: null });

    await visitor.getByRole("button", { name: "Pause for 30 days" }).click();
    await expect(heading(visitor)).toHaveText("Your letters are paused");
    if (hasScripts) await expect(heading(visitor)).toBeFocused();
    const { pausedUntil } = (await stateOf(id))!;
    const day = new Intl.DateTimeFormat("en-AU", { timeZone: "Australia/Sydney", dateStyle: "long" });
    await expect(visitor.getByRole("main")).toContainText(`until ${day.format(pausedUntil!)}`);

    await open();
    await expect(heading(visitor)).toHaveText("Your letters are paused");
    await visitor.getByRole("button", { name: "Unsubscribe" }).click();
    await expect(heading(visitor)).toHaveText("You are unsubscribed");
    expect(await stateOf(id)).toMatchObject({ state: "unsubscribed", pausedUntil: null });

    await open();
    await expect(heading(visitor)).toHaveText("No letters are sent");
    // By keyboard.
    await visitor.locator("summary", { hasText: "Delete my subscription" }).focus();
    await visitor.keyboard.press("Enter");
    await visitor.keyboard.press("Tab");
    await expect(visitor.getByRole("button", { name: "Delete subscription" })).toBeFocused();
    if (hasScripts) await expectNoAxeFindingsInThemes(visitor);
    await visitor.keyboard.press("Enter");
    await expect(heading(visitor)).toHaveText("Your subscription is deleted");
    expect(await stateOf(id)).toBeNull();
    await open();
    await expect(heading(visitor)).toHaveText("This subscription is deleted");
    await visitor.context().close();
  });
}
