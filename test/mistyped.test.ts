import { beforeAll, describe, expect, test, vi } from "vitest";
import { updateArticle } from "#worker/articles/commands.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { archivedLetter, setArchive } from "./support/archive.ts";
import { publishedArticle } from "./support/articles.ts";
import { fetchSite, ownerContext, SITE } from "./support/client.ts";
import { aPressItem, publishedEpisode, savedShow, unique } from "./support/factories.ts";
import { aListener } from "./support/listeners.ts";
import { open } from "./support/pages.ts";
import { MORE_THAN_A_BURST } from "./support/rates.ts";

let essay = "";
let episode = "";
let episodeSlug = "";
let letter = "";

beforeAll(async () => {
  await savedShow();
  await setArchive(true);
  essay = `/essays/${(await publishedArticle()).slug}`;
  episodeSlug = `said-${unique()}`;
  episode = `/episode/${(await publishedEpisode({ slug: episodeSlug })).id}`;
  letter = `/letters/${await archivedLetter()}`;
});

/** The target of an address's redirect, without the host; the status if it does not redirect. */
async function targetOf(path: string, init?: RequestInit) {
  const { status, headers } = await fetchSite(path, init);
  const location = headers.get("Location");
  if (status !== 301 || location === null) return status;
  const { origin, pathname, search, hash } = new URL(location, SITE);
  expect(origin).toBe(SITE);
  return pathname + search + hash;
}

