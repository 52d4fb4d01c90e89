import * as build from "virtual:react-router/server-build";
import { HonoRequest } from "hono/request";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { api, documents, pages, redirects, wellKnown, type PagePath } from "#worker/addresses.ts";
import { mountApi } from "#worker/api.ts";
import { createApp } from "#worker/app.ts";
import { cacheKeyOf } from "#worker/cache-key.ts";
import { publishedArticle } from "./support/articles.ts";
import { archivedLetter, setArchive } from "./support/archive.ts";
import { fetchSite, SITE } from "./support/client.ts";
import { setComments } from "./support/comments.ts";
import { publishedEpisode, savedShow } from "./support/factories.ts";
import { aListener } from "./support/listeners.ts";
import { aSignedInMember, setAccounts } from "./support/members.ts";
import { open, structuredDataOf, textOf } from "./support/pages.ts";

/** Replaces the variable segment of a path. */
const samples = { letter: "", episode: "", essay: "an-essay", playlist: "", comments: "" };

beforeAll(async () => {
  await savedShow();
  const chapters = [{ start: 0, title: "Beginning", url: null }];
  const transcript = "WEBVTT\n\n00:00.000 --> 00:02.000\n<v A>The rent.";
  const { id } = await publishedEpisode({ chapters, transcript, people: [{ name: "Ada Wren" }] });
  samples.episode = String(id);
  const { id: article } = await publishedArticle({ title: "An essay", slug: samples.essay });
  samples.comments = `contentType=article&contentId=${article}`;
  await setComments(true);
  const listener = aListener();
  samples.playlist = (await listener.create({ isPublic: true })).id;
  await listener.add(samples.playlist, id);
  await setArchive(true);
  samples.letter = String(await archivedLetter());
  await setAccounts(true);
});
afterEach(() => vi.restoreAllMocks());

const fill = (path: string) =>
  path
    .replace(/(?<=playlists?\/):\w+(\{.*\})?/, (_, pattern) => samples.playlist + (pattern ? ".xml" : ""))
    .replace(/(?<=episodes?\/):id/, samples.episode)
    .replace(/(?<=letters\/):id/, samples.letter)
    .replace("/people/:slug", "/people/ada-wren")
    .replace(":slug", samples.essay)
    .replace(/^\/oembed$/, `$&?url=${SITE}/episode/${samples.episode}`)
    .replace(/^\/api\/comments$/, `$&?${samples.comments}`);

const withQuery = (path: string, query: string) => `${path}${path.includes("?") ? "&" : "?"}${query}`;

const isPersonal = (path: string) => pages[path as PagePath]?.isPersonal ?? false;
const isCached = (path: string) => cacheKeyOf(SITE + fill(path)) !== null;

describe("the table of addresses", () => {
  const routes = Object.values(build.routes)
    .filter((route) => route !== undefined)
    .filter(({ parentId, path }) => parentId === "site/layout" && path !== "*")
    .map(({ path = "" }) => `/${path}`);

  test("has each public route of the site, and each of its pages has a route", () => {
    const rows = [...Object.keys(pages), ...Object.keys(redirects)];
    expect(routes.toSorted()).toEqual(rows.toSorted());
  });

  /** Answers to GET that are for one person, or true for a moment only. */
  const neverCached = [
    /^\/api\/admin\//,
    /^\/api\/(playlists|favorites|progress|member)(\/|$)/,
    /^\/api\/(health|newsletter\/unsubscribe)$/,
    // Each press counts.
    /^\/l\//,
    // The description of the API, which each isolate builds once.
    /^\/api\/(?:openapi\.json|docs)$/,
    // Files, and pictures for sharing, have a cache rule of their own.
    /^\/(media|share)\//,
    // Each for one member.
    /^\/rss\/members\//,
  ];
  const app = createApp(() => new Response(), mountApi);
  const served = app.routes
    .filter(({ method, path }) => method === "GET" && !path.includes("*"))
    .map(({ path }) => path)
    .filter((path) => !Object.hasOwn(wellKnown, path.replace(/\/$/, "")))
    .filter((path) => !neverCached.some((pattern) => pattern.test(path)));

  test.each([...new Set(served)])("has %s, which Hono serves", (path) => expect(isCached(path)).toBe(true));

  test("has no entry for an address that is not served", async () => {
    const addresses = [...Object.keys(documents), ...Object.keys(api)];
    const statuses = await Promise.all(
      addresses.map(async (path) => [path, (await fetchSite(fill(path))).status]),
    );
    expect(statuses).toEqual(addresses.map((path) => [path, 200]));
  });
});

/** Without the time of the render, which forms send back. */
const withoutTimes = (text: string) => text.replaceAll(/\b1[789]\d{11}\b/g, "");

