import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { sweepFiles } from "#worker/files/library/sweep.ts";
import { clearCache, serveFromCache } from "#worker/platform/http/cache.ts";
import { pruneStoredAnswers } from "#worker/platform/http/cache-store.ts";
import { fileReferences } from "#worker/nouns/list.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { ask, WITH_CACHE } from "./support/cached.ts";
import { jobContext, ownerContext, signedIn, SITE } from "./support/client.ts";
import { publishedEpisode, savedShow } from "./support/factories.ts";

/** R2 as the cache's third place: a page that one data centre rendered is given by all. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The next requests reach an isolate that has just started, in a data centre that has seen no page. */
function moveToAnotherDataCentre() {
  clearCache();
  const stored = new Map<string, { body: ArrayBuffer; headers: [string, string][] }>();
  const cache = (caches as unknown as { default: Cache }).default;
  vi.spyOn(cache, "match").mockImplementation(async (address) => {
    const found = stored.get(String(address));
    return found && new Response(found.body, { headers: found.headers });
  });
  vi.spyOn(cache, "put").mockImplementation(async (address, response) => {
    const headers = [...(response as unknown as Response).headers];
    stored.set(String(address), { headers, body: await response.arrayBuffer() });
  });
  vi.spyOn(cache, "delete").mockImplementation(async (address) => stored.delete(String(address)));
}

/** D1 that records what it is asked. */
function watchedDatabase() {
  const asked: string[] = [];
  const withSession = (start: string) => {
    const session = env.DB.withSession(start);
    return {
      prepare(sql: string) {
        asked.push(sql);
        return session.prepare(sql);
      },
      batch: (statements: D1PreparedStatement[]) => session.batch(statements),
      getBookmark: () => session.getBookmark(),
    };
  };
  return { asked, bindings: { ...WITH_CACHE, DB: { withSession } } as unknown as Env };
}

const withBucket = (changed: Partial<R2Bucket>, more: Partial<Env> = {}) =>
  ({
    ...WITH_CACHE,
    ...more,
    MEDIA: {
      get: (key: string) => env.MEDIA.get(key),
      put: (key: string, value: Blob, options: R2PutOptions) => env.MEDIA.put(key, value, options),
      delete: (key: string) => env.MEDIA.delete(key),
      head: (key: string) => env.MEDIA.head(key),
      ...changed,
    },
  }) as unknown as Env;

const storedPaths = async () =>
  (await env.MEDIA.list({ prefix: "rendered" })).objects.map(({ key }) => key.slice("rendered".length));

/** Lets so many milliseconds pass. */
const pass = (ms: number) => {
  const then = Date.now() + ms;
  vi.spyOn(Date, "now").mockImplementation(() => then);
};

let path = "";
let id = 0;
beforeAll(async () => {
  await savedShow();
});
beforeEach(async () => {
  // A slow machine is not a slow R2.
  vi.spyOn(scheduler, "wait").mockReturnValue(new Promise(() => {}));
  moveToAnotherDataCentre();
  ({ id } = await publishedEpisode({ title: "Größe — “a first title” 🎙" }));
  path = `/episode/${id}`;
});
afterEach(() => vi.restoreAllMocks());

