import { describe, expect, test } from "vitest";
import type { MovedArticle } from "#worker/imports/importers/contract.ts";
import { file, move } from "../support/elsewhere.ts";
import { wxrItem, wxrOf } from "../support/exports.ts";

type Wanted = Partial<Omit<MovedArticle, "at">> & { at?: string | null; leftOut?: string };
type Row = [what: string, items: string, wanted: Wanted];

/** The first article as it is sent, or why the first item is left out. The plan must agree. */
async function becomes(wxr: string, { at, leftOut, ...wanted }: Wanted) {
  const { plan, articles } = await move([file(wxr, "old.xml")]);
  if (leftOut !== undefined) return void expect([...plan.leftOut.keys()]).toEqual([leftOut]);
  expect(articles[0]).toMatchObject(wanted);
  if (at !== undefined) expect(articles[0]!.at && new Date(articles[0]!.at).toISOString()).toBe(at);
  expect(plan.rows[0]!.notes).toEqual(articles[0]!.notes);
}

const meta = (key: string, value: string) =>
  `<wp:postmeta><wp:meta_key>${key}</wp:meta_key><wp:meta_value><![CDATA[${value}]]></wp:meta_value></wp:postmeta>`;
const group = (domain: string, name: string) => `<category domain="${domain}"><![CDATA[${name}]]></category>`;
const post = (content: string) => wxrItem({ content });
const state = (status: string, date?: string) =>
  wxrItem({ status, content: "x", ...(date !== undefined && { date }) });
const asDraft = (why: string): Wanted => ({
  status: "draft",
  notes: [`${why}, so it’s imported as a draft.`],
});
const MEMBERS = asDraft("It was for members only");
const PARTS = "Parts of it were for members only, so it’s imported as a draft.";

