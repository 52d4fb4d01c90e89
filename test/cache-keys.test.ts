import * as build from "virtual:react-router/server-build";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { cacheKeyOf } from "#worker/addresses.ts";
import { publishedArticle } from "./support/articles.ts";
import { fetchSite, SITE } from "./support/client.ts";
import { publishedEpisode, savedShow } from "./support/factories.ts";
import { aListener } from "./support/listeners.ts";

/** What stands for the parameters of a page's path. */
const samples = { episode: "", slug: "an-essay", playlist: "" };

beforeAll(async () => {
  await savedShow();
  const { id } = await publishedEpisode();
  samples.episode = String(id);
  await publishedArticle({ title: "An essay", slug: samples.slug });
  const listener = aListener();
  samples.playlist = (await listener.create({ isPublic: true })).id;
  await listener.add(samples.playlist, id);
});
afterEach(() => vi.restoreAllMocks());

const pages = Object.values(build.routes)
  .filter((route) => route !== undefined)
  .filter(({ parentId, path }) => parentId === "site/layout" && path !== "*" && path !== "podcast/:slug")
  .map(({ path = "" }) => `/${path}`);

const fill = (path: string) =>
  path
    .replace("episode/:id", `episode/${samples.episode}`)
    .replace("playlists/:id", `playlists/${samples.playlist}`)
    .replace(":slug", samples.slug);

/** Of React Router's own, in its requests for data. */
const OWN = ["_routes", "index"];

async function parametersReadBy(path: string) {
  const read = new Set<string>();
  const { get } = URLSearchParams.prototype;
  vi.spyOn(URLSearchParams.prototype, "get").mockImplementation(function (this: URLSearchParams, name) {
    read.add(name);
    return get.call(this, name);
  });
  const { status } = await fetchSite(path);
  vi.restoreAllMocks();
  expect([path, status]).toEqual([path, 200]);
  return [...read].filter((name) => !OWN.includes(name));
}

describe("a page's cache key names each parameter that its loader reads", () => {
  test.each(pages)("%s", async (page) => {
    const path = fill(page);
    if (cacheKeyOf(SITE + path) === null) return;
    const read = await parametersReadBy(path);
    const query = new URLSearchParams(read.map((name) => [name, "1"]));
    const { searchParams } = new URL(cacheKeyOf(`${SITE}${path}?${query}`)!.path, SITE);
    expect([...searchParams.keys()].toSorted()).toEqual(read.toSorted());
  });

  test("and reads are seen here", async () => {
    expect((await parametersReadBy("/media")).toSorted()).toEqual(["coverage", "item", "releases"]);
  });
});
