import { describe, expect, test } from "vitest";
import type { Choice } from "../../src/admin/moving-in/importers/choice.ts";
import type { Ask } from "../../src/admin/moving-in/importers/plan.ts";
import { file, move } from "../support/elsewhere.ts";
import { ghostExport, ghostPost, substackFiles, wxrItem, wxrOf, zipOf } from "../support/exports.ts";

/** The status, date and notes of each item, by title. The plan and the import must agree. */
async function statesOf(content: BlobPart, name: string, siteUrl?: string) {
  const { plan, articles } = await move([file(content, name)], { siteUrl });
  const notes = Object.fromEntries(articles.map((article) => [article.title, article.notes]));
  expect(Object.fromEntries(plan.rows.map((row) => [row.title, row.notes]))).toEqual(notes);
  return Object.fromEntries(
    articles.map(({ title, status, at, notes: said }) => [
      title,
      [status, at === null ? null : new Date(at).toISOString().slice(0, 10), said],
    ]),
  );
}

const asDraft = (why: string) => `${why}, so it’s imported as a draft.`;
const EPISODE = "It’s an episode: its audio isn’t in the export, and comes with the podcast’s feed.";
const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key><![CDATA[${key}]]></wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;

describe("WordPress", () => {
  let id = 0;
  type Item = Parameters<typeof wxrItem>[0];
  const itemOf = async (item: Item, others = "") => {
    const { plan, articles } = await move([
      file(wxrOf(wxrItem({ id: String(++id), content: "<p>Words.</p>", ...item }) + others), "w.xml"),
    ]);
    expect(plan.rows[0]?.notes).toEqual(articles[0]?.notes);
    return { ...articles[0]!, audio: plan.rows[0]!.audio };
  };

  // https://developer.wordpress.org/reference/functions/get_post_statuses/ and wp_insert_post's list of statuses
  test.each<[Item, string, string | null, string[]]>([
    [{ status: "publish" }, "published", "2020-01-02", []],
    [{ status: "future", date: "2099-01-02 00:00:00" }, "scheduled", "2099-01-02", []],
    [{ status: "draft" }, "draft", null, []],
    [{ status: "pending" }, "draft", null, [asDraft("Its status was “pending”")]],
    [{ status: "private" }, "draft", "2020-01-02", [asDraft("It was private")]],
    [{ status: "a-plugins-own" }, "draft", null, [asDraft("Its status was “a-plugins-own”")]],
    [
      { extra: "<wp:post_password>x</wp:post_password>" },
      "draft",
      "2020-01-02",
      [asDraft("It was password-protected")],
    ],
  ])("%j becomes %s", async (item, status, at, notes) => {
    const article = await itemOf(item);
    expect([
      article.status,
      article.at && new Date(article.at).toISOString().slice(0, 10),
      article.notes,
    ]).toEqual([status, at, notes]);
  });

  // PowerPress writes four lines (powerpress.php, powerpress_get_enclosure_data), WordPress three (do_enclose), and
  // Seriously Simple Podcasting a field and a type of its own.
  test.each<[string, Item, { url: string | null; feed: string } | null]>([
    [
      "PowerPress",
      {
        extra: meta(
          "enclosure",
          'https://media.example/1.mp3\n2116\naudio/mpeg\na:1:{s:8:"duration";s:8:"00:29:24";}',
        ),
      },
      { url: "https://media.example/1.mp3", feed: "https://old.example/feed/podcast/" },
    ],
    [
      "another podcast of PowerPress's",
      { extra: meta("news:enclosure", "https://media.example/2.mp3\n2116\naudio/mpeg\na:0:{}") },
      { url: "https://media.example/2.mp3", feed: "https://old.example/feed/podcast/" },
    ],
    [
      "PowerPress's shortcode",
      { content: "Notes.\n\n[powerpress]" },
      { url: null, feed: "https://old.example/feed/podcast/" },
    ],
    [
      "Seriously Simple Podcasting",
      { type: "podcast", extra: meta("audio_file", "https://media.example/3.mp3") },
      { url: "https://media.example/3.mp3", feed: "https://old.example/feed/podcast/" },
    ],
    [
      "WordPress, of a sound that the text doesn't have",
      { extra: meta("enclosure", "https://media.example/4.mp3\n2116\naudio/mpeg") },
      { url: "https://media.example/4.mp3", feed: "https://old.example/feed/" },
    ],
  ])("an episode of %s is marked as one, with the source of its audio", async (_what, item, audio) => {
    const article = await itemOf(item);
    expect(article.audio).toEqual({ ...audio, here: null });
    expect(article.notes).toEqual([EPISODE]);
    expect(article.content).not.toContain("powerpress");
  });

  test("an episode here gets its post's addresses, unless the owner declines", async () => {
    const post = wxrItem({
      id: "12",
      type: "podcast",
      content: "<p>Words.</p>",
      extra: meta("audio_file", "https://media.example/3.mp3"),
    });
    const ask: Ask = async ({ keys, episodes = [] }) => ({
      items: keys.map(() => null),
      taken: [],
      episodes: episodes.map(() => 7),
    });
    const sent = async (choice: Partial<Choice>) => {
      const { requests, plan } = await move([file(wxrOf(post), "a.xml")], {
        ask,
        choice: { posts: true, drafts: true, pages: true, ...choice },
      });
      return { payloads: requests.flat().map(({ payload }) => payload), addresses: plan.rows[0]!.addresses };
    };
    const { payloads, addresses } = await sent({});
    expect(addresses.length).toBeGreaterThan(1);
    expect(payloads).toEqual([{ place: "episode", episodeId: 7, oldAddresses: addresses }]);
    expect((await sent({ joined: false })).payloads).toEqual([]);
  });

  test("audio that the text links to is not an episode", async () => {
    const link = '<p><a href="https://media.example/5.mp3">Hear it</a></p>';
    const article = await itemOf({
      content: link,
      extra: meta("enclosure", "https://media.example/5.mp3\n21\naudio/mpeg"),
    });
    expect([article.audio, article.content]).toEqual([null, "[Hear it](https://media.example/5.mp3)"]);
  });

  // https://developer.wordpress.org/block-editor/reference-guides/core-blocks/ (Audio, Video, File)
  test.each([
    [
      "an audio block",
      '<!-- wp:audio --><figure class="wp-block-audio"><audio controls src="https://old.example/sound.mp3"></audio><figcaption>A sound</figcaption></figure><!-- /wp:audio -->',
      "[A sound](https://old.example/sound.mp3)",
      "sound.mp3",
    ],
    [
      "a video block without a caption",
      '<!-- wp:video --><figure class="wp-block-video"><video controls><source src="/up/film.mp4"></video></figure><!-- /wp:video -->',
      "[film.mp4](https://old.example/up/film.mp4)",
      "film.mp4",
    ],
    [
      "a file block",
      '<!-- wp:file --><div class="wp-block-file"><a href="https://files.example/a%20b.pdf">The plan</a><a href="https://files.example/a%20b.pdf" class="wp-block-file__button" download>Download</a></div><!-- /wp:file -->',
      "[The plan](https://files.example/a%20b.pdf)",
      "a b.pdf",
    ],
  ])("%s is a visible link, and is named", async (_what, content, wanted, name) => {
    expect(await itemOf({ content })).toMatchObject({
      content: wanted,
      notes: [`Audio, video and files stay where they are, and are links: ${name}.`],
    });
  });

  // https://codex.wordpress.org/Shortcode and the shortcodes of well-known plugins
  test.each([
    [
      "alone on their lines",
      "One\n\n[toc]\n\n[podlove-episode-web-player]",
      "[toc], [podlove-episode-web-player]",
    ],
    ["with an end", "[dropcap]T[/dropcap]he lamp[ref]A note[/ref].", "[dropcap], [ref]"],
    ["with values", 'Words [contact-form-7 id="5" title="Contact"] words', "[contact-form-7]"],
    ["with a number alone", '[contact-form-7 5 "Contact"]', "[contact-form-7]"],
    ["within a line, with a hyphen", "By [current-year] it was so.", "[current-year]"],
  ])("shortcodes %s are named", async (_what, content, names) => {
    expect((await itemOf({ content })).notes).toEqual([
      `It has parts that only WordPress can show: ${names}.`,
    ]);
  });

  test("a block with an end and nothing in it is named", async () => {
    const content =
      '<!-- wp:jetpack/podcast-player {"url":"https://f.example/feed"} -->\n<!-- /wp:jetpack/podcast-player --><!-- wp:paragraph -->\n<!-- /wp:paragraph --><p>x</p>';
    expect((await itemOf({ content })).notes).toEqual([
      "It has parts that only WordPress can show: jetpack/podcast-player.",
    ]);
  });

  test("words in brackets are words", async () => {
    const content =
      "A word [sic] and [1], [Ed. note], [the second].\n\n[Music]\n\n[laughs]\n\n<p>[continued]</p>\n\n<code>[toc]</code> <pre>[toc]</pre>";
    expect((await itemOf({ content })).notes).toEqual([]);
  });

  test("what else a post has there is named at it", async () => {
    const extra = [
      "<wp:comment><wp:comment_id>1</wp:comment_id></wp:comment><wp:comment><wp:comment_id>2</wp:comment_id></wp:comment>",
      '<category domain="post_format" nicename="post-format-aside"><![CDATA[Aside]]></category>',
      '<category domain="series" nicename="lamps"><![CDATA[Lamps]]></category>',
      "<wp:is_sticky>1</wp:is_sticky>",
    ].join("");
    expect((await itemOf({ extra })).notes).toEqual([
      "2 comments aren’t imported.",
      "Its format isn’t kept: Aside.",
      "Other groups that it was in aren’t kept: Lamps.",
      "It was pinned to the top, which isn’t kept.",
    ]);
  });

  test("categories that become tags, and authors of several, are named at it", async () => {
    const extra = ["Lamps", "Oil"]
      .map((name) => `<category domain="category" nicename="x"><![CDATA[${name}]]></category>`)
      .join("");
    const items =
      wxrItem({ id: "1", title: "One", extra }) +
      wxrItem({ id: "2", title: "Two" }).replace("[ada]", "[wren]");
    const { plan, articles } = await move([file(wxrOf(items), "w.xml")], {
      categories: [{ id: 3, name: "Lamps" }],
    });
    expect(articles.map(({ categoryId, tags, notes }) => [categoryId, tags, notes])).toEqual([
      [
        3,
        ["Oil"],
        ["Categories that it has there are tags here: Oil.", "Its author isn’t named here: Ada Writer."],
      ],
      [null, [], ["Its author isn’t named here: wren."]],
    ]);
    expect(plan.rows.map(({ notes }) => notes)).toEqual(articles.map(({ notes }) => notes));
  });

  test("a title that is too long is named", async () => {
    expect((await itemOf({ title: "Word ".repeat(60) })).notes).toEqual(["Its title is shortened."]);
  });

  test("a picture that follows later in the export is in the plan", async () => {
    const attachment = wxrItem({
      id: "900",
      type: "attachment",
      status: "inherit",
      extra: "<wp:attachment_url>https://old.example/wall.png</wp:attachment_url>",
    });
    const { notes, pictures } = await itemOf({ extra: meta("_thumbnail_id", "900") }, attachment);
    expect([notes, pictures]).toEqual([[], ["https://old.example/wall.png"]]);
    expect((await itemOf({ extra: meta("_thumbnail_id", "901") }, attachment)).notes).toEqual([
      "Its picture isn’t in the export, so it’s imported without one.",
    ]);
  });

  test.each([
    ["an address", "<wp:attachment_url>https://old.example/t.jpg?a=1&b=2</wp:attachment_url>"],
    [
      "a name",
      '<category domain="post_tag" nicename="q"><![CDATA[Q & A]]></category><dc:title>Q & A</dc:title>',
    ],
    ["an entity of HTML's", "<dc:title>Caf&eacute; &nbsp; & more</dc:title>"],
    ["an attribute", '<enclosure url="https://old.example/a.mp3?x=1&y=2"/>'],
  ])("a bare & in %s drops no post", async (_what, extra) => {
    const items =
      wxrItem({ id: "1", title: "One", extra }) + wxrItem({ id: "2", title: "Two & <b>three</b>" });
    const { articles } = await move([file(wxrOf(items), "w.xml")]);
    expect(articles.map(({ title }) => title)).toEqual(["One", "Two & three"]);
  });
});

