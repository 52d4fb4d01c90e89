import { eq } from "drizzle-orm";
import { parseFeed } from "podcast-partytime";
import { describe, expect, test } from "vitest";
import {
  createEpisode,
  deleteEpisode,
  publishDueEpisodes,
  updateEpisode,
} from "#worker/episodes/commands.ts";
import { readFeedShow } from "#worker/episodes/feed-queries.ts";
import { podcastGuid } from "#worker/episodes/guid.ts";
import { readEpisode } from "#worker/episodes/queries.ts";
import { readFeed } from "#worker/episodes/stored-feed.ts";
import { episodes, shows } from "#worker/episodes/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { fetchSite, jobContext, ownerContext, SITE, visitorContext } from "./support/client.ts";
import {
  anEpisode,
  aShow,
  publishedEpisode,
  savedShow,
  storedAudio,
  storedImage,
} from "./support/factories.ts";

const FEED = "/rss/podcast.xml";
const TRANSCRIPT = "WEBVTT\n\n00:00:02.400 --> 00:00:05.311\n<v Imogen Tarrant>This is Plain Ground.</v>\n";
/**
 * What most easily breaks XML and HTML. XML cannot contain the last three: a control character, half a surrogate pair,
 * a non-character.
 */
const HOSTILE = `]]> &amp; <b>"it's"</b> 🌏 é <!-- --> שלום\u0000\u000B\uD83C\uFFFE`;
const HOSTILE_AS_HTML = `]]&gt; &amp;amp; &lt;b&gt;"it's"&lt;/b&gt; 🌏 é &lt;!-- --&gt; שלום`;
const HOSTILE_AS_XML = `]]&gt; &amp;amp; &lt;b&gt;&quot;it&apos;s&quot;&lt;/b&gt; 🌏 é &lt;!-- --&gt; שלום`;

async function readXml(path = FEED) {
  const response = await fetchSite(path);
  expect(response.status).toBe(200);
  return response.text();
}

/** The feed, parsed by an independent podcast parser. */
async function readParsed() {
  const feed = parseFeed(await readXml());
  if (!feed) throw new Error("The feed does not parse.");
  return feed;
}

const guidOf = async (id: number) => {
  const [row] = await ownerContext().db.select().from(episodes).where(eq(episodes.id, id));
  return row?.guid;
};

/** The parsed item and the XML of one episode. */
async function readItem(id: number) {
  const guid = await guidOf(id);
  const xml = (await readXml()).split("<item>").find((part) => guid !== undefined && part.includes(guid));
  const item = (await readParsed()).items.find((candidate) => candidate.guid === guid);
  return { guid, item, xml: xml ?? "" };
}

const setChangedAt = (feedChangedAt: Date) => ownerContext().db.update(shows).set({ feedChangedAt });
const etagNow = async () => (await fetchSite(FEED, { method: "HEAD" })).headers.get("ETag");

test("there is no feed until the owner has described the podcast", async () => {
  const response = await fetchSite(FEED);
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    error: { code: "not_found", message: "There’s no podcast here yet." },
  });
});

test("podcast:guid is the UUIDv5 of the feed's address without scheme and trailing slashes", () => {
  expect(podcastGuid("podnews.net/rss")).toBe("9b024349-ccf0-5f69-a609-6b82873eab3c");
  expect(podcastGuid("https://podnews.net/rss//")).toBe("9b024349-ccf0-5f69-a609-6b82873eab3c");
  expect(podcastGuid("mp3s.nashownotes.com/pc20rss.xml")).toBe("917393e3-1b1e-5cef-ace4-edaa54e1f810");
});

