import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createWorker } from "#worker/entry.ts";
import * as jobs from "#worker/jobs.ts";
import * as site from "#worker/site.ts";

const worker = createWorker({
  loadSite: () => Promise.resolve(site),
  loadJobs: () => Promise.resolve(jobs),
});

type Options = RequestInit & { variables?: Partial<Record<"SITE_URL" | "EDGE_CACHE", string>> };

type Asked = Parameters<typeof worker.fetch>[0];

const ask = (url: string, { variables, ...init }: Options = {}) =>
  worker.fetch(
    new Request(url, { redirect: "manual", ...init }) as Asked,
    { ...env, SITE_URL: "https://example.com", ...variables },
    createExecutionContext(),
  );

describe("a request without TLS", () => {
  it.each(["/", "/rss/podcast.xml?page=2", "/media/podcast-audio/x/a.mp3", "/admin/login"])(
    "is redirected to https: %s",
    async (path) => {
      const answer = await ask(`http://example.com${path}`);
      expect(answer.status).toBe(301);
      expect(answer.headers.get("Location")).toBe(`https://example.com${path}`);
    },
  );

  it("is not answered from the cache", async () => {
    const cached = { variables: { EDGE_CACHE: "on" } };
    await ask("https://example.com/about", cached);
    expect((await ask("http://example.com/about", cached)).status).toBe(301);
  });

  it("is refused by the API, which programs ask, and for any write", async () => {
    const body = JSON.stringify({ email: "a@example.com", password: "in clear" });
    const headers = { "Content-Type": "application/json" };
    const written = await ask("http://example.com/api/admin/session", { method: "POST", headers, body });
    const read = await ask("http://example.com/api/episodes");
    const form = await ask("http://example.com/contact", { method: "POST" });
    expect([written.status, read.status, form.status]).toEqual([403, 403, 403]);
    expect(await read.json()).toEqual({
      error: { code: "forbidden", message: "This request was not encrypted. Use https." },
    });
  });

  it("is answered on this machine, and by a site whose address has no TLS", async () => {
    const plain = { variables: { SITE_URL: "http://example.com" } };
    expect((await ask("http://localhost:8787/api/episodes")).status).toBe(200);
    expect((await ask("http://example.com/api/episodes", plain)).status).toBe(200);
  });

  it("with TLS is answered", async () => {
    expect((await ask("https://example.com/api/episodes")).status).toBe(200);
  });
});