describe("what HTML has and Markdown does not is named", () => {
  test.each([
    ["colours", '<p style="color:red">x</p>', "Colours, underlining and alignment of its text aren’t kept."],
    [
      "alignment",
      '<p class="has-text-align-center">x</p>',
      "Colours, underlining and alignment of its text aren’t kept.",
    ],
    ["a folded part", "<details><summary>x</summary>y</details>", "Collapsed parts are shown open."],
    ["columns", '<div class="wp-block-columns"><p>x</p></div>', "Columns follow one another."],
    ["merged cells", '<table><tr><td colspan="2">x</td></tr></table>', "Merged cells of a table are split."],
    [
      "a link within the text",
      '<p><a href="#b">b</a></p>',
      "Links to places within its text are plain words.",
    ],
    ["a form", "<p>x</p><form><input></form>", "Forms and buttons of the old site are left out."],
    ["a script", "<p>x</p><script>draw()</script>", "A script in its text is left out."],
    [
      "a file of the old site",
      '<p><a href="/up/plan.pdf">x</a></p>',
      "Files stay at the old site, and are links: plan.pdf.",
    ],
    [
      "a player that a script draws",
      '<p>x</p><script src="https://www.buzzsprout.com/1/2.js?player=small"></script>',
      "A player or another part that a script draws is left out: www.buzzsprout.com.",
    ],
    [
      "a player in a frame",
      '<p>x</p><iframe src="https://player.simplecast.com/1"></iframe>',
      "What was embedded is a link: player.simplecast.com.",
    ],
    [
      "an element that a script draws",
      "<p>x</p><podlove-player src='https://media.example/a.json'></podlove-player>",
      "A player or another part that a script draws is left out: podlove-player.",
    ],
    [
      "a sound without an address",
      "<p>x</p><audio></audio>",
      "Audio or a video without a known address is left out.",
    ],
  ])("a note names what Markdown does not have: %s", async (_what, html, note) => {
    // Within an HTML card of Ghost's, which has its own comments around it.
    const card = `<!--kg-card-begin: html-->${html}<!--kg-card-end: html-->`;
    const exported = ghostExport([ghostPost({ id: "1", uuid: "u", title: "T", slug: "t", html: card })]);
    const { plan, articles } = await move([file(exported, "g.json")], { siteUrl: "https://old.example" });
    expect(articles[0]!.notes).toEqual([note]);
    if (!note.startsWith("Files")) expect(plan.rows[0]!.notes).toEqual([note]);
  });
});

