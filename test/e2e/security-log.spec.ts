import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { looks } from "./support/windows.ts";

let site: Site;
let page: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  const insert = `insert into security_events (at, kind, email, address, user_agent, detail) values`;
  site = await startSite({
    sql: Array.from(
      { length: 60 },
      (_, n) =>
        `${insert} (${1_795_000_000_000 + n}, '${n % 2 ? "login" : "origin_refused"}', '${n % 2 ? "ada@example.com" : ""}', '203.0.113.${n}', 'Firefox', 'Entry ${n}')`,
    ),
  });
  page = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const rows = () => page.getByRole("row").filter({ hasText: "Entry" });

test("the security log is searched, downloaded and checked, and names each entry that does not match", async () => {
  await openHydrated(page, `${site.url}/admin/settings/security`);
  await page.getByRole("link", { name: "Search the log" }).click();
  await expect(page.getByRole("heading", { name: "Security log" })).toBeVisible();
  await page.getByLabel("Search").fill("entry 17");
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await expect(rows()).toHaveCount(1);
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page.getByLabel("Search")).toHaveValue("");
  await page.getByLabel("Event").selectOption("Request of another site refused");
  await page.getByRole("main").getByRole("button", { name: "Search" }).click();
  await expect(rows()).toHaveCount(30);
  await expectNoAxeFindings(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download these as CSV" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^security-log-\d{4}-\d\d-\d\d\.csv$/);
  const csv = await readFile(await download.path(), "utf8");
  expect(csv.trim().split("\r\n")).toHaveLength(31);

  await site.tick();
  await page.getByRole("button", { name: "Check the log" }).click();
  await expect(
    page
      .getByRole("status")
      .getByText(/^The log is whole: \d+ entries match\. It was compared with no nightly copy: /),
  ).toBeVisible();
  await site.env.DB.prepare("update security_events set address = '' where detail = 'Entry 17'").run();
  const found = await site.env.DB.prepare("select id from security_events where detail = 'Entry 17'").first(
    "id",
  );
  await page.getByRole("button", { name: "Check the log" }).click();
  await expect(
    page.getByText(`The addresses or details of entry ${String(found)} were changed.`),
  ).toBeVisible();
  await site.env.DB.prepare("update security_events set kind = 'logout' where detail = 'Entry 19'").run();
  await page.getByRole("button", { name: "Check the log" }).click();
  await expect(page.getByText(`Entry ${Number(found) + 2} doesn’t follow the one before it`)).toBeVisible();
  await expect(
    page.getByText(`The addresses or details of entry ${String(found)} were changed.`),
  ).toBeVisible();
  await expect(page.getByText(/^Of the others, \d+ entries match\. /)).toBeVisible();
  await expectNoAxeFindings(page);
});

test("the log’s page shows the result of the last night’s check", async () => {
  const insert = (id: number, faults: string, copies: number) =>
    site.env.DB.prepare(
      `insert into log_checks (id, begun_at, checked, erased, is_second, finished_at, faults, copies)
      values (${id}, 1, 1234, 0, 0, 1795000000000, '${faults}', ${copies})`,
    ).run();
  const night = page.getByText(
    /^Checked automatically .+: the log is whole, 1,234 entries match\. It was compared with 3 nightly copies\.$/,
  );
  await insert(1, "[]", 3);
  await openHydrated(page, `${site.url}/admin/settings/security/log`);
  await expect(night).toBeVisible();
  await expectNoAxeFindings(page);
  await insert(2, '[{"id":17,"is":"missing"}]', 1);
  await openHydrated(page, `${site.url}/admin/settings/security/log`);
  await expect(page.getByText("Entry 17 was removed.")).toBeVisible();
  await expect(page.getByText("It was compared with 1 nightly copy.")).toBeVisible();
  await expect(night).toBeHidden();
});

test("the owner chooses the events to get emails about", async () => {
  await openHydrated(page, `${site.url}/admin/settings/security`);
  await page.getByLabel("Sign-in refused").check();
  await page.getByRole("button", { name: "Save choice" }).click();
  await expectToast(page, "Settings saved successfully!");
  await page.reload();
  await expect(page.getByLabel("Sign-in refused")).toBeChecked();
  await expectNoAxeFindings(page);
});

test("the security log looks right in each window and scheme @full", async () => {
  for (const { viewport, colorScheme } of looks) {
    await page.setViewportSize(viewport);
    await setColorScheme(page, colorScheme);
    for (const path of ["security", "security/log"]) {
      await openHydrated(page, `${site.url}/admin/settings/${path}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow, path).toBeLessThanOrEqual(0);
      const name = `${path.replace("/", "-")}-${viewport.width}-${colorScheme}`;
      await page.screenshot({ path: `test-results/log/${name}.png`, fullPage: true });
    }
    await expectNoAxeFindings(page);
  }
});
