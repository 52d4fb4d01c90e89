import { describe, expect, test } from "vitest";
import type { FeedEpisode } from "#worker/imports/feed/contract.ts";
import { readChannel } from "#worker/imports/feed/document.ts";
import { episodesOf } from "#worker/imports/feed/episodes.ts";
import { factsOf, remarksOf } from "#worker/imports/feed/facts.ts";
import { decodeText } from "#worker/imports/feed/text.ts";

const ADDRESS = "https://old.example/show/feed.xml";
const NAMESPACES = [
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"',
  'xmlns:podcast="https://podcastindex.org/namespace/1.0"',
  'xmlns:media="http://search.yahoo.com/mrss/"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
].join(" ");

const rss = (inner: string, attributes = NAMESPACES) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" ${attributes}><channel><title>Wharf</title>${inner}</channel></rss>`;
const item = (inner: string) => rss(`<item>${inner}</item>`);
const mp3 = '<enclosure url="https://a.example/1.mp3" length="5" type="audio/mpeg"/>';

const bytesOf = (given: string | Uint8Array) =>
  typeof given === "string" ? new TextEncoder().encode(given) : given;
const read = (given: string | Uint8Array, address = ADDRESS) =>
  readChannel(decodeText(bytesOf(given), "text/xml"), address);

/** UTF-8, in which each ¤ is only the first bytes of a character. */
function withCut(text: string, cut: number[]) {
  const bytes: number[] = [];
  for (const [at, piece] of text.split("¤").entries()) {
    if (at > 0) bytes.push(...cut);
    bytes.push(...new TextEncoder().encode(piece));
  }
  return Uint8Array.from(bytes);
}

type Wanted = Partial<Omit<FeedEpisode, "audio">> & { audio?: Partial<FeedEpisode["audio"]> | null };
const url = (address: string) => ({ audio: { url: address } });

