import { expect, type Page } from "@playwright/test";
import { episodePath, episodes, site, test } from "./support/demo.ts";
import { hold } from "./support/hold.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";
import { aListener } from "./support/listener.ts";
import {
  barOf,
  forgetQueue,
  isPlaying,
  jumps,
  passes,
  play,
  playQueue,
  secondsOf,
  seekOf,
} from "./support/player.ts";
import { desktop } from "./support/windows.ts";

/** The seconds that the page asks the server to save. */
function watchSaved(page: Page) {
  const saved: number[] = [];
  page.on("request", (request) => {
    if (request.method() !== "PUT" || !request.url().includes("/api/progress/")) return;
    saved.push((request.postDataJSON() as { progressSeconds: number }).progressSeconds);
  });
  return saved;
}

const PROGRESS = /\/api\/progress/;

/** The page pauses itself at this second, because on a slow machine a press by the test comes too late. */
const pauseAfter = (page: Page, seconds: number) =>
  page.evaluate((end) => {
    const pause = ({ target }: Event) => {
      const audio = target as HTMLAudioElement;
      if (audio.currentTime < end) return;
      audio.pause();
      removeEventListener("timeupdate", pause, true);
    };
    addEventListener("timeupdate", pause, true);
  }, seconds);

/** Plays some seconds of the newest episode from its page: after half a minute the player no longer seeks to saved progress. */
async function playSomeSeconds(page: Page) {
  await pauseAfter(page, 2);
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  await passes(page, 1);
  await expect.poll(() => isPlaying(page)).toBe(false);
}

test("the position in an episode is saved, shown on cards and pages, and resumed", async ({ browser }) => {
  const context = await browser.newContext({ viewport: desktop });
  const ids = new Set<string | undefined>();
  context.on("request", (request) => {
    if (request.url().includes("/api/progress")) ids.add(request.headers()["listener-id"]);
  });
  const { id, durationSeconds } = episodes[0]!;
  /** What the server has of it. */
  const saved = async () => {
    const [listener] = [...ids];
    if (listener === undefined) return undefined;
    const answer = await fetch(`${site.url}/api/progress`, { headers: { "Listener-Id": listener } });
    const { items } = (await answer.json()) as {
      items: { episodeId: number; progressSeconds: number; completed: boolean }[];
    };
    return items.find(({ episodeId }) => episodeId === id);
  };
  const page = await context.newPage();
  await openHydrated(page, site.url + episodePath());
  expect(await page.evaluate(() => localStorage.getItem("user_id"))).toBeNull();
  await playSomeSeconds(page);
  await seekOf(page).fill("8");
  await pauseAfter(page, 9);
  await barOf(page).getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(async () => (await saved())?.progressSeconds).toBeGreaterThanOrEqual(8);
  expect((await saved())?.completed).toBe(false);
  expect([...ids]).toEqual([expect.stringMatching(/^user_[0-9a-f]{32}$/)]);
  await expect(page.getByRole("main").getByText("2 min left")).toBeVisible();

  await forgetQueue(page);
  await page.goto(`${site.url}/podcast`);
  await expect(page.getByRole("listitem").filter({ hasText: episodes[0]!.title })).toContainText(
    "2 min left",
  );
  await page.goto(site.url);
  await expect(page.getByText("2 min left")).toBeVisible();
  await playQueue(page);
  await jumps(page, 7);
  // Paused or, on a slow machine, at its end.
  await seekOf(page).fill(String(Math.ceil(durationSeconds * 0.95)));
  await page.evaluate(() => document.querySelector("audio")!.pause());
  await expect.poll(async () => (await saved())?.completed).toBe(true);
  await expect(page.getByText("Listened")).toBeVisible();
  await context.close();
});

test("an episode started before its progress is read jumps to the saved position, and saves nothing before @full", async ({
  browser,
}) => {
  const { context, page, send } = await aListener(browser, { viewport: desktop });
  await send("PUT", `/progress/${episodes[0]!.id}`, { progressSeconds: 40, completed: false });
  const saved = watchSaved(page);
  // However long the machine takes.
  await page.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  const answer = await hold(page, "**/api/progress");
  await openHydrated(page, site.url + episodePath());
  await playSomeSeconds(page);
  expect(saved).toEqual([]);
  answer();
  await jumps(page, 30);
  await barOf(page).getByRole("button", { name: "Play", exact: true }).click();
  await passes(page, 41);
  await barOf(page).getByRole("button", { name: "Pause" }).click();
  await expect.poll(() => saved.length).toBeGreaterThan(0);
  expect(Math.min(...saved)).toBeGreaterThanOrEqual(40);
  await context.close();
});

