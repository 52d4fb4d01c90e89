import { expect, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { expectNoAxeFindings } from "./support/axe.ts";
import { stopClock } from "./support/clock.ts";
import { complaintsOf } from "./support/console.ts";
import { hydrated, openHydrated } from "./support/hydrated.ts";
import { episodePath, episodes, site, test } from "./support/demo.ts";
import { hold } from "./support/hold.ts";
import { aListener } from "./support/listener.ts";
import { watchRequests } from "./support/requests.ts";
import { forbidStorage } from "./support/storage.ts";
import { expectToast, watchToasts } from "./support/toasts.ts";
import { desktop, phone } from "./support/windows.ts";

type Options = Parameters<Browser["newContext"]>[0];

async function open(browser: Browser, path: string, options: Options = { viewport: desktop }) {
  const context = await browser.newContext(options);
  await watchToasts(context);
  const page = await context.newPage();
  await openHydrated(page, site.url + path);
  return page;
}

const barOf = (page: Page) => page.getByRole("region", { name: "Audio player" });
const seekOf = (page: Page) => barOf(page).getByLabel("Seek");
const secondsOf = async (page: Page) => Number(await seekOf(page).inputValue());
const passes = (page: Page, seconds: number) => expect.poll(() => secondsOf(page)).toBeGreaterThan(seconds);

const stopsAt = async (page: Page) => {
  await expect.poll(() => playing(page)).toBe(false);
  return page.evaluate(() => document.querySelector<HTMLAudioElement>("audio:not([controls])")!.currentTime);
};

/** Seconds that it has jumped over: what passes by playing does not count. */
const jumped = (page: Page) =>
  page.evaluate(() => {
    const { played, currentTime } = document.querySelector<HTMLAudioElement>("audio:not([controls])")!;
    let heard = 0;
    for (let at = 0; at < played.length; at++) heard += played.end(at) - played.start(at);
    return currentTime - heard;
  });
const jumps = (page: Page, seconds: number) => expect.poll(() => jumped(page)).toBeGreaterThan(seconds);

/** Plays the newest episode from its page. */
async function play(page: Page) {
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  await expect(barOf(page).getByRole("button", { name: "Pause" })).toBeEnabled();
  await passes(page, 0);
}

/** Plays the newest five from the home page. */
async function playQueue(page: Page) {
  await page.getByRole("button", { name: "Play episode" }).click();
  await expect(barOf(page).getByRole("button", { name: "Pause" })).toBeEnabled();
}

const openSheet = async (page: Page) => {
  await barOf(page)
    .getByRole("button", { name: /^Open player/ })
    .click();
  const sheet = page.getByRole("dialog");
  await expect(sheet).toBeVisible();
  return sheet;
};

const playing = (page: Page) =>
  page.evaluate(() => [...document.querySelectorAll("audio")].some((audio) => !audio.paused));

test("an episode sounds, goes where it is sent, and at its end the next one is there, paused", async ({
  browser,
}) => {
  const page = await open(browser, "/");
  const complaints = complaintsOf(page.context());
  await playQueue(page);
  const bar = barOf(page);
  await passes(page, 0);
  await expect(bar.getByRole("button", { name: "Previous episode" })).toBeDisabled();
  await expect(bar.getByRole("button", { name: "Next episode" })).toBeEnabled();
  const end = Number(await seekOf(page).getAttribute("max"));
  expect(Math.round(end)).toBe(episodes[0]!.durationSeconds);
  await seekOf(page).fill(String(Math.floor(end) - 1));
  await expect(bar).toContainText(episodes[1]!.title);
  await expect(bar.getByRole("button", { name: "Play", exact: true })).toBeEnabled();
  await expect.poll(() => secondsOf(page)).toBe(0);
  await expect.poll(() => playing(page)).toBe(false);
  await bar.getByRole("button", { name: "Previous episode" }).click();
  await expect(bar).toContainText(episodes[0]!.title);
  for (let step = 1; step < episodes.length; step++) {
    await bar.getByRole("button", { name: "Next episode" }).click();
    await expect(bar).toContainText(episodes[step]!.title);
  }
  await expect(bar.getByRole("button", { name: "Next episode" })).toBeDisabled();
  expect(complaints).toEqual([]);
  await page.context().close();
});

test("it plays on across pages, also by a link in a text; after a reload it is at the same second, paused, and loads nothing until asked", async ({
  browser,
}) => {
  const page = await open(browser, episodePath());
  await play(page);
  await seekOf(page).fill("40");
  await passes(page, 40);
  // As the owner writes one.
  await page
    .locator("main .reading")
    .first()
    .evaluate((text) => text.insertAdjacentHTML("beforeend", '<a href="/mission">the mission</a>'));
  await page.getByRole("link", { name: "the mission", exact: true }).click();
  await page.waitForURL("**/mission");
  await passes(page, await secondsOf(page));
  await page.goBack();
  // So that a slow machine does not reach its end.
  await seekOf(page).fill("40");
  await passes(page, 40);
  await page.getByRole("link", { name: "All episodes" }).click();
  await page.waitForURL("**/podcast");
  await passes(page, await secondsOf(page));
  await page.getByRole("slider", { name: "Volume" }).fill("0.3");
  await page.keyboard.press(">");
  await barOf(page).getByRole("button", { name: "Pause" }).click();
  await expect.poll(() => playing(page)).toBe(false);
  const before = await page.evaluate(() => Math.round(document.querySelector("audio")!.currentTime));
  await expect.poll(() => secondsOf(page)).toBe(before);

  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/media/podcast-audio/")) asked.push(request.url());
  });
  await page.goto(`${site.url}/about`);
  const bar = barOf(page);
  await expect(bar).toContainText(episodes[0]!.title);
  expect(await secondsOf(page)).toBe(before);
  await expect(bar.getByLabel("Volume")).toHaveValue("0.3");
  await expect(bar).toContainText("1.25×");
  expect(await playing(page)).toBe(false);
  expect(asked).toEqual([]);
  await bar.getByRole("button", { name: "Play", exact: true }).press("Enter");
  await passes(page, before);
  await jumps(page, before - 1);
  await expect(bar.getByRole("button", { name: "Pause" })).toBeFocused();
  expect(await page.evaluate(() => document.querySelector("audio")?.playbackRate)).toBe(1.25);
  await page.context().close();
});

