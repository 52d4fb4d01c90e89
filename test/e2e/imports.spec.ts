import { expect, type Page } from "@playwright/test";
import { BlobWriter, TextReader, ZipWriter } from "@zip.js/zip.js";
import type { ImportProgress } from "../../worker/imports/contract.ts";
import { expectAccessible } from "./support/accessible.ts";
import { complaintsOf } from "./support/console.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

let site: Site;
let page: Page;
let complaints: string[];

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  complaints = complaintsOf(page.context());
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const UPDATE = "/admin/articles/update";
const heading = (name: string) => page.getByRole("heading", { name });
const row = (words: string) => page.getByRole("listitem").filter({ hasText: words }).last();
/** The progress of the latest LinkedIn import. */
async function latestFromLinkedIn() {
  const answer = await page.request.get(`${site.url}/api/admin/imports?kind=linkedin`);
  const { items } = (await answer.json()) as { items: ImportProgress[] };
  return { state: items[0]?.state, done: items[0]?.counts.done };
}
const button = (name: string | RegExp) => page.getByRole("button", { name });

const file = (name: string, content: string) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(content),
});
const markdown = (head: string, body: string) => `---\n${head}\n---\n\n${body}\n`;
const longName = `${"a-very-long-name-".repeat(12)}.md`;

const batch = () => [
  file(
    "first.md",
    markdown("title: Ground rules\nstatus: draft\nexcerpt: Kept.", "The old words stand here."),
  ),
  file(longName, markdown("title: A post from elsewhere\ndate: 2024-05-06\nlayout: post", "Words.")),
  file(
    "more.json",
    JSON.stringify([
      {
        title: "From HTML",
        tags: ["one"],
        content: "<h2>Part</h2><p>Some <b>bold</b> words.</p><script>alert(1)</script>",
      },
      { title: "In a new category", category: "Lamps" },
    ]),
  ),
  file("broken.md", markdown("title: [a, b", "Words.")),
  file("twice-1.md", markdown("title: Twice", "Words.")),
  file("twice-2.md", markdown("title: Twice", "Others.")),
];
const changed = () => [
  file("first.md", markdown("title: Ground rules", "The new words stand here.")),
  ...batch().slice(1),
];

