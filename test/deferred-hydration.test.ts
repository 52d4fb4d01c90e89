import * as build from "virtual:react-router/server-build";
import { describe, expect, test } from "vitest";
import { DEFERRED } from "#site/document/deferred-hydration.ts";
import { takeScripts } from "#site/document/page-scripts.ts";
import { fetchSite } from "./support/client.ts";

const scriptsOf = (html: string) => [...html.matchAll(/<script([^>]*)>(.*?)<\/script>/gs)];

describe("React Router's hydration scripts, which the page defers", () => {
  test("is one inert module script that imports the page's routes and then the entry", async () => {
    const html = await (await fetchSite("/about")).text();
    const deferred = scriptsOf(html).filter(([, attributes]) => attributes!.includes(`type="${DEFERRED}"`));
    expect(deferred).toHaveLength(1);
    const [, , script] = deferred[0]!;
    expect(script).toContain("window.__reactRouterRouteModules = ");
    expect(script).toMatch(/^import .*import\("[^"]+"\);$/s);
    expect(script).toContain(`import("${build.assets.entry.module}")`);
    expect(html).not.toContain('rel="modulepreload"');
    expect(html).not.toMatch(/<script[^>]* type="module"/);
  });

  test("are in a page of standards mode, rendered for the first time or again", async () => {
    for (const path of ["/about", "/about", "/nothing-here", "/nothing-here"])
      expect(await (await fetchSite(path)).text()).toMatch(/^<!DOCTYPE html><html /);
  });

  test("leaves the router's data and scroll restoration to run as the page is parsed", async () => {
    const html = await (await fetchSite("/about")).text();
    const bodies = scriptsOf(html.slice(html.indexOf("<body"))).filter(([, attributes]) => attributes === "");
    expect(bodies.map(([, , script]) => script!.slice(0, 40))).toEqual([
      expect.stringContaining("(storageKey, restoreKey)"),
      expect.stringContaining("window.__reactRouterContext = {"),
      expect.stringContaining("window.__reactRouterContext.streamCont"),
    ]);
  });

  test("is not deferred in the admin area", async () => {
    const html = await (await fetchSite("/admin/login")).text();
    expect(html).toMatch(/<script type="module" async="">/);
    expect(html).not.toContain("data-modules=");
  });
});

describe("a page with scripts of an unknown form", () => {
  const page = (tag: string) => `<html><body>${tag}import("/entry.js")</script></body></html>`;
  const options = { entryModule: "/entry.js", lastScript: "/last.js", isDevelopment: false };
  const defer = (html: string) => takeScripts(html, "abc", { deferral: options }).page;

  test("is refused, not shipped without hydration", () => {
    expect(() => defer(page(`<script nonce="abc" type="module">`))).toThrow(/no module script/);
    expect(defer(page(`<script nonce="abc" type="module" async="">`))).toContain(DEFERRED);
  });

  test("lists the modules but the entry, which would hydrate", () => {
    const preload = (href: string) => `<link rel="modulepreload" href="${href}" nonce="abc"/>`;
    const preloads = ["/entry.js", "/a.js", "/b.js"].map(preload).join("");
    const script = page(`<script nonce="abc" type="module" async="">`);
    for (const html of [preloads + script, script + preloads]) {
      const deferred = defer(html);
      expect(deferred).not.toContain("modulepreload");
      expect(deferred).toContain('data-modules="/a.js /b.js" data-last="/last.js"');
    }
  });
});

describe("the inline scripts of a page", () => {
  const html =
    '<p title="nonce=&quot;abc&quot;">a</p><script>0</script><script nonce="abc">1</script>' +
    '<script data-a="b" nonce="abc">2</script><script src="/3.js" nonce="abc"></script><p>b</p>' +
    '<script nonce="else">4</script><link rel="modulepreload" href="/5.js" nonce="abc"/>';

  test("are those that the renderer marked, without the mark", () => {
    const { page, scripts } = takeScripts(html, "abc");
    expect(scripts).toEqual(["1", "2"]);
    expect(page).toBe(html.replaceAll(' nonce="abc"', ""));
  });

  test("are none in a page without the mark", () => {
    expect(takeScripts("<p>a</p><script>1</script>", "abc")).toEqual({
      page: "<p>a</p><script>1</script>",
      scripts: [],
    });
  });
});
