import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, type Page } from "@playwright/test";
import { parseAst } from "vite";
import { firstVisit, untouchedVisit } from "../../bench/visit.ts";
import { builtModules } from "../../scripts/built-worker.ts";
import { root } from "../../scripts/tools.ts";
import { gzippedBytes, moduleFiles } from "../../scripts/worker-size.ts";
import { complaintsOf } from "./support/console.ts";
import { HYDRATED } from "../../src/document/deferred-hydration.ts";
import { openHydrated } from "./support/hydrated.ts";
import { episodePath, site, test } from "./support/demo.ts";
import { watchRequests } from "./support/requests.ts";
import { phone } from "./support/windows.ts";
import { barOf } from "./support/player.ts";
import { freeBounds } from "../../worker/platform/plan-limits.ts";
import { landPalettes } from "../../worker/platform/artwork/generated-artwork.ts";

/** The cost of a page on a first visit, and the controls that work before its scripts load. */

test("a page's scripts start after it is painted, and replay presses made before", async ({ page }) => {
  const scripts: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/assets/*.js", async (route) => {
    scripts.push(route.request().url());
    await released;
    await route.continue();
  });
  const response = await page.goto(site.url + episodePath(), { waitUntil: "commit" });
  expect(await response!.text()).not.toContain('rel="modulepreload"');
  await page.getByRole("button", { name: "Play in Audio Player" }).click();
  await expect.poll(() => scripts.length).toBeGreaterThan(0);
  const bar = barOf(page);
  await expect(bar).toHaveCount(0);
  release();
  await expect.poll(async () => Number(await bar.getByLabel("Seek").inputValue())).toBeGreaterThan(0);
});

/** Whether the deferred module script was run. */
const hasBegun = (page: Page) =>
  page.evaluate(() => document.querySelectorAll("head script[type=module]").length > 0);

test("a page hydrates after its paint when the browser is idle, without any input @full", async ({
  page,
}) => {
  await page.addInitScript((event) => addEventListener(event, () => (window.isHydrated = true)), HYDRATED);
  await page.addInitScript(() => {
    const wait = window as unknown as { becomeIdle?: () => void };
    window.requestIdleCallback = (callback) => {
      wait.becomeIdle = () => callback({ didTimeout: false, timeRemaining: () => 50 });
      return 1;
    };
  });
  await page.goto(`${site.url}/about`);
  const idle = () =>
    page.evaluate(() => {
      const wait = window as unknown as { becomeIdle?: () => void };
      wait.becomeIdle?.();
      wait.becomeIdle = undefined;
    });
  await page.waitForFunction(() => "becomeIdle" in window);
  expect(await hasBegun(page)).toBe(false);
  // Each module is evaluated in an idle moment of its own.
  await expect
    .poll(
      async () => {
        await idle();
        return page.evaluate(() => window.isHydrated ?? false);
      },
      { intervals: [20] },
    )
    .toBe(true);
});

const isHydrated = (page: Page) => page.evaluate(() => window.isHydrated ?? false);

/** Opens it as on a phone, until the tracker has loaded, which waits for three seconds after the page's load. */
async function lookAt(page: Page, path: string) {
  await page.setViewportSize(phone);
  const last = page.waitForRequest("**/tracker-*.js");
  await page.goto(site.url + path, { waitUntil: "load" });
  await last;
}

test("a phone's first visit hydrates at a sign of the visitor; a resting mouse is none @full", async ({
  page,
}) => {
  await page.addInitScript((event) => addEventListener(event, () => (window.isHydrated = true)), HYDRATED);
  await lookAt(page, episodePath());
  expect(await hasBegun(page)).toBe(false);
  await page.evaluate(() => dispatchEvent(new PointerEvent("pointermove", { pointerType: "mouse" })));
  expect(await hasBegun(page)).toBe(false);
  // For a visitor who adds the page to the home screen.
  await expect(page.locator("head link[rel=manifest]")).toHaveAttribute("href", "/manifest.webmanifest");
  await page.mouse.wheel(0, 300);
  await expect.poll(() => isHydrated(page)).toBe(true);
  await expect(page.locator("head link[rel=manifest]")).toHaveCount(1);
});

test("a phone whose browser has stored something hydrates without a sign @full", async ({ page }) => {
  await page.addInitScript((event) => addEventListener(event, () => (window.isHydrated = true)), HYDRATED);
  await page.addInitScript(() => localStorage.setItem("theme", "dark"));
  await page.setViewportSize(phone);
  await page.goto(site.url + episodePath());
  await expect.poll(() => isHydrated(page)).toBe(true);
});

test("a phone's page that is reloaded or gone back to hydrates without a sign, as does a search, which is reported @full", async ({
  page,
}) => {
  await page.addInitScript((event) => {
    localStorage.clear();
    addEventListener(event, () => (window.isHydrated = true));
  }, HYDRATED);
  await lookAt(page, "/contact");
  expect(await hasBegun(page)).toBe(false);
  await page.reload();
  await expect.poll(() => isHydrated(page)).toBe(true);
  await page.goto(`${site.url}/search?q=housing`);
  await expect.poll(() => isHydrated(page)).toBe(true);
  await page.goBack();
  await expect.poll(() => isHydrated(page)).toBe(true);
});

test("a phone without a connection at the first touch hydrates when the connection is back @full", async ({
  page,
  context,
}) => {
  await page.addInitScript((event) => addEventListener(event, () => (window.isHydrated = true)), HYDRATED);
  await lookAt(page, episodePath());
  await context.setOffline(true);
  await page.mouse.wheel(0, 50);
  // The imports have failed.
  await expect.poll(() => hasBegun(page)).toBe(true);
  expect(await isHydrated(page)).toBe(false);
  await context.setOffline(false);
  await page.waitForFunction(() => window.isHydrated);
});

/** Milliseconds that widgets wait (`src/site/deferred-widgets.tsx`). */
const LATER_AFTER = 5000;

test("what loads later waits after a late first touch, too @full", async ({ page }) => {
  await page.addInitScript((event) => {
    addEventListener(event, () => performance.mark(event));
  }, HYDRATED);
  await lookAt(page, episodePath());
  await page.waitForFunction((later) => {
    const [opened] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return performance.now() > opened!.loadEventEnd + later;
  }, LATER_AFTER);
  await page.mouse.wheel(0, 50);
  const waited = await page.waitForFunction((event) => {
    const toaster = performance.getEntriesByType("resource").find(({ name }) => /\/toaster-/.test(name));
    return toaster && toaster.startTime - performance.getEntriesByName(event)[0]!.startTime;
  }, HYDRATED);
  // The timer begins right before the event.
  expect(await waited.jsonValue()).toBeGreaterThan(LATER_AFTER - 1000);
});

test("a browser without service workers never shows Keep offline, and nothing moves when the page hydrates @full", async ({
  page,
}) => {
  await page.addInitScript((event) => {
    addEventListener(event, () => (window.isHydrated = true));
    delete (Navigator.prototype as { serviceWorker?: unknown }).serviceWorker;
  }, HYDRATED);
  await lookAt(page, episodePath());
  const share = page.locator("main [data-shares]").first();
  const keep = page.getByRole("button", { name: "Keep offline" });
  const before = await share.evaluate((element) => (element as HTMLElement).offsetTop);
  await expect(keep).toHaveCount(0);
  await page.evaluate(() => dispatchEvent(new Event("pointerdown")));
  await expect.poll(() => isHydrated(page)).toBe(true);
  await expect(page.getByText("Keep offline")).toHaveCount(0);
  expect(await share.evaluate((element) => (element as HTMLElement).offsetTop)).toBe(before);
});

for (const sign of ["pointerdown", "pointermove", "scroll", "keydown", "focusin", "click"]) {
  test(`a page hydrates at the first sign of intent, though the browser is never idle: ${sign}${sign === "pointerdown" ? "" : " @full"}`, async ({
    page,
  }) => {
    await page.addInitScript((event) => addEventListener(event, () => (window.isHydrated = true)), HYDRATED);
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 1;
    });
    await page.goto(`${site.url}/about`);
    expect(await hasBegun(page)).toBe(false);
    await page.evaluate((name) => document.body.dispatchEvent(new Event(name, { bubbles: true })), sign);
    await page.waitForFunction(() => window.isHydrated);
  });
}

