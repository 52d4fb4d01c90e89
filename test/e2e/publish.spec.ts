import { expect, type Page } from "@playwright/test";
import { makeMp3 } from "../support/mp3.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { signInAsOwner } from "./support/owner.ts";
import { countPresses } from "./support/presses.ts";
import { startSite, type Site } from "./support/site.ts";
import { test } from "./support/test.ts";
import { expectToast } from "./support/toasts.ts";

let site: Site;
let page: Page;
let presses: string[];
let complaints: string[];
test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ browser }) => {
  site = await startSite();
  const context = await browser.newContext({ reducedMotion: "reduce" });
  complaints = complaintsOf(context);
  page = await context.newPage();
  presses = await countPresses(page);
  await signInAsOwner(page, site);
});
test.afterAll(() => site?.stop());

const button = (name: string) => page.getByRole("button", { name, exact: true });
const question = () => page.getByRole("alertdialog", { name: "Before you publish" });
const panel = () => page.getByRole("region", { name: "Publication" });
const heading = () => page.getByRole("heading", { level: 1 });
const countEpisodes = async () =>
  Number(await site.env.DB.prepare("select count(*) from episodes").first("count(*)"));
const title = () => page.getByLabel("Title", { exact: true }).first();
const subTab = (tab: string, name: string) =>
  page.getByRole("navigation", { name: tab }).getByRole("link", { name, exact: true });

/** A picture of one colour. */
const aPicture = async (side: number) =>
  Buffer.from(
    await page.evaluate(async (size) => {
      const canvas = new OffscreenCanvas(size, size);
      const context = canvas.getContext("2d")!;
      context.fillStyle = "seagreen";
      context.fillRect(0, 0, size, size);
      const blob = await canvas.convertToBlob({ type: "image/jpeg" });
      return [...new Uint8Array(await blob.arrayBuffer())];
    }, side),
  );

const choose = async (
  press: () => Promise<void>,
  file: { name: string; mimeType: string; buffer: Buffer },
) => {
  const chooser = page.waitForEvent("filechooser");
  await press();
  await (await chooser).setFiles(file);
};

const chapters = [
  { start: 0, end: 2, title: "Out of the gate" },
  { start: 2, end: 4, title: "The turn" },
];

test("an episode with its file is public after five presses, and its file's tags fill the form", async () => {
  await openHydrated(page, `${site.url}/admin/articles`);
  const picture = { type: "image/jpeg", bytes: new Uint8Array(await aPicture(1400)) };
  const tag = { title: "The long paddock", track: "41/60", picture, chapters };
  const buffer = Buffer.from(makeMp3({ seconds: 4, tag }));
  presses.splice(0);
  await page.getByRole("link", { name: "Podcast", exact: true }).click();
  await page.getByRole("link", { name: "New episode" }).click();
  await expect(heading()).toHaveText("New episode · Draft");
  await expect(subTab("Podcast", "Episodes")).toHaveAttribute("aria-current", "page");
  await choose(() => page.getByText("Choose a file").first().click(), {
    name: "41.mp3",
    mimeType: "audio/mpeg",
    buffer,
  });
  await expect(title()).toHaveValue("The long paddock");
  await expect(title()).toHaveAccessibleDescription("From the file.");
  await expect(heading()).toHaveText("The long paddock · Draft");
  await expect(page.getByLabel("Episode number")).toHaveValue("41");
  await expect(page.getByLabel("Episode number")).toHaveAccessibleDescription(/^From the file\./);
  await expect(page.getByText("Picture in 41.mp3")).toBeVisible();
  await expect(page.getByLabel("Episode picture", { exact: true })).toHaveAccessibleDescription(
    /^From the file\./,
  );
  await button("Publish…").click();
  await expect(question()).toContainText("no transcript");
  await expect(question().getByRole("radio", { name: "Now" })).toBeFocused();
  await question().getByRole("button", { name: "Publish anyway" }).click();
  await expectToast(page, "Episode published successfully!");
  expect(presses, presses.join(", ")).toHaveLength(5);

  await expect(heading()).toHaveText("The long paddock · Published");
  await expect(subTab("Podcast", "Episodes")).toHaveAttribute("aria-current", "page");
  const id = page.url().split("/").at(-1)!;
  const answer = await page.request.get(`${site.url}/api/episodes/${id}`);
  expect(await answer.json()).toMatchObject({
    title: "The long paddock",
    episodeNumber: 41,
    chapters: chapters.map(({ start, title: words }) => ({ start, title: words })),
    picture: { src: expect.stringContaining("/media/podcast-images/") },
  });
});

