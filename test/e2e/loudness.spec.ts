import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page, type Response } from "@playwright/test";
import { ffmpegLoudness, hasRecorders, makeRecordings, recordings } from "../support/loudness-recordings.ts";
import { changeGain } from "../../src/admin/sound/mp3-gain.ts";
import type { StoredFile, StoredPeaks } from "../../worker/files/contract.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";

let site: Site;
let folder: string;
/** An episode of the demo whose recording is the loud one. */
test.beforeAll(async () => {
  site = await startSite();
  folder = mkdtempSync(join(tmpdir(), "rostrum-loud-"));
  const demo = readFileSync("demo/audio/01-the-waiting-room-is-a-policy.mp3");
  const louder = await changeGain(new Blob([demo]), 2);
  writeFileSync(loud(), new Uint8Array(await louder.arrayBuffer()));
  const audio = "select audio_file_id from episodes where id = ?";
  const row = await site.env.DB.prepare(`select key from files where id = (${audio})`)
    .bind(EPISODE)
    .first<{ key: string }>();
  const bytes = readFileSync(loud());
  await site.env.MEDIA.put(row!.key, bytes, { httpMetadata: { contentType: "audio/mpeg" } });
  await site.env.DB.prepare("update files set size = ? where key = ?").bind(bytes.length, row!.key).run();
});
test.afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  return site.stop();
});
test.beforeEach(({ page }) => signInAsOwner(page, site));

const EPISODE = 2;
const loud = () => join(folder, "loud.mp3");

const open = (page: Page, id: number | "new" = EPISODE) =>
  openHydrated(page, `${site.url}/admin/podcast/${id}`);

const isPeaks = (answer: Response) => answer.url().endsWith("/peaks") && answer.request().method() === "PUT";

/** The next measured file. */
const nextMeasured = async (page: Page) =>
  (await (await page.waitForResponse(isPeaks)).json()) as StoredPeaks;

const nextStored = async (page: Page) =>
  (await (await page.waitForResponse((answer) => answer.url().endsWith("/complete"))).json()) as StoredFile;

const choose = (page: Page, name: string, buffer: Buffer, mimeType = "audio/mpeg") =>
  page.getByLabel("Audio file", { exact: true }).setInputFiles({ name, mimeType, buffer });

const writeButton = (page: Page) =>
  page.getByRole("button", { name: "Write chapters and cover into the MP3" });
const levelButton = (page: Page) => page.getByRole("button", { name: "Make a levelled copy" });
const copies = (page: Page) => page.getByRole("region", { name: "Copies of the recording" });
const loudnessOf = (page: Page) => page.getByRole("region", { name: "Loudness" });

const fetched = async (page: Page, url: string) =>
  Buffer.from(await (await page.request.get(site.url + url)).body());

