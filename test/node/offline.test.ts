import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { describe, expect, it, test } from "vitest";
import { bundleServiceWorker } from "../../scripts/service-worker-file.ts";
import { recordOf } from "../../src/offline/caches.ts";
import { answerRange } from "../../src/offline/ranges.ts";
import { askedFor, isOfSameRoutes, mayKeep, partsOf } from "../../src/offline/rules.ts";
import { pageOf } from "../../src/offline/service-worker/offline-html.ts";
import { visitOf } from "../../src/offline/service-worker/visits.ts";

const SITE = "https://example.com";

/** Bytes. */
const MAX_SIZE = 10_000;

test("the service worker is one file of at most 10 kB gzipped, which imports nothing; so is its kill switch", async () => {
  const constants = { BUILD: "abc", SHELL: ["/assets/root.css"] };
  for (const entry of ["src/offline/service-worker/main.ts", "src/offline/service-worker/unregister.ts"]) {
    const script = await bundleServiceWorker(constants, entry);
    expect(gzipSync(script).byteLength).toBeLessThanOrEqual(MAX_SIZE);
    expect(script).not.toMatch(/\bimport\b/);
  }
});

type Given = Partial<Parameters<typeof askedFor>[0]>;
const ask = (path: string, given: Given = {}) =>
  askedFor({ method: "GET", url: new URL(path, SITE).href, mode: "cors", destination: "", ...given }, SITE);
const visit = (path: string) => ask(path, { mode: "navigate", destination: "document" });
const hear = (path: string) => ask(path, { mode: "no-cors", destination: "audio" });

describe("a request answered from the offline copies", () => {
  it.each([
    ["/", "/"],
    ["/about", "/about"],
    ["/about?utm_source=letter", "/about"],
    ["/podcast?before=12&utm_source=letter", "/podcast?before=12"],
    ["/episode/5?t=90", "/episode/5?t=90"],
    ["/essays/the-second-appointment", "/essays/the-second-appointment"],
  ])("the document %s, by %s", (path, key) => expect(visit(path)).toEqual({ kind: "page", key }));

  it.each([
    ["/_.data", "/_.data"],
    ["/about.data", "/about.data"],
    ["/about.data?_routes=site%2Fabout%2Fpage", "/about.data"],
    ["/podcast.data?before=12", "/podcast.data?before=12"],
  ])("the data %s, by %s", (path, key) => expect(ask(path)).toEqual({ kind: "data", key }));

  test("files of a build, the router's list, and of chosen episodes audio and details", () => {
    expect(ask("/assets/root-DzfsliI4.css")).toEqual({ kind: "asset", key: "/assets/root-DzfsliI4.css" });
    expect(ask("/assets/bar-1.js?again=1")).toEqual({ kind: "asset", key: "/assets/bar-1.js" });
    const list = "/__manifest?paths=%2Fabout&version=1a";
    expect(ask(list)).toEqual({ kind: "asset", key: list });
    expect(hear("/media/podcast-audio/1.mp3")).toEqual({ kind: "audio", key: "/media/podcast-audio/1.mp3" });
    expect(ask("/api/episodes/5")).toEqual({ kind: "details", key: "/api/episodes/5" });
  });

  test("gets routes of the same build for every request", () => {
    const list = "/__manifest?paths=%2Fabout&version=1a";
    expect(isOfSameRoutes(list, "/__manifest?paths=%2Fpodcast&version=1a")).toBe(true);
    expect(isOfSameRoutes(list, "/__manifest?paths=%2Fabout&version=2b")).toBe(false);
    expect(isOfSameRoutes("/assets/root-1.js", "/assets/root-1.js")).toBe(false);
  });

  test.each([
    "/admin",
    "/admin/login",
    "/admin/articles/5",
    "/admin.data",
    "/admin/articles.data",
    "/preview?token=x",
    "/preview.data?token=x",
    "/verify-email?token=x",
    "/verify-email.data?token=x",
    "/unsubscribe?token=x",
    "/comment?token=x",
    "/confirm-enquiry?token=x",
    "/l/abc",
    "/search?q=words",
    "/search.data?q=words",
    "/api/admin/session",
    "/api/comments?contentType=episode&contentId=5",
    "/api/episodes",
    "/api/episodes/5?token=x",
    "/api/playlists",
    "/media/pictures/1.jpg",
    "/rss/podcast.xml",
    "/sw.js",
    "/nothing",
    "https://elsewhere.example/about",
  ])("never %s", (path) => {
    expect(visit(path)).toBeNull();
    expect(ask(path)).toBeNull();
  });

  test("never a file by chance, a download, or a write", () => {
    expect(ask("/media/podcast-audio/1.mp3")).toBeNull();
    expect(ask("/media/pictures/1.jpg", { destination: "image" })).toBeNull();
    expect(hear("/media/podcast-audio/1.mp3?download")).toBeNull();
    expect(hear("https://elsewhere.example/media/1.mp3")).toBeNull();
    expect(ask("/about", { method: "POST", mode: "navigate" })).toBeNull();
    expect(ask("/api/episodes/5", { method: "HEAD" })).toBeNull();
  });

  test("a public page has two parts; other pages have none", () => {
    expect(partsOf("/?utm_source=x", SITE)).toEqual({ page: "/", data: "/_.data" });
    expect(partsOf("/episode/5?t=90", SITE)).toEqual({
      page: "/episode/5?t=90",
      data: "/episode/5.data?t=90",
    });
    expect(partsOf("/admin", SITE)).toBeNull();
    expect(partsOf("/verify-email?token=x", SITE)).toBeNull();
  });
});

