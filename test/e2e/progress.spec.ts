import { expect } from "@playwright/test";
import { episodePath, episodes, site, test } from "./support/demo.ts";
import { hold } from "./support/hold.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";
import { aListener } from "./support/listener.ts";
import { barOf, jumps, passes, play, playQueue, seekOf } from "./support/player.ts";
import { desktop } from "./support/windows.ts";

test("how far one got is saved, shown on cards and pages, and gone on from", async ({ browser }) => {
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
  await play(page);
  await seekOf(page).fill("8");
  await passes(page, 8);
  await barOf(page).getByRole("button", { name: "Pause" }).click();
  await expect.poll(async () => (await saved())?.progressSeconds).toBeGreaterThanOrEqual(8);
  expect((await saved())?.completed).toBe(false);
  expect([...ids]).toEqual([expect.stringMatching(/^user_[0-9a-f]{32}$/)]);
  await expect(page.getByRole("main").getByText("2 min left")).toBeVisible();

  await page.evaluate(() => localStorage.removeItem("player"));
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

test("an episode that plays before its progress was read goes on where the listener stopped, and nothing is saved before", async ({
  browser,
}) => {
  const { context, page, send } = await aListener(browser, { viewport: desktop });
  await send("PUT", `/progress/${episodes[0]!.id}`, { progressSeconds: 40, completed: false });
  const saved: number[] = [];
  page.on("request", (request) => {
    if (request.method() !== "PUT" || !request.url().includes("/api/progress/")) return;
    saved.push((request.postDataJSON() as { progressSeconds: number }).progressSeconds);
  });
  // However long the machine takes.
  await page.addInitScript(() => {
    AbortSignal.timeout = () => new AbortController().signal;
  });
  const answer = await hold(page, "**/api/progress");
  await openHydrated(page, site.url + episodePath());
  await play(page);
  await passes(page, 4);
  expect(saved).toEqual([]);
  answer();
  await jumps(page, 30);
  await barOf(page).getByRole("button", { name: "Pause" }).click();
  await expect.poll(() => saved.length).toBeGreaterThan(0);
  expect(Math.min(...saved)).toBeGreaterThanOrEqual(40);
  await context.close();
});

test("what is heard without a connection is shown after a reload, and saved once there is one", async ({
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
