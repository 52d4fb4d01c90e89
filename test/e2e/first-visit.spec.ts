import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, type Page } from "@playwright/test";
import { firstVisit } from "../../bench/visit.ts";
import { complaintsOf } from "./support/console.ts";
import { openHydrated } from "./support/hydrated.ts";
import { episodePath, site, test } from "./support/demo.ts";

/** What a page costs whoever comes to it first, and what works before its scripts are there. */

test("a page's scripts start after it is shown; what is pressed before then is done once they are there", async ({
  page,
}) => {
  const scripts: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/assets/*.js", async (route) => {
    scripts.push(route.request().url());
    await released;
    await route.continue();
  });
  const response = await page.goto(site.url + episodePath(), { waitUntil: "commit" });
  expect(await response!.text()).not.toContain('rel="modulepreload"');
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  await expect.poll(() => scripts.length).toBeGreaterThan(0);
  const bar = page.getByRole("region", { name: "Audio player" });
  await expect(bar).toHaveCount(0);
  release();
  await expect.poll(async () => Number(await bar.getByLabel("Seek").inputValue())).toBeGreaterThan(0);
});

let hours = 0;

/** Opens a page whose clock stands, and lets it be idle once it was painted: its scripts can begin, and get no further. */
async function openIdle(page: Page, path: string) {
  await page.clock.install();
  // An installed clock goes on by itself until it is stopped, at a later time than ever before.
  await page.clock.pauseAt(Date.now() + ++hours * 3_600_000);
  await page.goto(site.url + path);
  await page.evaluate(
    () =>
      new Promise((resolve) => new PerformanceObserver(resolve).observe({ type: "paint", buffered: true })),
  );
  await page.clock.runFor(2000);
}

const hasBegun = async (page: Page) => (await page.locator("link[rel=modulepreload]").count()) > 0;

test("a page that is looked at fetches its scripts, and runs them when somebody moves or some seconds have passed", async ({
  page,
  context,
}) => {
  const other = await context.newPage();
  const fetched = page.waitForResponse(/\/assets\/entry\.client-/);
  await openIdle(page, "/about");
  expect((await fetched).request().resourceType()).toBe("fetch");
  expect(await hasBegun(page)).toBe(false);
  await page.mouse.move(200, 200);
  await expect.poll(() => hasBegun(page)).toBe(true);

  await openIdle(other, "/about");
  expect(await hasBegun(other)).toBe(false);
  await other.clock.runFor(3000);
  expect(await hasBegun(other)).toBe(true);

  // As some screen readers press it, without a pointer or the focus.
  await openIdle(other, "/about");
  expect(await hasBegun(other)).toBe(false);
  await other.locator("button").first().dispatchEvent("click");
  expect(await hasBegun(other)).toBe(true);
});

test("the scripts are fetched one by one, each in an idle moment of its own", async ({ page }) => {
  await page.addInitScript(() => {
    const perMoment = ((window as unknown as { perMoment: number[] }).perMoment = []) as number[];
    const [ask, whenIdle] = [window.fetch, window.requestIdleCallback];
    window.requestIdleCallback = (callback, options) =>
      whenIdle((deadline) => {
        perMoment.push(0);
        callback(deadline);
      }, options);
    window.fetch = (...given) => {
      perMoment[perMoment.length - 1]! += 1;
      return ask(...given);
    };
  });
  const response = await page.goto(`${site.url}/about`);
  const [, modules = ""] = /data-modules="([^"]+)"/.exec(await response!.text()) ?? [];
  const perMoment = () =>
    page.evaluate(() => (window as unknown as { perMoment: number[] }).perMoment.filter(Boolean));
  await expect.poll(perMoment).toEqual(modules.split(" ").map(() => 1));
});

