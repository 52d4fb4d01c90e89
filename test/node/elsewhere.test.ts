import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { openExport } from "../../src/admin/moving-in/importers/open.ts";
import { planOf, type Ask } from "../../src/admin/moving-in/importers/plan.ts";
import { file, move, nothingKnown, parse } from "../support/elsewhere.ts";
import {
  ghostExport,
  ghostPost,
  substackFiles,
  wordPressExport,
  wxrItem,
  wxrOf,
  zipOf,
} from "../support/exports.ts";

const refusal = async (files: File[]) => {
  const source = await openExport(files);
  await planOf(source, nothingKnown, parse, () => {});
};

describe("Ghost exports", () => {
  const ghost = () => [file(ghostExport(), "ghost.json")];

  test("posts become articles with their dates, tags, pictures and addresses", async () => {
    const { titled, plan, source } = await move(ghost(), {
      siteUrl: "https://old.example",
      categories: [{ id: 7, name: "craft" }],
    });
    expect(source.needsSite).toBe(true);
    expect(plan.authors).toEqual(["Ada Writer"]);
    expect(titled("Doors & windows")).toEqual({
      place: "ghost",
      title: "Doors & windows",
      slug: "doors-and-windows",
      status: "published",
      at: Date.UTC(2020, 0, 2, 3, 4, 5),
      excerpt: "How a house opens.",
      content: [
        "See [the one on wood](/essays/on-wood#oak).",
        "![Oak](https://picture.invalid/0)\n\nA door",
        "[A bookmark](https://elsewhere.example/a)",
        "[A film](https://www.youtube.com/watch?v=dQw4w9WgXcQ)",
      ].join("\n\n"),
      categoryId: 7,
      tags: ["Wood"],
      image: 0,
      imageAlt: "A red door",
      imageCaption: "A house in Mildura",
      pictures: ["https://old.example/content/images/2020/door.png"],
      metaTitle: "Doors",
      metaDescription: "",
      sourceUrl: null,
      guid: "u-1",
      oldAddresses: ["/doors-and-windows/"],
      notes: [
        "A script in its text is left out.",
        "What was embedded is a link: elsewhere.example, youtube.com.",
      ],
    });
  });

  test("posts for members, pages and drafts become drafts; scheduled posts remain scheduled", async () => {
    const { titled, plan } = await move(ghost(), { siteUrl: "https://old.example" });
    expect(titled("For members")).toMatchObject({
      status: "draft",
      notes: [expect.stringContaining("members")],
    });
    expect(titled("A plan")).toMatchObject({ status: "draft", at: null });
    expect(titled("About")).toMatchObject({ status: "draft" });
    expect(titled("Next year")).toMatchObject({ status: "scheduled", at: Date.UTC(2099, 0, 1) });
    expect([...plan.leftOut]).toEqual([
      [
        "Its text is only in Ghost’s editor format: open and save it in Ghost, then export again",
        { count: 1, titles: ["Lost"] },
      ],
    ]);
  });

  test("are read without their wrapper, in a zip, and with a list of members", async () => {
    const { db } = JSON.parse(ghostExport()) as { db: unknown[] };
    expect((await move([file(JSON.stringify(db[0]), "g.json")])).articles).toHaveLength(6);
    const zip = file(await zipOf({ "site.ghost.json": ghostExport() }), "ghost.zip");
    const { articles, source } = await move([zip, file("email,name\na@b.example,A", "members.csv")]);
    expect(articles).toHaveLength(6);
    expect(source.lists.map(({ name }) => name)).toEqual(["members.csv"]);
  });

  test("of three thousand posts are sent in bounded requests, each once, including a post of 300 kB", async () => {
    const long = `<p>${"Wörter ".repeat(43_000)}</p>`;
    const posts = Array.from({ length: 3000 }, (_, n) =>
      ghostPost({
        id: String(n),
        uuid: `n-${n}`,
        title: `Post ${n % 1500}`,
        slug: `post-${n % 1500}`,
        html: n === 77 ? long : `<p>Words ${n}.</p>`,
      }),
    );
    const { requests, articles } = await move([file(ghostExport(posts), "g.json")]);
    expect(articles).toHaveLength(3000);
    expect(articles[77]!.content.length).toBeGreaterThan(290_000);
    expect(Math.max(...requests.map((items) => items.length))).toBeLessThanOrEqual(100);
    expect(Math.max(...requests.map((items) => JSON.stringify(items).length))).toBeLessThan(1_500_000);
    // Two with the same title become two articles with two addresses.
    expect(articles[1501]).toMatchObject({ title: "Post 1", slug: "post-1-2" });
    expect(new Set(articles.map(({ slug }) => slug)).size).toBe(3000);
  });
});