// https://support.squarespace.com/hc/en-us/articles/206566687 (exporting), as its own export writes blocks
test("Squarespace's export has its old addresses, its links and its blocks", async () => {
  const item = (id: number, name: string, content: string) => `
    <item><title>${name}</title><link>/blog/${name}</link><content:encoded><![CDATA[${content}]]></content:encoded>
    <wp:post_name>${name}</wp:post_name><wp:post_type>post</wp:post_type><wp:post_id>${id}</wp:post_id>
    <wp:status>publish</wp:status><wp:post_date_gmt>2013-06-07 03:00:44</wp:post_date_gmt></item>`;
  const blocks = [
    '<p>See <a href="/blog/second">the second</a>.</p>',
    '<div class="sqs-block audio-block sqs-block-audio"><div class="sqs-block-content"><div class="sqs-audio-embed" data-url="https://static.squarespace.example/a.mp3" data-title="The first"></div></div></div>',
    '<div class="sqs-block video-block sqs-block-video"><div class="sqs-video-wrapper" data-html="&lt;iframe src=&quot;//www.youtube.com/embed/abcdefghijk?wmode=opaque&quot;&gt;&lt;/iframe&gt;"></div></div>',
    '<div class="sqs-block form-block sqs-block-form"><div class="sqs-block-content"></div></div>',
    '<noscript><img src="https://images.example/a.jpg"></noscript><img class="thumb-image" data-src="https://images.example/a.jpg" alt="A">',
  ].join("");
  const wxr = `<?xml version="1.0"?><rss xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>S</title><link>https://lantern.example</link><wp:wxr_version>1.2</wp:wxr_version>${item(4, "first", blocks)}${item(6, "second", "<p>Two.</p>")}</channel></rss>`;
  const { titled, plan } = await move([file(wxr, "s.xml")]);
  expect(plan.siteUrl).toBe("https://lantern.example");
  expect(titled("first")).toMatchObject({
    content: [
      "See [the second](/essays/second).",
      "[The first](https://static.squarespace.example/a.mp3)",
      "[youtube.com](https://www.youtube.com/watch?v=abcdefghijk)",
      "![A](https://picture.invalid/0)",
    ].join("\n\n"),
    at: Date.UTC(2013, 5, 7, 3, 0, 44),
    oldAddresses: ["/blog/first"],
    notes: [
      "A block that only Squarespace can show is left out: form.",
      "What was embedded is a link: youtube.com.",
      "Audio, video and files stay where they are, and are links: a.mp3.",
    ],
  });
  expect(titled("second").oldAddresses).toEqual(["/blog/second"]);
});