/** Description, source of the format, document, and its episodes. */
const forms: [string, string, string | Uint8Array, Wanted[]][] = [
  [
    "one cut character of two bytes",
    "The Unicode Standard 3.9, U+FFFD substitution of maximal subparts",
    withCut(item(`<title>Über den Fluß¤</title>${mp3}`), [0xc3]),
    [{ title: "Über den Fluß\ufffd" }],
  ],
  [
    "numbers that no file and no time has",
    "Made up",
    item(
      `<enclosure url="https://a.example/1.mp3" length="1e308" type="audio/mpeg"/>
      <podcast:alternateEnclosure type="audio/mpeg" length="Infinity"><podcast:source uri="https://a.example/2.mp3"/></podcast:alternateEnclosure>
      <podcast:alternateEnclosure type="audio/mpeg" length="-7"><podcast:source uri="https://a.example/3.mp3"/></podcast:alternateEnclosure>
      <podcast:soundbite startTime="Infinity" duration="30">Never</podcast:soundbite>`,
    ),
    [
      {
        audio: { size: 1e12 },
        furtherFiles: [
          { url: "https://a.example/2.mp3", title: "", type: "audio/mpeg", size: 1e12 },
          { url: "https://a.example/3.mp3", title: "", type: "audio/mpeg", size: 0 },
        ],
        soundbites: [],
      },
    ],
  ],
  [
    "one cut character of four bytes, and nothing else that is not ASCII",
    "The same",
    withCut(item(`<title>Boats¤</title>${mp3}`), [0xf0, 0x9f, 0x9a]),
    [{ title: "Boats\ufffd" }],
  ],
  [
    "one cut character of two bytes, and nothing else that is not ASCII",
    "The same",
    withCut(item(`<title>At the caf¤</title>${mp3}`), [0xc3]),
    [{ title: "At the caf\ufffd" }],
  ],
  [
    "a mark of UTF-8, and one bad byte",
    "Unicode FAQ, UTF-8 signature",
    withCut(`\ufeff${item(`<title>Caf¤s</title>${mp3}`)}`, [0xe9]),
    [{ title: "Caf\ufffds" }],
  ],
  [
    "Latin-1 that says UTF-8, with one letter that is not ASCII",
    "WHATWG Encoding, windows-1252",
    Uint8Array.from(item(`<title>Jusqu'\xe0</title>${mp3}`), (char) => char.charCodeAt(0)),
    [{ title: "Jusqu'à" }],
  ],
  [
    "Windows-1252 that says UTF-8",
    "WHATWG Encoding, windows-1252",
    Uint8Array.from(item(`<title>Caf\xe9 \x93Quai\x94</title>${mp3}`), (char) => char.charCodeAt(0)),
    [{ title: "Café “Quai”" }],
  ],
  [
    "blank lines before the declaration",
    "WordPress with a theme that prints one",
    `\n\n  ${item(`<title>A</title>${mp3}`)}`,
    [{ title: "A" }],
  ],
  [
    "a comment before the declaration, of Latin-1",
    "WordPress with a cache plugin",
    Uint8Array.from(
      `<!-- cached -->\n${item(`<title>\xc9t\xe9</title>${mp3}`).replace("UTF-8", "ISO-8859-1")}`,
      (char) => char.charCodeAt(0),
    ),
    [{ title: "Été" }],
  ],
  [
    "a mark of UTF-8 and a blank line",
    "PHP files with a BOM",
    `\ufeff\n${item(`<title>A</title>${mp3}`)}`,
    [{ title: "A" }],
  ],
  [
    "references that are escaped twice",
    "RSS Best Practices: apps decode them",
    item(`<title>Tide &amp;amp; time &amp;#8212; caf&amp;eacute;</title>${mp3}`),
    [{ title: "Tide & time — café" }],
  ],
  [
    "references within CDATA",
    "WordPress, the_title_rss",
    item(`<title><![CDATA[The pilot&#8217;s &quot;log&quot; &lt;1&gt;]]></title>${mp3}`),
    [{ title: 'The pilot’s "log" <1>' }],
  ],
  [
    "references that are escaped once",
    "XML 1.0, 4.6",
    item(`<title>3 &lt; 4 &amp; 5 &gt; 4</title>${mp3}`),
    [{ title: "3 < 4 & 5 > 4" }],
  ],
  [
    "words that look like references",
    "HTML 13.5: there is no such reference",
    item(`<title>R&amp;D; AT&amp;T &amp;nosuchthing;</title>${mp3}`),
    [{ title: "R&D; AT&T &nosuchthing;" }],
  ],
  [
    "an & that is not escaped, in a title and in an address",
    "feedparser and browsers’ HTML read it as it is",
    item(
      '<title>Tom & Jerry; Q &amp; A</title><enclosure url="https://a.example/1.mp3?a=1&b=2" length="5" type="audio/mpeg"/>',
    ),
    [{ title: "Tom & Jerry; Q & A", audio: { url: "https://a.example/1.mp3?a=1&b=2" } }],
  ],
  [
    "an address that is escaped twice",
    "RFC 3986",
    item('<enclosure url="https://a.example/1.mp3?a=1&amp;amp;copy=2" type="audio/mpeg"/>'),
    [url("https://a.example/1.mp3?a=1&copy=2")],
  ],
  [
    "a picture as its enclosure",
    "WordPress, featured image in the feed",
    item('<enclosure url="https://a.example/1.jpg" type="image/jpeg"/>'),
    [{ audio: null }],
  ],
  [
    "a picture without a type",
    "the same",
    item('<enclosure url="https://a.example/1.PNG?w=3" type=""/>'),
    [{ audio: null }],
  ],
  [
    "a picture, then audio",
    "WordPress, featured image in the feed",
    item(`<enclosure url="https://a.example/1.jpg" type="image/jpeg"/>${mp3}`),
    [url("https://a.example/1.mp3")],
  ],
  [
    "audio that its type does not name",
    "Amazon S3, binary/octet-stream",
    item('<enclosure url="https://a.example/1.M4A?x=1" length="7" type="binary/octet-stream"/>'),
    [{ audio: { url: "https://a.example/1.M4A?x=1", type: "audio/x-m4a", size: 7 } }],
  ],
  [
    "audio by another name of its type",
    "IANA: audio/mpeg",
    item('<enclosure url="https://a.example/1" type="audio/mp3"/>'),
    [{ audio: { url: "https://a.example/1", type: "audio/mpeg" } }],
  ],
  [
    "what neither its type nor its address tells",
    "file itself decides",
    item('<enclosure url="https://a.example/play?id=1"/>'),
    [{ audio: { url: "https://a.example/play?id=1", type: "" } }],
  ],
  [
    "a video",
    "RSS Advisory Board, enclosure",
    item('<enclosure url="https://a.example/1.mp4" type="video/mp4"/>'),
    [{ audio: null }],
  ],
  [
    "Opus, Vorbis and MP3",
    "Podlove Publisher; Apple Podcasts: MP3 and M4A",
    item(
      `<enclosure url="https://a.example/1.opus" type="audio/opus"/><enclosure url="https://a.example/1.ogg" type="audio/ogg"/>${mp3}`,
    ),
    [url("https://a.example/1.mp3")],
  ],
  [
    "Vorbis and M4A",
    "Apple Podcasts: MP3 and M4A",
    item(
      '<enclosure url="https://a.example/1.oga"/><enclosure url="https://a.example/1.m4a" type="audio/mp4"/>',
    ),
    [url("https://a.example/1.m4a")],
  ],
  [
    "an absolute path",
    "RFC 3986 5.4",
    item('<enclosure url="/audio/1.mp3" type="audio/mpeg"/>'),
    [url("https://old.example/audio/1.mp3")],
  ],
  [
    "a relative path",
    "RFC 3986 5.4",
    item('<enclosure url="../a/1.mp3" type="audio/mpeg"/>'),
    [url("https://old.example/a/1.mp3")],
  ],
  [
    "an address without a scheme",
    "RFC 3986 5.4",
    item('<enclosure url="//cdn.example/1.mp3" type="audio/mpeg"/>'),
    [url("https://cdn.example/1.mp3")],
  ],
  [
    "xml:base of the document and of an item",
    "XML Base 4",
    rss(
      '<item><enclosure url="1.mp3" type="audio/mpeg"/></item><item xml:base="two/"><enclosure url="1.mp3" type="audio/mpeg"/></item>',
      'xml:base="https://base.example/x/"',
    ),
    [url("https://base.example/x/1.mp3"), url("https://base.example/x/two/1.mp3")],
  ],
  [
    "media:content alone",
    "Media RSS 1.5.1",
    item('<media:content url="https://a.example/1.mp3" fileSize="9" type="audio/mpeg" medium="audio"/>'),
    [{ audio: { url: "https://a.example/1.mp3", size: 9 } }],
  ],
  [
    "media:content in a group, with a thumbnail",
    "Media RSS 1.5.1",
    item(
      '<media:group><media:content url="https://a.example/1.jpg" medium="image"/><media:content url="https://a.example/1.mp3" type="audio/mpeg"/></media:group><media:thumbnail url="https://a.example/t.png"/>',
    ),
    [{ audio: { url: "https://a.example/1.mp3" }, imageUrl: "https://a.example/t.png" }],
  ],
  [
    "Atom",
    "RFC 4287 1.1, with an enclosure of 4.2.7.2",
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>Wharf</title><entry><title>Ferry</title>
      <link href="http://example.org/2005/04/02/atom"/>
      <link rel="enclosure" type="audio/mpeg" length="1337" href="http://example.org/audio/ph34r_my_podcast.mp3"/>
      <id>tag:example.org,2003:3.2397</id><updated>2005-07-31T12:29:29Z</updated><published>2003-12-13T08:29:29-04:00</published>
      <summary>Words.</summary><content type="html">&lt;p&gt;Long&lt;/p&gt;</content></entry></feed>`,
    [
      {
        title: "Ferry",
        guid: "tag:example.org,2003:3.2397",
        publishedAt: Date.UTC(2003, 11, 13, 12, 29, 29),
        link: "http://example.org/2005/04/02/atom",
        audio: { url: "http://example.org/audio/ph34r_my_podcast.mp3", type: "audio/mpeg", size: 1337 },
        summary: "Words.",
        notes: "<p>Long</p>",
      },
    ],
  ],
  [
    "Atom by a prefix, with tags of podcasts, and a date of its last change alone",
    "Namespaces in XML 1.0, 6",
    `<a:feed xmlns:a="http://www.w3.org/2005/Atom" xmlns:i="http://www.itunes.com/dtds/podcast-1.0.dtd" xml:base="https://b.example/"><a:entry><a:id>x</a:id><a:updated>2005-07-31T12:29:29Z</a:updated><a:link rel="enclosure" href="1.mp3"/><i:duration>1:00</i:duration></a:entry></a:feed>`,
    [
      {
        guid: "x",
        publishedAt: Date.UTC(2005, 6, 31, 12, 29, 29),
        durationSeconds: 60,
        audio: { url: "https://b.example/1.mp3", type: "audio/mpeg" },
      },
    ],
  ],
  [
    "RSS 0.91 with the DTD of Netscape, and 0.92 with enclosures",
    "RSS 0.91, Netscape's revision 3; RSS 0.92",
    `<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd"><rss version="0.91"><channel><title>Wharf</title><item><title>A</title>${mp3}</item></channel></rss>`,
    [{ title: "A", guid: "https://a.example/1.mp3" }],
  ],
  [
    "RSS 1.0 with mod_enclosure",
    "RSS 1.0 5.5, and the proposed module Enclosure",
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:enc="http://purl.oclc.org/net/rss_2.0/enc#">
      <channel rdf:about="https://a.example/"><title>Wharf</title><items><rdf:Seq/></items></channel>
      <item rdf:about="https://a.example/one"><title>Ferry</title><dc:date>2026-02-03T10:00:00Z</dc:date><enc:enclosure rdf:resource="https://a.example/1.mp3" enc:type="audio/mpeg" enc:length="8"/></item></rdf:RDF>`,
    [
      {
        guid: "https://a.example/one",
        title: "Ferry",
        publishedAt: Date.UTC(2026, 1, 3, 10),
        audio: { url: "https://a.example/1.mp3", type: "audio/mpeg", size: 8 },
      },
    ],
  ],
  [
    "other prefixes",
    "Namespaces in XML 1.0, 6",
    rss(
      `<item>${mp3}<it:duration>0:05</it:duration><it:season>3</it:season><c:encoded>&lt;p&gt;N&lt;/p&gt;</c:encoded><p:transcript url="t.vtt" type="text/vtt"/></item>`,
      'xmlns:it="http://www.itunes.com/DTDs/Podcast-1.0.dtd" xmlns:c="http://purl.org/rss/1.0/modules/content/" xmlns:p="https://podcastindex.org/namespace/1.0"',
    ),
    [
      {
        durationSeconds: 5,
        seasonNumber: 3,
        notes: "<p>N</p>",
        transcripts: [{ url: "https://old.example/show/t.vtt", type: "text/vtt" }],
      },
    ],
  ],
  [
    "a namespace that an element declares for itself",
    "Namespaces in XML 1.0, 6.2",
    rss(`<item>${mp3}<duration xmlns="http://www.itunes.com/dtds/podcast-1.0.dtd">7</duration></item>`, ""),
    [{ durationSeconds: 7 }],
  ],
  [
    "itunes:image as text",
    "feeds of hand-made generators",
    item(`${mp3}<itunes:image>https://a.example/i.jpg</itunes:image>`),
    [{ imageUrl: "https://a.example/i.jpg" }],
  ],
  [
    "itunes:image with a relative address",
    "RFC 3986 5.4",
    item(`${mp3}<itunes:image href="i.jpg"/>`),
    [{ imageUrl: "https://old.example/show/i.jpg" }],
  ],
  [
    "explicit as 1",
    "old feeds of podcast plugins",
    item(`${mp3}<itunes:explicit>1</itunes:explicit>`),
    [{ explicit: true }],
  ],
  [
    "explicit as clean",
    "Apple, before 2019",
    item(`${mp3}<itunes:explicit>clean</itunes:explicit>`),
    [{ explicit: false }],
  ],
  [
    "a date in German, and one that does not exist",
    "see the tests of dates",
    rss(
      `<item>${mp3}<pubDate>Fr, 09 Okt 2020 10:00:00 +0200</pubDate></item><item>${mp3}<pubDate>Tue, 31 Feb 2026 10:00:00 GMT</pubDate></item>`,
    ),
    [
      {
        publishedAt: Date.UTC(2020, 9, 9, 8),
        date: { text: "Fr, 09 Okt 2020 10:00:00 +0200", problem: null },
      },
      { publishedAt: null, date: { text: "Tue, 31 Feb 2026 10:00:00 GMT", problem: "nonexistent" } },
    ],
  ],
  [
    "no GUID",
    "RSS Best Practices: apps know it by its enclosure",
    item('<enclosure url="1.mp3" type="audio/mpeg"/>'),
    [{ guid: "https://old.example/show/1.mp3" }],
  ],
];

