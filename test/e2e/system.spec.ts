import { text } from "node:stream/consumers";
import { expect, type Page } from "@playwright/test";
import { startHttpServer, type HttpServer } from "../support/http-server.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";

/** Settings → System on the free plan, with Cloudflare's GraphQL Analytics API on a local port. */

const ACCOUNT = "c".repeat(32);
const TOKEN = "an-analytics-token";

type Asked = { query: string; variables: Record<string, string> };

let cloudflare: HttpServer;
let site: Site;
let page: Page;
let asked: Asked | undefined;
let answer: { status: number; body: object };

const sums = (...values: object[]) => values.map((sum) => ({ sum }));
const kv = (actionType: string, requests: number) => ({ sum: { requests }, dimensions: { actionType } });

/** A day of an account with two Workers and two databases. */
const DAY = {
  workersInvocationsAdaptive: sums({ requests: 60_000 }, { requests: 24_000 }),
  d1AnalyticsAdaptiveGroups: sums(
    { rowsRead: 900_000, rowsWritten: 100_000 },
    { rowsRead: 350_000, rowsWritten: 200 },
  ),
  kvOperationsAdaptiveGroups: [kv("read", 512), kv("write", 30), kv("write", 4), kv("delete", 999)],
  queueMessageOperationsAdaptiveGroups: sums({ billableOperations: 1230 }),
};
const reported = (account: object = DAY) => ({
  status: 200,
  body: { data: { viewer: { accounts: [account] } }, errors: null },
});

/** What GraphQL answers beside an error. */
const WITHOUT_PARTS = { viewer: { accounts: [{ ...DAY, kvOperationsAdaptiveGroups: null }] } };

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  cloudflare = await startHttpServer(async (request, response) => {
    const body = await text(request);
    const isKnown =
      request.url === "/client/v4/graphql" && request.headers.authorization === `Bearer ${TOKEN}`;
    const { status, body: said } = isKnown ? answer : { status: 403, body: {} };
    asked = JSON.parse(body) as Asked;
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(said));
  });
  const vars = {
    PLAN: "free",
    CLOUDFLARE_ACCOUNT_ID: ACCOUNT,
    CLOUDFLARE_ANALYTICS_TOKEN: TOKEN,
    CLOUDFLARE_API_URL: `http://127.0.0.1:${cloudflare.port}/client/v4`,
  };
  site = await startSite({ vars });
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInAsOwner(page, site);
});
test.afterAll(async () => {
  await site?.stop();
  cloudflare?.stop();
});

const open = () => openHydrated(page, `${site.url}/admin/settings/system`);
const use = (name: string) => page.getByRole("listitem").filter({ hasText: name });

test("System shows today's use of the account beside the free plan's amounts @full", async () => {
  answer = reported();
  await open();
  await expect(page.getByText("The free plan. Its amounts are for a day")).toBeVisible();
  await expect(use("Requests")).toContainText("84,000 of 100,000 a day · nearly used up");
  await expect(use("Database rows read")).toHaveText(/1,250,000 of 5,000,000 a day$/);
  await expect(use("Database rows written")).toContainText("100,200 of 100,000 a day · used up");
  await expect(use("KV reads")).toHaveText(/512 of 100,000 a day$/);
  await expect(use("KV writes")).toHaveText(/34 of 1,000 a day$/);
  await expect(use("Queue operations")).toHaveText(/1,230 of 10,000 a day$/);
  await expect(use("Size of the database")).toHaveText(/\d+ MB of 500 MB$/);
  const { query, variables } = asked!;
  expect(query).toContain("accountTag: $account");
  const day = new Date().toISOString().slice(0, 10);
  expect(variables["account"]).toBe(ACCOUNT);
  // The test may run over midnight.
  expect([variables["day"], variables["from"]!.slice(0, 10)]).toEqual([variables["day"], variables["day"]]);
  expect(variables["day"]! <= day).toBe(true);
});

test("System says how the site is, and what to do if its cron does not run @full", async () => {
  const main = page.getByRole("main");
  const row = (name: string) =>
    main.locator("dl > div").filter({ has: page.getByText(name, { exact: true }) });
  await expect(row("Work of each minute")).toContainText("It hasn’t run yet.");
  await expect(row("Work of each minute")).toContainText("set them with npm run deploy");
  await site.tick();
  await open();
  await expect(row("Work of each minute")).toHaveText(/^Work of each minuteLast run: [^.]+$/);
  await expect(row("Failed deliveries")).toContainText("None.");
  await expect(row("Files")).toContainText("without the smaller copies of pictures");
  await expect(row("Database")).toContainText("Migrated up to 00");
});

