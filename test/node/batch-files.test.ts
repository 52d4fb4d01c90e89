import { describe, expect, test, vi } from "vitest";
import { readBatch } from "../../src/admin/moving-in/batch/read-batch.client.ts";

const read = (files: Record<string, string | Uint8Array<ArrayBuffer>>, timeZone = "Australia/Melbourne") =>
  readBatch(
    Object.entries(files).map(([name, content]) => new File([content], name)),
    {
      timeZone,
      signal: new AbortController().signal,
      onProgress: () => {},
      toMarkdown: (html) => `Markdown of ${html.length} characters`,
    },
  );
const readOne = async (name: string, content: string | Uint8Array<ArrayBuffer>) =>
  (await read({ [name]: content }))[0]!;
const markdown = (head: string, body = "Words.") => `---\n${head}\n---\n${body}\n`;
/** A file without further findings. */
const PUBLIC = "title: T\ndraft: false";
const articleOf = async (head: string, body?: string) =>
  (await readOne("a.md", markdown(head, body))).article;
const problemOf = async (head: string) => (await readOne("a.md", markdown(head))).problem;

test("front matter becomes an article's fields", async () => {
  const head = [
    "title: 'Ground: rules'",
    "slug: ground-rules",
    "description: What it is about.",
    "date: 2024-05-06",
    "original_publish_date: 2023-01-02T03:04:05Z",
    "categories: [Housing, Policy]",
    "tags: [one, two three, 2024]",
    "meta_title: Meta",
    "meta_keywords: [a, b]",
    "canonical_url: https://a.example/p",
    "draft: false",
    "layout: post",
    "constructor: none",
    "author: { name: A }",
  ].join("\n");
  const { article, notes, file, problem } = await readOne(
    "a.md",
    markdown(head, "\n# Part\r\n\r\nWords.\n\n"),
  );
  expect({ file, problem }).toEqual({ file: "a.md", problem: null });
  expect(article).toEqual({
    title: "Ground: rules",
    slug: "ground-rules",
    excerpt: "What it is about.",
    publishedAt: Date.UTC(2024, 4, 5, 14),
    originalPublishedAt: Date.UTC(2023, 0, 2, 3, 4, 5),
    category: "Housing",
    newStatus: "published",
    tags: ["one", "two three", "2024"],
    metaTitle: "Meta",
    metaKeywords: "a, b",
    sourceUrl: "https://a.example/p",
    content: "# Part\n\nWords.",
    draftKey: expect.any(String) as string,
  });
  expect(notes).toEqual([
    "Left out: layout, constructor, author.",
    "It has 2 categories, and an article has one: “Housing” is used, “Policy” isn’t.",
  ]);
});

test.each([
  ["2024-05-06 09:30", Date.UTC(2024, 4, 5, 23, 30)],
  ["2024-05-06T09:30:00+02:00", Date.UTC(2024, 4, 6, 7, 30)],
  ["2024-05-06 09:30:00 +0200", Date.UTC(2024, 4, 6, 7, 30)],
  ["'Mon, 06 May 2024 09:30:00 GMT'", Date.UTC(2024, 4, 6, 9, 30)],
  ["1714987800", 1_714_987_800_000],
  ["1714987800123", 1_714_987_800_123],
])("the date %s", async (date, at) => {
  expect((await articleOf(`title: T\ndate: ${date}`))?.publishedAt).toBe(at);
});

test("a day begins an hour later if clocks skip its midnight", async () => {
  const [item] = await read({ "a.md": markdown("title: T\ndate: 2018-11-04") }, "America/Sao_Paulo");
  expect(item).toMatchObject({ problem: null, article: { publishedAt: Date.UTC(2018, 10, 4, 3) } });
});

test("a heading above the text is the title if none is given", async () => {
  expect((await readOne("a.md", "# The title #\n\nWords.")).article).toMatchObject({
    title: "The title",
    content: "Words.",
  });
  expect(await articleOf("title: Given", "# A heading\n\nWords.")).toMatchObject({
    title: "Given",
    content: "# A heading\n\nWords.",
  });
});

test("a draft mark makes a draft, and a public mark does not change the status of an existing article", async () => {
  for (const head of ["draft: true", "published: false", "status: Draft"])
    expect(await articleOf(`title: T\n${head}`)).toMatchObject({ status: "draft" });
  const open = await articleOf("title: T\npublished: true");
  expect(open).toMatchObject({ newStatus: "published" });
  expect(open).not.toHaveProperty("status");
});

