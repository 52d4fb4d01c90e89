import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { sessionCookieOf } from "#worker/accounts/cookie.ts";
import { createArticle } from "#worker/articles/commands.ts";
import { createWorker } from "#worker/entry.ts";
import * as jobs from "#worker/jobs.ts";
import { answerError, readJson, router } from "#worker/platform/http/router.ts";
import * as site from "#worker/site.ts";
import { errorOf } from "./support/accounts.ts";
import { anArticle } from "./support/articles.ts";
import { fetchSite, ownerContext, signedIn, SITE } from "./support/client.ts";

const KB = 1024;
const MB = 1024 * KB;
const JSON_TYPE = { "Content-Type": "application/json" };

/** A chunked body without a Content-Length, which reports how many of its bytes were read. */
function chunked(size: number, start = "") {
  const sent = { bytes: 0 };
  const chunk = new Uint8Array(64 * 1024).fill(32);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (start) controller.enqueue(new TextEncoder().encode(start));
    },
    pull(controller) {
      if (sent.bytes >= size) return controller.close();
      controller.enqueue(chunk);
      sent.bytes += chunk.length;
    },
  });
  return { body, sent };
}

const tooLarge = { code: "too_large", message: "That’s too much for this form." };

describe("JSON", () => {
  let cookie: string;
  beforeAll(async () => void ({ cookie } = await signedIn("super_admin")));
  const post = (path: string, body: BodyInit) =>
    fetchSite(path, { method: "POST", headers: { ...JSON_TYPE, cookie }, body });

  const limits: [string, number][] = [
    ["/api/admin/session", 8 * KB],
    ["/api/admin/users", 256 * KB],
    ["/api/admin/episodes", 4 * MB],
    ["/api/admin/episodes/check", 4 * MB],
  ];

  test.each(limits)(
    "to %s is refused above %i bytes, with or without Content-Length",
    async (path, limit) => {
      const sized = new Uint8Array(limit + 1).fill(32);
      for (const body of [sized, chunked(limit + 64 * KB, "{}").body]) {
        const response = await post(path, body);
        expect(response.status).toBe(413);
        expect(await errorOf(response)).toEqual(tooLarge);
      }
    },
  );

  test.each(limits)("to %s of %i bytes is read", async (path, limit) => {
    for (const body of [`{${" ".repeat(limit - 2)}}`, chunked(Math.max(0, limit - 128 * KB), "{}").body]) {
      expect((await post(path, body)).status).toBe(422);
    }
  });

  test("that says to be too long is refused by its word alone", async () => {
    const app = router()
      .use(readJson({ limitOf: () => KB, isClosed: () => false }))
      .post("/", (c) => c.text("read"))
      .onError(answerError);
    const ask = (length: number) =>
      app.request("/", {
        method: "POST",
        headers: { ...JSON_TYPE, "Content-Length": String(length) },
        body: chunked(0, "{}").body,
      });
    expect((await ask(KB)).status).toBe(200);
    expect((await ask(KB + 1)).status).toBe(413);
  });

  test.each(["/api/admin/users", "/api/admin/episodes", "/api/admin/nothing", "/api/admin/files/x/parts/0"])(
    "to %s without a session is refused before it is parsed",
    async (path) => {
      for (const type of ["application/json", "text/plain"]) {
        const headers = { "Content-Type": type };
        const response = await fetchSite(path, { method: "POST", headers, body: "not JSON" });
        expect(response.status).toBe(401);
        expect(await errorOf(response)).toEqual({ code: "unauthenticated", message: "Please sign in." });
      }
    },
  );

  test.each([
    ["bytes that are no UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ["NUL", '{"email":"a\\u0000@b.example","password":"\\u0000"}'],
    ["half of a surrogate pair", '{"email":"a@b.example","password":"\\ud800aaaaaaaaaaaaaaaaa"}'],
    ["100,000 brackets", "[".repeat(100_000)],
    ["brackets within brackets", "[".repeat(100_000) + "]".repeat(100_000)],
    ["a list", "[]"],
    ["null", "null"],
    ["nothing", " "],
  ])("with %s is refused with a message or stored, never answered 5xx", async (_what, body) => {
    for (const path of [
      "/api/admin/session",
      "/api/admin/users",
      "/api/admin/episodes",
      "/api/newsletter/subscribe",
    ]) {
      const response = await post(path, body);
      expect(response.status).toBeLessThan(500);
      expect(await errorOf(response)).toMatchObject({
        code: expect.any(String),
        message: expect.any(String),
      });
    }
  });

  test("is the only thing that the API reads", async () => {
    const response = await fetchSite("/api/admin/session", { method: "POST", body: "email=a" });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({
      message: "Send JSON, with the content type application/json.",
    });
  });
});

describe("a refused request is read to its end, so that its sender hears why", () => {
  const size = 8 * MB;

  test.each([
    ["a part without a session", "PUT", "/api/admin/files/x/parts/1", {}, 401],
    [
      "a form of another site",
      "POST",
      "/api/admin/session",
      { ...JSON_TYPE, Origin: "https://a.example" },
      403,
    ],
    ["what is not JSON", "POST", "/api/admin/session", { "Content-Type": "text/plain" }, 400],
    ["too much JSON", "POST", "/api/admin/session", JSON_TYPE, 413],
    ["a write to a page", "POST", "/contact", {}, 405],
    ["a write to an address of the admin area", "PUT", "/admin/guests", JSON_TYPE, 405],
    ["a question for the methods", "OPTIONS", "/", {}, 204],
  ] as const)("%s", async (_what, method, path, headers, status) => {
    const { body, sent } = chunked(size);
    const response = await fetchSite(path, { method, headers: { ...headers }, body });
    expect(response.status).toBe(status);
    expect(sent.bytes).toBe(size);
  });

  test("a part that is larger than its upload", async () => {
    const { cookie } = await signedIn("editor");
    const headers = { cookie, Origin: SITE };
    const file = { name: "a.mp3", type: "audio/mpeg", size: 1000, folder: "podcast-audio" };
    const started = await fetchSite("/api/admin/files", {
      method: "POST",
      headers: { ...headers, ...JSON_TYPE },
      body: JSON.stringify(file),
    });
    const { id } = (await started.json()) as { id: string };
    const { body, sent } = chunked(size);
    const response = await fetchSite(`/api/admin/files/${id}/parts/1`, { method: "PUT", headers, body });
    expect(response.status).toBe(413);
    expect(sent.bytes).toBe(size);
  });

  test("but not one without an end", async () => {
    const { body, sent } = chunked(100 * MB);
    const response = await fetchSite("/api/admin/files/x/parts/1", { method: "PUT", body });
    expect(response.status).toBe(401);
    expect(sent.bytes).toBeLessThan(20 * MB);
  });
});

describe("an address that is not text, or too long", () => {
  const long = "a".repeat(9000);
  test.each([
    "/essays/%E0%A4%A",
    "/essays/%E0%A4%A.data",
    "/episode/1%00",
    "/episode/1%00.data",
    "/%ff",
    "/%ff.data",
    "/api/episodes/%ff",
    "/rss/%ff",
    "/playlist/%00",
    "/admin/%ff",
  ])("%s is an error and no fault", async (path) => {
    const { status } = await fetchSite(path);
    expect([202, 302, 400, 404, 422]).toContain(status);
  });

  test.each([
    `/essays/${long}`,
    `/${long}.data`,
    `/episode/${"a/".repeat(600)}`,
    `/admin/${"a/".repeat(600)}`,
  ])("%s is refused before React Router matches it", async (path) => {
    const response = await fetchSite(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: { code: "not_found", message: "There is nothing at this address." },
    });
  });

  test("leads to a login that returns elsewhere, so that no header grows too long", async () => {
    const short = await fetchSite("/admin/users?after=x");
    expect(short.headers.get("Location")).toBe("/admin/login?next=%2Fadmin%2Fusers%3Fafter%3Dx");
    const response = await fetchSite(`/admin/users?after=${"/".repeat(9000)}`);
    expect(response.headers.get("Location")).toBe("/admin/login?");
    const leaving = await fetchSite(`/api/newsletter/unsubscribe?token=${"/".repeat(9000)}`);
    expect(leaving.headers.get("Location")).toBe("/unsubscribe?token=");
  });
});