test("after publishing the page says that it is live; on later visits the panel is closed", async () => {
  const live = panel().getByRole("heading", { name: "It is live" });
  await expect(live).toBeFocused();
  await expect(live).toBeInViewport();
  const id = page.url().split("/").at(-1)!;
  await expect(panel().getByRole("link", { name: `${site.url}/episode/${id}` })).toBeVisible();
  await expect(panel().getByText("On the site, in the feed, in search.")).toBeVisible();
  await expect(panel().getByRole("listitem")).toHaveCount(0);
  await expect(panel().getByRole("button", { name: "Send as a letter" })).toBeVisible();
  // Not in the form's head as well, until the panel is closed.
  const send = page.getByRole("button", { name: "Send as a letter" });
  await expect(send).toHaveCount(1);
  await expect(panel().getByRole("img", { name: "Preview of a link to The long paddock" })).toHaveAttribute(
    "src",
    new RegExp(`^/share/episode/${id}\\?`),
  );
  await expectNoAxeFindings(page);
  await page.reload();
  await expect(panel().getByRole("button", { name: "After publishing" })).toHaveAttribute(
    "aria-expanded",
    "false",
  );
  await expect(panel().getByRole("link")).toHaveCount(0);
  await expect(send).toHaveCount(1);
});

test("an essay with a picture is public after five presses, and a letter is made of it if that is ticked @full", async () => {
  const buffer = await aPicture(1200);
  await openHydrated(page, `${site.url}/admin/articles`);
  presses.splice(0);
  await page.getByRole("link", { name: "New article" }).click();
  await expect(title()).toBeFocused();
  await page.keyboard.type("A verandah in winter");
  await page.getByLabel("Text", { exact: true }).click();
  await page.keyboard.type("It faces the morning.");
  await choose(() => page.getByText("Choose a file").first().click(), {
    name: "verandah.jpg",
    mimeType: "image/jpeg",
    buffer,
  });
  await expect(page.getByText("1200 × 1200 px")).toBeVisible();
  await button("Publish…").click();
  await expect(question()).toContainText("The picture isn’t described");
  await expectNoAxeFindings(page);
  await question().getByRole("button", { name: "Publish anyway" }).click();
  await expectToast(page, "Article published successfully!");
  expect(presses, presses.join(", ")).toHaveLength(5);
  await expect(heading()).toHaveText("A verandah in winter · Published");
  expect((await page.request.get(`${site.url}/essays/a-verandah-in-winter`)).status()).toBe(200);

  await openHydrated(page, `${site.url}/admin/articles/new`);
  await title().fill("By post");
  await button("Publish…").click();
  await question().getByLabel("Also send as a letter").check();
  await question().getByRole("button", { name: "Publish anyway" }).click();
  await expectToast(page, "Article published successfully!");
  await panel().getByRole("link", { name: "Review and send" }).click();
  await page.waitForURL(/\/admin\/newsletter\/\d+\/send$/);
  await expect(page.getByText("By post").first()).toBeVisible();
});