test("content far below is not laid out before hydration, except for a scroll position or an anchor @full", async ({
  page,
}) => {
  const footer = () =>
    page.locator("footer").evaluate((element) => getComputedStyle(element).contentVisibility);
  await openHydrated(page, site.url);
  expect(await footer()).toBe("visible");
  await page.route("**/assets/*.js", () => {});
  await page.goto(`${site.url}/about`);
  expect(await footer()).toBe("auto");
  await page.reload();
  expect(await footer()).toBe("visible");
  await page.goto("about:blank");
  await page.goto(`${site.url}#content`);
  expect(await footer()).toBe("visible");
  await page.unroute("**/assets/*.js");
  await openHydrated(page, `${site.url}/admin/login`);
  await expect(page.locator("html")).not.toHaveClass(/first-layout/);
});

test("the default policies need no font for accents and signs @full", async ({ page }) => {
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

test("a link pressed before the scripts have loaded navigates", async ({ page }) => {
  await page.route("**/assets/*.js", () => {});
  await page.goto(site.url + episodePath(), { waitUntil: "commit" });
  await page.getByRole("link", { name: "All episodes" }).click();
  await expect(page).toHaveURL(`${site.url}/podcast`);
});

test("a first visit to an essay ships at most 128.8 kB of JavaScript, 14.2 of HTML, 11.4 of CSS and 60 of fonts; one to an episode at most 137.2 of JavaScript and 14.7 of HTML; nothing is asked of anyone else", async () => {
  const essay = await firstVisit(site.url, "/essays/the-second-appointment");
  const episode = await firstVisit(site.url, episodePath());
  expect(essay.origins).toEqual([site.url]);
  expect(episode.origins).toEqual([site.url]);
  for (const visit of [essay, episode]) {
    expect(Math.min(visit.js, visit.css, visit.html, visit.fonts)).toBeGreaterThan(0);
    expect(visit.css).toBeLessThanOrEqual(11_400);
    expect(visit.fonts).toBeLessThanOrEqual(60_000);
  }
  // The demo's episode has no italics.
  expect(episode.fonts).toBeLessThanOrEqual(26_000);
  expect(essay.html).toBeLessThanOrEqual(14_200);
  expect(episode.html).toBeLessThanOrEqual(14_700);
  expect(essay.js).toBeLessThanOrEqual(128_800);
  expect(episode.js).toBeLessThanOrEqual(137_200);
});

test("a phone that is not touched loads at most 110 kB of home, with its pictures, fonts and tracker, and 100 of an essay @full", async () => {
  const [home, essay] = await Promise.all([
    untouchedVisit(site.url, "/"),
    untouchedVisit(site.url, "/essays/the-second-appointment"),
  ]);
  for (const visit of [home, essay]) {
    expect(Math.min(visit.js, visit.css, visit.html, visit.fonts, visit.images)).toBeGreaterThan(0);
    expect(visit.js).toBeLessThanOrEqual(3200);
  }
  expect(home.total).toBeLessThanOrEqual(110_000);
  expect(essay.total).toBeLessThanOrEqual(100_000);
});

/** Bytes that a server sends before the first acknowledgement: ten packets, minus the response's own headers. */
const FIRST_FLIGHT = 14_600 - 900;

test("the bytes for the first paint fit few round trips, with no icon or manifest among them @full", async ({
  page,
}) => {
  const response = await page.goto(site.url, { waitUntil: "load" });
  const html = await response!.text();
  const head = html.split("</head>")[0]!;
  const painted = [...head.matchAll(/<link rel="(?:preload|stylesheet)" href="([^"]+)"/g)].map(
    ([, href]) => href!,
  );
  expect(painted).toHaveLength(3);
  // The router's data follows everything that is painted.
  const document = html.split("<script>window.__reactRouterContext")[0]!;
  expect(document.length).toBeLessThan(html.length);
  expect(gzipSync(document).byteLength).toBeLessThanOrEqual(FIRST_FLIGHT);
  for (const path of painted) {
    const body = await (await page.request.get(site.url + path)).body();
    const shipped = path.endsWith(".woff2") ? body : gzipSync(body);
    expect(shipped.byteLength, path).toBeLessThanOrEqual(path.endsWith(".woff2") ? 16_200 : FIRST_FLIGHT);
  }
  expect(head).not.toContain('rel="manifest"');
  expect(head).toMatch(/<link rel="icon" href="data:image\/svg\+xml,[^"]+" type="image\/svg\+xml"\/>/);
  await expect(page.locator("head link[rel=manifest]")).toHaveAttribute("href", "/manifest.webmanifest");
});

/** The classes that the admin area's sources contain; those that only mark elements have no style. */
function adminClasses() {
  const files = readdirSync("src/admin", { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".tsx"));
  const literals = sources.flatMap((file) => [
    ...readFileSync(`src/admin/${file}`, "utf8").matchAll(/className="([^"]+)"/g),
  ]);
  const names = literals.flatMap(([, classes]) => classes!.split(/\s+/));
  return [...new Set(names)].filter((name) => !/^(group|peer)(\/|$)/.test(name));
}

