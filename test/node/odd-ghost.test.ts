import { describe, expect, test } from "vitest";
import type { MovedArticle } from "#worker/imports/importers/contract.ts";
import { file, move } from "../support/elsewhere.ts";
import { ghostExport, ghostPost, zipOf } from "../support/exports.ts";

type Wanted = Partial<MovedArticle> & { leftOut?: string };

const ID = "5f0000000000000000000001";
const post = (fields: object) => ghostPost({ id: ID, uuid: "u", title: "T", slug: "t", ...fields });
const asDraft = (why: string): Wanted => ({
  status: "draft",
  notes: [`${why}, so it’s imported as a draft.`],
});
const MEMBERS = asDraft("It was for members only");
const UNDATED = asDraft("Its date is missing, can’t be read or is before 1970");
const PARTS = asDraft("Parts of it were for members only");
const UNREADABLE: Wanted = {
  leftOut: "Its text is only in Ghost’s editor format: open and save it in Ghost, then export again",
};
const OWN = "Forms and buttons of the old site are left out.";
const HOST = "https://old.example";
const gated = (who: string) =>
  `<p>Open</p><!--kg-gated-block:begin ${who} --><p>Part</p><!--kg-gated-block:end-->`;

async function becomes(source: File, siteUrl: string, { leftOut, ...wanted }: Wanted) {
  const { plan, articles } = await move([source], { siteUrl });
  if (leftOut !== undefined) return void expect([...plan.leftOut.keys()]).toEqual([leftOut]);
  expect(articles[0]).toMatchObject(wanted);
}

