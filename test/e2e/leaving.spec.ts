import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

let site: Site;
let page: Page;
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  page = await (await browser.newContext()).newPage();
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const notes = () => page.getByLabel("Show notes");
const save = () => page.getByRole("button", { name: "Save changes" });
const settings = () => page.getByRole("link", { name: "Settings", exact: true });
const leaving = () => page.getByRole("alertdialog", { name: "Leave without saving?" });

const expectStored = (words: string) =>
  expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain(words);

/** Starts an automatic save of the form and holds its response. */
async function heldSave(address: string, begin: () => Promise<void>) {
  const isHeld = page.waitForRequest((request) => request.postDataJSON()?.automatic === true);
  const release = await hold(page, address, { times: 1 });
  await begin();
  await isHeld;
  return release;
}

test("text typed while the page cannot reload is offered on the next visit @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  const { promise: isLost, resolve: lose } = Promise.withResolvers<void>();
  const read = "**/admin/podcast/1.data*";
  await page.route(
    read,
    async (route) => {
      await isLost;
      await route.abort();
    },
    { times: 1 },
  );
  await notes().fill("Saved.");
  const saved = page.waitForResponse((response) => response.request().method() === "PATCH");
  await save().click();
  expect((await saved).status()).toBe(200);
  await notes().fill("Typed on a train.");
  lose();
  await expect(notes()).toHaveCount(0);
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  await expect(notes()).toHaveValue("Saved.");
  await page.getByRole("button", { name: "Restore it" }).click();
  await expect(notes()).toHaveValue("Typed on a train.");
  await expect(page.getByLabel("Title", { exact: true }).first()).toBeFocused();
  await save().click();
  await expectToast(page, "Episode updated successfully!");
});

test("chapters are restored as typed, including half a line @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/4`);
  const chapters = page.getByRole("textbox", { name: "Chapters" });
  await page.getByText("Chapters as text", { exact: true }).click();
  await chapters.fill("0:00 Welcome\n0:20 The lease\n0:4");
  await expectStored("The lease");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole("button", { name: "Restore it" }).click();
  await expect(chapters).toHaveValue("0:00 Welcome\n0:20 The lease\n0:4");
  await chapters.fill("0:00 Welcome\n0:20 The lease");
  await save().click();
  await expectToast(page, "Episode updated successfully!");
});

test("an earlier text is offered until it is answered, also after a save @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/2`);
  await notes().fill("Lost in a crash.");
  await expectStored("Lost in a crash.");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByRole("button", { name: "Discard it" })).toBeVisible();
  await page.getByLabel("Title", { exact: true }).first().fill("Mended");
  await save().click();
  await expectToast(page, "Episode updated successfully!");
  await openHydrated(page, `${site.url}/admin/podcast/2`);
  await page.getByRole("button", { name: "Restore it" }).click();
  await expect(notes()).toHaveValue("Lost in a crash.");
  await page.getByRole("link", { name: "Cancel" }).click();
  await leaving().getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "Podcast Episodes" })).toBeVisible();
  // Who said that it may be lost is not asked again.
  await openHydrated(page, `${site.url}/admin/podcast/2`);
  await expect(page.getByRole("button", { name: "Restore it" })).toHaveCount(0);
});

test("saving cancels a pending navigation @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  const release = await hold(page, "**/admin/podcast.data*", { times: 1 });
  await page.getByRole("link", { name: "Cancel" }).click();
  await notes().fill("Saved after all.");
  await save().click();
  await expectToast(page, "Episode updated successfully!");
  release();
  await page.reload();
  await expect(notes()).toHaveValue("Saved after all.");
});

