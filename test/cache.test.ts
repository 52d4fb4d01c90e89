import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { cacheKeyOf } from "#worker/cache-key.ts";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { clearCache, expectChanges, serveFromCache } from "#worker/platform/http/cache.ts";
import { createMemory } from "#worker/platform/http/cache-store.ts";
import { changed, purgePlatform } from "#worker/platform/data/changes.ts";
import { Changes } from "#worker/platform/data/known-changes.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { ask, WITH_CACHE } from "./support/cached.ts";
import { ownerContext, signedIn, SITE } from "./support/client.ts";
import { holdClock } from "./support/clock.ts";
import { aPressItem, publishedEpisode, savedShow } from "./support/factories.ts";
import worker from "./support/worker.ts";

/** D1 during an outage. */
const down = () => {
  throw new Error("D1 is down.");
};
const WITHOUT_D1 = { ...WITH_CACHE, DB: { withSession: down, prepare: down, batch: down } } as unknown as Env;

let episode = { id: 0 };
beforeAll(async () => {
  await savedShow();
  episode = await publishedEpisode({ title: "A first title" });
});
beforeEach(clearCache);
afterEach(() => vi.restoreAllMocks());

/** Lets so many milliseconds pass. */
const pass = (ms: number) => {
  const then = Date.now() + ms;
  vi.spyOn(Date, "now").mockImplementation(() => then);
};

