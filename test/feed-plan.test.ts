import { beforeEach, afterEach, describe, expect, it, vi } from "vitest";
import { imports } from "#worker/imports/table.ts";
import { createFeedImport } from "#worker/imports/feed/commands.ts";
import type { FeedDetails } from "#worker/imports/feed/contract.ts";
import { notesOf, plainOf } from "#worker/imports/feed/notes.ts";
import { eq } from "drizzle-orm";
import { jobContext } from "./support/client.ts";
import { feedXml, type Item } from "./support/feed-xml.ts";
import { itemRows } from "./support/imports.ts";
import type { Answer } from "./support/podcast-host.ts";
import { anItem, audioUrl, HOST, moved, mover, nextSeed, serve, servedFeed } from "./support/moving.ts";

beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

async function planOf(items: Item[], more = "") {
  const { id } = await createFeedImport(mover(), { url: await servedFeed(items, more) });
  return detailsOf(id);
}

async function detailsOf(id: number) {
  const [row] = await jobContext().db.select().from(imports).where(eq(imports.id, id));
  return (row!.details as FeedDetails).plan;
}

const count = async () => (await jobContext().db.select({ id: imports.id }).from(imports)).length;

/** Sets the host's response, and returns the result of reading it. */
async function read(answer: {
  headers?: Record<string, string>;
  body?: string;
  bytes?: string;
  status?: number;
}) {
  const path = `/read/${nextSeed()}`;
  await serve({ path, ...answer });
  return createFeedImport(mover(), { url: HOST + path });
}

const gzip = async (text: string) => {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer()).toBase64();
};
const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0)).toBase64();
const utf16 = (text: string) =>
  new Uint8Array(
    new Uint16Array([0xfeff, ...Array.from(text, (char) => char.charCodeAt(0))]).buffer,
  ).toBase64();