test("progress made offline is shown after a reload, and saved once the connection returns @full", async ({
  browser,
}) => {
  const { context, page, send } = await aListener(browser, { viewport: desktop });
  const { id } = episodes[0]!;
  const stored = () => page.evaluate(() => localStorage.getItem("progress"));
  const saved = async () => {
    const { items } = (await (await send("GET", "/progress")).json()) as {
      items: { episodeId: number; progressSeconds: number }[];
    };
    return items.find(({ episodeId }) => episodeId === id)?.progressSeconds ?? 0;
  };
  await page.route(/\/api\/progress/, (route) => route.abort());
  await openHydrated(page, site.url + episodePath());
  await play(page);
  await seekOf(page).fill("40");
  await passes(page, 40);
  await barOf(page).getByRole("button", { name: "Pause" }).click();
  await expect.poll(stored).toContain(`[${id},`);
  await page.reload();
  await hydrated(page);
  await expect(page.getByRole("main").getByText("min left").first()).toBeVisible();
  expect(await saved()).toBe(0);

  await page.unroute(/\/api\/progress/);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await expect.poll(saved).toBeGreaterThanOrEqual(40);
  await expect.poll(stored).toBeNull();
  await context.close();
});

test("an episode resumes at the listener's position even if progress cannot be read @full", async ({
  browser,
}) => {
  const { context, page, send } = await aListener(browser, { viewport: desktop });
  const { id } = episodes[0]!;
  await send("PUT", `/progress/${id}`, { progressSeconds: 20, completed: false });
  const saved = watchSaved(page);
  const answer = () => page.evaluate(() => localStorage.getItem("progressAnswer"));
  await openHydrated(page, `${site.url}/podcast`);
  await expect.poll(answer).toContain(`[${id},`);
  await page.route(PROGRESS, (route) => route.abort());
  await openHydrated(page, site.url + episodePath());
  await play(page);
  await jumps(page, 15);
  await barOf(page).getByRole("button", { name: "Pause" }).click();
  await expect.poll(() => saved.length).toBeGreaterThan(0);

  // What is saved since is known after a reload as well.
  await forgetQueue(page);
  await page.unroute(PROGRESS);
  await openHydrated(page, site.url + episodePath());
  await expect.poll(() => page.evaluate(() => localStorage.getItem("progress"))).toBeNull();
  await page.route(PROGRESS, (route) => route.abort());
  await openHydrated(page, site.url + episodePath());
  await play(page);
  await jumps(page, 15);
  expect(Math.min(...saved)).toBeGreaterThanOrEqual(20);
  await context.close();
});

test("an episode that started at 0 because its position was unknown never overwrites a later one, also after a reload @full", async ({
  browser,
}) => {
  const { context, page, send } = await aListener(browser, { viewport: desktop });
  await send("PUT", `/progress/${episodes[0]!.id}`, { progressSeconds: 50, completed: false });
  const saved = watchSaved(page);
  let reads = 0;
  page.on("request", (request) => {
    reads += Number(request.method() === "GET" && PROGRESS.test(request.url()));
  });
  await page.route(PROGRESS, (route) => route.abort());
  await openHydrated(page, site.url + episodePath());
  const before = reads;
  await playSomeSeconds(page);
  // While the bar loads, and instead of a save.
  await expect.poll(() => reads - before).toBeGreaterThanOrEqual(2);
  expect(await page.evaluate(() => localStorage.getItem("progress"))).toBeNull();

  await page.unroute(PROGRESS);
  await page.reload();
  await hydrated(page);
  await expect.poll(() => secondsOf(page)).toBe(50);
  await barOf(page).getByRole("button", { name: "Play", exact: true }).click();
  await passes(page, 51);
  await barOf(page).getByRole("button", { name: "Pause" }).click();
  await expect.poll(() => saved.length).toBeGreaterThan(0);
  expect(Math.min(...saved)).toBeGreaterThanOrEqual(50);
  await context.close();
});
