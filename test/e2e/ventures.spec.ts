import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindingsInThemes } from "./support/accessible.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { pickUp } from "./support/sorting.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

let site: Site;
let page: Page;
let complaints: string[];

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite({ sql: "delete from ventures" });
  page = await (await browser.newContext()).newPage();
  complaints = complaintsOf(page.context());
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const PICTURE = "demo/images/01-the-waiting-room-is-a-policy.jpg";
const name = () => page.getByLabel("Venture Name");
const save = () => page.getByRole("button", { name: "Save", exact: true });
const cards = () => page.getByRole("list", { name: "Ventures" }).getByRole("listitem");
const expectOrder = (names: string[]) =>
  expect(cards().getByRole("link", { name: /^(?!Edit)/ })).toHaveText(names);
const ordered = () => page.waitForResponse((response) => response.url().endsWith("/order") && response.ok());

/** What visitors find on the page About. */
async function shownNames() {
  const visitor = await page.context().browser()!.newPage();
  await visitor.goto(`${site.url}/about`);
  const names = await visitor.getByRole("region", { name: "Ventures" }).getByRole("heading", { level: 3 });
  const texts = await names.allTextContents();
  await visitor.close();
  return texts;
}

test("the list says that it is empty, and leads to the form", async () => {
  await openHydrated(page, `${site.url}/admin/ventures`);
  await expect(page.getByText("No ventures yet")).toBeVisible();
  await expectNoAxeFindings(page);
  await page.getByRole("link", { name: "Add venture" }).click();
  await expect(page.getByRole("heading", { name: "Add venture" })).toBeVisible();
  await expect(page.getByLabel("Icon")).toHaveValue("Building");
  await expect(page.getByLabel("Icon").locator("option")).toHaveText([
    "Building",
    "Heart",
    "TrendingUp",
    "Zap",
    "Users",
    "Globe",
    "Star",
  ]);
  await expect(page.getByLabel("Sort Order")).toHaveValue("0");
  await expect(page.getByRole("switch", { name: "Active" })).toBeChecked();
  await expect(page.getByLabel("Description")).toHaveAttribute("rows", "3");
});

test("venture: errors appear beside their fields and the typed text stays @full", async () => {
  await page.getByLabel("Website URL").fill("saltbush");
  await page.getByLabel("Sort Order").fill("1.5");
  await save().click();
  await expect(name()).toBeFocused();
  await expect(name()).toHaveAccessibleDescription("Name is required");
  await expect(page.getByLabel("Description")).toHaveAccessibleDescription("Description is required");
  await expect(page.getByLabel("Website URL")).toHaveAccessibleDescription(/full address/);
  await expect(page.getByLabel("Website URL")).toHaveValue("saltbush");
  await expect(page.getByLabel("Sort Order")).toHaveAccessibleDescription(/whole number/);
  await expectNoAxeFindingsInThemes(page);
});

test("a venture is created with its picture, and visitors see it", async () => {
  await name().fill("Saltbush Housing");
  await page.getByLabel("Website URL").fill("https://saltbush.example/");
  await page.getByLabel("Description").fill("Forty-one homes.");
  await page.getByLabel("Icon").selectOption("Heart");
  // Blank means 0.
  await page.getByLabel("Sort Order").fill("");
  await page.getByLabel("Venture Image", { exact: true }).setInputFiles(PICTURE);
  const preview = page.locator("form img");
  await expect(preview).toHaveJSProperty("width", 128);
  await save().click();
  await expectToast(page, "Venture created successfully");
  await expectOrder(["Saltbush Housing"]);
  await expect(cards()).toContainText("saltbush.example");
  await expect(cards()).toContainText("Active");
  expect(await shownNames()).toEqual(["Saltbush Housing"]);
});

test("a failed save of a venture shows an error, and a second one succeeds", async () => {
  await page.getByRole("link", { name: "Edit Saltbush Housing" }).click();
  await expect(page.getByLabel("Sort Order")).toHaveValue("0");
  await expect(page.getByLabel("Icon")).toHaveValue("Heart");
  await page.getByRole("switch", { name: "Active" }).uncheck();
  const path = "**/api/admin/ventures/*";
  await page.route(path, (route) =>
    route.fulfill({ status: 500, json: { error: { code: "internal", message: "Something went wrong." } } }),
  );
  await save().click();
  await expectToast(page, "Failed to save venture");
  await page.unroute(path);
  await page.route("**/api/admin/files", (route) =>
    route.fulfill({ status: 403, json: { error: { code: "forbidden", message: "Not now." } } }),
  );
  await page.locator("input[type=file]").setInputFiles("demo/images/show.jpg");
  await expectToast(page, "Failed to upload image");
  await expect(page.getByText("Not now.")).toBeVisible();
  await page.unroute("**/api/admin/files");
  await page.getByRole("button", { name: "Choose another file" }).click();
  await save().click();
  await expectToast(page, "Venture updated successfully");
  await expect(cards()).toContainText("Inactive");
});