test("a recording’s loudness is shown beside its waveform, and copies of it are made", async ({
  page,
  context,
}) => {
  const complaints = complaintsOf(context);
  await open(page);
  // As an older version stored it: without the loudness.
  const audioId = await page.locator("input[name=audioFileId]").inputValue();
  await page.request.put(`${site.url}/api/admin/files/${audioId}/peaks`, {
    data: { peaks: "AAAA" },
    headers: { Origin: site.url },
  });
  await page.getByRole("group", { name: "Listen" }).scrollIntoViewIfNeeded();
  await expect(loudnessOf(page)).toContainText("Not measured yet.");
  const measured = nextMeasured(page);
  await page.getByRole("button", { name: "Measure the loudness" }).click();
  const { loudness } = await measured;
  const theirs = ffmpegLoudness(loud());
  for (const figure of ["integrated", "range", "truePeak"] as const)
    expect(Math.abs(loudness![figure]! - theirs[figure])).toBeLessThanOrEqual(0.2);
  const table = page.getByRole("table", { name: "The loudness of this recording" });
  await expect(table.getByRole("row", { name: "Loudness −16.3 LUFS −19.0 ± 1" })).toBeVisible();
  await expect(table.getByRole("row", { name: "Channels 1 all with sound" })).toBeVisible();
  await expect(page.getByRole("img", { name: /^Loudness over time, between −\d/ })).toBeVisible();
  await expect(loudnessOf(page).getByRole("listitem")).toHaveText([
    "The recording is too loud: −16.3 LUFS instead of −19.0 for one channel.",
    /^The peaks reach −0\.[234] dBTP\. Above −1 dBTP, they may be distorted when played\.$/,
  ]);
  await expectNoAxeFindings(page);

  const stored = nextStored(page);
  const again = nextMeasured(page);
  await expect(copies(page)).toContainText("−3.0 dB: about −19.");
  await levelButton(page).click();
  await expect(copies(page).getByRole("status")).toHaveText(
    "Levelled by −3.0 dB. It is being uploaded above, under Audio. The original stays in Media.",
  );
  const levelled = await stored;
  expect(levelled.name).toMatch(/ \(-3\.0 dB\)\.mp3$/);
  expect(levelled.size).toBe(readFileSync(loud()).length);
  const { loudness: after } = await again;
  expect(after!.integrated! - loudness!.integrated!).toBeCloseTo(-3, 1);
  await expect(loudnessOf(page)).toContainText("Loud enough, and nothing to complain about.");
  await expect(copies(page)).toContainText("The recording is as loud as it should be.");
  const original = await page.request.get(`${site.url}/api/admin/files/${audioId}`);
  expect(original.ok()).toBe(true);

  const tagged = nextStored(page);
  await writeButton(page).click();
  await expect(copies(page).getByRole("status")).toHaveText(
    /^Written: the title, the cover, \d chapters\. It is being uploaded above/,
  );
  const { url, tags, chapters, artwork } = await tagged;
  expect(tags!.title).toBe(await page.locator("input[name=title]").inputValue());
  expect(chapters.length).toBeGreaterThan(2);
  expect(artwork).not.toBeNull();
  // The same sound behind another tag.
  const [copy, source] = [await fetched(page, url), await fetched(page, levelled.url)];
  expect(copy.subarray(-500_000).equals(source.subarray(-500_000))).toBe(true);
  expect(complaints).toEqual([]);
});

test("a copy says what it lacks, and why there is none @full", async ({ page }) => {
  await open(page, "new");
  await page.getByLabel("Title", { exact: true }).fill("Without chapters");
  // Only drafts are saved automatically.
  await page.getByLabel("Status").selectOption("archived");
  await choose(page, "talk.mp3", readFileSync(loud()));
  await expect(copies(page)).toBeVisible();
  const alert = copies(page).getByRole("alert");
  const status = copies(page).getByRole("status");

  await test.step("the recording cannot be read", async () => {
    await page.route("**/media/**/*.mp3", (route) =>
      route.fulfill({ body: "short", contentType: "audio/mpeg" }),
    );
    await writeButton(page).click();
    await expect(alert).toHaveText("The recording couldn’t be read whole. Try again.");
    await page.unrouteAll();
    await page.route("**/media/**/*.mp3", (route) => route.abort());
    await writeButton(page).click();
    await expect(alert).toHaveText("The copy couldn’t be made. Check your connection and try again.");
    await page.unrouteAll();
  });

  await test.step("the cover is no picture", async () => {
    await page.route("**/media/**/*.jpg", (route) =>
      route.fulfill({ body: "words", contentType: "image/webp" }),
    );
    await writeButton(page).click();
    await expect(alert).toHaveText("The cover can’t be read by this browser. Choose a JPEG or PNG.");
    await page.unrouteAll();
  });

  await test.step("a field cannot be read", async () => {
    await page.getByRole("button", { name: "Add chapter here" }).click();
    await page.getByRole("group", { name: "chapter 1" }).getByLabel("Starts at").fill("soon");
    await writeButton(page).click();
    await expect(alert).toHaveText("Some fields of this form can’t be read yet. Correct them first.");
    await page.getByRole("button", { name: "Remove chapter 1" }).click();
  });

  await test.step("there is neither a cover nor a chapter", async () => {
    await site.env.DB.prepare("update shows set artwork_file_id = null").run();
    await writeButton(page).click();
    await expect(status).toHaveText(
      "Written: the title. There is no cover: neither the episode nor the podcast has a picture. " +
        "There are no chapters: the form has none. It is being uploaded above, under Audio. The original stays in Media.",
    );
  });

  await test.step("the recording is cut off", async () => {
    await choose(page, "cut.mp3", readFileSync(loud()).subarray(0, 300_000));
    await expect(page.getByText("cut.mp3").first()).toBeVisible();
    await writeButton(page).click();
    await expect(alert).toHaveText(/^This file seems cut off: it has 49 s of 113 s\./);
  });

  await test.step("a field of the sound has no room", async () => {
    await choose(page, "edge.mp3", withLowGain(readFileSync(loud()), 61));
    await expect(copies(page)).toContainText("−3.0 dB");
    await levelButton(page).click();
    await expect(status).toContainText("Levelled by −1.5 dB. The file has no room for the full −3.0 dB.");
    await choose(page, "full.mp3", withLowGain(readFileSync(loud()), 60));
    await expect(copies(page)).toContainText("−3.0 dB");
    await levelButton(page).click();
    await expect(alert).toHaveText("This MP3 has no room for another loudness without losses.");
  });

  await test.step("it is no MP3", async () => {
    await choose(page, "talk.m4a", readFileSync("test/fixtures/chapters.m4a"), "audio/mp4");
    await expect(
      page.getByText(
        "Chapters and a cover can be written into an MP3, and its loudness can be changed. This recording has another format.",
      ),
    ).toBeVisible();
    await expect(writeButton(page)).toHaveCount(0);
  });
});