describe("the episodes of a feed", () => {
  test.each(forms)("%s (%s)", (_what, _source, document, wanted) => {
    expect(episodesOf(read(document))).toMatchObject(wanted);
  });

  test.each([
    ["", "It has no audio, so apps don’t show it."],
    [
      '<enclosure url="https://a.example/1.jpg" type="image/jpeg"/>',
      "It has no audio, only a picture (image/jpeg).",
    ],
    ['<media:content url="https://a.example/1" medium="image"/>', "It has no audio, only a picture."],
    [
      '<enclosure url="https://a.example/1.pdf" type="application/pdf"/>',
      "It isn’t audio (application/pdf).",
    ],
    ['<enclosure url="https://a.example/1.mp4" type="video/mp4"/>', "It isn’t audio (video/mp4)."],
    [
      '<enclosure url="ftp://a.example/1.mp3" type="audio/mpeg"/>',
      "The address of its audio isn’t valid, so apps can’t play it.",
    ],
  ])("without audio, %s: %s", (enclosure, problem) => {
    expect(episodesOf(read(item(enclosure)))).toMatchObject([{ audio: null, audioProblem: problem }]);
  });
});

describe("what of an episode is left out or simplified is named", () => {
  test.each<[string, string]>([
    [
      "<pubDate>2026-02-03 10:00</pubDate>",
      "Its date names no time zone, so it is read as a date in Australia/Sydney.",
    ],
    [`<title>${"long ".repeat(60)}</title>`, "Its title is cut after 255 characters."],
    [`<description>${"word ".repeat(1000)}</description>`, "Its description is cut after 4,000 characters."],
    [
      "<description>&lt;iframe src='x'&gt;&lt;/iframe&gt;</description>",
      "A player in its notes isn’t imported.",
    ],
    ["<description>&lt;img src='x'&gt;</description>", "Pictures in its notes stay at the old host."],
    [
      "<itunes:episode>0</itunes:episode>",
      "Its episode number isn’t a whole number from 1, so it isn’t imported.",
    ],
    ["<itunes:season>S2</itunes:season>", "Its season isn’t a whole number from 1, so it isn’t imported."],
    [
      "<itunes:episodeType>trailer</itunes:episodeType><itunes:episode>1</itunes:episode>",
      "It is a trailer, so its episode number isn’t imported.",
    ],
    [
      "<itunes:explicit>perhaps</itunes:explicit>",
      "It doesn’t say clearly whether it is explicit, so it comes as not explicit.",
    ],
    [
      '<enclosure url="https://a.example/1.ogg" type="audio/ogg"/>',
      "It has several audio files, of which the one that most apps play is imported.",
    ],
    [
      `<psc:chapters>${Array.from({ length: 501 }, (_, at) => `<psc:chapter start="${at}" title="${at}"/>`).join("")}</psc:chapters>`,
      "Only its first 500 chapters are imported.",
    ],
    [
      '<podcast:soundbite startTime="1" duration="3"/>',
      "A soundbite that doesn’t last 15 to 120 seconds isn’t imported.",
    ],
    ['<podcast:person role="wizard">Ada</podcast:person>', "A role that apps don’t know becomes “guest”."],
    [
      '<podcast:alternateEnclosure type="application/x-mpegURL"><podcast:source uri="https://a.example/master.m3u8"/></podcast:alternateEnclosure>',
      "Some of its further files aren’t imported: they are streams, are not on the web, or are too many.",
    ],
    ["<itunes:author>Somebody Else</itunes:author>", "Its own author isn’t imported."],
    ["<link>https://old.example/1</link>", "The link to its old page isn’t imported."],
    ["<podcast:value/>", "Its “podcast:value” isn’t imported."],
    ["<itunes:keywords>a, b</itunes:keywords>", "Its “itunes:keywords” isn’t imported."],
  ])("names the part of an episode that is not imported: %s", (inner, omission) => {
    expect(episodesOf(read(item(mp3 + inner)), "Australia/Sydney")).toMatchObject([
      { omissions: [omission] },
    ]);
  });

  test("and nothing about one that is imported unchanged", () => {
    const inner = `<title>A</title><guid>g</guid><pubDate>Tue, 03 Feb 2026 10:00:00 GMT</pubDate><description>B</description><itunes:episode>1</itunes:episode><itunes:explicit>false</itunes:explicit>`;
    expect(episodesOf(read(item(mp3 + inner)))).toMatchObject([{ omissions: [] }]);
  });
});