test("an invalid saved state is ignored; without storage it plays and remembers nothing", async ({
  browser,
}) => {
  const page = await open(browser, episodePath());
  await page.evaluate(() => localStorage.setItem("player", '{"queue":{"tracks":[{"id":1}],"index":0}'));
  await page.reload();
  await play(page);
  const saved = () => page.evaluate(() => localStorage.getItem("player"));
  await expect.poll(saved).toContain(episodes[0]!.title);
  await page.context().close();

  const context = await browser.newContext();
  await forbidStorage(context);
  const forbidden = await context.newPage();
  await openHydrated(forbidden, site.url + episodePath());
  await play(forbidden);
  await context.close();
});

test("the tab that is asked to play silences the other", async ({ browser }) => {
  const first = await open(browser, episodePath());
  await play(first);
  const second = await first.context().newPage();
  await openHydrated(second, site.url + episodePath(1));
  await second.getByRole("button", { name: "Play in Audio Player" }).click();
  await passes(second, 0);
  await expect(barOf(first).getByRole("button", { name: "Play", exact: true })).toBeEnabled();
  await expect.poll(() => playing(first)).toBe(false);
  expect(await playing(second)).toBe(true);
  await first.context().close();
});

/** The episode and the second that the browser has stored. */
const storedIn = (page: Page) =>
  page.evaluate(() => {
    const { queue, currentTime } = JSON.parse(localStorage.getItem("player")!) as {
      queue: { tracks: { title: string }[]; index: number };
      currentTime: number;
    };
    return { title: queue.tracks[queue.index]!.title, seconds: Math.floor(currentTime) };
  });

