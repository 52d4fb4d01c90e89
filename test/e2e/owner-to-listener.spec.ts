import { writeFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { makeMp3 } from "../support/mp3.ts";
import { setUpByHand } from "./support/owner.ts";
import { OWNER } from "./support/set-up.ts";
import { longMp3 } from "./support/mp3.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";
import { barOf } from "./support/player.ts";
import { sweepsAll } from "./support/windows.ts";

const SOURCE = "demo/audio/02-three-storeys-and-a-verandah.mp3";

let site: Site;
let page: Page;
let complaints: string[];
test.describe.configure({ mode: "serial" });

test.beforeAll(async ({ browser }) => {
  site = await startSite();
  const context = await browser.newContext();
  complaints = complaintsOf(context);
  page = await context.newPage();
});
test.afterAll(() => site?.stop());

test("the owner sets up the admin area with the password typed twice, and the link of the email signs in", async () => {
  await page.goto(`${site.url}/admin`);
  await expect(page.getByRole("heading", { name: "Admin Login" })).toBeVisible();
  await setUpByHand(page, site);
  await expect(page.getByText("Welcome, Imogen Tarrant")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Admin" }).getByRole("link")).toHaveText([
    "Speaking",
    "Articles",
    "Media",
    "Podcast",
    "Ventures",
    "Newsletter",
    "Users",
    "Guests",
    "Analytics",
    "Settings",
  ]);
});

test("the email can be read in the admin area", async () => {
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("main").getByRole("link", { name: "Email", exact: true }).click();
  await expect(page.getByRole("main").getByText(OWNER).first()).toBeVisible();
});

const BYTES = 17_000_000;

/**
 * More than half an hour of speech; in `npm test` two and a half minutes of silence behind a long tag, since the browser decodes
 * and measures all of it.
 */
function recordingOfThreeParts() {
  if (sweepsAll) return longMp3(SOURCE, BYTES);
  const seconds = 150;
  const sound = makeMp3({ seconds, bitrate: () => 320 });
  const tag = Buffer.alloc(BYTES - sound.byteLength);
  const size = tag.byteLength - 10;
  // ID3v2.3 with nothing but padding; four times seven bits of length.
  tag.set([0x49, 0x44, 0x33, 3, 0, 0, size >> 21, (size >> 14) & 0x7f, (size >> 7) & 0x7f, size & 0x7f]);
  return { data: Buffer.concat([tag, sound]), seconds };
}

const episode = { id: "", title: "The long way home & other <stories>", seconds: 0 };

test("a file of more than 12 MB is uploaded in parts, despite a lost connection and a reload", async () => {
  const recording = recordingOfThreeParts();
  episode.seconds = recording.seconds;
  const path = test.info().outputPath("the-long-way-home.mp3");
  await writeFile(path, recording.data);

  await page.getByRole("link", { name: "Podcast", exact: true }).click();
  await page.getByRole("link", { name: "New episode" }).click();
  await page.getByLabel("Title", { exact: true }).fill(episode.title);

  // The connection drops in the middle of the second part, and returns.
  let drops = 0;
  await page.route("**/parts/2", async (route) => {
    if (drops++ === 0) return route.abort("connectionreset");
    return route.continue();
  });
  // The third part waits, so that the page can be reloaded in the middle.
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: third, resolve: thirdAsked } = Promise.withResolvers<void>();
  await page.route("**/parts/3", async (route) => {
    thirdAsked();
    await held;
    await route.abort("aborted").catch(() => {});
  });
  const audio = page.locator("input[type=file]").first();
  await audio.setInputFiles(path);
  await third;
  expect(drops).toBeGreaterThan(1);
  // The draft was saved automatically, and is now at its own address.
  await page.waitForURL(/\/admin\/podcast\/\d+$/);
  page.once("dialog", (dialog) => void dialog.accept());
  await page.reload();
  release();
  await page.unroute("**/parts/3");
  await page.unroute("**/parts/2");

  // The same file, chosen again, resumes at the third part.
  const parts: string[] = [];
  page.on("request", (request) => {
    const [, number] = /\/parts\/(\d+)$/.exec(request.url()) ?? [];
    if (number) parts.push(number);
  });
  await expect(page.getByText(/stopped at/)).toBeVisible();
  await page.locator("input[type=file]").first().setInputFiles(path);
  // Length and size as read from the file.
  await expect(page.getByText(`${(recording.data.byteLength / 1024 ** 2).toFixed(1)} MB`)).toContainText(
    `· ${Math.floor(episode.seconds / 60)}:`,
  );
  expect(parts).not.toContain("1");
  expect(parts).not.toContain("2");
  expect(parts).toContain("3");
  page.removeAllListeners("request");
});

