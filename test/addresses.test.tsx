import { renderToString } from "react-dom/server";
import { describe, expect, it, test } from "vitest";
import { chromeOf } from "#site/shell/chrome.ts";
import { navigationOf } from "#site/shell/navigation.ts";
import { PageSkeleton } from "#site/site/skeletons.tsx";
import { crumbsOf, listings, pageAt, pages, redirects, type Listing } from "#worker/addresses.ts";
import { cacheKeyOf } from "#worker/cache-key.ts";
import { pagePaths } from "#worker/pages/contract.ts";
import { siteDefaults } from "#worker/settings/contract.ts";

const PLAYLIST = "0192f0c1-7000-7111-8111-abcdefabcdef";

const keyOf = (address: string) => cacheKeyOf(`https://example.org${address}`);

describe("an answer is cached by its path and the parameters that it depends on", () => {
  it.each([
    ["/", "/"],
    ["/?utm_source=letter", "/"],
    ["/about?before=3", "/about"],
    ["/podcast?before=3&utm_source=letter", "/podcast?before=3"],
    ["/episode/123456789?t=62", "/episode/123456789?t=62"],
    ["/episode/1?t=0m15s", "/episode/1?t=15"],
    ["/episode/1?t=1:02:03.5", "/episode/1?t=3723.5"],
    ["/episode/1?t=soon", "/episode/1"],
    ["/episode/1.data?t=0m0s", "/episode/1.data"],
    ["/embed/episode/1?t=15s", "/embed/episode/1?t=15"],
    ["/essays/a-long-lease?t=62", "/essays/a-long-lease"],
    ["/conversations?before=a%20b&source=essay", "/conversations?source=essay&before=a%20b"],
    ["/letters?before=3&utm_source=letter", "/letters?before=3"],
    ["/letters/12?before=3", "/letters/12"],
    ["/media?item=3&releases=2&coverage=1", "/media?coverage=1&releases=2&item=3"],
    ["/petitions?campaign=hospital", "/petitions?campaign=hospital"],
    [`/playlists/${PLAYLIST}?page=2`, `/playlists/${PLAYLIST}`],
    ["/speaking/book", "/speaking/book"],
    ["/podcast?before=3&before=4", "/podcast?before=3"],
    ["/podcast?before", "/podcast?before="],
    ["/rss/podcast.xml?page=2&before=3", "/rss/podcast.xml?page=2"],
    ["/rss/essays.xml?page=2", "/rss/essays.xml"],
    [`/rss/playlists/${PLAYLIST}.xml?page=2`, `/rss/playlists/${PLAYLIST}.xml?page=2`],
    ["/episode/1/chapters.json", "/episode/1/chapters.json"],
    ["/episode/1/transcript.vtt?t=62", "/episode/1/transcript.vtt"],
    ["/sitemap.xml", "/sitemap.xml"],
    ["/robots.txt", "/robots.txt"],
    ["/llms.txt", "/llms.txt"],
    ["/manifest.webmanifest", "/manifest.webmanifest"],
    ["/api/episodes?before=3", "/api/episodes?before=3"],
    ["/api/episodes/1", "/api/episodes/1"],
    ["/api/articles?source=essay&before=3", "/api/articles?source=essay&before=3"],
    ["/api/articles/a-long-lease", "/api/articles/a-long-lease"],
    ["/api/press?type=press_release", "/api/press?type=press_release"],
  ])("%s is cached as %s", (address, path) => expect(keyOf(address)).toEqual({ path, isEndless: false }));

  it.each([
    ["/search?q=rent&kind=essay&before=3&t=1", "/search?q=rent&kind=essay&before=3"],
    ["/api/search?q=rent", "/api/search?q=rent"],
    ["/search.data?q=rent", "/search.data?q=rent"],
  ])("%s has no end of answers", (address, path) =>
    expect(keyOf(address)).toEqual({ path, isEndless: true }),
  );

  it.each([
    ["/_.data?_routes=site%2Fhome%2Fpage", "/_.data?_routes=site%2Fhome%2Fpage"],
    ["/about.data", "/about.data"],
    ["/media.data?item=3&utm_source=letter", "/media.data?item=3"],
    ["/essays.data?_routes=a,b&before=3", "/essays.data?before=3&_routes=a%2Cb"],
  ])("%s, the data of a page, as its page", (address, path) =>
    expect(keyOf(address)).toEqual({ path, isEndless: false }),
  );
});