test("what only scripts can show is not waited for: the player of an earlier visit, a listener's marks", async ({
  page,
}) => {
  await page.goto(`${site.url}/terms-of-service`);
  for (const key of ["player", "user_id"]) {
    await page.evaluate((name) => localStorage.setItem(name, "{}"), key);
    await openIdle(page, "/about");
    expect(await hasBegun(page), key).toBe(true);
    await page.evaluate((name) => localStorage.removeItem(name), key);
  }
  await openIdle(page, "/about");
  expect(await hasBegun(page)).toBe(false);
});

test("what is far below is not laid out before scripts take over, but for whoever comes back or is sent to a place", async ({
  page,
}) => {
  const footer = () =>
    page.locator("footer").evaluate((element) => getComputedStyle(element).contentVisibility);
  await openHydrated(page, site.url);
  expect(await footer()).toBe("visible");
  await page.goto(`${site.url}/about`);
  expect(await footer()).toBe("auto");
  await page.reload();
  expect(await footer()).toBe("visible");
  await page.goto("about:blank");
  await page.goto(`${site.url}#content`);
  expect(await footer()).toBe("visible");
  await openHydrated(page, `${site.url}/admin/login`);
  await expect(page.locator("html")).not.toHaveClass(/arriving/);
});

test("a page is read to its end while its style is on its way, and asks the tab's storage for nothing", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const asked = ((window as unknown as { asked: string[] }).asked = []) as string[];
    const { getItem } = Storage.prototype;
    Storage.prototype.getItem = function (key) {
      asked.push(`${this === sessionStorage ? "session" : "local"} ${key}`);
      return getItem.call(this, key);
    };
  });
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/*.css", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${site.url}/about`, { waitUntil: "commit" });
  await expect(page.locator("body > script[type=module]")).toBeAttached();
  // Of the router's data and the way to it.
  await expect(page.locator("script[type='text/held-before']")).toHaveCount(2);
  const shown = () => page.evaluate(() => performance.getEntriesByName("first-contentful-paint").length);
  expect(await shown()).toBe(0);
  release();
  await expect.poll(shown).toBe(1);
  expect(await page.evaluate(() => (window as unknown as { asked: string[] }).asked)).toEqual([
    "local theme",
  ]);
});

test("the policies that come with the site need no font of accents and signs", async ({ page }) => {
  const fonts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "font") fonts.push(request.url());
  });
  for (const path of ["/privacy-policy", "/terms-of-service"]) {
    await page.goto(site.url + path, { waitUntil: "load" });
    await page.evaluate(() => document.fonts.ready);
  }
  expect(fonts.length).toBeGreaterThan(1);
  expect(fonts.filter((url) => url.includes("-more"))).toEqual([]);
});

test("a link that is pressed before the scripts are there is followed", async ({ page }) => {
  await page.route("**/assets/*.js", () => {});
  await page.goto(site.url + episodePath(), { waitUntil: "commit" });
  await page.getByRole("link", { name: "All episodes" }).click();
  await expect(page).toHaveURL(`${site.url}/podcast`);
});

test("a first visit to an essay ships at most 125 kB of JavaScript, 12 of HTML, 12 of CSS and 60 of fonts; one to an episode at most 132 of JavaScript; nothing is asked of anyone else", async () => {
  const essay = await firstVisit(site.url, "/essays/the-second-appointment");
  const episode = await firstVisit(site.url, episodePath());
  expect(essay.origins).toEqual([site.url]);
  expect(episode.origins).toEqual([site.url]);
  for (const visit of [essay, episode]) {
    expect(Math.min(visit.js, visit.css, visit.html, visit.fonts)).toBeGreaterThan(0);
    expect(visit.css).toBeLessThanOrEqual(12_000);
    expect(visit.html).toBeLessThanOrEqual(12_000);
    expect(visit.fonts).toBeLessThanOrEqual(60_000);
  }
  expect(essay.js).toBeLessThanOrEqual(125_000);
  expect(episode.js).toBeLessThanOrEqual(132_000);
});

/** What a server sends before the first answer comes: ten packets, less the answer's own headers. */
const FIRST_FLIGHT = 14_600 - 900;

