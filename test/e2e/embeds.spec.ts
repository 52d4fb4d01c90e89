import { expect, type BrowserContext, type Frame, type Page } from "@playwright/test";
import { shippedBytes } from "../../bench/visit.ts";
import { frameCode } from "../../worker/embeds/frame.ts";
import { startHttpServer, type HttpServer } from "../support/http-server.ts";
import { expectNoAxeFindings } from "./support/axe.ts";
import { complaintsOf } from "./support/console.ts";
import { episodes, site, test } from "./support/demo.ts";
import { forbidStorage } from "./support/storage.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";

/** Another site: browsers ask before a page of the internet frames one of this machine, so it is at another port here. */
let blog: HttpServer;
let bodies: string[] = [];

test.beforeAll(async () => {
  blog = await startHttpServer((_request, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(
      `<!doctype html><html lang="en"><title>A blog</title><main><h1>A blog</h1>${bodies.join("")}</main></html>`,
    );
  });
});
test.afterAll(() => blog.stop());

/** A page of another site that embeds these addresses of ours in iframes. */
async function embedded(context: BrowserContext, paths: string[]) {
  bodies = paths.map((path) => frameCode({ src: site.url + path, title: "A player" }));
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${blog.port}/`, { waitUntil: "networkidle" });
  return page;
}

const framesOf = (page: Page) => page.frames().filter((frame) => frame !== page.mainFrame());
const isPlaying = (frame: Frame) =>
  frame.locator("audio").evaluate((audio: HTMLAudioElement) => !audio.paused);

async function publicPlaylist() {
  const headers = {
    "Listener-Id": `user_${crypto.randomUUID().replaceAll("-", "")}`,
    "Content-Type": "application/json",
  };
  const send = async (path: string, body: object) => {
    const response = await fetch(`${site.url}/api${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return (await response.json()) as { id: string };
  };
  const { id } = await send("/playlists", { name: "For the tram", isPublic: true });
  for (const episode of episodes.slice(0, 3)) await send(`/playlists/${id}/items`, { episodeId: episode.id });
  return id;
}

test("an embedded episode plays by keyboard alone at 200 px height; two never play simultaneously", async ({
  context,
}) => {
  const complaints = complaintsOf(context);
  const asked: string[] = [];
  context.on("request", (request) => asked.push(request.url()));
  const paths = episodes.slice(0, 2).map(({ id }) => `/embed/episode/${id}`);
  const page = await embedded(context, paths);
  const [first, second] = framesOf(page) as [Frame, Frame];
  await expect(first.getByRole("heading")).toHaveText(episodes[0]!.title);
  expect(await first.evaluate(() => document.documentElement.scrollHeight)).toBe(200);
  expect(asked.filter((url) => url.includes("podcast-audio"))).toEqual([]);

  await first.getByRole("button", { name: "Play" }).focus();
  await page.keyboard.press("Enter");
  await expect(first.getByRole("button", { name: "Pause" })).toBeFocused();
  await expect.poll(() => first.getByLabel("Seek").inputValue()).not.toBe("0");
  expect(asked.some((url) => url.startsWith(`${site.url}/media/podcast-audio/`))).toBe(true);
  await page.keyboard.press("Space");
  await expect(first.getByRole("button", { name: "Play" })).toBeFocused();

  const seek = first.getByLabel("Seek");
  await seek.focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expect(seek).toHaveAttribute("aria-valuetext", /^0:01 of \d+:\d\d/);
  await first.getByRole("button", { name: "Forward 30 seconds" }).press("Enter");
  await expect(seek).toHaveAttribute("aria-valuetext", /^0:31 of/);

  await first.getByRole("button", { name: "Play" }).click();
  await expect.poll(() => isPlaying(first)).toBe(true);
  await second.getByRole("button", { name: "Play" }).click();
  await expect.poll(() => isPlaying(second)).toBe(true);
  await expect.poll(() => isPlaying(first)).toBe(false);
  expect(complaints).toEqual([]);
});

test("an embed weighs at most 40 kB on a sharp screen, with its cover @full", async ({ browser }) => {
  for (const path of [`/embed/episode/${episodes[0]!.id}`, `/embed/playlist/${await publicPlaylist()}`]) {
    const context = await browser.newContext({ deviceScaleFactor: 2, viewport: { width: 600, height: 200 } });
    const page = await context.newPage();
    const answers: Awaited<ReturnType<typeof page.goto>>[] = [];
    page.on("response", (response) => answers.push(response));
    await page.goto(site.url + path, { waitUntil: "networkidle" });
    expect(answers.length).toBeLessThanOrEqual(3);
    const bytes = await Promise.all(answers.map((answer) => shippedBytes(answer!)));
    expect(
      bytes.reduce((sum, each) => sum + each, 0),
      path,
    ).toBeLessThanOrEqual(40_000);
    await context.close();
  }
});