describe("reading a batch reports", () => {
  test.each([
    ["front matter that is not YAML", "title: [a, b", /^The front matter isn’t valid YAML: .+ at line 1/],
    ["a list as front matter", "- a", /no fields/],
    ["no title", "slug: a", /^The title is missing/],
    ["a status", "title: T\nstatus: live", /Unknown status “live”/],
    ["a date", "title: T\ndate: last week", /Can’t read the date “last week” in “date”/],
    ["a text that is an object", "title: T\nexcerpt: {a: 1}", /“excerpt” must be text/],
    [
      "aliases that grow without end",
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ntitle: T`,
      /has too many repeated aliases/,
    ],
  ])("reading a batch reports %s", async (_what, head, problem) => {
    expect(await problemOf(head)).toMatch(problem);
  });

  test.each([
    ["a picture", "a.png", "x", /isn’t a Markdown or JSON file/],
    ["a zip by another name", "a.md", new Uint8Array([80, 75, 3, 4, 0, 0]), /it’s a zip/],
    ["broken JSON", "a.json", '[{"title"', /^This isn’t valid JSON/],
    ["JSON of no objects", "a.json", "[1]", /isn’t an object with fields/],
    ["a text of 5 MB", "a.md", "a".repeat(5_000_000), /larger than 4 MB/],
  ])("reading a batch reports %s", async (_what, name, content, problem) => {
    expect((await readOne(name, content)).problem).toMatch(problem);
  });

  test("two articles with the same title, and reads the others", async () => {
    const items = await read({ "a.md": markdown("title: T"), "b.json": '[{"title":"T"},{"title":"U"}]' });
    expect(items.map(({ file, problem }) => [file, problem])).toEqual([
      ["a.md", "2 items in the batch have this title."],
      ["b.json, 1", "2 items in the batch have this title."],
      ["b.json, 2", null],
    ]);
  });

  test("more than 10,000 articles", async () => {
    const items = Array.from({ length: 10_001 }, (_, index) => ({ title: `T ${index}` }));
    await expect(readOne("a.json", JSON.stringify(items))).rejects.toThrow(/more than 10,000 articles/);
    expect(await read({ "a.json": JSON.stringify(items.slice(1)) })).toHaveLength(10_000);
  });
});

test("reads JSON of an object with a list; null means not given", async () => {
  const articles = [
    {
      title: "T",
      content: "Words.",
      excerpt: null,
      published: true,
      category: { name: "Housing" },
      tags: "a, b",
    },
  ];
  const { article, notes } = await readOne("a.json", JSON.stringify({ articles }));
  expect(article).toMatchObject({ title: "T", category: "Housing", tags: ["a", "b"] });
  expect(article).not.toHaveProperty("excerpt");
  expect(notes).toEqual([]);
});

test("an HTML text is converted to Markdown; HTML within Markdown gets a note", async () => {
  const html = await readOne("a.json", JSON.stringify({ title: "T", draft: false, content: "<p>Words</p>" }));
  expect(html.article?.content).toBe("Markdown of 12 characters");
  expect(html.notes).toEqual(["The HTML text is converted to Markdown."]);
  const exported = "<!-- wp:paragraph -->\n<p>Words</p>\n<!-- /wp:paragraph -->\n";
  expect((await readOne("a.md", markdown(PUBLIC, exported))).notes).toEqual(html.notes);
  const mixed = await readOne("a.md", markdown(PUBLIC, "Words <script>alert(1)</script>"));
  expect(mixed.notes).toEqual(["HTML inside the text isn’t shown."]);
  const code = await readOne("a.md", markdown(PUBLIC, "`<div>`\n\n```\n<script>\n```\n\nWords"));
  expect(code.notes).toEqual([]);
});

test.each([
  ["a comment", "<!--markdownlint-disable-->\n\n# Part\n\n- Words", []],
  ["a picture", '<figure><img src="a.png"></figure>\n\n# Part', ["HTML inside the text isn’t shown."]],
])("Markdown that begins with %s is not converted", async (_what, text, notes) => {
  expect(await readOne("a.md", markdown(PUBLIC, text))).toMatchObject({
    article: { content: text },
    notes,
  });
});

test("a dated file name gives the date and slug if the front matter has none", async () => {
  const { article } = await readOne("2014-05-06-My_essay.md", markdown("title: T"));
  expect(article).toMatchObject({ publishedAt: Date.UTC(2014, 4, 5, 14), slug: "my-essay" });
  const said = await readOne("2014-05-06-my-essay.md", markdown("title: T\ndate: 2015-01-01\nslug: other"));
  expect(said.article).toMatchObject({ publishedAt: Date.UTC(2014, 11, 31, 13), slug: "other" });
  const odd = await readOne("2014-02-31-\u65e5.md", markdown("title: T"));
  expect(odd).toMatchObject({ problem: null, article: { title: "T" } });
  expect(odd.article).not.toHaveProperty("publishedAt");
  expect(odd.article).not.toHaveProperty("slug");
});

test("a file name gives no slug that another file shares, and no date in the future", async () => {
  const links = await read({
    "2014-01-06-links.md": markdown("title: Links in January"),
    "2014-02-03-links.md": markdown("title: Links in February"),
    "2014-02-04-slug.md": markdown('title: Empty\nslug: ""'),
    "9990-01-01-later.md": markdown("title: Later\ndraft: true"),
  });
  expect(links.map(({ article }) => article?.slug)).toEqual([undefined, undefined, "slug", "later"]);
  expect(links[3]!.article).not.toHaveProperty("publishedAt");
});

test("pictures that the site does not have get a note", async () => {
  const text =
    "![Oak](images/oak.png) ![Elm](https://a.example/elm.png) ![Ash](/media/ash.png) `![x](y.png)`";
  expect((await readOne("a.md", markdown(PUBLIC, text))).notes).toEqual([
    "2 pictures aren’t imported, and become links.",
  ]);
});

test("an article that exceeds the server's limits is refused alone", async () => {
  const items = JSON.stringify([
    { title: "Long", content: "x ".repeat(250_001) },
    { title: "Excerpt", excerpt: "x".repeat(1001) },
    { title: "Short" },
  ]);
  expect((await read({ "a.json": items })).map(({ problem }) => problem)).toEqual([
    "An article has at most 500,000 characters.",
    "An excerpt has at most 1,000 characters.",
    null,
  ]);
});

test("reads Latin-1", async () => {
  const bytes = Uint8Array.from(Buffer.from(markdown("title: Café"), "latin1"));
  expect((await readOne("a.md", bytes)).title).toBe("Café");
});

test("an unexpected error affects one item only, and is logged", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const file = new File(["x"], "a.md");
  file.arrayBuffer = () => Promise.reject(new Error("gone"));
  const items = await readBatch([file], {
    timeZone: "UTC",
    signal: new AbortController().signal,
    onProgress: () => {},
    toMarkdown: String,
  });
  expect(items[0]?.problem).toBe("This file isn’t readable text.");
  expect(log).toHaveBeenCalled();
  log.mockRestore();
});
