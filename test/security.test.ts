import { env } from "cloudflare:workers";
import { createExecutionContext } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "#worker/platform/errors.ts";
import { answerError, router } from "#worker/platform/http/router.ts";
import { allowInlineScripts, refuseForeignWrites, securityHeaders } from "#worker/platform/http/security.ts";
import staticHeaders from "../public/_headers?raw";
import { createEpisode } from "#worker/episodes/commands.ts";
import { fetchSite, ownerContext, SITE } from "./support/client.ts";
import { anEpisode, savedShow } from "./support/factories.ts";

/** An app of nothing but the rules and a few answers to apply them to. */
const app = router();
app.use(securityHeaders);
app.use(refuseForeignWrites([]));
app.get("/page", (c) => c.html(c.req.query("html") ?? "<p>Hello</p>"));
app.post("/told", async (c) => {
  const headers = new Headers({ "Content-Type": "text/html" });
  await allowInlineScripts(headers, await c.req.json());
  return new Response("<script>injected()</script>", { headers });
});
app.get("/moved", (c) => c.redirect("/page"));
app.get("/unchanged", () => new Response(null, { status: 304, headers: { ETag: '"1"' } }));
app.get("/cached", (c) => c.text("cached", 200, { "Cache-Control": "public, max-age=60" }));
app.get("/upload", (c) => c.html("<script>evil()</script>", 200, { "Content-Security-Policy": "sandbox" }));
app.get("/immutable", () => Response.redirect("http://localhost/page"));
app.get("/refused", () => {
  throw new AppError("not_found", "Nothing here.");
});
app.get("/broken", () => {
  throw new Error("The database's address is 10.0.0.1");
});
app.all("/write", (c) => c.text("done"));
app.onError(answerError);

const ask = (path: string, init?: RequestInit) =>
  app.request(`${SITE}${path}`, init, env, createExecutionContext());

// An unexpected error is logged, and one of the answers is such.
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

const policyOf = ({ headers }: Response) => headers.get("Content-Security-Policy") ?? "";
const directive = (policy: string, name: string) =>
  policy
    .split("; ")
    .find((part) => part.startsWith(`${name} `))
    ?.slice(name.length + 1);

async function hashOf(script: string) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  return `'sha256-${new Uint8Array(digest).toBase64()}'`;
}

function expectHeaders({ headers }: Response) {
  expect(headers.get("Strict-Transport-Security")).toMatch(/^max-age=\d{8,}/);
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Referrer-Policy")).toBe("strict-origin-when-cross-origin");
  expect(headers.get("Permissions-Policy")).toContain("camera=()");
  expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
  expect(headers.get("Cross-Origin-Resource-Policy")).toMatch(/^(same|cross)-origin$/);
  expect(headers.get("X-Frame-Options")).toBe("DENY");
  expect(headers.get("Cache-Control")).not.toBeNull();
}

