import { describe, expect, test } from "vitest";
import { encodingOf } from "../../src/admin/moving-in/file-text.ts";
import { NothingSent } from "../../src/admin/moving-in/importers/send.ts";
import { file, move } from "../support/elsewhere.ts";
import { ghostExport, ghostPost, wxrItem, wxrOf, zipOf } from "../support/exports.ts";

type Options = Parameters<typeof move>[1];

const movePosts = (posts: object[], options?: Options) =>
  move(
    [
      file(
        ghostExport(posts.map((post, id) => ghostPost({ id: `p${id}`, uuid: `p-${id}`, ...post }))),
        "g.json",
      ),
    ],
    options,
  );
const titleOf = async (post: object) => (await movePosts([post])).articles[0]!.title;
const moveItem = async (item: Parameters<typeof wxrItem>[0], options?: Options) =>
  (await move([file(wxrOf(wxrItem(item)), "w.xml")], options)).articles[0]!;

describe("titles of imported articles", () => {
  test("from Ghost and Substack are text, in which tags are not parsed", async () => {
    const title = "The <script> tag, explained";
    expect(await titleOf({ title, html: "<p>x</p>" })).toBe(title);
    const csv = `post_id,post_date,is_published,type,audience,title\n1.a,2021-01-01,true,newsletter,everyone,"${title}"\n`;
    const zip = await zipOf({ "posts.csv": csv, "posts/1.a.html": "<p>x</p>" });
    const { plan, articles } = await move([file(zip, "e.zip")]);
    expect([plan.rows[0]!.title, articles[0]!.title]).toEqual([title, title]);
    expect((await moveItem({ title: "An <em>old</em> one", content: "x" })).title).toBe("An old one");
  });

  test("are on one line, without invisible characters", async () => {
    expect(await titleOf({ title: "One\u2028two &#7;three&#x202e;", html: "<p>x</p>" })).toBe(
      "One two three",
    );
    expect(await titleOf({ title: "", html: "<p>One\u2028two</p>" })).toBe("One two");
  });

  test("that are missing become the first words of the text", async () => {
    const picture = '<p><img src="https://old.example/a.png"></p>';
    const words = '<p>Read <a href="/b">1. *this*</a> first_</p><p>Then</p>';
    expect(await titleOf({ title: "", html: picture + words })).toBe("Read 1. *this* first_");
    expect(await titleOf({ title: "", html: picture })).toBe("Untitled");
  });
});

test("a category is found by its name, also if its characters are escaped", async () => {
  const extra = `<category domain="category" nicename="arts"><![CDATA[Arts &amp; Culture]]></category>`;
  const categories = [{ id: 4, name: "Arts & Culture" }];
  expect(await moveItem({ content: "x", extra }, { categories })).toMatchObject({ categoryId: 4, tags: [] });
});

test("an article whose featured picture is missing in the export gets a note", async () => {
  const extra =
    "<wp:postmeta><wp:meta_key>_thumbnail_id</wp:meta_key><wp:meta_value>99</wp:meta_value></wp:postmeta>";
  expect(await moveItem({ content: "x", extra })).toMatchObject({
    image: null,
    pictures: [],
    notes: ["Its picture isn’t in the export, so it’s imported without one."],
  });
});

test("a published post without a valid date gets a note", async () => {
  const { plan, articles } = await movePosts([
    { title: "Old", published_at: "1969-01-01T00:00:00.000Z", html: "x" },
    { title: "Draft", status: "draft", published_at: null, html: "x" },
  ]);
  expect(plan.rows.map(({ notes }) => notes)).toEqual([[expect.stringContaining("before 1970")], []]);
  expect(articles.map(({ notes }) => notes)).toEqual(plan.rows.map(({ notes }) => notes));
});

test("the old addresses of a blog in a folder include the folder, and links lead to the posts' addresses", async () => {
  const posts = [
    { title: "A", slug: "a", html: '<a href="__GHOST_URL__/b/">B</a> <a href="/blog/b/">again</a>' },
    { title: "B", slug: "b", html: "<p>x</p>" },
  ];
  const { titled } = await movePosts(posts, { siteUrl: "https://x.example/blog" });
  expect(titled("A")).toMatchObject({
    oldAddresses: ["/blog/a/"],
    content: "[B](/essays/b) [again](/essays/b)",
  });
});

describe("the guid by which feed readers identify a post", () => {
  const guidOf = async (post: object) => (await movePosts([{ html: "<p>x</p>", ...post }])).articles[0]!.guid;

  test("is in WordPress's export", async () => {
    expect((await moveItem({ content: "x", id: "12" })).guid).toBe("https://old.example/?p=12");
  });

  test("is Ghost's id, and the uuid in exports before its first version", async () => {
    const [id, uuid] = ["5f1c7a0e4b3d2c1a09876543", "b33fe0a2-4f6b-4f0c-8a53-2f1d1c1b7a10"];
    expect(await guidOf({ id, uuid })).toBe(id);
    expect(await guidOf({ id: 7, uuid })).toBe(uuid);
  });

  test("is a letter's address at Substack, if the owner enters the site", async () => {
    const letter = async (siteUrl?: string) => {
      const csv =
        "post_id,post_date,is_published,type,audience,title\n1.a,2021-01-01,true,newsletter,everyone,A\n";
      const zip = await zipOf({ "posts.csv": csv, "posts/1.a.html": "<p>x</p>" });
      return (await move([file(zip, "e.zip")], siteUrl ? { siteUrl } : {})).articles[0]!.guid;
    };
    expect(await letter("https://letters.example")).toBe("https://letters.example/p/a");
    expect(await letter()).toBeNull();
  });

  test("is none if missing or longer than in any feed, and the post is imported", async () => {
    expect(await guidOf({ id: 1, uuid: "x".repeat(256) })).toBeNull();
    expect(await guidOf({ id: 1, uuid: null })).toBeNull();
  });
});

test("an item that cannot be sent has the reason", async () => {
  const sent = movePosts([{ title: "Long", html: `<p>${"Words ".repeat(95_000)}</p>` }]);
  await expect(sent).rejects.toThrow(NothingSent);
  await expect(sent).rejects.toThrow("Nothing could be sent. Long: A text has at most 500,000 characters.");
});

test("a WordPress key is at most as long as the import accepts, with its full number", async () => {
  const item = wxrItem({ id: "123", content: "x" }).replace(
    /(<guid[^>]*>)/,
    `$1https://old.example/${"a".repeat(600)}`,
  );
  const { requests } = await move([file(wxrOf(item), "w.xml")]);
  expect(requests[0]![0]!.key).toMatch(/^wordpress https:.{470,} 123$/);
  expect(requests[0]![0]!.key).toHaveLength(500);
});

describe("the encoding of a file", () => {
  test.each([
    ["UTF-8 that is cut off within a character", Buffer.from("Über é").subarray(0, -1), "utf-8"],
    ["Latin-1 whose last letter alone is no ASCII", Buffer.from("caf\u00e9", "latin1"), "windows-1252"],
  ])("finds the encoding of %s", async (_what, bytes, encoding) => {
    expect(await encodingOf(new Blob([bytes]))).toBe(encoding);
  });
});
