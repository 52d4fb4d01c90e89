import { describe, expect, test } from "vitest";
import { zipOf } from "../support/exports.ts";
import { readBatch } from "../../src/admin/moving-in/batch/read-batch.client.ts";

const readFiles = (files: File[]) =>
  readBatch(files, {
    timeZone: "UTC",
    signal: new AbortController().signal,
    onProgress: () => {},
    toMarkdown: String,
  });
const readOne = async (path: string, lines: string[]) =>
  (await readFiles([new File([`${lines.join("\n")}\n`], path)]))[0]!;

/** What a new article becomes, its date, and what its row says. */
async function read(path: string, lines: string[]) {
  const { article, notes, problem } = await readOne(path, lines);
  const { status, newStatus, publishedAt, scheduledFor } = article ?? {};
  const at = publishedAt ?? scheduledFor ?? null;
  return { state: status ?? newStatus, at: at && new Date(at).toISOString(), notes, problem };
}

const UNKNOWN = "The file doesn’t say that it was public: as a new article it’s a draft.";
const asDraft = (why: string) => `${why}, so it’s imported as a draft.`;
const dated = ["---", "title: T", "date: 2024-05-06"];

type Row = [what: string, path: string, lines: string[], state: string, at: string | null, notes: string[]];
const MAY = "2024-05-06T00:00:00.000Z";