/** Bytes that stay free for what comes next. */
const SPARE = 150_000;

test("the Worker's code, gzipped, is smaller than the free plan requires", () => {
  const folder = join(root, "build", "server");
  expect(moduleFiles(folder).length).toBeGreaterThan(100);
  expect(gzippedBytes(folder)).toBeLessThanOrEqual(freeBounds.workerBytes.amount - SPARE);
});

/** The built Worker's modules that evaluating the named ones evaluates; a name ends before the build's hash. */
function evaluatedWith(...names: string[]) {
  const { modules } = builtModules();
  const codeOf = new Map(modules.map(({ path, contents }) => [path, contents]));
  const found = new Set(
    names.map((name) => [...codeOf.keys()].find((path) => path === name || path.startsWith(`${name}-`))!),
  );
  for (const path of found) {
    const code = codeOf.get(path);
    if (typeof code !== "string") continue;
    for (const statement of parseAst(code).body) {
      const source = "source" in statement ? statement.source?.value : undefined;
      const imported = posix.join(posix.dirname(path), source ?? "");
      if (source && codeOf.has(imported)) found.add(imported);
    }
  }
  const kB = [...found].reduce((sum, path) => sum + codeOf.get(path)!.length, 0) / 1000;
  return { paths: [...found], kB };
}