describe("security headers", () => {
  it.each([
    ["/page", 200],
    ["/moved", 302],
    ["/immutable", 302],
    ["/unchanged", 304],
    ["/refused", 404],
    ["/broken", 500],
    ["/no-such-route", 404],
  ])("are on %s, which answers %i", async (path, status) => {
    const response = await ask(path);
    expect(response.status).toBe(status);
    expectHeaders(response);
  });

  it("are on a refused write", async () => {
    const response = await ask("/write", { method: "POST", headers: { "Sec-Fetch-Site": "cross-site" } });
    expect(response.status).toBe(403);
    expectHeaders(response);
  });

  it.each([
    ["/admin/login", 200],
    ["/admin/articles", 302],
    ["/admin/articles.data", 202],
    ["/no-such-page", 404],
    ["/api/admin/session", 401],
    ["/api/nothing", 404],
    ["/media/nothing", 404],
  ])("are on the site's own %s, which answers %i", async (path, status) => {
    const response = await fetchSite(path);
    expect(response.status).toBe(status);
    expectHeaders(response);
  });

  it.each([
    ["/", "same-origin"],
    ["/api/episodes", "same-origin"],
    ["/api/admin/session", "same-origin"],
    ["/rss/podcast.xml", "cross-origin"],
    ["/media/nothing", "cross-origin"],
  ])("let other sites show of %s what they may read: %s", async (path, policy) => {
    await savedShow();
    expect((await fetchSite(path)).headers.get("Cross-Origin-Resource-Policy")).toBe(policy);
  });

  it("are the same on static files, which never reach the Worker", async () => {
    const { headers } = await ask("/cached");
    const rules = staticHeaders.split("\n/")[1] ?? "";
    const same = [
      "Strict-Transport-Security",
      "X-Content-Type-Options",
      "Referrer-Policy",
      "Permissions-Policy",
    ];
    same.push("Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "X-Frame-Options");
    for (const name of same) expect(rules).toContain(`\n  ${name}: ${headers.get(name)}\n`);
  });

  it("let the service worker be revalidated, and only fetch from this site", () => {
    const rules = staticHeaders.split("\n/").find((each) => each.startsWith("sw.js\n")) ?? "";
    expect(rules).toContain("! Cache-Control\n  Cache-Control: no-cache\n");
    expect(rules).toContain("Content-Security-Policy: default-src 'none'; connect-src 'self'\n");
  });

  it("let the worker that encodes AAC run WebAssembly, and no other file", () => {
    const rules = staticHeaders.split("\n/").filter((each) => each.includes("wasm-unsafe-eval"));
    expect(rules).toEqual([expect.stringMatching(/^assets\/aac-worker-\*\n/)]);
    expect(rules[0]).toContain(
      "Content-Security-Policy: default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; worker-src blob:\n",
    );
  });

  it("keep an answer's body and its own headers", async () => {
    const response = await ask("/unchanged");
    expect(response.headers.get("ETag")).toBe('"1"');
    expect(await (await ask("/page")).text()).toBe("<p>Hello</p>");
  });

  it("say nothing of an unexpected error", async () => {
    const response = await ask("/broken");
    expect(await response.json()).toEqual({ error: { code: "internal", message: "Something went wrong." } });
  });
});

describe("caching", () => {
  it("is forbidden unless a route says otherwise", async () => {
    for (const path of ["/page", "/moved", "/refused", "/broken"]) {
      expect((await ask(path)).headers.get("Cache-Control")).toBe("no-store");
    }
    expect((await ask("/cached")).headers.get("Cache-Control")).toBe("public, max-age=60");
  });
});

describe("the content policy", () => {
  const page = (html: string) => ask(`/page?html=${encodeURIComponent(html)}`);
  const told = (scripts: string[]) => ask("/told", { method: "POST", body: JSON.stringify(scripts) });

  it("lets a page start a service worker of this site only", async () => {
    expect(directive(policyOf(await page("")), "worker-src")).toBe("'self'");
  });

  it("lets a page run its own files and the inline scripts that it says it was rendered with, by hash", async () => {
    const scripts = directive(policyOf(await told(["one()", "two()"])), "script-src");
    expect(scripts).toBe(["'self'", await hashOf("one()"), await hashOf("two()")].join(" "));
  });

  it("names each script once", async () => {
    const policy = policyOf(await told(["one()", "one()"]));
    expect(directive(policy, "script-src")).toBe(`'self' ${await hashOf("one()")}`);
  });

  it("allows no inline script of a page that says nothing of its scripts", async () => {
    expect(directive(policyOf(await page("<script>one()</script>")), "script-src")).toBe("'self'");
  });

  it("takes what a page says of its scripts out of its headers", async () => {
    const { headers } = await told(["one()"]);
    expect([...headers.keys()].filter((name) => name.startsWith("rostrum"))).toEqual([]);
  });

  it("is right of a script that it met before, and of one that it has forgotten since", async () => {
    const known = async () => directive(policyOf(await told(["one()"])), "script-src");
    const expected = `'self' ${await hashOf("one()")}`;
    expect([await known(), await known()]).toEqual([expected, expected]);
    await told(Array.from({ length: 250 }, (_, n) => `some(${n})`));
    expect(await known()).toBe(expected);
  });

  it("allows style sheets from files and style attributes, and no style element", async () => {
    const policy = policyOf(await page("<style>p { color: red }</style>"));
    expect(directive(policy, "style-src")).toBe("'self'");
    expect(directive(policy, "style-src-elem")).toBe("'self'");
    expect(directive(policy, "style-src-attr")).toBe("'unsafe-inline'");
  });

  it("allows no script that is written into an attribute or an address, no plug-in, no frame, no other base", async () => {
    const policy = policyOf(await page("<p>Hello</p>"));
    expect(directive(policy, "script-src")).toBe("'self'");
    expect(directive(policy, "object-src")).toBe("'none'");
    expect(directive(policy, "base-uri")).toBe("'none'");
    expect(directive(policy, "frame-src")).toBe("'none'");
    expect(directive(policy, "frame-ancestors")).toBe("'none'");
    expect(directive(policy, "form-action")).toBe("'self'");
  });

  it("lets other responses than pages run nothing", async () => {
    for (const path of ["/cached", "/refused", "/moved"]) {
      const policy = policyOf(await ask(path));
      expect(directive(policy, "default-src")).toBe("'none'");
      expect(policy).toContain("sandbox");
    }
  });

  it("lets an uploaded page run nothing, by its route's own policy", async () => {
    expect(policyOf(await ask("/upload"))).toBe("sandbox");
  });

  it("is left as the browser keeps it by an answer without a body", async () => {
    expect((await ask("/unchanged")).headers.has("Content-Security-Policy")).toBe(false);
    expect(directive(policyOf(await ask("/page", { method: "HEAD" })), "script-src")).toBe("'self'");
  });

  const INLINE = /<script(?![^>]*(?:\bsrc=|\/(?:ld\+)?json"))[^>]*>(.*?)<\/script>/gs;

  it.each(["/", "/admin/login", "/no-such-page"])(
    "has the hash of every inline script of %s, and reveals no nonce",
    async (path) => {
      const response = await fetchSite(path);
      const allowed = directive(policyOf(response), "script-src") ?? "";
      const html = await response.text();
      const inline = [...html.matchAll(INLINE)].map(([, script = ""]) => script);
      expect(inline.length).toBeGreaterThan(2);
      for (const script of inline) expect(allowed).toContain(await hashOf(script));
      expect(html).not.toContain("nonce");
    },
  );

  it("names no script that a text brings into a page", async () => {
    const script = "document.title='injected'";
    const html = `<p>Text</p><script>${script}</script><script nonce="1">${script}</script><script type="text/deferred">${script}</script>`;
    await savedShow();
    const { id } = await createEpisode(ownerContext(), anEpisode({ status: "published" }));
    await env.DB.prepare("UPDATE episodes SET show_notes_html = ? WHERE id = ?").bind(html, id).run();
    const response = await fetchSite(`/episode/${id}`);
    expect(await response.text()).toContain(html);
    const allowed = directive(policyOf(response), "script-src") ?? "";
    expect(allowed).toMatch(/^'self'( 'sha256-[^']+'){3,}$/);
    expect(allowed).not.toContain(await hashOf(script));
  });
});

describe("a write", () => {
  const write = (headers: Record<string, string>, method = "POST") => ask("/write", { method, headers });

  it.each([
    [{}, "a machine, which sends neither header"],
    [{ "Sec-Fetch-Site": "same-origin" }, "the site's own pages"],
    [{ Origin: SITE }, "the site's own pages in an older browser"],
  ])("with %j is let in: %s", async (headers, _who) => {
    expect((await write(headers)).status).toBe(200);
  });

  it.each([
    [{ "Sec-Fetch-Site": "cross-site" }, "another site"],
    [{ "Sec-Fetch-Site": "same-site" }, "a neighbour under the same domain"],
    [{ "Sec-Fetch-Site": "none" }, "nothing a page could have sent"],
    [{ "Sec-Fetch-Site": "cross-site", Origin: SITE }, "another site, whatever Origin says"],
    [{ Origin: "https://evil.example" }, "another site in an older browser"],
    [{ Origin: "null" }, "a sandboxed page"],
    [{ Origin: "http://localhost:8788" }, "another port"],
  ])("with %j is refused: %s", async (headers, _who) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const response = await write(headers, method);
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ error: { code: "forbidden" } });
    }
  });

  it("is what the rule is about: reading from another site is fine", async () => {
    expect((await write({ "Sec-Fetch-Site": "cross-site" }, "GET")).status).toBe(200);
  });

  it("from another site reaches no route of the real API", async () => {
    const response = await fetchSite("/api/admin/session", {
      method: "DELETE",
      headers: { "Sec-Fetch-Site": "cross-site" },
    });
    expect(response.status).toBe(403);
  });
});