describe("podcast apps get from the feed", () => {
  test("everything that the owner entered about the podcast", async () => {
    const artwork = await storedImage();
    const said = aShow({
      subtitle: "Talk in plain words",
      language: "en-AU",
      explicit: true,
      type: "serial",
      artworkFileId: artwork.id,
      funding: [
        { url: "https://example.com/fund?a=1&b=2", text: "Keep us going" },
        { url: "https://example.com/members" },
      ],
      updateFrequency: "Every Thursday",
      updateRule: "FREQ=WEEKLY;BYDAY=TH",
      appleVerification: "abc-123",
      people: [
        { name: "Imogen Tarrant", role: "host", group: "cast", href: "https://example.com/imogen" },
        { name: "Wes Arden", role: "Producer", group: "Creative Direction", href: null },
      ],
    });
    await savedShow(said);
    const feed = await readParsed();
    const artworkUrl = `${SITE}/media/${artwork.key}`;
    expect(feed).toMatchObject({
      title: said.title,
      subtitle: said.subtitle,
      description: said.description,
      link: `${SITE}/podcast`,
      language: "en-AU",
      copyright: said.copyright,
      author: said.author,
      owner: { name: said.ownerName, email: said.ownerEmail },
      explicit: true,
      itunesType: "serial",
      itunesImage: artworkUrl,
      image: { url: artworkUrl, title: said.title, link: `${SITE}/podcast` },
      guid: podcastGuid(`${SITE}${FEED}`),
      medium: "podcast",
      locked: true,
      podcastOwner: said.ownerEmail,
      podcastFunding: [
        { url: "https://example.com/fund?a=1&b=2", message: "Keep us going" },
        { url: "https://example.com/members", message: "Support the show" },
      ],
      podcastTxt: [{ purpose: "applepodcastsverify", value: "abc-123" }],
      pubsub: { self: `${SITE}${FEED}` },
    });
    expect(feed.podcastPeople).toEqual([
      { name: "Imogen Tarrant", role: "Host", group: "Cast", href: "https://example.com/imogen" },
      { name: "Wes Arden", role: "Producer", group: "Creative Direction", href: `${SITE}/people/wes-arden` },
    ]);
    const xml = await readXml();
    expect(xml).toContain(
      '<itunes:category text="News"><itunes:category text="Politics"/></itunes:category>',
    );
    expect(xml).toContain(
      '<podcast:updateFrequency rrule="FREQ=WEEKLY;BYDAY=TH">Every Thursday</podcast:updateFrequency>',
    );
    expect(xml).toContain("<itunes:explicit>true</itunes:explicit>");
  });

  test("everything that the owner entered about an episode", async () => {
    const audio = await storedAudio({ bytes: new Uint8Array(4321).fill(1), durationSeconds: 3725 });
    const image = await storedImage();
    const publishedAt = Date.UTC(2026, 0, 5, 6, 7, 8);
    const said = await publishedEpisode({
      title: "The waiting room",
      description: "A first line.\n\nA second one.",
      showNotes: "Read **[the report](https://example.com/report?a=1&b=2)** and [more](/about).",
      publishedAt,
      seasonNumber: 3,
      episodeNumber: 14,
      episodeType: "bonus",
      explicit: true,
      audioFileId: audio.id,
      imageFileId: image.id,
      transcript: TRANSCRIPT,
      chapters: [{ start: 0, title: "Nine days", url: null }],
      people: [{ name: "Maren Oakleigh", role: "guest", group: "cast", href: "https://example.com/maren" }],
      soundbites: [{ start: 12.5, duration: 30, title: "Nine days" }],
    });
    const { item, xml } = await readItem(said.id);
    const link = `${SITE}/episode/${said.id}`;
    expect(item).toMatchObject({
      title: said.title,
      link,
      pubDate: new Date(publishedAt),
      description: "<p>A first line.</p><p>A second one.</p>",
      content: `<p>Read <strong><a href="https://example.com/report?a=1&b=2">the report</a></strong> and <a href="${SITE}/about">more</a>.</p>`,
      enclosure: { url: `${SITE}/media/${audio.key}`, length: 4321, type: "audio/mpeg" },
      duration: 3725,
      itunesImage: `${SITE}/media/${image.key}`,
      explicit: true,
      itunesEpisodeType: "bonus",
      itunesSeason: 3,
      itunesEpisode: 14,
      podcastSeason: { number: 3 },
      podcastEpisode: { number: 14 },
      podcastChapters: { url: `${link}/chapters.json`, type: "application/json+chapters" },
      // The parser has its own name for application/x-subrip.
      podcastTranscripts: [
        { url: `${link}/transcript.vtt`, type: "text/vtt", language: "en-AU", rel: "captions" },
        { url: `${link}/transcript.srt`, type: "application/srt", language: "en-AU", rel: "captions" },
        { url: `${link}/transcript.json`, type: "application/json", language: "en-AU" },
        { url: `${link}/transcript.txt`, type: "text/plain", language: "en-AU" },
      ],
      podcastPeople: [
        // The parser capitalises roles and groups as the taxonomy does.
        { name: "Maren Oakleigh", role: "Guest", group: "Cast", href: "https://example.com/maren" },
      ],
      podcastSoundbites: [{ startTime: 12.5, duration: 30, title: "Nine days" }],
    });
    expect(xml).toContain('<guid isPermaLink="false">');
    expect(xml).toContain("<pubDate>Mon, 05 Jan 2026 06:07:08 +0000</pubDate>");
  });

  test("the new feed address, complete and hidden flags, licence, location and pictures of the podcast", async () => {
    const artwork = await storedImage({ variants: [160, 640] });
    await savedShow({
      newFeedUrl: "https://new.example/feed?a=1&b=2",
      complete: true,
      blocked: true,
      license: "CC-BY-4.0",
      places: [{ name: "Wirrabee & its river", geo: "-33.91, 151.16" }],
      artworkFileId: artwork.id,
    });
    const url = `${SITE}/media/${artwork.key}`;
    const copy = (width: number) => url.replace("/picture.jpg", `/${width}/picture.webp ${width}w`);
    const xml = await readXml();
    expect(await readParsed()).toMatchObject({
      itunesComplete: true,
      itunesBlock: true,
      podcastBlocked: "yes",
      license: { identifier: "cc-by-4.0" },
      podcastLocation: { name: "Wirrabee & its river", geo: "geo:-33.91,151.16" },
      podcastImages: [
        { raw: `${url} 1600w`, parsed: { url, width: 1600 } },
        { raw: copy(160) },
        { raw: copy(640) },
      ],
    });
    expect(xml).toContain("<itunes:new-feed-url>https://new.example/feed?a=1&amp;b=2</itunes:new-feed-url>");
    expect(xml).toContain(
      `<podcast:image href="${url}" alt="The cover of Plain Ground" aspect-ratio="1600/1600" width="1600" height="1600" type="image/jpeg" purpose="artwork"/>`,
    );
    await savedShow({ license: "Ours, v1", licenseUrl: "https://example.com/licence" });
    const bare = await readXml();
    expect(bare).toContain('<podcast:license url="https://example.com/licence">Ours, v1</podcast:license>');
    for (const absent of ["new-feed-url", ":complete", ":block", ":location", "podcast:image"]) {
      expect(bare.split("<item>")[0]).not.toContain(absent);
    }
  });

  test("the hidden flag of an episode; a trailer that is not hidden is the podcast’s, too", async () => {
    const publishedAt = Date.UTC(2026, 0, 5, 6, 7, 8);
    const image = await storedImage();
    const numbers = { seasonNumber: 3, episodeNumber: null };
    const trailer = { episodeType: "trailer" as const, ...numbers, publishedAt };
    const shown = await publishedEpisode({
      ...trailer,
      title: "Coming",
      imageFileId: image.id,
      imageAlt: "A door",
    });
    const hidden = await publishedEpisode({ ...trailer, title: "Not coming", blocked: true });
    expect((await readItem(hidden.id)).xml).toContain("<itunes:block>Yes</itunes:block>");
    const { item, xml } = await readItem(shown.id);
    expect(xml).not.toContain("itunes:block");
    expect(xml).toContain("<itunes:title>Coming</itunes:title>");
    expect(xml).toContain(`<podcast:image href="${SITE}/media/${image.key}" alt="A door"`);
    expect((await readParsed()).trailers).toEqual([
      {
        url: item?.enclosure.url,
        length: 2048,
        type: "audio/mpeg",
        pubdate: new Date(publishedAt),
        season: 3,
        title: "Coming",
      },
    ]);
  });

  test("an imported guid, byte for byte", async () => {
    const guid = " https://old.example.com/?p=1&x=<é>#Ünï ";
    const audioFileId = (await storedAudio()).id;
    await createEpisode(ownerContext(), anEpisode({ status: "published", audioFileId }), guid);
    expect(await readXml()).toContain(
      '<guid isPermaLink="false"> https://old.example.com/?p=1&amp;x=&lt;é&gt;#Ünï </guid>',
    );
  });

  test("no elements for empty fields", async () => {
    const { id } = await publishedEpisode({ description: "", title: "Bare" });
    const { xml, item } = await readItem(id);
    expect(item?.title).toBe("Bare");
    for (const absent of ["<description", "content:encoded", "itunes:image", "podcast:transcript"]) {
      expect(xml).not.toContain(absent);
    }
    for (const absent of ["podcast:chapters", "podcast:person", "podcast:soundbite"]) {
      expect(xml).not.toContain(absent);
    }
  });

  test("enclosures that answer HEAD with the length and a range with 206", async () => {
    const { items } = await readParsed();
    expect(items.length).toBeGreaterThan(2);
    for (const { enclosure } of items) {
      expect(enclosure.url.startsWith(`${SITE}/media/`)).toBe(true);
      const path = enclosure.url.slice(SITE.length);
      const head = await fetchSite(path, { method: "HEAD" });
      expect(head.status).toBe(200);
      expect(head.headers.get("Content-Length")).toBe(String(enclosure.length));
      expect(head.headers.get("Content-Type")).toBe(enclosure.type);
      const range = await fetchSite(path, { headers: { Range: "bytes=0-1" } });
      expect(range.status).toBe(206);
      expect(range.headers.get("Content-Range")).toBe(`bytes 0-1/${enclosure.length}`);
      expect((await range.bytes()).length).toBe(2);
    }
  });

  test("no drafts, scheduled or archived episodes, or episodes without audio", async () => {
    const audioFileId = (await storedAudio()).id;
    const scheduledFor = Date.now() + 3_600_000;
    const ctx = ownerContext();
    const hidden = [
      await createEpisode(ctx, anEpisode({ status: "draft", audioFileId })),
      await createEpisode(ctx, anEpisode({ status: "scheduled", scheduledFor, audioFileId })),
      await createEpisode(ctx, anEpisode({ status: "archived", audioFileId })),
      await createEpisode(ctx, anEpisode({ status: "published" })),
    ];
    const xml = await readXml();
    for (const { id } of hidden) {
      const guid = await guidOf(id);
      expect(guid).toMatch(/^[0-9a-f-]{36}$/);
      expect(xml).not.toContain(guid);
    }
  });

  test("the newest episodes first", async () => {
    const times = (await readParsed()).items.map(({ pubDate }) => pubDate?.getTime() ?? 0);
    expect(times.length).toBeGreaterThan(1);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });
});

