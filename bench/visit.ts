import { gzipSync } from "node:zlib";
import {
  chromium as playwright,
  type BrowserContextOptions,
  type Page,
  type Response,
} from "@playwright/test";
import { chromium } from "../scripts/chromium.ts";
import { openHydrated } from "../test/e2e/support/hydrated.ts";

const kinds = ["html", "css", "js", "fonts", "images", "other"] as const;
type Kind = (typeof kinds)[number];

const kindOf: Record<string, Kind> = {
  document: "html",
  stylesheet: "css",
  script: "js",
  font: "fonts",
  image: "images",
};

/** What Cloudflare's edge compresses; the rest is compressed in itself. */
export const COMPRESSED =
  /^(text\/|application\/(javascript|json|manifest\+json|xml|rss\+xml)|image\/svg\+xml)/;

/**
 * Bytes by type that a browser without a cache loads to show the page, gzipped if the edge compresses; and the hosts
 * that it requested.
 */
export const firstVisit = (site: string, path: string) =>
  inBrowser(async (page, answersTo) => {
    await withoutTimers(page);
    const fetched = await answersTo(async () => {
      await openHydrated(page, `${site}${path}`);
      await page.waitForTimeout(IDLE_MS);
    });
    const origins = [...new Set(fetched.map((answer) => new URL(answer.url()).origin))];
    return { ...(await addUp(fetched)), origins };
  });

/** The same of a phone whose visitor touches nothing for more than eight seconds. */
export const untouchedVisit = (site: string, path: string) =>
  inBrowser(async (page, answersTo) => {
    const fetched = await answersTo(async () => {
      const last = page.waitForResponse((answer) => new URL(answer.url()).pathname.includes("/tracker-"));
      await page.goto(`${site}${path}`, { waitUntil: "load" });
      await last;
      await page.waitForTimeout(LOOKING_MS);
    });
    return addUp(fetched);
  }, PHONE);

/** Additional bytes when a visitor of that page follows the link with that name. */
export const nextNavigation = (site: string, path: string, link: string | RegExp) =>
  inBrowser(async (page, answersTo) => {
    await openHydrated(page, `${site}${path}`);
    await page.waitForTimeout(IDLE_MS);
    const fetched = await answersTo(async () => {
      await page.getByRole("link", { name: link }).first().click();
      await page.waitForURL((url) => url.pathname !== path);
      // A client-side navigation does not change the document's load state: wait for its requests instead.
      await page.waitForTimeout(IDLE_MS);
    });
    return addUp(fetched);
  });

/** Milliseconds. */
const IDLE_MS = 1500;
/** Milliseconds after the tracker, which loads last: longer than any widget waits. */
const LOOKING_MS = 5000;

/** Requests by timers, seconds after the page, are not part of a first visit, however slow the machine is. */
const withoutTimers = (page: Page) =>
  page.addInitScript((longest) => {
    const wait = setTimeout;
    window.setTimeout = ((work: () => void, ms = 0) =>
      ms > longest ? 0 : wait(work, ms)) as typeof setTimeout;
  }, IDLE_MS);

type AnswersTo = (act: () => Promise<unknown>) => Promise<Response[]>;

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, isMobile: true, hasTouch: true };

async function inBrowser<T>(
  visit: (page: Page, answersTo: AnswersTo) => Promise<T>,
  window: BrowserContextOptions = DESKTOP,
) {
  const browser = await playwright.launch({
    executablePath: await chromium(),
    // Root, as in a container, has no sandbox.
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  try {
    const page = await browser.newPage(window);
    return await visit(page, async (act) => {
      const answers = new Map<string, Response>();
      page.on("response", (answer) => answers.set(answer.url(), answer));
      await act();
      return [...answers.values()].filter((answer) => answer.url().startsWith("http"));
    });
  } finally {
    await browser.close();
  }
}

async function addUp(answers: Response[]) {
  const bytes = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  for (const answer of answers) {
    if (!answer.ok()) throw new Error(`${answer.url()} answered ${answer.status()}.`);
    bytes[kindOf[answer.request().resourceType()] ?? "other"] += await shippedBytes(answer);
  }
  return { ...bytes, total: kinds.reduce((sum, kind) => sum + bytes[kind], 0) };
}

export async function shippedBytes(answer: Response) {
  const body = await answer.body();
  return COMPRESSED.test(answer.headers()["content-type"] ?? "")
    ? gzipSync(body).byteLength
    : body.byteLength;
}
