import { beforeAll, expect, test } from "vitest";
import { publishedArticle } from "./support/articles.ts";
import { fetchSite, signedIn } from "./support/client.ts";
import { publishedEpisode, savedShow } from "./support/factories.ts";

/**
 * Round trips to D1 of each page of the admin area, the first of which reads the session. Reads that do not need each
 * other's results share one. More than this is a decision, which belongs here.
 */
const roundTrips: Record<string, number> = {
  "/admin/articles": 2,
  "/admin/podcast/show": 2,
  "/admin/podcast/1": 3,
  // Its files are found in its text.
  "/admin/articles/1": 3,
  "/admin/podcast": 2,
  "/admin/media": 2,
  "/admin/guests": 2,
  "/admin/speaking": 2,
  "/admin/ventures": 2,
  "/admin/newsletter": 2,
  // The period begins by the site’s time zone, and what is counted depends on it.
  "/admin/analytics": 4,
  "/admin/settings/general": 2,
  "/admin/users": 2,
};

let cookie = "";
beforeAll(async () => {
  await savedShow();
  await publishedEpisode();
  await publishedArticle();
  ({ cookie } = await signedIn("admin"));
});

test("the pages of the admin area take no more round trips to D1 than this", async () => {
  const found: Record<string, number> = {};
  for (const path of Object.keys(roundTrips)) {
    const response = await fetchSite(path, { headers: { Cookie: cookie } });
    expect([path, response.status]).toEqual([path, 200]);
    await response.text();
    const timing = response.headers.get("Server-Timing") ?? "";
    found[path] = Number(/(\d+) round trips/.exec(timing)?.[1]);
  }
  expect(Object.entries(found).filter(([path, trips]) => !(trips <= roundTrips[path]!))).toEqual([]);
});
