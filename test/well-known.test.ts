import { describe, expect, test } from "vitest";
import { documents, wellKnown } from "#worker/addresses.ts";
import { fetchSite, SITE } from "./support/client.ts";
import { publishedEpisode, savedShow } from "./support/factories.ts";

const locationOf = async (path: string, init?: RequestInit) => {
  const { status, headers } = await fetchSite(path, init);
  return [status, headers.get("Location")];
};

describe("an address that readers and browsers try", () => {
  test.each(Object.entries(wellKnown))("%s redirects to %s, with its query", async (path, target) => {
    expect(await locationOf(path)).toEqual([301, SITE + target]);
    expect((await fetchSite(path)).headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(await locationOf(`${path}?page=2`, { method: "HEAD" })).toEqual([301, `${SITE}${target}?page=2`]);
    expect(await locationOf(`${path}?page=${"/".repeat(9000)}`)).toEqual([301, SITE + target]);
  });

  test("may be cached for an hour, not permanently", async () => {
    expect((await fetchSite("/feed")).headers.get("Cache-Control")).toBe("public, max-age=3600");
  });
});

describe("a slash at the end", () => {
  test.each([
    "/about",
    "/podcast",
    "/admin",
    "/rss/podcast.xml",
    "/sitemap.xml",
    "/episode/1/chapters.json",
    "/api/episodes",
    "/no/such/page",
  ])("of %s leads to the address without it", async (path) => {
    expect(await locationOf(`${path}/`)).toEqual([301, SITE + path]);
    expect(await locationOf(`${path}/?t=90`)).toEqual([301, `${SITE}${path}?t=90`]);
  });

  test("does not redirect elsewhere", async () => {
    for (const path of ["//evil.example/", "/%2F%2Fevil.example/", "/\\evil.example/", "//evil.example//"]) {
      const { headers } = await fetchSite(path);
      expect([path, new URL(headers.get("Location")!, SITE).origin]).toEqual([path, SITE]);
    }
    expect((await fetchSite("/")).status).toBe(200);
  });

  test("does not turn a write into a read", async () => {
    expect((await fetchSite("/contact/", { method: "POST" })).status).toBe(405);
  });
});

describe("an address in another case", () => {
  test.each([
    "/about",
    "/podcast",
    "/essays/a-long-lease",
    "/verify-email",
    "/embed/episode/1",
    "/sitemap.xml",
  ])("of %s leads to that one", async (path) => {
    expect(await locationOf(path.toUpperCase())).toEqual([301, SITE + path]);
    expect(await locationOf(`${path.toUpperCase()}/?token=Ab`)).toEqual([301, `${SITE}${path}?token=Ab`]);
    expect(await locationOf(path.toUpperCase(), { method: "POST" })).toEqual([405, null]);
  });

  test.each(Object.keys(wellKnown))("of %s redirects to that one, which redirects on", async (path) => {
    for (const end of ["", "/"])
      expect(await locationOf(path.toUpperCase() + end)).toEqual([301, SITE + path + end]);
  });

  test("is not changed if nothing here has that name", async () => {
    for (const path of ["/No/Such/Page", "/essays/a-long-lease/Chapter", "/Wp-Login.php"])
      expect(await locationOf(path)).toEqual([404, null]);
  });
});

describe("a page of another site", () => {
  const origin = { Origin: "https://reader.example" };
  const paths = async () => {
    await savedShow();
    const { id } = await publishedEpisode({
      chapters: [{ start: 0, title: "Start" }],
      transcript: "WEBVTT\n\n00:00.000 --> 00:02.000\nHello.\n",
    });
    return [
      "/rss/podcast.xml",
      "/rss/essays.xml",
      `/episode/${id}/chapters.json`,
      `/episode/${id}/transcript.vtt`,
    ];
  };

  test("may read feeds, chapters and transcripts, and whether they have changed", async () => {
    for (const path of await paths()) {
      const { status, headers } = await fetchSite(path, { headers: origin });
      expect([path, status, headers.get("Access-Control-Allow-Origin")]).toEqual([path, 200, "*"]);
      expect(headers.get("Access-Control-Expose-Headers")).toContain("ETag");
      const asked = { ...origin, "If-None-Match": headers.get("ETag")! };
      const unchanged = await fetchSite(path, { headers: asked });
      expect([path, unchanged.status, unchanged.headers.get("Access-Control-Allow-Origin")]).toEqual([
        path,
        304,
        "*",
      ]);
    }
  });

  test("may ask first", async () => {
    for (const path of [...(await paths()), ...Object.keys(documents)]) {
      const { status, headers } = await fetchSite(path, {
        method: "OPTIONS",
        headers: {
          ...origin,
          "Access-Control-Request-Method": "GET",
          "Access-Control-Request-Headers": "if-none-match",
        },
      });
      expect([path, status, headers.get("Access-Control-Allow-Origin")]).toEqual([path, 204, "*"]);
      expect(headers.get("Access-Control-Allow-Headers")).toContain("If-None-Match");
      expect(headers.get("Access-Control-Allow-Methods")).toBe("GET,HEAD");
    }
  });

  test("may not read pages or the API", async () => {
    for (const path of ["/", "/api/episodes", "/api/admin/session"]) {
      for (const method of ["GET", "OPTIONS"]) {
        const { headers } = await fetchSite(path, { method, headers: origin });
        expect([path, method, headers.get("Access-Control-Allow-Origin")]).toEqual([path, method, null]);
      }
    }
  });
});

describe("a method that an address does not take", () => {
  test.each([
    ["/rss/podcast.xml", "POST", "GET, HEAD, OPTIONS"],
    ["/media/none.mp3", "DELETE", "GET, HEAD, OPTIONS"],
    ["/api/episodes", "PUT", "GET, HEAD, OPTIONS"],
    ["/api/newsletter/subscribe", "GET", "POST, OPTIONS"],
    ["/api/comments", "DELETE", "GET, POST, HEAD, OPTIONS"],
  ])("%s answers %s with those that it takes", async (path, method, allowed) => {
    const { status, headers } = await fetchSite(path, { method });
    expect([status, headers.get("Allow")]).toEqual([405, allowed]);
  });

  test("OPTIONS asks for them", async () => {
    for (const [path, allowed] of [
      ["/", "GET, HEAD, OPTIONS"],
      ["/api/episodes", "GET, HEAD, OPTIONS"],
    ] as const) {
      const { status, headers } = await fetchSite(path, { method: "OPTIONS" });
      expect([path, status, headers.get("Allow")]).toEqual([path, 204, allowed]);
    }
    expect((await fetchSite("/api/nothing", { method: "OPTIONS" })).status).toBe(404);
  });
});

describe("If-Match", () => {
  test("lets a document that changes through with * alone, since its tag is weak", async () => {
    await savedShow();
    const ask = async (tag: string) =>
      (await fetchSite("/rss/podcast.xml", { headers: { "If-Match": tag } })).status;
    const etag = (await fetchSite("/rss/podcast.xml")).headers.get("ETag")!;
    expect(etag).toMatch(/^W\//);
    expect([await ask("*"), await ask(etag), await ask('"other"')]).toEqual([200, 412, 412]);
  });
});
