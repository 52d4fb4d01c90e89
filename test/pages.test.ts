import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { yearOf } from "#site/ui/format.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { fetchSite, ownerContext } from "./support/client.ts";
import { holdClock } from "./support/clock.ts";
import { publishedEpisode, storedAudio, savedShow, storedImage, unique } from "./support/factories.ts";
import { open, titleOf } from "./support/pages.ts";

const canonicalOf = (html: string) => /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1];

describe("before anything is published", () => {
  it("the home page and the podcast show the next step", async () => {
    expect((await open("/")).text).toContain("The first episode is coming soon");
    const podcast = await open("/podcast");
    expect(podcast.response.status).toBe(200);
    expect(podcast.text).toContain("No episodes yet");
  });

  it("a search without results announces no suggestions, as there are none", async () => {
    const { text } = await open("/search?q=verandah");
    expect(text).toContain("No results for “verandah”. Try fewer or different words.");
  });

  it("the guest page has no second rule for figures that the owner has not entered", async () => {
    const { html } = await open("/guest");
    expect(html).toContain("Apply now");
    expect(html).not.toContain("border-t-2 border-signal");
  });
});

describe("the home page", () => {
  it("leads with the latest episode and lists the ones before it", async () => {
    const older = await publishedEpisode({ publishedAt: Date.UTC(2025, 0, 1) });
    const latest = await publishedEpisode();
    const { response, html, text } = await open("/");
    expect(response.status).toBe(200);
    expect(text).toMatch(new RegExp(`Latest episode.*${latest.title}.*Play episode.*${older.title}`));
    expect(html).toContain(`href="/episode/${latest.id}"`);
    expect(canonicalOf(html)).toBe("http://localhost:8787/");
  });

  it("has the site's name and shows only the links that are set", async () => {
    const site = { name: `Site ${unique()}`, description: "On policy.", social: {}, platforms: {} };
    await updateSite(ownerContext(), { ...site, platforms: { spotify: "https://open.spotify.com/show/1" } });
    const { html, text } = await open("/");
    expect(titleOf(html)).toBe(site.name);
    expect(text).toContain("On policy.");
    expect(html).toContain('href="https://open.spotify.com/show/1"');
    expect(text).not.toContain("Apple Podcasts");
    expect(text).not.toContain("Follow X");
  });
});

describe("the podcast page", () => {
  it("shows image, date, duration, title, description and a way to listen", async () => {
    const image = await storedImage();
    const episode = await publishedEpisode({
      imageFileId: image.id,
      imageAlt: "Hills above a sea",
      publishedAt: Date.UTC(2026, 2, 4),
    });
    const { html, text } = await open("/podcast");
    expect(html).toContain(`/media/${image.key}`);
    expect(text).toContain("Mar 4, 2026");
    expect(text).toContain("2m");
    expect(text).toContain(episode.title);
    expect(text).toContain(episode.description);
    expect(text).toContain("Listen Now");
  });

  it("names the show and offers its feed", async () => {
    await savedShow({ title: "Plain Ground", description: "Long conversations." });
    const { html, text } = await open("/podcast");
    expect(titleOf(html)).toContain("Plain Ground");
    expect(text).toContain("Long conversations.");
    expect(html).toContain('href="/rss/podcast.xml"');
  });

  it("links to older episodes page by page, and marks the end of the list", async () => {
    const since = Date.UTC(2020, 0, 1);
    for (let day = 0; day < 30; day++) await publishedEpisode({ publishedAt: since + day * 86_400_000 });
    const olderIn = (html: string) =>
      /href="(\/podcast\?before=[^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    const first = await open("/podcast");
    const second = await open(olderIn(first.html)!);
    const third = await open(olderIn(second.html)!);
    const pages = [first, second, third].map(({ text }) => text);
    expect(pages.map((text) => text.includes("Jan 30, 2020"))).toEqual([true, false, false]);
    expect(pages.map((text) => text.includes("Jan 15, 2020"))).toEqual([false, true, false]);
    expect(pages.map((text) => text.includes("Jan 1, 2020"))).toEqual([false, false, true]);
    expect(olderIn(third.html)).toBeUndefined();
    expect((await open("/podcast?before=1-1")).text).toContain("No older episodes");
  });

  it("answers a cursor that it did not hand out with 404", async () => {
    const { response, text } = await open("/podcast?before=yesterday");
    expect(response.status).toBe(404);
    expect(text).toContain("Page not found");
  });
});

describe("when the episodes cannot be read", () => {
  it.each([
    ["/podcast", "Failed to load episodes. Please try again later."],
    ["/episode/1", "Failed to load this episode. Please try again later."],
    ["/", "Failed to load this page. Please try again later."],
  ])("%s shows an error with a retry and no details", async (path, message) => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const { db } = ownerContext();
    await db.run(sql`alter table episodes rename to episodes_away`);
    const { response, html, text } = await open(path);
    await db.run(sql`alter table episodes_away rename to episodes`);
    log.mockRestore();
    expect(response.status).toBe(500);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(text).toContain(`${message} An unexpected error occurred.`);
    expect(text).toContain("Try Again");
    expect(html).not.toContain("no such table");
  });
});