// https://github.com/WordPress/wordpress-develop/blob/trunk/src/wp-admin/includes/export.php : what the export writes.
// https://github.com/WordPress/wordpress-importer/blob/master/src/class-wp-import.php : what WordPress makes of it.
const wordPress: Row[] = [
  [
    "zeros for its date in UTC and year -1 as pubDate, which leave its local date",
    wxrItem({ content: "x", date: "0000-00-00 00:00:00" }).replace(
      "Thu, 02 Jan 2020 03:04:05",
      "Mon, 30 Nov -0001 00:00:00",
    ),
    { status: "published", at: "2020-01-02T13:04:05.000Z" },
  ],
  ["]]> split into two sections", post("a ]]]]><![CDATA[> b"), { content: "a ]]> b" }],
  [
    "a section within another",
    post("<code>&lt;![CDATA[x]]]]><![CDATA[></code>"),
    { content: "`<![CDATA[x]]>`" },
  ],
  ["references in a title", wxrItem({ title: "Q &amp; A &#8217; <em>x</em>" }), { title: "Q & A ’ x" }],
  [
    "blocks within blocks",
    post(
      '<!-- wp:group --><div class="wp-block-group"><!-- wp:columns --><div class="wp-block-columns"><!-- wp:column --><div class="wp-block-column"><!-- wp:quote --><blockquote><!-- wp:paragraph --><p>In</p><!-- /wp:paragraph --><cite>Who</cite></blockquote><!-- /wp:quote --></div><!-- /wp:column --></div><!-- /wp:columns --></div><!-- /wp:group -->',
    ),
    { content: "> In\n>\n> Who", notes: ["Columns follow one another."] },
  ],
  [
    "shortcodes within shortcodes",
    post('[su_row][su_column size="1/2"]words[/su_column][/su_row]'),
    { notes: ["It has parts that only WordPress can show: [su_row], [su_column]."] },
  ],
  // https://developer.wordpress.org/reference/functions/do_shortcode_tag/ : [[foo]] is shown as [foo].
  [
    "a shortcode in two brackets, which is text",
    post("Use [[gallery]] here"),
    { content: "Use \\[gallery] here", notes: [] },
  ],
  [
    "a password",
    wxrItem({ extra: "<wp:post_password>x</wp:post_password>" }),
    asDraft("It was password-protected"),
  ],
  ["private", state("private"), asDraft("It was private")],
  ["pending", state("pending"), asDraft("Its status was “pending”")],
  ["a state of a plugin", state("acf-disabled"), asDraft("Its status was “acf-disabled”")],
  ["no state", state(""), asDraft("Its status was “”")],
  ["in the bin", state("trash"), { leftOut: "It’s in the bin" }],
  ["an automatic draft", state("auto-draft"), { leftOut: "WordPress autosaved it" }],
  ["an earlier version", state("inherit"), { leftOut: "WordPress autosaved it" }],
  [
    "planned",
    state("future", "2099-01-02 00:00:00"),
    { status: "scheduled", at: "2099-01-02T00:00:00.000Z" },
  ],
  ["no type", wxrItem({ type: "", content: "x" }), { leftOut: "Its type is “”" }],
  [
    "what visitors sent in a form",
    wxrItem({ type: "feedback", content: "x" }),
    { leftOut: "Its type is “feedback”" },
  ],
  ["a slug in percent signs", wxrItem({ name: "caf%c3%a9-ole", content: "x" }), { slug: "cafe-ole" }],
  [
    "a slug in Hebrew, in whose place its title gives one",
    wxrItem({ name: "%d7%a9%d7%9c", content: "x" }),
    { slug: "", oldAddresses: ["/2020/01/02/%d7%a9%d7%9c/", "/?p=1"] },
  ],
  ["a slug of an emoji", wxrItem({ name: "%f0%9f%98%80", content: "x" }), { slug: "" }],
  ["a slug that was cut within a letter", wxrItem({ name: "%d7%a9%d7", content: "x" }), { slug: "" }],
  ["no title", wxrItem({ title: "", content: "<p>First words.</p><p>More</p>" }), { title: "First words." }],
  [
    "breaks between pages",
    post("One<!--more Read on-->Two<!--nextpage-->Three"),
    { content: "One\n\nTwo\n\nThree" },
  ],
  [
    "a picture behind a cover",
    post(
      '<!-- wp:cover --><div class="wp-block-cover" style="background-image:url(https://old.example/b.jpg)"><p>H</p></div><!-- /wp:cover -->',
    ),
    { content: "H", notes: ["A background picture is left out."] },
  ],
  [
    "a picture through WordPress.com's machine",
    post('<img src="https://i0.wp.com/old.example/a.jpg?resize=300%2C200&ssl=1">'),
    { pictures: ["https://old.example/a.jpg"] },
  ],
  // The importer says: "back compat with WXR 1.0 map 'tag' to 'post_tag'".
  [
    "the tags of WordPress 3.0, and its categories twice",
    wxrItem({ content: "x", extra: `<category><![CDATA[oil]]></category>${group("tag", "oil")}` }),
    { tags: ["oil"], notes: [] },
  ],
  // https://wordpress.org/plugins/co-authors-plus/ has a group of that name.
  ["several authors", wxrItem({ content: "x", extra: group("author", "Bo") }), { notes: [] }],
  [
    "groups of a plugin for languages",
    wxrItem({ content: "x", extra: group("language", "Deutsch") }),
    { notes: ["Other groups that it was in aren’t kept: Deutsch."] },
  ],
  // https://github.com/Automattic/jetpack : META_NAME_FOR_POST_LEVEL_ACCESS_SETTINGS; “everybody” means no restriction.
  [
    "Jetpack's letter for subscribers",
    wxrItem({ content: "x", extra: meta("_jetpack_newsletter_access", "subscribers") }),
    MEMBERS,
  ],
  [
    "Jetpack's letter for everybody",
    wxrItem({ content: "x", extra: meta("_jetpack_newsletter_access", "everybody") }),
    { status: "published" },
  ],
  [
    "a role of the plugin Members",
    wxrItem({ content: "x", extra: meta("_members_access_role", "subscriber") }),
    MEMBERS,
  ],
  [
    "Memberful's plans",
    wxrItem({ content: "x", extra: meta("memberful_acl", 'a:1:{i:0;s:1:"5";}') }),
    MEMBERS,
  ],
  [
    "none of Memberful's plans",
    wxrItem({ content: "x", extra: meta("memberful_acl", "a:0:{}") }),
    { status: "published" },
  ],
  [
    "Jetpack's paywall within its text",
    post("<!-- wp:paragraph --><p>Open</p><!-- /wp:paragraph --><!-- wp:jetpack/paywall /--><p>Secret</p>"),
    { status: "draft", notes: ["It has parts that only WordPress can show: jetpack/paywall.", PARTS] },
  ],
  [
    "a part for those who pay",
    post(
      "<!-- wp:premium-content/container --><div><p>Secret</p></div><!-- /wp:premium-content/container -->",
    ),
    { status: "draft", notes: [PARTS] },
  ],
  [
    "a closed part of an older editor",
    post('Open [restrict paid="true"]Secret[/restrict]'),
    { status: "draft", notes: ["It has parts that only WordPress can show: [restrict].", PARTS] },
  ],
  // https://elementor.com/help/ : the builder has its text in a field of its own.
  [
    "a page builder, and no text",
    wxrItem({ extra: meta("_elementor_data", '[{"id":"a"}]') }),
    {
      content: "",
      notes: ["Its text is in the page builder Elementor, which isn’t read: it comes without text."],
    },
  ],
  [
    "a serialized field of PowerPress",
    wxrItem({
      content: "x",
      extra: meta("enclosure", 'https://old.example/a.mp3\n1\naudio/mpeg\na:1:{s:8:"duration";s:5:"10:00";}'),
    }),
    { notes: ["It’s an episode: its audio isn’t in the export, and comes with the podcast’s feed."] },
  ],
  [
    "a comment that looks like the end of an item",
    wxrItem({
      content: "x",
      extra:
        "<wp:comment><wp:comment_content><![CDATA[</wp:comment></item>]]></wp:comment_content></wp:comment>",
    }),
    { notes: ["1 comment isn’t imported."] },
  ],
];