/** As if another tab had been looked at, and this one again: it then stores what has changed. */
const lookAt = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

/** Pauses at the second that it is sent to. */
async function pauseAt(page: Page, seconds: number) {
  await barOf(page).getByRole("button", { name: "Pause" }).click();
  await expect.poll(() => playing(page)).toBe(false);
  await seekOf(page).fill(String(seconds));
  await expect.poll(() => secondsOf(page)).toBe(seconds);
}

test("a silenced tab goes on where its episode went on in another tab, and keeps an episode of its own; it writes nothing old", async ({
  browser,
}) => {
  const first = await open(browser, episodePath());
  await play(first);
  const second = await first.context().newPage();
  await openHydrated(second, site.url + episodePath());
  await second.getByRole("button", { name: "Play in Audio Player" }).click();
  await expect.poll(() => playing(first)).toBe(false);
  await passes(second, 0);
  await pauseAt(second, 50);
  await lookAt(second);
  await expect.poll(() => secondsOf(first)).toBe(50);
  await lookAt(first);
  expect(await storedIn(first)).toEqual({ title: episodes[0]!.title, seconds: 50 });
  await barOf(first).getByRole("button", { name: "Play", exact: true }).click();
  await jumps(first, 45);

  await openHydrated(second, site.url + episodePath(1));
  await second.getByRole("button", { name: "Play in Audio Player" }).click();
  await expect.poll(() => playing(first)).toBe(false);
  await passes(second, 0);
  await pauseAt(second, 20);
  await lookAt(second);
  expect(await storedIn(second)).toEqual({ title: episodes[1]!.title, seconds: 20 });
  await lookAt(first);
  await expect(barOf(first)).toContainText(episodes[0]!.title);
  expect(await secondsOf(first)).toBeGreaterThanOrEqual(50);
  expect(await storedIn(first)).toEqual({ title: episodes[1]!.title, seconds: 20 });
  await first.context().close();
});

test("no key moves a player that has not played in this visit; within what scrolls sideways, arrows scroll", async ({
  browser,
}) => {
  const page = await open(browser, "/about");
  await leaveQueue(page.context());
  await page.reload();
  await hydrated(page);
  const bar = barOf(page);
  await expect(bar).toContainText(episodes[1]!.title);
  for (const key of ["ArrowRight", "ArrowLeft", "n", "p", "j", "l"]) await page.keyboard.press(key);
  await expect(bar).toContainText(episodes[1]!.title);
  expect(await secondsOf(page)).toBe(40);

  await page.keyboard.press("k");
  await passes(page, 40);
  await page.keyboard.press("k");
  const at = await stopsAt(page);
  await page.locator("main").evaluate((main) => {
    const code = `<div class="reading"><pre tabindex="0">${"wide ".repeat(200)}</pre></div>`;
    main.insertAdjacentHTML("beforeend", code);
  });
  const wide = page.locator("pre");
  await wide.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => wide.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
  expect(await stopsAt(page)).toBe(at);
  await page.locator("main").focus();
  await page.keyboard.press("Shift+ArrowLeft");
  expect(await stopsAt(page)).toBe(at);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => stopsAt(page)).toBeLessThan(at - 10);
  await page.context().close();
});

test("keys play, but not while one types, nor in a dialog, nor once they are switched off", async ({
  browser,
}) => {
  const page = await open(browser, episodePath());
  await play(page);
  const bar = barOf(page);
  await page.locator("main").focus();
  await page.keyboard.press("l");
  await jumps(page, 29);
  await page.keyboard.press(" ");
  await expect(bar.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  const further = await secondsOf(page);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => secondsOf(page)).toBeLessThan(further);
  await page.keyboard.press("m");
  await expect(bar.getByRole("button", { name: "Unmute" })).toBeVisible();
  expect(await page.locator("audio:not([controls])").evaluate(({ muted }: HTMLAudioElement) => muted)).toBe(
    true,
  );
  await page.keyboard.press(">");
  await expect(bar).toContainText("1.25×");

  const email = page.getByRole("contentinfo").getByRole("textbox");
  await email.fill("");
  await email.pressSequentially("km ?");
  await expect(bar.getByRole("button", { name: "Unmute" })).toBeVisible();
  expect(await playing(page)).toBe(false);
  await email.blur();

  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("k");
  expect(await playing(page)).toBe(false);
  await expectNoAxeFindings(page);
  await dialog.getByLabel("Use keyboard shortcuts").uncheck();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.keyboard.press("m");
  await page.keyboard.press("k");
  await expect(bar.getByRole("button", { name: "Unmute" })).toBeVisible();
  expect(await playing(page)).toBe(false);
  await page.context().close();
});