describe("what a feed says of the podcast", () => {
  const facts = (inner: string) => factsOf(read(rss(inner)), ADDRESS);

  test.each([
    ["wren@lantern.example (Wren Hollis)", "Wren Hollis"],
    ["Wren Hollis &lt;wren@lantern.example&gt;", "Wren Hollis"],
    ["Wren Hollis, wren@lantern.example", "Wren Hollis"],
    ["mailto:wren@lantern.example", undefined],
    ["wren@lantern.example", undefined],
    ["Wren Hollis", "Wren Hollis"],
  ])("the author of managingEditor %s is %s, and never the address", (editor, author) => {
    expect(facts(`<managingEditor>${editor}</managingEditor>`).author).toBe(author);
    expect(facts(`<itunes:author>${editor}</itunes:author>`).author).toBe(author);
  });

  test.each([
    // Apple's list of 2019, with what each became.
    ['text="Games &amp; Hobbies"', "Leisure", undefined],
    ['text="News &amp; Politics"', "News", undefined],
    ['text="Government &amp; Organizations"', "Government", undefined],
    ['text="Health"', "Health & Fitness", undefined],
    ['text="Science &amp; Medicine"', "Science", undefined],
    ['text="Sports &amp; Recreation"', "Sports", undefined],
    // As some write them.
    ['text="Society &amp;amp; Culture"', "Society & Culture", undefined],
    ['text="society and culture"', "Society & Culture", undefined],
    ['text="True Crime"', "True Crime", undefined],
    ['text="Tech News"', "News", "Tech News"],
    ['text="Nonsense"', undefined, undefined],
  ])("the category of %s is %s", (attribute, category, subcategory) => {
    expect(facts(`<itunes:category ${attribute}/>`)).toMatchObject(
      category === undefined ? {} : { category, ...(subcategory && { subcategory }) },
    );
    expect(facts(`<itunes:category ${attribute}/>`).category).toBe(category);
  });

  test.each([
    ["Technology", "Tech News", "News", "Tech News"],
    ["Games &amp; Hobbies", "Video Games", "Leisure", "Video Games"],
    ["Science &amp; Medicine", "Medicine", "Health & Fitness", "Medicine"],
    ["Society &amp; Culture", "History", "History", undefined],
    ["Arts", "Literature", "Arts", "Books"],
    ["Arts", "Food", "Arts", "Food"],
  ])("the category %s with %s is %s with %s", (parent, child, category, subcategory) => {
    const found = facts(
      `<itunes:category text="${parent}"><itunes:category text="${child}"/></itunes:category>`,
    );
    expect([found.category, found.subcategory]).toEqual([category, subcategory]);
  });

  test.each([
    ["en_US", "en-US"],
    ["en-us", "en-US"],
    ["English", "en"],
    ["english (UK)", "en"],
    ["Deutsch", "de"],
    ["German", "de"],
    ["français", "fr"],
    ["pt_BR.UTF-8", "pt-BR"],
    ["deu", "de"],
    ["en-UK", "en-GB"],
    ["nonsense", undefined],
  ])("the language %s is %s", (given, language) => {
    expect(facts(`<language>${given}</language>`).language).toBe(language);
  });

  test.each([
    ["1", true],
    ["yes", true],
    ["clean", false],
    ["0", false],
  ])("explicit as %s is %s", (given, explicit) => {
    expect(facts(`<itunes:explicit>${given}</itunes:explicit>`).explicit).toBe(explicit);
  });

  test("its artwork may be relative, or text", () => {
    expect(facts('<itunes:image href="/i.jpg"/>').artwork).toBe("https://old.example/i.jpg");
    expect(facts("<itunes:image>https://a.example/i.jpg</itunes:image>").artwork).toBe(
      "https://a.example/i.jpg",
    );
  });

  test("what no field takes is named", () => {
    const channel = read(
      rss(
        `<language>nonsense</language><itunes:category text="Games &amp; Hobbies"/><itunes:category text="Arts"/><podcast:value/><item>${mp3}</item>`,
      ),
    );
    expect(remarksOf(channel, factsOf(channel, ADDRESS))).toEqual([
      "The podcast: Its language “nonsense” can’t be imported.",
      "The podcast: Its category “Games & Hobbies” becomes “Leisure”.",
      "The podcast: Of its categories, one is imported.",
      "The podcast: Its “podcast:value” isn’t imported.",
    ]);
  });
});

test("a broken line is counted from the beginning of the file", () => {
  expect(() => read(`\n\n<!-- a\n -->${item("<title>A</b></title>")}`)).toThrow("broken in line 5");
});