test("faults of a recording are shown before it is published @full", async ({ page }) => {
  await open(page, "new");
  await page.getByLabel("Title", { exact: true }).fill("Too loud");
  const measured = nextMeasured(page);
  await choose(page, "loud.mp3", readFileSync(loud()));
  await measured;
  await page.getByRole("button", { name: "Publish…" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Before you publish" });
  await expect(dialog).toContainText(
    "The recording is too loud: −16.3 LUFS instead of −19.0 for one channel.",
  );
});

/** Chromium decodes them: its decoders are not those of ffmpeg for each codec. */
test("recordings of every kind are as loud as ffmpeg’s ebur128 says @full", async ({ page }) => {
  test.skip(!hasRecorders, "Debian’s programs make the recordings");
  const made = makeRecordings();
  const apart: Record<string, number[]> = {};
  try {
    await open(page);
    for (const name of recordings) {
      const measured = nextMeasured(page);
      await choose(page, name, readFileSync(made.pathOf(name)), "");
      const { loudness } = await measured;
      const theirs = ffmpegLoudness(made.pathOf(name));
      apart[name] = [
        Math.abs((loudness!.integrated ?? -70) - theirs.integrated),
        Math.abs((loudness!.range ?? 0) - theirs.range),
      ];
      await expect(page.getByText(name).first()).toBeVisible();
    }
  } finally {
    made.remove();
  }
  // LU of the loudness, and of its range, whose percentiles EBU's reference and ffmpeg count from different ends.
  const tooFar = Object.entries(apart).filter(([, [level, range]]) => !(level! <= 0.2 && range! <= 0.3));
  expect(tooFar).toEqual([]);
});

/** The first field of a mono recording of MPEG 2 with sound gets this value: it comes after 21 bits of side information. */
function withLowGain(file: Buffer, gain: number) {
  const changed = Buffer.from(file);
  const bit = (at: number) => (changed[at >> 3]! >> (7 - (at & 7))) & 1;
  const number = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => bit(from + at)).reduce((sum, value) => sum * 2 + value, 0);
  for (let at = 300_000; at < changed.length; at++) {
    const isFrame = changed[at] === 0xff && changed[at + 1] === 0xf3 && changed[at + 3]! >> 6 === 3;
    // main_data_begin and a private bit, then part2_3_length and big_values.
    const granule = (at + 4) * 8 + 9;
    if (!isFrame || number(granule, 12) === 0 || number(granule + 21, 8) < 100) continue;
    for (let index = 0; index < 8; index++) {
      const place = granule + 21 + index;
      const mask = 1 << (7 - (place & 7));
      if ((gain >> (7 - index)) & 1) changed[place >> 3]! |= mask;
      else changed[place >> 3]! &= ~mask;
    }
    return changed;
  }
  throw new Error("There is no such frame.");
}