describe("an episode's page", () => {
  it("shows everything that the episode has", async () => {
    const episode = await publishedEpisode({
      title: "The waiting room is a policy",
      seasonNumber: 3,
      episodeNumber: 41,
      publishedAt: Date.UTC(2026, 10, 21, 1),
      showNotes: "Read **the page** first.",
      youtubeUrl: "https://www.youtube.com/watch?v=abc",
      videoUrl: "https://video.example.com/1.mp4",
      spotifyUrl: "https://open.spotify.com/episode/1",
      appleUrl: "https://podcasts.apple.com/episode/1",
      chapters: [{ start: 75, title: "A page, written on a Thursday", url: null }],
      people: [{ name: "Maren Oakleigh", role: "guest", group: "cast", href: null }],
      transcript: "WEBVTT\n\n00:00:02.000 --> 00:00:05.000\n<v Imogen Tarrant>This is Plain Ground.\n",
    });
    const { response, html, text } = await open(`/episode/${episode.id}`);
    expect(response.status).toBe(200);
    expect(titleOf(html)).toContain("The waiting room is a policy");
    expect(canonicalOf(html)).toBe(`http://localhost:8787/episode/${episode.id}`);
    expect(text).toContain("21 November 2026");
    expect(text).toContain("Season 3");
    expect(text).toContain("Episode 41");
    expect(text).toContain("2m");
    expect(html).toContain("<strong>the page</strong>");
    for (const href of [episode.youtubeUrl, episode.videoUrl, episode.spotifyUrl, episode.appleUrl]) {
      expect(html).toContain(`href="${href}"`);
    }
    expect(html).toMatch(/<audio controls="" preload="none"[^>]+src="\/media\//);
    expect(text).toContain("Play in Audio Player");
    expect(html).toMatch(/href="\?t=75"/);
    expect(text).toContain("A page, written on a Thursday 1:15");
    expect(text).toContain("Maren Oakleigh");
    expect(text).toContain("Imogen Tarrant This is Plain Ground.");
    expect(html).toContain('href="/podcast"');
  });

  it("has no player, links or sections for missing data", async () => {
    const { id } = await publishedEpisode({ audioFileId: null });
    const { html, text } = await open(`/episode/${id}`);
    expect(html).not.toContain("<audio controls");
    for (const absent of [
      "Play in Audio Player",
      "Chapters",
      "Transcript",
      "Show notes",
      "People",
      "Watch",
    ]) {
      expect(text).not.toContain(absent);
    }
  });

  it("starts at ?t=, without scripts too", async () => {
    const { id } = await publishedEpisode();
    expect((await open(`/episode/${id}?t=90`)).html).toMatch(/src="\/media\/[^"]+#t=90"/);
    expect((await open(`/episode/${id}?t=soon`)).html).not.toContain("#t=");
  });

  it("starts at 0 if ?t= is after its end", async () => {
    const { id } = await publishedEpisode({ audioFileId: (await storedAudio({ durationSeconds: 75.4 })).id });
    const { html, text } = await open(`/episode/${id}?t=99999`);
    expect(html).not.toContain("#t=");
    expect(text).toContain("Play in Audio Player");
    expect(text).not.toContain("Play from");
  });

  it("offers to play from ?t=, and opens the transcript there", async () => {
    const transcript =
      "WEBVTT\n\n00:00:02.000 --> 00:00:05.000\n<v Imogen>Before.\n\n00:01:20.000 --> 00:01:40.000\n<v Maren>There.\n";
    const { id } = await publishedEpisode({ transcript });
    const { html, text } = await open(`/episode/${id}?t=90`);
    expect(text).toContain("Play from 1:30");
    expect(html).toMatch(/<details open/);
    expect(html).toMatch(/aria-current="time"(?:(?!aria-current).)*There\./);
    expect((await open(`/episode/${id}`)).html).not.toContain("<details open");
  });

  it("names the episode in its breadcrumb", async () => {
    const { id } = await publishedEpisode();
    expect((await open(`/episode/${id}`)).text).toMatch(new RegExp(`Home Podcast Episode ${id} `));
  });

  it("shows a hostile title as the text it is", async () => {
    const title = `</script><script>alert("1")</script> & "quotes" ${unique()}`;
    const { id } = await publishedEpisode({ title, description: '"><img src=x onerror=alert(1)>' });
    for (const path of ["/", "/podcast", `/episode/${id}`]) {
      const { html, text } = await open(path);
      expect(html).not.toContain("<script>alert");
      expect(html).not.toContain("<img src=x");
      expect(text).toContain(title);
    }
  });

  it.each(["999999", "0", "-1", "1.5", "abc", "1e3", "99999999999999999999"])(
    "answers /episode/%s with Episode Not Found, 404 and a way back",
    async (id) => {
      const { response, html, text } = await open(`/episode/${id}`);
      expect(response.status).toBe(404);
      expect(response.headers.get("Cache-Control")).toBe("no-store");
      expect(text).toContain("Episode Not Found");
      expect(html).toContain('href="/podcast"');
    },
  );

  it.each(["draft", "archived"] as const)("does not exist for visitors while it is %s", async (status) => {
    const episode = await publishedEpisode({ title: `Hidden ${unique()}`, slug: `hidden-${unique()}` });
    await updateEpisode(ownerContext(), episode.id, { status });
    expect((await open(`/episode/${episode.id}`)).response.status).toBe(404);
    expect((await open(`/podcast/${episode.slug}`)).response.status).toBe(404);
    expect((await open("/podcast")).html).not.toContain(episode.title);
    expect((await open("/")).html).not.toContain(episode.title);
    expect((await open(`/episode/${episode.id}.data`)).html).not.toContain(episode.title);
  });
});

describe("/podcast/{slug}", () => {
  it("redirects permanently to the episode", async () => {
    const { id } = await publishedEpisode({ slug: `three-storeys-${unique()}` });
    const { slug } = await publishedEpisode({ slug: `a-verandah-${unique()}` });
    const response = await fetchSite(`/podcast/${slug}`);
    expect(response.status).toBe(301);
    expect(response.headers.get("Location")).toBe(`/episode/${id + 1}`);
  });

  it("redirects with the query parameters of the episode's page, and no others", async () => {
    const { id, slug } = await publishedEpisode({ slug: `a-lemon-tree-${unique()}` });
    const leadsTo = async (query: string) =>
      (await fetchSite(`/podcast/${slug}${query}`)).headers.get("Location");
    expect(await leadsTo("?t=30")).toBe(`/episode/${id}?t=30`);
    expect(await leadsTo("?t=90")).toBe(`/episode/${id}?t=90`);
    expect(await leadsTo("?utm_source=letter&reply=4&t=30%26x")).toBe(`/episode/${id}?t=30%26x&reply=4`);
    expect(await leadsTo("?utm_source=letter")).toBe(`/episode/${id}`);
    expect(await leadsTo("/?t=30")).toBe(`/episode/${id}?t=30`);
  });

  it("answers a slug that no episode has with the 404 page", async () => {
    const { response, text } = await open("/podcast/nothing-of-the-kind");
    expect(response.status).toBe(404);
    expect(text).toContain("Page not found");
  });
});

describe("any other path", () => {
  it("shows the 404 page with a way home, and logs the path", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { response, html, text } = await open("/no/such-page");
    expect(response.status).toBe(404);
    expect(titleOf(html)).toContain("Page not found");
    expect(text).toContain("Page not found");
    expect(text).toContain("Return to Home");
    expect(html).toContain('name="robots" content="noindex"');
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('"message":"404: /no/such-page"'));
    warn.mockRestore();
  });
});