describe("a response that may be stored offline", () => {
  const answer = (headers: Record<string, string>, rest: object = {}) => ({
    status: 200,
    type: "basic",
    redirected: false,
    headers: new Headers({ "Cache-Control": "public, no-cache", ...headers }),
    ...rest,
  });
  const html = { "Content-Type": "text/html; charset=utf-8" };

  test("is complete, public and of the requested type", () => {
    expect(mayKeep("page", answer(html))).toBe(true);
    expect(mayKeep("data", answer({ "Content-Type": "text/x-script" }))).toBe(true);
    expect(mayKeep("asset", answer({ "Content-Type": "text/javascript" }))).toBe(true);
    // An error page must not replace a file, or an episode's audio.
    for (const kind of ["data", "asset", "audio", "details"] as const)
      expect(mayKeep(kind, answer(html))).toBe(false);
    expect(mayKeep("page", answer({ "Content-Type": "application/json" }))).toBe(false);
  });

  test.each([
    ["private", answer({ ...html, "Cache-Control": "private, max-age=60" })],
    ["not to be stored", answer({ ...html, "Cache-Control": "no-store" })],
    ["public, but not to be stored", answer({ ...html, "Cache-Control": "public, no-store" })],
    ["silent about it", answer({ ...html, "Cache-Control": "" })],
    ["with a cookie", answer({ ...html, "Set-Cookie": "session=1" })],
    ["opaque", answer(html, { type: "opaque", status: 0 })],
    ["of another origin", answer(html, { type: "cors" })],
    ["led elsewhere", answer(html, { redirected: true })],
    ["a part", answer(html, { status: 206 })],
    ["missing", answer(html, { status: 404 })],
    ["a fault", answer(html, { status: 500 })],
  ])("not an answer that is %s", (_, given) => expect(mayKeep("page", given)).toBe(false));
});

describe("ranges of offline audio", () => {
  const kept = () =>
    new Response("0123456789", {
      headers: {
        "Content-Type": "audio/mpeg",
        "Content-Length": "10",
        ETag: '"1"',
        "Accept-Ranges": "bytes",
      },
    });

  test("without one it is whole", async () => {
    const whole = await answerRange(kept(), null);
    expect(whole.status).toBe(200);
    expect(await whole.text()).toBe("0123456789");
  });

  it.each([
    ["bytes=0-", "bytes 0-9/10", "0123456789"],
    ["bytes=0-1", "bytes 0-1/10", "01"],
    ["bytes=4-6", "bytes 4-6/10", "456"],
    ["bytes=8-99", "bytes 8-9/10", "89"],
    ["bytes=-3", "bytes 7-9/10", "789"],
  ])("%s is %s", async (range, said, text) => {
    const part = await answerRange(kept(), range);
    expect(part.status).toBe(206);
    expect(part.headers.get("Content-Range")).toBe(said);
    expect(part.headers.get("Content-Length")).toBe(String(text.length));
    expect(part.headers.get("Content-Type")).toBe("audio/mpeg");
    expect(part.headers.get("ETag")).toBe('"1"');
    expect(await part.text()).toBe(text);
  });

  it.each(["bytes=10-", "bytes=6-4", "bytes=-0", "bytes=x"])("%s is refused", async (range) => {
    const refused = await answerRange(kept(), range);
    expect(refused.status).toBe(416);
    expect(refused.headers.get("Content-Range")).toBe("bytes */10");
  });
});

