import { describe, expect, test } from "vitest";
import { file, move } from "../support/elsewhere.ts";
import { zipOf } from "../support/exports.ts";

type Options = Parameters<typeof move>[1];

/** The status, date and notes of each item, by title. The plan and the import must agree. */
async function read(content: BlobPart, name: string, options?: Options) {
  const moved = await move([file(content, name)], options);
  for (const { title, notes } of moved.articles)
    expect(moved.plan.rows.find((row) => row.title === title)?.notes).toEqual(notes);
  const states = moved.articles.map(({ title, status, at, notes }) => [
    title,
    status,
    at === null ? null : new Date(at).toISOString(),
    notes,
  ]);
  return { ...moved, states };
}

const asDraft = (why: string) => `${why}, so it’s imported as a draft.`;
const EPISODE = "It’s an episode: its audio isn’t in the export, and comes with the podcast’s feed.";

// https://help.medium.com/hc/en-us/articles/115004745787 (export), and the pages that TryGhost/migrate's
// packages/mg-medium-export has for its tests
describe("Medium", () => {
  type Page = { title: string; body: string; published?: string; canonical?: string; tags?: string[] };
  const page = ({ title, body, published, canonical, tags = [] }: Page) => `<!DOCTYPE html><html><head>
<meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>${title}</title><style>* { color: black }</style></head>
<body><article class="h-entry"><header><h1 class="p-name">${title}</h1></header>
<section data-field="subtitle" class="p-summary">
A subtitle
</section>
<section data-field="body" class="e-content">
<section name="a1" class="section section--body section--first"><div class="section-divider"><hr class="section-divider"></div><div class="section-content"><div class="section-inner sectionLayout--insetColumn">${body}</div></div></section>
</section>
<footer>${tags.length > 0 ? `<p class="p-tags">Tagged in ${tags.map((tag) => `<a href="https://medium.com/tag/x" class="p-tag">${tag}</a>`).join(", ")}</p>` : ""}
${published ? `<p>By <a href="https://medium.com/@wren" class="p-author h-card">Wren Hollis</a> on <a href="https://medium.com/p/0"><time class="dt-published" datetime="${published}">a day</time></a>.</p><p><a href="${canonical}" class="p-canonical">Canonical link</a></p>` : '<p><a href="https://medium.com/p/ababab121212">View original.</a></p>'}
<p>Exported from <a href="https://medium.com">Medium</a> on September 21, 2018.</p></footer></article></body></html>`;
  const titled = (title: string, rest: string) =>
    `<h3 class="graf graf--h3 graf--leading graf--title">${title}</h3>${rest}`;

  test("posts, drafts and responses keep their own statuses", async () => {
    const zip = await zipOf({
      "posts/2018-08-11_Oil---wick-abcdef012345.html": page({
        title: "Oil &amp; wick",
        body: titled(
          "Oil &amp; wick",
          '<p class="graf graf--p">See <a href="https://medium.com/@wren/second-0123456789ab?source=x">the second</a>.</p><figure class="graf graf--figure"><img class="graf-image" src="https://cdn-images-1.medium.com/max/800/1*a.png"></figure><figure class="graf graf--figure graf--iframe"><script src="https://gist.github.com/wren/1.js"></script></figure>',
        ),
        published: "2018-08-11T11:23:34.123Z",
        canonical: "https://medium.com/@wren/oil-wick-abcdef012345",
        tags: ["Lamps", "Oil"],
      }),
      "posts/2019-01-02_Second-0123456789ab.html": page({
        title: "Second",
        body: titled("Second", "<p>Two.</p>"),
        published: "2019-01-02T00:00:00.000Z",
        canonical: "https://medium.com/@wren/second-0123456789ab",
      }),
      "posts/draft_Third-ababab121212.html": page({ title: "Third", body: titled("Third", "<p>Half.</p>") }),
      "posts/2024-06-03_Well-said--b1b2c3d4e5f6.html": page({
        title: "Well said!",
        body: '<p class="graf graf--p graf--leading">Well said! I agree.</p>',
        published: "2024-06-03T09:41:57.629Z",
        canonical: "https://medium.com/@wren/well-said-b1b2c3d4e5f6",
      }),
      "profile/profile.html": "<p>Me</p>",
    });
    const { states, titled: by, plan } = await read(zip, "medium-export.zip");
    expect(states).toEqual([
      ["Oil & wick", "published", "2018-08-11T11:23:34.123Z", []],
      ["Second", "published", "2019-01-02T00:00:00.000Z", []],
      ["Third", "draft", null, []],
      [
        "Well said!",
        "draft",
        "2024-06-03T09:41:57.629Z",
        [asDraft("It looks like a response to another post")],
      ],
    ]);
    expect(by("Oil & wick")).toMatchObject({
      content:
        "See [the second](/essays/second).\n\n![](https://picture.invalid/0)\n\n[gist.github.com](https://gist.github.com/wren/1)",
      excerpt: "A subtitle",
      tags: ["Lamps", "Oil"],
      guid: "https://medium.com/p/abcdef012345",
      oldAddresses: ["/@wren/oil-wick-abcdef012345", "/p/abcdef012345"],
      slug: "oil-wick",
    });
    expect(plan.authors).toEqual(["Wren Hollis"]);
  });

  test("a cover, subtitle, card and code are converted, and an undated post becomes a draft", async () => {
    const zip = await zipOf({
      "posts/2018-08-11_Lamps-efefef121212.html": page({
        title: "Lamps",
        body: `${titled("Lamps", '<h4 class="graf graf--h4 graf--subtitle">A subtitle.</h4>')}<figure class="graf graf--figure"><div class="aspectRatioPlaceholder is-locked"><img class="graf-image" data-is-featured="true" src="https://cdn-images-1.medium.com/max/2000/1*b.jpeg"></div><figcaption class="imageCaption">A <em>lit</em> lamp</figcaption></figure><p class="graf graf--p">One <strong>bold </strong>word.</p><pre data-code-block-mode="1" spellcheck="false" data-code-block-lang="javascript" class="graf graf--pre graf--preV2"><span class="pre--content">let a = 1;<br>if (a) {<br>  b();<br>}</span></pre><div class="graf graf--mixtapeEmbed"><a href="https://x.example/y" class="markup--anchor"><strong class="markup--strong">A card</strong><br><em>Its words</em>x.example</a><a href="https://x.example/y" class="js-mixtapeImage mixtapeImage" style="background-image: url(https://cdn-images-1.medium.com/fit/c/160/160/0*z);"></a></div>`,
        published: "2018-08-11T11:23:34.123Z",
        canonical: "https://medium.com/@wren/lamps-efefef121212",
      }),
      "posts/2019-01-01_No-date-abababababab.html": page({
        title: "No date",
        body: "<p>Words.</p>",
        published: "soon",
        canonical: "https://medium.com/@wren/no-date-abababababab",
      }),
    });
    const { states, titled: by } = await read(zip, "medium-export.zip");
    expect(states.map(([title, status]) => [title, status])).toEqual([
      ["Lamps", "published"],
      ["No date", "draft"],
    ]);
    expect(states[1]![3]).toEqual([asDraft("Its date is missing, can’t be read or is before 1970")]);
    expect(by("No date").oldAddresses).toContain("/@wren/no-date-abababababab");
    expect(by("Lamps")).toMatchObject({
      excerpt: "A subtitle",
      image: 0,
      imageCaption: "A lit lamp",
      pictures: ["https://cdn-images-1.medium.com/max/2000/1*b.jpeg"],
      content:
        "One **bold** word.\n\n```javascript\nlet a = 1;\nif (a) {\n  b();\n}\n```\n\n[A card](https://x.example/y)",
    });
  });
});

