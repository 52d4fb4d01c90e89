import { renderToString } from "react-dom/server";
import { createRoutesStub, Meta, type MetaDescriptor } from "react-router";
import { describe, expect, test } from "vitest";
import {
  describeEpisode,
  describeHome,
  describePage,
  describePodcast,
  type PageMetadata,
} from "#worker/discovery/metadata.ts";
import type { Episode, PublicShow } from "#worker/episodes/contract.ts";
import { siteDefaults, type Site } from "#worker/settings/contract.ts";
import { notedSubject } from "#worker/sharing/subject.ts";
import { setArchive } from "./support/archive.ts";
import { fetchSite, SITE, visitorContext } from "./support/client.ts";
import { publishedEpisode, savedShow } from "./support/factories.ts";

const ctx = visitorContext();
const site: Site = {
  ...siteDefaults,
  name: "Imogen Tarrant",
  description: "Health, housing and policy.",
  social: { x: "https://x.com/imogen" },
};
const show: PublicShow = {
  title: "Plain Ground",
  subtitle: "",
  description: "Conversations about health, housing and policy.",
  author: "Imogen Tarrant",
  artwork: {
    src: "/media/show.jpg",
    srcset: "",
    avif: "",
    width: 1400,
    height: 1400,
    alt: "The cover of Plain Ground",
  },
  fundingUrl: null,
  fundingText: "",
  feedUrl: "/rss/podcast.xml",
  people: [],
};
const episode: Episode = {
  id: 7,
  slug: "the-waiting-room",
  title: "The waiting room",
  description: "Nine days for an appointment.",
  publishedAt: Date.UTC(2026, 0, 5, 6, 7, 8),
  seasonNumber: 2,
  episodeNumber: 3,
  episodeType: "full",
  durationSeconds: 3725,
  picture: {
    src: "/media/seven.jpg",
    srcset: "",
    avif: "",
    width: 1400,
    height: 1400,
    alt: "A waiting room",
  },
  audioUrl: "/media/seven.mp3",
  explicit: false,
  audioType: "audio/mpeg",
  audioBytes: 4321,
  videoUrl: null,
  youtubeUrl: null,
  spotifyUrl: null,
  appleUrl: null,
  showNotesHtml: "",
  chapters: [],
  people: [],
  transcript: [],
  plainTranscript: "",
  alternates: [],
  discussions: [],
};

/** The head as React Router renders it from the loader's data. */
function render(metadata: PageMetadata) {
  const Page = createRoutesStub([
    { path: "/", Component: () => <Meta />, meta: (): MetaDescriptor[] => metadata },
  ]);
  return renderToString(<Page />);
}

const structured = (metadata: PageMetadata) => structuredIn(render(metadata));

/** schema.org objects by type, as a search engine reads them from the page. */
function structuredIn(html: string) {
  const scripts = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs);
  return Object.fromEntries(
    [...scripts].map(([, json = ""]) => {
      const data = JSON.parse(json) as { "@type": string };
      return [data["@type"], data];
    }),
  );
}

const has = (metadata: PageMetadata, descriptor: PageMetadata[number]) =>
  expect(metadata).toContainEqual(descriptor);
const lacks = (metadata: PageMetadata, key: string) =>
  expect(metadata.some((descriptor) => Object.values(descriptor).includes(key))).toBe(false);
const imageOf = (metadata: PageMetadata) =>
  metadata.flatMap((each) => ("property" in each && each.property === "og:image" ? [each.content] : []))[0];
const descriptionOf = (description: string) =>
  describePage(ctx, site, { title: "Page", path: "/page", description }).flatMap((descriptor) =>
    "name" in descriptor && descriptor.name === "description" ? [descriptor.content] : [],
  )[0];