test("the dialog keeps its choices when the server asks once more @full", async () => {
  const letter = question().getByLabel("Also send as a letter");
  const failCheck = () => page.route("**/api/admin/episodes/check", (route) => route.abort(), { times: 1 });
  await openHydrated(page, `${site.url}/admin/podcast/new`);
  await title().fill("Asked twice");
  await failCheck();
  await button("Publish…").click();
  await expect(question()).toContainText("Couldn’t check just now.");
  await question().getByLabel("Schedule").check();
  await question().getByLabel("Publish at").fill("2037-10-04T06:00");
  await question().getByRole("button", { name: "Schedule episode" }).click();
  await expect(question()).toContainText("the episode isn’t in the feed");
  await expect(question().getByRole("button", { name: "Schedule anyway" })).toBeVisible();
  await expect(letter).toHaveCount(0);
  await question().getByRole("button", { name: "Cancel" }).click();

  await failCheck();
  await button("Publish…").click();
  await expect(question()).toContainText("Couldn’t check just now.");
  await letter.check();
  await question().getByRole("button", { name: "Publish episode" }).click();
  await expect(question()).toContainText("the episode isn’t in the feed");
  await expect(letter).toBeChecked();
  await question().getByRole("button", { name: "Publish anyway" }).click();
  await expect(heading()).toHaveText("Asked twice · Published");
  await expect(panel().getByRole("link", { name: "Review and send" })).toBeVisible();
});

test("errors in the form are shown before the dialog opens, and Enter saves a draft @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/new`);
  await button("Publish…").click();
  await expect(title()).toHaveAccessibleDescription("Title is required");
  await expect(question()).toHaveCount(0);
  await title().fill("Not yet");
  await title().press("Enter");
  await page.waitForURL(/\/admin\/podcast\/\d+$/);
  await expect(heading()).toHaveText("Not yet · Draft");
  await button("Publish…").click();
  await question().getByRole("button", { name: "Cancel" }).click();
  await expect(button("Publish…")).toBeFocused();
  await expect(heading()).toHaveText("Not yet · Draft");
});

test("the dialog schedules only for a time in the future @full", async () => {
  await button("Publish…").click();
  await question().getByLabel("Schedule").check();
  const time = question().getByLabel("Publish at");
  await time.fill("2020-10-04T06:00");
  await question().getByRole("button", { name: "Schedule anyway" }).click();
  await expect(time).toHaveAccessibleDescription(/^Choose a time in the future\./);
  await expect(time).toBeFocused();
  await time.fill("2037-10-04T06:00");
  await expect(question().getByText(/^Goes out on Sunday 4 October 2037/)).toBeVisible();
  await question().getByRole("button", { name: "Schedule anyway" }).click();
  await expect(heading()).toHaveText("Not yet · Scheduled");
  await expect(page.getByLabel("Status")).toHaveValue("scheduled");
  await expect(page.getByLabel("Publish at")).toHaveValue("2037-10-04T06:00");
  await expect(button("Save changes")).toBeVisible();
});

test("a file changes no field that was typed in, and fills one that was cleared @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast/new`);
  await title().fill("Typed before");
  await page.getByLabel("Episode number").fill("7");
  const file = (words: string) => ({
    name: `${words}.mp3`,
    mimeType: "audio/mpeg",
    buffer: Buffer.from(makeMp3({ seconds: 2, tag: { title: words, track: "9" } })),
  });
  await page.getByLabel("Audio file", { exact: true }).setInputFiles(file("From one"));
  await expect(page.getByText("From one.mp3")).toBeVisible();
  await expect(title()).toHaveValue("Typed before");
  await expect(page.getByLabel("Episode number")).toHaveValue("7");
  await title().fill("");
  await page.getByLabel("Audio file", { exact: true }).setInputFiles(file("From two"));
  await expect(title()).toHaveValue("From two");
  await title().press("End");
  await title().pressSequentially(", changed");
  await expect(title()).toHaveAccessibleDescription("");
  await page.getByLabel("Audio file", { exact: true }).setInputFiles(file("From three"));
  await expect(page.getByText("From three.mp3")).toBeVisible();
  await expect(title()).toHaveValue("From two, changed");
});