test("the owner sees what apps would miss, and publishes", async () => {
  await page.getByLabel("Title", { exact: true }).fill(episode.title);
  await page.getByLabel("Description", { exact: true }).fill("A walk through three suburbs.");
  await page.getByLabel("Season number").fill("2");
  await page.getByLabel("Episode number").fill("7");
  await page.getByLabel("Status").selectOption("published");
  await page.getByRole("button", { name: "Publish episode" }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog.getByText("There’s no transcript")).toBeVisible();
  await dialog.getByRole("button", { name: "Publish anyway" }).click();
  await expectToast(page, "Episode published successfully!");
  // The button is at the end of the page.
  const ledger = page.getByRole("heading", { name: "It is live" });
  await expect(ledger).toBeFocused();
  await expect(ledger).toBeInViewport();
  episode.id = page.url().split("/").at(-1)!;
});

test("a slug that is taken is refused beside its field, and the typed text stays", async () => {
  await page.getByLabel("Address").fill("three-storeys-and-a-verandah");
  await page.getByLabel("Description", { exact: true }).fill("Typed and kept.");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByLabel("Address")).toHaveAccessibleDescription(/already uses/);
  await expect(page.getByLabel("Address")).toBeFocused();
  await expect(page.getByLabel("Description", { exact: true })).toHaveValue("Typed and kept.");
});