// https://support.google.com/blogger/answer/41387 (backup): feed.atom of Google Takeout, with blogger:status, and before
// that an Atom with kinds as categories (https://developers.google.com/blogger/docs/2.0/developers_guide_protocol)
describe("Blogger", () => {
  const entry = (title: string, fields: string, content = "&lt;p&gt;Words.&lt;/p&gt;") =>
    `<entry><id>tag:blogger.com,1999:blog-1.post-${title.replaceAll(" ", "")}</id><title>${title}</title><content type='html'>${content}</content><published>2023-05-01T10:00:00+01:00</published><updated>2024-01-01T00:00:00Z</updated><author><name>Wren</name></author>${fields}</entry>`;
  const atom = (entries: string) =>
    `<?xml version='1.0' encoding='utf-8'?><feed xmlns='http://www.w3.org/2005/Atom' xmlns:blogger='http://schemas.google.com/blogger/2018'><id>tag:blogger.com,1999:blog-1</id><title>B</title>${entries}</feed>`;
  const kinds = (type: string, status: string) =>
    `<blogger:type>${type}</blogger:type><blogger:status>${status}</blogger:status>`;

  test("entries keep their own statuses, and comments are counted", async () => {
    const tags = "<category scheme='tag:blogger.com,1999:blog-1' term='Lamps'/>";
    const entries = [
      entry(
        "Live",
        `${kinds("POST", "LIVE")}${tags}<blogger:filename>/2023/05/live.html</blogger:filename><blogger:metaDescription>About</blogger:metaDescription>`,
      ),
      entry("A draft", kinds("POST", "DRAFT")),
      entry("Planned", kinds("POST", "SCHEDULED").replace("POST", "POST")),
      entry("In the bin", kinds("POST", "SOFT_TRASHED")),
      entry("Something", kinds("POST", "HELD")),
      entry("The page", `${kinds("PAGE", "LIVE")}<blogger:filename>/p/about.html</blogger:filename>`),
      entry("A long comment", kinds("COMMENT", "LIVE")),
    ];
    const { states, titled, plan } = await read(atom(entries.join("")), "feed.atom", {
      siteUrl: "https://b.example",
    });
    const at = "2023-05-01T09:00:00.000Z";
    expect(states).toEqual([
      ["Live", "published", at, []],
      ["A draft", "draft", null, []],
      ["Planned", "scheduled", at, []],
      ["Something", "draft", at, [asDraft("Its status was “HELD”")]],
      ["The page", "draft", at, []],
    ]);
    expect(titled("Live")).toMatchObject({
      place: "blogger",
      slug: "live",
      content: "Words.",
      tags: ["Lamps"],
      metaDescription: "About",
      guid: "tag:blogger.com,1999:blog-1.post-Live",
      oldAddresses: ["/2023/05/live.html"],
    });
    expect([...plan.leftOut.keys()]).toEqual(["It’s in the bin"]);
    expect(plan.remarks).toEqual(["A comment isn’t imported."]);
  });

  test("an entry of Google Takeout has empty elements, its author's kind and its location", async () => {
    const fields = `<author><name>Wren</name><uri>https://x.example/</uri><blogger:type>BLOGGER</blogger:type></author>${kinds("POST", "LIVE")}<blogger:created>2011-10-08T19:40:53.278Z</blogger:created><blogger:location><blogger:name>Perth</blogger:name><blogger:latitude>1</blogger:latitude></blogger:location><category/><blogger:filename>/2023/05/lit.html</blogger:filename><link/><enclosure/><blogger:trashed/>`;
    const { states, plan, titled } = await read(
      atom(entry("A lamp &amp;#39;lit&amp;#39;", fields)),
      "feed.atom",
      {
        siteUrl: "https://b.example",
      },
    );
    expect(states).toEqual([
      ["A lamp 'lit'", "published", "2023-05-01T09:00:00.000Z", ["Its location isn’t kept: Perth."]],
    ]);
    expect(plan.rows[0]!.audio).toBeNull();
    expect(titled("A lamp 'lit'").oldAddresses).toEqual(["/2023/05/lit.html"]);
  });

  test("an older backup has kinds, settings and a link", async () => {
    const kind = (name: string) =>
      `<category scheme='http://schemas.google.com/g/2005#kind' term='http://schemas.google.com/blogger/2008/kind#${name}'/>`;
    const entries = [
      entry(
        "Post",
        `${kind("post")}<category scheme='http://www.blogger.com/atom/ns#' term='Oil'/><link rel='alternate' type='text/html' href='http://b.example/2010/01/post.html'/><thr:total xmlns:thr='http://purl.org/syndication/thread/1.0'>2</thr:total>`,
      ),
      entry(
        "Drafted",
        `${kind("post")}<app:control xmlns:app='http://purl.org/atom/app#'><app:draft>yes</app:draft></app:control>`,
      ),
      entry("Template", kind("template")),
      entry("Settings of", kind("settings")),
    ];
    const link = "<link rel='alternate' type='text/html' href='http://b.example/'/>";
    const { states, titled, plan } = await read(atom(link + entries.join("")), "blog.xml");
    expect(states).toEqual([
      ["Post", "published", "2023-05-01T09:00:00.000Z", ["2 comments aren’t imported."]],
      ["Drafted", "draft", null, []],
    ]);
    expect(titled("Post")).toMatchObject({ tags: ["Oil"], oldAddresses: ["/2010/01/post.html"] });
    expect([plan.siteUrl, [...plan.leftOut]]).toEqual(["http://b.example", []]);
  });
});