/** Each with its source. */
const rows: Record<string, Row[]> = {
  // https://jekyllrb.com/docs/front-matter/ and https://jekyllrb.com/docs/posts/#drafts
  Jekyll: [
    ["a dated post", "_posts/2024-05-06-t.md", ["---", "title: T", "---"], "published", MAY, []],
    [
      "published: false",
      "t.md",
      [...dated, "published: false", "---"],
      "draft",
      MAY,
      [asDraft("It was not published")],
    ],
    [
      "published: no, as YAML 1.1 has it",
      "t.md",
      [...dated, "published: no", "---"],
      "draft",
      MAY,
      [asDraft("It was not published")],
    ],
    [
      "a draft's folder",
      "_drafts/t.md",
      ["---", "title: T", "---"],
      "draft",
      null,
      [asDraft("It was in _drafts")],
    ],
    [
      "a folder above that",
      "site/_drafts/old/t.md",
      [...dated, "---"],
      "draft",
      MAY,
      [asDraft("It was in _drafts")],
    ],
    [
      "a post to come, which it doesn't build",
      "t.md",
      ["---", "title: T", "date: 2099-05-06", "---"],
      "scheduled",
      "2099-05-06T00:00:00.000Z",
      [],
    ],
  ],
  // https://gohugo.io/content-management/front-matter/ and /content-management/build-options/
  Hugo: [
    [
      "TOML with a zone",
      "t.md",
      ["+++", 'title = "T"', "date = 2024-05-06T10:00:00+02:00", "+++"],
      "published",
      "2024-05-06T08:00:00.000Z",
      [],
    ],
    [
      "TOML without a zone",
      "t.md",
      ["+++", 'title = "T"', "date = 2024-05-06T10:00:00", "+++"],
      "published",
      "2024-05-06T10:00:00.000Z",
      ["Its date names no time zone: it’s read in this site’s, UTC."],
    ],
    ["a TOML day", "t.md", ["+++", 'title = "T"', "date = 2024-05-06", "+++"], "published", MAY, []],
    ["a TOML draft", "t.md", ["+++", 'title = "T"', "draft = true", "+++"], "draft", null, []],
    [
      "JSON",
      "t.md",
      ["{", ' "title": "T {",', ' "date": "2024-05-06",', ' "draft": false', "}", "Words"],
      "published",
      MAY,
      [],
    ],
    [
      "publishDate before date",
      "t.md",
      [...dated, "publishDate: 2023-01-02", "---"],
      "published",
      "2023-01-02T00:00:00.000Z",
      [],
    ],
    [
      "a publishDate to come",
      "t.md",
      [...dated, "publishDate: 2099-01-02", "---"],
      "scheduled",
      "2099-01-02T00:00:00.000Z",
      [],
    ],
    [
      "an expiryDate that is past",
      "t.md",
      [...dated, "expiryDate: 2024-06-01", "---"],
      "draft",
      MAY,
      [asDraft("It was shown until a date that is past")],
    ],
    [
      "an expiryDate to come",
      "t.md",
      [...dated, "expiryDate: 2099-06-01", "---"],
      "published",
      MAY,
      ["It was to be shown until 2099-06-01, which isn’t kept."],
    ],
    [
      "headless",
      "t.md",
      [...dated, "headless: true", "---"],
      "draft",
      MAY,
      [asDraft("It was without a page of its own")],
    ],
    [
      "build.render: never",
      "t.md",
      [...dated, "build:", "  render: never", "---"],
      "draft",
      MAY,
      [asDraft("It was without a page of its own")],
    ],
    [
      "build.list: never",
      "t.md",
      [...dated, "_build: { list: never }", "---"],
      "draft",
      MAY,
      [asDraft("It was unlisted")],
    ],
    [
      "a shortcode",
      "t.md",
      [...dated, "---", "{{< youtube id >}}"],
      "published",
      MAY,
      ["Shortcodes stay as text: youtube."],
    ],
  ],
  // https://www.getzola.org/documentation/content/page/
  Zola: [
    [
      "a draft",
      "t.md",
      ["+++", 'title = "T"', "date = 2024-05-06", "draft = true", "[taxonomies]", 'tags = ["a"]', "+++"],
      "draft",
      MAY,
      [],
    ],
  ],
  // https://docs.astro.build/en/guides/content-collections/ and its blog's template
  Astro: [
    [
      "its own dates",
      "t.md",
      ["---", "title: T", "pubDate: 'Jul 08 2022'", "---"],
      "published",
      "2022-07-08T00:00:00.000Z",
      [],
    ],
    ["draft", "t.md", [...dated, "draft: true", "---"], "draft", MAY, []],
    ["isDraft", "t.md", [...dated, "isDraft: true", "---"], "draft", MAY, []],
    [
      "a file that it ignores",
      "src/content/blog/_t.md",
      [...dated, "---"],
      "draft",
      MAY,
      [asDraft("Its file’s name begins with _")],
    ],
    [
      "MDX",
      "t.mdx",
      [
        ...dated,
        "---",
        "import Chart from '../Chart.jsx';",
        "import {",
        "  A,",
        '} from "b";',
        "",
        "# Part",
        "",
        '<Chart of={{ a: ">" }} />',
        "",
        "<Note>Words</Note>",
        "",
        "`import x from 'y'`",
      ],
      "published",
      MAY,
      [
        "Imports of MDX are left out: ../Chart.jsx, b.",
        "Components aren’t shown, only the words in them: <Chart>, <Note>.",
      ],
    ],
  ],
  // https://hexo.io/docs/front-matter and https://hexo.io/docs/writing
  Hexo: [
    [
      "published: false",
      "t.md",
      [...dated, "published: false", "---"],
      "draft",
      MAY,
      [asDraft("It was not published")],
    ],
    [
      "a draft's folder",
      "source/_drafts/t.md",
      ["---", "title: T", "---"],
      "draft",
      null,
      [asDraft("It was in _drafts")],
    ],
    [
      "JSON",
      "t.md",
      ["{", '"title": "T",', '"date": "2024-05-06"', "}", ";;;", "Words"],
      "published",
      MAY,
      [],
    ],
    [
      "a tag of its template",
      "t.md",
      [...dated, "---", "{% asset_img a.png %}"],
      "published",
      MAY,
      ["Tags of a template stay as text: asset_img."],
    ],
  ],
  // https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-blog
  Docusaurus: [
    ["draft", "t.md", [...dated, "draft: true", "---"], "draft", MAY, []],
    ["unlisted", "t.md", [...dated, "unlisted: true", "---"], "draft", MAY, [asDraft("It was unlisted")]],
    [
      "a box",
      "t.md",
      [...dated, "---", ":::note", "Words", ":::"],
      "published",
      MAY,
      ["Boxes stay as text: note."],
    ],
  ],
  // https://help.obsidian.md/publish/publish ("publish: true")
  Obsidian: [
    ["publish: true", "t.md", ["---", "title: T", "publish: true", "---"], "published", null, []],
    [
      "publish: false",
      "t.md",
      [...dated, "publish: false", "---"],
      "draft",
      MAY,
      [asDraft("It was not published")],
    ],
    [
      "nothing of it, but a link between notes",
      "t.md",
      [...dated, "---", "See [[Other]]."],
      "draft",
      MAY,
      [UNKNOWN, "Links between notes stay as text: [[Other]]."],
    ],
    [
      "links of Hugo's to notes, which are none of it",
      "t.md",
      [...dated, "draft: false", "---", "Words[[1]](#fn1) and [[Other]]."],
      "published",
      MAY,
      ["Links between notes stay as text: [[Other]]."],
    ],
    ["a date under publish", "t.md", ["---", "title: T", "publish: 2024-05-06", "---"], "published", MAY, []],
    ["no front matter", "t.md", ["# T", "", "Words"], "draft", null, [UNKNOWN]],
  ],
  // WordPress's, Ghost's and other words that exporters to Markdown write.
  "other words": [
    ["private", "t.md", [...dated, "private: true", "---"], "draft", MAY, [asDraft("It was private")]],
    [
      "visibility",
      "t.md",
      [...dated, "visibility: members", "---"],
      "draft",
      MAY,
      [asDraft("It was for members only")],
    ],
    ["public visibility", "t.md", [...dated, "visibility: public", "---"], "published", MAY, []],
    [
      "a private status",
      "t.md",
      [...dated, "status: private", "---"],
      "draft",
      MAY,
      [asDraft("It was private")],
    ],
    [
      "a password",
      "t.md",
      [...dated, "password: x", "---"],
      "draft",
      MAY,
      [asDraft("It was protected by a password")],
    ],
    [
      "a word that nobody knows",
      "t.md",
      [...dated, "draft: perhaps", "---"],
      "draft",
      MAY,
      [asDraft("Whether it was public can’t be told from “draft: perhaps”")],
    ],
    [
      "a date under published",
      "t.md",
      ["---", "title: T", "published: 2024-05-06", "---"],
      "published",
      MAY,
      [],
    ],
    [
      "draft: false without a date",
      "t.md",
      ["---", "title: T", "draft: false", "---"],
      "published",
      null,
      [],
    ],
  ],
};

