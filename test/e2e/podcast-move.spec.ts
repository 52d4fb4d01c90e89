import { expect, type Page } from "@playwright/test";
import { feedXml, type Item } from "../support/feed-xml.ts";
import { startPodcastHost } from "../support/podcast-host.ts";
import { expectAccessible } from "./support/accessible.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

let host: Awaited<ReturnType<typeof startPodcastHost>>;
let site: Site;
let page: Page;
let complaints: string[];
let base: string;

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  host = await startPodcastHost();
  base = `http://127.0.0.1:${host.port}`;
  site = await startSite({ vars: { IMPORT_LOOPBACK: "on" }, sql: "delete from episodes" });
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  complaints = complaintsOf(page.context());
  await signInAsOwner(page, site);
});
test.afterAll(async () => {
  await site?.stop();
  host?.stop();
});

const button = (name: string | RegExp) => page.getByRole("button", { name });
const heading = (name: string) => page.getByRole("heading", { name });

const anItem = (n: number, way: string, size = 120_000): Item => ({
  guid: `guid-${n}`,
  title: n === 2 ? `${"A title that goes on for a while ".repeat(5)}${n}` : `Episode ${n}`,
  pubDate: new Date(Date.UTC(2026, 0, n)).toUTCString(),
  audio: { url: `${base}/audio/${n}/${size}/${way}`, length: size },
  more: `<description>What ${n} says.</description>`,
});

const serveFeed = (items: Item[]) =>
  host.answers.set("/feed.xml", { path: "", body: feedXml({ items, title: "Old Ground" }) });

test("an address that is not a feed shows an error beside the field and remains in it @full", async () => {
  host.answers.set("/page", { path: "", body: "<!doctype html><p>Hello" });
  await openHydrated(page, `${site.url}/admin/podcast`);
  await page.getByRole("link", { name: "Move a podcast here" }).first().click();
  const field = page.getByLabel("Address of the feed");
  await field.fill(`${base}/page`);
  await button("Read the feed").click();
  await expect(page.getByText("This address is a web page, not a feed.")).toBeVisible();
  await expect(field).toHaveValue(`${base}/page`);
  await expectAccessible(page);
});

test("a plan is discarded, and an import paused, resumed and cancelled before its first episode is imported @full", async () => {
  serveFeed([anItem(21, "held"), anItem(22, "held")]);
  const address = page.getByLabel("Address of the feed");
  const read = async () => {
    await address.fill(`${base}/feed.xml`);
    await button("Read the feed").click();
    await expect(heading("What will be imported")).toBeVisible();
  };
  await read();
  const discarded = page.url();
  await button("Discard").click();
  await expect(address).toBeVisible();
  await expect(heading("Past imports")).toHaveCount(0);
  expect((await page.request.get(discarded)).status()).toBe(404);

  await read();
  await button("Move 2 episodes here").click();
  await button("Pause").click();
  await expectToast(page, "Import paused");
  await expect(button("Resume")).toBeFocused();
  await button("Resume").click();
  await expectToast(page, "Import resumed");
  await expect(button("Pause")).toBeVisible();
  await button("Cancel the import").click();
  const question = page.getByRole("alertdialog", { name: "Cancel this import?" });
  await question.getByRole("button", { name: "Cancel the import" }).click();
  await expectToast(page, "Import cancelled");
  for (const name of ["Pause", "Resume", "Cancel the import"]) await expect(button(name)).toHaveCount(0);
  await page.getByRole("link", { name: "Move a podcast here" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "feed.xml" })).toContainText("Cancelled");
});

test("a feed becomes a plan, is imported while its page is closed, is retried, and is compared", async () => {
  const items = [1, 2, 3, 4, 5].map((n) => anItem(n, n === 4 ? "gone" : "plain"));
  serveFeed([...items, anItem(6, "held"), { ...anItem(7, "plain"), audio: null }]);
  await openHydrated(page, `${site.url}/admin/podcast/move`);
  await page.getByLabel("Address of the feed").fill(`${base}/feed.xml`);
  await button("Read the feed").click();
  await expect(heading("What will be imported")).toBeVisible();
  await expect(page.getByText("It has no audio, so apps don’t show it.").first()).toBeVisible();
  await expectAccessible(page);

  await button("Move 6 episodes here").click();
  await expect(heading("All episodes")).toBeVisible();
  await expect(button("Pause")).toBeVisible();
  host.release();
  const { href } = new URL(page.url());
  await page.goto(`${site.url}/admin/podcast`);
  await openHydrated(page, href);
  await expectAccessible(page);
  await expect(page.getByText("6 of 7 episodes").or(page.getByText("7 of 7 episodes"))).toBeVisible();
  await expect(heading("What to set at the old host")).toBeVisible();

  await page.getByRole("link", { name: "Failed", exact: true }).click();
  await expect(page.getByText("There is nothing at its address (404).")).toBeVisible();
  await expectAccessible(page);
  host.answers.set("/feed.xml", { path: "", body: feedXml({ items, title: "Old Ground" }) });
  await button("Compare the feeds").click();
  await expect(page.getByText("Missing here: 1")).toBeVisible();
  await expectAccessible(page);
  await button("Try again: Episode 4").click();
  await expectToast(page, "Trying it again");

  await page.getByRole("link", { name: "All", exact: true }).click();
  await page.getByRole("link", { name: "Episode 1", exact: true }).click();
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Episode 1");
});

