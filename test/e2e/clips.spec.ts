import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { looks } from "./support/windows.ts";

/** Videos of a passage, made in the owner's browser. */

let site: Site;
test.beforeAll(async () => void (site = await startSite()));
test.afterAll(() => site.stop());
test.beforeEach(({ page }) => signInAsOwner(page, site));

/** The demo's first episode. */
const PATH = "/admin/podcast/1/clip";
const AUDIO = "demo/audio/01-the-waiting-room-is-a-policy.mp3";

const make = (page: Page) => page.getByRole("button", { name: "Make the clip" });
const result = (page: Page) => page.getByRole("region", { name: "Clip", exact: true });
const lastLine = (page: Page) => page.getByLabel("Last line");

/** Chooses the lines that begin with these words. */
async function choose(page: Page, first: RegExp, last: RegExp) {
  const labelIn = async (field: string, words: RegExp) => {
    const options = await page.getByLabel(field).locator("option").allTextContents();
    return options.find((option) => words.test(option))!;
  };
  await page.getByLabel("First line").selectOption({ label: await labelIn("First line", first) });
  await lastLine(page).selectOption({ label: await labelIn("Last line", last) });
}

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { maxBuffer: 64 * 1024 * 1024, stdio: ["ignore", "pipe", "ignore"] });

/** The sound of a file as samples of one channel, 8,000 a second. */
function samplesOf(file: string, ...seek: string[]) {
  const bytes = run(
    "ffmpeg",
    "-v",
    "error",
    ...seek,
    "-i",
    file,
    "-ac",
    "1",
    "-ar",
    "8000",
    "-f",
    "s16le",
    "-",
  );
  return new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 2));
}

/** The best correlation of two sounds within 60 ms of each other, and milliseconds by which the first is late. */
function compare(one: Int16Array, other: Int16Array) {
  const length = Math.min(one.length, other.length) - 960;
  const best = { likeness: -1, late: 0 };
  for (let shift = -480; shift <= 480; shift += 4) {
    let [product, a, b] = [0, 0, 0];
    for (let at = 480; at < length; at++) {
      const [x, y] = [one[at]!, other[at + shift]!];
      product += x * y;
      a += x * x;
      b += y * y;
    }
    const likeness = product / Math.sqrt(a * b);
    if (likeness > best.likeness) Object.assign(best, { likeness, late: -shift / 8 });
  }
  return best;
}

const encodesH264 = (page: Page) =>
  page.evaluate(async () => {
    const size = { width: 1200, height: 630, bitrate: 2_000_000, framerate: 25 };
    return (await VideoEncoder.isConfigSupported({ codec: "avc1.640028", ...size })).supported;
  });

/** Downloads the clip that was made, and compares it with the recording from 5.611 s on. */
async function checkClip(page: Page) {
  const downloading = page.waitForEvent("download");
  await result(page).getByRole("link", { name: "Download" }).click();
  const download = await downloading;
  const name = download.suggestedFilename();
  expect(name).toMatch(/^episode1clip-0m05s-wide\.(mp4|webm)$/);
  const isMp4 = name.endsWith("mp4");
  const file = join(mkdtempSync(join(tmpdir(), "clip-")), name);
  await download.saveAs(file);
  const { streams, format } = JSON.parse(
    run(
      "ffprobe",
      "-v",
      "error",
      "-count_packets",
      "-show_streams",
      "-show_format",
      "-of",
      "json",
      file,
    ).toString(),
  ) as { streams: Record<string, string | number>[]; format: { duration: string } };
  const [video, audio] = ["video", "audio"].map((kind) =>
    streams.find(({ codec_type }) => codec_type === kind)!,
  );
  expect(video).toMatchObject({ width: 1200, height: 630, r_frame_rate: "25/1" });
  expect(isMp4 ? ["h264"] : ["vp9", "av1"]).toContain(video!["codec_name"]);
  expect(audio).toMatchObject({ codec_name: isMp4 ? "aac" : "opus", sample_rate: "48000", channels: 2 });
  expect(streams).toHaveLength(2);
  const seconds = await page.getByText(/^\d+ seconds$/).textContent();
  expect(Math.abs(Number(format.duration) - Number.parseInt(seconds!, 10))).toBeLessThan(0.7);
  expect(Math.abs(Number(video!["nb_read_packets"]) - Number(format.duration) * 25)).toBeLessThan(2);
  const original = samplesOf(AUDIO, "-ss", "5.611", "-t", format.duration);
  const clip = samplesOf(file);
  const { likeness, late } = compare(clip, original);
  expect(likeness).toBeGreaterThan(0.9);
  expect(Math.abs(late)).toBeLessThanOrEqual(20);
  expect(Math.abs(loudnessOf(clip) - loudnessOf(original))).toBeLessThan(1.5);
  return { name, file, isMp4 };
}