describe("a plan", () => {
  it("shows what will be imported, and what is missing or would be refused, before the import starts", async () => {
    const here = anItem();
    await moved([here]);
    const doubled = anItem();
    const plan = await planOf([
      here,
      doubled,
      { ...anItem(), guid: doubled.guid },
      anItem({ audio: null }),
      anItem({ audio: { url: audioUrl("v", 10), type: "video/mp4", length: 9 } }),
      anItem({ audio: { url: audioUrl("o", 10), type: "audio/ogg", length: 0 }, pubDate: undefined }),
      anItem({
        title: undefined,
        more: `<itunes:image href="${HOST}/p.png"/><psc:chapters><psc:chapter start="00:01" title="A"/></psc:chapters><podcast:transcript url="${HOST}/t" type="text/vtt"/>`,
      }),
    ]);
    expect(plan.counts).toEqual({
      articles: 0,
      episodes: 3,
      isHere: 1,
      leftOut: 3,
      drafts: 1,
      scheduled: 0,
      withoutSize: 1,
      chapters: 1,
      transcripts: 1,
      pictures: 1,
    });
    expect(plan.bytes).toBe(200_000);
    expect(plan.problems.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        "Another episode in the feed has the same GUID, so apps show only one.",
        "It has no audio, so apps don’t show it.",
        "It isn’t audio (video/mp4).",
        "Apple Podcasts may not play it (audio/ogg).",
        "The feed doesn’t give the size of its audio.",
        "It has no date. It becomes a draft.",
        "It has no title, so apps refuse it.",
      ]),
    );
  });

  it("counts each omission, and names it at the item, before anything moves", async () => {
    const number = "<itunes:episode>0</itunes:episode>";
    const { id } = await createFeedImport(mover(), {
      url: await servedFeed(
        [
          anItem({ pubDate: "31.02.2026", more: number }),
          anItem({ pubDate: "Fri, 30 Feb 2026 10:00:00 GMT" }),
          anItem({ more: number }),
          anItem({ pubDate: "Sat, 03 Feb 2074 10:00:00 +0000" }),
          anItem({ audio: { url: "/p.jpg", type: "image/jpeg" } }),
        ],
        "<podcast:value/>",
      ),
    });
    const plan = await detailsOf(id);
    expect(plan.counts).toMatchObject({ episodes: 4, drafts: 2, scheduled: 1, leftOut: 1 });
    expect(plan.problems).toEqual(
      expect.arrayContaining([
        { message: "The podcast: Its “podcast:value” isn’t imported.", count: 1 },
        { message: "Its date or time doesn’t exist. It becomes a draft.", count: 2 },
        { message: "Its episode number isn’t a whole number from 1, so it isn’t imported.", count: 2 },
        { message: "Its date is in the future, so it is scheduled.", count: 1 },
        { message: "It has no audio, only a picture (image/jpeg).", count: 1 },
      ]),
    );
    const notes = (await itemRows(id)).map(({ message }) => message);
    expect(notes[0]).toMatch(
      /^Its date or time doesn’t exist\. It becomes a draft\. The feed has “31\.02\.2026”\. Its episode number isn’t/,
    );
    expect(notes[1]).toContain("The feed has “Fri, 30 Feb 2026 10:00:00 GMT”.");
    expect(notes[4]).toBe("It has no audio, only a picture (image/jpeg).");
  });

  it("names audio that will not be fetched, and why", async () => {
    const at = (url: string) => anItem({ audio: { url, length: 9 } });
    const { id } = await createFeedImport(mover(), {
      url: await servedFeed([
        at("https://a.example:8443/1.mp3"),
        at("https://wren:secret@a.example/1.mp3"),
        at("http://10.0.0.1/1.mp3"),
        at("https://a.example/1.mp3"),
      ]),
    });
    const notes = (await itemRows(id)).map(({ message }) => message);
    expect(notes).toEqual([
      expect.stringMatching(/^Its audio will fail\. Its address has a port of its own/),
      expect.stringMatching(/^Its audio will fail\. Its address has a name or password in it/),
      expect.stringMatching(/^Its audio will fail\. Its address isn’t public/),
      expect.not.stringContaining("will fail"),
    ]);
  });

  it("names notes that are simplified before they are", async () => {
    const long = `<description>&lt;p&gt;${"long words ".repeat(12_000)}&lt;/p&gt;</description>`;
    const plan = await planOf([
      anItem({ more: long }),
      anItem({ more: "<description>Short.</description>" }),
    ]);
    expect(plan.problems).toContainEqual({
      message: "Its notes are simplified: they are too long or too complex.",
      count: 1,
    });
  });

  it("reads dates without a zone in the site’s time zone", async () => {
    const { id } = await createFeedImport(mover(), {
      url: await servedFeed([anItem({ pubDate: "03.02.2026 10:00" })]),
    });
    expect(await itemRows(id)).toMatchObject([
      {
        payload: { publishedAt: Date.UTC(2026, 1, 2, 23) },
        message: expect.stringContaining("Australia/Sydney"),
      },
    ]);
  });

  it("knows an episode without a GUID by its audio, as apps do", async () => {
    const item = { ...anItem(), guid: undefined };
    const { id } = await createFeedImport(mover(), { url: await servedFeed([item]) });
    expect(await itemRows(id)).toMatchObject([{ key: item.audio!.url }]);
  });

  it("has what the feed says of the podcast, as far as a show takes it", async () => {
    const { facts } = await planOf(
      [anItem()],
      `<podcast:guid>917393E3-1b1e-5cef-ace4-edaa54e1f810</podcast:guid><itunes:type>serial</itunes:type>
       <podcast:funding url="https://give.example/">Give</podcast:funding><podcast:person>Imogen</podcast:person>
       <itunes:owner><itunes:name>I. Tarrant</itunes:name><itunes:email>no address</itunes:email></itunes:owner>
       <podcast:location geo="geo:-33.9,151.2">Sydney</podcast:location><podcast:license>cc-by-4.0</podcast:license>`,
    );
    expect(facts).toEqual({
      title: "Old Ground",
      description: "Talk about housing.",
      author: "Imogen Tarrant",
      ownerName: "I. Tarrant",
      language: "en-AU",
      category: "Society & Culture",
      subcategory: "Documentary",
      explicit: false,
      type: "serial",
      funding: [{ url: "https://give.example/", text: "Give" }],
      people: [{ name: "Imogen", group: "cast", role: "host", href: null }],
      places: [{ name: "Sydney", rel: "subject", geo: "-33.9,151.2", osm: "", country: "" }],
      license: "cc-by-4.0",
      guid: "917393e3-1b1e-5cef-ace4-edaa54e1f810",
    });
  });

  it("of a locked feed is for its owner", async () => {
    const locked = (owner: string) => `<podcast:locked owner="${owner}">yes</podcast:locked>`;
    await expect(planOf([anItem()], locked("else@example.net"))).rejects.toMatchObject({
      field: "url",
      message: expect.stringContaining("This feed is locked"),
    });
    await planOf([anItem()], locked("Owner@Example.com"));
    const owner = "<itunes:owner><itunes:email>owner@example.com</itunes:email></itunes:owner>";
    await planOf([anItem()], locked("") + owner);
    await planOf([anItem()], '<podcast:locked owner="else@example.net">no</podcast:locked>');
  });
});