describe("a public response", () => {
  test("is rendered once, and then given without asking D1", async () => {
    const path = `/episode/${episode.id}`;
    const first = await ask(path);
    expect(first.way).toBe("miss");
    expect(first.response.headers.get("Server-Timing")).toMatch(
      /d1;desc="\d statements, \d round trips, \d+ rows";dur=/,
    );
    const second = await ask(path, {}, { ...WITH_CACHE, DB: WITHOUT_D1.DB });
    expect(second.way).toBe("hit");
    expect(second.body).toBe(first.body);
    for (const name of [
      "Content-Type",
      "Content-Security-Policy",
      "Cache-Control",
      "X-Content-Type-Options",
    ]) {
      expect(second.response.headers.get(name), name).toBe(first.response.headers.get(name));
      expect(second.response.headers.get(name), name).toBeTruthy();
    }
  });

  test("is available to another isolate of the same data centre", async () => {
    const { body } = await ask("/about");
    clearCache();
    expect(await ask("/about")).toMatchObject({ way: "hit", body });
  });

  test("is known by its path and the parameters that it knows, and says nothing of others", async () => {
    await ask("/podcast");
    const tagged = await ask("/podcast?utm_source=letter&fbclid=x");
    expect(tagged.way).toBe("hit");
    const first = await ask("/essays?utm_source=letter");
    expect(first.way).toBe("miss");
    expect(first.body).not.toContain("utm_source");
  });

  test("contains nothing about the visitor who requested it first", async () => {
    holdClock();
    const { cookie } = await signedIn("super_admin");
    const theirs = await ask("/mission", { headers: { cookie, "User-Agent": "X<script>" } });
    expect(theirs.response.headers.has("Set-Cookie")).toBe(false);
    const ours = await ask("/mission");
    expect(ours.body).toBe(theirs.body);
    const fresh = await ask("/mission", {}, { ...WITH_CACHE, EDGE_CACHE: "off" });
    expect(ours.body).toBe(fresh.body);
  });

  test("has a tag by which a browser learns that it has it; the 304 leaves the page's policy alone", async () => {
    const { response } = await ask("/contact");
    const etag = response.headers.get("ETag")!;
    expect(etag).toMatch(/^W\//);
    const again = await ask("/contact", { headers: { "If-None-Match": `"x", ${etag}` } });
    expect(again.response.status).toBe(304);
    expect(again.body).toBe("");
    expect(again.response.headers.get("ETag")).toBe(etag);
    expect(again.response.headers.get("Cache-Control")).toBe("public, no-cache");
    expect(again.response.headers.has("Content-Security-Policy")).toBe(false);
    expect(again.response.headers.has("Content-Type")).toBe(false);
    expect((await ask("/contact", { headers: { "If-None-Match": '"other"' } })).response.status).toBe(200);
  });

  test("has another tag once it may frame another host: a 304 would leave the older policy alone", async () => {
    const { response } = await ask("/contact");
    await updateSite(ownerContext(), { frameHosts: ["petitions.example.org"] });
    clearCache();
    const again = await ask("/contact", { headers: { "If-None-Match": response.headers.get("ETag")! } });
    expect(again.response.status).toBe(200);
    expect(again.response.headers.get("Content-Security-Policy")).toContain("petitions.example.org");
    await updateSite(ownerContext(), { frameHosts: [] });
  });

  test("has the same tag when nothing but the time of its rendering differs", async () => {
    const first = await ask("/media-kit");
    await updateSite(ownerContext(), {});
    clearCache();
    const later = await ask("/media-kit");
    expect(later.way).toBe("miss");
    expect(later.body).not.toBe(first.body);
    expect(later.response.headers.get("ETag")).toBe(first.response.headers.get("ETag"));
  });

  test("answers HEAD as GET, without the body", async () => {
    const get = await ask("/llms.txt");
    const head = await ask("/llms.txt", { method: "HEAD" });
    expect(head).toMatchObject({ way: "hit", body: "" });
    expect(head.response.headers.get("ETag")).toBe(get.response.headers.get("ETag"));
  });

  test("is given to If-Match as the document itself would be", async () => {
    holdClock();
    const path = "/rss/podcast.xml";
    const match = (tags: string, bindings?: Env, others = {}) =>
      ask(path, { headers: { "If-Match": tags, ...others } }, bindings);
    const headersOf = ({ response }: Awaited<ReturnType<typeof ask>>) =>
      Object.fromEntries(
        [...response.headers].filter(([name]) => !["server-timing", "cache-tag"].includes(name)),
      );
    const whole = await match("*");
    expect([whole.response.status, whole.way]).toEqual([200, "miss"]);
    expect(await match("*", WITHOUT_D1)).toMatchObject({ way: "hit", body: whole.body });
    const etag = whole.response.headers.get("ETag")!;
    for (const tags of [etag, etag.slice(2), `"other", ${etag}`]) {
      const cached = await match(tags, WITHOUT_D1);
      expect([cached.response.status, cached.way, cached.body]).toEqual([412, "hit", ""]);
      const made = await match(tags, { ...WITH_CACHE, EDGE_CACHE: "off" });
      expect([made.response.status, made.way, made.body]).toEqual([412, "bypass", ""]);
      expect(headersOf(cached)).toEqual(headersOf(made));
    }
    const both = { "If-None-Match": etag };
    expect((await match("*", WITHOUT_D1, both)).response.status).toBe(304);
    expect((await match('"other"', WITHOUT_D1, both)).response.status).toBe(412);
  });

  test("is rendered once for two hundred concurrent requests", async () => {
    // No request times out, however slow the machine is.
    pass(0);
    const render = vi.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return new Response("A page", { headers: { "Cache-Control": "public, no-cache" } });
    });
    const execution = createExecutionContext();
    const cacheKey = () => ({ path: "/crowded", isEndless: false });
    const journey = { env: WITH_CACHE, execution, cacheKeyOf: cacheKey, needsLatest: () => false, render };
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => serveFromCache(new Request(`${SITE}/crowded`), journey)),
    );
    expect(await Promise.all(answers.map((answer) => answer!.text()))).toEqual(Array(200).fill("A page"));
    expect(render).toHaveBeenCalledTimes(1);
    await waitOnExecutionContext(execution);
  });

  test("is cached as the data of the home page, too", async () => {
    const path = "/_.data?_routes=site%2Flayout%2Csite%2Fhome%2Fpage";
    expect((await ask(path)).way).toBe("miss");
    expect((await ask(path)).way).toBe("hit");
  });

  test("is only cached by the data centre if visitors choose its words", async () => {
    const path = `/search?q=${crypto.randomUUID()}`;
    await ask(path);
    const match = vi.spyOn((caches as unknown as { default: Cache }).default, "match");
    expect((await ask(path)).way).toBe("hit");
    expect(match).toHaveBeenCalledTimes(1);
    await ask("/about");
    match.mockClear();
    expect((await ask("/about")).way).toBe("hit");
    expect(match).not.toHaveBeenCalled();
  });
});