test("the sheet has chapters, a transcript that goes along, the queue, speed and the sleep timer", async ({
  browser,
}) => {
  const page = await open(browser, "/", { viewport: phone });
  await playQueue(page);
  const sheet = await openSheet(page);
  const seek = sheet.getByLabel("Seek");
  const chapters = sheet.getByRole("tabpanel", { name: "Chapters" }).getByRole("button");
  const start = await page.evaluate(async (id) => {
    const episode = (await (await fetch(`/api/episodes/${id}`)).json()) as { chapters: { start: number }[] };
    return episode.chapters[1]!.start;
  }, episodes[0]!.id);
  await sheet.getByRole("button", { name: "Pause", exact: true }).click();
  const from = await stopsAt(page);
  await chapters.nth(1).click();
  await jumps(page, start - from - 2);
  await expect.poll(async () => Number(await seek.inputValue())).toBeGreaterThanOrEqual(Math.floor(start));
  await expect(chapters.nth(1)).toHaveAttribute("aria-current", "true");
  await expect(chapters.nth(0)).not.toHaveAttribute("aria-current");
  await sheet.getByRole("button", { name: "Pause", exact: true }).click();

  await sheet.getByRole("tab", { name: "Transcript" }).click();
  const lines = sheet.getByRole("tabpanel", { name: "Transcript" }).locator("li button");
  await expect(
    lines.locator("[aria-current=true]").or(sheet.locator("li button[aria-current=true]")),
  ).toBeInViewport();
  await lines.first().scrollIntoViewIfNeeded();
  await sheet.getByRole("tabpanel", { name: "Transcript" }).evaluate((panel) => panel.scrollTo(0, 0));
  await sheet.getByRole("button", { name: "Back to what is playing" }).click();
  await expect(sheet.locator("li button[aria-current=true]")).toBeInViewport();
  await sheet.getByRole("tabpanel", { name: "Transcript" }).evaluate((panel) => panel.scrollTo(0, 0));
  // It is read aloud from its beginning, and soon is over.
  await expect(async () => {
    await lines.first().click();
    await expect(lines.first()).toHaveAttribute("aria-current", "true", { timeout: 1000 });
  }).toPass();
  await expect.poll(async () => Number(await seek.inputValue())).toBeLessThan(start);

  await sheet.getByRole("tab", { name: "Queue" }).click();
  await sheet.getByLabel("Speed").selectOption("2.5");
  await expect.poll(() => page.evaluate(() => document.querySelector("audio")?.playbackRate)).toBe(2.5);
  await sheet.getByLabel("Sleep timer").selectOption("5");
  await expect(sheet).toContainText("5 min left");

  const queue = sheet.getByRole("tabpanel", { name: "Queue" });
  await queue.getByRole("button", { name: `Remove ${episodes[1]!.title} from the queue` }).click();
  await expect(queue.getByRole("listitem")).toHaveCount(episodes.length - 1);
  await expect(
    queue.getByRole("button", { name: `Remove ${episodes[2]!.title} from the queue` }),
  ).toBeFocused();
  await queue.getByRole("button", { name: episodes[2]!.title, exact: true }).click();
  await expect(sheet.getByRole("heading", { level: 2 })).toHaveText(episodes[2]!.title);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(barOf(page).getByRole("button", { name: /^Open player/ })).toBeFocused();
  await page.context().close();
});