describe("text in the feed", () => {
  test("is unchanged except for characters that XML cannot contain", async () => {
    const { db } = ownerContext();
    await savedShow();
    const { id } = await publishedEpisode();
    // Contracts refuse such texts, but older rows may still contain them.
    const text = { title: HOSTILE, description: HOSTILE };
    await db
      .update(shows)
      .set({ ...text, subtitle: HOSTILE, funding: [{ url: "https://a.example/", text: HOSTILE }] });
    const person = { name: HOSTILE, role: HOSTILE, group: "true", href: 'https://example.com/?q="<&>' };
    const soundbite = { start: 0, duration: 15, title: HOSTILE };
    await db
      .update(episodes)
      .set({ ...text, people: [person], soundbites: [soundbite] })
      .where(eq(episodes.id, id));
    const { xml, item } = await readItem(id);
    expect(item).toBeDefined();
    expect(xml).toContain(`<title>${HOSTILE_AS_XML}</title>`);
    expect(xml).toContain(`<description><![CDATA[${HOSTILE_AS_HTML}]]></description>`);
    expect(xml).toContain(
      `<podcast:person role="${HOSTILE_AS_XML}" group="true" href="https://example.com/?q=&quot;&lt;&amp;&gt;">${HOSTILE_AS_XML}</podcast:person>`,
    );
    expect(xml).toContain(
      `<podcast:soundbite startTime="0" duration="15">${HOSTILE_AS_XML}</podcast:soundbite>`,
    );
    expect(await readXml()).toContain(`<itunes:subtitle>${HOSTILE_AS_XML}</itunes:subtitle>`);
    await savedShow();
  });

  test("show notes remain within their section and contain no script", async () => {
    const { id } = await publishedEpisode({
      showNotes: "End ]]> of \u0001it `]]>` <script>alert(1)</script> [x](javascript:alert(1)) 🌏",
    });
    const { xml, item } = await readItem(id);
    const notes = /<content:encoded>(.*)<\/content:encoded>/s.exec(xml)?.[1] ?? "";
    const html = [...notes.matchAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g)].map(([, text]) => text).join("");
    expect(html).toBe('<p>End ]]> of it <code translate="no">]]></code> alert(1) <a>x</a> 🌏</p>');
    expect(xml).toContain("<p>End ]]]]><![CDATA[> of");
    expect(item?.title).toBeDefined();
  });

  test("links and pictures in show notes become absolute addresses; text that looks like one is not changed", async () => {
    const { id } = await publishedEpisode({
      showNotes:
        '[a](/about?x=1&y=2) [b](#t90) [c](mailto:x@example.com) ![d](/media/d.jpg "a > b") href="/e"',
    });
    const { xml } = await readItem(id);
    expect(xml).toContain(
      `<p><a href="${SITE}/about?x=1&#x26;y=2">a</a> <a href="${SITE}/episode/${id}#t90">b</a> ` +
        `<a href="mailto:x@example.com">c</a> <img src="${SITE}/media/d.jpg" alt="d" title="a > b"> href="/e"</p>`,
    );
  });

  test("times in show notes link to that second of the episode", async () => {
    const { id } = await publishedEpisode({ showNotes: "- 1:05 The turn" });
    expect((await readItem(id)).xml).toContain(
      `<li><a href="${SITE}/episode/${id}?t=65">1:05</a> The turn</li>`,
    );
  });

  test("a description, which readers parse as HTML, preserves its characters, paragraphs and line breaks", async () => {
    const description = 'If 3 < 5 & x<y>.\n\nA "second":\n– one\r\n– two\n \n\nThe last.';
    const html = '<p>If 3 &lt; 5 &amp; x&lt;y&gt;.</p><p>A "second":<br>– one<br>– two</p><p>The last.</p>';
    await savedShow({ description });
    const { id } = await publishedEpisode({ description });
    expect((await readItem(id)).xml).toContain(`<description><![CDATA[${html}]]></description>`);
    expect(await readXml()).toContain(`<description><![CDATA[${html}]]></description><link>`);
    await savedShow();
  });

  test("without a description is the beginning of the show notes' text, without pictures and links", async () => {
    await savedShow();
    const { key } = await storedImage({ variants: [160, 320, 640, 960, 1280, 1600] });
    const pictures = `![](/media/${key})\n\n`.repeat(8);
    const link = `[theirs < 3](https://example.com/${"long".repeat(200)})`;
    const summaryOf = async (showNotes: string) => {
      const { id } = await publishedEpisode({ description: "", showNotes, transcript: "Said aloud." });
      return /<description><!\[CDATA\[([\s\S]*?)\]\]>/.exec((await readItem(id)).xml)?.[1];
    };
    expect(await summaryOf(`${pictures}${link} & **ours**`)).toBe("theirs &lt; 3 &amp; ours");
    const long = await summaryOf(`${pictures}A line.\n\n${"приветствие ".repeat(80)}`);
    expect(long).toMatch(/^<p>A line\.<\/p><p>(?:приветствие ?){10,}…<\/p>$/);
    expect(new TextEncoder().encode(long).length).toBeLessThanOrEqual(300);
    expect(await summaryOf("")).toBeUndefined();
  });

  test.each(["приветствие", "& приветствие"])(
    "a description longer than 4,000 bytes of HTML ends at a word",
    async (word) => {
      const { id } = await publishedEpisode({ description: `${word} `.repeat(280) });
      const { xml } = await readItem(id);
      const text = /<description><!\[CDATA\[([\s\S]*)\]\]><\/description>/.exec(xml)?.[1] ?? "";
      const bytes = new TextEncoder().encode(text).length;
      expect(bytes).toBeLessThanOrEqual(4000);
      expect(bytes).toBeGreaterThan(3900);
      expect(text).toMatch(/ (приветствие|&amp;)…$/);
    },
  );

  test("a description in a language without spaces is cut between two letters", async () => {
    const { id } = await publishedEpisode({ description: `第12集 ${"字".repeat(2000)}` });
    const { xml } = await readItem(id);
    expect(xml).toMatch(/<description><!\[CDATA\[第12集 字{1300,}…\]\]>/);
  });
});

