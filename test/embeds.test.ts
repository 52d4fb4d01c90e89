import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { gzipSync } from "node:zlib";
import { api, documents, pages, redirects, wellKnown } from "#worker/addresses.ts";
import { frameCode } from "#worker/embeds/frame.ts";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { publishedArticle } from "./support/articles.ts";
import { archivedLetter, setArchive } from "./support/archive.ts";
import { fetchSite, ownerContext, SITE } from "./support/client.ts";
import { publishedEpisode, savedShow, storedAudio, storedImage } from "./support/factories.ts";
import { aListener, fillPlaylist, manyEpisodes } from "./support/listeners.ts";
import { open } from "./support/pages.ts";

const variants = [160, 320, 640, 1280, 1600];
let episode: { id: number };
let playlist: string;
let hidden: string;

beforeAll(async () => {
  const { id: artworkFileId } = await storedImage({ variants });
  await savedShow({ artworkFileId });
  const { id: imageFileId } = await storedImage({ variants, avifVariants: [320, 448, 656] });
  episode = await publishedEpisode({
    title: `Rent & "repair"`,
    audioFileId: (await storedAudio({ durationSeconds: 3725 })).id,
    imageFileId,
    imageAlt: "A street of terraces",
    chapters: [{ start: 0, title: "Beginning", url: null }],
    transcript: "WEBVTT\n\n00:00.000 --> 00:02.000\n<v A>The rent.",
  });
  const listener = aListener();
  playlist = (await listener.create({ name: "For the tram", isPublic: true })).id;
  hidden = (await listener.create({ name: "Mine" })).id;
  await fillPlaylist(playlist, [episode.id, (await publishedEpisode({ title: "Another" })).id]);
});

const episodeEmbed = () => `/embed/episode/${episode.id}`;
const playlistEmbed = () => `/embed/playlist/${playlist}`;
const policyOf = ({ headers }: Response) => headers.get("Content-Security-Policy") ?? "";

