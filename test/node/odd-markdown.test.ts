import { describe, expect, test } from "vitest";
import { readBatch } from "../../src/admin/moving-in/batch/read-batch.client.ts";

const DATED = "title: T\ndate: 2024-05-06\n";
const UNKNOWN = "The file doesn’t say that it was public: as a new article it’s a draft.";
const NO_ZONE = "Its date names no time zone: it’s read in this site’s, UTC.";
const yaml = (fields: string, body = "x") => `---\n${fields}\n---\n${body}`;
const MAY = "2024-05-06T00:00:00.000Z";

type Wanted = { at?: string; notes?: string[]; [field: string]: unknown };

async function read(path: string, text: BlobPart) {
  const [item] = await readBatch([new File([text], path)], {
    timeZone: "UTC",
    signal: new AbortController().signal,
    onProgress: () => {},
    toMarkdown: String,
  });
  const { article, problem, notes } = item!;
  const { status, newStatus, publishedAt } = article ?? {};
  const at = typeof publishedAt === "number" ? new Date(publishedAt).toISOString() : undefined;
  return { ...article, state: status ?? newStatus, at, problem, notes };
}

type Row = [what: string, path: string, text: string, wanted: Wanted];

const rows: Record<string, Row[]> = {
  // https://yaml.org/spec/1.2.2/ and https://yaml.org/type/merge.html : Psych and go-yaml, of Jekyll and Hugo, merge.
  YAML: [
    [
      "a byte order mark and Windows' line ends",
      "t.md",
      `\ufeff${yaml(DATED)}`.replaceAll("\n", "\r\n"),
      { title: "T", at: MAY, content: "x" },
    ],
    ["line ends of old Macs", "t.md", yaml(DATED).replaceAll("\n", "\r"), { title: "T", content: "x" }],
    ["blank lines above", "t.md", `\n\n${yaml("title: T")}`, { title: "T", content: "x" }],
    ["spaces behind its lines", "t.md", "---  \ntitle: T\n---  \nx", { title: "T", content: "x" }],
    [
      "anchors",
      "t.md",
      yaml("title: &t T\ndescription: *t\ntags: [a, b]"),
      { excerpt: "T", tags: ["a", "b"] },
    ],
    ["a draft that is merged", "t.md", yaml(`base: &b {draft: true}\n<<: *b\n${DATED}`), { state: "draft" }],
    [
      "a second document, which is text",
      "t.md",
      yaml("title: T", "One\n\n---\ntitle: U\n---\nTwo"),
      { title: "T", content: "One\n\n---\ntitle: U\n---\nTwo" },
    ],
    ["types", "t.md", yaml("title: !!str 2024\ndate: !!timestamp 2024-05-06"), { title: "2024", at: MAY }],
    ["a number as its title", "t.md", yaml("title: 1984"), { title: "1984" }],
    [
      "a zone with a space",
      "t.md",
      yaml("title: T\ndate: 2024-05-06 10:00:00 +0200"),
      { at: "2024-05-06T08:00:00.000Z" },
    ],
    [
      "no zone",
      "t.md",
      yaml("title: T\ndate: 2024-05-06T10:00:00"),
      { at: "2024-05-06T10:00:00.000Z", notes: [NO_ZONE] },
    ],
    ["a date in words", "t.md", yaml('title: T\ndate: "May 6, 2024"'), { at: MAY }],
    ["Unix seconds", "t.md", yaml("title: T\ndate: 1715010139"), { at: "2024-05-06T15:42:19.000Z" }],
    [
      "a date that may be two",
      "t.md",
      yaml("title: T\ndate: 05/06/2024"),
      { problem: expect.stringContaining("day-month or month-day") },
    ],
    [
      "a year alone",
      "t.md",
      yaml("title: T\ndate: 2024"),
      { problem: expect.stringContaining("Can’t read the date “2024”") },
    ],
    [
      "zeros",
      "t.md",
      yaml("title: T\ndate: 0000-00-00"),
      { problem: expect.stringContaining("Can’t read the date “0000-00-00”") },
    ],
    [
      "a colon in its title",
      "t.md",
      yaml("title: A: B"),
      { problem: expect.stringContaining("isn’t valid YAML") },
    ],
    [
      "a field twice",
      "t.md",
      yaml("title: A\ntitle: B"),
      { problem: expect.stringContaining("must be unique at line 2") },
    ],
    ["no fields", "t.md", "---\n---\n# T\nx", { title: "T", content: "x" }],
    ["no text", "t.md", "---\ntitle: T\n---", { title: "T", content: "" }],
    ["a title underlined", "t.md", "Title\n=====\n\nWords", { title: "Title", content: "Words" }],
    ["its title again as a heading", "t.md", yaml("title: T", "# T\n\nWords"), { content: "Words" }],
    ["another heading", "t.md", yaml("title: T", "# U\n\nWords"), { content: "# U\n\nWords" }],
    ["a slug that is a path", "t.md", yaml("title: T\nslug: /blog/2024/x/"), { slug: "x" }],
    [
      "a slug that can't be one",
      "t.md",
      yaml(`${DATED}slug: 😀-שלום`),
      { notes: ["“😀-שלום” can’t be its address here: its title gives one."] },
    ],
  ],
  // https://toml.io/en/v1.0.0 and https://gohugo.io/content-management/front-matter/
  Hugo: [
    [
      "TOML over several lines",
      "t.md",
      "+++\ntitle = 'T'\ndescription = \"\"\"a\nb\"\"\"\ntags = [\n 'a',\n 'b',\n]\n+++\nx",
      { excerpt: "a\nb", tags: ["a", "b"] },
    ],
    [
      "JSON with a brace in a text",
      "t.md",
      '{"title":"T","date":"2024-05-06T00:00:00+10:00","a":{"b":"}"}}\n\nx',
      { at: "2024-05-05T14:00:00.000Z", content: "x", notes: ["Left out: a."] },
    ],
    [
      "a page bundle",
      "content/posts/my-post/index.md",
      yaml(`${DATED}resources:\n- src: a.jpg`, "![x](a.jpg)"),
      { notes: ["Left out: resources.", "A picture isn’t imported, and becomes a link."] },
    ],
    [
      "former addresses",
      "content/p.md",
      yaml(`${DATED}slug: other\naliases: [/old/]\nurl: /x/`),
      { slug: "other", notes: ["Left out: aliases, url."] },
    ],
    [
      "the end of its summary, and a link",
      "content/p.md",
      yaml(DATED, 'A\n\n<!--more-->\n\n[b]({{< ref "b.md" >}})'),
      { content: 'A\n\n\n[b]({{< ref "b.md" >}})', notes: ["Shortcodes stay as text: ref."] },
    ],
    ["an expiry that is empty", "content/p.md", yaml(`${DATED}expiryDate:`), { state: "published" }],
  ],
  // https://jekyllrb.com/docs/posts/ ; Document::DATE_FILENAME_MATCHER takes one digit for a month or a day.
  Jekyll: [
    [
      "one digit for its month",
      "_posts/2024-5-6-hi.md",
      yaml("title: T"),
      { at: MAY, slug: "hi", state: "published" },
    ],
    [
      "its date in both places",
      "_posts/2024-05-06-a.md",
      yaml("title: T\ndate: 2024-05-07 10:00:00 -0700"),
      { at: "2024-05-07T17:00:00.000Z", slug: "a" },
    ],
    ["no title", "_posts/2024-05-06-my-first_post.markdown", yaml(""), { title: "My first post" }],
    // https://shopify.github.io/liquid/tags/template/
    [
      "a comment, and text that is none of Liquid's",
      "_posts/2024-05-06-a.md",
      yaml("title: T", "A{% comment %}secret{% endcomment %}B {% raw %}C{% endraw %}"),
      { content: "AB C", notes: ["Comments within the text are left out."] },
    ],
    [
      "a value of its template",
      "_posts/2024-05-06-a.md",
      yaml("title: T", "{{ site.url }}"),
      { notes: ["Values of a template stay as text: {{ site.url }}."] },
    ],
  ],
  // https://hexo.io/docs/front-matter : “categories: [[Diary, PlayStation], [Life]]”.
  Hexo: [
    [
      "lists within lists",
      "t.md",
      yaml(`${DATED}tags:\n  - [a, b]\n  - c\ncategories:\n  - [Diary, Games]`),
      {
        tags: ["a", "b", "c"],
        category: "Diary",
        notes: ["It has 2 categories, and an article has one: “Diary” is used, “Games” isn’t."],
      },
    ],
  ],
  // https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-blog , and DATE_FILENAME_REGEX of its blogUtils.ts.
  Docusaurus: [
    [
      "its date in its folder's name",
      "blog/2024-05-06-hi/index.md",
      yaml("title: T"),
      { at: MAY, slug: "hi", state: "published" },
    ],
    ["its date in its folders", "blog/2024/05/06/hi.mdx", yaml("title: T"), { at: MAY, slug: "hi" }],
    [
      "its date in the name of an MDX file",
      "blog/2024-05-06-hi.mdx",
      yaml("title: T"),
      { at: MAY, slug: "hi" },
    ],
    [
      "labels of tags",
      "t.md",
      yaml(`${DATED}tags:\n  - {label: Oil, permalink: /oil}\n  - wick`),
      { tags: ["Oil", "wick"] },
    ],
    [
      "the end of its summary, and a box",
      "t.md",
      yaml(DATED, ":::tip[My tip]\nx\n:::\n\n<!-- truncate -->\nB"),
      { content: ":::tip[My tip]\nx\n:::\n\nB", notes: ["Boxes stay as text: tip."] },
    ],
  ],
  // https://help.obsidian.md/syntax : “%%This is a comment%%”, hidden while reading.
  Obsidian: [
    [
      "comments",
      "n.md",
      yaml("publish: true", "A %%secret%% B\n\n%%\nmore\n%%\n\nC"),
      { title: "n", content: "A  B\n\n\n\nC", notes: ["Comments within the text are left out."] },
    ],
    [
      "an embed and a link with its own words",
      "n.md",
      yaml("publish: true", "![[p.png|300]] [[N#H|alias]]"),
      { notes: ["Links between notes stay as text: ![[p.png|300]], [[N#H|alias]]."] },
    ],
    [
      "a callout that is folded",
      "n.md",
      yaml("publish: true", "> [!note]- T\n> b"),
      { notes: ["The kinds of callouts stay as text: note."] },
    ],
    [
      "no word that it is public",
      "n.md",
      yaml("date: 2024-05-06", "[[Other]]"),
      { state: "draft", notes: [UNKNOWN, "Links between notes stay as text: [[Other]]."] },
    ],
  ],
  // https://mdxjs.com/docs/what-is-mdx/
  MDX: [
    [
      "a comment, a component and a value",
      "t.mdx",
      yaml(DATED, "{/* secret */}<Foo bar={`>`} />\n\n{props.a}"),
      {
        content: "{props.a}",
        notes: [
          "Components aren’t shown, only the words in them: <Foo>.",
          "Expressions of MDX stay as text: {props.a}.",
        ],
      },
    ],
    [
      "its title in code",
      "t.mdx",
      "export const meta = {\n  title: 'T',\n};\n\nWords",
      { problem: "The title is missing." },
    ],
  ],
  // https://www.11ty.dev/docs/dates/ ; https://docs.getpelican.com/en/latest/content.html
  others: [
    [
      "Eleventy's word for a date",
      "t.md",
      yaml("title: T\ndate: git Created"),
      { problem: expect.stringContaining("Can’t read the date “git Created”") },
    ],
    [
      "Pelican's fields without lines around them",
      "t.md",
      "Title: T\nStatus: draft\n\nWords",
      { problem: "The title is missing." },
    ],
    ["Org's syntax", "t.org", "#+TITLE: T\nx", { problem: "This isn’t a Markdown or JSON file." }],
  ],
};

describe.each(Object.entries(rows))("Markdown of %s", (_program, cases) => {
  test.each(cases)("with %s", async (_what, path, text, wanted) => {
    expect(await read(path, text)).toMatchObject({ problem: null, ...wanted });
  });
});