// https://ghost.org/docs/content-api/ and ghost/core/core/server/data/schema/schema.js: posts.status, posts_meta.email_only
test("Ghost's posts keep their own statuses", async () => {
  const post = (title: string, fields: object = {}) =>
    ghostPost({ id: title, uuid: title, title, slug: title.toLowerCase(), html: "<p>x</p>", ...fields });
  const posts = [
    post("Public"),
    post("Draft", { status: "draft", published_at: null }),
    post("Scheduled", { status: "scheduled", published_at: "2099-01-02T00:00:00.000Z" }),
    post("Members", { visibility: "members" }),
    post("Tiers", { visibility: "tiers" }),
    post("Sent", { status: "sent" }),
    post("EmailOnly"),
    post("EmailLater", { status: "scheduled", published_at: "2099-01-02T00:00:00.000Z", email_only: true }),
    post("Unknown", { status: "new" }),
    post("Featured", { featured: 1, codeinjection_foot: "<script></script>" }),
  ];
  const emailOnly = [{ id: "m", post_id: "EmailOnly", email_only: 1 }];
  expect(
    await statesOf(ghostExport(posts, { posts_meta: emailOnly }), "g.json", "https://old.example"),
  ).toEqual({
    Public: ["published", "2020-01-02", []],
    Draft: ["draft", null, []],
    Scheduled: ["scheduled", "2099-01-02", []],
    Members: ["draft", "2020-01-02", [asDraft("It was for members only")]],
    Tiers: ["draft", "2020-01-02", [asDraft("It was for members only")]],
    Sent: ["draft", "2020-01-02", [asDraft("It was sent only as an email")]],
    EmailOnly: ["draft", "2020-01-02", [asDraft("It was sent only as an email")]],
    EmailLater: ["draft", "2099-01-02", [asDraft("It was to be sent only as an email")]],
    Unknown: ["draft", "2020-01-02", [asDraft("Its status was “new”")]],
    Featured: [
      "published",
      "2020-01-02",
      ["It was featured, which isn’t kept.", "Its injected code is left out."],
    ],
  });
});