describe("Substack exports", () => {
  const substack = async () => [file(await zipOf(substackFiles), "export.zip")];

  test("letters become articles, with their footnotes, original pictures and links for embeds", async () => {
    const { titled, source, plan } = await move(await substack(), { siteUrl: "https://x.substack.com" });
    expect(titled("First, a letter")).toMatchObject({
      slug: "first-letter",
      excerpt: "The subtitle",
      at: Date.UTC(2021, 1, 14, 12),
      oldAddresses: ["/p/first-letter"],
      pictures: ["https://substack-post-media.s3.amazonaws.com/public/images/one_10x10.png"],
    });
    expect(titled("First, a letter").content).toBe(
      [
        "Hello[^1].",
        "![One](https://picture.invalid/0)\n\nCaption",
        "[www.youtube.com](https://www.youtube.com/watch?v=abcdefghijk)".replace(
          "www.youtube.com]",
          "youtube.com]",
        ),
        "Read [the other](https://x.substack.com/p/for-payers).",
        "[^1]: A note.",
      ].join("\n\n"),
    );
    expect(titled("For payers")).toMatchObject({ status: "draft" });
    expect(titled("Unfinished")).toMatchObject({ status: "draft", slug: "" });
    expect([...plan.leftOut.keys()]).toEqual(["The zip has no text for it"]);
    expect(source.lists.map(({ name }) => name)).toEqual(["email_list.x.csv"]);
  });

  test("content in attributes is imported, and parts that cannot be get a note", async () => {
    const attributed = (tag: string, name: string, attributes: object) =>
      `<${tag} class="${name}" data-attrs="${JSON.stringify(attributes).replaceAll('"', "&quot;")}"></${tag}>`;
    const pictures = ["one", "two"].map((name) => `https://substack-post-media.s3.amazonaws.com/${name}.png`);
    const gallery = {
      images: pictures.map((src) => ({ type: "image/png", src })),
      caption: "Two doors",
      alt: "Doors",
      staticGalleryImage: { src: "https://substack-post-media.s3.amazonaws.com/both.png" },
    };
    const html = [
      `<p>See ${attributed("span", "mention-wrap", { name: "Max Read", url: null })}’s piece on ${attributed("span", "cashtag-wrap", { symbol: "$ABC" })}, and ${attributed("span", "mention-wrap", { name: "Doors", url: "https://doors.example/" })}.</p>`,
      attributed("div", "image-gallery-embed", { gallery, isEditorNode: true }),
      attributed("div", "latex-rendered", { persistentExpression: "a_1 < b", id: "X" }),
      attributed("div", "digest-post-embed", { title: "Before", canonical_url: "https://x.example/p/a" }),
      attributed("div", "poll-embed", { id: 12 }),
    ].join("\n");
    const csv =
      "post_id,post_date,is_published,type,audience,title\n1.a,2021-01-01,true,newsletter,everyone,A\n";
    const zip = await zipOf({ "posts.csv": csv, "posts/1.a.html": html });
    const { titled, plan } = await move([file(zip, "e.zip")]);
    expect(plan.rows[0]!.pictures).toBe(2);
    expect(titled("A")).toMatchObject({
      content: [
        "See Max Read’s piece on $ABC, and [Doors](https://doors.example/).",
        "![Doors](https://picture.invalid/0)",
        "![Doors](https://picture.invalid/1)",
        "Two doors",
        "```\na_1 < b\n```",
        "[Before](https://x.example/p/a)",
      ].join("\n\n"),
      pictures,
      notes: [expect.stringContaining("such as a poll"), "What was embedded is a link: x.example."],
    });
  });

  test("a posts.csv in Latin-1 is read", async () => {
    const csv =
      "post_id,post_date,is_published,type,audience,title\n1.cafe,2021-01-01,true,newsletter,everyone,Caf\u00e9\n";
    const zip = await zipOf({
      "posts.csv": new Blob([Buffer.from(csv, "latin1")]),
      "posts/1.cafe.html": "<p>x</p>",
    });
    expect((await move([file(zip, "e.zip")])).titled("Café")).toMatchObject({ at: Date.UTC(2021, 0, 1) });
  });

  test("a posts.csv with broken quotation marks lists the posts that it lost", async () => {
    const csv =
      'post_id,post_date,is_published,type,audience,title\n1.a,2021-01-01,true,newsletter,everyone,"Half\n2.b,2021-01-01,true,newsletter,everyone,Two\n';
    const zip = await zipOf({ "posts.csv": csv, "posts/1.a.html": "<p>x</p>", "posts/2.b.html": "<p>y</p>" });
    const { plan, titled } = await move([file(zip, "e.zip")]);
    expect([...plan.leftOut.keys()]).toEqual(["Its line in posts.csv has an unmatched quotation mark"]);
    expect(titled("Two")).toMatchObject({ content: "y" });
  });
});