describe("searches", () => {
  const find = (q: string, bindings: Env, address = "192.0.2.7", path = "/search") =>
    ask(`${path}?q=${q}`, { headers: { "CF-Connecting-IP": address } }, bindings);

  /** Lets each key through so many times. */
  function limitedTo(most: number) {
    const counts = new Map<string, number>();
    const limit = async ({ key }: RateLimitOptions) => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return { success: counts.get(key)! <= most };
    };
    return { ...WITH_CACHE, BURST: { limit } } as Env;
  }

  test("of different words are limited in number by address; cached ones are not", async () => {
    const bindings = limitedTo(2);
    const words = Array.from({ length: 3 }, () => crypto.randomUUID());
    expect((await find(words[0]!, bindings)).response.status).toBe(200);
    expect((await find(words[1]!, bindings)).response.status).toBe(200);
    const page = await find(words[2]!, bindings);
    expect(page.response.status).toBe(429);
    expect(page.body).toContain("Too many requests. Please wait a little and try again.");
    const json = await find(words[2]!, bindings, "192.0.2.7", "/api/search");
    expect([json.response.status, json.response.headers.get("Retry-After")]).toEqual([429, "10"]);
    expect((await find(words[0]!, bindings)).way).toBe("hit");
    expect((await find(words[2]!, bindings, "192.0.2.8")).response.status).toBe(200);
  });
});

describe("a request that meets another", () => {
  /** A render that is held back until it is let go. */
  function heldRender() {
    const gate = Promise.withResolvers<void>();
    const render = vi.fn(async (body: string) => {
      await gate.promise;
      return new Response(body, { headers: { "Cache-Control": "public, no-cache", "Cache-Tag": "met" } });
    });
    return { letGo: () => gate.resolve(), render };
  }

  function askAt(path: string, render: () => Promise<Response>, needsLatest = false) {
    const execution = createExecutionContext();
    const cacheKey = () => ({ path, isEndless: false });
    const journey = {
      env: WITH_CACHE,
      execution,
      cacheKeyOf: cacheKey,
      needsLatest: () => needsLatest,
      render,
    };
    return serveFromCache(new Request(SITE + path), journey);
  }

  const publicPage = async (body: string) =>
    new Response(body, { headers: { "Cache-Control": "public, no-cache", "Cache-Tag": "met" } });

  /** Expires what depends on the tag "met", as a write of this isolate does. */
  async function expire() {
    await changed(ownerContext(), "met");
    expectChanges();
  }

  test("is given the older answer while the other renders the new one", async () => {
    pass(0);
    await askAt("/met", () => publicPage("old"));
    await expire();
    const { letGo, render } = heldRender();
    const first = askAt("/met", () => render("new"));
    await vi.waitFor(() => expect(render).toHaveBeenCalledTimes(1), { timeout: 60_000 });
    const second = (await askAt("/met", () => render("never")))!;
    expect([await second.text(), second.headers.get("Server-Timing")]).toEqual(["old", 'cache;desc="stale"']);
    letGo();
    expect(await (await first)!.text()).toBe("new");
    expect(await (await askAt("/met", () => render("never")))!.text()).toBe("new");
    expect(render).toHaveBeenCalledTimes(1);
  });

  test("is not given the older answer that is known to have changed, however slow its own render is", async () => {
    await askAt("/withdrawn", () => publicPage("withdrawn"));
    await expire();
    const answer = await askAt("/withdrawn", async () => {
      await scheduler.wait(5_500);
      return new Response("Gone", { status: 404 });
    });
    expect([answer!.status, await answer!.text()]).toEqual([404, "Gone"]);
  });

  test.each([301, 404])("is not served for a deleted page: %i", async (status) => {
    pass(0);
    const path = `/gone-${status}`;
    await askAt(path, () => publicPage("old"));
    await expire();
    expect((await askAt(path, async () => new Response(null, { status })))!.status).toBe(status);
    const { letGo, render } = heldRender();
    const first = askAt(path, () => render("back again"));
    await vi.waitFor(() => expect(render).toHaveBeenCalledTimes(1), { timeout: 60_000 });
    const second = askAt(path, () => publicPage("by the second"));
    letGo();
    for (const answer of [await first, await second]) expect(await answer!.text()).not.toBe("old");
  });

  test("gets the stale response if the other render fails", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    pass(0);
    await askAt("/troubled", () => publicPage("old"));
    for (const status of [500, 429]) {
      await expire();
      await askAt("/troubled", async () => new Response(null, { status }));
      const { letGo, render } = heldRender();
      const first = askAt("/troubled", () => render("new"));
      await vi.waitFor(() => expect(render).toHaveBeenCalledTimes(1), { timeout: 60_000 });
      expect(await (await askAt("/troubled", () => render("never")))!.text()).not.toBe("never");
      letGo();
      await first;
    }
  });

  test("renders itself if there is no stale response and the other render never ends", async () => {
    vi.spyOn(scheduler, "wait").mockImplementation(async (ms) => pass(ms));
    const { render } = heldRender();
    void askAt("/never-ending", () => render("never"));
    await vi.waitFor(() => expect(render).toHaveBeenCalledTimes(1), { timeout: 60_000 });
    const answer = await askAt("/never-ending", () => publicPage("mine"));
    expect(await answer!.text()).toBe("mine");
  });

  test("renders itself when it must see a change immediately", async () => {
    await askAt("/edited", () => publicPage("old"));
    await expire();
    const { render, letGo } = heldRender();
    const reader = askAt("/edited", () => render("by a reader"));
    await vi.waitFor(() => expect(render).toHaveBeenCalledTimes(1), { timeout: 60_000 });
    const owner = await askAt("/edited", () => publicPage("by the owner"), true);
    expect(await owner!.text()).toBe("by the owner");
    letGo();
    await reader;
  });
});

