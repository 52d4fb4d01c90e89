import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { longMp3 } from "./support/mp3.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";

let site: Site;
test.beforeAll(async () => void (site = await startSite()));
test.afterAll(() => site.stop());
test.beforeEach(({ page }) => signInAsOwner(page, site));

const CUES = `WEBVTT

00:00:01.000 --> 00:00:04.500
<v Ann>Wellcome.

00:00:04.500 --> 00:00:09.250
<v Bo>You are wellcome.
`;

const time = (page: Page) => page.getByRole("slider", { name: "Position" });

async function save(page: Page, name: string) {
  const saved = page.waitForResponse(
    (answer) =>
      /\/api\/admin\/episodes(\/\d+)?$/.test(answer.url()) &&
      /POST|PATCH/.test(answer.request().method()) &&
      !answer.request().postDataJSON().automatic,
  );
  await page.getByRole("button", { name, exact: true }).click();
  return saved;
}

test("chapters and soundbites are set by ear on the waveform of an upload, and reach listeners @full", async ({
  page,
  context,
}) => {
  const complaints = complaintsOf(context);
  await openHydrated(page, `${site.url}/admin/podcast/new`);
  await page.getByLabel("Title", { exact: true }).fill("Set by ear");
  const { data, seconds } = longMp3("demo/audio/01-the-waiting-room-is-a-policy.mp3", 300_000);
  const stored = page.waitForResponse(
    (answer) => answer.url().endsWith("/peaks") && answer.request().method() === "PUT",
  );
  await page
    .getByLabel("Audio file", { exact: true })
    .setInputFiles({ name: "ear.mp3", mimeType: "audio/mpeg", buffer: data });
  const { peaks } = (await (await stored).json()) as { peaks: string };
  expect(Buffer.from(peaks, "base64").length).toBe(Math.ceil(seconds * 10));

  // By the keyboard: to 0:20, a chapter there, and a little later.
  await time(page).focus();
  await time(page).press("PageUp");
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press("ArrowRight");
  await expect(time(page)).toHaveAttribute("aria-valuetext", /^20 seconds of 1 minute/);
  await page.getByRole("button", { name: "Add chapter here" }).press("Enter");
  const chapter = page.getByRole("group", { name: "chapter 1" });
  await expect(chapter.getByLabel("Title")).toBeFocused();
  await page.keyboard.type("The turn");
  const start = chapter.getByLabel("Starts at");
  await expect(start).toHaveValue("0:20");
  await start.press("ArrowUp");
  await start.press("Shift+ArrowUp");
  await start.press("ArrowDown");
  await start.press("ArrowUp");
  await expect(start).toHaveValue("0:21.1");

  // The page of a draft that has saved itself has other parts, above the waveform as well.
  await page.waitForURL(/\/admin\/podcast\/\d+$/);
  // By the mouse: the mark is dragged to the right, and its time follows.
  const mark = page.locator("[data-waveform] [part~=marker]");
  // Late content above may move it between the check and the press.
  await expect(async () => {
    const from = (await mark.boundingBox())!;
    await page.mouse.move(from.x + 10, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(from.x + 110, from.y + 10, { steps: 5 });
    await page.mouse.up();
    await expect(start).not.toHaveValue("0:21.1", { timeout: 2000 });
  }).toPass();
  await start.fill("0:21.1");

  await page.getByRole("button", { name: "Add a soundbite" }).click();
  const soundbite = page.getByRole("group", { name: "soundbite 1" });
  await soundbite.getByLabel("Seconds").fill("200");
  await expect(soundbite.getByLabel("Seconds")).toHaveAccessibleDescription(/at most 120 seconds/);
  await soundbite.getByLabel("Seconds").fill("45");
  await soundbite.getByRole("button", { name: "Listen to soundbite 1" }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await page.getByRole("button", { name: "Pause" }).click();

  // As text it is the same, and what cannot be read is said.
  await page.getByRole("button", { name: "Chapters as text" }).click();
  const lines = page.getByRole("textbox", { name: "Chapters", exact: true });
  await expect(lines).toHaveValue("0:21.1 The turn");
  await lines.fill("0:00 Welcome\nsoon The turn");
  await page.getByRole("button", { name: "Chapter list" }).click();
  await expect(page.getByText(/^Line 2 isn’t a time and a title/)).toBeVisible();
  await lines.fill("0:00 Welcome\n0:21.1 The turn\n9:59:59 Beyond");
  await page.getByRole("button", { name: "Chapter list" }).click();
  const beyond = page.getByRole("group", { name: "chapter 3" });
  await expect(beyond.getByLabel("Starts at")).toHaveAccessibleDescription(/The episode ends at 1:/);
  await expectNoAxeFindings(page);
  expect((await save(page, "Save draft")).status()).toBe(422);
  await expect(beyond.getByLabel("Starts at")).toBeFocused();
  await beyond.getByRole("button", { name: "Remove chapter 3" }).click();

  // 201, or 200 if the draft has been autosaved.
  const saved = await save(page, "Save draft");
  expect(saved.ok()).toBe(true);
  const { id } = (await saved.json()) as { id: number };
  const published = await page.request.patch(`${site.url}/api/admin/episodes/${id}`, {
    data: { status: "published" },
    headers: { Origin: site.url },
  });
  expect(published.ok()).toBe(true);
  const chapters = await (await page.request.get(`${site.url}/episode/${id}/chapters.json`)).json();
  expect(chapters).toMatchObject({
    chapters: [
      { startTime: 0, title: "Welcome" },
      { startTime: 21.1, title: "The turn" },
    ],
  });
  const feed = await (await page.request.get(`${site.url}/rss/podcast.xml`)).text();
  expect(feed).toContain('<podcast:soundbite startTime="');
  expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
});

test("a transcript is corrected cue by cue, without changing its times @full", async ({ page, context }) => {
  const complaints = complaintsOf(context);
  await openHydrated(page, `${site.url}/admin/podcast/2`);
  await page.getByLabel("Read a transcript file").setInputFiles({
    name: "cues.srt",
    mimeType: "text/plain",
    buffer: Buffer.from("1\n00:00:01,000 --> 00:00:02,000\nHello\n"),
  });
  const text = page.getByRole("textbox", { name: "Transcript", exact: true });
  // The file is read in the background.
  await expect(text).toHaveValue(/Hello/);
  await page.getByRole("button", { name: "Edit while listening" }).click();
  await expect(page.getByRole("list", { name: "Cues" }).getByRole("listitem")).toHaveCount(1);
  await page.getByRole("button", { name: "Transcript as text" }).click();
  await expect(text).toHaveValue("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n");

  await text.fill("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Anna>Hello\n");
  await page.getByRole("button", { name: "Edit while listening" }).click();
  const onlySpeaker = page.getByLabel("Speaker at 0:01");
  await onlySpeaker.fill("");
  await expect(onlySpeaker).toBeFocused();
  await page.getByRole("button", { name: "Transcript as text" }).click();

  await text.fill(CUES);
  await page.getByRole("button", { name: "Edit while listening" }).click();
  await page.getByRole("button", { name: "Play from 0:04" }).click();
  const cues = page.getByRole("list", { name: "Cues" }).getByRole("listitem");
  await expect(cues.nth(1)).toHaveAttribute("aria-current", "true");
  const second = page.getByLabel("Text at 0:04");
  await second.press("Control+Space");
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  await second.press("Alt+ArrowUp");
  await expect(page.getByLabel("Text at 0:01")).toBeFocused();
  await expect(time(page)).toHaveAttribute("aria-valuetext", /^1 second of/);

  await page.getByLabel("Find", { exact: true }).fill("wellcome");
  await expect(page.getByText("2 found")).toBeVisible();
  await page.getByLabel("Match case").check();
  await expect(page.getByText("1 found")).toBeVisible();
  await page.getByLabel("Replace with").fill("welcome");
  await page.getByRole("button", { name: "Replace all" }).click();
  await page.getByLabel("Text at 0:01").fill("Welcome & hello.");
  await page.getByLabel("Speaker at 0:01").fill("Anna");
  await expectNoAxeFindings(page);
  expect((await save(page, "Save changes")).status()).toBe(200);
  const stored = await (await page.request.get(`${site.url}/episode/2/transcript.vtt`)).text();
  expect(stored).toBe(
    "WEBVTT\n\n00:00:01.000 --> 00:00:04.500\n<v Anna>Welcome &amp; hello.\n\n00:00:04.500 --> 00:00:09.250\n<v Bo>You are welcome.\n",
  );
  expect(complaints).toEqual([]);
});