test("the offline page lists the offline copies, with their titles escaped", () => {
  const html = pageOf({
    shell: ["/assets/root.css", "/assets/font.woff2"],
    script: "start()",
    address: '/about?x="><script>',
    episodes: [{ href: "/episode/5", title: "Salt & <b>silence</b>" }],
    pages: Array.from({ length: 30 }, (_, at) => ({ href: `/p${at}`, title: `Page ${at}` })),
  });
  expect(html).toContain('<link rel="stylesheet" href="/assets/root.css">');
  expect(html).not.toContain("woff2");
  expect(html).toContain(
    '<a class="link inline-block py-1" href="/episode/5">Salt &amp; &lt;b&gt;silence&lt;/b&gt;</a>',
  );
  expect(html).toContain('href="/about?x=&quot;&gt;&lt;script&gt;"');
  expect(html.match(/Page \d+/g)).toHaveLength(20);
  const empty = pageOf({ shell: [], script: "", address: "/", episodes: [], pages: [] });
  expect(empty).not.toContain("<section>");
});

test("only a valid visit message from a page counts", () => {
  expect(visitOf({ visited: "/about", assets: [] })).toEqual({ visited: "/about", assets: [] });
  for (const other of [null, undefined, "visited", {}, { visited: "/about" }, { visited: 1, assets: [] }])
    expect(visitOf(other)).toBeNull();
});

/** Runs a bundled service worker with these caches, and takes it over from the one before. */
async function activate(entry: string, names: string[], chosen: number[] = []) {
  const heard = new Map<string, (event: object) => void>();
  const done: string[] = [];
  const asked: string[] = [];
  const note = (what: string) => () => Promise.resolve(void done.push(what));
  const left = new Map(names.map((name) => [name, new Map<string, Response>()]));
  for (const id of chosen) left.get("episodes")!.set(recordOf(id), Response.json({ id }));
  const storeOf = (content: Map<string, Response>) => ({
    addAll: note("shell"),
    keys: () => Promise.resolve([...content.keys()].map((path) => ({ url: SITE + path }))),
    match: (request: string | { url: string }) => {
      const path = typeof request === "string" ? request : request.url.slice(SITE.length);
      return Promise.resolve(content.get(path)?.clone());
    },
  });
  const caches = {
    keys: () => Promise.resolve([...left.keys()]),
    has: (name: string) => Promise.resolve(left.has(name)),
    delete: (name: string) => Promise.resolve(left.delete(name)),
    open: (name: string) => {
      const content = left.get(name) ?? new Map<string, Response>();
      left.set(name, content);
      return Promise.resolve(storeOf(content));
    },
  };
  runInNewContext(await bundleServiceWorker({ BUILD: "own", SHELL: [] }, entry), {
    caches,
    URL,
    console,
    fetch: (request: string | { url: string }) => {
      asked.push(typeof request === "string" ? request : request.url.slice(SITE.length));
      return Promise.resolve(new Response(null, { status: 500 }));
    },
    addEventListener: heard.set.bind(heard),
    skipWaiting: note("skipped"),
    clients: { claim: note("claimed") },
    registration: { unregister: note("unregistered") },
    location: new URL(SITE),
  });
  const fire = async (name: string, event: object = {}) => {
    const work: Promise<unknown>[] = [];
    const wait = (one: Promise<unknown>) => void work.push(one);
    heard.get(name)!({ ...event, waitUntil: wait, respondWith: wait });
    await Promise.all(work);
  };
  await fire("install");
  await fire("activate");
  return { done, asked, left, fire, answers: heard.has("fetch") };
}

const builds = ["pages-1", "assets-1", "episodes", "pages-2", "assets-2", "pages-3", "assets-3"];

test("a new build's service worker waits for its turn, and keeps the last build's files beside its own", async () => {
  const { done, left, answers } = await activate("src/offline/service-worker/main.ts", builds);
  expect(done).toEqual(["shell", "claimed"]);
  expect([...left.keys()].toSorted()).toEqual(["assets-3", "assets-own", "episodes", "pages-3"]);
  expect(answers).toBe(true);
});

test("a new build's service worker fetches pages of chosen episodes behind an answer, not while it takes over", async () => {
  const { asked, left, fire } = await activate("src/offline/service-worker/main.ts", builds, [5, 6, 7]);
  expect(asked).toEqual([]);
  left.set("pages-own", new Map([["/episode/6", new Response()]]));
  const request = { method: "GET", url: `${SITE}/about`, mode: "navigate", destination: "document" };
  await fire("fetch", { request });
  const pages = ["/episode/5", "/episode/5.data", "/episode/7", "/episode/7.data"];
  expect(asked).toEqual(["/about", ...pages]);
  await fire("fetch", { request });
  expect(asked).toEqual(["/about", ...pages, "/about"]);
});

test("the kill switch activates without waiting, deletes all caches and handles no request", async () => {
  const { done, left, answers } = await activate("src/offline/service-worker/unregister.ts", builds);
  expect(done).toEqual(["skipped", "unregistered"]);
  expect([...left.keys()]).toEqual([]);
  expect(answers).toBe(false);
});
