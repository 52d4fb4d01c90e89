import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { hold } from "./support/hold.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { htmlIn } from "./support/translation.ts";
import { desktop, phone } from "./support/windows.ts";

let site: Site;
test.beforeAll(async () => void (site = await startSite()));
test.afterAll(() => site.stop());
test.beforeEach(({ page }) => signInAsOwner(page, site));

test("a transcript's broken line is named beside it, a trailer has no number, and roles are chosen @full", async ({
  page,
}) => {
  await openHydrated(page, `${site.url}/admin/podcast/new`);
  // Only drafts are saved automatically.
  await page.getByLabel("Status").selectOption("archived");
  await page.getByLabel("Title", { exact: true }).fill("An introduction");
  await page.getByLabel("Type", { exact: true }).selectOption("Trailer");
  await expect(page.getByLabel("Season number")).toHaveValue("");
  await expect(page.getByLabel("Episode number")).toBeDisabled();
  await expect(page.getByLabel("Episode number")).toHaveValue("");
  await page.getByRole("button", { name: "Add a person" }).click();
  // After the host, who is already in the list.
  await page.getByLabel("Name", { exact: true }).last().fill("Farida Oakleigh");
  await page
    .getByLabel("Role", { exact: true })
    .last()
    .selectOption({ value: "video post-production/editor" });
  const transcript = page.getByRole("textbox", { name: "Transcript", exact: true });
  await transcript.fill(
    "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n\n00:00:0x.000 --> 00:00:04.000\nBroken\n",
  );
  await page.keyboard.press("ControlOrMeta+s");
  await expect(transcript).toHaveAccessibleDescription(/^Line 6: “00:00:0x\.000” isn’t a time/);
  await expect(transcript).toBeFocused();

  await transcript.fill("Hello.\n\nThis is all in words.");
  await page.keyboard.press("ControlOrMeta+s");
  await page.waitForURL(/\/admin\/podcast\/\d+$/);
  await openHydrated(page, page.url());
  await expect(page.getByLabel("Episode number")).toHaveValue("");
  await expect(page.getByLabel("Name", { exact: true }).first()).toHaveValue("Imogen Tarrant");
  await expect(page.getByLabel("Role", { exact: true }).last()).toHaveValue("video post-production/editor");
  await page.goto(`${site.url}/admin/podcast`);
  const row = page.getByRole("row").filter({ hasText: "An introduction" });
  await expect(row.getByRole("cell").nth(1)).toHaveText("");
});

test("the episode schedule is a preset, or a rule that must be valid @full", async ({ page }) => {
  await openHydrated(page, `${site.url}/admin/podcast/show`);
  const rule = page.getByLabel("Recurrence rule");
  await expect(rule).toHaveValue("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU");
  await rule.fill("every second Tuesday");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(rule).toHaveAccessibleDescription(/^“every second Tuesday” isn’t part of a recurrence rule/);

  await page.getByLabel("How often", { exact: true }).selectOption("Fortnightly");
  await expect(rule).toBeHidden();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expectToast(page, "Podcast updated successfully!");
  expect(await (await page.request.get(`${site.url}/rss/podcast.xml`)).text()).toContain(
    '<podcast:updateFrequency rrule="FREQ=WEEKLY;INTERVAL=2">Every second Tuesday</podcast:updateFrequency>',
  );
});

test("a show that was saved in another tab is only overwritten after a confirmation @full", async ({
  page,
}) => {
  const address = `${site.url}/admin/podcast/show`;
  const subtitle = async () => {
    const answer = await page.request.get(`${site.url}/api/admin/show`);
    return ((await answer.json()) as { show: { subtitle: string } }).show.subtitle;
  };
  await openHydrated(page, address);
  const other = await page.context().newPage();
  await openHydrated(other, address);
  for (const words of ["Once", "Twice"]) {
    await other.getByLabel("Subtitle").fill(words);
    await other.getByRole("button", { name: "Save changes" }).click();
    await expectToast(other, "Podcast updated successfully!");
  }
  await page.getByLabel("Copyright").fill("Corrected");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("The podcast was changed elsewhere since you opened it.").last()).toBeVisible();
  await expect(page.getByLabel("Copyright")).toHaveValue("Corrected");
  expect(await subtitle()).toBe("Twice");
  await page.getByRole("button", { name: "Save this version anyway" }).click();
  await expectToast(page, "Podcast updated successfully!");
  expect(await subtitle()).not.toBe("Twice");
  await other.close();
});

const post = async (page: Page, data: object) => {
  const answer = await page.request.post(`${site.url}/api/admin/episodes`, { data });
  return (await answer.json()) as { id: number };
};
const isSaved = (page: Page) =>
  page.waitForResponse(
    (response) =>
      response.request().method() === "PATCH" &&
      response.url().includes("/api/admin/episodes/") &&
      response.ok(),
  );

