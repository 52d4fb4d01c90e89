import { expect, type Browser, type Page } from "@playwright/test";
import { HtmlValidate } from "html-validate";
import { expectNoAxeFindings } from "./support/axe.ts";
import { setColorScheme } from "./support/color-scheme.ts";
import { complaintsOf } from "./support/console.ts";
import { pages as addresses } from "../../worker/addresses.ts";
import { htmlRules } from "../support/html-rules.ts";
import { episodePath, sharePlaylist, site, test } from "./support/demo.ts";
import { hangingDots } from "./support/hanging-dots.ts";
import { openHydrated } from "./support/hydrated.ts";
import { squeezedParts } from "./support/labels.ts";
import { smallFields } from "./support/small-fields.ts";
import { smallTargets } from "./support/targets.ts";
import { looks, phone, sweepsAll } from "./support/windows.ts";

// Independent tests: the next free worker takes the next one.
test.describe.configure({ mode: "parallel" });

/** Pixels: a desk's window at 400 % (WCAG 1.4.10). */
const NARROW = 320;
/** Pixels: phones, tablets and desktops, on both sides of each breakpoint. */
const WIDTHS = sweepsAll ? [NARROW, 360, 414, 768, 1024, 1280, 1440] : [NARROW, 360, 768, 1280];

const html = new HtmlValidate(htmlRules);

/** The address of each, some to be made first. */
const pages: Record<string, () => string | Promise<string>> = {
  home: () => "/",
  about: () => "/about",
  mission: () => "/mission",
  podcast: () => "/podcast",
  "where to listen": () => "/listen?device=apple",
  media: () => "/media",
  petitions: () => "/petitions",
  speaking: () => "/speaking",
  "the booking page": () => "/speaking/book",
  "the media kit": () => "/media-kit",
  "how we count": () => "/how-we-count",
  guest: () => "/guest",
  contact: () => "/contact",
  "the 3 Es": () => "/three-es",
  "the privacy policy": () => "/privacy-policy",
  "the terms of service": () => "/terms-of-service",
  conversations: () => "/conversations",
  "conversations from LinkedIn": () => "/conversations?source=linkedin",
  essays: () => "/essays",
  essay: () => "/essays/the-second-appointment",
  "an essay from LinkedIn": () => "/essays/what-the-bus-timetable-knows",
  episode: () => episodePath(),
  "an episode that does not exist": () => "/episode/99999",
  "a listener's playlist": sharePlaylist,
  "a playlist that does not exist": () => "/playlists/none",
  search: () => "/search?q=housing",
  "a search for moments": () => "/search?q=people&kind=transcript",
  "a search that finds nothing": () => "/search?q=xylophone",
  "a verification link that is none": () => "/verify-email",
  "the page after unsubscribing": () => "/unsubscribe?done=1",
  "an answer's link that is none": () => "/answer",
  "a confirmation link that is none": () => "/confirm-enquiry",
  "a comment's link that is none": () => "/comment",
  letters: () => "/letters",
  "a preview link that is none": () => "/preview",
  "the account, while it is off": () => "/account",
  "a link to sign in, while accounts are off": () => "/account/sign-in",
  "an unknown address": () => "/nothing/here",
  login: () => "/admin/login",
  setup: () => "/admin/setup",
};

const FORM = `<!doctype html>
  <html lang="en"><title>A form</title><main aria-label="The form"><h1>A petition</h1>
  <form><label>Name <input name="name"></label><button>Sign</button></form></main></html>`;

/** The kinds of page that `npm test` looks at: the front, a text and a player. */
const REPRESENTATIVE = new Set(["home", "essay", "episode"]);

/** The host of the demo's campaigns, which the petitions page frames. */
const FRAMES = "https://example.org/**";
const answerFrames = (page: Page) =>
  page.route(FRAMES, (route) => route.fulfill({ contentType: "text/html", body: FORM }));

/**
 * One window for all tests of the worker: a new one parses the site's scripts and axe again, which takes half of a
 * test.
 */
let window: ReturnType<typeof openWindow> | undefined;

async function openWindow(browser: Browser) {
  // A colour during a theme transition belongs to neither.
  const context = await browser.newContext({ reducedMotion: "reduce" });
  return { page: await context.newPage(), complaints: complaintsOf(context) };
}

for (const [name, path] of Object.entries(pages)) {
  test(`${name}: its HTML is valid; axe and the console find nothing on a phone and a desktop, in both themes; nothing overflows, in large text neither, no label or icon is squeezed and no line begins or ends with a dot between facts at any width, and every target and field is large enough${REPRESENTATIVE.has(name) ? "" : " @full"}`, async ({
    browser,
  }) => {
    const { page, complaints } = await (window ??= openWindow(browser));
    complaints.length = 0;
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(phone);
    const address = await path();
    // Only here: each document of a page with a route fetches all files again.
    if (address === "/petitions") await answerFrames(page);
    const response = await openHydrated(page, site.url + address);
    expect(await mistakesIn((await response?.text()) ?? "")).toEqual([]);
    await page.waitForLoadState("networkidle");
    for (const frame of await page.locator("main iframe").all()) {
      await frame.scrollIntoViewIfNeeded();
      await expect(frame.contentFrame().getByRole("heading")).toBeVisible();
    }
    for (const { viewport, colorScheme } of looks) {
      await page.setViewportSize(viewport);
      await setColorScheme(page, colorScheme);
      await expectNoAxeFindings(page);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect(await smallTargets(page)).toEqual([]);
      expect(await smallFields(page)).toEqual([]);
    }
    for (const width of WIDTHS) {
      await page.setViewportSize({ ...phone, width });
      if (width <= phone.width) {
        expect(await overflowOf(page)).toBeLessThanOrEqual(0);
        expect(await overflowOf(page, "200%")).toBeLessThanOrEqual(0);
      }
      expect(await squeezedParts(page), `${width} pixels`).toEqual([]);
      expect(await page.evaluate(hangingDots), `${width} pixels`).toEqual([]);
    }
    await page.unrouteAll({ behavior: "wait" });
    // The browser itself reports the status of a page that does not exist.
    expect(complaints.filter((complaint) => !/status of 404/.test(complaint))).toEqual([]);
  });
}

test("each public page with a fixed address is tested here", async () => {
  const paths = await Promise.all(
    Object.entries(pages)
      .filter(([name]) => name !== "a listener's playlist")
      .map(([, path]) => path()),
  );
  const fixed = Object.keys(addresses).filter((path) => !path.includes(":"));
  expect(fixed.filter((path) => !paths.some((asked) => asked.split("?")[0] === path))).toEqual([]);
});

test("a dot between facts is found at the end of a line and, drawn by a style, at the beginning of one", async ({
  page,
}) => {
  await page.setContent(`<style>p { width: 4ch } b + b::before { content: "·" }</style>
    <p>Words · more</p><p><b>Words</b> <b>more</b></p>`);
  expect(await page.evaluate(hangingDots)).toEqual(["::before Words more", "Words · more"]);
});

/** Pixels by which the page is wider than the window, with text of this size. */
const overflowOf = (page: Page, textSize = "") =>
  page.evaluate((size) => {
    const { style, classList } = document.documentElement;
    // What is far below is laid out too.
    classList.remove("first-layout");
    style.fontSize = size;
    const overflow = document.documentElement.scrollWidth - innerWidth;
    style.fontSize = "";
    return overflow;
  }, textSize);

async function mistakesIn(markup: string) {
  const { results } = await html.validateString(markup);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  );
}