describe.each(Object.entries(rows))("a file of %s's", (_program, cases) => {
  test.each(cases)("with %s", async (_what, path, lines, state, at, notes) => {
    expect(await read(path, lines)).toEqual({ state, at, notes, problem: null });
  });
});

describe("lists are split as their program does", () => {
  const listsOf = async (path: string, lines: string[]) => {
    const { article, notes } = await readOne(path, lines);
    return { tags: article?.tags, category: article?.category, notes };
  };
  const TWO = "It has 2 categories, and an article has one: “jekyll” is used, “update” isn’t.";

  test("Jekyll's at spaces, its singular fields not", async () => {
    const path = "2024-05-06-welcome.md";
    expect(
      await listsOf(path, ["---", 'title: "T"', "categories: jekyll update", "tags: oil wick", "---"]),
    ).toEqual({
      tags: ["oil", "wick"],
      category: "jekyll",
      notes: [TWO],
    });
    expect(await listsOf(path, ["---", "title: T", "category: old news", "tag: oil wick", "---"])).toEqual({
      tags: ["oil wick"],
      category: "old news",
      notes: [],
    });
    expect((await listsOf(path, ["---", "title: T", "tags: [two words, one]", "---"])).tags).toEqual([
      "two words",
      "one",
    ]);
  });

  test("others' at commas", async () => {
    expect((await listsOf("t.md", [...dated, "tags: two words, one", "---"])).tags).toEqual([
      "two words",
      "one",
    ]);
  });

  test("Obsidian's at both, without their hashes", async () => {
    expect((await listsOf("t.md", ["---", "publish: true", 'tags: "#oil wick, #lamp"', "---"])).tags).toEqual(
      ["oil", "wick", "lamp"],
    );
  });

  test("Zola's are in their own table", async () => {
    const lines = [
      "+++",
      'title = "T"',
      "[taxonomies]",
      'tags = ["a", "b c"]',
      'categories = ["Craft"]',
      "+++",
    ];
    expect(await listsOf("t.md", lines)).toMatchObject({ tags: ["a", "b c"], category: "Craft" });
  });
});