describe("the isolate's memory", () => {
  const answer = (bytes: number, headers: [string, string][] = []) => ({
    body: new ArrayBuffer(bytes),
    headers,
    etag: '"x"',
    tags: [],
    version: 0,
    cachedAt: 0,
    freshUntil: 0,
  });
  const MB = 1024 * 1024;

  test("is bounded, keys and headers included", () => {
    const memory = createMemory();
    for (let n = 0; n < 30; n++) memory.set(`${n}${"k".repeat(MB)}`, answer(0));
    expect(memory.size).toBeLessThanOrEqual(12);
    memory.clear();
    for (let n = 0; n < 30; n++) memory.set(String(n), answer(0, [["policy", "h".repeat(MB)]]));
    expect(memory.size).toBeLessThanOrEqual(4);
    memory.clear();
    for (let n = 0; n < 30; n++) memory.set(String(n), answer(MB));
    expect(memory.size).toBe(23);
    expect(memory.get("29")).toBeDefined();
    expect(memory.get("0")).toBeUndefined();
  });
});

describe("a large document", () => {
  const bytes = new Uint8Array(1_500_000).map((_, index) => index % 251);
  const headers = { "Cache-Control": "public, no-cache", "Content-Type": "application/xml" };

  async function answerTo(init?: RequestInit) {
    const execution = createExecutionContext();
    const cacheKey = () => ({ path: "/large", isEndless: false });
    const render = () => new Response(bytes, { headers });
    const journey = { env: WITH_CACHE, execution, cacheKeyOf: cacheKey, needsLatest: () => false, render };
    return (await serveFromCache(new Request(`${SITE}/large`, init), journey))!;
  }

  test("is sent in pieces, so that a slow client does not hold a copy of it; a page is not", async () => {
    const written = vi.spyOn(WritableStreamDefaultWriter.prototype, "write");
    expect(new Uint8Array(await (await answerTo()).arrayBuffer())).toEqual(bytes);
    const lengths = written.mock.calls.map(([piece]) => (piece as Uint8Array).length);
    expect(Math.max(...lengths)).toBe(256 * 1024);
    expect(lengths.reduce((sum, length) => sum + length)).toBe(bytes.length);
    await ask("/about");
    written.mockClear();
    expect((await ask("/about")).way).toBe("hit");
    expect(written).not.toHaveBeenCalled();
  });

  test("is given to others when a client leaves half-way", async () => {
    const reader = (await answerTo()).body!.getReader();
    await reader.read();
    await reader.cancel();
    expect(new Uint8Array(await (await answerTo()).arrayBuffer())).toEqual(bytes);
    expect((await answerTo({ method: "HEAD" })).body).toBeNull();
  });
});