// https://github.com/TryGhost/Ghost : frontend/…/post-gating.js for what members see; schema.js and the exporter for fields.
// https://github.com/TryGhost/Koenig/tree/main/packages/kg-default-nodes : the HTML of each card.
const rows: [what: string, fields: object, wanted: Wanted][] = [
  ["a card for members", { html: gated('nonMember:false memberSegment:"status:free,status:-free"') }, PARTS],
  ["a card for nobody", { html: gated('nonMember:false memberSegment:""') }, PARTS],
  [
    "a card for visitors",
    { html: gated('nonMember:true memberSegment:""') },
    { status: "published", content: "Open\n\nPart" },
  ],
  [
    "the line behind which members read, in a public post",
    { html: "<p>A</p><!--members-only--><p>B</p>" },
    { status: "published", content: "A\n\nB" },
  ],
  ["members", { visibility: "members", html: "x" }, MEMBERS],
  ["those who pay", { visibility: "paid", html: "x" }, MEMBERS],
  ["some tiers", { visibility: "tiers", html: "x" }, MEMBERS],
  ["a filter of members", { visibility: "status:-free,label:vip", html: "x" }, MEMBERS],
  [
    "a plan for members",
    { status: "scheduled", visibility: "members", published_at: "2099-01-01T00:00:00.000Z", html: "x" },
    MEMBERS,
  ],
  ["an email alone", { status: "sent", html: "x" }, asDraft("It was sent only as an email")],
  ["a state that is not known", { status: "hidden", html: "x" }, asDraft("Its status was “hidden”")],
  ["no date", { published_at: null, html: "x" }, UNDATED],
  ["a date of zeros", { published_at: "0000-00-00 00:00:00", html: "x" }, UNDATED],
  ["its own address as the first one", { canonical_url: "__GHOST_URL__/t/", html: "x" }, { sourceUrl: null }],
  [
    "another address as the first one",
    { canonical_url: "https://else.example/t", html: "x" },
    { sourceUrl: "https://else.example/t" },
  ],
  [
    "code in the head",
    { codeinjection_head: "<script>", html: "x" },
    { notes: ["Its injected code is left out."] },
  ],
  ["signs of HTML in a title", { title: "a <b> & c", html: "x" }, { title: "a <b> & c" }],
  ["marks of direction", { title: "\u202eשלום", slug: "שלום", html: "x" }, { title: "שלום", slug: "" }],
  [
    "an excerpt that is too long",
    { custom_excerpt: "e".repeat(2000), html: "x" },
    { notes: ["Its excerpt is shortened."] },
  ],
  ["Mobiledoc alone", { html: null, lexical: null, mobiledoc: "{}" }, UNREADABLE],
  ["Lexical alone", { html: null, lexical: '{"root":{}}' }, UNREADABLE],
  [
    "an HTML card",
    {
      html: '<!--kg-card-begin: html--><iframe src="https://p.example/e"></iframe><script src="https://s.example/x.js"></script><!--kg-card-end: html-->',
    },
    {
      content: "[p.example](https://p.example/e)",
      notes: [
        "A player or another part that a script draws is left out: s.example.",
        "What was embedded is a link: p.example.",
      ],
    },
  ],
  [
    "a Markdown card",
    { html: "<!--kg-card-begin: markdown--><h2>H</h2><!--kg-card-end: markdown-->" },
    { content: "## H", notes: [] },
  ],
  [
    "a callout",
    {
      html: '<div class="kg-card kg-callout-card"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">C</div></div>',
    },
    { content: "💡\n\nC" },
  ],
  [
    "a toggle",
    {
      html: '<div class="kg-card kg-toggle-card"><h4 class="kg-toggle-heading-text">H</h4><button class="kg-toggle-card-icon"></button><div class="kg-toggle-content"><p>C</p></div></div>',
    },
    { content: "#### H\n\nC" },
  ],
  [
    "a button",
    { html: '<div class="kg-card kg-button-card"><a href="https://b.example/" class="kg-btn">B</a></div>' },
    { content: "[B](https://b.example/)" },
  ],
  [
    "a form to sign up",
    { html: '<div class="kg-card kg-signup-card"><h2>S</h2><form></form></div>' },
    { content: "", notes: [OWN] },
  ],
  [
    "a call to action",
    { html: '<div class="kg-card kg-cta-card"><p>Buy</p></div>' },
    { content: "", notes: [OWN] },
  ],
  [
    "a product",
    { html: '<div class="kg-card kg-product-card"><h4>P</h4><div><p>D</p></div></div>' },
    { content: "#### P\n\nD" },
  ],
  [
    "a sound",
    {
      html: '<div class="kg-card kg-audio-card"><audio src="__GHOST_URL__/content/media/a.mp3"></audio><div class="kg-audio-title">A</div></div>',
    },
    { content: `[A](${HOST}/content/media/a.mp3)` },
  ],
  [
    "a bookmark with words below",
    {
      html: '<figure class="kg-card kg-bookmark-card"><a href="https://e.example/a"><div class="kg-bookmark-title">B</div></a><figcaption>Words</figcaption></figure>',
    },
    { content: "[B](https://e.example/a)\n\nWords" },
  ],
  [
    "a smaller picture",
    { html: '<img src="__GHOST_URL__/content/images/size/w600/2021/a.png" srcset="x 600w">' },
    { pictures: [`${HOST}/content/images/2021/a.png`] },
  ],
  [
    "a gallery",
    {
      html: '<figure class="kg-card kg-gallery-card"><div class="kg-gallery-image"><img src="https://i.example/1.png"></div><div class="kg-gallery-image"><img src="https://i.example/2.png"></div><figcaption>G</figcaption></figure>',
    },
    { content: "![](https://picture.invalid/0)\n\n![](https://picture.invalid/1)\n\nG" },
  ],
  [
    "Transistor's card",
    {
      html: '<figure class="kg-card kg-transistor-card"><iframe data-src="https://partner.transistor.fm/e"></iframe></figure>',
    },
    { content: "[partner.transistor.fm](https://partner.transistor.fm/e)" },
  ],
  [
    "a post of X",
    {
      html: '<blockquote class="twitter-tweet"><p>Words</p></blockquote><script async src="https://platform.twitter.com/widgets.js"></script>',
    },
    { content: "> Words", notes: [] },
  ],
];