describe("WordPress exports", () => {
  const wordPress = (text = wordPressExport()) => [file(text, "old.xml")];

  test("blocks become articles: links, full-size pictures, embeds and footnotes", async () => {
    const { titled, plan } = await move(wordPress(), { categories: [{ id: 3, name: "Building" }] });
    const uploads = "https://old.example/wp-content/uploads";
    expect(plan.siteUrl).toBe("https://old.example");
    expect(plan.rows[0]!.title).toBe("Blocks & bricks");
    expect(titled("Blocks & bricks")).toMatchObject({
      slug: "blocks",
      status: "published",
      at: Date.UTC(2020, 0, 2, 3, 4, 5),
      excerpt: "A short text.",
      categoryId: 3,
      tags: ["Brick"],
      image: 0,
      imageAlt: "The whole wall",
      pictures: [`${uploads}/wall.png`],
      oldAddresses: ["/2020/01/02/blocks/", "/?p=12"],
    });
    expect(titled("Blocks & bricks").content).toBe(
      [
        "See [the classic](/essays/classic) and [again](/essays/classic#end).[^f-1]",
        "![A wall](https://picture.invalid/0)",
        "<https://www.youtube.com/watch?v=abcdefghijk>",
        "[^f-1]: A *note*.",
      ].join("\n\n"),
    );
  });

  test("a text of the classic editor has its paragraphs, captions, gallery and embeds", async () => {
    const { titled } = await move(wordPress());
    const { content, pictures, notes, categoryId, tags } = titled("Classic");
    expect(content).toBe(
      [
        "First line\\\nsecond line.",
        "![A wall](https://picture.invalid/0)\n\nThe wall",
        "<https://www.youtube.com/watch?v=abcdefghijk>",
        "![The whole wall](https://picture.invalid/0)",
        "![](https://picture.invalid/1)",
        '\\[contact-form-7 id="5" title="Contact"]',
        "```\nkept\n\nas it is\n```",
        "<https://vimeo.com/123>",
      ].join("\n\n"),
    );
    expect(pictures.map((each) => each.split("/").at(-1))).toEqual(["wall.png", "gate.png"]);
    expect(notes).toEqual(["It has parts that only WordPress can show: [contact-form-7]."]);
    expect([categoryId, tags]).toEqual([null, []]);
  });

  test("list what is left out, and import private posts as drafts", async () => {
    const { titled, plan } = await move(wordPress());
    expect(titled("Hidden")).toMatchObject({ status: "draft", notes: [expect.stringContaining("private")] });
    expect(titled("Draft")).toMatchObject({ status: "draft", at: null, slug: "", oldAddresses: ["/?p=15"] });
    expect(titled("Planned")).toMatchObject({ status: "scheduled" });
    expect(titled("About")).toMatchObject({ status: "draft", oldAddresses: ["/about/", "/?page_id=18"] });
    expect([...plan.leftOut]).toEqual([
      ["It’s in the bin", { count: 1, titles: ["Binned"] }],
      ["It’s a menu entry", { count: 1, titles: ["Menu"] }],
    ]);
    expect(plan.remarks).toEqual(["A comment isn’t imported."]);
  });

  test("in a folder: unpublished posts reserve their number there, and not the blog's home page", async () => {
    const link = (address: string) =>
      `<a href="https://old.example/blog/${address}">${address || "home"}</a>`;
    const items = [
      wxrItem({
        id: "44",
        title: "Linking",
        name: "linking",
        content: `<p>${[link(""), link("?p=45"), link("linking/?p=99")].join(" ")}</p>`,
        link: "https://old.example/blog/linking/",
      }),
      wxrItem({
        id: "45",
        title: "Planned",
        name: "planned",
        status: "future",
        date: "2099-01-01 00:00:00",
        content: '<a href="soon">Soon</a>',
        link: "https://old.example/blog/?p=45",
      }),
      wxrItem({
        id: "46",
        title: "A page",
        name: "",
        type: "page",
        status: "draft",
        content: "Half.",
        link: "https://old.example/blog/?page_id=46",
      }),
    ];
    const { titled } = await move(wordPress(wxrOf(items.join(""))));
    expect(titled("Linking")).toMatchObject({
      oldAddresses: ["/blog/linking/", "/?p=44"],
      content: "[home](https://old.example/blog/) [?p=45](/essays/planned) [linking/?p=99](/essays/linking)",
    });
    expect(titled("Planned")).toMatchObject({
      oldAddresses: ["/blog/?p=45"],
      content: "[Soon](https://old.example/blog/soon)",
    });
    expect(titled("A page")).toMatchObject({ oldAddresses: ["/blog/?page_id=46"] });
  });

  test("in several files, and in a zip of them, are read", async () => {
    const parts = [
      wxrOf(wxrItem({ id: "1", title: "One", name: "one" })),
      wxrOf(wxrItem({ id: "2", title: "Two", name: "two" })),
    ];
    const files = parts.map((part, n) => file(part, `${n}.xml`));
    expect((await move(files)).articles.map(({ title }) => title)).toEqual(["One", "Two"]);
    const zip = await zipOf({ "a/1.xml": parts[0]!, "a/2.xml": parts[1]! });
    expect((await move([file(zip, "w.zip")])).articles).toHaveLength(2);
  });

  test("in Latin-1, with characters that XML forbids, and truncated, are read", async () => {
    const latin = Buffer.from(wxrOf(wxrItem({ title: "Caf\u00e9" })), "latin1");
    expect((await move([file(latin, "l.xml")])).articles[0]).toMatchObject({ title: "Café" });
    const odd = wxrOf(wxrItem({ title: "Bell\u0007", content: "a\u0008b" }));
    expect((await move(wordPress(odd))).articles[0]).toMatchObject({ title: "Bell", content: "ab" });
    const whole = wxrOf(wxrItem({ id: "1", title: "One" }) + wxrItem({ id: "2", title: "Two" }));
    const cut = whole.slice(0, whole.indexOf("Two"));
    const { articles, plan } = await move(wordPress(cut));
    expect(articles.map(({ title }) => title)).toEqual(["One"]);
    expect(plan.remarks).toEqual([expect.stringContaining("cut off")]);
    const last = file(wxrOf(wxrItem({ id: "3", title: "Three" })), "b.xml");
    const several = await move([file(cut, "a.xml"), last]);
    expect(several.articles.map(({ title }) => title)).toEqual(["One", "Three"]);
    expect(several.plan.remarks).toEqual([expect.stringContaining("cut off")]);
  });

  test("of 25 MB are planned without being held in memory", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const held = () => {
      collect();
      return getHeapStatistics().used_heap_size / 1024 / 1024;
    };
    const post = (n: number) =>
      wxrItem({
        id: String(n),
        title: `A title of its own for number ${n}`,
        content: `<p><img src="/wp-content/uploads/picture-${n}.png">${"“Words” ".repeat(10_000)}</p>`,
        // As older versions of WordPress write them.
      }).replace(/<title><!\[CDATA\[(.*)\]\]><\/title>/, "<title>$1</title>");
    const text = wxrOf(Array.from({ length: 200 }, (_, n) => post(n)).join(""));
    // In pieces, like a file on disk.
    const source = await openExport([new File(text.match(/[^]{1,60000}/g)!, "w.xml")]);
    const before = held();
    const plan = await planOf(source, nothingKnown, parse, () => {});
    const grown = held() - before;
    // Not before: rows that are no longer needed must not be in memory.
    expect(plan.rows).toHaveLength(200);
    expect(grown).toBeLessThan(10);
  });

  test("text that looks like the end of an item is text", async () => {
    const { articles } = await move(
      wordPress(wxrOf(wxrItem({ title: "RSS", content: "<p>An &lt;/item&gt; and </item><item> end.</p>" }))),
    );
    expect(articles).toHaveLength(1);
    expect(articles[0]!.content).toContain("end.");
  });
});