const loudnessOf = (samples: Int16Array) =>
  20 * Math.log10(Math.sqrt(samples.reduce((sum, each) => sum + each * each, 0) / samples.length) / 32_768);

/** The grey values of a frame of a file, a part of its height. */
function frameOf(file: string, at: number, crop: string) {
  return run(
    "ffmpeg",
    "-v",
    "error",
    "-ss",
    String(at),
    "-i",
    file,
    "-frames:v",
    "1",
    "-vf",
    crop,
    "-pix_fmt",
    "gray",
    "-f",
    "rawvideo",
    "-",
  );
}

const difference = (one: Buffer, other: Buffer) =>
  one.reduce((sum, each, at) => sum + Math.abs(each - other[at]!), 0) / one.length;

test("a passage becomes a video with its sound, its words one by one and a waveform, which is saved and offered after publishing", async ({
  page,
  context,
}) => {
  const complaints = complaintsOf(context);
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  await page.getByRole("link", { name: "Make a clip" }).first().click();
  await expect(page).toHaveURL(site.url + PATH);
  await choose(page, /^0:05 /, /^0:19 |^0:20 /);
  await page.getByRole("radio", { name: "Wide" }).check();
  await make(page).click();
  await expect(page.getByRole("progressbar", { name: "Making the clip" })).toBeVisible();
  await expect(result(page).getByText(/^The clip is ready: /)).toBeVisible({ timeout: 400_000 });

  const { name, file, isMp4 } = await checkClip(page);
  expect(isMp4).toBe(await encodesH264(page));
  await expect(
    result(page).getByText(isMp4 ? /MP4 with H\.264 and AAC/ : /It is a WebM, because/),
  ).toBeVisible();

  // The captions are in the middle third, the waveform in the last quarter: both change, the head does not.
  const [captions, wave, head] = ["crop=iw:ih/3:0:ih/3", "crop=iw:ih/4:0:ih*3/4", "crop=iw:ih/5:0:0"];
  expect(difference(frameOf(file, 1, captions!), frameOf(file, 3.5, captions!))).toBeGreaterThan(0.5);
  expect(difference(frameOf(file, 1, wave!), frameOf(file, 12, wave!))).toBeGreaterThan(0.5);
  expect(difference(frameOf(file, 1, head!), frameOf(file, 12, head!))).toBeLessThan(1);
  const ink = frameOf(file, 3.5, captions!).filter((grey) => grey < 100).length;
  expect(ink).toBeGreaterThan(500);

  await expectNoAxeFindings(page);
  await result(page).getByRole("button", { name: "Save in the library" }).click();
  await expect(result(page).getByText(/^Saved in the library\. Once the episode is published/)).toBeVisible();
  await result(page).getByRole("link", { name: "Open in the library" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);

  // Published again, so that it has a ledger.
  await publishAgain(page);
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  await page.getByRole("button", { name: "After publishing" }).click();
  const clips = page.getByRole("region", { name: "Clips" });
  await expect(clips.getByRole("link", { name, exact: true })).toBeVisible();
  const href = await clips.getByRole("link", { name: `Download ${name}` }).getAttribute("href");
  const served = await page.request.get(site.url + href!);
  expect([served.status(), served.headers()["content-type"]]).toEqual([
    200,
    isMp4 ? "video/mp4" : "video/webm",
  ]);
  await expect(clips.getByRole("link", { name: "Make a clip" })).toHaveAttribute("href", PATH);
  expect(complaints).toEqual([]);
});

test("a browser that doesn’t encode H.264 makes a WebM, and says why @full", async ({ page }) => {
  await page.addInitScript(() => {
    const ask = VideoEncoder.isConfigSupported.bind(VideoEncoder);
    VideoEncoder.isConfigSupported = (config) =>
      config.codec.startsWith("avc1") ? Promise.resolve({ supported: false, config }) : ask(config);
  });
  await openHydrated(page, site.url + PATH);
  await choose(page, /^0:05 /, /^0:19 |^0:20 /);
  await page.getByRole("radio", { name: "Wide" }).check();
  await make(page).click();
  await expect(
    result(page).getByText(/It is a WebM, because this browser can’t encode H\.264\./),
  ).toBeVisible({
    timeout: 400_000,
  });
  expect(await checkClip(page)).toMatchObject({ isMp4: false });
});

async function publishAgain(page: Page) {
  for (const status of ["draft", "published"]) {
    const answer = await page.request.patch(`${site.url}/api/admin/episodes/1`, {
      data: { status },
      headers: { Origin: site.url },
    });
    expect(answer.status(), await answer.text()).toBe(200);
  }
}

test("a passage of the wrong length has a message, and the passage can be heard @full", async ({ page }) => {
  await openHydrated(page, site.url + PATH);
  await choose(page, /^0:02 /, /^0:05 /);
  await expect(lastLine(page)).toHaveAccessibleDescription(
    /A clip lasts at least 15 seconds\. Choose a later last line\./,
  );
  await expect(make(page)).toBeDisabled();
  await lastLine(page).selectOption({ index: (await lastLine(page).locator("option").count()) - 1 });
  await expect(lastLine(page)).toHaveAccessibleDescription(
    /A clip lasts at most 90 seconds\. Choose an earlier last line\./,
  );
  await page.getByRole("button", { name: "Listen to the passage" }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Listen to the passage" })).toBeVisible();
});

test("the chosen lines are a picture, too, if they are of one speaker @full", async ({ page }) => {
  await openHydrated(page, site.url + PATH);
  const picture = page.getByRole("region", { name: "Picture" });
  await choose(page, /^0:05 /, /^0:14 /);
  await expect(
    picture.getByText("Lines of one speaker with at most 280 characters can be a picture, too."),
  ).toBeVisible();
  await choose(page, /^0:14 /, /^0:17 |^0:16 /);
  await page.route("**/share/quotes/**", (route) => route.abort(), { times: 1 });
  await picture.getByRole("button", { name: "Draw the picture" }).click();
  await expect(
    picture.getByText("The picture couldn’t be drawn. Save the transcript, or choose fewer lines."),
  ).toBeVisible();
  await picture.getByRole("button", { name: "Try again" }).click();
  await expect(picture.getByText("1080 × 1080 px")).toBeVisible();
  const downloading = page.waitForEvent("download");
  await picture.getByRole("link", { name: "Download picture" }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^quote-1-square/);
});

test("a clip is cancelled, and made again @full", async ({ page }) => {
  await openHydrated(page, site.url + PATH);
  await choose(page, /^0:05 /, /^0:19 |^0:20 /);
  await make(page).click();
  await result(page).getByRole("button", { name: "Cancel" }).click();
  await expect(make(page)).toBeEnabled();
  await expect(page.getByRole("progressbar")).toHaveCount(0);
});

/** What makes a clip impossible, and the message. */
const obstacles: [string, (page: Page) => Promise<unknown>, RegExp][] = [
  [
    "a browser without WebCodecs",
    (page) => page.addInitScript(() => void delete (window as { VideoEncoder?: unknown }).VideoEncoder),
    /can’t make clips, because it has no WebCodecs/,
  ],
  [
    "a browser without an encoder",
    (page) =>
      page.addInitScript(() => {
        VideoEncoder.isConfigSupported = (config) => Promise.resolve({ supported: false, config });
      }),
    /can’t encode video of this size/,
  ],
  [
    "a recording that cannot be decoded",
    (page) =>
      page.route("**/media/**/*.mp3", (route) =>
        route.fulfill({ body: "No sound at all. ".repeat(500), contentType: "audio/mpeg" }),
      ),
    /can’t decode the recording/,
  ],
  [
    "a recording that cannot be read",
    (page) => page.route("**/media/**/*.mp3", (route) => route.abort()),
    /The recording couldn’t be read\. Check your connection/,
  ],
  [
    "a recording that ends before the passage",
    (page) =>
      page.route("**/media/**/*.mp3", (route) =>
        route.fulfill({ body: readFileSync(AUDIO).subarray(0, 20_000), contentType: "audio/mpeg" }),
      ),
    /The recording ends before this passage\. The transcript may belong to another recording\./,
  ],
  [
    "code that fails to load",
    (page) => page.route("**/assets/make-clip*.js", (route) => route.abort()),
    /The clip maker couldn’t be loaded/,
  ],
  [
    "an encoder that breaks",
    (page) =>
      page.addInitScript(() => {
        VideoEncoder.prototype.encode = () => {
          throw new Error("It broke.");
        };
      }),
    /The clip couldn’t be made\. Try again, or choose another passage\./,
  ],
];
/** The other obstacles lead to the same alert. */
const REPRESENTATIVE = "an encoder that breaks";

for (const [what, prepare, message] of obstacles)
  test(`a clip has a message for ${what}${what === REPRESENTATIVE ? "" : " @full"}`, async ({ page }) => {
    await prepare(page);
    await openHydrated(page, site.url + PATH);
    await choose(page, /^0:05 /, /^0:19 |^0:20 /);
    await make(page).click();
    await expect(result(page).getByRole("alert")).toHaveText(message);
    await expect(make(page)).toBeEnabled();
  });

test("a transcript without times and an episode without audio have messages @full", async ({ page }) => {
  const headers = { Origin: site.url };
  const episodes = `${site.url}/api/admin/episodes`;
  const change = async (data: object) =>
    expect((await page.request.patch(`${episodes}/2`, { data, headers })).status()).toBe(200);
  await change({ transcript: "Words alone." });
  await openHydrated(page, `${site.url}/admin/podcast/2/clip`);
  await expect(page.getByText("This episode’s transcript has no times")).toBeVisible();
  const created = await page.request.post(episodes, { data: { title: "Silent" }, headers });
  const { id } = (await created.json()) as { id: number };
  await page.goto(`${site.url}/admin/podcast/${id}/clip`);
  await expect(page.getByText("This episode has no audio")).toBeVisible();
  await page.getByRole("link", { name: "Open the episode" }).click();
  await expect(page).toHaveURL(`${site.url}/admin/podcast/${id}`);
});

/** Makes a clip quickly: the encoder is not what is tested. */
async function makeStub(page: Page, size: number) {
  await page.route("**/assets/make-clip*.js", (route) =>
    route.fulfill({
      contentType: "text/javascript",
      body: `export class ClipProblem extends Error {}
        export const makeClip = async () =>
          ({ blob: new Blob([new Uint8Array(${size})], { type: "video/webm" }), extension: "webm" });`,
    }),
  );
  await openHydrated(page, site.url + PATH);
  await choose(page, /^0:05 /, /^0:19 |^0:20 /);
  await make(page).click();
}

test("a clip that is not saved says why; saving is cancelled @full", async ({ page }) => {
  await makeStub(page, 5000);
  const save = result(page).getByRole("button", { name: "Save in the library" });
  // The bytes are no video.
  await save.click();
  await expect(result(page).getByRole("alert")).toHaveText("Invalid file type");
  await result(page).getByRole("button", { name: "Cancel" }).click();
  await expect(save).toBeVisible();
  await page.route("**/api/admin/files", (route) =>
    route.fulfill({ status: 503, json: { error: { code: "unavailable", message: "Not now." } } }),
  );
  await save.click();
  await expect(result(page).getByRole("button", { name: "Try again" })).toBeVisible();
  await page.unroute("**/api/admin/files");
  await result(page).getByRole("button", { name: "Try again" }).click();
  await expect(result(page).getByRole("alert")).toHaveText("Invalid file type");
});

test("a clip that is too large for the library can be downloaded @full", async ({ page }) => {
  await makeStub(page, 50 * 1024 * 1024);
  await expect(result(page).getByText("File size must be less than 50MB")).toBeVisible();
  await expect(result(page).getByRole("button", { name: "Save in the library" })).toHaveCount(0);
  await expect(result(page).getByRole("link", { name: "Download" })).toBeVisible();
});

test("the list of an episode's clips that fails says so @full", async ({ page }) => {
  await publishAgain(page);
  await page.route("**/api/admin/files?*", (route) => route.abort());
  await openHydrated(page, `${site.url}/admin/podcast/1`);
  await page.getByRole("button", { name: "After publishing" }).click();
  await expect(page.getByText("The clips couldn’t be listed. Load the page again.")).toBeVisible();
});

for (const [at, { viewport, colorScheme }] of looks.entries())
  test(`the clip maker fits a window of ${viewport.width} px, ${colorScheme}${at === 0 ? "" : " @full"}`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await openHydrated(page, site.url + PATH);
    await expectNoAxeFindings(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  });