test("leaving waits for a publication that was put off behind a save @full", async () => {
  const created = await page.request.post(`${site.url}/api/admin/episodes`, {
    data: { title: "Put off", episodeNumber: 91 },
  });
  const { id } = (await created.json()) as { id: number };
  await openHydrated(page, `${site.url}/admin/podcast/${id}`);
  const release = await heldSave(`**/api/admin/episodes/${id}`, () => notes().fill("Put off."));
  await page.getByLabel("Status").selectOption("published");
  await page.getByRole("button", { name: "Publish episode" }).click();
  await settings().click();
  release();
  const question = page.getByRole("alertdialog", { name: "Before you publish" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(`${site.url}/admin/podcast/${id}`);
  await settings().click();
  await leaving().getByRole("button", { name: "Leave" }).click();
  await page.waitForURL("**/admin/settings/general");
});

test("a save that nothing answers can be left behind, or waited for @full", async () => {
  await page.clock.install();
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  const isHeld = page.waitForRequest((request) => request.method() === "PATCH");
  const release = await hold(page, "**/api/admin/episodes/1", { times: 1 });
  await notes().fill("On its way.");
  await save().click();
  await isHeld;
  await settings().click();
  await page.clock.fastForward(9_000);
  await expect(leaving()).toHaveCount(0);
  await page.clock.fastForward(2_000);
  await expectNoAxeFindings(page);
  await leaving().getByRole("button", { name: "Cancel" }).click();
  await expect(leaving()).toHaveCount(0);
  release();
  await expectToast(page, "Episode updated successfully!");
  await expect(save()).not.toHaveAttribute("aria-busy");
  expect(new URL(page.url()).pathname).toBe("/admin/podcast/1");
  await page.reload();
  await expect(notes()).toHaveValue("On its way.");
});

test("taking over the other version's transcript replaces the one being corrected @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/3`);
  await page.getByRole("button", { name: "Edit while listening" }).click();
  await expect(page.getByRole("list", { name: "Cues" })).toBeVisible();
  await page.request.patch(`${site.url}/api/admin/episodes/3`, {
    data: { transcript: "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nTheirs\n" },
  });
  await page.getByLabel("Title", { exact: true }).first().fill("Mine");
  await save().click();
  await page.getByRole("button", { name: "Compare the two versions" }).click();
  await page.getByRole("button", { name: "Use theirs: Transcript" }).click();
  await expect(page.getByRole("button", { name: "Use theirs: Transcript" })).toHaveCount(0);
  await page.getByRole("button", { name: "Save mine" }).click();
  await expectToast(page, "Episode updated successfully!");
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Transcript", exact: true })).toHaveValue(/Theirs/);
});

test("a letter is made once, even if unsaved changes stop the navigation @full", async () => {
  await openHydrated(page, `${site.url}/admin/articles`);
  await page.getByRole("row").filter({ hasText: "Published" }).getByRole("link").first().click();
  await page.getByLabel("Text", { exact: true }).fill("Rewritten.");
  await page.getByRole("button", { name: "Send as a letter" }).click();
  await leaving().getByRole("button", { name: "Cancel" }).click();
  const letter = page.getByRole("link", { name: "Open its letter" });
  await expect(letter).toHaveAttribute("href", /^\/admin\/newsletter\/\d+$/);
  await expect(page.getByRole("button", { name: "Send as a letter" })).toHaveCount(0);
  await letter.click();
  await leaving().getByRole("button", { name: "Leave" }).click();
  await page.waitForURL(/\/admin\/newsletter\/\d+$/);
});

test("nothing else of a page is sent while one of its forms is @full", async () => {
  expect(await page.request.put(`${site.url}/api/admin/desk/ticks/dismissed`)).toBeOK();
  await openHydrated(page, `${site.url}/admin/settings/general`);
  const again = page.getByRole("button", { name: "Show the first steps again" });
  await expect(again).toBeEnabled();
  const release = await hold(page, "**/api/admin/settings", { times: 1 });
  await page.getByRole("button", { name: "Save Changes" }).first().click();
  await expect(again).toBeDisabled();
  release();
  await expect(again).toBeEnabled();
});

test("a link that is clicked during a save is followed, even if the save leads to a list @full", async () => {
  await openHydrated(page, `${site.url}/admin/ventures/new`);
  await page.getByLabel("Venture Name").fill("Saltbush Housing");
  await page.getByLabel("Website URL").fill("https://saltbush.example/");
  await page.getByLabel("Description").fill("Forty-one homes.");
  await page.getByLabel("Icon").selectOption("Heart");
  const isHeld = page.waitForRequest((request) => request.method() === "POST");
  const release = await hold(page, "**/api/admin/ventures", { times: 1 });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await isHeld;
  await settings().click();
  release();
  await expectToast(page, "Venture created successfully");
  await page.waitForURL("**/admin/settings/general");
});

test("logging out during a save signs out, for a first automatic save and for the button @full", async () => {
  await openHydrated(page, `${site.url}/admin/articles/new`);
  const logout = page.getByRole("button", { name: "Logout" });
  let release = await heldSave("**/api/admin/articles", () =>
    page.getByLabel("Title", { exact: true }).fill("Written in a library"),
  );
  await page.route("**/api/admin/session", (route) => route.abort(), { times: 1 });
  const asked = page.waitForRequest((request) => request.method() === "DELETE");
  await logout.click();
  release();
  await asked;

  await openHydrated(page, `${site.url}/admin/articles`);
  await page.getByRole("table").getByRole("link", { name: "Written in a library", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Written in a library · Draft");
  release = await hold(page, `**/api${new URL(page.url()).pathname}`, { times: 1 });
  await page.getByLabel("Excerpt").fill("Sent.");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByLabel("Excerpt").fill("Typed since.");
  await logout.click();
  release();
  await page.waitForURL("**/admin/login");
});
