import { BlobReader, BlobWriter, TextReader, ZipWriter } from "@zip.js/zip.js";

/** Exports of other places in their documented formats. `pictures` is the address of a test server with some. */

export async function zipOf(files: Record<string, string | Blob>) {
  const writer = new ZipWriter(new BlobWriter("application/zip"), { useWebWorkers: false });
  for (const [name, content] of Object.entries(files))
    await writer.add(name, typeof content === "string" ? new TextReader(content) : new BlobReader(content));
  return writer.close();
}

export const ghostExport = (posts: object[] = ghostPosts, others: object = {}) =>
  JSON.stringify({
    db: [
      {
        meta: { exported_on: 1764000000000, version: "5.87.0" },
        data: {
          posts,
          posts_meta: [
            {
              id: "m1",
              post_id: "1",
              feature_image_alt: "A red door",
              feature_image_caption: "<span>A house in <b>Mildura</b></span>",
              meta_title: "Doors",
              meta_description: null,
            },
          ],
          tags: [
            { id: "t1", name: "Craft", slug: "craft", visibility: "public" },
            { id: "t2", name: "#internal", slug: "hash-internal", visibility: "internal" },
            { id: "t3", name: "Wood", slug: "wood", visibility: "public" },
          ],
          posts_tags: [
            { id: "a", post_id: "1", tag_id: "t3", sort_order: 1 },
            { id: "b", post_id: "1", tag_id: "t1", sort_order: 0 },
            { id: "c", post_id: "1", tag_id: "t2", sort_order: 2 },
          ],
          users: [{ id: "u1", name: "Ada Writer", email: "ada@example.com" }],
          posts_authors: [{ id: "x", post_id: "1", author_id: "u1", sort_order: 0 }],
          ...others,
        },
      },
    ],
  });

export const ghostPost = (fields: object) => ({
  uuid: `uuid-${JSON.stringify(fields).length}`,
  type: "post",
  status: "published",
  visibility: "public",
  feature_image: null,
  custom_excerpt: null,
  canonical_url: null,
  mobiledoc: null,
  lexical: "{}",
  plaintext: "",
  published_at: "2020-01-02T03:04:05.000Z",
  ...fields,
});

const ghostPosts = [
  ghostPost({
    id: "1",
    uuid: "u-1",
    title: "Doors &amp; windows",
    slug: "doors-and-windows",
    feature_image: "__GHOST_URL__/content/images/2020/door.png",
    custom_excerpt: "How a house opens.",
    html: `<p>See <a href="__GHOST_URL__/on-wood/#oak">the one on wood</a>.</p>
<figure class="kg-card kg-image-card kg-card-hascaption"><img src="__GHOST_URL__/content/images/2020/door.png" class="kg-image" alt="Oak" loading="lazy"><figcaption>A door</figcaption></figure>
<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://elsewhere.example/a"><div class="kg-bookmark-content"><div class="kg-bookmark-title">A bookmark</div></div></a></figure>
<figure class="kg-card kg-embed-card"><iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ?feature=oembed" title="A film"></iframe></figure>
<script>alert(1)</script>`,
  }),
  ghostPost({
    id: "2",
    uuid: "u-2",
    title: "On wood",
    slug: "on-wood",
    html: '<h2 id="oak">Oak</h2><p>Words.</p>',
  }),
  ghostPost({
    id: "3",
    uuid: "u-3",
    title: "For members",
    slug: "for-members",
    visibility: "paid",
    html: "<p>Secret.</p>",
  }),
  ghostPost({
    id: "4",
    uuid: "u-4",
    title: "A plan",
    slug: "a-plan",
    status: "draft",
    published_at: null,
    html: "<p>Half.</p>",
  }),
  ghostPost({ id: "5", uuid: "u-5", title: "About", slug: "about", type: "page", html: "<p>Me.</p>" }),
  ghostPost({
    id: "6",
    uuid: "u-6",
    title: "Next year",
    slug: "next-year",
    status: "scheduled",
    published_at: "2099-01-01T00:00:00.000Z",
    html: "<p>Soon.</p>",
  }),
  ghostPost({
    id: "7",
    uuid: "u-7",
    title: "Lost",
    slug: "lost",
    html: null,
    mobiledoc: '{"version":"0.3.1"}',
  }),
];

const SUBSTACK_POSTS = `post_id,post_date,is_published,email_sent_at,inbox_sent_at,type,audience,title,subtitle,podcast_url
101.first-letter,2021-02-14T12:00:00.000Z,true,2021-02-14T12:00:01.000Z,,newsletter,everyone,"First, a letter",The subtitle,
102.for-payers,2021-03-01T12:00:00.000Z,true,,,newsletter,only_paid,For payers,,
103,,false,,,newsletter,everyone,Unfinished,,
104.gone,2021-03-02T12:00:00.000Z,true,,,newsletter,everyone,No text,,
`;