describe("an address copied with the characters after it", () => {
  test.each([
    ..."., ; : ! ? ) ] } > » › ” ’ \" ' … 。 、 ， ） 」 』 】 ！ ？ ： ； ؟ ، ۔ ।".split(" "),
    "*",
    "**",
    "_",
    "~",
    "`",
    "\\",
    "|",
    "%",
    "-",
    "--",
    "‐",
    "–",
    "—",
    "-.",
    ").",
    "?!",
    "...",
    "。」",
    " ",
    "\u200B",
    "\u00A0",
    "\u00AD",
    "\uFEFF",
    "\u200E",
    "\u2060",
    "\u3000",
    "\n",
    ".\u200B",
  ])("%j at its end redirects once to the intended address", async (end) => {
    const encoded = encodeURIComponent(end).replace(
      /[!'()*~.]/g,
      (sign) => `%${sign.charCodeAt(0).toString(16)}`,
    );
    expect(await targetOf(essay + encoded)).toBe(essay);
    expect(await targetOf(episode + encoded)).toBe(episode);
    // A raw `?` begins a query, which the address may have; a backslash is a slash, as browsers read it.
    if (!/[?\s\uFEFF\\]/u.test(end)) expect(await targetOf(essay + end)).toBe(essay);
  });

  test.each([
    ["&utm_source=letter", "?utm_source=letter"],
    ["&amp;utm_source=letter&amp;b=2", "?utm_source=letter&b=2"],
    ["%3Futm_source%3Dletter", "?utm_source=letter"],
    ["%253Futm_source%253Dletter", "?utm_source=letter"],
    ["%26t=90?comments=2", "?t=90&comments=2"],
    ["%23notes", "#notes"],
    [".?t=90", "?t=90"],
    ["./", ""],
    ["/.", ""],
    ["//", ""],
    ["/)/", ""],
    [".html", ""],
    ["/index.html", ""],
    [".Then", ""],
    ["%20and%20more", ""],
    ["。そして", ""],
  ])("%s redirects once, and %j remains of it", async (end, rest) => {
    expect(await targetOf(essay + end)).toBe(essay + rest);
    expect(await targetOf(essay.toUpperCase() + end)).toBe(essay + rest);
  });

  test("an invisible character or another dash within it is accepted", async () => {
    const hidden = essay.replace("article-", "arti%E2%80%8Bcle%E2%80%91");
    expect(hidden).not.toBe(essay);
    expect(await targetOf(hidden)).toBe(essay);
    expect(await targetOf(`/${essay}`)).toBe(essay);
  });

  test("the slash behind a short or an old address costs no redirect of its own", async () => {
    for (const path of ["/feed", "/feed.xml", "/rss", "/rss.xml"]) {
      expect([path, await targetOf(`${path}/`)]).toEqual([path, "/rss/podcast.xml"]);
    }
    expect(await targetOf("/feed/?utm_source=app")).toBe("/rss/podcast.xml?utm_source=app");
    expect(await targetOf("/privacy/")).toBe("/privacy-policy");
    expect(await targetOf(`/podcast/${episodeSlug}/`)).toBe(episode);
  });

  test("the slash behind a former slug, or capitals in it, cost no redirect of their own", async () => {
    const { id, slug } = await publishedArticle();
    const renamed = `renamed-${unique()}`;
    await updateArticle(ownerContext(), id, { slug: renamed });
    for (const path of [`/essays/${slug}/`, `/Essays/${slug.toUpperCase()}`, `/Essays/${slug}/`])
      expect([path, await targetOf(path)]).toEqual([path, `/essays/${renamed}`]);
    expect(await targetOf(`/essays/${slug}/?utm_source=letter`)).toBe(`/essays/${renamed}?utm_source=letter`);
    expect(await targetOf(`/essays/${renamed}/`)).toBe(`/essays/${renamed}`);
    await updateArticle(ownerContext(), id, { status: "draft" });
    expect(await targetOf(`/essays/${slug}/`)).toBe(`/essays/${slug}`);
  });

  test("pages, feeds and documents of every kind are found", async () => {
    const { id } = await aListener().create({ isPublic: true });
    for (const path of [
      "/about",
      "/",
      "/speaking/book",
      "/rss/podcast.xml",
      "/rss/essays.xml",
      "/sitemap.xml",
      `${episode}/transcript.vtt`,
      `/embed${episode}`,
      `/playlists/${id}`,
      `/rss/playlists/${id}.xml`,
      `/embed/playlist/${id}`,
      letter,
    ]) {
      expect([path, await targetOf(`${path}).`)]).toEqual([path, path]);
    }
    expect(await targetOf("/privacy.")).toBe("/privacy-policy");
    expect(await targetOf("/index.html")).toBe("/");
    expect(await targetOf("/about.html")).toBe("/about");
  });

  test("an episode's slug and a former slug redirect to their target directly", async () => {
    expect(await targetOf(`/podcast/${episodeSlug},?t=90`)).toBe(`${episode}?t=90`);
    expect(await targetOf(`/Podcast/${episodeSlug.toUpperCase()}`)).toBe(episode);
    const { id, slug } = await publishedArticle();
    const renamed = `renamed-${unique()}`;
    await updateArticle(ownerContext(), id, { slug: renamed });
    expect(await targetOf(`/essays/${slug}.`)).toBe(`/essays/${renamed}`);
  });

  test("HEAD and the router's request for the page's data are redirected, too", async () => {
    expect(await targetOf(`${essay}.`, { method: "HEAD" })).toBe(essay);
    const response = await fetchSite(`${essay}..data`);
    expect(response.status).toBe(202);
    expect(await response.text()).toContain(essay);
  });

  test("the redirect may be remembered for an hour, not that of a token", async () => {
    const cachingOf = async (path: string) => (await fetchSite(path)).headers.get("Cache-Control");
    expect(await cachingOf(`${essay}.`)).toBe("public, max-age=3600");
    expect(await cachingOf("/unsubscribe.?token=abc")).toBe("no-store");
  });
});

describe("no redirect", () => {
  test("from what is published, nor to what is not", async () => {
    expect(await targetOf(essay)).toBe(200);
    expect(await targetOf(`${essay}?t=90.&x=)`)).toBe(200);
    const draft = await publishedArticle({ status: "draft" });
    for (const path of [
      `/essays/${draft.slug}.`,
      "/essays/never-written.",
      "/episode/999999,",
      "/episode/one.",
      "/podcast/never-said.",
      `/playlists/${crypto.randomUUID()}.`,
      "/people/-",
      "/people/--",
      "/letters/999999)",
      "/nothing.",
      "/.env",
      "/.git/config",
      "/wp-login.php",
    ]) {
      expect([path, await targetOf(path)]).toEqual([path, 404]);
    }
  });

  test("to another host", async () => {
    for (const path of [
      "//evil.example.",
      "//evil.example/about.",
      "/%2F%2Fevil.example.",
      "/\\evil.example)",
      "/https://evil.example.",
    ]) {
      const { headers } = await fetchSite(path);
      expect([path, new URL(headers.get("Location") ?? "/", SITE).origin]).toEqual([path, SITE]);
    }
  });

  test("of a write, of the API or of a file", async () => {
    expect((await fetchSite(`${essay}.`, { method: "POST" })).status).toBe(405);
    expect(await targetOf("/api/episodes.")).toBe(404);
    expect(await targetOf("/media/none.mp3.")).toBe(404);
  });
});

describe("the page of a missing address", () => {
  const nearestOf = (html: string) =>
    [
      ...(/<nav aria-labelledby="nearest".*?<\/nav>/s
        .exec(html)?.[0]
        .matchAll(/href="([^"]+)"[^>]*>([^<]+)/g) ?? []),
    ].map(([, path, title]) => [path, title]);
  const suggestedAt = async (path: string) => {
    const log = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { response, html } = await open(path);
    log.mockRestore();
    expect(response.status).toBe(404);
    expect(html).toContain('name="robots" content="noindex"');
    return nearestOf(html);
  };

  test("suggests the essay, episode, press item and page whose titles are nearest", async () => {
    const found = await publishedArticle({ title: "Quiet harbours remember everything" });
    const { id } = await publishedEpisode({ title: "The lighthouse keeper speaks" });
    const press = await createPressItem(ownerContext(), {
      ...aPressItem({ title: "Gramophone weekly interview" }),
      published: true,
    });
    expect(await suggestedAt("/essays/quiet-harbuors-remember")).toEqual([
      [`/essays/${found.slug}`, "Quiet harbours remember everything"],
    ]);
    expect(await suggestedAt("/blog/2024/quiet_harbours.html")).toEqual([
      [`/essays/${found.slug}`, "Quiet harbours remember everything"],
    ]);
    expect(await suggestedAt("/podcast/lighthouse-keepr")).toEqual([
      [`/episode/${id}`, "The lighthouse keeper speaks"],
    ]);
    expect(await suggestedAt("/episode/the-lighthouse-keeper")).toEqual([
      [`/episode/${id}`, "The lighthouse keeper speaks"],
    ]);
    expect(await suggestedAt("/press/gramophone-weekly")).toEqual([
      [`/media?item=${press.id}#press-${press.id}`, "Gramophone weekly interview"],
    ]);
    expect(await suggestedAt("/abuot")).toEqual([["/about", "About"]]);
  });

  test("suggests nothing if nothing is similar", async () => {
    expect(await suggestedAt("/xyzzy-plugh-frobnicate")).toEqual([]);
    expect(await suggestedAt("/episode/999999")).toEqual([]);
  });

  test("keeps its words and its way home", async () => {
    const { text, html } = await open("/quiet-harbours");
    expect(text).toContain("Page not found");
    expect(text).toContain("Return to Home");
    expect(html).toContain('href="/"');
  });

  test("searches no more in a burst of one address", async () => {
    const log = vi.spyOn(console, "warn").mockImplementation(() => {});
    const client = { headers: { "CF-Connecting-IP": "203.0.113.77" } };
    const costOf = (response: Response) =>
      Number(/desc="(\d+) statements/.exec(response.headers.get("Server-Timing") ?? "")?.[1]);
    const asked = Array.from({ length: MORE_THAN_A_BURST }, (_, n) =>
      fetchSite(`/quiet-harbours-${n}`, client),
    );
    const costs = (await Promise.all(asked)).map(costOf);
    log.mockRestore();
    expect(Math.max(...costs)).toBeLessThanOrEqual(6);
    expect(Math.min(...costs)).toBeLessThan(Math.max(...costs));
  });
});
