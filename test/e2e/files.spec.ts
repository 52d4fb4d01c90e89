import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindingsInThemes } from "./support/accessible.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
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
  page = await (await browser.newContext()).newPage();
  complaints = complaintsOf(page.context());
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const rowOf = (name: string) => page.getByRole("listitem").filter({ hasText: name });

/** A picture of one colour, encoded by the browser. */
async function aPicture(name: string, color: string) {
  const url = await page.evaluate((fill) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [640, 400];
    const context = canvas.getContext("2d")!;
    context.fillStyle = fill;
    context.fillRect(0, 0, 640, 400);
    return canvas.toDataURL("image/png");
  }, color);
  return { name, mimeType: "image/png", buffer: Buffer.from(url.slice(url.indexOf(",") + 1), "base64") };
}

test("several files upload in parallel, and an invalid one is refused beside them", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/files`);
  await expect(page.getByRole("heading", { name: "Files" })).toBeVisible();
  await page
    .getByLabel(/^Choose files/)
    .setInputFiles([
      await aPicture("harbour.png", "seagreen"),
      await aPicture("bridge.png", "gold"),
      { name: "report.txt", mimeType: "text/plain", buffer: Buffer.from("What the council said.") },
      { name: "page.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") },
    ]);
  await expect(page.getByRole("alert").getByText("Invalid file type")).toBeVisible();
  for (const name of ["harbour.png", "bridge.png", "report.txt"])
    await expect(page.getByRole("link", { name })).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByLabel(/^Choose files/)).toBeFocused();
  await expect(rowOf("harbour.png").getByText("No description")).toBeVisible();
  await expect(rowOf("harbour.png").getByText("Unused")).toBeVisible();
  await expectNoAxeFindingsInThemes(page);
});

test("a file is described on its page, found by that, and deleted with the focus on the next", async () => {
  await page.getByRole("link", { name: "harbour.png" }).click();
  await expect(page.getByRole("heading", { name: "harbour.png" })).toBeVisible();
  await expect(page.getByText("640 × 400 px")).toBeVisible();
  await expect(page.getByLabel("Public address")).toHaveValue(/\/media\/articles\/.+\/harbour\.png$/);
  await page.getByLabel("Description of the picture").fill("The harbour at dawn");
  await page.getByRole("button", { name: "Save description" }).click();
  await expectToast(page, "Description saved");
  await expectNoAxeFindingsInThemes(page);
  await page.getByRole("link", { name: "Files", exact: true }).click();
  await page.getByLabel("Search").fill("dawn");
  await page.getByRole("search").getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("link", { name: "bridge.png" })).toHaveCount(0);
  await expect(rowOf("harbour.png")).toBeVisible();
  await page.getByRole("link", { name: "Clear" }).click();
  await page.getByRole("button", { name: "Delete report.txt" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete file" }).click();
  await expectToast(page, "File deleted successfully");
  await expect(page.getByRole("link", { name: "report.txt" })).toHaveCount(0);
  // The name of the next one, and not its picture, which nothing reads out.
  await expect(page.getByRole("listitem").getByRole("link").and(page.locator(":focus"))).toHaveCount(1);
});

test("a stored picture is chosen for an article and its text, and brings its description", async () => {
  await openHydrated(page, `${site.url}/admin/articles/new`);
  await page.getByLabel("Title", { exact: true }).fill("On harbours");
  await page.getByRole("button", { name: "Choose from files: Featured picture" }).click();
  const dialog = page.getByRole("dialog", { name: "Choose from files" });
  await expect(dialog.getByLabel("Search")).toBeFocused();
  await expect(dialog.getByRole("button", { name: /bridge\.png/ })).toBeVisible();
  await dialog.getByLabel("Search").fill("harb");
  await expect(dialog.getByRole("button", { name: /bridge\.png/ })).toHaveCount(0);
  await expectNoAxeFindings(page);
  await dialog.getByRole("button", { name: /harbour\.png/ }).click();
  await expect(page.getByLabel("Description of the picture")).toHaveValue("The harbour at dawn");
  await page.getByRole("button", { name: "Image", exact: true }).click();
  const adding = page.getByRole("dialog", { name: "Add a picture" });
  await adding.getByRole("button", { name: "Choose from files: Picture" }).click();
  await dialog.getByRole("button", { name: /bridge\.png/ }).click();
  await adding.getByLabel("Description of the picture").fill("A bridge of gold");
  await adding.getByRole("button", { name: "Insert picture" }).click();
  await expect(page.getByLabel("Text", { exact: true })).toHaveValue(
    /!\[A bridge of gold\]\(\/media\/.+bridge\.png\)/,
  );
  await page.getByLabel("Status").selectOption("published");
  await page.getByRole("button", { name: "Publish article" }).click();
  await expectToast(page, "Article published successfully!");
});

test("a replacement appears in every use of the picture, and only former versions have the old one @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/files?q=bridge`);
  await page.getByRole("link", { name: "bridge.png" }).click();
  await expect(page.getByLabel("Description of the picture")).toHaveValue("A bridge of gold");
  await expect(page.getByRole("link", { name: "On harbours" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Delete file" })).toHaveCount(0);
  await page.getByRole("button", { name: "Replace everywhere" }).click();
  await expect(page.getByText("Choose the new file first.")).toBeVisible();
  await page.getByLabel("New file").setInputFiles(await aPicture("new-bridge.png", "crimson"));
  await page.getByRole("button", { name: "Replace everywhere" }).click();
  await expectToast(page, "File replaced in 1 place");
  await expect(page.getByRole("heading", { name: "new-bridge.png" })).toBeVisible();
  await expect(page.getByRole("link", { name: "On harbours" })).toBeVisible();
  const visitor = await page.context().browser()!.newPage();
  await visitor.goto(`${site.url}/essays/on-harbours`);
  await expect(visitor.getByRole("img", { name: "A bridge of gold" })).toHaveAttribute(
    "src",
    /new-bridge\.png$/,
  );
  await visitor.close();
  await openHydrated(page, `${site.url}/admin/podcast/files?q=bridge`);
  await page.getByRole("link", { name: "bridge.png", exact: true }).click();
  await expect(page.getByText("Article, earlier version")).toBeVisible();
});

test("the pages fit a phone, and complain about nothing @full", async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ["/admin/podcast/files", new URL(page.url()).pathname]) {
    await openHydrated(page, site.url + path);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);
    await expectNoAxeFindings(page);
  }
  expect(complaints).toEqual([]);
});