const SUBSTACK_LETTER = `<p>Hello<a class="footnote-anchor" data-component-name="FootnoteAnchorToDOM" id="footnote-anchor-1" href="#footnote-1" target="_self">1</a>.</p>
<div class="captioned-image-container"><figure><a class="image-link image2" target="_blank" href="https://substackcdn.com/image/fetch/$s_!AbC!,f_auto,q_auto:good,fl_progressive:steep/https%3A%2F%2Fsubstack-post-media.s3.amazonaws.com%2Fpublic%2Fimages%2Fone_10x10.png"><div class="image2-inset"><picture><source type="image/webp" srcset="https://substackcdn.com/small.webp 424w"><img src="https://substackcdn.com/image/fetch/w_1456/https%3A%2F%2Fsubstack-post-media.s3.amazonaws.com%2Fpublic%2Fimages%2Fone_10x10.png" data-attrs="{&quot;src&quot;:&quot;x&quot;}" class="sizing-normal" alt="One"></picture></div></a><figcaption class="image-caption">Caption</figcaption></figure></div>
<div id="youtube2-abc" class="youtube-wrap" data-attrs="{&quot;videoId&quot;:&quot;abcdefghijk&quot;,&quot;startTime&quot;:null}"><iframe src="https://www.youtube-nocookie.com/embed/abcdefghijk?rel=0"></iframe></div>
<p class="button-wrapper" data-attrs="{&quot;url&quot;:&quot;https://x.substack.com/subscribe&quot;,&quot;text&quot;:&quot;Subscribe now&quot;}"><a class="button primary" href="https://x.substack.com/subscribe"><span>Subscribe now</span></a></p>
<div class="subscription-widget-wrap" data-attrs="{}"><form class="subscription-widget"><input type="email"></form></div>
<p>Read <a href="https://x.substack.com/p/for-payers">the other</a>.</p>
<div class="footnote" data-component-name="FootnoteToDOM"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number">1</a><div class="footnote-content"><p>A note.</p></div></div>`;

const SUBSTACK_SUBSCRIBERS = `email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at
one@example.com,false,,other,false,2024-01-15T10:00:00.000Z,
two@example.com,false,,other,true,2024-02-01T10:00:00.000Z,
`;

export const substackFiles = {
  "posts.csv": SUBSTACK_POSTS,
  "posts/101.first-letter.html": SUBSTACK_LETTER,
  "posts/102.for-payers.html": "<p>Paid.</p>",
  "posts/103.html": "<p>Half.</p>",
  "posts/101.opens.csv": "a,b\n1,2",
  "email_list.x.csv": SUBSTACK_SUBSCRIBERS,
};

type WxrFields = Partial<
  Record<
    "title" | "link" | "content" | "excerpt" | "id" | "date" | "name" | "status" | "type" | "extra",
    string
  >
>;

export const wxrItem = ({
  title = "A post",
  content = "",
  excerpt = "",
  id = "1",
  name = "a-post",
  type = "post",
  ...fields
}: WxrFields) => `
  <item>
    <title><![CDATA[${title}]]></title>
    <link>${fields.link ?? `https://old.example/2020/01/02/${name}/`}</link>
    <pubDate>Thu, 02 Jan 2020 03:04:05 +0000</pubDate>
    <dc:creator><![CDATA[ada]]></dc:creator>
    <guid isPermaLink="false">https://old.example/?p=${id}</guid>
    <description></description>
    <content:encoded><![CDATA[${content}]]></content:encoded>
    <excerpt:encoded><![CDATA[${excerpt}]]></excerpt:encoded>
    <wp:post_id>${id}</wp:post_id>
    <wp:post_date><![CDATA[2020-01-02 13:04:05]]></wp:post_date>
    <wp:post_date_gmt><![CDATA[${fields.date ?? "2020-01-02 03:04:05"}]]></wp:post_date_gmt>
    <wp:post_name><![CDATA[${name}]]></wp:post_name>
    <wp:status><![CDATA[${fields.status ?? "publish"}]]></wp:status>
    <wp:post_type><![CDATA[${type}]]></wp:post_type>
    ${fields.extra ?? ""}
  </item>`;

export const wxrOf = (items: string) => `<?xml version="1.0" encoding="UTF-8" ?>
<!-- This is a WordPress eXtended RSS file generated by WordPress as an export of your site. -->
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
  <title>Old</title>
  <link>https://old.example</link>
  <wp:wxr_version>1.2</wp:wxr_version>
  <wp:base_site_url>https://old.example</wp:base_site_url>
  <wp:base_blog_url>https://old.example</wp:base_blog_url>
  <wp:author><wp:author_id>1</wp:author_id><wp:author_login><![CDATA[ada]]></wp:author_login><wp:author_display_name><![CDATA[Ada Writer]]></wp:author_display_name></wp:author>
  <image><url>https://old.example/icon.png</url><title>Old</title><link>https://old.example/icon</link></image>
  ${items}