describe("every public page", () => {
  it.each(["/", "/podcast", "/nowhere"])("%s says that it is HTML of today", async (path) => {
    vi.spyOn(console, "warn").mockReturnValueOnce();
    expect((await open(path)).html).toMatch(/^<!DOCTYPE html><html lang="en-AU"/);
  });

  it("may be cached if it is revalidated, and an error may not", async () => {
    expect((await fetchSite("/podcast")).headers.get("Cache-Control")).toBe("public, no-cache");
    expect((await fetchSite("/podcast.data")).headers.get("Cache-Control")).toBe("public, max-age=30");
    expect((await fetchSite("/nowhere")).headers.get("Cache-Control")).toBe("no-store");
  });

  it("marks the link of the page it is: the home page exactly, the others by the beginning of their path", async () => {
    const current = async (path: string) =>
      /aria-current="page"[^>]*>([^<]+)</.exec((await open(path)).html)?.[1];
    expect(await current("/")).toBe("Home");
    expect(await current("/podcast")).toBe("Podcast");
    expect(await current("/podcast/unknown")).toBe("Podcast");
  });

  it("chooses the theme before anything is painted and names the feed", async () => {
    const { html } = await open("/");
    expect(html.indexOf('localStorage.getItem("theme")')).toBeLessThan(html.indexOf("</head>"));
    expect(html).toContain('type="application/rss+xml"');
    expect(html).toContain('href="#content"');
  });

  it("has the current year", async () => {
    holdClock();
    expect((await open("/")).text).toContain(`© ${yearOf(Date.now(), siteDefaults)}`);
  });
});