test("a row of the podcast page plays at a press; a phone's bar skips within it, the sheet goes to the others, and a switch lets it go on", async ({
  browser,
}) => {
  const page = await open(browser, "/podcast", { viewport: phone });
  const row = page.getByRole("listitem").filter({ hasText: episodes[1]!.title });
  await row.getByRole("button", { name: `Play ${episodes[1]!.title}` }).click();
  const bar = barOf(page);
  await expect(bar).toContainText(episodes[1]!.title);
  await passes(page, 0);
  await expect(bar.getByRole("button", { name: /^(Next|Previous) episode$/ })).toHaveCount(0);
  await bar.getByRole("button", { name: "Forward 30 seconds" }).click();
  await jumps(page, 29);
  await row.getByRole("button", { name: `Pause ${episodes[1]!.title}` }).click();
  await expect.poll(() => playing(page)).toBe(false);
  const paused = await secondsOf(page);
  await bar.getByRole("button", { name: "Back 15 seconds" }).click();
  await expect.poll(() => secondsOf(page)).toBeCloseTo(paused - 15, 1);
  await expect(row).toContainText("min left");

  const sheet = await openSheet(page);
  const goesOn = sheet.getByRole("switch", { name: "Play the next episode by itself" });
  await expect(goesOn).not.toBeChecked();
  await goesOn.check();
  const playToEnd = async () => {
    await sheet.getByRole("button", { name: "Play", exact: true }).click();
    await sheet.getByLabel("Seek").fill(String(Math.floor(episodes[1]!.durationSeconds) - 1));
    await expect(sheet).toHaveAccessibleName(episodes[2]!.title);
  };
  await sheet.getByLabel("Sleep timer").selectOption("End of episode");
  await playToEnd();
  await expect(sheet.getByRole("button", { name: "Play", exact: true })).toBeEnabled();
  expect(await playing(page)).toBe(false);
  await sheet.getByRole("button", { name: "Previous episode" }).click();

  await sheet.getByRole("tab", { name: "Transcript" }).click();
  await expect(goesOn).toBeHidden();
  await expect(sheet).toHaveAccessibleName(episodes[1]!.title);
  const transcript = await sheet.getByRole("tabpanel", { name: "Transcript" }).boundingBox();
  expect(transcript!.height).toBeGreaterThan(phone.height * 0.6);
  expect(transcript!.y + transcript!.height).toBeLessThanOrEqual(phone.height);
  await sheet.getByRole("button", { name: "Next episode" }).click();
  await expect(sheet).toHaveAccessibleName(episodes[2]!.title);
  await sheet.getByRole("button", { name: "Previous episode" }).click();
  await expect(sheet).toHaveAccessibleName(episodes[1]!.title);
  await playToEnd();
  await expect.poll(() => playing(page)).toBe(true);
  await sheet.getByRole("tab", { name: "Queue" }).click();
  await expect(goesOn).toBeChecked();
  await goesOn.uncheck();
  await page.reload();
  await hydrated(page);
  await expect(bar).toContainText(episodes[2]!.title);
  const stored = await page.evaluate(
    () => JSON.parse(localStorage.getItem("player")!) as { goesOn: boolean },
  );
  expect(stored.goesOn).toBe(false);
  await page.context().close();
});

test("who goes back in the browser has left the sheet, and the player plays on", async ({ browser }) => {
  const page = await open(browser, "/podcast", { viewport: phone });
  await page.getByRole("link", { name: "Listen Now" }).first().click();
  await play(page);
  const sheet = await openSheet(page);
  await page.goBack();
  await expect(page).toHaveURL(`${site.url}/podcast`);
  await expect(sheet).toBeHidden();
  expect(await playing(page)).toBe(true);
  await openSheet(page);
  await sheet.getByRole("link", { name: episodes[0]!.title }).click();
  await expect(page).toHaveURL(site.url + episodePath());
  await expect(sheet).toBeHidden();
  await page.context().close();
});