describe("a page that another data centre rendered", () => {
  test("is given without a query to D1 but for changes, with all its headers", async () => {
    const rendered = await ask(path);
    expect(rendered.way).toBe("miss");
    moveToAnotherDataCentre();
    const { asked, bindings } = watchedDatabase();
    const given = await ask(path, {}, bindings);
    expect([given.way, given.body]).toEqual(["hit", rendered.body]);
    expect(given.body).toContain("Größe — “a first title” 🎙");
    expect(asked).toEqual([expect.stringContaining("from cache_tags")]);
    const headersOf = ({ response }: typeof given) =>
      Object.fromEntries([...response.headers].filter(([name]) => name !== "server-timing"));
    expect(headersOf(given)).toEqual(headersOf(rendered));
  });

  test("is then cached there, in memory and in the data centre", async () => {
    await ask(path);
    moveToAnotherDataCentre();
    await ask(path);
    const get = vi.fn<R2Bucket["get"]>();
    const bindings = withBucket({ get });
    expect((await ask(path, {}, bindings)).way).toBe("hit");
    clearCache();
    expect((await ask(path, {}, bindings)).way).toBe("hit");
    expect(get).not.toHaveBeenCalled();
  });

  test("answers HEAD, If-None-Match and If-Match as it does where it was rendered", async () => {
    const { response } = await ask(path);
    const etag = response.headers.get("ETag")!;
    const answersTo = async (init: RequestInit) => {
      moveToAnotherDataCentre();
      const answer = await ask(path, init);
      return [answer.response.status, answer.way, answer.body, answer.response.headers.get("ETag")];
    };
    expect(await answersTo({ method: "HEAD" })).toEqual([200, "hit", "", etag]);
    expect(await answersTo({ headers: { "If-None-Match": etag } })).toEqual([304, "hit", "", etag]);
    expect(await answersTo({ headers: { "If-Match": '"other"' } })).toEqual([412, "hit", "", etag]);
  });

  test("is rendered again after a change made anywhere, and then given by all", async () => {
    await ask(path);
    await updateEpisode(ownerContext(), id, { title: "A second title" });
    moveToAnotherDataCentre();
    const renewed = await ask(path);
    expect([renewed.way, renewed.body.includes("A second title")]).toEqual(["miss", true]);
    moveToAnotherDataCentre();
    expect(await ask(path)).toMatchObject({ way: "hit", body: renewed.body });
  });

  test("is rendered again by another version of the Worker, which replaces it", async () => {
    await ask(path);
    const deployed = { ...WITH_CACHE, VERSION: { ...env.VERSION, id: "the-next" } } as Env;
    moveToAnotherDataCentre();
    expect((await ask(path, {}, deployed)).way).toBe("miss");
    moveToAnotherDataCentre();
    expect((await ask(path, {}, deployed)).way).toBe("hit");
    expect((await storedPaths()).filter((each) => each.startsWith(path))).toEqual([path]);
  });

  test("is given once more when it is stale, while the new one is rendered for all", async () => {
    await ask(path);
    pass(31 * 60_000);
    moveToAnotherDataCentre();
    expect((await ask(path)).way).toBe("stale");
    moveToAnotherDataCentre();
    expect((await ask(path)).way).toBe("hit");
  });

  test("renews a stale copy of this data centre without a render", async () => {
    await ask(path);
    // Another data centre renders it while this isolate has the older one.
    const there = await env.MEDIA.get(`rendered${path}`);
    const [line = "", ...body] = (await there!.text()).split("\n");
    pass(31 * 60_000);
    const newer = { ...JSON.parse(line), cachedAt: Date.now(), freshUntil: Date.now() + HOUR };
    await env.MEDIA.put(`rendered${path}`, [JSON.stringify(newer), ...body].join("\n"), {
      customMetadata: there!.customMetadata,
    });
    const { asked, bindings } = watchedDatabase();
    expect((await ask(path, {}, bindings)).way).toBe("stale");
    expect((await ask(path, {}, bindings)).way).toBe("hit");
    expect(asked.filter((sql) => !sql.includes("cache_tags"))).toEqual([]);
  });

  test("is rendered first when it is older than an hour", async () => {
    await ask(path);
    pass(HOUR + 60_000);
    moveToAnotherDataCentre();
    expect((await ask(path)).way).toBe("miss");
  });

  test("is deleted when its address no longer has a page", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    await ask(path);
    expect(await storedPaths()).toContain(path);
    await updateEpisode(ownerContext(), id, { status: "archived" });
    moveToAnotherDataCentre();
    expect((await ask(path)).response.status).toBe(404);
    expect(await storedPaths()).not.toContain(path);
  });

  test("is given after a change, too, while D1 fails", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { body } = await ask(path);
    moveToAnotherDataCentre();
    const down = () => {
      throw new Error("D1 is down.");
    };
    const bindings = { ...WITH_CACHE, DB: { withSession: down, prepare: down } } as unknown as Env;
    expect(await ask(path, {}, bindings)).toMatchObject({ way: "stale", body });
  });

  test("is read once for concurrent requests", async () => {
    vi.mocked(scheduler.wait).mockRestore();
    pass(0);
    await ask(path);
    moveToAnotherDataCentre();
    const get = vi.fn(async (key: string) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return env.MEDIA.get(key);
    });
    const bindings = withBucket({ get: get as unknown as R2Bucket["get"] });
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(path, {}, bindings)));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(get).toHaveBeenCalledTimes(1);
  });
});