test("articles that the server would refuse are listed by title, and the others are sent", async () => {
  const posts = Object.entries({
    "Long address": `<img src="https://old.example/${"a".repeat(4000)}.png">`,
    "Long text": `<p>${"Words ".repeat(95_000)}</p>`,
    "Much to escape": `<pre>${'"'.repeat(400_000)}</pre>`,
    Ordinary: "<p>Words.</p>",
  }).map(([title, html], id) => ghostPost({ id: String(id), uuid: title, title, slug: `n-${id}`, html }));
  const { articles, unsent } = await move([file(ghostExport(posts), "g.json")]);
  expect(unsent).toEqual([
    { title: "Long address", why: "An address has at most 4,000 characters." },
    { title: "Long text", why: "A text has at most 500,000 characters." },
    { title: "Much to escape", why: expect.stringContaining("more than 600,000 characters") },
  ]);
  expect(articles.map(({ title }) => title)).toEqual(["Ordinary"]);
});

describe("a second import", () => {
  test("sends only new articles, and links to existing ones; slugs that are taken get a number", async () => {
    const ask: Ask = async ({ keys, slugs }) => ({
      items: keys.map((key) => (key.endsWith(" 13") ? { id: 5, slug: "classic-here" } : null)),
      taken: slugs.filter((slug) => slug === "blocks"),
    });
    const { articles, titled } = await move([file(wordPressExport(), "w.xml")], { ask });
    expect(articles.some(({ title }) => title === "Classic")).toBe(false);
    expect(titled("Blocks & bricks")).toMatchObject({
      slug: "blocks-2",
      content: expect.stringContaining("/essays/classic-here#end"),
    });
  });

  test("sends what was chosen", async () => {
    const choice = { posts: true, drafts: false, pages: false };
    const { articles } = await move([file(wordPressExport(), "w.xml")], { choice });
    expect(articles.map(({ title }) => title)).toEqual(["Blocks & bricks", "Classic", "Planned"]);
  });
});