// https://support.substack.com/hc/en-us/articles/360037466012 (export), the columns of posts.csv
test("Substack's posts keep their own statuses", async () => {
  const csv = [
    "post_id,post_date,is_published,email_sent_at,inbox_sent_at,type,audience,title,subtitle,podcast_url",
    "1.a,2021-01-02T00:00:00.000Z,true,,,newsletter,everyone,Public,,",
    "2.b,2021-01-02T00:00:00.000Z,true,,,newsletter,only_paid,Paid,,",
    "3.c,2021-01-02T00:00:00.000Z,true,,,newsletter,only_free,Free,,",
    "4.d,,false,,,newsletter,everyone,Draft,,",
    "5.e,2021-01-02T00:00:00.000Z,true,,,podcast,everyone,Episode,,https://api.substack.com/a.mp3",
    "6.f,2021-01-02T00:00:00.000Z,true,,,newsletter,everyone,Read aloud,,https://api.substack.com/b.mp3",
  ].join("\n");
  const texts = Object.fromEntries(
    ["1.a", "2.b", "3.c", "4.d", "5.e", "6.f"].map((id) => [`posts/${id}.html`, "<p>x</p>"]),
  );
  expect(
    await statesOf(await zipOf({ "posts.csv": csv, ...texts }), "s.zip", "https://x.substack.com"),
  ).toEqual({
    Public: ["published", "2021-01-02", []],
    Paid: ["draft", "2021-01-02", [asDraft("It wasn’t public")]],
    Free: ["draft", "2021-01-02", [asDraft("It wasn’t public")]],
    Draft: ["draft", null, []],
    Episode: ["published", "2021-01-02", [EPISODE]],
    "Read aloud": ["published", "2021-01-02", ["Its recording stays at Substack."]],
  });
});

