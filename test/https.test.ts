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

type Options = RequestInit<RequestInitCfProperties> & {
  variables?: Partial<Record<"SITE_URL" | "EDGE_CACHE", string>>;
};

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

describe("a request by an old version of TLS", () => {
  const by =
    (tlsVersion: string) =>
    (path: string, init: Options = {}) =>
      ask(`https://example.com${path}`, { ...init, cf: { tlsVersion } as RequestInitCfProperties });
  const headers = { "Content-Type": "application/json" };

  it.each(["TLSv1", "TLSv1.1"])(
    "is refused at the sign-in, in the admin area and by the API: %s",
    async (version) => {
      const body = JSON.stringify({ email: "a@example.com", password: "a password" });
      const answers = await Promise.all([
        by(version)("/api/admin/session", { method: "POST", headers, body }),
        by(version)("/api/episodes"),
        by(version)("/contact", { method: "POST" }),
        by(version)("/admin/login"),
        by(version)("/ADMIN/login.data"),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
      expect(await answers[3].text()).toContain(
        "This connection uses an old version of TLS. Use 1.2 or newer.",
      );
    },
  );

  it("is not answered by the API from the cache", async () => {
    const variables = { EDGE_CACHE: "on" };
    expect((await by("TLSv1.3")("/api/episodes", { variables })).status).toBe(200);
    expect((await by("TLSv1")("/api/episodes", { variables })).status).toBe(403);
  });

  it("is answered with public pages, feeds and files", async () => {
    expect((await by("TLSv1")("/about")).status).toBe(200);
    expect((await by("TLSv1")("/robots.txt")).status).toBe(200);
  });

  it("of 1.2 and newer ones is answered", async () => {
    for (const version of ["TLSv1.2", "TLSv1.3"])
      expect((await by(version)("/api/episodes")).status).toBe(200);
  });
});