describe("a post of Ghost's", () => {
  test.each(rows)("with %s", (_what, fields, wanted) =>
    becomes(file(ghostExport([post(fields)]), "ghost.json"), HOST, wanted),
  );

  // https://github.com/TryGhost/Ghost/blob/0.11.14/core/server/data/schema/schema.js
  test("of Ghost 0.x has numbers, milliseconds, paths and Markdown", async () => {
    const old = {
      id: 1,
      uuid: "a-b",
      title: "T",
      slug: "t",
      markdown: "x **y** ![](/content/images/a.png)",
      html: null,
      image: "/content/images/c.jpg",
      status: "published",
      page: 0,
      published_at: 1400000000000,
    };
    const data = { posts: [old], tags: [{ id: 3, name: "Z" }], posts_tags: [{ post_id: 1, tag_id: 3 }] };
    const given = file(JSON.stringify({ db: [{ meta: { version: "009" }, data }] }), "old.json");
    const { articles, source } = await move([given], { siteUrl: HOST });
    expect(source.needsSite).toBe(true);
    expect(articles[0]).toMatchObject({
      at: 1400000000000,
      guid: "a-b",
      tags: ["Z"],
      content: "x **y** ![](https://picture.invalid/1)",
      pictures: [`${HOST}/content/images/c.jpg`, `${HOST}/content/images/a.png`],
    });
  });
});

const attributes = (values: object) => `data-attrs="${JSON.stringify(values).replaceAll('"', "&quot;")}"`;
const substack = async (html: string, line = "2021-02-14T12:00:00.000Z,true,newsletter,everyone,T,S,") =>
  new File(
    [
      await zipOf({
        "posts.csv": `post_id,post_date,is_published,type,audience,title,subtitle,podcast_url\n1.t,${line}\n`,
        "posts/1.t.html": html,
      }),
    ],
    "export.zip",
  );
const LOST = "Content that only works on the old site, such as a poll or a video, is left out.";
const linked = (host: string) => [`What was embedded is a link: ${host}.`];