describe("every page", () => {
  const page = describePage(ctx, site, {
    title: "About",
    path: "/about",
    description: "Why I lead.",
    image: "/media/portrait.jpg",
    imageAlt: "Imogen at her desk",
  });

  test("has a title with the site's name, a description, one canonical address, and may be indexed", () => {
    has(page, { title: "About | Imogen Tarrant" });
    has(page, { name: "description", content: "Why I lead." });
    has(page, { tagName: "link", rel: "canonical", href: `${SITE}/about` });
    has(page, { name: "robots", content: "index, follow" });
  });

  test("has Open Graph metadata with a large picture at an absolute URL", () => {
    has(page, { property: "og:type", content: "website" });
    has(page, { property: "og:site_name", content: "Imogen Tarrant" });
    has(page, { property: "og:title", content: "About | Imogen Tarrant" });
    has(page, { property: "og:description", content: "Why I lead." });
    has(page, { property: "og:url", content: `${SITE}/about` });
    expect(imageOf(page)).toMatch(new RegExp(`^${SITE}/share/about\\?v=`));
    has(page, { property: "og:image:width", content: "1200" });
    has(page, { property: "og:image:height", content: "630" });
    has(page, { property: "og:image:alt", content: "About. Imogen Tarrant. Imogen at her desk" });
    has(page, { name: "twitter:image:alt", content: "About. Imogen Tarrant. Imogen at her desk" });
    has(page, { name: "twitter:card", content: "summary_large_image" });
  });

  test("without a description or picture uses the site's description and a picture without a cover", () => {
    const bare = describePage(ctx, site, { title: "About", path: "/about" });
    has(bare, { name: "description", content: site.description });
    expect(notedSubject(ctx)).toMatchObject({ title: "About", label: "Imogen Tarrant", cover: null });
    lacks(describePage(ctx, { ...site, description: "" }, { title: "About", path: "/about" }), "description");
  });

  test("of an article states its date and author", () => {
    const article = describePage(ctx, site, {
      title: "An essay",
      path: "/essays/an-essay",
      type: "article",
      author: "Imogen Tarrant",
      keywords: ["housing", "policy"],
      publishedTime: 0,
      modifiedTime: 1000,
    });
    has(article, { property: "og:type", content: "article" });
    has(article, { property: "article:published_time", content: "1970-01-01T00:00:00.000Z" });
    has(article, { property: "article:modified_time", content: "1970-01-01T00:00:01.000Z" });
    has(article, { property: "article:author", content: "Imogen Tarrant" });
    has(article, { name: "author", content: "Imogen Tarrant" });
    has(article, { name: "keywords", content: "housing, policy" });
  });

  test("has its breadcrumb", () => {
    expect(structured(page).BreadcrumbList).toMatchObject({
      itemListElement: [
        { position: 1, name: "Home", item: `${SITE}/` },
        { position: 2, name: "About", item: `${SITE}/about` },
      ],
    });
  });
});

describe("a description", () => {
  test("is one line", () => expect(descriptionOf(" One\n\n two ")).toBe("One two"));

  test("of 160 characters is not shortened", () => {
    const text = `${"word ".repeat(31)}fifth`;
    expect(text.length).toBe(160);
    expect(descriptionOf(text)).toBe(text);
  });

  test("that is longer ends at a word, without a trailing comma", () => {
    expect(descriptionOf("word ".repeat(40))).toBe(`${"word ".repeat(32).trim()}…`);
    expect(descriptionOf(`${"a".repeat(150)}, ${"b".repeat(50)}`)).toBe(`${"a".repeat(150)}…`);
  });

  test("in a language without spaces ends between two letters", () => {
    expect(descriptionOf(`第12集 ${"字".repeat(200)}`)).toBe(`第12集 ${"字".repeat(155)}…`);
  });

  test("never ends in half a character", () => {
    expect(descriptionOf("🌏".repeat(200))).toBe(`${"🌏".repeat(160)}…`);
  });
});