test("what a first page is painted with comes in few flights, and no icon or manifest between them", async ({
  page,
}) => {
  const response = await page.goto(site.url, { waitUntil: "load" });
  const head = (await response!.text()).split("</head>")[0]!;
  const painted = [...head.matchAll(/<link rel="(?:preload|stylesheet)" href="([^"]+)"/g)].map(
    ([, href]) => href!,
  );
  expect(painted).toHaveLength(3);
  for (const path of ["/", ...painted]) {
    const body = await (await page.request.get(site.url + path)).body();
    const shipped = path.endsWith(".woff2") ? body : gzipSync(body);
    expect(shipped.byteLength, path).toBeLessThanOrEqual(path.endsWith(".woff2") ? 16_200 : FIRST_FLIGHT);
  }
  expect(head).not.toContain("data-handoff");
  expect(head).not.toContain('rel="manifest"');
  expect(head).toMatch(/<link rel="icon" href="data:image\/svg\+xml,[^"]+" type="image\/svg\+xml"\/>/);
  await expect(page.locator("head link[rel=manifest]")).toHaveAttribute("href", "/manifest.webmanifest");
});

/** Each class that the admin area's sources name outright; those that only mark a place for others have no style. */
function adminClasses() {
  const files = readdirSync("src/admin", { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".tsx"));
  const literals = sources.flatMap((file) => [
    ...readFileSync(`src/admin/${file}`, "utf8").matchAll(/className="([^"]+)"/g),
  ]);
  const names = literals.flatMap(([, classes]) => classes!.split(/\s+/));
  return [...new Set(names)].filter((name) => !/^(group|peer)(\/|$)/.test(name));
}

test("visitors are not sent the admin area's style, and it has all of its own", async ({ page }) => {
  const sheets = async (path: string) => {
    await page.goto(site.url + path, { waitUntil: "load" });
    return page
      .locator("link[rel=stylesheet]")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  };
  const [visitors, ...others] = await sheets("/");
  expect(others).toEqual([]);
  expect(await sheets("/admin/login")).toEqual([visitors, expect.stringMatching(/^\/assets\/admin-/)]);
  const named = adminClasses();
  expect(named.length).toBeGreaterThan(100);
  const unknown = await page.evaluate((inSources) => {
    const said = [...document.styleSheets].flatMap(({ cssRules }) =>
      [...cssRules].map(({ cssText }) => cssText),
    );
    const shown = [...document.body.querySelectorAll("*")].flatMap(({ classList }) => [...classList]);
    return [...new Set([...inSources, ...shown])].filter(
      (name) => !said.some((text) => text.includes(`.${CSS.escape(name)}`)),
    );
  }, named);
  expect(unknown).toEqual([]);
});

test("each font of the family that words are in comes with the page, so that the system is asked for none", async ({
  page,
}) => {
  await page.goto(site.url);
  const faces = await page.evaluate(async () => {
    await document.fonts.ready;
    const unquoted = (family: string) => family.replaceAll('"', "");
    const written = [...document.querySelectorAll("main *")].map((element) => {
      const { fontFamily, fontStyle } = getComputedStyle(element);
      return `${unquoted(fontFamily.split(",")[0]!)} ${fontStyle}`;
    });
    const named = [...document.fonts].map(({ family, style, status }) => ({
      name: `${unquoted(family)} ${style}`,
      status,
    }));
    return named.filter(({ name }) => written.includes(name));
  });
  expect(faces).toEqual([
    { name: "Newsreader normal", status: "loaded" },
    { name: "Instrument Sans normal", status: "loaded" },
  ]);
});

test("a page with italics asks for their font with its others, after them; no other page does", async () => {
  const preloads = async (path: string) => {
    const html = await (await fetch(site.url + path)).text();
    return [...html.matchAll(/<link rel="preload" [^>]*as="font"[^>]*>/g)].map(([link]) => link);
  };
  const [sans, serif, italic] = await preloads("/essays/the-second-appointment");
  expect(italic).toMatch(/newsreader-italic-.*fetchPriority="low"/);
  expect(await preloads("/")).toEqual([sans, serif]);
});