test("a cache hit evaluates at most 70 kB of the Worker, a first document 1.3 MB and a first page 2.5 @full", () => {
  const hit = evaluatedWith("index.js");
  expect(hit.paths.length).toBeGreaterThan(5);
  expect(hit.kB).toBeLessThanOrEqual(70);
  expect(evaluatedWith("index.js", "assets/site").kB).toBeLessThanOrEqual(1300);
  const page = evaluatedWith("index.js", "assets/site", "assets/server-build");
  expect(page.kB).toBeLessThanOrEqual(2500);
  expect(page.paths.filter((path) => /^assets\/(?:_virtual_admin-routes|api|jobs)-/.test(path))).toEqual([]);
});

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

test("each font used in the text is loaded with the page, so that system fonts are not needed @full", async ({
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

test("a page with italics asks for their font with its others, after them; no other page does @full", async () => {
  const preloads = async (path: string) => {
    const html = await (await fetch(site.url + path)).text();
    return [...html.matchAll(/<link rel="preload" [^>]*as="font"[^>]*>/g)].map(([link]) => link);
  };
  const [sans, serif, italic] = await preloads("/essays/the-second-appointment");
  expect(italic).toMatch(/newsreader-italic-.*fetchPriority="low"/);
  expect(await preloads("/")).toEqual([sans, serif]);
});

test("many concurrent visitors after a pause all get an answer @full", async ({ request }) => {
  await request.get(`${site.url}/about`);
  // Changes are then looked for beside the first of them.
  await new Promise((resolve) => setTimeout(resolve, 6000));
  const asked = Array.from({ length: 60 }, () => request.get(`${site.url}/about`));
  expect((await Promise.all(asked)).map((answer) => answer.status())).toEqual(asked.map(() => 200));
});

test("a link's page is prefetched when pointed at, and opens without a connection @full", async ({
  page,
  context,
}) => {
  await openHydrated(page, site.url);
  const link = page.getByRole("banner").getByRole("link", { name: "About" });
  const { untilFetched } = watchRequests(page);
  const data = page.waitForResponse((response) => new URL(response.url()).pathname === "/about.data");
  await link.hover();
  await data;
  await untilFetched("page");
  await context.setOffline(true);
  await link.click();
  await expect(page.getByRole("heading", { level: 1, name: "Why I Lead" })).toBeVisible();
  // React never renders them.
  await expect(page.locator("head").locator("link[rel=icon], link[rel=apple-touch-icon]")).toHaveCount(3);
  await expect(page.locator("head link[type='application/rss+xml']")).toHaveCount(2);
});

test("a first page's dates and generated artwork remain as rendered by the server, without locale data @full", async ({
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
  const land = page.locator("main svg[viewBox='0 0 1200 600']");
  expect(await land.locator("path").count()).toBeGreaterThan(10);
  for (const paint of landPalettes.flatMap((pair) => [pair.sky, pair.land]))
    expect(
      await land.evaluate((svg, name) => getComputedStyle(svg).getPropertyValue(name), paint.slice(4, -1)),
      paint,
    ).not.toBe("");
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
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Plain Ground");
  await expect(dates.first()).toHaveText(/^[A-Z][a-z]{2} \d{1,2}, 20\d\d$/);
  await page.getByRole("banner").getByRole("link", { name: "About" }).click();
  expect(sent).toContain(await land.locator("path").last().getAttribute("d"));
  expect(complaints).toEqual([]);
});