describe("a later page of a list", () => {
  const addressesOf = (html: string) =>
    ["canonical", "og:url", "counted"].map(
      (name) =>
        new RegExp(`<(?:link rel|meta property|meta name)="${name}" (?:href|content)="([^"]*)"`).exec(
          html,
        )?.[1],
    );
  const served = async (path: string) => addressesOf(await (await fetchSite(path)).text());

  test.each([
    ["/podcast", "before"],
    ["/essays", "before"],
    ["/conversations", "before"],
    ["/letters", "before"],
    ["/media", "coverage"],
    ["/media", "releases"],
  ])(
    "of %s has its own address, by `%s` alone, and counts as the first page in analytics",
    async (path, name) => {
      await setArchive(true);
      const own = `${SITE}${path}?${name}=1795000000000-7`;
      expect(await served(`${path}?utm_source=x&${name}=1795000000000-7&fbclid=y`)).toEqual([
        own,
        own,
        `page ${path}`,
      ]);
      expect(await served(`${path}?utm_source=x`)).toEqual([SITE + path, SITE + path, `page ${path}`]);
    },
  );

  test("of a filtered list has the address of the whole list", async () => {
    const first = `${SITE}/conversations`;
    for (const path of ["?source=linkedin", "?source=linkedin&before=1795000000000-7"])
      expect(await served(`/conversations${path}`)).toEqual([first, first, "page /conversations"]);
  });

  test("has the breadcrumb and the picture of the first", () => {
    const pageOf = (before?: string) => describePodcast(ctx, site, show, [], { before });
    expect(imageOf(pageOf("1-1"))).toBe(imageOf(pageOf()));
    expect(structured(pageOf("1-1")).BreadcrumbList).toEqual(structured(pageOf()).BreadcrumbList);
  });

  test("has no parameter that the table of addresses does not list", () => {
    const page = describePage(ctx, site, {
      title: "Essays",
      path: "/essays",
      laterPage: { before: "1-1", q: "x" },
    });
    has(page, { tagName: "link", rel: "canonical", href: `${SITE}/essays?before=1-1` });
  });
});

test("the home page has only the site's name as its title, and describes the site", () => {
  const home = describeHome(ctx, site);
  has(home, { title: "Imogen Tarrant" });
  has(home, { tagName: "link", rel: "canonical", href: `${SITE}/` });
  const { WebSite, BreadcrumbList } = structured(home);
  expect(WebSite).toEqual({
    "@context": "https://schema.org",
    "@type": "WebSite",
    name: site.name,
    description: site.description,
    url: `${SITE}/`,
    sameAs: ["https://x.com/imogen"],
    potentialAction: {
      "@type": "SearchAction",
      target: { "@type": "EntryPoint", urlTemplate: `${SITE}/search?q={search_term_string}` },
      "query-input": "required name=search_term_string",
    },
  });
  expect(BreadcrumbList).toBeUndefined();
});

describe("the podcast page", () => {
  test("describes the series, its feed and its episodes", () => {
    const page = describePodcast(ctx, site, show, [episode]);
    has(page, { title: "Plain Ground | Imogen Tarrant" });
    const { PodcastSeries, BreadcrumbList } = structured(page);
    expect(PodcastSeries).toMatchObject({
      name: "Plain Ground",
      url: `${SITE}/podcast`,
      webFeed: `${SITE}/rss/podcast.xml`,
      image: `${SITE}/media/show.jpg`,
      author: { "@type": "Person", name: "Imogen Tarrant" },
      hasPart: [
        { url: `${SITE}/episode/7`, name: "The waiting room", datePublished: "2026-01-05T06:07:08.000Z" },
      ],
    });
    expect(BreadcrumbList).toMatchObject({ itemListElement: [{ name: "Home" }, { name: "Podcast" }] });
  });

  test("has metadata before the show is described", () => {
    has(describePodcast(ctx, site, null, []), { title: "Podcast | Imogen Tarrant" });
  });
});