test("a batch is compared, written despite a lost connection, and changes nothing the second time @full", async () => {
  await openHydrated(page, site.url + UPDATE);
  await expectAccessible(page);
  const input = page.getByLabel("Markdown or JSON files");
  await input.setInputFiles(batch());
  await expect(heading("Nothing is written yet")).toBeFocused();
  await expect(
    page.getByText("0 articles to update, 4 to insert, 0 without a change. 3 can’t be imported"),
  ).toBeVisible();
  // Only the article with a date counts as published before.
  await expect(page.getByText("New: 1 published, 3 drafts.")).toBeVisible();
  await page.getByLabel("Insert all of them as drafts").check();
  await expect(page.getByText("New: 4 drafts.")).toBeVisible();
  await page.getByLabel("Insert all of them as drafts").uncheck();
  await expect(row("From HTML")).toContainText("As a draft");
  await expect(row("A post from elsewhere")).toContainText(/Published, .*2024/);
  await expect(row("broken.md")).toContainText("The front matter isn’t valid YAML");
  await expect(row("twice-2.md")).toContainText("2 items in the batch have this title.");
  const creates = page.getByLabel("Create the category that doesn’t exist here");
  await expect(creates).toBeChecked();
  await expect(page.getByText("“Lamps” (1 article).")).toBeVisible();
  await creates.uncheck();
  await expect(page.getByText("New articles come without it")).toBeVisible();
  await creates.check();
  await expect(row("A post from elsewhere")).toContainText("Left out: layout.");
  await button("Show the article: From HTML").click();
  await expect(row("From HTML")).toContainText("Some **bold** words.");
  await expect(row("From HTML")).not.toContainText("alert");
  await expectAccessible(page);

  // The second attempt is held until the alert was seen, because its response removes the alert.
  let requests = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/api/admin/imports/articles", async (route) => {
    if (++requests === 1) return route.abort();
    await released;
    return route.continue();
  });
  await button("Insert 4 articles").click();
  await expect(page.getByRole("alert")).toHaveText(/connection was lost/);
  release();
  await expect(heading("The update is complete")).toBeFocused();
  await page.unroute("**/api/admin/imports/articles");
  await expectToast(page, "4 articles successful, 3 failed");
  // All chosen articles are in the result, including those not sent.
  await expect(page.getByRole("region", { name: "Articles in the batch" }).getByRole("listitem")).toHaveCount(
    7,
  );
  await expect(row("From HTML")).toContainText("Inserted");
  for (const [title, reason] of [
    ["broken.md", "The front matter isn’t valid YAML"],
    ["twice-1.md", "2 items in the batch have this title."],
  ] as const) {
    await expect(row(title)).toContainText("Not written");
    await expect(row(title)).toContainText(reason);
  }
  await expectAccessible(page);

  await button("Choose other files").click();
  await input.setInputFiles(changed());
  await expect(page.getByText("1 article to update, 0 to insert, 3 without a change.")).toBeVisible();
  await button("Show the difference: Ground rules").click();
  await expect(row("Ground rules").locator("del")).toHaveText(/old/);
  await expect(row("Ground rules").locator("ins")).toHaveText(/new/);
  await button("Refused (3)").click();
  await expect(row("Ground rules")).toHaveCount(0);
  await expectAccessible(page);
  await button("Update 1 article").click();
  await expect(heading("The update is complete")).toBeFocused();
  await expect(row("Ground rules")).toContainText("Updated");
  await expect(row("From HTML")).toContainText("No change");
  await page.getByRole("link", { name: "Ground rules" }).click();
  await expect(page.getByLabel("Excerpt")).toHaveValue("Kept.");
  await page.goto(`${page.url()}/versions`);
  await expect(page.getByRole("main")).toContainText("Imogen Tarrant");

  await openHydrated(page, site.url + UPDATE);
  await input.setInputFiles(changed().slice(0, 2));
  await expect(heading("There is nothing to write")).toBeFocused();
  await expect(page.getByText("2 without a change")).toBeVisible();
});

test("a cancelled comparison returns to the choice of files @full", async () => {
  await openHydrated(page, site.url + UPDATE);
  const release = await hold(page, "**/api/admin/imports/articles", { times: 1 });
  const input = page.getByLabel("Markdown or JSON files");
  await input.setInputFiles(batch());
  await expect(page.getByText("0 of 4 articles compared")).toBeVisible();
  await button("Cancel").click();
  release();
  await expect(input).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a refusal by the server is shown, and the same choice can be sent again @full", async () => {
  await openHydrated(page, site.url + UPDATE);
  const dataTransfer = await page.evaluateHandle(
    (text) => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([text], "a.md"));
      return dropped;
    },
    markdown("title: Fresh", "Words."),
  );
  await page.getByText("Choose files, or drop them here").dispatchEvent("drop", { dataTransfer });
  await expect(heading("Nothing is written yet")).toBeFocused();
  await page.route("**/api/admin/imports/articles", (route) =>
    route.fulfill({
      status: 403,
      json: { error: { code: "forbidden", message: "This is not yours to do." } },
    }),
  );
  await button("Insert 1 article").click();
  await expectToast(page, "Failed to update articles");
  await expect(page.getByRole("alert")).toContainText("This is not yours to do.");
  await expect(row("Fresh")).toContainText("Not written.");
  await page.unroute("**/api/admin/imports/articles");
});

test("the upkeep of all articles shows its findings @full", async () => {
  await openHydrated(page, site.url + UPDATE);
  for (const name of ["Recompute reading times", "Render again"]) {
    await button(`Run: ${name}`).click();
    await expect(page.getByRole("status").filter({ hasText: /articles checked, 0 changed/ })).toBeVisible();
  }
  await button(/^Run: Find broken links/).click();
  await expect(page.getByText(/articles checked, \d+ to fix/)).toBeVisible();
  const slices = [
    {
      items: [
        {
          id: 1,
          title: "Ground",
          isChanged: false,
          findings: [{ message: "A link is empty.", where: "here" }],
        },
      ],
      next: 1,
    },
    { items: [], next: null },
  ];
  await page.route("**/api/admin/articles/check", (route) => route.fulfill({ json: slices.shift() }), {
    times: slices.length,
  });
  await button(/^Run: Find broken links/).click();
  await expect(page.getByText("1 article checked, 1 to fix")).toBeVisible();
  await expect(page.getByText("A link is empty. here")).toBeVisible();
  await expectAccessible(page);
});

