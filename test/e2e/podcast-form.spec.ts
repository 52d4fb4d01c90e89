import { expect, test } from "@playwright/test";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";

let site: Site;
test.beforeAll(async () => void (site = await startSite()));
test.afterAll(() => site.stop());
test.beforeEach(({ page }) => signInAsOwner(page, site));

test("a transcript's broken line is named beside it, a trailer has no number, and roles are chosen", async ({
  page,
}) => {
  await openHydrated(page, `${site.url}/admin/podcast/new`);
  await page.getByLabel("Title", { exact: true }).fill("An introduction");
  await page.getByLabel("Type", { exact: true }).selectOption("Trailer");
  await expect(page.getByLabel("Season number")).toHaveValue("");
  await expect(page.getByLabel("Episode number")).toBeDisabled();
  await expect(page.getByLabel("Episode number")).toHaveValue("");
  await page.getByRole("button", { name: "Add a person" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Farida Oakleigh");
  await page.getByLabel("Role", { exact: true }).selectOption({ value: "video post-production/editor" });
  const transcript = page.getByLabel("Transcript", { exact: true });
  await transcript.fill(
    "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n\n00:00:0x.000 --> 00:00:04.000\nBroken\n",
  );
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(transcript).toHaveAccessibleDescription(/^Line 6: the time “00:00:0x\.000” is not one/);
  await expect(transcript).toBeFocused();

  await transcript.fill("Hello.\n\nThis is all in words.");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.waitForURL(/\/admin\/podcast\/\d+$/);
  await expect(page.getByLabel("Episode number")).toHaveValue("");
  await expect(page.getByLabel("Role", { exact: true })).toHaveValue("video post-production/editor");
  await page.goto(`${site.url}/admin/podcast`);
  const row = page.getByRole("row").filter({ hasText: "An introduction" });
  await expect(row.getByRole("cell").nth(1)).toHaveText("");
});

test("how often episodes appear is a rhythm, or a rule that must be one", async ({ page }) => {
  await openHydrated(page, `${site.url}/admin/podcast/show`);
  const rule = page.getByLabel("Recurrence rule");
  await expect(rule).toHaveValue("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU");
  await rule.fill("every second Tuesday");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(rule).toHaveAccessibleDescription(/^“every second Tuesday” is no part of a recurrence rule/);

  await page.getByLabel("How often", { exact: true }).selectOption("Fortnightly");
  await expect(rule).toBeHidden();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Podcast updated successfully!")).toBeVisible();
  expect(await (await page.request.get(`${site.url}/rss/podcast.xml`)).text()).toContain(
    '<podcast:updateFrequency rrule="FREQ=WEEKLY;INTERVAL=2">Every second Tuesday</podcast:updateFrequency>',
  );
});