// https://www.rssboard.org/rss-specification, https://www.rfc-editor.org/rfc/rfc4287
describe("a feed", () => {
  const rss = (items: string) =>
    `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>F</title><atom:link href="https://f.example/feed/" rel="self"/><link>https://f.example/blog</link>${items}</channel></rss>`;

  test("of RSS has whole texts, beginnings, and episodes", async () => {
    const items = `
<item><title>Q &amp;amp; A</title><link>https://f.example/blog/q-and-a/?utm=1&x=2</link><guid isPermaLink="false">g-1</guid><pubDate>Sat, 06 May 2023 10:00:00 +0200</pubDate><dc:creator>Wren</dc:creator><category>Lamps</category><slash:comments>3</slash:comments><description>Short […]</description><content:encoded><![CDATA[<p>Whole & <a href="/blog/two">two</a>.</p>]]></content:encoded></item>
<item><title>Two</title><link>https://f.example/blog/two</link><pubDate>Sun, 07 May 2023 10:00:00 AEST</pubDate><description>&lt;p&gt;It begins […]&lt;/p&gt;</description></item>
<item><title>Undated</title><guid>https://f.example/blog/undated</guid><description>Words.</description></item>
<item><title>Heard</title><link>https://f.example/blog/heard</link><pubDate>Mon, 08 May 2023 10:00:00 GMT</pubDate><description>Notes.</description><enclosure url="https://f.example/a.mp3" length="1" type="audio/mpeg"/></item>`;
    const { states, titled, plan } = await read(rss(items), "rss.xml");
    expect(states).toEqual([
      ["Q & A", "published", "2023-05-06T08:00:00.000Z", ["3 comments aren’t imported."]],
      ["Two", "published", "2023-05-07T00:00:00.000Z", ["The feed may have only the beginning of its text."]],
      ["Undated", "draft", null, [asDraft("Its date is missing, can’t be read or is before 1970")]],
      ["Heard", "published", "2023-05-08T10:00:00.000Z", [EPISODE]],
    ]);
    expect(titled("Q & A")).toMatchObject({
      content: "Whole & [two](/essays/two).",
      tags: ["Lamps"],
      guid: "g-1",
      excerpt: "",
      slug: "q-and-a",
    });
    expect(plan.rows[3]!.audio).toEqual({
      url: "https://f.example/a.mp3",
      feed: "https://f.example/feed/",
      here: null,
    });
    expect(plan.remarks).toEqual(["A feed often has only the newest posts. Older ones aren’t in it."]);
  });

  test("of Atom has text, HTML and XHTML", async () => {
    const entry = (title: string, content: string) =>
      `<entry><id>urn:${title}</id><title type="html">${title}</title><link href="https://f.example/${title}"/><published>2023-05-06T10:00:00Z</published><updated>2024-01-01T00:00:00Z</updated>${content}</entry>`;
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><link rel="self" href="https://f.example/atom.xml"/><link href="https://f.example/"/>${[
      entry("plain", "<content>One &lt; two</content>"),
      entry("html", '<content type="html">&lt;p&gt;One &lt;b&gt;two&lt;/b&gt;&lt;/p&gt;</content>'),
      entry(
        "xhtml",
        '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One <b>two</b><br/>three &amp; four</p></div></content>',
      ),
      entry("summed", "<summary>A beginning</summary>"),
    ].join("")}</feed>`;
    const { articles, states } = await read(atom, "atom.xml");
    expect(articles.map(({ content }) => content)).toEqual([
      "One < two",
      "One **two**",
      "One **two**\\\nthree & four",
      "A beginning",
    ]);
    expect(states[3]![3]).toEqual(["The feed may have only the beginning of its text."]);
    expect(articles[0]!.oldAddresses).toEqual(["/plain"]);
  });

  test("that is truncated imports its complete items, with a note", async () => {
    const items =
      "<item><title>One</title><description>x</description><pubDate>Mon, 08 May 2023 10:00:00 GMT</pubDate></item>";
    const whole = rss(items + items.replace("One", "Two"));
    const { states, plan } = await read(whole.slice(0, whole.indexOf("Two")), "rss.xml");
    expect(states.map(([title]) => title)).toEqual(["One"]);
    expect(plan.remarks[0]).toMatch(/cut off/);
  });
});

// https://support.beehiiv.com (Exporting your content), with the columns that TryGhost/migrate's packages/mg-beehiiv reads
describe("beehiiv", () => {
  const columns =
    "id,web_title,status,audience,url,web_subtitle,email_subject_line,email_preview_text,content_html,thumbnail_url,created_at";
  const html =
    "<table><tr><td><h1>Header</h1></td></tr><tr><td id='content-blocks'><table><tr><td><p>Words.</p></td></tr></table></td></tr></table>";
  const row = (
    id: string,
    title: string,
    status: string,
    audience: string,
    url = `https://n.beehiiv.com/p/${id}`,
  ) =>
    `${id},${title},${status},${audience},${url},A subtitle,Subject,Preview,"${html}",uploads/asset/file/1/a.png,2023-01-18 21:25:27`;

  test("posts keep their own statuses, without the layout of an email", async () => {
    const csv = [
      columns,
      row("a", "Free", "confirmed", "free"),
      row("b", "Paid", "confirmed", "premium"),
      row("c", "Both", "confirmed", "both"),
      row("d", "Draft", "draft", "free", ""),
      row("e", "Archived", "archived", "free"),
      row("f", "By email", "confirmed", "free", ""),
    ].join("\n");
    const { states, titled, plan } = await read(csv, "posts.csv");
    const at = "2023-01-18T21:25:27.000Z";
    const CREATED = "Its date is that of its creation: the export has no other.";
    expect(states).toEqual([
      ["Free", "published", at, [CREATED]],
      ["Paid", "draft", at, [asDraft("It was for paying subscribers only"), CREATED]],
      ["Both", "draft", at, [asDraft("Part of it was for paying subscribers"), CREATED]],
      ["Draft", "draft", null, []],
      ["Archived", "draft", at, [asDraft("Its status was “archived”"), CREATED]],
      ["By email", "draft", at, [asDraft("It has no page on the web"), CREATED]],
    ]);
    expect(titled("Free")).toMatchObject({
      content: "Words.",
      excerpt: "A subtitle",
      pictures: ["https://media.beehiiv.com/cdn-cgi/image/quality=100/uploads/asset/file/1/a.png"],
      oldAddresses: ["/p/a"],
    });
    expect(plan.siteUrl).toBe("https://n.beehiiv.com");
  });

  // What TryGhost/migrate's packages/mg-beehiiv takes out of such an email (src/lib/process.ts)
  test("what the mailing machine adds to a text is left out", async () => {
    const email = `<html><body><div style="display:none">Preview</div><div data-open-tracking="true">{{OPEN_TRACKING_PIXEL}}</div><table><tr><td class="f"><a href="https://n.beehiiv.com/p/a">Read online</a></td></tr><tr id="content-blocks"><td><table><tr><td><h1>Lamps</h1><p>A subtitle</p></td></tr></table><table class="mob-block"><tr><td><a href="https://x.com/share">Share</a></td></tr></table><table><tr><td><img src="https://media.beehiiv.com/cdn-cgi/image/fit=scale-down,format=auto,quality=80/uploads/asset/file/1/a.png" alt=""/></td></tr></table><table><tr><td><p>Words <a href="https://x.example/y?a=1&amp;utm_source=n.beehiiv.com&amp;utm_medium=referral&amp;utm_campaign=lamps&amp;last_resource_guid=1">link</a>.</p><p>...</p><p>{{rp_personalized_text}}</p><a href="{{rp_referral_hub_url}}">Hub</a><img src="{{rp_next_milestone_image_url}}"/></td></tr></table><table><tr><td><a href="https://www.youtube.com/watch?v=abc"><img src="https://i.ytimg.com/vi/abc/x.jpg"/><img src="https://media.beehiiv.com/static/youtube_play_icon.png"/><p>A film</p></a></td></tr></table><table><tr><td><p>Lamps</p></td></tr></table></td></tr><tr><td class="b"><a href="https://n.beehiiv.com/unsubscribe">Unsubscribe</a></td></tr></table></body></html>`;
    const line = `a,Lamps,confirmed,free,https://n.beehiiv.com/p/a,A subtitle,S,P,"${email.replaceAll('"', '""')}",uploads/asset/file/1/a.png,2023-01-18 21:25:27`;
    const { titled } = await read(`${columns}\n${line}`, "posts.csv");
    expect(titled("Lamps")).toMatchObject({
      content:
        "Words [link](https://x.example/y?a=1).\n\n---\n\n[A film](https://www.youtube.com/watch?v=abc)\n\nLamps",
      pictures: ["https://media.beehiiv.com/cdn-cgi/image/quality=100/uploads/asset/file/1/a.png"],
      image: 0,
    });
  });

  test("a list of subscribers beside the posts is one", async () => {
    const posts = file([columns, row("a", "Free", "confirmed", "free")].join("\n"), "posts.csv");
    const { source, articles } = await move([
      file("email,status\na@b.example,active", "subscribers.csv"),
      posts,
    ]);
    expect([source.lists.map(({ name }) => name), articles.length]).toEqual([["subscribers.csv"], 1]);
  });

  test("half a file imports its complete items, with a note", async () => {
    const csv = [
      columns,
      row("a", "Free", "confirmed", "free"),
      row("b", "Two", "confirmed", "free").slice(0, 90),
    ].join("\n");
    for (const half of [
      csv,
      [columns, row("a", "Free", "confirmed", "free"), 'b,Two,confirmed,free,"https'].join("\n"),
      csv.slice(0, -5) + '"<p>cut',
    ]) {
      const { states, plan } = await read(half, "posts.csv");
      expect(states.map(([title]) => title)).toEqual(["Free"]);
      expect(plan.remarks).toEqual([expect.stringContaining("may be cut off")]);
    }
  });
});

// https://docs.buttondown.com/exporting-your-data and https://docs.buttondown.com/api-emails-status, with the files that
// TryGhost/migrate's packages/mg-buttondown reads
describe("Buttondown", () => {
  test("emails keep their own statuses, with unchanged Markdown", async () => {
    const zip = await zipOf({
      "emails.csv": [
        "id,secondary_id,subject,publish_date,source,slug,status,email_type",
        "1,1,Plain,2023-01-02 16:55:00+00:00,app,plain,sent,public",
        "2,2,Fancy,2023-01-05 13:00:00+00:00,app,fancy,imported,public",
        "3,3,For some,2023-01-05 13:00:00+00:00,app,some,sent,premium",
        "4,4,Unsent,2023-01-05 13:00:00+00:00,app,unsent,draft,public",
        "5,5,Failed,2023-01-05 13:00:00+00:00,app,failed,errored,public",
        "6,6,Lost,2023-01-05 13:00:00+00:00,app,lost,sent,public",
      ].join("\n"),
      "emails/plain.md":
        "<!-- buttondown-editor-mode: plaintext -->Hello {{ subscriber.email }}.\n\n![A lamp](https://x.example/lamp.png)\n\nSee [fancy](https://buttondown.com/wren/archive/fancy/).\n\n`![code](https://x.example/no.png)`",
      "emails/fancy.md": "<!-- buttondown-editor-mode: fancy --><h2>Part</h2><p>Words.</p>",
      "emails/some.md": "Words.",
      "emails/unsent.md": "Half.",
      "emails/failed.md": "Words.",
      "subscribers.csv": "email,status\na@b.example,regular\n",
    });
    const { states, titled, plan, source } = await read(zip, "b.zip", {
      siteUrl: "https://buttondown.com/wren",
    });
    const at = "2023-01-05T13:00:00.000Z";
    expect(states).toEqual([
      [
        "Plain",
        "published",
        "2023-01-02T16:55:00.000Z",
        ["Values of a template stay as text: {{ subscriber.email }}."],
      ],
      ["Fancy", "published", at, []],
      ["For some", "draft", at, [asDraft("It was for “premium” subscribers")]],
      ["Unsent", "draft", null, []],
      ["Failed", "draft", at, [asDraft("Its status was “errored”")]],
    ]);
    expect(titled("Plain")).toMatchObject({
      content:
        "Hello {{ subscriber.email }}.\n\n![A lamp](https://picture.invalid/0)\n\nSee [fancy](/essays/fancy).\n\n`![code](https://x.example/no.png)`",
      pictures: ["https://x.example/lamp.png"],
    });
    expect(titled("Fancy").content).toBe("## Part\n\nWords.");
    expect([...plan.leftOut.keys()]).toEqual(["The zip has no text for it"]);
    expect(source.lists.map(({ name }) => name)).toEqual(["subscribers.csv"]);
  });

  test("an older export without states has those that were sent", async () => {
    const zip = await zipOf({
      "b/emails.json": JSON.stringify([
        { id: "1", subject: "Sent", publish_date: "2023-01-02 16:55:00+00:00", slug: "sent" },
        { id: "2", subject: "Unsent", publish_date: null, slug: "unsent" },
      ]),
      "b/emails/sent.md": "Words.",
      "b/emails/unsent.md": "Half.",
    });
    expect((await read(zip, "b.zip")).states).toEqual([
      ["Sent", "published", "2023-01-02T16:55:00.000Z", []],
      ["Unsent", "draft", null, []],
    ]);
  });
});

// https://developer.wordpress.org/rest-api/reference/posts/#schema
describe("WordPress's API", () => {
  const post = (id: number, title: string, fields: object = {}) => ({
    id,
    date: "2020-01-02T13:04:05",
    date_gmt: "2020-01-02T03:04:05",
    guid: { rendered: `https://w.example/?p=${id}` },
    slug: title.toLowerCase(),
    status: "publish",
    type: "post",
    link: `https://w.example/2020/${title.toLowerCase()}/`,
    title: { rendered: title },
    content: { rendered: "<p>Words.</p>", protected: false },
    excerpt: { rendered: "<p>Words. [&hellip;]</p>", protected: false },
    ...fields,
  });

  test("posts keep their own statuses", async () => {
    const posts = [
      post(1, "Q &amp; A", {
        featured_media: 9,
        _embedded: {
          author: [{ name: "Wren" }],
          "wp:featuredmedia": [{ source_url: "https://w.example/a.png", alt_text: "A" }],
          "wp:term": [[{ name: "Lamps", taxonomy: "category" }], [{ name: "Oil", taxonomy: "post_tag" }]],
        },
      }),
      post(2, "Locked", { content: { rendered: "", protected: true } }),
      post(3, "Private", { status: "private" }),
      post(4, "Planned", { status: "future", date_gmt: "2099-01-02T00:00:00" }),
      post(5, "Unsaid", { status: undefined }),
      post(6, "Pinned", { sticky: true, featured_media: 9 }),
      { id: 7, title: { rendered: "Broken" } },
    ];
    const { states, titled, plan } = await read(JSON.stringify(posts), "posts.json");
    const at = "2020-01-02T03:04:05.000Z";
    expect(states).toEqual([
      ["Q & A", "published", at, ["Categories that it has there are tags here: Lamps."]],
      ["Locked", "draft", at, [asDraft("It was password-protected")]],
      ["Private", "draft", at, [asDraft("It was private")]],
      ["Planned", "scheduled", "2099-01-02T00:00:00.000Z", []],
      ["Unsaid", "draft", at, [asDraft("Its status was “”")]],
      [
        "Pinned",
        "published",
        at,
        [
          "It was pinned to the top, which isn’t kept.",
          "Its picture isn’t in the file: ask the API for it with &_embed.",
        ],
      ],
    ]);
    expect(titled("Q & A")).toMatchObject({
      tags: ["Oil", "Lamps"],
      imageAlt: "A",
      pictures: ["https://w.example/a.png"],
      guid: "https://w.example/?p=1",
      excerpt: "",
    });
    expect([...plan.leftOut.keys()]).toEqual(["It isn’t a post as WordPress’s API shows it"]);
  });

  test("an episode is marked as one", async () => {
    const rendered =
      '<p>Notes.</p><div class="powerpress_player"><audio><source src="https://w.example/a.mp3?x=1&amp;y=2"></audio></div>';
    const { plan } = await read(JSON.stringify([post(1, "One", { content: { rendered } })]), "posts.json");
    expect(plan.rows[0]!.audio).toEqual({
      url: "https://w.example/a.mp3?x=1&y=2",
      feed: "https://w.example/feed/podcast/",
      here: null,
    });
    expect(plan.rows[0]!.notes).toContain(EPISODE);
  });

  test("what its export brought is known, and what a feed brought by its GUID", async () => {
    const { plan } = await move([file(JSON.stringify([post(1, "One")]), "posts.json")], {
      ask: async ({ keys, guids = [] }) => ({
        items: keys.map((key, at) =>
          key === "wordpress https://w.example/?p=1 1" && guids[at] === "https://w.example/?p=1"
            ? { id: 5, slug: "one" }
            : null,
        ),
        taken: [],
      }),
    });
    expect(plan.rows[0]!.known).toEqual({ id: 5, slug: "one" });
  });
});