for (const viewport of [phone, desktop]) {
  test(`what is said does not cover the bar in a window of ${viewport.width} px`, async ({ browser }) => {
    const page = await open(browser, episodePath(), { viewport, reducedMotion: "reduce" });
    await play(page);
    await page.getByRole("link", { name: "All episodes" }).click();
    await page
      .getByRole("link", { name: /^Listen Now/ })
      .nth(1)
      .click();
    // The toast stays while time stands still.
    await stopClock(page);
    await page.getByRole("button", { name: "Add to queue" }).click();
    const end = async () => {
      await page.clock.runFor(20);
      // Of one that is not there, boundingBox would wait, while time stands still.
      if ((await page.locator("[data-toast]").count()) === 0) return Infinity;
      const box = await page.locator("[data-toast]").boundingBox();
      return box ? box.y + box.height : Infinity;
    };
    const seek = (await seekOf(page).boundingBox())!;
    await expect.poll(end).toBeLessThan(seek.y);
    await page.context().close();
  });
}

test("a link to the moment is copied, and leads there", async ({ browser }) => {
  const page = await open(browser, episodePath(), {
    viewport: desktop,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await play(page);
  await barOf(page).getByRole("button", { name: "Pause" }).click();
  await seekOf(page).fill("50");
  await expect.poll(() => secondsOf(page)).toBe(50);
  const sheet = await openSheet(page);
  await sheet.getByRole("button", { name: "Copy link at this moment" }).click();
  await expectToast(page, "Link copied! The link has been copied to your clipboard.");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${site.url}${episodePath()}?t=50`);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("Denied", "NotAllowedError"));
  });
  await page.keyboard.press("Escape");
  await page.keyboard.press("c");
  await expectToast(page, "Failed to copy");
  await page.evaluate(() => localStorage.clear());
  await openHydrated(page, link);
  await page.getByRole("button", { name: "Play from 0:50" }).click();
  await jumps(page, 49);
  await page.context().close();
});

test("on the episode's page the chapter and the paragraph that are heard are marked, and lead there", async ({
  browser,
}) => {
  const page = await open(browser, episodePath());
  const chapters = page
    .locator("section", { has: page.getByRole("heading", { name: "Chapters" }) })
    .getByRole("link");
  await chapters.nth(1).click();
  await expect(chapters.nth(1)).toHaveAttribute("aria-current", "true");
  await passes(page, 1);
  await page.getByText("Transcript", { exact: true }).click();
  const times = page.locator("details li a");
  await expect(async () => {
    await times.first().click();
    const line = page.locator("details li").first();
    await expect(line).toHaveAttribute("aria-current", "time", { timeout: 1000 });
  }).toPass();
  await expect(page.getByRole("button", { name: "Add to queue" })).toBeDisabled();
  await page.getByRole("link", { name: "All episodes" }).click();
  await page
    .getByRole("link", { name: /^Listen Now/ })
    .nth(1)
    .click();
  await page.getByRole("button", { name: "Add to queue" }).click();
  await expectToast(page, "Added to the queue");
  await barOf(page).getByRole("button", { name: "Next episode" }).click();
  await expect(barOf(page)).toContainText(episodes[1]!.title);
  await page.context().close();
});

test("audio that fails says so, and is tried again where it stopped", async ({ browser }) => {
  const page = await open(browser, episodePath());
  await play(page);
  await seekOf(page).fill("30");
  await passes(page, 30);
  await barOf(page).getByRole("button", { name: "Pause" }).click();
  await page.reload();
  await hydrated(page);
  await page.route("**/media/podcast-audio/**", (route) => route.abort());
  const bar = barOf(page);
  await bar.getByRole("button", { name: "Play", exact: true }).click();
  await expect(bar.getByText("Could not be loaded.")).toBeVisible();
  await page.unroute("**/media/podcast-audio/**");
  // What was played is told as from 0 here.
  const from = page.evaluate(
    () =>
      new Promise<number>((resolve) =>
        addEventListener("playing", ({ target }) => resolve((target as HTMLAudioElement).currentTime), {
          capture: true,
          once: true,
        }),
      ),
  );
  await bar.getByRole("button", { name: "Try again" }).click();
  expect(await from).toBeGreaterThan(29);
  await page.context().close();
});

test("without a connection a link keeps the page and the sound, says so, and leads there at a later try", async ({
  browser,
}) => {
  // What a service worker keeps is tested in offline.spec.ts; not everybody has one.
  const page = await open(browser, episodePath(), { viewport: phone, serviceWorkers: "block" });
  const context = page.context();
  let documents = 0;
  page.on("request", (request) => (documents += Number(request.isNavigationRequest())));
  await play(page);
  // However long the machine takes.
  await page.evaluate(() => document.querySelectorAll("audio").forEach((audio) => (audio.loop = true)));
  await page.getByRole("link", { name: "All episodes" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Plain Ground");
  const offline = page.getByRole("alert").filter({ hasText: "You are offline" });
  const tryAgain = offline.getByRole("button", { name: "Try Again" });
  // Its code is there from then on.
  await openSheet(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await context.setOffline(true);
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Mission" }).click();
  await expect(offline).toBeVisible();
  await tryAgain.click();
  await expect(tryAgain).not.toHaveAttribute("aria-busy", "true");
  await expect(page).toHaveURL(`${site.url}/podcast`);
  await expectNoAxeFindings(page);
  await offline.getByRole("button", { name: "Close" }).click();
  await expect(offline).toHaveCount(0);
  await page.keyboard.press("Escape");
  // From the sheet, which covers the page, and back in the browser.
  const sheet = await openSheet(page);
  // Else its data would still be in the browser's cache.
  await page.route("**/*.data*", (route) => route.abort());
  await page.goBack();
  await expect(offline).toBeVisible();
  await expect(sheet).toBeHidden();
  await expect(page).toHaveURL(`${site.url}/podcast`);
  expect(await playing(page)).toBe(true);
  await context.setOffline(false);
  await page.unroute("**/*.data*");
  await tryAgain.click();
  await expect(page).toHaveURL(site.url + episodePath());
  await expect(page.getByRole("button", { name: "Add to queue" })).toBeVisible();

  // The browser takes itself to be connected, and one file does not come.
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" }).click();
  await expect(offline).toBeVisible();
  await page.unroute("**/assets/*.js");
  await tryAgain.click();
  await expect(page).toHaveURL(`${site.url}/privacy-policy`);
  await expect(page.getByRole("heading", { level: 1, name: "Privacy Policy" })).toBeVisible();
  expect(await playing(page)).toBe(true);
  expect(documents).toBe(0);
  await context.close();
});

test("after a deployment, pointing at a link whose code is gone reloads nothing, and pressing it leads there", async ({
  browser,
}) => {
  const page = await open(browser, episodePath());
  await play(page);
  const documents: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname);
  });
  await page.route("**/assets/page-*.js", (route) =>
    documents.length > 0 ? route.continue() : route.fulfill({ status: 404 }),
  );
  const link = page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" });
  const gone = page.waitForResponse((response) => response.status() === 404);
  await link.hover();
  await gone;
  await passes(page, await secondsOf(page));
  await link.click();
  await expect(page).toHaveTitle(/^Privacy Policy/);
  expect(new Set(documents)).toEqual(new Set(["/privacy-policy"]));
  await page.context().close();
});

test("without a connection a first press says what is wrong, and the next one works", async ({ browser }) => {
  const context = await browser.newContext({
    viewport: desktop,
    serviceWorkers: "block",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await watchToasts(context);
  const page = await context.newPage();
  await page.clock.install();
  await openWithToaster(page, site.url + episodePath());
  const main = page.getByRole("main");
  const favourite = main.getByRole("button", { name: /^Add .* to favourites$/ }).first();
  const add = main.getByRole("button", { name: /^Add to playlist/ }).first();

  await context.setOffline(true);
  for (const button of [favourite, add, page.getByRole("button", { name: "Play in Audio Player" })]) {
    await button.click();
    await expectToast(page, "Check your connection and try again.");
    await page.clock.fastForward(5000);
    await expect(page.locator("[data-toast]")).toHaveCount(0);
  }
  await expect(favourite).toHaveAttribute("aria-pressed", "false");
  await expect(add).toHaveAttribute("aria-expanded", "false");

  await context.setOffline(false);
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  await passes(page, 0);
  const thrown: Error[] = [];
  page.on("pageerror", (error) => thrown.push(error));
  const saved = page.waitForResponse((response) => /\/api\/favorites\/\d+$/.test(response.url()));
  await favourite.click();
  await expect(favourite).toHaveAttribute("aria-pressed", "true");
  expect((await saved).ok()).toBe(true);
  await add.click();
  await expect(page.getByRole("menu")).toBeVisible();
  expect(thrown).toEqual([]);

  await openWithToaster(page, `${site.url}/essays`);
  await context.setOffline(true);
  await main.getByRole("button", { name: "Copy link" }).click();
  await expectToast(page, "Link copied!");
  await context.close();
});

/** The toaster is fetched some seconds after the page. */
async function openWithToaster(page: Page, url: string) {
  const { untilFetched } = watchRequests(page);
  await openHydrated(page, url);
  await page.clock.runFor(6000);
  await untilFetched("toaster");
  await page.clock.resume();
}

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

test("the system's own controls show and move it", async ({ browser }) => {
  const context = await browser.newContext({ viewport: desktop });
  await context.addInitScript(() => {
    const actions: Record<string, unknown> = {};
    Object.assign(window, { actions });
    MediaSession.prototype.setActionHandler = (action, handler) => void (actions[action] = handler);
  });
  const page = await context.newPage();
  await openHydrated(page, site.url);
  await playQueue(page);
  await passes(page, 0);
  const act = (name: string, details = {}) =>
    page.evaluate(
      ([action, given]) =>
        (window as unknown as { actions: Record<string, ((given: unknown) => void) | null> }).actions[
          action as string
        ]?.(given),
      [name, details],
    );
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe(episodes[0]!.title);
  await act("pause");
  const from = await stopsAt(page);
  await act("seekto", { seekTime: from + 12 });
  await jumps(page, 10);
  await act("seekforward");
  await jumps(page, 38);
  await act("play");
  await passes(page, from + 42);
  await act("pause");
  await expect.poll(() => playing(page)).toBe(false);
  await act("nexttrack");
  await expect(barOf(page)).toContainText(episodes[1]!.title);
  await expect
    .poll(() => page.evaluate(() => navigator.mediaSession.metadata?.title))
    .toBe(episodes[1]!.title);
  await context.close();
});

for (const [colorScheme, viewport] of [
  ["light", phone],
  ["dark", desktop],
] as const) {
  test(`the bar and the sheet are free of axe findings (${colorScheme})`, async ({ browser }) => {
    const page = await open(browser, "/about", { viewport, colorScheme, reducedMotion: "reduce" });
    await leaveQueue(page.context());
    await page.reload();
    await expect(barOf(page)).toBeVisible();
    await expectNoAxeFindings(page);
    const sheet = await openSheet(page);
    for (const name of ["Chapters", "Transcript", "Queue"]) {
      await sheet.getByRole("tab", { name }).click();
      await expect(sheet.getByRole("tabpanel", { name }).getByRole("listitem").first()).toBeVisible();
      await expectNoAxeFindings(page);
    }
    await page.context().close();
  });
}

/** As an earlier visit would. */
async function leaveQueue(context: BrowserContext) {
  const tracks = await Promise.all(
    episodes.map(async ({ id }) => {
      const episode = (await (await fetch(`${site.url}/api/episodes/${id}`)).json()) as object;
      return { ...episode, show: "Plain Ground" };
    }),
  );
  await context.addInitScript(
    (saved) => localStorage.setItem("player", saved),
    JSON.stringify({ queue: { tracks, index: 1 }, currentTime: 40, duration: 90, volume: 1, rate: 1.5 }),
  );
}