describe("a post of WordPress's", () => {
  test.each(wordPress)("with %s", (_what, items, wanted) => becomes(wxrOf(items), wanted));

  test("that has the slug of another gets a number; an attachment without a post is not an item", async () => {
    const attachment = wxrItem({ id: "3", type: "attachment", status: "inherit" });
    const { articles, plan } = await move([
      file(wxrOf(post("x") + wxrItem({ id: "2", content: "y" }) + attachment), "old.xml"),
    ]);
    expect(articles.map(({ slug }) => slug)).toEqual(["a-post", "a-post-2"]);
    expect([...plan.leftOut]).toEqual([]);
  });
});

type Fields = Partial<Record<"title" | "content" | "name" | "type" | "id" | "status" | "extra", string>>;
/** As Squarespace writes an item: a path, numbers that may be there twice, and no guid. */
const squarespaceItem = (link: string, fields: Fields = {}) => `<item>
  <title>${fields.title ?? "T"}</title><link>${link}</link>
  <content:encoded><![CDATA[${fields.content ?? "<p>x</p>"}]]></content:encoded><excerpt:encoded />
  <wp:post_name>${fields.name ?? "t"}</wp:post_name><wp:post_type>${fields.type ?? "post"}</wp:post_type>
  <wp:post_id>${fields.id ?? "1"}</wp:post_id><wp:status>${fields.status ?? "publish"}</wp:status>
  <pubDate>Fri, 07 Jun 2013 03:00:44 +0000</pubDate><wp:post_date_gmt>2013-06-07 03:00:44</wp:post_date_gmt>
  <dc:creator>h@example.com</dc:creator>${fields.extra ?? ""}</item>`;
const block = (kind: string, inner = "", attributes = "") =>
  squarespaceItem("/a", {
    content: `<div class="sqs-block ${kind}-block sqs-block-${kind}" ${attributes}><div class="sqs-block-content">${inner}</div></div>`,
  });
const only = (kind: string): Wanted => ({
  content: "",
  notes: [`A block that only Squarespace can show is left out: ${kind}.`],
});