// https://github.com/TryGhost/migrate/tree/main/packages/mg-substack : posts.csv of its fixtures, and the elements it reads.
const letters: [what: string, html: string, wanted: Wanted, line?: string][] = [
  [
    "an episode",
    "<p>x</p>",
    { notes: ["It’s an episode: its audio isn’t in the export, and comes with the podcast’s feed."] },
    "2022-08-12T12:11:23.230Z,TRUE,podcast,everyone,T,S,https://api.substack.com/a.mp3",
  ],
  [
    "a recording of the letter",
    "<p>x</p>",
    { notes: ["Its recording stays at Substack."] },
    "2022-08-12T12:11:23.230Z,TRUE,newsletter,everyone,T,S,https://api.substack.com/a.mp3",
  ],
  [
    "a thread",
    "<p>x</p>",
    { status: "published", notes: [] },
    "2022-08-12T12:11:23.230Z,TRUE,thread,everyone,T,S,",
  ],
  [
    "an audience that paid",
    "<p>x</p>",
    asDraft("It wasn’t public"),
    "2022-08-12T12:11:23.230Z,TRUE,newsletter,only_paid,T,S,",
  ],
  [
    "an audience of founders",
    "<p>x</p>",
    asDraft("It wasn’t public"),
    "2022-08-12T12:11:23.230Z,TRUE,newsletter,founding,T,S,",
  ],
  [
    "an audience that signed up",
    "<p>x</p>",
    asDraft("It wasn’t public"),
    "2022-08-12T12:11:23.230Z,TRUE,newsletter,only_free,T,S,",
  ],
  [
    "a paywall within its text",
    '<p>a</p><div class="paywall-jump" data-component-name="PaywallToDOM"></div><p>b</p>',
    PARTS,
  ],
  [
    "a button that leads elsewhere",
    '<p class="button-wrapper"><a class="button" href="https://shop.example/book"><span>Buy the book</span></a></p>',
    { content: "[Buy the book](https://shop.example/book)", notes: [] },
  ],
  [
    "a button to share",
    '<p class="button-wrapper"><a class="button" href="https://own.example/p/t?action=share"><span>Share</span></a></p>',
    { content: "", notes: [OWN] },
  ],
  [
    "a button to comment",
    '<p class="button-wrapper"><a class="button" href="https://own.example/p/t/comments"><span>Comment</span></a></p>',
    { content: "", notes: [OWN] },
  ],
  [
    "a form to subscribe",
    '<div class="subscription-widget-wrap-editor"><p class="cta-caption">Thanks for reading!</p><form></form></div>',
    { content: "", notes: [OWN] },
  ],
  ["a poll", `<div class="poll-embed" ${attributes({ id: 5 })}></div>`, { content: "", notes: [LOST] }],
  [
    "a film of its own",
    `<div class="native-video-embed" ${attributes({ mediaUploadId: "a" })}></div>`,
    { content: "", notes: [LOST] },
  ],
  [
    "a sound of its own",
    `<div class="native-audio-embed" ${attributes({ mediaUploadId: "a" })}></div>`,
    { content: "", notes: [LOST] },
  ],
  [
    "a player of Spotify's",
    `<iframe ${attributes({ title: "E", url: "https://open.spotify.com/episode/1" })} src="https://open.spotify.com/embed/episode/1"></iframe>`,
    { content: "[E](https://open.spotify.com/episode/1)", notes: linked("open.spotify.com") },
  ],
  [
    "a file",
    '<div class="file-embed-wrapper"><img src="https://i.example/icon.svg"><div class="file-embed-details-h1">Guide</div><a class="file-embed-button wide" href="https://own.example/1.pdf">Download</a><a class="file-embed-button narrow" href="https://own.example/1.pdf">Download</a></div>',
    { content: "[Guide](https://own.example/1.pdf)", pictures: [] },
  ],
  [
    "an older post of Twitter's",
    '<div class="tweet"><a href="https://twitter.com/a/status/1"><img src="https://i.example/face.png"><span class="tweet-author-name">A </span>Words</a></div>',
    {
      content: "[A: twitter.com](https://twitter.com/a/status/1)",
      pictures: [],
      notes: linked("twitter.com"),
    },
  ],
  [
    "a letter of another",
    `<div class="digest-post-embed" ${attributes({ canonical_url: "https://o.example/p/y", title: "D" })}></div>`,
    { content: "[D](https://o.example/p/y)" },
  ],
  [
    "a picture without an element",
    `<div class="image3" ${attributes({ src: "https://i.example/3.png", title: "W" })}></div>`,
    { content: "![W](https://picture.invalid/0)", pictures: ["https://i.example/3.png"] },
  ],
  [
    "a picture with words and a link",
    '<figure><a class="image-link" href="https://e.example/x"><picture><img src="https://substackcdn.com/image/fetch/w_1/https%3A%2F%2Fs3.example%2Fa.png" alt="A"></picture></a><figcaption>C</figcaption></figure>',
    {
      content: "[![A](https://picture.invalid/0)](https://e.example/x)\n\nC",
      pictures: ["https://s3.example/a.png"],
    },
  ],
  [
    "a gallery",
    `<div class="image-gallery-embed" ${attributes({ gallery: { images: [{ src: "https://i.example/a.png" }], caption: "C", alt: "A" } })}></div>`,
    { content: "![A](https://picture.invalid/0)\n\nC" },
  ],
  [
    "notes in two paragraphs",
    '<p>A<a class="footnote-anchor" href="#footnote-1-9">1</a></p><div class="footnote"><a class="footnote-number">1</a><div class="footnote-content"><p>N</p><p>more</p></div></div>',
    { content: "A[^1]\n\n[^1]: N\n\n    more" },
  ],
  [
    "a verse",
    '<div class="preformatted-block"><label class="hide-text">Text within this block</label><pre class="text">a\n  b</pre></div>',
    { content: "```\na\n  b\n```" },
  ],
  [
    "a formula",
    `<div class="latex-rendered" ${attributes({ persistentExpression: "x^2" })}></div>`,
    { content: "```\nx^2\n```" },
  ],
  [
    "a name",
    `<p>By <span class="mention-wrap" ${attributes({ name: "Ada" })}></span></p>`,
    { content: "By Ada" },
  ],
];

test.each(letters)("a letter of Substack's with %s", async (_what, html, wanted, line) =>
  becomes(await substack(html, line), "https://own.example", wanted),
);
