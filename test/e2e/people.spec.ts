import { expect } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { desktop } from "./support/windows.ts";

let site: Site;
test.beforeAll(async () => void (site = await startSite()));
test.afterAll(() => site.stop());

test("the owner writes about a person, whose page an episode links to, and deletes it", async ({ page }) => {
  await page.setViewportSize(desktop);
  await signInAsOwner(page, site);
  await openHydrated(page, `${site.url}/admin/podcast/people`);
  await expectNoAxeFindings(page);
  await page.getByRole("link", { name: "Imogen Tarrant", exact: true }).click();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Imogen Tarrant");
  await page.getByLabel("About").fill("Imogen asks how a decision was made.");
  await page.getByRole("button", { name: "Add a link" }).click();
  await page.getByLabel("Text", { exact: true }).fill("Her own essays");
  await page.getByLabel("Address", { exact: true }).fill("essays");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByLabel("Address", { exact: true })).toHaveAccessibleDescription(
    "Enter a full address, such as https://example.com/page.",
  );
  await page.getByLabel("Address", { exact: true }).fill("https://example.com/essays");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expectToast(page, "Profile created successfully");
  await page.waitForURL("**/admin/podcast/people");

  await page.goto(`${site.url}/episode/1`);
  await page.getByRole("region", { name: "People" }).getByRole("link", { name: "Imogen Tarrant" }).click();
  await page.waitForURL("**/people/imogen-tarrant");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Imogen Tarrant");
  await expect(page.getByText("Imogen asks how a decision was made.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Her own essays" })).toHaveAttribute(
    "href",
    "https://example.com/essays",
  );
  await expectNoAxeFindings(page);

  await openHydrated(page, `${site.url}/admin/podcast/people`);
  await page.getByRole("link", { name: "Imogen Tarrant", exact: true }).click();
  await page.getByLabel("About").fill("Imogen asks.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expectToast(page, "Profile updated successfully");
  await page.getByRole("button", { name: "Delete Imogen Tarrant" }).click();
  await expect(page.getByRole("alertdialog")).toContainText(
    "What you wrote about “Imogen Tarrant” and their picture are deleted for good. Their page stays while episodes name them.",
  );
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete profile" }).click();
  await expect(page.getByRole("button", { name: "Delete Imogen Tarrant" })).toHaveCount(0);
  await page.goto(`${site.url}/people/imogen-tarrant`);
  await expect(page.getByText("Imogen asks.")).toHaveCount(0);
});