test("the episode list has search and filters, shows scheduled dates, and preserves the focus after a deletion @full", async ({
  page,
}) => {
  for (const title of ["Alder one", "Alder two", "Alder three"]) await post(page, { title, seasonNumber: 7 });
  await post(page, { title: "Alder later", status: "scheduled", scheduledFor: Date.UTC(2037, 9, 3, 19) });
  await openHydrated(page, `${site.url}/admin/podcast`);
  const picture = page.getByRole("row").filter({ hasText: "The waiting room is a policy" }).locator("img");
  await expect(picture).toHaveAttribute("loading", "lazy");
  const words = page.getByLabel("Search", { exact: true });
  const season = page.getByLabel("Season", { exact: true });
  const search = page.getByRole("search").getByRole("button", { name: "Search" });
  const answer = await hold(page, "**/podcast.data?q=alder*", { times: 1 });
  await words.fill("alder");
  await search.click();
  // Changes made before the response arrives remain, and so does the focus.
  await season.selectOption("Season 7");
  await search.focus();
  answer();
  await page.waitForURL("**/admin/podcast?q=alder**");
  await expect(page.getByRole("row").filter({ hasText: "Alder later" })).toContainText(
    "Planned for 4 October 2037 at 6:00 am AEDT",
  );
  const clear = page.getByRole("search").getByRole("link", { name: "Clear" });
  await expect(clear).toBeVisible();
  await expect(search).toBeFocused();
  await expect(season).toHaveValue("7");
  await search.click();
  await page.waitForURL(/season=7/);
  await expect(page.getByRole("row")).toHaveCount(4);
  await clear.click();
  await expect(page.getByRole("row").filter({ hasText: "The waiting room is a policy" })).toBeVisible();
  await expect(words).toHaveValue("");
  await expect(season).toHaveValue("");
  await page.goBack();
  await expect(season).toHaveValue("7");
  await expect(words).toHaveValue("alder");
  await expectNoAxeFindings(page);
  for (const [title, next] of [
    ["Alder two", "Alder one"],
    ["Alder one", "Alder three"],
  ]) {
    await page.getByRole("button", { name: `Delete ${title}` }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete episode" }).click();
    await expect(page.getByRole("link", { name: title, exact: true })).toHaveCount(0);
    await expect(page.getByRole("link", { name: next, exact: true })).toBeFocused();
  }
});

test("the form's table of contents shows missing parts and counts errors @full", async ({ page }) => {
  await page.setViewportSize(desktop);
  await openHydrated(page, `${site.url}/admin/podcast/new`);
  const sections = page.getByRole("navigation", { name: "Sections" });
  const entry = (name: string) => sections.getByRole("link", { name });
  await expect(entry("Audio")).toHaveText("AudioNo file");
  await entry("Publishing").click();
  await expect(page.getByRole("heading", { name: "Publishing" })).toBeFocused();
  await expect(entry("Publishing")).toHaveAttribute("aria-current", "location");
  await page.getByLabel("Status").selectOption("scheduled");
  await expect(entry("Publishing")).toHaveText("PublishingNo date");
  await page.getByLabel("Publish at").fill("2037-10-04T06:00");
  await expect(
    page.getByText(/^Goes out on Sunday 4 October 2037 at 6:00.am AEDT \(Sydney\), in [\d,]+ days\.$/),
  ).toBeVisible();
  await page.getByLabel("Status").selectOption("draft");
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(page.getByLabel("Title", { exact: true })).toBeFocused();
  await expect(page.getByLabel("Title", { exact: true })).toBeInViewport();
  await expect(entry("Text")).toHaveText("Text1 error");
  await expectNoAxeFindings(page);

  await page.setViewportSize(phone);
  const menu = page.getByText("All sections");
  await menu.click();
  await expectNoAxeFindings(page);
  await entry("People").click();
  await expect(page.getByRole("heading", { name: "People" })).toBeFocused();
  await expect(entry("Audio")).toBeHidden();
  await expect(page.getByText("1 error").first()).toBeVisible();
});

test("show notes are previewed as on the page, and saved with a keyboard shortcut @full", async ({
  page,
}) => {
  await page.setViewportSize(desktop);
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  await page.getByLabel("Show notes").fill("0:05 *Where* it begins\n\n2:59:00 Long after\n\n> Quoted");
  const preview = page.getByRole("region", { name: "Preview" });
  await expect(preview.getByRole("link", { name: "0:05" })).toHaveAttribute("href", "?t=5");
  await expect(preview.getByRole("link", { name: "2:59:00" })).toHaveCount(0);
  const previewed = await htmlIn(preview.locator(".reading"));
  const saved = isSaved(page);
  await page.keyboard.press("ControlOrMeta+s");
  await saved;
  const published = await (await page.request.get(`${site.url}/api/episodes/1`)).json();
  expect((published as { showNotesHtml: string }).showNotesHtml).toBe(previewed);
});

test("a new episode is saved during its audio upload, and the next save attaches the file @full", async ({
  page,
}) => {
  await openHydrated(page, `${site.url}/admin/podcast/new`);
  const release = await hold(page, "**/parts/*");
  // Only drafts are saved automatically.
  await page.getByLabel("Status").selectOption("archived");
  await page.getByLabel("Title", { exact: true }).fill("Before its audio");
  await page
    .getByLabel("Audio file", { exact: true })
    .setInputFiles(new URL("../fixtures/speech.mp4", import.meta.url).pathname);
  await expect(page.getByText("You can save now", { exact: false })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+s");
  await page.waitForURL(/\/admin\/podcast\/\d+$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Before its audio · Archived");
  release();
  await expect(page.getByText("4 KB · 0:02")).toBeVisible();
  await expect(page.getByText("Upload complete. Save to attach the file.")).toBeVisible();
  const saved = isSaved(page);
  await page.keyboard.press("ControlOrMeta+s");
  const { audio } = (await (await saved).json()) as { audio: { name: string } };
  expect(audio.name).toBe("speech.m4a");
});