test("the toolbar makes a heading, and a picture in the text becomes the featured one @full", async () => {
  const buffer = await aPicture(900);
  await openHydrated(page, `${site.url}/admin/articles/new`);
  await title().fill("With a heading");
  const text = page.getByLabel("Text", { exact: true });
  await text.fill("First line\nSecond line");
  await button("Heading").click();
  await expect(text).toHaveValue("First line\n## Second line");
  await text.press("ControlOrMeta+Shift+h");
  await expect(text).toHaveValue("First line\nSecond line");
  await button("Markdown help for Text").click();
  const help = page.getByRole("dialog", { name: "Markdown help" });
  await expect(help.getByRole("row").filter({ hasText: "**bold**" })).toContainText(/Ctrl\+B|⌘B/);
  await expectNoAxeFindings(page);
  await help.getByRole("button", { name: "Close" }).first().click();
  await expect(button("Markdown help for Text")).toBeFocused();

  await button("Image").click();
  const adding = page.getByRole("dialog", { name: "Add a picture" });
  await adding.getByLabel("Picture", { exact: true }).setInputFiles({
    name: "gate.jpg",
    mimeType: "image/jpeg",
    buffer,
  });
  await adding.getByLabel("Description of the picture").fill("A gate");
  await adding.getByRole("button", { name: "Insert picture" }).click();
  await expect(text).toHaveValue(/!\[A gate\]\(\/media\//);
  await button("Use as featured picture").click();
  await expect(button("Use as featured picture")).toHaveCount(0);
  await expect(page.getByText("900 × 900 px")).toBeVisible();
  await expect(page.getByLabel("Description of the picture")).toHaveValue("A gate");
});

test("an episode and a letter are duplicated from their row and from their form @full", async () => {
  await openHydrated(page, `${site.url}/admin/podcast`);
  await page.getByRole("button", { name: "Duplicate The long paddock", exact: true }).click();
  await page.waitForURL(/\/admin\/podcast\/\d+$/);
  await expect(heading()).toHaveText("The long paddock (copy) · Draft");
  await expect(page.getByLabel("Address")).toHaveValue("");
  const copied = page.url();
  await button("Duplicate").click();
  await page.waitForURL((url) => url.href !== copied && /\/podcast\/\d+$/.test(url.pathname));
  await expect(heading()).toHaveText("The long paddock (copy) (copy) · Draft");

  // A draft is saved first, including the latest typing.
  const description = page.getByLabel("Description", { exact: true });
  await description.fill("Typed a moment ago.");
  await button("Duplicate").click();
  await expect(heading()).toHaveText("The long paddock (copy) (copy) (copy) · Draft");
  await expect(description).toHaveValue("Typed a moment ago.");
  // Of what is published, nothing is saved unasked.
  await openHydrated(page, `${site.url}/admin/podcast`);
  await page.getByRole("link", { name: "The long paddock", exact: true }).click();
  await description.fill("Not saved yet.");
  const before = await countEpisodes();
  await button("Duplicate").click();
  const leaving = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await leaving.getByRole("button", { name: "Cancel" }).click();
  await expect(description).toHaveValue("Not saved yet.");
  expect(await countEpisodes()).toBe(before);
  await button("Duplicate").click();
  await leaving.getByRole("button", { name: "Leave" }).click();
  await expect(heading()).toHaveText("The long paddock (copy) · Draft");
  expect(await countEpisodes()).toBe(before + 1);

  await openHydrated(page, `${site.url}/admin/newsletter`);
  await page.getByRole("button", { name: "Duplicate By post", exact: true }).click();
  await page.waitForURL(/\/admin\/newsletter\/\d+$/);
  await expect(heading()).toHaveText("By post (copy) · Draft");
  expect(complaints.filter((text) => !/422|ERR_FAILED|publish check/.test(text))).toEqual([]);
});