describe("known changes", () => {
  /** A D1 whose answers the test releases. */
  function heldDatabase() {
    const asked: { answer: (results: { tag: string; version: number }[]) => void; bookmark: string }[] = [];
    const all = () =>
      new Promise((resolve) => asked.push({ answer: (results) => resolve({ results }), bookmark: "" }));
    let sessions = 0;
    const withSession = () => {
      const bookmark = `bookmark ${sessions++}`;
      return { prepare: () => ({ bind: () => ({ all }) }), getBookmark: () => bookmark };
    };
    return { DB: { withSession } as unknown as D1Database, asked };
  }

  test("do not go back when two looks are answered in the other order", async () => {
    const { DB, asked } = heldDatabase();
    const changes = new Changes();
    const [first, second] = [changes.catchUp(DB), changes.catchUp(DB)];
    asked[1]!.answer([{ tag: "a", version: 2 }]);
    await second;
    asked[0]!.answer([]);
    await first;
    expect([changes.version, changes.bookmark]).toEqual([2, "bookmark 1"]);
    expect(changes.isExpired({ tags: ["a"], version: 1 })).toBe(true);
  });

  test("are bounded: what is older than those that were forgotten counts as changed", async () => {
    const changes = new Changes();
    for (let look = 0; look < 11; look++) {
      const { DB, asked } = heldDatabase();
      const caughtUp = changes.catchUp(DB);
      const results = Array.from({ length: 999 }, (_, n) => ({
        tag: `${look}:${n}`,
        version: (look + 1) * 999 - n,
      }));
      asked[0]!.answer(results);
      await caughtUp;
    }
    expect(changes.isExpired({ tags: ["unknown"], version: 100 })).toBe(true);
    expect(changes.isExpired({ tags: ["unknown"], version: changes.version })).toBe(false);
  });
});

describe("a response that is never cached", () => {
  test.each(["/no/such/page", "/episode/999999", "/essays/never-written", "/api/episodes/999999"])(
    "%s, which does not exist",
    async (path) => {
      vi.spyOn(console, "warn").mockReturnValue();
      for (let n = 0; n < 2; n++) {
        const { response, way } = await ask(path);
        expect([response.status, way]).toEqual([404, "bypass"]);
        expect(response.headers.get("Cache-Control")).toBe("no-store");
      }
    },
  );

  test.each(["/admin/login", "/api/health", "/verify-email?token=x", "/unsubscribe?token=x"])(
    "%s, which is for one alone",
    async (path) => {
      await ask(path);
      const { way, response } = await ask(path);
      expect(way).toBe("bypass");
      expect(response.headers.get("Cache-Control")).toBe("no-store");
    },
  );

  test("a page that failed, in part or whole", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const failed = await ask("/speaking", {}, WITHOUT_D1);
    expect(failed.response.status).toBe(500);
    const mended = await ask("/speaking");
    expect([mended.response.status, mended.way]).toEqual([200, "miss"]);
  });

  test.each<[string, HeadersInit, number]>([
    ["with a cookie", { "Cache-Control": "public, no-cache", "Set-Cookie": "a=b" }, 200],
    ["that says that it is private", { "Cache-Control": "private" }, 200],
    ["that does not say that it is public", {}, 200],
    ["that is no success", { "Cache-Control": "public, no-cache" }, 404],
  ])("an answer %s", async (_which, headers, status) => {
    const path = `/${crypto.randomUUID()}`;
    const render = vi.fn(async () => new Response("An answer", { status, headers }));
    const execution = createExecutionContext();
    const cacheKey = () => ({ path, isEndless: false });
    const journey = { env: WITH_CACHE, execution, cacheKeyOf: cacheKey, needsLatest: () => false, render };
    for (let n = 1; n <= 2; n++) {
      const answer = await serveFromCache(new Request(SITE + path), journey);
      expect([answer!.status, await answer!.text()]).toEqual([status, "An answer"]);
      expect(render).toHaveBeenCalledTimes(n);
    }
    await waitOnExecutionContext(execution);
  });

  test("a write", async () => {
    const { response, way } = await ask("/podcast", { method: "POST" });
    expect(way).toBe("bypass");
    expect(response.ok).toBe(false);
  });
});