describe("an embedded episode", () => {
  test("is a page of its own with title, show, cover and the audio that every listener gets", async () => {
    const { response, html, mainText } = await open(episodeEmbed());
    expect([response.status, response.headers.get("Content-Type")]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
    expect(mainText).toContain(`Plain Ground Rent & "repair"`);
    expect(html).toMatch(/<audio[^>]* controls=""[^>]* src="\/media\/podcast-audio\/[^"]+"/);
    expect(html).toContain(`href="${SITE}/episode/${episode.id}" target="_blank" rel="noopener"`);
    expect(html).toContain('<meta name="robots" content="noindex"/>');
    expect(html).toContain('<html lang="en-AU">');
    expect(html).toContain('alt="A street of terraces"');
    expect(html).toMatch(/<span id="total">1:02:05<\/span>/);
  });

  test("is laid out from right to left if the site's language is", async () => {
    await updateSite(ownerContext(), { language: "he" });
    const { html } = await open(episodeEmbed());
    await updateSite(ownerContext(), { language: siteDefaults.language });
    expect(html).toContain('<html lang="he" dir="rtl">');
  });

  test("names every control to screen readers", async () => {
    const { html } = await open(episodeEmbed());
    for (const name of ["Play", "Back 15 seconds", "Forward 30 seconds", "Seek"])
      expect(html).toContain(`aria-label="${name}"`);
  });

  test("loads nothing but its own HTML and a copy of the cover of at most 320 px", async () => {
    const { html } = await open(episodeEmbed());
    const pictures = [...html.matchAll(/(\/media\/\S+?\.(?:webp|avif|jpg))/g)].map(([, src]) => src!);
    expect(pictures.length).toBeGreaterThan(2);
    for (const src of pictures) expect(src).toMatch(/\/(160|320)\/[^/]+\.(webp|avif)$/);
    expect(html).not.toMatch(/<link|<script[^>]*src=|__reactRouter|modulepreload/);
    expect(new TextEncoder().encode(html).length).toBeLessThan(16_000);
  });

  test("shows generated artwork if the cover has no copies: an original may have megabytes", async () => {
    const { id: imageFileId } = await storedImage();
    const { id } = await publishedEpisode({ imageFileId });
    const { html } = await open(`/embed/episode/${id}`);
    expect(html).not.toMatch(/<img|picture\.jpg/);
    expect(html).toContain('viewBox="0 0 600 600"');
  });

  test("without audio leads to its page", async () => {
    const { id } = await publishedEpisode({ audioFileId: null });
    const { html, mainText } = await open(`/embed/episode/${id}`);
    expect(mainText).toContain("No audio yet. Open the episode");
    expect(html).not.toMatch(/<audio|<script/);
  });

  test("shows a message when the episode is deleted", async () => {
    const { id } = await publishedEpisode();
    await updateEpisode(ownerContext(), id, { status: "archived" });
    for (const path of [`/embed/episode/${id}`, "/embed/episode/none", `/embed/playlist/${hidden}`]) {
      const { response, mainText } = await open(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(mainText).toContain("This is no longer available");
      expect(response.headers.get("Cache-Control")).toBe("no-store");
    }
  });
});

describe("an embedded playlist", () => {
  test("has its name, the show's cover and its episodes to choose from", async () => {
    const { html, mainText } = await open(playlistEmbed());
    expect(mainText).toContain("Plain Ground · Playlist For the tram");
    const options = [
      ...html.matchAll(/<option value="(\/media\/[^"]+)" data-seconds="\d+"[^>]*>(.*?)<\/option>/g),
    ];
    expect(options.map(([, , text]) => text)).toEqual(["1. Rent &amp; &quot;repair&quot;", "2. Another"]);
    for (const name of ["Previous episode", "Next episode", "Episode"])
      expect(html).toContain(`aria-label="${name}"`);
  });

  test("of many long ones is bounded, and says how many are left", async () => {
    const listener = aListener();
    const { id } = await listener.create({ name: "All", isPublic: true });
    const { id: audioFileId } = await storedAudio();
    const ids = await manyEpisodes(60);
    await env.DB.prepare(
      "update episodes set audio_file_id = ?, title = hex(randomblob(75)) where title like 'Number %'",
    )
      .bind(audioFileId)
      .run();
    await fillPlaylist(id, ids);
    const { html, mainText } = await open(`/embed/playlist/${id}`);
    expect(html.match(/<option/g)).toHaveLength(50);
    expect(mainText).toContain("10 more in the full playlist");
    // The copy of a cover has the rest of the 40 kB.
    expect(gzipSync(html).length).toBeLessThan(16_000);
  });
});

describe("framing", () => {
  const fill = (path: string) =>
    path
      .replace(/^(\/embed\/playlist|.*playlists)\/:id/, `$1/${playlist}`)
      .replace(":id", String(episode.id))
      .replace(":slug", "an-essay");

  test("is for embeds alone: every other public address refuses it", async () => {
    await publishedArticle({ slug: "an-essay" });
    await setArchive(true);
    await archivedLetter();
    const tables = { ...pages, ...redirects, ...wellKnown, ...documents, ...api };
    const others = [
      "/nothing/here",
      "/admin/login",
      "/media/nothing",
      "/api/health",
      "/api/nothing",
      "/favicon.ico",
    ];
    const framable: string[] = [];
    for (const row of [
      ...Object.keys(tables),
      ...others,
      "/embed",
      "/embed/episode/1.data",
      "/embed/other/1",
    ]) {
      const response = await fetchSite(fill(row));
      await response.body?.cancel();
      const isFramable = response.headers.get("X-Frame-Options") !== "DENY";
      if (isFramable) framable.push(row);
      else if (response.status !== 304)
        expect([row, policyOf(response)]).toEqual([
          row,
          expect.stringMatching(/frame-ancestors 'none'|sandbox/),
        ]);
    }
    expect(framable).toEqual(["/embed/episode/:id", "/embed/playlist/:id"]);
  });

  test("embeds, also deleted ones, may be framed by any site, and only run their own script", async () => {
    for (const path of [episodeEmbed(), playlistEmbed(), "/embed/episode/999999"]) {
      const response = await fetchSite(path);
      expect(policyOf(response)).toMatch(
        /^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; img-src 'self'; media-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors \*$/,
      );
      expect(response.headers.has("Rostrum-Framable")).toBe(false);
      expect(response.headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
    }
  });
});

describe("oEmbed", () => {
  const ask = async (query: Record<string, string>) => fetchSite(`/oembed?${new URLSearchParams(query)}`);
  const read = async (query: Record<string, string>) =>
    (await (await ask(query)).json()) as Record<string, string | number>;
  const page = () => `${SITE}/episode/${episode.id}`;

  test("has the embed code of an episode", async () => {
    const response = await ask({ url: page() });
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/json"]);
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(await response.json()).toEqual({
      version: "1.0",
      type: "rich",
      title: `Rent & "repair"`,
      author_name: "Imogen Tarrant",
      provider_name: expect.any(String),
      provider_url: SITE,
      cache_age: 3600,
      // The widest that fits the frame's height.
      thumbnail_url: expect.stringMatching(/^http:\/\/localhost:8787\/media\/.+\/160\/picture\.webp$/),
      thumbnail_width: 160,
      thumbnail_height: 160,
      html: frameCode({ src: SITE + episodeEmbed(), title: `Rent & "repair"`, width: 600, height: 200 }),
      width: 600,
      height: 200,
    });
  });

  test("and a public playlist", async () => {
    const found = await read({ url: `${SITE}/playlists/${playlist}` });
    expect(found).toMatchObject({ title: "For the tram", type: "rich" });
    expect(found["html"]).toContain(`src="${SITE}${playlistEmbed()}"`);
  });

  test.each(["?t=90", "/", "#chapters", "?utm_source=newsletter"])(
    "takes the address with %s behind it",
    async (rest) => {
      expect((await ask({ url: page() + rest })).status).toBe(200);
    },
  );

  test("begins an episode at the moment of its address", async () => {
    const { html } = (await read({ url: `${page()}?t=1m30s` })) as { html: string };
    const [, src = ""] = /src="([^"]+)"/.exec(html) ?? [];
    expect(src).toBe(`${SITE}${episodeEmbed()}?t=90`);
    const startIn = async (query: string) =>
      /<audio[^>]*#t=([\d.]+)"/.exec(await (await fetchSite(episodeEmbed() + query)).text())?.[1];
    expect(await Promise.all(["?t=90", "?t=1:30.5", "?t=soon", "?t=999999", ""].map(startIn))).toEqual([
      "90",
      "90.5",
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("takes the address of the embed itself, and of the other scheme", async () => {
    expect((await ask({ url: SITE + episodeEmbed() })).status).toBe(200);
    expect((await ask({ url: page().replace("http:", "https:") })).status).toBe(200);
  });

  test("is at most as large as the site allows", async () => {
    const found = await read({ url: page(), maxwidth: "320", maxheight: "120" });
    expect(found).toMatchObject({ width: 320, height: 120 });
    expect(found["html"]).toContain('width="320" height="120"');
    expect(found["thumbnail_url"]).toBeUndefined();
    expect(await read({ url: page(), maxwidth: "1000", maxheight: "700" })).toMatchObject({
      width: 600,
      height: 200,
      thumbnail_width: 640,
    });
    expect(await read({ url: page(), maxwidth: "wide", maxheight: "-1" })).toMatchObject({
      width: 600,
      height: 200,
    });
  });

  test("is XML on request", async () => {
    const response = await ask({ url: page(), format: "xml" });
    expect(response.headers.get("Content-Type")).toBe("text/xml; charset=utf-8");
    const xml = await response.text();
    expect(xml).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?><oembed><version>1.0<\/version><type>rich<\/type>/,
    );
    expect(xml).toContain("<title>Rent &amp; &quot;repair&quot;</title>");
    expect(xml).toContain("<width>600</width><height>200</height>");
    expect(xml).toContain("<html>&lt;iframe src=&quot;");
  });

  test.each([
    ["of another site", "https://example.com/episode/1", 404],
    ["of another port", "http://localhost:1/episode/1", 404],
    ["that is none", "episode/1", 404],
    ["of another scheme", "ftp://localhost:8787/episode/1", 404],
    ["of a page that is no episode", `${SITE}/about`, 404],
    ["of an episode that is not there", `${SITE}/episode/999999`, 404],
  ])("has nothing for an address %s", async (_what, url, status) => {
    expect((await ask({ url })).status).toBe(status);
  });

  test("reveals nothing of a private playlist", async () => {
    expect((await ask({ url: `${SITE}/playlists/${hidden}` })).status).toBe(404);
  });

  test("knows no third format, and wants an address", async () => {
    expect((await ask({ url: page(), format: "yaml" })).status).toBe(501);
    expect((await ask({})).status).toBe(422);
  });

  test.each([
    ["an episode's page", () => `/episode/${episode.id}`],
    ["a public playlist's page", () => `/playlists/${playlist}`],
  ])("is found from %s, in both formats", async (_what, path) => {
    const { html } = await open(path());
    const links = [
      ...html.matchAll(
        /<link rel="alternate" type="([a-z]+\/[a-z]+\+oembed)" title="[^"]+" href="([^"]+)"\/>/g,
      ),
    ];
    expect(links.map(([, type]) => type)).toEqual(["application/json+oembed", "text/xml+oembed"]);
    for (const [, , href] of links) {
      const { pathname, search } = new URL(href!.replaceAll("&amp;", "&"));
      expect((await fetchSite(pathname + search)).status).toBe(200);
    }
  });
});

describe("the code that embeds", () => {
  test("escapes any title", () => {
    expect(frameCode({ src: `${SITE}/embed/episode/1`, title: `<b> & "x"` })).toBe(
      `<iframe src="${SITE}/embed/episode/1" title="&#60;b&#62; &#38; &#34;x&#34;" width="100%" height="200" style="border:0;max-width:100%" loading="lazy"></iframe>`,
    );
  });
});

describe("a player card", () => {
  const metaOf = (html: string) =>
    Object.fromEntries(
      [...html.matchAll(/<meta name="(twitter:[^"]+)" content="([^"]*)"\/>/g)].map(([, name, content]) => [
        name,
        content,
      ]),
    );

  test("plays an episode in its embed, or the audio itself", async () => {
    const { html } = await open(`/episode/${episode.id}`);
    expect(metaOf(html)).toMatchObject({
      "twitter:card": "player",
      "twitter:player": SITE + episodeEmbed(),
      "twitter:player:width": "600",
      "twitter:player:height": "200",
      "twitter:player:stream": expect.stringMatching(/^http:\/\/localhost:8787\/media\/podcast-audio\//),
      "twitter:player:stream:content_type": "audio/mpeg",
    });
  });

  test("is absent from a page without audio", async () => {
    const { id } = await publishedEpisode({ audioFileId: null });
    const { html } = await open(`/episode/${id}`);
    expect(metaOf(html)["twitter:card"]).toBe("summary_large_image");
    expect(metaOf(html)["twitter:player"]).toBeUndefined();
  });
});