async function archive(files: Record<string, string>) {
  const writer = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false });
  for (const [name, content] of Object.entries(files)) await writer.add(name, new TextReader(content));
  const buffer = Buffer.from(await (await writer.close()).arrayBuffer());
  return { name: "archive.zip", mimeType: "application/zip", buffer };
}

const agoIn = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19).replace("T", " ");
const share = (id: number, words: string) =>
  `${agoIn(10 + id)},https://www.linkedin.com/feed/update/urn%3Ali%3Ashare%3A${id},"${words}",,,MEMBER_NETWORK`;
const linkedIn = () =>
  archive({
    "Shares.csv": [
      "Date,ShareLink,ShareCommentary,SharedUrl,MediaUrl,Visibility",
      share(1, "A short post."),
      share(2, `${"A post that goes on and on about everything there is. ".repeat(8)}${"x".repeat(90)}`),
      share(1000, "Too old."),
    ].join("\n"),
    "Articles/Articles/One.html": `<html><body><h1><a href="https://www.linkedin.com/pulse/one">An article</a></h1>
      <p class="created">Created on ${agoIn(40)}</p><p class="published">Published on ${agoIn(39)}</p>
      <div><h2>Part</h2><p>Some <b>bold</b> words.</p><script>alert(1)</script></div></body></html>`,
  });

test("a LinkedIn archive is listed, and each post is imported once @full", async () => {
  await openHydrated(page, `${site.url}/admin/articles/linkedin`);
  await expect(page.getByText("LinkedIn isn’t connected.")).toBeVisible();
  const input = page.getByLabel(/^Archive/);
  await input.setInputFiles(file("archive.zip", "no zip"));
  await expect(input).toHaveAccessibleDescription(/This zip can’t be read/);
  await expectAccessible(page);
  await input.setInputFiles(await linkedIn());
  await expect(heading("3 posts of the last 2 years")).toBeVisible();
  await expect(page.getByText("Left out: 1 older.")).toBeVisible();
  await expectAccessible(page);

  await page.route("**/api/admin/imports/*/start", (route) =>
    route.fulfill({ status: 422, json: { error: { code: "invalid", message: "This text is refused." } } }),
  );
  await button("Import A short post.").click();
  await expect(row("A short post.")).toContainText("This text is refused.");
  await expect(row("A short post.")).toContainText("Idle");
  await page.unroute("**/api/admin/imports/*/start");
  await button("Import A short post.").click();
  await expect(row("A short post.")).toContainText("Imported");
  // On a slow connection the import ends before the response to its start arrives.
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/api/admin/imports/*/start", async (route) => {
    const response = await route.fetch();
    await answered;
    await route.fulfill({ response });
  });
  await button("Import all").click();
  await expect.poll(latestFromLinkedIn).toEqual({ state: "done", done: 2 });
  await page.getByRole("link", { name: "LinkedIn Import" }).click();
  await expectToast(page, "2 posts imported");
  answer();
  await page.unrouteAll({ behavior: "wait" });
  await expectAccessible(page);

  await button("Start again").click();
  await input.setInputFiles(await linkedIn());
  await expect(page.getByText("Imported", { exact: true })).toHaveCount(3);
  await page.getByRole("link", { name: "An article", exact: true }).click();
  await expect(page.getByLabel("Source URL")).toHaveValue("https://www.linkedin.com/pulse/one");
  await expect(page.getByRole("textbox", { name: "Text", exact: true })).toHaveValue(
    "## Part\n\nSome **bold** words.",
  );
  expect(
    complaints.filter(
      (words) =>
        !/Failed to (?:load resource|fetch)|not yours to do|refused|zip can’t be read|File format/.test(
          words,
        ),
    ),
  ).toEqual([]);
});