test("times in the show notes become chapters on request, and nothing is saved until it is", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/${episode.id}`);
  const chapters = page.getByRole("textbox", { name: "Chapters", exact: true });
  const take = page.getByRole("button", { name: "Use chapters from the show notes" });
  await take.click();
  await expect(page.getByText("No line of the show notes begins with a time")).toBeVisible();
  await page.getByLabel("Show notes").fill("- 0:00 Out of the gate\n- 2:05 The turn");
  await take.click();
  await page.getByRole("button", { name: "Chapters as text" }).click();
  await expect(chapters).toHaveValue("0:00 Out of the gate\n2:05 The turn");
  await expect(take).toHaveCount(0);
  const saved = await page.request.get(`${site.url}/api/episodes/${episode.id}`);
  expect(await saved.json()).toMatchObject({ chapters: [] });
  await page.getByRole("button", { name: "Save changes" }).click();
  await expectToast(page, "Episode updated successfully!");
});

test("a time in the show notes plays from there, and without scripts opens the page there @full", async ({
  browser,
}) => {
  const context = await browser.newContext();
  const visitor = await context.newPage();
  await openHydrated(visitor, `${site.url}/episode/${episode.id}`);
  await visitor.getByRole("listitem").getByRole("link", { name: "2:05", exact: true }).click();
  const bar = barOf(visitor);
  await expect.poll(async () => Number(await bar.getByLabel("Seek").inputValue())).toBeGreaterThan(124);
  expect(visitor.url()).toBe(`${site.url}/episode/${episode.id}`);
  await context.close();

  const bare = await browser.newContext({ javaScriptEnabled: false });
  const reader = await bare.newPage();
  await reader.goto(`${site.url}/episode/${episode.id}`);
  await reader.getByRole("listitem").getByRole("link", { name: "2:05", exact: true }).click();
  await expect(reader.locator("audio").first()).toHaveAttribute("src", /#t=125$/);
  await bare.close();
});

test("a visitor finds it, plays it, seeks, and it plays on across pages", async ({ browser }) => {
  const context = await browser.newContext();
  const visitorComplaints = complaintsOf(context);
  const visitor = await context.newPage();
  await visitor.goto(`${site.url}/podcast`);
  await visitor.getByRole("link", { name: episode.title }).first().click();
  await visitor.waitForURL(`**/episode/${episode.id}`);
  await visitor.getByRole("button", { name: "Play in Audio Player" }).click();
  const bar = barOf(visitor);
  await expect(bar.getByRole("button", { name: "Pause" })).toBeEnabled();
  const seek = bar.getByLabel("Seek");
  const seconds = async () => Number(await seek.inputValue());
  await expect.poll(seconds).toBeGreaterThan(1);
  expect(Number(await seek.getAttribute("max"))).toBeGreaterThan(episode.seconds - 2);

  const late = Math.round(episode.seconds * 0.75);
  await seek.fill(String(late));
  await expect.poll(seconds).toBeGreaterThan(late);
  expect(await seconds()).toBeLessThan(late + 30);

  await visitor.getByRole("navigation").getByRole("link", { name: "Home" }).first().click();
  await visitor.waitForURL(`${site.url}/`);
  const before = await seconds();
  expect(before).toBeGreaterThan(late);
  await expect.poll(seconds).toBeGreaterThan(before + 1);
  await bar.getByRole("button", { name: "Pause" }).click();
  await expect(bar.getByRole("button", { name: "Play", exact: true })).toBeEnabled();
  expect(visitorComplaints).toEqual([]);
  await context.close();
});

test("the feed has the episode, dated and measured", async ({ request }) => {
  const feed = await (await request.get(`${site.url}/rss/podcast.xml`)).text();
  const item = feed.split("<item>").find((part) => part.includes(`/episode/${episode.id}<`));
  expect(item).toContain("The long way home &amp; other &lt;stories&gt;");
  expect(item).toContain("<itunes:season>2</itunes:season>");
  expect(item).toContain(`<itunes:duration>${Math.round(episode.seconds)}</itunes:duration>`);
});

test("the owner deletes it after a confirmation, and visitors get a 404", async ({ request }) => {
  await openHydrated(page, `${site.url}/admin/podcast`);
  await page.getByRole("button", { name: `Delete ${episode.title}` }).click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("Are you sure you want to delete this episode?");
  await dialog.getByRole("button", { name: "Delete episode" }).click();
  await expectToast(page, "Episode deleted successfully!");
  await expect(page.getByRole("link", { name: episode.title, exact: true })).toHaveCount(0);
  expect((await request.get(`${site.url}/episode/${episode.id}`)).status()).toBe(404);
});

test("a scheduled episode is published automatically in its minute", async ({ request }) => {
  const inAnHour = Date.now() + 3_600_000;
  const title = "On the dot";
  const created = await page.request.post(`${site.url}/api/admin/episodes`, {
    data: { title, status: "scheduled", scheduledFor: inAnHour },
  });
  const { id } = (await created.json()) as { id: number };
  const status = async () => (await request.get(`${site.url}/episode/${id}`)).status();
  await site.tick();
  expect(await status()).toBe(404);
  const moved = await page.request.patch(`${site.url}/api/admin/episodes/${id}`, {
    data: { scheduledFor: Date.now() + 60_000 },
  });
  expect(moved.ok()).toBe(true);
  await site.env.DB.prepare("update episodes set scheduled_for = ? where id = ?").bind(Date.now(), id).run();
  await expect(async () => {
    await site.tick();
    expect(await status()).toBe(200);
  }).toPass();
});

test("logging out ends the session", async () => {
  await page.getByRole("button", { name: "Logout" }).click();
  await page.waitForURL("**/admin/login");
  await page.goto(`${site.url}/admin/podcast`);
  await expect(page.getByRole("heading", { name: "Admin Login" })).toBeVisible();
});

test("no page of the admin area complained on the console", () => {
  // What the tests themselves provoked: the dropped connection, the refused address.
  const provoked = /ERR_CONNECTION_RESET|ERR_ABORTED|status of 409|status of 404/;
  expect(complaints.filter((complaint) => !provoked.test(complaint))).toEqual([]);
});