test("the plan lists drafts, missing fields and a missing page before the import starts @full", async () => {
  const items: Item[] = [
    anItem(31, "plain"),
    { ...anItem(32, "plain"), title: "A day too many", pubDate: "Tue, 31 Feb 2026 10:00:00 +0000" },
    { ...anItem(33, "plain"), title: "A picture", audio: { url: "/cover.jpg", type: "image/jpeg" } },
  ];
  const more = '<atom:link rel="next" href="/page/2"/>';
  host.answers.set("/part.xml", { path: "", body: feedXml({ items, more }) });
  await openHydrated(page, `${site.url}/admin/podcast/move`);
  await page.getByLabel("Address of the feed").fill(`${base}/part.xml`);
  await button("Read the feed").click();
  await expect(heading("What will be imported")).toBeVisible();

  const part = page.getByRole("note").filter({ hasText: "Part of the feed couldn’t be read" });
  await expect(part).toContainText(`${base}/page/2: There is nothing at its address (404).`);
  const plan = page.getByRole("region", { name: "What will be imported" });
  await expect(plan).toContainText("1 ×Its date or time doesn’t exist. It becomes a draft.");
  await expect(plan).toContainText("1 ×It has no audio, only a picture (image/jpeg).");
  const list = page.getByRole("region", { name: "All episodes" });
  const row = (title: string) => list.getByRole("listitem").filter({ hasText: title });
  await expect(row("A day too many")).toContainText("The feed has “Tue, 31 Feb 2026 10:00:00 +0000”.");
  await expect(row("A picture")).toContainText("It has no audio, only a picture (image/jpeg).");
  await expect(row("A picture")).toContainText("Left out");

  const drafts = page.getByRole("checkbox", { name: "Import everything as drafts" });
  await expect(drafts).toHaveAccessibleDescription(/1 episode published, 1 episode as a draft\./);
  await drafts.check();
  await expect(drafts).toHaveAccessibleDescription(/2 episodes will arrive as drafts\./);
  await expectAccessible(page);

  await button("Move 2 episodes here").click();
  await expect(page.getByText("3 of 3 episodes")).toBeVisible();
  await page.getByRole("link", { name: "Episode 31", exact: true }).click();
  await expect(page.getByLabel("Status", { exact: true })).toHaveValue("draft");
});

test("an episode is joined with the article that is its text, and takes over its address @full", async () => {
  const found = await site.env.DB.prepare(
    "update articles set guid = 'joined-41' where id = (select id from articles where status = 'published' order by id limit 1) returning slug",
  ).first<{ slug: string }>();
  const essay = `${site.url}/essays/${found!.slug}`;
  expect((await page.request.get(essay)).status()).toBe(200);
  host.answers.set("/joined.xml", {
    path: "",
    body: feedXml({ items: [{ ...anItem(41, "plain"), guid: "joined-41" }, anItem(42, "plain")] }),
  });
  await openHydrated(page, `${site.url}/admin/podcast/move`);
  await page.getByLabel("Address of the feed").fill(`${base}/joined.xml`);
  await button("Read the feed").click();
  await expect(heading("What will be imported")).toBeVisible();
  const join = page.getByRole("checkbox", { name: "Join 1 episode with the article that is its text" });
  await expect(join).toBeChecked();
  await expect(join).toHaveAccessibleDescription(
    "Once an episode is published, its article becomes a draft, and the article’s addresses lead to the episode.",
  );
  await join.uncheck();
  await expect(join).toHaveAccessibleDescription("Both stay: the same text is here twice.");
  await join.check();
  await expectAccessible(page);
  await button("Move 2 episodes here").click();
  await expect(page.getByText("2 of 2 episodes")).toBeVisible();
  await expect(
    page.getByText("Its article is a draft now, and the article’s addresses lead to the episode."),
  ).toBeVisible();
  await page.goto(essay);
  await expect(page).toHaveURL(/\/episode\/\d+/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Episode 41");
});

test("the podcast here gets the chosen facts of the feed @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/move`);
  await page
    .getByRole("link", { name: `${base}/feed.xml` })
    .first()
    .click();
  await page.getByLabel("Title", { exact: true }).check();
  await button("Use these details").click();
  await expectToast(page, "Podcast updated successfully!");
  await openHydrated(page, `${site.url}/admin/podcast/show`);
  await expect(page.getByLabel("Title", { exact: true })).toHaveValue("Old Ground");
  // The browser itself logs that an address was refused.
  expect(complaints.filter((complaint) => !/status of 422/.test(complaint))).toEqual([]);
});