// https://github.com/TryGhost/migrate/tree/main/packages/mg-squarespace-xml : its fixtures and what it reads.
const squarespace: Row[] = [
  [
    "an ending in its slug",
    squarespaceItem("/blog/b.html", { name: "b.html" }),
    { slug: "b", oldAddresses: ["/blog/b.html"] },
  ],
  [
    "folders in its slug",
    squarespaceItem("/blog2023/04/05/my-dated-post.html", { name: "blog2023/04/05/my-dated-post" }),
    { slug: "my-dated-post", oldAddresses: ["/blog2023/04/05/my-dated-post.html"] },
  ],
  [
    "a draft without an address",
    squarespaceItem("/blog/null", { name: "null", status: "draft" }),
    { status: "draft", slug: "", oldAddresses: [] },
  ],
  [
    "a bare & and a reference of HTML",
    squarespaceItem("/a", { title: "Draft & Post &amp; More&mdash;More" }),
    { title: "Draft & Post & More—More" },
  ],
  ["no title", squarespaceItem("/a", { title: "", content: "<p>My content.</p>" }), { title: "My content." }],
  [
    "letters with accents in its path",
    squarespaceItem("/blog/caf%C3%A9", { name: "café" }),
    { slug: "cafe", oldAddresses: ["/blog/caf%C3%A9"] },
  ],
  [
    "a page",
    squarespaceItem("/services", { type: "page", name: "services" }),
    { status: "draft", slug: "services" },
  ],
  [
    "files of its own",
    squarespaceItem("/a", { content: '<p><a href="/s/guide.pdf">Guide</a></p>' }),
    {
      content: "[Guide](https://old.example/s/guide.pdf)",
      notes: ["Files stay at the old site, and are links: guide.pdf."],
    },
  ],
  [
    "links between posts, with www and a query",
    squarespaceItem("/blog/a", {
      content:
        '<a href="/blog/b?x=1#y">B</a> <a href="https://www.old.example/blog/b">B2</a> <a href="/blog?tag=x">L</a>',
    }) + squarespaceItem("/blog/b", { name: "b", id: "2" }),
    { content: "[B](/essays/b#y) [B2](/essays/b) [L](https://old.example/blog?tag=x)" },
  ],
  [
    "a picture that is there twice, a link around it and words below",
    squarespaceItem("/a", {
      content:
        '<figure><a href="https://e.example/"><div><noscript><img src="https://i.example/p.jpg" /></noscript><img class="thumb-image" data-src="https://i.example/p.jpg" alt="P"></div></a><figcaption><p>Words</p></figcaption></figure>',
    }),
    {
      content: "[![P](https://picture.invalid/0)](https://e.example/)\n\nWords",
      pictures: ["https://i.example/p.jpg"],
    },
  ],
  [
    "a link around two pictures",
    squarespaceItem("/a", {
      content:
        '<a href="https://e.example/"><figure><img src="https://i.example/p.jpg" alt="P"></figure><figure><img src="https://i.example/q.jpg" alt="Q"></figure></a>',
    }),
    {
      content:
        "[![P](https://picture.invalid/0)](https://e.example/)[![Q](https://picture.invalid/1)](https://e.example/)",
      pictures: ["https://i.example/p.jpg", "https://i.example/q.jpg"],
    },
  ],
  [
    "a cover whose address has bare &",
    squarespaceItem("/a", { extra: meta("_thumbnail_id", "5") }) +
      "<item><wp:attachment_url>https://i.example/t?a=1&ixid=ey&fit=crop</wp:attachment_url><wp:post_type>attachment</wp:post_type><wp:post_id>5</wp:post_id></item>",
    { image: 0, pictures: ["https://i.example/t?a=1&ixid=ey&fit=crop"] },
  ],
  [
    "a gallery",
    block(
      "gallery",
      '<div class="slide"><img data-src="https://i.example/1.jpg" alt="1"/></div><div class="slide"><img data-src="https://i.example/2.jpg"/></div>',
    ),
    { pictures: ["https://i.example/1.jpg", "https://i.example/2.jpg"], notes: [] },
  ],
  [
    "a quotation",
    block(
      "quote",
      "<figure><blockquote><span>“</span>Words<span>”</span></blockquote><figcaption>— Who</figcaption></figure>",
    ),
    { content: "> “Words”\n\n— Who" },
  ],
  ["code", block("code", "<pre>&lt;b&gt;</pre>"), { content: "```\n<b>\n```" }],
  ["Markdown", block("markdown", "<h2>H</h2><p>T</p>"), { content: "## H\n\nT" }],
  [
    "an embed in an attribute",
    block(
      "embed",
      "",
      'data-block-json="{&quot;html&quot;:&quot;&quot;,&quot;url&quot;:&quot;https://e.example/p&quot;}"',
    ),
    { content: "[e.example](https://e.example/p)", notes: ["What was embedded is a link: e.example."] },
  ],
  [
    "a film of another site",
    block(
      "video",
      '<div class="sqs-video-wrapper" data-html="&lt;iframe src=&quot;//www.youtube.com/embed/abcdefghijk?wmode=opaque&quot;&gt;&lt;/iframe&gt;"></div>',
    ),
    { content: "[youtube.com](https://www.youtube.com/watch?v=abcdefghijk)" },
  ],
  [
    "a film of its own",
    block("video", '<div class="native-video-player" data-config-video="{}"></div>'),
    only("video"),
  ],
  [
    "a sound",
    block(
      "audio",
      '<div class="sqs-audio-embed" data-url="https://static1.squarespace.com/Ep1.mp3" data-title="Ep 1"></div>',
    ),
    {
      content: "[Ep 1](https://static1.squarespace.com/Ep1.mp3)",
      notes: ["Audio, video and files stay where they are, and are links: Ep1.mp3."],
    },
  ],
  [
    "a button",
    block("button", '<a href="/contact">Contact</a>'),
    { content: "[Contact](https://old.example/contact)" },
  ],
  [
    "a form to sign up",
    block("newsletter", '<div class="newsletter-form-wrapper"><form><input type="email"/></form></div>'),
    { content: "", notes: ["Forms and buttons of the old site are left out."] },
  ],
  ["a form", block("form"), only("form")],
  ["a map", block("map"), only("map")],
  ["a product", block("product"), only("product")],
  ["a list of posts", block("summary-v2"), only("summary-v2")],
  ["a gap, which shows nothing", block("spacer", "&nbsp;"), { content: "", notes: [] }],
  ["a line", block("horizontalrule", "<hr />"), { content: "---", notes: [] }],
  [
    "an accordion, whose headings are buttons",
    block(
      "accordion",
      '<ul><li><h4><button aria-expanded="false"><span>Q?</span></button></h4><div><p>A.</p></div></li></ul>',
    ),
    { content: "- #### Q?\n\n  A.", notes: [] },
  ],
  [
    "a category with a bare &",
    squarespaceItem("/a", { extra: group("category", "A & B") + group("post_tag", "C") }),
    { tags: ["C", "A & B"], notes: ["Categories that it has there are tags here: A & B."] },
  ],
  [
    "a comment",
    squarespaceItem("/a", { extra: "<wp:comment><wp:comment_id>1</wp:comment_id></wp:comment>" }),
    { notes: ["1 comment isn’t imported."] },
  ],
  [
    "no date",
    squarespaceItem("/a").replaceAll(/<(pubDate|wp:post_date_gmt)>.*?<\/\1>/g, ""),
    asDraft("Its date is missing, can’t be read or is before 1970"),
  ],
];

describe("a post of Squarespace's", () => {
  test.each(squarespace)("with %s", (_what, items, wanted) => becomes(wxrOf(items), wanted));

  test("that has the number of another is imported, too", async () => {
    const pages = ["services", "about"].map((name) =>
      squarespaceItem(`/${name}`, { type: "page", name, id: "135" }),
    );
    expect((await move([file(wxrOf(pages.join("")), "old.xml")])).articles).toHaveLength(2);
  });
});