describe("invalid exports are refused with a message", () => {
  const entities = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;">]><rss><channel><title>&lol2;</title></channel></rss>`;
  test.each<[string, () => Promise<File> | File, RegExp]>([
    ["an entity bomb", () => file(entities, "b.xml"), /defines its own entities/],
    ["another XML", () => file("<opml><body/></opml>", "f.xml"), /isn’t a WordPress export, nor a feed/],
    [
      "a feed without posts",
      () => file("<rss><channel><title>F</title></channel></rss>", "f.xml"),
      /has no posts/,
    ],
    [
      "half a feed",
      () => file("<feed><title>F</title><entry><title>Ha", "f.xml"),
      /cut off before its first/,
    ],
    [
      "half of what WordPress’s API shows",
      () => file('[{"id":1,"title":{"rendered":"T"', "p.json"),
      /cut off/,
    ],
    ["Markdown", async () => file(await zipOf({ "a.md": "# A" }), "z.zip"), /bring them with Update Content/],
    [
      "a bomb of Medium's",
      async () =>
        file(
          await zipOf({ "posts/2020-01-02_a-0123456789ab.html": new Blob([new Uint8Array(21_000_000)]) }),
          "z.zip",
        ),
      /far larger than any such export/,
    ],
    ["another JSON", () => file('{"posts": 1}', "p.json"), /isn’t a Ghost export/],
    ["broken JSON", () => file('{"db": [', "p.json"), /JSON can’t be read/],
    [
      "a picture",
      () => file(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), "p.png"),
      /it’s a picture \(PNG\)/,
    ],
    ["a list alone", () => file("email\na@b.example", "m.csv"), /Newsletter tab/],
    ["a zip of other things", async () => file(await zipOf({ "a.txt": "x" }), "z.zip"), /no posts.csv/],
    ["columns", async () => file(await zipOf({ "posts.csv": "a,b\n1,2" }), "z.zip"), /columns/],
    [
      "a bomb",
      async () => file(await zipOf({ "posts.csv": new Blob([new Uint8Array(101_000_000)]) }), "z.zip"),
      /far larger than any such export/,
    ],
    [
      "a zip that is cut off",
      async () => file((await zipOf(substackFiles)).slice(0, 90), "z.zip"),
      /zip can’t be read/,
    ],
    [
      "a name that leads out",
      async () => {
        const bytes = Buffer.from(
          await (await zipOf({ "posts.csv": "x", "aa/evil.html": "x" })).arrayBuffer(),
        );
        return file(
          Buffer.from(bytes.toString("latin1").replaceAll("aa/evil.html", "../evil.html"), "latin1"),
          "z.zip",
        );
      },
      /points outside it/,
    ],
  ])("an invalid export is refused: %s", async (_what, make, message) => {
    vi.spyOn(console, "error").mockReturnValue();
    await expect(refusal([await make()])).rejects.toThrow(message);
  });
});