describe("moving away", () => {
  test("each page of the feed redirects permanently, but only once the owner turns the redirect on", async () => {
    const newFeedUrl = "https://new.example/feed?a=1";
    await savedShow({ newFeedUrl });
    expect((await fetchSite(FEED)).status).toBe(200);
    await savedShow({ newFeedUrl, redirectsFeed: true });
    for (const path of [FEED, `${FEED}?page=2`]) {
      const response = await fetchSite(path, { redirect: "manual" });
      expect(response.status).toBe(301);
      expect(response.headers.get("Location")).toBe(newFeedUrl);
      expect(response.headers.get("Cache-Control")).toBe("public, max-age=60");
    }
    await savedShow();
    expect((await fetchSite(FEED)).status).toBe(200);
  });

  test.each([
    ["https://ü.example/中", "https://xn--tda.example/%E4%B8%AD"],
    ["https://new.example/\0a", "https://new.example/%00a"],
  ])("leads to %j as a header may have it", async (newFeedUrl, location) => {
    await savedShow({ newFeedUrl, redirectsFeed: true });
    const response = await fetchSite(FEED, { redirect: "manual" });
    await savedShow();
    expect([response.status, response.headers.get("Location")]).toEqual([301, location]);
  });
});

describe("conditional requests for the feed", () => {
  test("the response has caching headers, and any site's player may read it", async () => {
    const { headers } = await fetchSite(FEED);
    expect(headers.get("Content-Type")).toBe("application/xml; charset=utf-8");
    expect(headers.get("Cache-Control")).toBe("public, max-age=60, stale-while-revalidate=60");
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("ETag")).toMatch(/^W\/"[\w-]{22}"$/);
  });

  test("HEAD answers as GET does, without the feed", async () => {
    await setChangedAt(new Date(Date.now() - 60_000));
    const get = await fetchSite(FEED);
    const head = await fetchSite(FEED, { method: "HEAD" });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
    for (const name of ["Content-Type", "ETag", "Last-Modified", "Cache-Control"]) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  test.each([
    ["the tag itself", (tag: string) => tag],
    ["the tag as a strong one", (tag: string) => tag.slice(2)],
    ["a list that holds it", (tag: string) => `"a,b", W/"c",${tag}`],
    ["any", () => " * "],
  ])("If-None-Match with %s answers 304 with no body, for one row of D1", async (_name, header) => {
    const tag = await etagNow();
    const response = await fetchSite(FEED, { headers: { "If-None-Match": header(String(tag)) } });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe("");
    expect(response.headers.get("ETag")).toBe(tag);
    expect(response.headers.get("Cache-Control")).toContain("max-age=60");
    expect(response.headers.get("Server-Timing")).toContain('"1 statements, ');
  });

  test("a full response costs two statements once the XML of its items is stored", async () => {
    await fetchSite(FEED);
    expect((await fetchSite(FEED)).headers.get("Server-Timing")).toContain('"2 statements, ');
  });

  test("If-None-Match has priority over If-Modified-Since", async () => {
    const headers = { "If-None-Match": '"other"', "If-Modified-Since": new Date().toUTCString() };
    await setChangedAt(new Date(Date.now() - 60_000));
    expect((await fetchSite(FEED, { headers })).status).toBe(200);
    const dateAlone = { "If-Modified-Since": headers["If-Modified-Since"] };
    expect((await fetchSite(FEED, { headers: dateAlone })).status).toBe(304);
  });

  test("the exact Last-Modified date gives 304; an earlier date or nonsense does not", async () => {
    await setChangedAt(new Date(Date.UTC(2026, 0, 1, 0, 0, 9, 500)));
    const given = (await fetchSite(FEED)).headers.get("Last-Modified");
    expect(given).toBe("Thu, 01 Jan 2026 00:00:10 GMT");
    const ask = async (since: string) =>
      (await fetchSite(FEED, { headers: { "If-Modified-Since": since } })).status;
    expect(await ask(String(given))).toBe(304);
    expect(await ask("Thu, 01 Jan 2026 00:00:09 GMT")).toBe(200);
    expect(await ask("yesterday")).toBe(200);
    // A client's own date: before the change is visible everywhere, it may have received the former feed.
    expect(await ask("Thu, 01 Jan 2026 00:00:30 GMT")).toBe(200);
    expect(await ask("Thu, 01 Jan 2026 00:00:40 GMT")).toBe(304);
  });

  test("a date between two changes within one second never hides the second of them", async () => {
    // Recent enough that the time is not rounded up, however slow the machine is.
    const second = Math.floor(Date.now() / 1000) * 1000 + 600_000;
    for (const [first, then] of [
      [0, 1],
      [200, 700],
      [998, 999],
    ] as const) {
      await setChangedAt(new Date(second + first));
      const given = (await fetchSite(FEED)).headers.get("Last-Modified");
      await setChangedAt(new Date(second + then));
      const response = await fetchSite(FEED, { headers: { "If-Modified-Since": String(given) } });
      expect(response.status).toBe(200);
    }
    await setChangedAt(new Date());
  });

  test("every write that changes the feed changes its tag", async () => {
    const tags = [await etagNow()];
    const then = async (write: Promise<unknown>) => {
      await write;
      tags.push(await etagNow());
    };
    const audioFileId = (await storedAudio()).id;
    const { id } = await createEpisode(ownerContext(), anEpisode({ audioFileId }));
    await then(updateEpisode(ownerContext(), id, { status: "published" }));
    await then(updateEpisode(ownerContext(), id, { title: "Another title" }));
    await then(updateEpisode(ownerContext(), id, { status: "archived" }));
    const scheduledFor = Date.now() + 3_600_000;
    await updateEpisode(ownerContext(), id, { status: "scheduled", scheduledFor });
    expect(await etagNow()).toBe(tags.at(-1));
    await then(publishDueEpisodes(jobContext({ now: new Date(scheduledFor) })));
    await then(savedShow({ title: "Plainer Ground" }));
    await then(deleteEpisode(ownerContext(), id));
    expect(new Set(tags).size).toBe(7);
  });

  test("a nonexistent or malformed page is 404", async () => {
    for (const page of ["2", "0", "-1", "01", "1.5", "x", "", "9999999", "1 or 1=1"]) {
      const response = await fetchSite(`${FEED}?page=${encodeURIComponent(page)}`);
      expect(response.status, page).toBe(404);
      expect(await response.json()).toMatchObject({ error: { message: "The feed has no such page." } });
    }
  });
});

describe("documents beside an episode", () => {
  test("chapters are in the Podcasting 2.0 format, for players on any site", async () => {
    const { id, title } = await publishedEpisode({
      chapters: [
        { start: 36.35, title: "A page", url: "https://example.com/page" },
        { start: 0, title: "Nine days", url: null, img: "https://example.com/days.jpg" },
      ],
    });
    const page = await readEpisode(jobContext(), id);
    expect(page.chapters[0]).toEqual({ start: 0, title: "Nine days", url: null });
    const response = await fetchSite(`/episode/${id}/chapters.json`);
    expect(response.headers.get("Content-Type")).toBe("application/json+chapters");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(await response.json()).toEqual({
      version: "1.2.0",
      title,
      chapters: [
        { startTime: 0, title: "Nine days", img: "https://example.com/days.jpg" },
        { startTime: 36.35, title: "A page", url: "https://example.com/page" },
      ],
    });
  });

  test("an unchanged one is 304; a changed one is sent again", async () => {
    const { id } = await publishedEpisode({ transcript: TRANSCRIPT });
    const path = `/episode/${id}/transcript.vtt`;
    const headers = { "If-None-Match": String((await fetchSite(path)).headers.get("ETag")) };
    expect((await fetchSite(path, { headers })).status).toBe(304);
    await updateEpisode(ownerContext(), id, { transcript: TRANSCRIPT.replace("Plain", "Plainer") });
    expect((await fetchSite(path, { headers })).status).toBe(200);
  });

  test("are missing for an episode without any, unpublished, or nonexistent", async () => {
    const said = { transcript: TRANSCRIPT, chapters: [{ start: 0, title: "One", url: null }] };
    const bare = await publishedEpisode();
    const draft = await createEpisode(ownerContext(), anEpisode(said));
    for (const id of [bare.id, draft.id, 999_999, "0", "1e3", "x"]) {
      expect((await fetchSite(`/episode/${id}/chapters.json`)).status, String(id)).toBe(404);
      for (const format of ["vtt", "srt", "json", "txt"]) {
        expect((await fetchSite(`/episode/${id}/transcript.${format}`)).status, String(id)).toBe(404);
      }
    }
  });
});

test("every address in the feed is on the configured site, whatever Host was requested", async () => {
  const ctx = visitorContext();
  const elsewhere = { ...ctx, config: { ...ctx.config, siteUrl: "https://pod.example" } };
  const xml = await readFeed(elsewhere, await readFeedShow(elsewhere), 1);
  expect(xml).toContain('<atom:link rel="self" href="https://pod.example/rss/podcast.xml"');
  expect(xml).toContain('<enclosure url="https://pod.example/media/');
  expect(xml).not.toContain(SITE);
});

test("the support link is in the feed while the supporters' feature is on, and changes the feed's date", async () => {
  const setPatreon = (patreon: boolean) =>
    updateSite(ownerContext(), { features: { ...siteDefaults.features, patreon } });
  await savedShow({ funding: [{ url: "https://example.com/fund", text: "Keep us going" }] });
  const funding = [{ url: "https://example.com/fund", message: "Keep us going" }];
  expect((await readParsed()).podcastFunding).toEqual(funding);
  const before = await etagNow();
  await setPatreon(false);
  expect(await etagNow()).not.toBe(before);
  expect((await readParsed()).podcastFunding).toBeUndefined();
  const off = await etagNow();
  await setPatreon(false);
  expect(await etagNow()).toBe(off);
  await setPatreon(true);
  expect(await etagNow()).not.toBe(off);
  expect((await readParsed()).podcastFunding).toEqual(funding);
});

describe("the prefix of op3.dev", () => {
  const analytics = (op3: boolean) => ({ analytics: { ...siteDefaults.analytics, op3 } });

  test("precedes the audio's address, with the podcast's guid, if the owner turns it on", async () => {
    await updateSite(ownerContext(), analytics(false));
    const audio = await storedAudio();
    const { id } = await publishedEpisode({
      audioFileId: audio.id,
      episodeType: "trailer",
      episodeNumber: null,
    });
    const plain = (await readItem(id)).item?.enclosure.url;
    expect(plain).toBe(`${SITE}/media/${audio.key}`);
    const before = await etagNow();
    await updateSite(ownerContext(), analytics(true));
    expect(await etagNow()).not.toBe(before);
    const { guid } = await readFeedShow(visitorContext());
    // http:// stays in the address; https:// does not (op3.dev/setup).
    const prefixed = `https://op3.dev/e,pg=${guid}/${plain}`;
    expect((await readItem(id)).item?.enclosure.url).toBe(prefixed);
    expect((await readParsed()).trailers?.map(({ url }) => url)).toContain(prefixed);
    await updateSite(ownerContext(), analytics(false));
    expect((await readItem(id)).item?.enclosure.url).toBe(plain);
  });

  test("replaces https://", async () => {
    const ctx = visitorContext();
    const show = { ...(await readFeedShow(ctx)), op3: 1 };
    const secure = { ...ctx, config: { ...ctx.config, siteUrl: "https://plain.example" } };
    expect(await readFeed(secure, show, 1)).toContain(
      `https://op3.dev/e,pg=${show.guid}/plain.example/media/`,
    );
  });
});