test("MDX loses its imports and tags, and none of its words", async () => {
  const lines = [
    ...dated,
    "---",
    "import { A } from 'a'",
    "",
    "export const x = 1;",
    "",
    "<A b='c'>",
    "",
    "Words *within*.",
    "",
    "</A>",
    "",
    "```js",
    "import y from 'z'",
    "<B />",
    "```",
  ];
  const { article } = await readOne("t.mdx", lines);
  expect(article?.content).toBe("Words *within*.\n\n\n\n```js\nimport y from 'z'\n<B />\n```");
});

test("Jekyll's highlighted code is code", async () => {
  const { article, notes } = await readOne("2024-05-06-t.md", [
    "---",
    "---",
    "{% highlight ruby %}",
    "x < 1",
    "{% endhighlight %}",
    "",
    "[b]({% post_url 2024-01-01-a %})",
  ]);
  expect(article).toMatchObject({
    title: "T",
    content: "```ruby\nx < 1\n```\n\n[b]({% post_url 2024-01-01-a %})",
  });
  expect(notes).toEqual(["Tags of a template stay as text: post_url."]);
});

describe("a zip", () => {
  const zipFile = async (files: Record<string, string>, name = "site.zip") =>
    new File([await zipOf(files)], name);

  test("of a site's repository brings its posts, and not its programs", async () => {
    const items = await readFiles([
      await zipFile({
        "site/_posts/2024-05-06-one.md": "---\ntitle: One\n---\nWords",
        "site/_drafts/two.md": "---\ntitle: Two\n---\nHalf",
        "site/README.md": "# Site",
        "site/package.json": "{}",
        "site/node_modules/a/b.md": "# B",
        "site/_layouts/post.md": "# Layout",
      }),
    ]);
    expect(
      items.map(({ file, title, article }) => [file, title, article?.status ?? article?.newStatus]),
    ).toEqual([
      ["site/_posts/2024-05-06-one.md", "One", "published"],
      ["site/_drafts/two.md", "Two", "draft"],
    ]);
  });

  test("of an Obsidian vault publishes only marked notes, titled as their files", async () => {
    const items = await readFiles([
      await zipFile({
        "Vault/.obsidian/app.json": "{}",
        "Vault/My note.md": "---\ndate: 2024-05-06\n---\nWords",
        "Vault/Shown.md": "---\npublish: true\n---\nWords",
      }),
    ]);
    expect(items.map(({ title, article }) => [title, article?.newStatus])).toEqual([
      ["My note", "draft"],
      ["Shown", "published"],
    ]);
  });

  test.each([
    ["without Markdown", () => zipFile({ "a.html": "x" }), /no Markdown files/],
    [
      "that is cut off",
      async () => new File([(await zipFile({ "a.md": "# A" })).slice(0, 40)], "a.zip"),
      /zip can’t be read/,
    ],
    ["that isn't one", async () => new File(["words"], "a.zip"), /zip can’t be read/],
    [
      "that unpacks to far more",
      async () => new File([await zipOf({ "a.md": new Blob([new Uint8Array(5_000_000)]) })], "a.zip"),
      /far larger/,
    ],
  ])("%s is refused with a message", async (_what, make, message) => {
    const [item] = await readFiles([await make()]);
    expect(item).toMatchObject({ article: null, problem: expect.stringMatching(message) as string });
  });
});

test.each([
  ["YAML", ["---", "title: T", "date: 2024"]],
  ["TOML", ["+++", 'title = "T"']],
  ["JSON", ["{", '"title": "T",']],
])("half a file says that its front matter in %s has no end", async (_format, lines) => {
  expect((await read("t.md", lines)).problem).toBe("The front matter has no end. The file may be cut off.");
});

test.each([
  ["TOML", ["+++", "title = T", "+++"], /^The front matter isn’t valid TOML: .+ at line 1, column \d+\.$/],
  ["JSON", ["{", '"title": T', "}"], /^The front matter isn’t valid JSON: /],
])("front matter that isn't %s says where", async (_format, lines, problem) => {
  expect((await read("t.md", lines)).problem).toMatch(problem);
});