it.each([
  "/verify-email?token=1",
  "/verify-email.data?token=1",
  "/unsubscribe?token=1",
  "/answer?token=1&answer=2",
  "/admin",
  "/admin.data",
  "/privacy",
  "/podcast/a-slug",
  "/nothing-here",
  "/About",
  "/about/",
  "//about",
  "/constructor",
  "/episode/one",
  "/episode/1234567890",
  "/episode/:id",
  "/essays/An-Essay",
  `/essays/${"a".repeat(121)}`,
  "/playlists/1",
  "/letters/first",
  "/episode/1/transcriptxvtt",
  "/api/episodes?page=2",
  "/api/episodes?before=3&utm_source=letter",
  "/api/playlists",
  "/api/health",
  "/rss/podcast.xml.data",
  "/api/episodes.data",
  "/about.data?_routes=%3Cscript%3E",
])("%s is not cached", (address) => expect(keyOf(address)).toBeNull());

describe("the breadcrumb", () => {
  const labelsOf = (pathname: string, title?: string) => crumbsOf(pathname, title).map(({ label }) => label);

  it.each([
    ["/about", ["Home", "About"]],
    ["/guest", ["Home", "Be a Guest"]],
    ["/three-es", ["Home", "The 3 Es"]],
    ["/search", ["Home", "Search"]],
    ["/speaking/book", ["Home", "Speaking", "Book"]],
    ["/episode/12", ["Home", "Podcast", "Episode 12"]],
    ["/letters", ["Home", "Letters"]],
    [`/playlists/${PLAYLIST}`, ["Home", "Podcast", "Playlist"]],
    ["/about/", ["Home", "About"]],
  ])("of %s is %j", (pathname, labels) => expect(labelsOf(pathname)).toEqual(labels));

  it.each(["/", "/essays/an-essay", "/verify-email", "/nothing-here", "/episode/one", "/About"])(
    "of %s is empty",
    (pathname) => expect(crumbsOf(pathname)).toEqual([]),
  );

  it("of a page that is switched off is empty", () => {
    const switches = { letters: true } as const;
    expect(crumbsOf("/guest", undefined, switches)).toEqual([]);
    expect(crumbsOf("/letters", undefined, switches)).toHaveLength(2);
    expect(crumbsOf("/about", undefined, switches)).toHaveLength(2);
  });

  it("links each step, and ends with the page itself", () =>
    expect(crumbsOf("/episode/12/")).toEqual([
      { label: "Home", to: "/" },
      { label: "Podcast", to: "/podcast" },
      { label: "Episode 12", to: "/episode/12" },
    ]));

  it("names a page without a label by its title", () =>
    expect(labelsOf("/essays/an-essay", "An essay")).toEqual(["Home", "Essays", "An essay"]));

  const parents = Object.values(pages).flatMap(({ parent }) => (parent ? [parent] : []));
  it.each(parents)("leads through %s, which has a page", (parent) => expect(pageAt(parent)).toBeDefined());
});

describe("a page's skeleton", () => {
  it.each([
    ["/podcast", "podcast"],
    ["/episode/1", "episode"],
    ["/conversations", "conversations"],
    ["/essays/", "essays"],
    ["/essays/an-essay", "essay"],
    ["/media", "media"],
    ["/speaking", "speaking"],
    ["/speaking/book", "standing"],
    ["/privacy-policy", "standing"],
    ["/", undefined],
    ["/search", undefined],
    ["/petitions", undefined],
  ])("of %s is %s", (pathname, skeleton) => expect(pageAt(pathname)?.skeleton).toBe(skeleton));

  const render = (pathname: string) =>
    renderToString(<PageSkeleton pathname={pathname}>The page before</PageSkeleton>);
  it.each([
    "/podcast",
    "/episode/1",
    "/conversations",
    "/essays",
    "/essays/a",
    "/media",
    "/speaking",
    "/about",
  ])("at %s replaces the page before", (pathname) => expect(render(pathname)).toMatch(/^<div class="page/));
  it("replaces the current history entry if there is no previous page", () =>
    expect(render("/search")).toBe("The page before"));
});

test("the header names its pages by their labels", () =>
  expect(navigationOf(chromeOf(siteDefaults)).map(({ to, label }) => [to, label])).toEqual([
    ["/", "Home"],
    ["/about", "About"],
    ["/mission", "Mission"],
    ["/podcast", "Podcast"],
    ["/conversations", "Conversations"],
    ["/petitions", "Petitions"],
    ["/media", "Media"],
    ["/contact", "Contact"],
    ["/guest", "Be a Guest"],
  ]));

test.each(Object.entries(redirects))("%s leads to a page, %s", (_, to) => expect(pages[to]).toBeDefined());

const withContent = Object.entries<Listing | null>(listings)
  .filter(([, listing]) => listing?.changesWith === "content")
  .map(([path]) => path);
test.each(withContent)("%s is dated by content that the owner can change", (path) =>
  expect(Object.values<string>(pagePaths)).toContain(path),
);
