import { beforeEach, describe, expect, test, vi } from "vitest";
import { PICTURE } from "#worker/imports/importers/contract.ts";
import { file, move } from "../support/elsewhere.ts";
import { zipOf } from "../support/exports.ts";

const SITE = "https://old.example";
const CATEGORIES = [{ id: 1, name: "Health", slug: "health", description: "", color: "#1f7a66" }];

const article = (fields: object = {}) => ({
  id: 7,
  guid: "guid-7",
  slug: "on-rent",
  address: `${SITE}/essays/on-rent`,
  title: "On rent",
  status: "published",
  publishedAt: "2026-01-02T03:04:05.000Z",
  scheduledFor: null,
  excerpt: "What it costs.",
  content: "Text",
  contentHtml: "<p>Text</p>",
  category: "Health",
  tags: ["rent"],
  image: null,
  imageAlt: "",
  metaTitle: "",
  metaDescription: "",
  sourceUrl: null,
  ...fields,
});

type Zip = { articles?: object[]; folder?: string; others?: Record<string, string> };

const exportOf = async ({ articles = [article()], folder = "", others = {} }: Zip = {}) => {
  const texts = articles.map((each, at) => [`essays/${at + 1}-a.json`, JSON.stringify(each)] as const);
  const files = {
    "README.txt": "Plain Ground",
    "essays/categories.json": JSON.stringify(CATEGORIES),
    "essays/former-addresses.json": "[]",
    ...Object.fromEntries(texts),
    ...others,
  };
  const named = Object.entries(files).map(([name, text]) => [folder + name, text]);
  return file(await zipOf(Object.fromEntries(named)), "old.example-2026-01-01.zip");
};

const contentOf = async (content: string, others: object[] = []) => {
  const { articles } = await move([await exportOf({ articles: [article({ content }), ...others] })]);
  return articles[0]!;
};

beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

describe("an export of another site like this one", () => {
  test("becomes articles with their dates, GUIDs, tags and categories", async () => {
    const zip = await exportOf();
    const { source, articles } = await move([zip], { categories: [{ id: 4, name: "health" }] });
    expect(source).toMatchObject({ place: "rostrum", categories: [{ name: "Health", color: "#1f7a66" }] });
    expect(articles).toEqual([
      expect.objectContaining({
        title: "On rent",
        slug: "on-rent",
        status: "published",
        at: Date.UTC(2026, 0, 2, 3, 4, 5),
        excerpt: "What it costs.",
        content: "Text",
        categoryId: 4,
        tags: ["rent"],
        guid: "guid-7",
        oldAddresses: [],
      }),
    ]);
  });

  test("does not change its Markdown", async () => {
    const content =
      "Setext\n===\n\n* star\n+ plus\n\n    code\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n[^1]: A note\n\n<b>x</b>";
    expect((await contentOf(content)).content).toBe(content);
  });

  test("has its pictures imported; links to other files and other sites do not change", async () => {
    const content = [
      '![A](/media/articles/1/a.jpg) and ![B](https://old.example/media/articles/2/b.png "B")',
      "![A again](/media/articles/1/a.jpg) [a paper](/media/uploads/3/paper.pdf)",
      "![Not ours](https://other.example/media/articles/1/a.jpg) [Media](/media?item=3)",
    ].join("\n");
    const { content: moved, pictures } = await contentOf(content);
    expect(pictures).toEqual([`${SITE}/media/articles/1/a.jpg`, `${SITE}/media/articles/2/b.png`]);
    expect(moved.split("\n")).toEqual([
      `![A](${PICTURE}0) and ![B](${PICTURE}1 "B")`,
      `![A again](${PICTURE}0) [a paper](${SITE}/media/uploads/3/paper.pdf)`,
      "![Not ours](https://other.example/media/articles/1/a.jpg) [Media](/media?item=3)",
    ]);
  });

  test("updates links between its essays to their new addresses", async () => {
    const other = article({ guid: "b", slug: "taken", address: `${SITE}/essays/taken`, title: "Taken" });
    const content = `[one](/essays/taken) [two](${SITE}/essays/taken#part) [three](/essays/unknown)`;
    const { articles } = await move([await exportOf({ articles: [article({ content }), other] })], {
      ask: async ({ keys, slugs }) => ({
        items: keys.map(() => null),
        taken: slugs.filter((slug) => slug === "taken"),
      }),
    });
    expect(articles[0]!.content).toBe(
      "[one](/essays/taken-2) [two](/essays/taken-2#part) [three](/essays/unknown)",
    );
    expect(articles[1]).toMatchObject({ slug: "taken-2", oldAddresses: ["/essays/taken"] });
  });

  test("imports its picture with its description, and archived articles as drafts", async () => {
    const image = `${SITE}/media/articles/1/a.jpg`;
    const { articles } = await move([
      await exportOf({ articles: [article({ image, imageAlt: "A porch", status: "archived" })] }),
    ]);
    expect(articles[0]).toMatchObject({
      status: "draft",
      image: 0,
      imageAlt: "A porch",
      pictures: [image],
      notes: ["It was archived, so it’s imported as a draft."],
    });
  });

  test("keeps the addresses that essays had before", async () => {
    const moves = JSON.stringify([{ from: "/essays/rents", to: "/essays/on-rent" }]);
    const { articles } = await move([await exportOf({ others: { "essays/former-addresses.json": moves } })]);
    expect(articles[0]!.oldAddresses).toEqual(["/essays/rents"]);
  });

  test("offers its subscribers, and explains how to import its podcast; also repacked with an additional folder", async () => {
    const others = { "subscribers.csv": "email\r\na@example.com\r\n", "podcast/show.json": "{}" };
    const { source, plan } = await move([await exportOf({ folder: "old.example/", others })]);
    expect(plan.siteUrl).toBe(SITE);
    expect(plan.remarks).toEqual([
      `To move the podcast, use its feed, ${SITE}/rss/podcast.xml: Podcast ▸ Move a podcast here.`,
    ]);
    expect(await source.lists[0]!.text()).toContain("a@example.com");
  });

  test("leaves out what cannot be read, and says which", async () => {
    const { plan, articles } = await move([
      await exportOf({ others: { "essays/8-broken.json": "{", "essays/9-other.json": '{"title":"x"}' } }),
    ]);
    expect(articles).toHaveLength(1);
    expect([...plan.leftOut]).toEqual([
      ["Its file couldn’t be read", { count: 2, titles: ["essays/8-broken.json", "essays/9-other.json"] }],
    ]);
    await expect(move([await exportOf({ others: { "essays/categories.json": "{" } })])).rejects.toThrow(
      "The essays/categories.json in this zip couldn’t be read.",
    );
  });
});