describe("the owner's choice", () => {
  const choice = { posts: true, drafts: true, pages: false };

  test("makes drafts of all items, which keep their dates", async () => {
    const { articles } = await move([file(await zipOf(substackFiles), "s.zip")], {
      choice: { ...choice, asDrafts: true },
    });
    expect(articles.map(({ title, status, at }) => [title, status, at])).toEqual([
      ["First, a letter", "draft", Date.UTC(2021, 1, 14, 12)],
      ["For payers", "draft", Date.UTC(2021, 2, 1, 12)],
      ["Unfinished", "draft", null],
    ]);
  });

  test("leaves episodes to the podcast's feed, and skips existing ones", async () => {
    const episode = (id: string, title: string) =>
      wxrItem({
        id,
        title,
        name: title.toLowerCase(),
        content: '<p><a href="https://old.example/?p=2">Two</a></p>',
        extra: meta("audio_file", `https://media.example/${id}.mp3`),
      });
    const files = [file(wxrOf(episode("1", "One") + episode("2", "Two")), "w.xml")];
    const ask = async ({
      keys,
      episodes = [],
    }: {
      keys: string[];
      episodes?: { guid: string; audio: string }[];
    }) => ({
      items: keys.map(() => null),
      taken: [],
      episodes: episodes.map(({ guid, audio }) =>
        guid === "https://old.example/?p=2" && audio === "https://media.example/2.mp3" ? 7 : null,
      ),
    });
    expect((await move(files, { ask, choice: { ...choice, episodes: false } })).articles).toEqual([]);
    const { articles, plan } = await move(files, { ask, choice });
    expect(plan.rows.map(({ audio }) => audio?.here)).toEqual([null, 7]);
    expect(articles.map(({ title, content }) => [title, content])).toEqual([["One", "[Two](/episode/7)"]]);
  });
});