describe("a feed", () => {
  it.each<[string, (xml: string) => Promise<Parameters<typeof read>[0]>]>([
    ["in Latin-1 by its declaration", async (xml) => ({ bytes: latin1(xml.replace("UTF-8", "ISO-8859-1")) })],
    [
      "in Latin-1 by its header",
      async (xml) => ({
        bytes: latin1(xml.replace(/<\?xml.*?\?>/, "")),
        headers: { "Content-Type": "text/xml; charset=iso-8859-1" },
      }),
    ],
    ["in Latin-1 that says UTF-8", async (xml) => ({ bytes: latin1(xml) })],
    ["in UTF-8 that says Latin-1", async (xml) => ({ body: xml.replace("UTF-8", "ISO-8859-1") })],
    ["in UTF-16", async (xml) => ({ bytes: utf16(xml.replace("UTF-8", "UTF-16")) })],
    ["packed", async (xml) => ({ bytes: await gzip(xml), headers: { "Content-Encoding": "gzip" } })],
    ["packed that does not say so", async (xml) => ({ bytes: await gzip(xml) })],
    [
      "of a wrong type",
      async (xml) => ({ body: xml, headers: { "Content-Type": "text/html; charset=utf-8" } }),
    ],
  ])("%s is read", async (_what, answer) => {
    const { id } = await read(await answer(feedXml({ items: [anItem({ title: "Über Räume" })] })));
    expect(await itemRows(id)).toMatchObject([{ title: "Über Räume" }]);
  });

  it.each<[string, Parameters<typeof read>[0], string]>([
    ["that is broken", { body: "<rss><channel>\n<title>A</b></title></channel></rss>" }, "broken in line 2"],
    ["that ends too early", { body: "<rss><channel><item>" }, "The feed is broken"],
    [
      "with its own entities",
      {
        body: '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><rss><channel><title>&b;</title></channel></rss>',
      },
      "its own entities",
    ],
    [
      "that is a page",
      {
        body: '<!DOCTYPE html><link rel="alternate" type="application/rss+xml" href="https://a.example/feed">',
      },
      "https://a.example/feed",
    ],
    ["of Atom without entries", { body: '<feed xmlns="http://www.w3.org/2005/Atom"/>' }, "no episodes"],
    ["of another XML", { body: "<opml><body/></opml>" }, "This XML isn’t a podcast feed"],
    ["that is no XML", { body: "Nothing." }, "isn’t a feed"],
    ["that is empty", { body: "" }, "The feed is empty"],
    ["without episodes", { body: feedXml({ items: [] }) }, "The feed has no episodes"],
    ["that is gone", { status: 410 }, "It was deleted"],
    ["that is refused", { status: 403 }, "ask the host to let “Rostrum” read it"],
    ["that wants a password", { status: 401 }, "Ask the host for an address that needs none"],
    [
      "that redirects to a port",
      { status: 301, headers: { Location: "http://a.example:8080/feed" } },
      "redirects to one that has a port of its own, which can’t be fetched. Ask the host for an address without a port",
    ],
    [
      "that redirects to a password",
      { status: 301, headers: { Location: "https://wren:secret@a.example/feed" } },
      "redirects to one that has a name or password in it, which isn’t sent",
    ],
    [
      "that leads to an address that isn’t public",
      { status: 301, headers: { Location: "http://169.254.169.254/" } },
      "isn’t public",
    ],
    ["that is a PDF", { body: "%PDF-1.7\n%âã" }, "isn’t a feed"],
    ["that is a picture", { bytes: latin1("\x89PNG\r\n\x1a\n") }, "isn’t a feed"],
    ["that is a zip", { bytes: latin1("PK\x03\x04\x14\0\0\0") }, "isn’t a feed"],
    ["that is audio", { bytes: latin1("ID3\x04\0\0") }, "isn’t a feed"],
    ["that ends within a section", { body: "<rss><channel><item><title><![CDATA[A" }, "The feed is broken"],
    ["that is half packed", { bytes: latin1("\x1f\x8b\x08\0\0\0") }, "can’t be unpacked"],
    ["that is a byte too large", { body: "x".repeat(16 * 1024 * 1024 + 1) }, "larger than 16 MB"],
    ["that is far too large", { body: `<rss>${" ".repeat(17 * 1024 * 1024)}</rss>` }, "larger than 16 MB"],
  ])("%s is refused with a message, and nothing is written", async (_what, answer, words) => {
    const before = await count();
    await expect(read(answer)).rejects.toMatchObject({
      code: "invalid",
      field: "url",
      message: expect.stringContaining(words),
    });
    expect(await count()).toBe(before);
  });

  it("that is reached by twelve redirects is refused, and one that leads round, each by its name", async () => {
    const base = `/redirects/${nextSeed()}`;
    const to = (n: number) => ({
      path: `${base}/${n}`,
      status: 302,
      headers: { Location: `${base}/${n + 1}` },
    });
    await serve(...Array.from({ length: 12 }, (_, n) => to(n)), {
      path: `${base}/loop`,
      status: 302,
      headers: { Location: `${base}/loop` },
    });
    const reading = (path: string) => createFeedImport(mover(), { url: HOST + path });
    await expect(reading(`${base}/0`)).rejects.toMatchObject({
      message: expect.stringContaining(
        "redirects more than 10 times. Use the address that it leads to in the end.",
      ),
    });
    await expect(reading(`${base}/loop`)).rejects.toMatchObject({
      message: expect.stringContaining("redirects in a loop"),
    });
  });

  it.each([
    ["https://a.example:8443/feed", "Its address has a port of its own, which can’t be fetched."],
    ["https://wren:secret@a.example/feed", "Its address has a name or password in it, which isn’t sent."],
  ])("at %s is refused by what is wrong with its address", async (url, message) => {
    await expect(createFeedImport(mover(), { url })).rejects.toMatchObject({
      field: "url",
      message: expect.stringContaining(message),
    });
  });

  it("of exactly 16 MB is read", async () => {
    const xml = feedXml({ items: [anItem({ title: "Last" })] });
    const room = 16 * 1024 * 1024 - new TextEncoder().encode(xml).length;
    const { id } = await read({ body: xml.replace("</channel>", `${" ".repeat(room)}</channel>`) });
    expect(await itemRows(id)).toMatchObject([{ title: "Last" }]);
  });

  it("that unpacks without end is refused", async () => {
    const bomb = await gzip(" ".repeat(40 * 1024 * 1024));
    await expect(read({ bytes: bomb })).rejects.toMatchObject({ message: expect.stringContaining("16 MB") });
  });

  it("of several pages is read to its end, and none of them twice", async () => {
    const base = `/paged/${nextSeed()}`;
    const link = (to: string) => `<atom:link rel="next" href="${base}${to}"/>`;
    const items = [anItem(), anItem(), anItem()];
    await serve(
      { path: base, body: feedXml({ items: [items[0]!], more: link("?page=2") }) },
      { path: `${base}?page=2`, body: feedXml({ items: [items[1]!], more: link("?page=3") }) },
      { path: `${base}?page=3`, body: feedXml({ items: [items[2]!], more: link("?page=2") }) },
    );
    const { id, counts } = await createFeedImport(mover(), { url: HOST + base });
    expect(counts.total).toBe(3);
    expect(await detailsOf(id)).toMatchObject({ pages: 3 });
  });

  it.each<[string, Omit<Answer, "path">, string]>([
    ["is gone", { status: 404 }, "There is nothing at its address (404)."],
    ["is a web page", { body: "<!doctype html><p>Sign in" }, "This address is a web page, not a feed."],
    ["ends too early", { body: "<rss><channel><item>" }, "The feed is broken in line 1"],
    [
      "isn’t public",
      { status: 302, headers: { Location: "http://10.0.0.1/" } },
      "Its address redirects to one",
    ],
  ])("whose second page %s is planned without it, and the page is named", async (_what, answer, why) => {
    const base = `/paged/${nextSeed()}`;
    const items = [anItem(), anItem()];
    await serve(
      { path: base, body: feedXml({ items, more: `<atom:link rel="next" href="${base}/2"/>` }) },
      { path: `${base}/2`, ...answer },
    );
    const { id, counts } = await createFeedImport(mover(), { url: HOST + base });
    expect(counts.total).toBe(2);
    expect(await detailsOf(id)).toMatchObject({
      pages: 1,
      missingPages: [{ url: `${HOST}${base}/2`, why: expect.stringContaining(why) }],
    });
  });

  it("of a thousand episodes with long notes is planned in few statements", async () => {
    const notes = `<content:encoded><![CDATA[<p>${"Words of a long show note. ".repeat(150)}</p>]]></content:encoded>`;
    const url = await servedFeed(Array.from({ length: 1000 }, () => anItem({ more: notes })));
    const ctx = mover();
    const { counts } = await createFeedImport(ctx, { url });
    expect(counts.total).toBe(1000);
    expect(ctx.d1.statements).toBeLessThanOrEqual(60);
  });
});

