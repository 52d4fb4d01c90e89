import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { NewArticle, RenderInput, UpkeepItem, UpkeepSlice } from "#worker/articles/contract.ts";
import { createArticle } from "#worker/articles/commands.ts";
import { articles } from "#worker/articles/table.ts";
import { renderArticles } from "#worker/articles/upkeep-commands.ts";
import { checkArticles } from "#worker/articles/upkeep-queries.ts";
import { anArticle } from "./support/articles.ts";
import { ownerContext, visitorContext } from "./support/client.ts";
import { storedImage } from "./support/factories.ts";

const ctx = ownerContext();
const { db } = ctx;

beforeEach(async () => {
  await db.delete(articles);
});
afterEach(() => vi.restoreAllMocks());

const saved = async (input: Partial<NewArticle> = {}) => (await createArticle(ctx, anArticle(input))).id;
const rowOf = async (id: number) => (await db.select().from(articles).where(eq(articles.id, id)))[0]!;

/** All slices, one after the other, as the page requests them. */
async function throughAll(slice: (after: number) => Promise<UpkeepSlice>) {
  const items: UpkeepItem[] = [];
  let requests = 0;
  for (let after: number | null = 0; after !== null; requests++) {
    const answer: UpkeepSlice = await slice(after);
    items.push(...answer.items);
    after = answer.next;
  }
  return { items, requests };
}
const render = (part: RenderInput["part"]) => throughAll((after) => renderArticles(ctx, { after, part }));
const check = () => throughAll((after) => checkArticles(ctx, { after }));

describe("rendering all articles again", () => {
  const stale = { contentHtml: "<p>Old</p>", contentText: "Old", readingMinutes: 99, embeddedFileIds: ["x"] };

  test("re-renders outdated HTML as a save would, without marking articles as edited", async () => {
    const id = await saved({ content: "Some **words**." });
    const fresh = await rowOf(id);
    await db.update(articles).set(stale).where(eq(articles.id, id));
    expect((await render("all")).items).toMatchObject([{ id, isChanged: true, findings: [] }]);
    expect(await rowOf(id)).toEqual(fresh);
    expect((await render("all")).items).toMatchObject([{ id, isChanged: false }]);
  });

  test("computes only the reading times", async () => {
    const id = await saved({ content: "word ".repeat(401) });
    await db.update(articles).set(stale).where(eq(articles.id, id));
    expect((await render("reading-time")).items).toMatchObject([{ id, isChanged: true }]);
    expect(await rowOf(id)).toMatchObject({ ...stale, readingMinutes: 3 });
    expect((await render("reading-time")).items).toMatchObject([{ id, isChanged: false }]);
  });

  test("processes all articles in batches; a long text is a batch of its own", async () => {
    for (let count = 0; count < 22; count++) await saved({ content: "Words." });
    // More than half of what a batch renders.
    const long = "Words of a long text. ".repeat(12_000);
    for (let count = 0; count < 2; count++) await saved({ content: long });
    const { items, requests } = await render("all");
    expect(items).toHaveLength(24);
    // 20, 3, 1, and the empty one that ends it.
    expect(requests).toBe(4);
  });

  test("is forbidden without the capability", async () => {
    await expect(renderArticles(visitorContext(), { after: 0, part: "all" })).rejects.toMatchObject({
      code: "unauthenticated",
    });
    await expect(checkArticles(visitorContext(), { after: 0 })).rejects.toMatchObject({
      code: "unauthenticated",
    });
  });
});

describe("the check of links and pictures", () => {
  let asked: string[] = [];
  beforeEach(() => {
    asked = [];
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
      asked.push(String(input));
      const { pathname } = new URL(String(input));
      if (pathname === "/gone") return new Response("", { status: 404 });
      if (pathname === "/to-private")
        return new Response("", { status: 302, headers: { Location: "http://127.0.0.1/secret" } });
      return new Response("");
    });
  });

  test("reports broken links and pictures, also in drafts", async () => {
    const { id: imageFileId } = await storedImage();
    const good = await saved({ content: "[a](https://a.example/) ![A tree](/media/a.jpg)" });
    const bad = await saved({
      imageFileId,
      content: "[a](https://a.example/gone) [](https://a.example/) [b](/nowhere) ![](/media/a.jpg) [c]()",
    });
    const { items } = await check();
    expect(items.map(({ id, findings }) => [id, findings.length])).toEqual([
      [good, 0],
      [bad, 5],
    ]);
    expect(items[1]!.findings).toEqual(
      expect.arrayContaining([
        { message: "A link returned 404 to our check. Open it to be sure.", where: "https://a.example/gone" },
        { message: "A link to your site doesn’t work (404).", where: "/nowhere" },
        { message: "A link is empty.", where: "c" },
        { message: "A picture has no description.", where: "/media/a.jpg" },
        { message: "The featured picture has no description.", where: null },
      ]),
    );
  });

  const PRIVATE = "A link’s address isn’t public, so it wasn’t checked.";
  test.each([
    ["http://127.0.0.1/", PRIVATE],
    ["http://10.0.0.1/", PRIVATE],
    ["http://169.254.169.254/latest/meta-data", PRIVATE],
    ["http://[::1]/", PRIVATE],
    ["http://[::ffff:10.0.0.1]/", PRIVATE],
    ["https://router.local/", PRIVATE],
    ["https://a.example:8080/", "A link’s address has a port of its own, so it wasn’t checked."],
    ["https://a.example/to-private", PRIVATE],
  ])("requests no private address: %s", async (address, words) => {
    await saved({ content: `[a](${address})` });
    const { items } = await check();
    expect(items[0]!.findings.map(({ message }) => message)).toContain(words);
    expect(asked).toEqual(address.endsWith("to-private") ? [address] : []);
  });

  test("requests at most 20 links at a time, and reports when a text has more", async () => {
    const links = (count: number) =>
      Array.from({ length: count }, (_, index) => `[a](https://a.example/${index})`).join(" ");
    for (const count of [12, 12, 25]) await saved({ content: links(count) });
    const { items, requests } = await check();
    expect(requests).toBe(4);
    expect(items.map(({ findings }) => findings.map(({ message }) => message))).toEqual([
      [],
      [],
      ["Only the first 20 of its 25 links were checked."],
    ]);
    expect(asked).toHaveLength(44);
  });
});