test("System says what happens at each limit, and what the free plan means for signing in @full", async () => {
  for (const words of [
    "Readers still get cached pages.",
    "Emails, letters and imports wait in the database, and continue the next day.",
    "An attempt that Cloudflare ended doesn’t count as a wrong password.",
  ])
    await expect(page.getByText(words)).toBeVisible();
  for (const scheme of ["light", "dark"] as const) {
    await setColorScheme(page, scheme);
    await expectNoAxeFindings(page);
  }
});

test("System says why Cloudflare reports nothing, and still shows the size of the database @full", async () => {
  for (const [given, words] of [
    [{ status: 403, body: {} }, "Cloudflare refused the token in CLOUDFLARE_ANALYTICS_TOKEN."],
    [
      { status: 200, body: { data: WITHOUT_PARTS, errors: [{ message: "not authorized" }] } },
      "not authorized",
    ],
    [{ status: 200, body: { data: { viewer: { accounts: [] } } } }, "Check CLOUDFLARE_ACCOUNT_ID."],
    [{ status: 502, body: {} }, "Cloudflare answered with 502."],
    [{ status: 200, body: { other: "form" } }, "Cloudflare"],
    [reported({}), "didn’t answer in a form that this site can read"],
  ] as const) {
    answer = given;
    await open();
    await expect(page.getByRole("main").getByText(words).last()).toBeVisible();
    await expect(use("Size of the database")).toContainText("of 500 MB");
    await expect(use("Requests")).toHaveCount(0);
  }
});

/** Reloads, as the crons go by, until the page has this text. */
async function wait(words: string | RegExp) {
  await expect(async () => {
    await site.tick();
    await open();
    await expect(page.getByRole("main").getByText(words)).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 240_000, intervals: [500] });
}

async function expectAccessible() {
  for (const scheme of ["light", "dark"] as const) {
    await setColorScheme(page, scheme);
    await expectNoAxeFindings(page);
  }
}

test("System copies the site and drills the copy when the owner asks for it @full", async () => {
  answer = reported();
  await open();
  await expect(page.getByText("None yet. The first one is made at 03:17 UTC")).toBeVisible();
  await expect(page.getByRole("button", { name: "Run the drill now" })).toHaveCount(0);
  await page.getByRole("button", { name: "Copy now" }).click();
  await expect(page.getByText("The copy has begun")).toBeVisible();
  await wait(/rows of \d+ tables, .* Each was read back and compared\./);
  await page.getByRole("button", { name: "Run the drill now" }).click();
  await expect(page.getByText("The drill has begun")).toBeVisible();
  // The demo has more rows than the free plan's budget; test/drill.test.ts restores.
  await wait(/^Passed: the copy’s bytes, with .* It was not restored: that would use up the writes/);
  await expectAccessible();
});

test("System and the desk say that a drill failed, and what to do @full", async () => {
  const { objects } = await site.env.BACKUP.list({ prefix: "copies/" });
  const { key } = objects.findLast((object) => object.key.endsWith("manifest.json"))!;
  await site.env.BACKUP.put(key, "{");
  await open();
  await page.getByRole("button", { name: "Run the drill now" }).click();
  await wait(
    /^The newest drill failed: The manifest of the copy .* Press Copy now, then Run the drill now\./,
  );
  await expectAccessible();
  const health = (await (await page.request.get(`${site.url}/api/health`)).json()) as { backups: object };
  expect(health.backups).toMatchObject({ problems: ["drill-failed"] });
  await openHydrated(page, `${site.url}/admin`);
  await page.getByRole("link", { name: "the last drill failed" }).click();
  await expect(page.getByRole("heading", { name: "Copies" })).toBeVisible();
});

test("a sign-in that Cloudflare ended says that it does not count as a wrong password @full", async ({
  browser,
}) => {
  const visitor = await (await browser.newContext()).newPage();
  await openHydrated(visitor, `${site.url}/admin/login`);
  await visitor.route("**/api/admin/session", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 503, contentType: "text/html", body: "<h1>Error 1102</h1>" })
      : route.continue(),
  );
  await visitor.getByLabel("Email").fill("owner@example.com");
  await visitor.getByLabel("Password", { exact: true }).fill("a long password of mine");
  await visitor.getByRole("button", { name: "Sign in" }).click();
  await expect(visitor.getByText("It doesn’t count as a wrong password.")).toBeVisible();
  await expect(visitor.getByLabel("Email")).toHaveValue("owner@example.com");
  await visitor.context().close();
});