test("an embedded playlist continues with the next episode, and with a chosen one @full", async ({
  context,
}) => {
  const page = await embedded(context, [`/embed/playlist/${await publicPlaylist()}`]);
  const [frame] = framesOf(page) as [Frame];
  const list = frame.getByLabel("Episode", { exact: true });
  await expect(list.locator("option:checked")).toHaveText(`1. ${episodes[0]!.title}`);
  await expect(frame.getByRole("button", { name: "Previous episode" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await frame.getByRole("button", { name: "Play" }).click();
  await expect.poll(() => isPlaying(frame)).toBe(true);
  await frame.getByRole("button", { name: "Next episode" }).click();
  await expect(list.locator("option:checked")).toHaveText(`2. ${episodes[1]!.title}`);
  await expect.poll(() => isPlaying(frame)).toBe(true);
  await frame.locator("audio").evaluate((audio) => audio.dispatchEvent(new Event("ended")));
  await expect(list.locator("option:checked")).toHaveText(`3. ${episodes[2]!.title}`);
  await expect.poll(() => isPlaying(frame)).toBe(true);
  await frame.getByRole("button", { name: "Pause" }).click();
  await list.selectOption({ index: 0 });
  expect(await isPlaying(frame)).toBe(false);
  await expect(frame.getByRole("button", { name: "Next episode" })).toHaveAttribute("aria-disabled", "false");
});

test("a playlist plays even if the site may store nothing @full", async ({ context, page }) => {
  await forbidStorage(context);
  await page.goto(`${site.url}/embed/playlist/${await publicPlaylist()}`);
  await page.getByLabel("Episode", { exact: true }).selectOption({ index: 1 });
  await page.getByRole("button", { name: "Play" }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
});

test("an embed reports audio that fails, and resumes at the same position @full", async ({ page }) => {
  await page.route("**/media/podcast-audio/**", (route) => route.abort());
  await page.goto(`${site.url}/embed/episode/${episodes[0]!.id}`);
  await page.getByRole("button", { name: "Play" }).click();
  await expect(page.getByRole("status")).toHaveText("This didn’t load.");
  await page.unroute("**/media/podcast-audio/**");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(page.getByRole("status")).toHaveText("");
  await page.getByRole("button", { name: "Forward 30 seconds" }).click();
  // As when the connection is lost in the middle.
  await page.locator("audio").evaluate((audio: HTMLAudioElement) => {
    audio.pause();
    Object.defineProperty(audio, "error", { value: {}, configurable: true });
    audio.addEventListener("emptied", () => Reflect.deleteProperty(audio, "error"));
    audio.dispatchEvent(new Event("error"));
  });
  const from = page
    .locator("audio")
    .evaluate(
      (audio: HTMLAudioElement) =>
        new Promise<number>((resolve) =>
          audio.addEventListener("playing", () => resolve(audio.currentTime), { once: true }),
        ),
    );
  await page.getByRole("button", { name: "Try again" }).click();
  expect(await from).toBeGreaterThan(29);
});

test("axe finds nothing in either edition, nothing is cut at 320 px, and without scripts the browser's controls are there @full", async ({
  browser,
}) => {
  const paths = [
    `/embed/episode/${episodes[0]!.id}`,
    `/embed/playlist/${await publicPlaylist()}`,
    "/embed/episode/0",
  ];
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width: 320, height: 200 } });
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(site.url + path);
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(paper).toBe(colorScheme === "dark" ? "rgb(20, 23, 26)" : "rgb(250, 247, 240)");
      const size = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        return [scrollWidth, scrollHeight];
      });
      expect([path, ...size]).toEqual([path, 320, 200]);
      await expectNoAxeFindings(page);
    }
    await context.close();
  }
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(site.url + paths[0]!);
  await expect(page.locator("audio")).toBeVisible();
  await expect(page.locator("#deck")).toBeHidden();
  await context.close();
});

test("the player and a playlist's page copy the code that embeds them @full", async ({ browser }) => {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  await watchToasts(context);
  const page = await context.newPage();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.goto(`${site.url}/episode/${episodes[0]!.id}`);
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  await page.getByRole("button", { name: "Open player" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Embed" }).click();
  await expectToast(page, "Embed code copied!");
  expect(await copied()).toContain(`<iframe src="${site.url}/embed/episode/${episodes[0]!.id}" title=`);
  const id = await publicPlaylist();
  await page.goto(`${site.url}/playlists/${id}`);
  await page.getByRole("button", { name: "Copy embed code" }).click();
  await expect
    .poll(copied)
    .toContain(
      `<iframe src="${site.url}/embed/playlist/${id}" title="For the tram" width="100%" height="200"`,
    );
  await context.close();
});