describe("an episode's page", () => {
  test("describes the episode, its audio and its series", () => {
    const page = describeEpisode(ctx, site, show, episode);
    has(page, { property: "og:type", content: "article" });
    has(page, { property: "article:published_time", content: "2026-01-05T06:07:08.000Z" });
    has(page, { property: "og:audio", content: `${SITE}/media/seven.mp3` });
    has(page, { property: "og:image:alt", content: "The waiting room. Plain Ground. A waiting room" });
    expect(notedSubject(ctx)).toEqual({
      title: "The waiting room",
      label: "Plain Ground",
      cover: "seven.jpg",
      seed: 7,
      figure: 3,
    });
    const { PodcastEpisode, BreadcrumbList } = structured(page);
    expect(PodcastEpisode).toEqual({
      "@context": "https://schema.org",
      "@type": "PodcastEpisode",
      url: `${SITE}/episode/7`,
      name: "The waiting room",
      description: "Nine days for an appointment.",
      datePublished: "2026-01-05T06:07:08.000Z",
      duration: "PT1H2M5S",
      episodeNumber: 3,
      partOfSeason: { "@type": "PodcastSeason", seasonNumber: 2 },
      partOfSeries: {
        "@type": "PodcastSeries",
        name: "Plain Ground",
        url: `${SITE}/podcast`,
        webFeed: `${SITE}/rss/podcast.xml`,
      },
      image: `${SITE}/media/seven.jpg`,
      isFamilyFriendly: true,
      associatedMedia: {
        "@type": "AudioObject",
        contentUrl: `${SITE}/media/seven.mp3`,
        encodingFormat: "audio/mpeg",
        contentSize: "4321 B",
        duration: "PT1H2M5S",
      },
    });
    expect(BreadcrumbList).toMatchObject({
      itemListElement: [
        { name: "Home" },
        { name: "Podcast", item: `${SITE}/podcast` },
        { name: "Episode 7", item: `${SITE}/episode/7` },
      ],
    });
  });

  test("without its own picture shows the podcast's; without audio has no player card", () => {
    const bare = { ...episode, picture: null, audioUrl: null, audioType: null, audioBytes: null };
    const page = describeEpisode(ctx, site, show, bare);
    expect(notedSubject(ctx)).toMatchObject({ cover: "show.jpg" });
    has(page, {
      property: "og:image:alt",
      content: "The waiting room. Plain Ground. The cover of Plain Ground",
    });
    lacks(page, "og:audio");
    expect(structured(page).PodcastEpisode).not.toHaveProperty("associatedMedia");
  });

  test.each([
    [59, "PT59S"],
    [60, "PT1M"],
    [3600, "PT1H"],
    [3601, "PT1H1S"],
  ])("%i seconds are %s", (durationSeconds, duration) => {
    const page = describeEpisode(ctx, site, show, { ...episode, durationSeconds });
    expect(structured(page).PodcastEpisode).toMatchObject({ duration });
  });

  test("a title cannot close the script element that contains it, and is unchanged", () => {
    const title = `</script><script>alert(1)</script><!-- "it's" & \u2028 🌏`;
    const page = describeEpisode(ctx, site, show, { ...episode, title });
    const html = render(page);
    expect(html).not.toContain("<script>alert(1)");
    expect(html).not.toContain("<!--");
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(structured(page).PodcastEpisode).toMatchObject({ name: title });
  });
});

test("the served page of an episode contains all of this", async () => {
  await savedShow();
  const title = `</script><script>alert(1)</script>`;
  const { id } = await publishedEpisode({ title });
  const html = await (await fetchSite(`/episode/${id}`)).text();
  expect(html).toContain(`<link rel="canonical" href="${SITE}/episode/${id}"/>`);
  expect(html).not.toContain("<script>alert(1)");
  expect(structuredIn(html).PodcastEpisode).toMatchObject({ name: title, url: `${SITE}/episode/${id}` });
});