describe("a write", () => {
  const household = () => `192.0.2.${Math.floor(Math.random() * 256)}`;
  const post = (path: string, body: unknown, init: RequestInit = {}) =>
    fetchSite(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "CF-Connecting-IP": household() },
      body: JSON.stringify(body),
      ...init,
    });

  test.each(["POST", "PUT", "PATCH", "DELETE", "PROPFIND"])("%s is not for a page", async (method) => {
    for (const path of ["/", "/podcast", "/admin/login", "/no/such/page", "/about.data"]) {
      const response = await fetchSite(path, { method });
      expect([path, response.status, response.headers.get("Allow")]).toEqual([
        path,
        405,
        "GET, HEAD, OPTIONS",
      ]);
    }
  });

  test("has no Server-Timing, which would distinguish known from unknown addresses", async () => {
    const answers = [
      await post("/api/newsletter/subscribe", { email: "somebody@example.com" }),
      await post("/api/admin/password-reset", { email: "somebody@example.com" }),
      await post("/api/admin/session", { email: "somebody@example.com", password: "wrong" }),
      await post("/api/playlists", {}),
      await fetchSite("/api/favorites/1", { method: "PUT" }),
      await post("/podcast", {}),
    ];
    for (const { url, headers } of answers) expect([url, headers.get("Server-Timing")]).toEqual([url, null]);
    expect((await fetchSite("/api/episodes")).headers.get("Server-Timing")).toContain("statements");
  });
});

describe("Server-Timing", () => {
  const worker = createWorker({
    loadSite: () => Promise.resolve(site),
    loadJobs: () => Promise.resolve(jobs),
  });
  type Asked = Parameters<typeof worker.fetch>[0];
  const timingOf = async (path: string, cookie = "") => {
    const request = new Request(`https://example.com${path}`, { headers: { cookie } }) as Asked;
    const deployed = { ...env, SITE_URL: "https://example.com" };
    return (await worker.fetch(request, deployed, createExecutionContext())).headers.get("Server-Timing");
  };

  test("of a deployed site does not say what D1 read, which would tell a draft's address from an unknown one", async () => {
    const { slug } = await createArticle(ownerContext(), anArticle({ status: "draft" }));
    for (const path of [`/api/articles/${slug}`, `/essays/${slug}`, `/essays/${slug}.data`, "/api/episodes"])
      expect([path, await timingOf(path)]).toEqual([path, expect.stringMatching(/d1;dur=\d+(?:,|$)/)]);
  });

  test("of a deployed site says what D1 read to an editor", async () => {
    const { cookie } = await signedIn("editor");
    const secure = cookie.replace(/^[^=]+/, sessionCookieOf("https://example.com").name);
    expect(await timingOf("/api/episodes", secure)).toContain(" rows");
    const { cookie: other } = await signedIn("user");
    const asUser = other.replace(/^[^=]+/, sessionCookieOf("https://example.com").name);
    expect(await timingOf("/api/episodes", asUser)).not.toContain(" rows");
  });
});
