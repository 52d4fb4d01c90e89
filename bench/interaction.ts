import { chromium as playwright, type Browser, type Page } from "@playwright/test";
import { chromium } from "../scripts/chromium.ts";
import { median } from "./load.ts";

/**
 * The first interaction with a page, made right after its first paint on a phone whose processor is slowed four times:
 * from the tap to the paint after it (INP, https://web.dev/articles/inp), and to what the tap is for.
 */

const RUNS = 9;
/** Times slower than this machine. */
const SLOWDOWN = 4;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

type Interaction = { path: string; name: string | RegExp; role: "button" | "link" };

const interactions: Record<string, Interaction> = {
  Play: { path: "/episode/1", role: "button", name: "Play in Audio Player" },
  menu: { path: "/episode/1", role: "button", name: "Menu" },
  link: { path: "/episode/1", role: "link", name: "All episodes" },
};

/** Milliseconds after the tap. */
type Times = { handled: number; painted: number; effect: number };

declare global {
  interface Window {
    tap: Partial<Times> & { at?: number };
  }
}

/** Rows of a table: medians and the worst of some runs, in milliseconds. */
export async function measureInteractions(site: string) {
  const browser = await playwright.launch({
    executablePath: await chromium(),
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  const rows: Record<string, Record<string, number>> = {};
  for (const [name, interaction] of Object.entries(interactions)) {
    const runs: Times[] = [];
    for (let run = 0; run < RUNS; run++) runs.push(await interact(browser, site, interaction));
    const of = (kind: keyof Times) => runs.map((times) => Math.round(times[kind]));
    rows[name] = {
      "handled ms": median(of("handled")),
      "next paint ms": median(of("painted")),
      "next paint, worst": Math.max(...of("painted")),
      "effect ms": median(of("effect")),
      "effect, worst": Math.max(...of("effect")),
    };
  }
  await browser.close();
  return rows;
}

async function interact(browser: Browser, site: string, { path, role, name }: Interaction): Promise<Times> {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  await page.addInitScript(watchTap);
  await page.goto(site + path, { waitUntil: "commit" });
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0, null, {
    polling: 5,
  });
  const { x, y } = await centreOf(page, role, name);
  const left =
    role === "link" ? page.waitForURL((url) => url.pathname !== path, { waitUntil: "commit" }) : null;
  const since = performance.now();
  await page.touchscreen.tap(x, y);
  if (left) {
    await left;
    // The document that received the tap has been replaced.
    const effect = performance.now() - since;
    await context.close();
    return { handled: 0, painted: 0, effect };
  }
  await page.waitForFunction(() => window.tap.effect !== undefined && window.tap.painted !== undefined);
  const tap = await page.evaluate(() => window.tap);
  await context.close();
  return tap as Times;
}

/** Runs in the page. */
function watchTap() {
  const tap: Window["tap"] = (window.tap = {});
  const after = () => performance.now() - (tap.at ?? Number.NaN);
  addEventListener(
    "click",
    ({ timeStamp }) => {
      tap.at ??= timeStamp;
      tap.handled ??= after();
      requestAnimationFrame(() => setTimeout(() => (tap.painted ??= after())));
    },
    true,
  );
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    this.addEventListener("playing", () => (tap.effect ??= after()));
    return play.call(this);
  };
  document.addEventListener("toggle", () => (tap.effect ??= after()), true);
}

async function centreOf(page: Page, role: Interaction["role"], name: Interaction["name"]) {
  const box = await page
    .getByRole(role, { name })
    .first()
    .evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    });
  return box;
}