describe("a change", () => {
  test("made in this isolate is visible immediately", async () => {
    const path = `/episode/${episode.id}`;
    await ask(path);
    const { cookie } = await signedIn("editor");
    await ask(`/api/admin/episodes/${episode.id}`, {
      method: "PATCH",
      headers: { cookie, Origin: SITE, "Content-Type": "application/json" },
      body: JSON.stringify({ title: "A second title" }),
    });
    const after = await ask(path);
    expect(after.way).toBe("miss");
    expect(after.body).toContain("A second title");
  });

  test("of nothing public makes no reader look for it", async () => {
    pass(0);
    await ask("/about");
    const written = await ask(`/api/favorites/${episode.id}`, {
      method: "PUT",
      headers: { "Listener-Id": "user_0123456789abcdefghijkl", Origin: SITE },
    });
    expect(written.response.status).toBe(200);
    // Where no database could be asked.
    const asked = vi.spyOn(console, "error").mockReturnValue();
    expect((await ask("/about", {}, WITHOUT_D1)).way).toBe("hit");
    expect(asked).not.toHaveBeenCalled();
  });

  test("made in another isolate is visible within half a minute, and immediately to signed-in users", async () => {
    pass(0);
    const path = `/episode/${episode.id}`;
    await ask(path);
    await updateEpisode(ownerContext(), episode.id, { title: "A third title" });
    expect((await ask(path)).way).toBe("hit");
    const { cookie } = await signedIn("editor");
    expect((await ask(path, { headers: { cookie } })).body).toContain("A third title");

    await updateEpisode(ownerContext(), episode.id, { title: "A fourth title" });
    expect((await ask(path)).way).toBe("hit");
    pass(30_000);
    expect((await ask(path)).body).toContain("A fourth title");
  });

  test("that another isolate made is noticed", async () => {
    await ask("/media");
    clearCache();
    await createPressItem(ownerContext(), aPressItem({ title: "While nobody looked" }));
    expect((await ask("/media")).body).toContain("While nobody looked");
  });

  test("of very many leaves nothing that may have missed one", async () => {
    await ask("/media-kit");
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1100)
       insert into cache_tags (tag, version) select 'many:' || i, (select max(version) from cache_tags) + i from n`,
    ).run();
    clearCache();
    expect((await ask("/media-kit")).way).toBe("miss");
    expect((await ask("/media-kit")).way).toBe("hit");
    await env.DB.prepare("delete from cache_tags where tag like 'many:%'").run();
  });
});

describe("a stale answer", () => {
  test("is given once more while one request renders the new one", async () => {
    await ask("/guest");
    pass(31 * 60_000);
    expect((await ask("/guest")).way).toBe("stale");
    expect((await ask("/guest")).way).toBe("hit");
  });

  test("is given, and an expired one too, while D1 fails", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const path = `/episode/${episode.id}`;
    const { body } = await ask(path);
    await updateEpisode(ownerContext(), episode.id, { title: "Not to be read now" });
    const { cookie } = await signedIn("editor");
    pass(30_000);
    // A visitor saw the change before D1 failed.
    await ask("/about", { headers: { cookie } });
    const stale = await ask(path, {}, WITHOUT_D1);
    expect([stale.response.status, stale.way]).toEqual([200, "stale"]);
    expect(stale.body).toBe(body);
    clearCache();
    expect((await ask(path, {}, WITHOUT_D1)).body).toBe(body);
    expect((await ask(path)).body).toContain("Not to be read now");
  });
});

describe("a feed that is asked for by date", () => {
  const FEED = "/rss/podcast.xml";
  /** Also for who renders the feed. */
  const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
  const at = (date: string | null) => ask(FEED, { headers: { "If-Modified-Since": String(date) } });

  test("is served from the cache if it has changed since, and otherwise from the feed itself", async () => {
    holdClock();
    await updateEpisode(ownerContext(), episode.id, { title: "Requested by date" });
    later(60_000);
    expect((await at("Thu, 01 Jan 1970 00:00:00 GMT")).way).toBe("miss");
    const earlier = await at("Thu, 01 Jan 2026 00:00:00 GMT");
    expect([earlier.response.status, earlier.way]).toEqual([200, "hit"]);
    expect(earlier.body).toContain("Requested by date");
    expect((await at("yesterday")).way).toBe("hit");
    const given = await at(earlier.response.headers.get("Last-Modified"));
    expect([given.response.status, given.way]).toEqual([304, "bypass"]);
    expect(given.response.headers.get("Server-Timing")).toContain('"1 statements, ');
    expect((await at("Fri, 01 Jan 2100 00:00:00 GMT")).response.status).toBe(304);
  });

  test("has a date that answers 304 soon after a change", async () => {
    holdClock();
    vi.setSystemTime(Math.ceil(Date.now() / 1000) * 1000 + 200);
    await updateEpisode(ownerContext(), episode.id, { title: "Changed just now" });
    const provisional = (await ask(FEED)).response.headers.get("Last-Modified");
    later(31_000);
    expect((await ask(FEED)).way).toBe("stale");
    const lasting = (await ask(FEED)).response.headers.get("Last-Modified");
    expect(Date.parse(lasting!)).toBeGreaterThan(Date.parse(provisional!));
    expect((await at(lasting)).response.status).toBe(304);
  });

  test("a page without a date is served from the cache for any If-Modified-Since", async () => {
    await ask("/about");
    const answer = await ask("/about", { headers: { "If-Modified-Since": "Fri, 01 Jan 2100 00:00:00 GMT" } });
    expect([answer.response.status, answer.way]).toEqual([200, "hit"]);
  });
});

describe("Cloudflare's own cache in front of the Worker", () => {
  const result = (success: boolean) => ({ success, zoneTag: "", errors: [] });
  const platform = (success = true) => ({ purge: vi.fn<CacheContext["purge"]>(async () => result(success)) });

  test("gets the tags of a response, and stores it for a minute at most", async () => {
    const execution = Object.assign(createExecutionContext(), { cache: platform() });
    const path = `/episode/${episode.id}`;
    for (let n = 0; n < 2; n++) {
      const { headers } = await worker.fetch(
        new Request(SITE + path) as never,
        WITH_CACHE,
        execution as never,
      );
      expect(headers.get("Cache-Tag")?.split(",")).toEqual(
        expect.arrayContaining(["site", "show", `episode:${episode.id}`]),
      );
      expect(headers.get("Cloudflare-CDN-Cache-Control")).toContain("max-age=60,");
    }
    await waitOnExecutionContext(execution);
  });

  test("is purged once for each change, and again until the purge succeeds", async () => {
    const ctx = ownerContext();
    await purgePlatform(ctx, platform());
    await updateSite(ctx, { name: "Renamed" });
    const deaf = platform(false);
    await expect(purgePlatform(ctx, deaf)).rejects.toThrow("not purged");
    const listening = platform();
    await purgePlatform(ctx, listening);
    expect(listening.purge.mock.calls).toEqual([[{ tags: ["site"] }]]);
    await purgePlatform(ctx, listening);
    expect(listening.purge).toHaveBeenCalledTimes(1);
  });
});

test.each([
  ["/", "/"],
  ["/?utm_source=x", "/"],
  ["/_.data?_routes=site%2Fhome%2Fpage", "/_.data?_routes=site%2Fhome%2Fpage"],
  ["/podcast?before=b&before=c&a=1", "/podcast?before=b"],
  ["/search?kind=essay&q=rent%20%26%20lease", "/search?q=rent%20%26%20lease&kind=essay"],
  ["/essays/a-title.data", "/essays/a-title.data"],
  ["/episode/5?t=90#x", "/episode/5?t=90"],
  ["/api/episodes?before=x", "/api/episodes?before=x"],
  ["/api/episodes?limit=1", null],
  ["/podcast/a-slug", null],
  ["/admin", null],
  ["/Podcast", null],
  ["/podcast/", null],
  ["/podcast.data?_routes=<script>", null],
  ["/verify-email?token=x", null],
  ["/media/podcast-audio/x/y.mp3", null],
])("%s is cached as %s", (address, path) => {
  const keyPath = () => cacheKeyOf(`${SITE}${address}`)?.path ?? null;
  // The second time it is remembered.
  expect([keyPath(), keyPath()]).toEqual([path, path]);
});
