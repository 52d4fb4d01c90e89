import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, describe, expect, it, vi } from "vitest";
import { addressOf } from "#worker/platform/http/rate.ts";
import { readLink } from "#worker/platform/http/signed.ts";
import { logWarning } from "#worker/platform/log.ts";
import { fetchSite, signedIn, SITE, visitorContext } from "./support/client.ts";
import { savedShow } from "./support/factories.ts";

/** What a caller may change in a request, and must gain nothing by. */

afterEach(() => vi.restoreAllMocks());

describe("the address of a client", () => {
  it.each(["X-Forwarded-For", "X-Real-IP", "Forwarded", "True-Client-IP", "X-Client-IP"])(
    "is Cloudflare's alone, whatever %s says",
    (name) => {
      const headers = { "CF-Connecting-IP": "203.0.113.7", [name]: "198.51.100.1" };
      expect(addressOf(new Request(SITE, { headers }))).toBe("203.0.113.7");
      expect(addressOf(new Request(SITE, { headers: { [name]: "198.51.100.1" } }))).toBe("unknown");
    },
  );
});

describe("a text answer", () => {
  it.each([
    "/",
    "/no-such-page",
    "/rss/podcast.xml",
    "/rss/essays.xml",
    "/rss/letters.xml",
    "/sitemap.xml",
    "/robots.txt",
    "/llms.txt",
    "/.well-known/security.txt",
    "/oembed?url=x&format=xml",
  ])("names its character set: %s", async (path) => {
    await savedShow();
    const type = (await fetchSite(path)).headers.get("Content-Type") ?? "";
    // JSON is UTF-8 by its standard (RFC 8259 §8.1).
    if (!type.startsWith("application/json")) expect(type).toMatch(/^[\w/+-]+; ?charset=utf-8$/i);
  });
});

describe("a file of the project or its server", () => {
  it.each([
    "/.git/HEAD",
    "/.dev.vars",
    "/.env",
    "/wrangler.toml",
    "/wrangler.json",
    "/package.json",
    "/worker/index.ts",
    "/assets/",
    "/api/",
    "/../wrangler.toml",
    "/%2e%2e/wrangler.toml",
    "/media/podcast-audio/",
    "/media/..%2f..%2fwrangler.toml",
  ])("is not served, nor is a folder listed: %s", async (path) => {
    const answer = await fetchSite(path);
    // Of a folder's address to the same without its slash.
    const target = answer.headers.get("Location");
    const { status } = target ? await fetchSite(new URL(target, SITE).pathname) : answer;
    expect(status).toBe(404);
  });
});

describe("a method that no page has", () => {
  it.each(["TRACE", "PROPFIND", "PATCH"])("is refused: %s", async (method) => {
    expect((await fetchSite("/about", { method })).status).toBe(405);
  });
});

describe("a parameter or field that is sent twice", () => {
  it("is read once, or refused, in a query", async () => {
    const answer = await fetchSite("/api/search?q=one&q=two");
    expect([200, 422]).toContain(answer.status);
  });

  it("is never read from the query instead of the body", async () => {
    const headers = { "Content-Type": "application/json" };
    const init = { method: "POST", headers, body: "{}" };
    const answer = await fetchSite("/api/newsletter/subscribe?email=reader@example.com", init);
    expect(answer.status).toBe(422);
  });
});

describe("JSON that names an object's prototype", () => {
  it.each([
    '{"__proto__":{"role":"super_admin"},"fullName":"A Person"}',
    '{"constructor":{"prototype":{"role":"super_admin"}},"fullName":"A Person"}',
  ])("is refused, and changes no other object: %s", async (body) => {
    const { cookie } = await signedIn("user");
    const headers = { "Content-Type": "application/json", Cookie: cookie };
    const answer = await fetchSite("/api/admin/account", { method: "PATCH", headers, body });
    expect(answer.status).toBe(422);
    expect(({} as { role?: string }).role).toBeUndefined();
  });
});

describe("a signed link", () => {
  it("is never checked by a key that it brings", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const jwk = await exportJWK(publicKey);
    const headers = [
      { alg: "ES256", jwk },
      { alg: "ES256", jku: "https://evil.example/keys.json" },
      { alg: "ES256", kid: "1", x5u: "https://evil.example/key.pem" },
    ];
    for (const header of headers) {
      const token = await new SignJWT({ stamp: "x" })
        .setProtectedHeader(header)
        .setAudience("reset-password")
        .setSubject("owner")
        .setExpirationTime("1h")
        .sign(privateKey);
      expect(await readLink(visitorContext(), "reset-password", token)).toEqual({
        ok: false,
        reason: "invalid",
      });
    }
  });
});

describe("a log entry", () => {
  it("is one line, whatever an error's message has", () => {
    const print = vi.spyOn(console, "warn").mockImplementation(() => {});
    logWarning("test", new Error('broken\n{"level":"error","message":"forged"}\r\n\u2028end'));
    const [line] = print.mock.calls[0] as [string];
    expect(line).not.toMatch(/[\r\n]/);
    expect(JSON.parse(line)).toMatchObject({ level: "warn" });
  });
});
