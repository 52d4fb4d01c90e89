import { expect, type Page } from "@playwright/test";
import { startHttpServer, type HttpServer } from "../support/http-server.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { phone } from "./support/windows.ts";

const kinds = [
  { kind: "article", table: "articles", list: "articles", feed: "/rss/essays.xml" },
  { kind: "episode", table: "episodes", list: "podcast", feed: "/rss/podcast.xml" },
];

/** An article and an episode of the demo that went out yesterday, and whose pings were given up. */
const GIVEN_UP = [
  ...kinds.flatMap(({ kind, table, feed }) => [
    `insert into outbox (id, topic, payload, created_at, attempts, not_before, failed_at, last_error)
      values ('of-${kind}', 'websub', '{"feed":"${feed}"}', unixepoch() * 1000, 8, 0, unixepoch() * 1000,
        'Error: The hub answered 503 Come back later.')`,
    `insert or replace into publications (kind, item_id, went_out_at, is_planned, ping_id)
      select '${kind}', min(id), (unixepoch() - 86400) * 1000, 1, 'of-${kind}' from ${table} where status = 'published'`,
  ]),
  // A ping waits for more than half a minute, so that it is seen to wait on any machine.
  `create trigger later after insert on outbox when new.topic = 'websub' begin
    update outbox set not_before = not_before + 3600000 where id = new.id; end`,
];

let site: Site;
let page: Page;
let complaints: string[];
let hub: HttpServer;
const pings: string[] = [];
test.describe.configure({ mode: "serial" });

test.beforeAll(async ({ browser }) => {
  hub = await startHttpServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    pings.push(body);
    response.writeHead(204).end();
  });
  site = await startSite({ sql: GIVEN_UP });
  const context = await browser.newContext({
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  complaints = complaintsOf(context);
  page = await context.newPage();
  await signInAsOwner(page, site);
});
test.afterAll(async () => {
  await site?.stop();
  hub?.stop();
});

const panel = () => page.getByRole("region", { name: "Publication" });
const step = (name: string) => panel().getByRole("listitem").filter({ hasText: name });

test("a hub is set, and refused if it cannot reach the site @full", async () => {
  await openHydrated(page, `${site.url}/admin/settings/general`);
  const field = page.getByLabel("WebSub hub");
  await field.fill("https://pubsubhubbub.appspot.com/");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(field).toHaveAccessibleDescription(/^A public hub can’t reach a site at localhost\./);
  await expect(field).toHaveValue("https://pubsubhubbub.appspot.com/");
  await field.fill(`http://127.0.0.1:${hub.port}/`);
  const isSaved = page.waitForResponse(
    (response) => response.url().endsWith("/api/admin/settings") && response.ok(),
  );
  await page.getByRole("button", { name: "Save Changes" }).click();
  await isSaved;
});

test("publishing shows its results, and a link, a text and a picture to share @full", async () => {
  await openHydrated(page, `${site.url}/admin/articles/new`);
  await page.getByLabel("Title", { exact: true }).fill("Rain & shine on the verandah");
  await page.getByLabel("Excerpt").fill("What the weather has to do with it.");
  await page.getByLabel("Status").selectOption("Published");
  await page.getByRole("button", { name: "Publish article" }).click();
  await page.waitForURL(/\/admin\/articles\/\d+$/);
  await expectToast(page, "Article published successfully!");
  await expect(panel()).toContainText(/Published on \d+ \w+ \d{4} at .+ AE[DS]T/);
  const heading = panel().getByRole("heading", { name: "It is live" });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
  await expect(panel()).toContainText("On the site, in the feed, in search.");
  await expect(step("Hub")).toContainText("Waiting");
  await expect(panel().getByRole("listitem")).toHaveCount(1);
  await expectNoAxeFindings(page);

  const address = `${site.url}/essays/rain-shine-on-the-verandah`;
  await expect(panel().getByRole("link", { name: address })).toBeVisible();
  await panel().getByRole("button", { name: "Copy link" }).click();
  await expectToast(page, "Link copied");
  const words = panel().getByLabel("Message");
  await expect(words).toHaveValue(
    `Rain & shine on the verandah\n\nWhat the weather has to do with it.\n\n${address}`,
  );
  await words.fill(`New: ${address}`);
  await panel().getByRole("button", { name: "Copy message" }).click();
  await expectToast(page, "Message copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`New: ${address}`);
  const download = page.waitForEvent("download");
  await panel().getByRole("button", { name: "Download picture" }).click();
  expect((await download).suggestedFilename()).toBe("rain-shine-on-the-verandah.jpg");

  await page.setViewportSize(phone);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test("the results of an earlier publication can be read later, and a failed ping retried @full", async () => {
  for (const { kind, table, list, feed } of kinds) {
    const first = await site.env.DB.prepare(`select min(id) from ${table} where status = 'published'`).first(
      "min(id)",
    );
    await openHydrated(page, `${site.url}/admin/${list}/${String(first)}`);
    await expect(panel(), kind).toContainText("Published as scheduled on");
    await expect(panel().getByRole("listitem")).toHaveCount(0);
    await panel().getByRole("button", { name: "After publishing" }).click();
    await expect(step("Hub")).toContainText("The hub answered 503 Come back later.");
    await expectNoAxeFindings(page);
    await panel().getByRole("button", { name: "Try again to notify the hub" }).click();
    await expectToast(page, "Notifying the hub again");
    await expect(panel()).toContainText("announced.");
    await expect(step("Hub")).toHaveCount(0);
    expect(pings).toContain(
      new URLSearchParams({ "hub.mode": "publish", "hub.url": site.url + feed }).toString(),
    );
  }
  // The refusal of the hub.
  expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
});