test("a written text is sent once, and React takes it over", async ({ page }) => {
  const path = "/essays/the-second-appointment";
  const sent = await (await fetch(site.url + path)).text();
  const [, first = ""] = /class="reading[^>]*><p>([^<]{60})/.exec(sent) ?? [];
  expect(first).not.toBe("");
  expect(sent.split(first).length).toBe(2);
  const complaints = complaintsOf(page.context());
  await openHydrated(page, site.url + path);
  await expect(page.locator(".reading")).toContainText(first);
  expect(complaints).toEqual([]);
});

test("many who come at once, after a while without anybody, are all answered", async ({ request }) => {
  await request.get(`${site.url}/about`);
  // Changes are then looked for beside the first of them.
  await new Promise((resolve) => setTimeout(resolve, 6000));
  const asked = Array.from({ length: 60 }, () => request.get(`${site.url}/about`));
  expect((await Promise.all(asked)).map((answer) => answer.status())).toEqual(asked.map(() => 200));
});

test("what a link leads to is fetched when it is pointed at, and opens without a connection", async ({
  page,
  context,
}) => {
  await openHydrated(page, site.url);
  const link = page.getByRole("banner").getByRole("link", { name: "About" });
  const data = page.waitForResponse((response) => new URL(response.url()).pathname === "/about.data");
  await link.hover();
  await (await data).finished();
  await page.waitForLoadState("networkidle");
  await context.setOffline(true);
  await link.click();
  await expect(page.getByRole("heading", { level: 1, name: "Why I Lead" })).toBeVisible();
});

test("a first page's dates and drawn land stay as the server wrote them, and no locale is read for them", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const { DateTimeFormat, NumberFormat } = Intl;
    const made = ((window as unknown as { made: string[] }).made = []) as string[];
    const counted = <T extends typeof DateTimeFormat | typeof NumberFormat>(format: T) =>
      new Proxy(format, {
        construct: (target, given: [string]) => (
          made.push(given[0]),
          Reflect.construct(target, given) as object
        ),
      });
    Object.assign(Intl, { DateTimeFormat: counted(DateTimeFormat), NumberFormat: counted(NumberFormat) });
    const toLocaleString = new Proxy(Number.prototype.toLocaleString, {
      apply: (target, number, given: [string]) => (made.push(given[0]), Reflect.apply(target, number, given)),
    });
    Object.assign(Number.prototype, { toLocaleString });
  });
  const localesRead = () => page.evaluate(() => (window as unknown as { made: string[] }).made);
  const complaints = complaintsOf(page.context());
  const sent = await (await openHydrated(page, `${site.url}/about`))?.text();
  const land = page.locator("main svg[viewBox='0 60 1200 480']");
  expect(await land.locator("path").count()).toBeGreaterThan(10);
  expect(sent).toContain(await land.locator("path").last().getAttribute("d"));
  await openHydrated(page, `${site.url}/speaking`);
  await expect(page.getByText(/^\d+ attendees$/).first()).toBeVisible();
  expect(await localesRead()).toEqual([]);
  await openHydrated(page, site.url);
  const dates = page.locator("main time[datetime^='20']");
  await expect(dates.first()).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, 20\d\d$/);
  expect(await localesRead()).toEqual([]);
  // In a page that the browser renders it writes and draws them itself.
  await page.getByRole("banner").getByRole("link", { name: "Podcast" }).click();
  await expect(page).toHaveURL(`${site.url}/podcast`);
  await expect(dates.first()).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, 20\d\d$/);
  await page.getByRole("banner").getByRole("link", { name: "About" }).click();
  expect(sent).toContain(await land.locator("path").last().getAttribute("d"));
  expect(complaints).toEqual([]);
});