describe("show notes", () => {
  it.each([
    [
      "plain text",
      "One\ntwo & *three*\n\nhttps://a.example/x_y",
      "One\\\ntwo & \\*three\\*\n\n<https://a.example/x_y>",
    ],
    ["scripts", "<p>A</p><script>x()</script><style>p{}</style><iframe src=a></iframe>", "A"],
    ["an address that is a script", '<a href="javascript:x()">A</a>', "[A]()"],
    ["raised and lowered text", "<p>10<sup>6</sup> H<sub>2</sub>O</p>", "10⁶ H₂O"],
    ["HTML that nobody closes", "<p>One<p>Two<ul><li>a<li>b", "One\n\nTwo\n\n- a\n- b"],
  ])("of %s become Markdown", (_what, html, markdown) => {
    expect(notesOf(html, 100_000).markdown).toBe(markdown);
  });

  it.each([
    [
      '<p>A</p><iframe src="//www.youtube.com/embed/x"></iframe>',
      ["A player from www.youtube.com in its notes isn’t imported."],
    ],
    [
      '<p>A</p><iframe width=1 src=https://open.spotify.com/embed/x></iframe><audio controls><source src="/a.mp3"></audio>',
      [
        "A player from open.spotify.com in its notes isn’t imported.",
        "A player in its notes isn’t imported.",
      ],
    ],
  ])("that lose a player name it: %s", (html, losses) => {
    expect(notesOf(html, 100_000)).toEqual({ markdown: "A", isSimplified: true, losses });
  });

  it("that are too involved become plain", () => {
    const deep = `${"<blockquote>".repeat(5000)}Words${"</blockquote>".repeat(5000)}`;
    expect(notesOf(deep, 100_000)).toMatchObject({ markdown: "Words", isSimplified: true });
    expect(plainOf(deep)).toBe("Words");
    expect(notesOf(`<p>${"x ".repeat(60_000)}</p>`, 100_000)).toMatchObject({ isSimplified: true });
  });
});