describe("R2", () => {
  test("that fails changes no answer, and is reported", async () => {
    const errors = vi.spyOn(console, "error").mockReturnValue();
    const fail = () => Promise.reject(new Error("R2 is down."));
    const bindings = withBucket({ get: fail, put: fail, delete: fail });
    const page = await ask(path, {}, bindings);
    expect([page.response.status, page.way]).toEqual([200, "miss"]);
    expect((await ask(path, {}, bindings)).way).toBe("hit");
    expect(errors.mock.calls.join()).toContain("could not be read from R2");
    expect(errors.mock.calls.join()).toContain("could not be stored in R2");
  });

  test("with an object that cannot be read changes no answer", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    for (const content of ["no metadata", "{}\n<p>No answer</p>"]) {
      await env.MEDIA.put(`rendered${path}`, content, { customMetadata: { worker: env.VERSION.id } });
      moveToAnotherDataCentre();
      expect((await ask(path)).way).toBe("miss");
      moveToAnotherDataCentre();
      expect((await ask(path)).way).toBe("hit");
    }
  });

  test("that does not answer is not waited for", async () => {
    vi.mocked(scheduler.wait).mockRestore();
    await ask(path);
    moveToAnotherDataCentre();
    const bindings = withBucket({ get: () => new Promise<never>(() => {}) });
    expect((await ask(path, {}, bindings)).way).toBe("miss");
  });

  test("holds nothing of an address whose words visitors choose", async () => {
    for (const address of [
      "/search",
      "/search?q=rent",
      "/api/search?q=rent",
      `/oembed?url=${SITE}${path}`,
      "/podcast?before=x",
      `${path}?t=90`,
      "/about.data?_routes=site%2Fabout%2Fpage",
    ])
      await ask(address);
    expect((await storedPaths()).filter((each) => /[?]|search|oembed|podcast|data/.test(each))).toEqual([]);
  });

  test.each(["01", "1.0", "0x1", "1e0"])(
    "holds no episode under the number %s: it has one spelling",
    async (number) => {
      vi.spyOn(console, "warn").mockReturnValue();
      for (const address of [`/embed/episode/${number}`, `/api/episodes/${number}`, `/episode/${number}`])
        expect((await ask(address)).response.ok, address).toBe(false);
      expect((await storedPaths()).filter((each) => each.endsWith(`/${number}`))).toEqual([]);
    },
  );

  test("holds nothing private, personal or missing", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    const before = await storedPaths();
    const { cookie } = await signedIn("super_admin");
    for (const address of [
      "/admin",
      "/api/admin/episodes",
      "/verify-email?token=x",
      "/preview",
      "/episode/9999",
    ])
      await ask(address, { headers: { cookie } });
    const refused: HeadersInit[] = [
      { "Cache-Control": "private" },
      { "Cache-Control": "public", "Set-Cookie": "a=b" },
    ];
    for (const headers of refused) await serve("/private", () => new Response("Mine", { headers }));
    expect(await storedPaths()).toEqual(before);
  });

  test("holds what a visitor gets, also when the owner asked first", async () => {
    const { cookie } = await signedIn("super_admin");
    const theirs = await ask(path, { headers: { cookie } });
    const object = await env.MEDIA.get(`rendered${path}`);
    expect((await object!.text()).split("\n").slice(1).join("\n")).toBe(theirs.body);
    expect(theirs.body).not.toContain("super_admin");
  });

  test.each([
    ["off", [false, false]],
    ["store", [false, false]],
    ["bucket", [true, true]],
    ["on", [true, true]],
  ])("is used as EDGE_CACHE says: %s", async (EDGE_CACHE, used) => {
    const get = vi.fn((key: string) => env.MEDIA.get(key));
    const put = vi.fn((key: string, value: Blob, options: R2PutOptions) =>
      env.MEDIA.put(key, value, options),
    );
    const changed = { get, put } as unknown as Partial<R2Bucket>;
    await ask(path, {}, withBucket(changed, { EDGE_CACHE } as Partial<Env>));
    expect([get, put].map(({ mock }) => mock.calls.length > 0)).toEqual(used);
  });

  test("is asked each time if EDGE_CACHE is `bucket`", async () => {
    const get = vi.fn((key: string) => env.MEDIA.get(key)) as unknown as R2Bucket["get"];
    const bindings = withBucket({ get }, { EDGE_CACHE: "bucket" } as Partial<Env>);
    expect((await ask(path, {}, bindings)).way).toBe("miss");
    for (let n = 0; n < 2; n++) expect((await ask(path, {}, bindings)).way).toBe("hit");
    expect(get).toHaveBeenCalledTimes(3);
  });
});

async function serve(address: string, render: () => Response) {
  const execution = createExecutionContext();
  const journey = {
    env: WITH_CACHE,
    execution,
    cacheKeyOf: () => ({ path: address, isEndless: false }),
    needsLatest: () => false,
    render,
  };
  await serveFromCache(new Request(SITE + address), journey);
  await waitOnExecutionContext(execution);
}

describe("the stored pages in the bucket of files", () => {
  test("are no files: neither served as media nor swept", async () => {
    await ask(path);
    expect((await ask(`/media/rendered${path}`)).response.status).toBe(404);
    await sweepFiles(jobContext({ now: new Date(Date.now() + 3 * DAY) }), fileReferences);
    expect(await storedPaths()).toContain(path);
  });

  test("are deleted a day after their last render, and nothing else is", async () => {
    await ask(path);
    await env.MEDIA.put("uploads/another", "A file");
    await pruneStoredAnswers(jobContext({ now: new Date(Date.now() + 0.9 * DAY) }));
    expect(await storedPaths()).toContain(path);
    await pruneStoredAnswers(jobContext({ now: new Date(Date.now() + 1.1 * DAY) }));
    expect(await storedPaths()).toEqual([]);
    expect(await env.MEDIA.head("uploads/another")).not.toBeNull();
  });

  test("are one object per address, however often they change", async () => {
    for (const name of ["One", "Two", "Three"]) {
      await updateSite(ownerContext(), { name });
      clearCache();
      await ask(path);
    }
    expect((await storedPaths()).filter((each) => each.startsWith(path))).toEqual([path]);
  });
});