</channel>
</rss>`;

export const wordPressExport = (pictures = "https://old.example/wp-content/uploads") =>
  wxrOf(
    [
      wxrItem({
        id: "12",
        title: "Blocks &amp; bricks",
        name: "blocks",
        excerpt: "A short text.",
        content: `<!-- wp:paragraph -->\n<p>See <a href="https://old.example/?p=13">the classic</a> and <a href="/2020/01/02/classic/#end">again</a>.<sup data-fn="f-1" class="fn"><a href="#f-1" id="f-1-link">1</a></sup></p>\n<!-- /wp:paragraph -->
<!-- wp:image {"id":20} -->\n<figure class="wp-block-image"><a href="${pictures}/wall.png"><img src="${pictures}/wall-300x200.png" alt="A wall" class="wp-image-20"/></a></figure>\n<!-- /wp:image -->
<!-- wp:embed {"url":"https://www.youtube.com/watch?v=abcdefghijk"} -->\n<figure class="wp-block-embed is-provider-youtube"><div class="wp-block-embed__wrapper">\nhttps://www.youtube.com/watch?v=abcdefghijk\n</div></figure>\n<!-- /wp:embed -->\n<!-- wp:footnotes /-->`,
        extra: `<category domain="category" nicename="essays"><![CDATA[Building]]></category><category domain="post_tag" nicename="brick"><![CDATA[Brick]]></category>
          <wp:postmeta><wp:meta_key><![CDATA[_thumbnail_id]]></wp:meta_key><wp:meta_value><![CDATA[20]]></wp:meta_value></wp:postmeta>
          <wp:postmeta><wp:meta_key><![CDATA[footnotes]]></wp:meta_key><wp:meta_value><![CDATA[[{"id":"f-1","content":"A <em>note</em>."}]]]></wp:meta_value></wp:postmeta>
          <wp:comment><wp:comment_id>1</wp:comment_id><wp:comment_content><![CDATA[Nice]]></wp:comment_content></wp:comment>`,
      }),
      wxrItem({
        id: "13",
        title: "Classic",
        name: "classic",
        content: `First line\nsecond line.\n\n[caption id="attachment_20" align="alignnone" width="300"]<a href="${pictures}/wall.png"><img src="${pictures}/wall-300x200.png" alt="A wall" /></a> The wall[/caption]\n\nhttps://www.youtube.com/watch?v=abcdefghijk\n\n[gallery ids="20,21"]\n\n[contact-form-7 id="5" title="Contact"]\n\n<pre>kept\n\nas it is</pre>\n\n[embed]https://vimeo.com/123[/embed]`,
        extra: `<category domain="category" nicename="uncategorized"><![CDATA[Uncategorized]]></category>`,
      }),
      wxrItem({ id: "14", title: "Hidden", name: "hidden", status: "private", content: "<p>Private.</p>" }),
      wxrItem({
        id: "15",
        title: "Draft",
        name: "",
        status: "draft",
        date: "0000-00-00 00:00:00",
        link: "https://old.example/?p=15",
        content: "Half.",
      }),
      wxrItem({
        id: "16",
        title: "Planned",
        name: "planned",
        status: "future",
        date: "2099-01-01 00:00:00",
        content: "Soon.",
      }),
      wxrItem({ id: "17", title: "Binned", name: "binned", status: "trash", content: "Gone." }),
      wxrItem({
        id: "18",
        title: "About",
        name: "about",
        type: "page",
        link: "https://old.example/about/",
        content: "Me.",
      }),
      wxrItem({ id: "19", title: "Menu", name: "menu", type: "nav_menu_item" }),
      wxrItem({
        id: "20",
        title: "wall",
        name: "wall",
        type: "attachment",
        status: "inherit",
        extra: `<wp:attachment_url><![CDATA[${pictures}/wall.png]]></wp:attachment_url><wp:postmeta><wp:meta_key><![CDATA[_wp_attachment_image_alt]]></wp:meta_key><wp:meta_value><![CDATA[The whole wall]]></wp:meta_value></wp:postmeta>`,
      }),
      wxrItem({
        id: "21",
        title: "gate",
        name: "gate",
        type: "attachment",
        status: "inherit",
        extra: `<wp:attachment_url>${pictures}/gate.png</wp:attachment_url>`,
      }),
    ].join(""),
  );