describe("a member's cookie", () => {
  const withData = Object.keys(pages)
    .filter((path) => !isPersonal(path))
    .map((path) => (path === "/" ? "/_.data" : `${path}.data`));
  const addresses = [...Object.keys(pages), ...withData, ...Object.keys(documents), ...Object.keys(api)];
  let cookie: string;
  beforeAll(async () => {
    ({ cookie } = await aSignedInMember());
  });

  test.each(addresses)(
    "changes nothing in the answer of %s, which sets none and varies by none",
    async (row) => {
      const path = row.endsWith(".data") ? `${fill(row.slice(0, -".data".length))}.data` : fill(row);
      const without = await fetchSite(path);
      const withCookie = await fetchSite(path, { headers: { Cookie: cookie } });
      expect(withCookie.status).toBe(without.status);
      for (const answer of [without, withCookie]) {
        expect(answer.headers.get("Set-Cookie")).toBeNull();
        expect(answer.headers.get("Vary") ?? "").not.toMatch(/cookie/i);
        expect(answer.headers.get("Cache-Control")).toBe(without.headers.get("Cache-Control"));
      }
      if (isPersonal(row)) expect(without.headers.get("Cache-Control")).toBe("no-store");
      expect(withoutTimes(await withCookie.text())).toBe(withoutTimes(await without.text()));
    },
  );
});

describe("visitors and search engines are shown the same breadcrumb", () => {
  const cached = Object.keys(pages).filter((path) => !isPersonal(path) && path !== "/");
  test.each(cached)("%s", async (row) => {
    const { html } = await open(fill(row));
    const [shown = ""] = /<nav aria-label="Breadcrumb"[\s\S]*?<\/nav>/.exec(html) ?? [];
    const steps = [...shown.matchAll(/<li[\s\S]*?<\/li>/g)].map(([step]) =>
      textOf(step).replace("/", "").trim(),
    );
    const [list] = structuredDataOf(html, "BreadcrumbList") as { itemListElement?: { name: string }[] }[];
    expect(steps[0]).toBe("Home");
    expect(list?.itemListElement?.map(({ name }) => name)).toEqual(steps);
  });
});

/** React Router's own, in requests for data. */
const OWN = ["_routes", "index"];
/** A parameter that changes no answer. */
const OTHER = "utm_source";
/** Recorded when code reads all parameters. */
const ALL = "every parameter";

/** The names of the parameters that are read while a path is answered. */
async function readsOf(path: string) {
  const read = new Set<string>();
  for (const method of ["get", "getAll", "has"] as const) {
    spyOn(URLSearchParams.prototype, method, (name) => read.add(name ?? ALL));
  }
  for (const method of ["entries", "keys", "values", "forEach", Symbol.iterator] as const) {
    // React Router iterates over an empty set of defaults.
    spyOn(URLSearchParams.prototype, method, (_, { size }) => size > 0 && read.add(ALL));
  }
  for (const method of ["query", "queries"] as const) {
    spyOn(HonoRequest.prototype, method, (name) => read.add(name ?? ALL));
  }
  await (await fetchSite(path)).text();
  vi.restoreAllMocks();
  return [...read].filter((name) => !OWN.includes(name)).toSorted();
}

/** The same, with the parameters that are only read together with another one. */
async function allReadsOf(path: string) {
  const read = await readsOf(withQuery(path, `${OTHER}=1`));
  const all = new URLSearchParams([...read, OTHER].map((name) => [name, "1"]));
  return readsOf(withQuery(path, String(all)));
}

type Method = (...given: unknown[]) => unknown;

function spyOn<T extends object>(
  target: T,
  method: keyof T,
  note: (name: string | undefined, self: T) => void,
) {
  const original = target[method] as Method;
  vi.spyOn(target as { read: Method }, method as "read").mockImplementation(function (this: T, ...given) {
    note(given[0] as string | undefined, this);
    return original.apply(this, given);
  });
}

const namedBy = (path: string, given: string[]) => {
  const query = new URLSearchParams(given.map((name) => [name, "1"]));
  const key = cacheKeyOf(SITE + withQuery(path, String(query)));
  return [...new URL(key?.path ?? "", SITE).searchParams.keys()].toSorted();
};

describe("a cache key names each parameter that is read for the answer, and no other", () => {
  const cached = Object.keys({ ...pages, ...documents }).filter((path) => !isPersonal(path));
  test.each(cached)("%s", async (row) => {
    const path = fill(row);
    const read = await allReadsOf(path);
    expect(namedBy(path, [...read, OTHER])).toEqual(read);
  });

  test.each(Object.keys(pages).filter((path) => !isPersonal(path)))("%s, as data", async (row) => {
    const path = row === "/" ? "/_.data" : `${fill(row)}.data`;
    const read = await allReadsOf(path);
    expect(namedBy(path, [...read, OTHER, "_routes"])).toEqual([...read, "_routes"].toSorted());
  });

  test("and all kinds of reads are seen here", async () => {
    expect(await allReadsOf("/media")).toEqual(["coverage", "item", "releases"]);
    expect(await allReadsOf("/verify-email")).toEqual(["confirmed", "token"]);
    expect(await allReadsOf("/rss/podcast.xml")).toEqual(["page"]);
    expect(await allReadsOf("/api/press")).toEqual([ALL]);
  });
});

describe("the API knows each parameter that the table names, and refuses others", () => {
  const rejectionOf = async (path: string) => JSON.stringify(await (await fetchSite(path)).json());
  test.each(Object.entries(api))("%s", async (row, { parameters }) => {
    for (const name of parameters) {
      expect(await rejectionOf(withQuery(fill(row), `${name}=1`))).not.toMatch(/There’s no field/);
    }
    if (parameters.length > 0)
      expect(await rejectionOf(withQuery(fill(row), "other=1"))).toMatch(/There’s no field/);
  });
});