test("a venture saved elsewhere is not overwritten without a question @full", async () => {
  await page.getByRole("link", { name: "Edit Saltbush Housing" }).click();
  await page.waitForURL(/ventures\/\d+$/);
  const path = new URL(page.url()).pathname.replace("/admin/", "/api/admin/");
  await page.getByLabel("Description").fill("Mine.");
  await page.request.patch(`${site.url}${path}`, { data: { description: "Theirs." } });
  await save().click();
  await expect(page.getByRole("alert").getByText(/was changed elsewhere/)).toBeVisible();
  await expect(page.getByLabel("Description")).toHaveValue("Mine.");
  await page.getByRole("button", { name: "Save this version anyway" }).click();
  await expectToast(page, "Venture updated successfully");
});

test("the order is changed by the keyboard, the buttons and the mouse, and visitors see it", async () => {
  const given = ["Alpha", "Beta", "A name that goes on and on, of a venture that could not decide upon one"];
  for (const [place, each] of given.entries()) {
    await page.request.post(`${site.url}/api/admin/ventures`, {
      data: { name: each, description: "Words.", sortOrder: place + 1 },
    });
  }
  const [alpha, beta, long] = given as [string, string, string];
  await openHydrated(page, `${site.url}/admin/ventures`);
  await expectOrder(["Saltbush Housing", alpha, beta, long]);

  const handle = (of: string) => page.getByRole("button", { name: `Reorder ${of}` });
  await pickUp(page, handle(beta), "Picked up Beta, position 3 of 4.");
  await page.keyboard.press("ArrowUp");
  await expect(page.getByText("Beta is now at position 2 of 4.")).toBeAttached();
  const lifted = ordered();
  await page.keyboard.press("Space");
  await expectOrder(["Saltbush Housing", beta, alpha, long]);
  await lifted;
  await expectToast(page, "Ventures reordered successfully");
  expect(await shownNames()).toEqual([beta, alpha, long]);

  // The second is sent once the first has arrived, so that the last one wins.
  let sent = 0;
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  await page.route("**/order", async (route) => {
    if (++sent === 1) await arrived;
    await route.continue();
  });
  let answered = 0;
  page.on("response", (response) => (answered += Number(response.url().endsWith("/order"))));
  const up = page.getByRole("button", { name: `Move ${long} up` });
  // Faster than the page is drawn.
  await up.evaluate((button: HTMLElement) => {
    button.focus();
    button.click();
    button.click();
  });
  await expectOrder(["Saltbush Housing", long, beta, alpha]);
  await expect(up).toBeFocused();
  await expect(page.getByText(`${long} is now at position 2 of 4.`)).toBeAttached();
  await expect.poll(() => sent).toBe(1);
  arrive();
  await expect.poll(() => answered).toBe(2);
  expect(await shownNames()).toEqual([long, beta, alpha]);
  await page.unroute("**/order");

  const from = (await handle(long).boundingBox())!;
  const to = (await handle("Saltbush Housing").boundingBox())!;
  await page.mouse.move(from.x + 10, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(to.x + 10, to.y, { steps: 8 });
  await expect(page.getByText(`${long} is now at position 1 of 4.`)).toBeAttached();
  const dropped = ordered();
  await page.mouse.up();
  await dropped;
  await expectOrder([long, "Saltbush Housing", beta, alpha]);
  await page.reload();
  // Its buttons have other colours until then.
  await hydrated(page);
  await expectOrder([long, "Saltbush Housing", beta, alpha]);
  await expectNoAxeFindingsInThemes(page);
});

test("an outdated order of ventures is rolled back with a message", async () => {
  await openHydrated(page, `${site.url}/admin/ventures`);
  const { items } = (await (await page.request.get(`${site.url}/api/admin/ventures`)).json()) as {
    items: { id: number; name: string }[];
  };
  const gone = items.find((item) => item.name === "Beta")!;
  await page.request.delete(`${site.url}/api/admin/ventures/${gone.id}`);
  await page.getByRole("button", { name: "Move Alpha up" }).click();
  await expectToast(page, /^Failed to reorder ventures\. The ventures have changed/);
  await expect(cards()).toHaveCount(3);
  await expect(cards().last()).toContainText("Alpha");
});

test("a venture is deleted after a confirmation, and the focus goes to the one beside it", async () => {
  await page.getByRole("button", { name: "Delete Alpha" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Are you sure you want to delete this venture?" });
  await expectNoAxeFindings(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: "Delete Alpha" })).toBeFocused();
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Delete venture" }).click();
  await expectToast(page, "Venture deleted successfully");
  await expect(cards()).toHaveCount(2);
  await expect(cards().last().locator(":focus")).toHaveCount(1);
  // The browser also logs each error of the API to the console.
  expect(complaints.filter((complaint) => !/Failed to load resource/.test(complaint))).toEqual([]);
});
