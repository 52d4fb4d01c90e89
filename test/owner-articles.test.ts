import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import {
  createArticle,
  createCategory,
  deleteArticle,
  deleteCategory,
  publishDueArticles,
  updateArticle,
  updateCategory,
} from "#worker/articles/commands.ts";
import type { ArticleListQuery } from "#worker/articles/contract.ts";
import {
  listArticles,
  listCategories,
  previewArticle,
  readArticleForEdit,
} from "#worker/articles/owner-queries.ts";
import { readArticle } from "#worker/articles/queries.ts";
import { createContext } from "#worker/platform/context.ts";
import { rebuildSearchIndex } from "#worker/discovery/search-index.ts";
import { anArticle, publishedArticle } from "./support/articles.ts";
import { fetchSite, jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { unique } from "./support/factories.ts";
import { aWord } from "./support/search.ts";

const owner = ownerContext;
const idsOf = async (query: ArticleListQuery) =>
  (await listArticles(owner(), query)).items.map(({ id }) => id);

describe("the owner's list", () => {
  test("has articles of every status, newest first, with the category's name and colour", async () => {
    const category = await createCategory(owner(), { name: `Homes ${unique()}`, color: "#123456" });
    const draft = await createArticle(owner(), anArticle({ categoryId: category.id }));
    const published = await publishedArticle();
    const { items } = await listArticles(owner());
    expect(items.slice(0, 2)).toMatchObject([
      { id: published.id, status: "published", category: null },
      { id: draft.id, status: "draft", category: { name: category.name, color: "#123456" } },
    ]);
  });

  test("is searched by title, excerpt and text, over drafts too, by beginnings of words", async () => {
    // Words that a stemmer shortens or changes: each prefix finds them.
    const [title, excerpt, text] = [aWord(), aWord(), `${aWord()}yational`];
    const draft = await createArticle(owner(), anArticle({ title, excerpt, content: `On **${text}**.` }));
    const published = await publishedArticle({ title: `Again ${title}` });
    expect(await idsOf({ q: title })).toEqual([published.id, draft.id]);
    expect(await idsOf({ q: excerpt })).toEqual([draft.id]);
    for (let length = 3; length <= text.length; length++)
      expect(await idsOf({ q: `${text.slice(0, length)} ${title}` })).toEqual([draft.id]);
    expect(await idsOf({ q: `${title} ${aWord()}` })).toEqual([]);
  });

  test("finds no article by index words for status or by FTS syntax", async () => {
    await createArticle(owner(), anArticle());
    for (const q of [
      "statusdraft",
      "filters : statusdraft",
      '") OR filters : "statusdraft',
      "sourceoriginal",
    ])
      expect(await idsOf({ q })).toEqual([]);
    for (const q of ["…", '"*"', "-"]) expect(await idsOf({ q })).toEqual([]);
  });

  test("is filtered by status, source and category, together with a search", async () => {
    const word = aWord();
    const { id: categoryId } = await createCategory(owner(), { name: `Filter ${unique()}` });
    const add = async (input: Parameters<typeof anArticle>[0]) =>
      (await createArticle(owner(), anArticle({ title: word, ...input }))).id;
    const draft = await add({});
    const archived = await add({ status: "archived", categoryId });
    const linkedIn = await add({ source: "linkedin", categoryId });
    expect(await idsOf({ q: word, status: "draft" })).toEqual([linkedIn, draft]);
    expect(await idsOf({ q: word, source: "linkedin" })).toEqual([linkedIn]);
    expect(await idsOf({ category: categoryId })).toEqual([linkedIn, archived]);
    expect(await idsOf({ category: categoryId, status: "archived", source: "original" })).toEqual([archived]);
    await updateArticle(owner(), draft, { status: "archived", categoryId });
    expect(await idsOf({ category: categoryId, status: "archived" })).toEqual([archived, draft]);
    await deleteArticle(owner(), archived);
    expect(await idsOf({ category: categoryId, status: "archived" })).toEqual([draft]);
    await deleteCategory(owner(), categoryId);
    expect(await idsOf({ category: categoryId })).toEqual([]);
  });

  test("follows the clock, and a rebuilt index", async () => {
    const word = aWord();
    const ctx = owner();
    const scheduledFor = ctx.now.getTime() + 60_000;
    const { id } = await createArticle(ctx, anArticle({ title: word, status: "scheduled", scheduledFor }));
    expect(await idsOf({ q: word, status: "scheduled" })).toEqual([id]);
    await publishDueArticles(jobContext({ now: new Date(scheduledFor) }));
    expect(await idsOf({ q: word, status: "scheduled" })).toEqual([]);
    await rebuildSearchIndex(owner());
    expect(await idsOf({ q: word, status: "published" })).toEqual([id]);
  });

  test("is paged by key, and refuses an invalid cursor", async () => {
    const word = aWord();
    const ids: number[] = [];
    for (let n = 0; n < 31; n++) ids.push((await createArticle(owner(), anArticle({ title: word }))).id);
    for (const query of [{ q: word }, {}]) {
      const first = await listArticles(owner(), query);
      expect(first.items.map(({ id }) => id)).toEqual(ids.toReversed().slice(0, 30));
      const second = await listArticles(owner(), { ...query, before: first.next! });
      expect(second.items[0]?.id).toBe(ids[0]);
    }
    for (const before of ["x", "-1", "1e3"])
      await expect(listArticles(owner(), { before })).rejects.toMatchObject({ code: "not_found" });
  });

  test("costs at most three statements and 200 rows among 5,000 articles for any query", async () => {
    const { db } = owner();
    const columns = `slug, title, excerpt, status, tags, image_alt, meta_title, meta_description, meta_keywords,
      reading_minutes, source, created_at, updated_at, embedded_file_ids, content, content_html, content_text`;
    await db.run(
      sql.raw(`insert into articles (${columns})
        with recursive numbered (n) as (select 1 union all select n + 1 from numbered where n < 5000)
        select 'many-' || n, 'Of the rent ' || n, '', iif(n % 500, 'published', 'archived'), '[]', '', '', '', '',
          1, 'original', 1, 1, '[]', '', '', 'Words about the rent of homes.' from numbered`),
    );
    // As after the next minutes: the words are found as SQL has indexed them.
    await db.run("delete from search_pending");
    const queries: ArticleListQuery[] = [
      {},
      { q: "rent" },
      { q: "of the rent hom", status: "archived" },
      { q: "homes words" },
      { status: "archived" },
      { status: "archived", source: "linkedin" },
      { q: "rent", before: "2500" },
    ];
    for (const query of queries) {
      // D1 only reports rows for reads that are batched.
      const ctx = createContext(env, { actor: owner().actor, reads: "any-replica" });
      await listArticles(ctx, query);
      expect(ctx.d1.statements).toBeLessThanOrEqual(query.q === undefined ? 1 : 3);
      expect(ctx.d1.rowsRead).toBeGreaterThan(0);
      expect(ctx.d1.rowsRead, JSON.stringify(query)).toBeLessThanOrEqual(200);
    }
  });

  test("needs the capability edit", async () => {
    for (const read of [
      () => listArticles(visitorContext()),
      () => listCategories(visitorContext()),
      () => readArticleForEdit(visitorContext(), 1),
      () => previewArticle(visitorContext(), { content: "" }),
    ])
      await expect(read()).rejects.toMatchObject({ code: "unauthenticated" });
  });
});

describe("an update", () => {
  test("changes the given fields alone, and derives the others", async () => {
    const { id, updatedAt } = await createArticle(owner(), anArticle({ title: "Kept", tags: ["a"] }));
    const content = "word ".repeat(201);
    const updated = await updateArticle(owner(), id, { content, basedOn: updatedAt });
    expect(updated).toMatchObject({ readingMinutes: 2, values: { title: "Kept", tags: ["a"], content } });
    expect(updated.updatedAt).toBeGreaterThan(updatedAt);
    expect(await readArticleForEdit(owner(), id)).toEqual({
      ...updated,
      savedBy: "The Owner",
      chosenSlug: "",
    });
  });

  test("of a draft states whether its slug follows the title, until it is published", async () => {
    const word = `word-${unique()}`;
    const { id } = await createArticle(owner(), { title: word, slug: "" });
    const chosenSlug = async () => (await readArticleForEdit(owner(), id)).chosenSlug;
    expect(await chosenSlug()).toBe("");
    // Nothing else changes, so there is no new version.
    await updateArticle(owner(), id, { slug: `chosen-${word}` });
    expect(await chosenSlug()).toBe(`chosen-${word}`);
    await updateArticle(owner(), id, { slug: "" });
    expect(await chosenSlug()).toBe("");
    await updateArticle(owner(), id, { title: `${word} and more`, slug: "", status: "published" });
    expect(await chosenSlug()).toBe(`${word}-and-more`);
  });

  test("of a version that was changed elsewhere is refused, and nothing is written", async () => {
    const { id, updatedAt } = await createArticle(owner(), anArticle());
    await updateArticle(owner(), id, { title: "First" });
    await expect(updateArticle(owner(), id, { title: "Second", basedOn: updatedAt })).rejects.toMatchObject({
      code: "conflict",
      field: undefined,
    });
    expect((await readArticleForEdit(owner(), id)).values.title).toBe("First");
  });

  test("keeps the slug when the title changes, and derives one when it is emptied", async () => {
    const word = aWord();
    const { id, slug } = await createArticle(owner(), anArticle({ title: `On ${word}` }));
    expect((await updateArticle(owner(), id, { title: "Renamed" })).slug).toBe(slug);
    expect((await updateArticle(owner(), id, { title: `Of ${word}`, slug: "" })).slug).toBe(`of-${word}`);
    expect((await updateArticle(owner(), id, { slug: "" })).slug).toBe(`of-${word}`);
  });

  test("refuses a slug that another article has, beside it", async () => {
    const { slug } = await publishedArticle();
    const { id } = await createArticle(owner(), anArticle());
    await expect(updateArticle(owner(), id, { slug })).rejects.toMatchObject({
      code: "conflict",
      field: "slug",
      message: `Another article already uses “${slug}”. Choose another.`,
    });
  });

  test("publishes an article that became due in the meantime at its scheduled time", async () => {
    const ctx = owner();
    const scheduledFor = ctx.now.getTime() + 60_000;
    const { id, values } = await createArticle(ctx, anArticle({ status: "scheduled", scheduledFor }));
    const later = owner({ now: new Date(scheduledFor + 1) });
    expect((await updateArticle(later, id, values)).values).toMatchObject({
      status: "published",
      publishedAt: scheduledFor,
      scheduledFor: null,
    });
  });

  test("refuses a category deleted in the meantime, and leaves the old one", async () => {
    const category = await createCategory(owner(), { name: `Gone ${unique()}` });
    const { id } = await createArticle(owner(), anArticle({ title: "Before" }));
    await deleteCategory(owner(), category.id);
    await expect(
      updateArticle(owner(), id, { title: "After", categoryId: category.id }),
    ).rejects.toMatchObject({
      field: "categoryId",
      message: "This category no longer exists. Choose another.",
    });
    expect((await readArticleForEdit(owner(), id)).values.title).toBe("Before");
  });

  test("or a deletion of a deleted article is a 404", async () => {
    const { id } = await createArticle(owner(), anArticle());
    await expect(updateArticle(owner(), 999_999, {})).rejects.toMatchObject({ code: "not_found" });
    await deleteArticle(owner(), id);
    await expect(readArticleForEdit(owner(), id)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("an address that an article had before", () => {
  const visit = (slug: string) => fetchSite(`/essays/${slug}`, { redirect: "manual" });
  const leadsTo = async (from: string, to: string) => {
    const response = await visit(from);
    expect([response.status, response.headers.get("Location")]).toEqual([301, `/essays/${to}`]);
  };

  test("redirects permanently from each former slug to the current one", async () => {
    const [first, second, third] = [aWord(), aWord(), aWord()];
    const { id } = await publishedArticle({ slug: first });
    await updateArticle(owner(), id, { slug: second });
    await leadsTo(first, second);
    await updateArticle(owner(), id, { slug: third });
    await leadsTo(first, third);
    await leadsTo(second, third);
    await leadsTo(`${first}?utm_source=letter&reply=4&comments=3`, `${third}?comments=3&reply=4`);
    await updateArticle(owner(), id, { slug: first });
    expect((await visit(first)).status).toBe(200);
    await leadsTo(third, first);
  });

  test("does not redirect while the article is unpublished, or once it is deleted", async () => {
    const [first, second] = [aWord(), aWord()];
    const { id } = await publishedArticle({ slug: first });
    await updateArticle(owner(), id, { slug: second, status: "draft" });
    expect((await visit(first)).status).toBe(404);
    await updateArticle(owner(), id, { status: "published" });
    await leadsTo(first, second);
    await deleteArticle(owner(), id);
    expect((await visit(first)).status).toBe(404);
  });

  test("is not given to another article by its title, and is by its owner's choice", async () => {
    const word = aWord();
    const { id, slug } = await publishedArticle({ title: word });
    const { slug: present } = await updateArticle(owner(), id, { slug: aWord() });
    expect((await publishedArticle({ title: word })).slug).toBe(`${slug}-2`);
    const chosen = await publishedArticle({ slug });
    expect((await readArticle(visitorContext(), slug)).article.id).toBe(chosen.id);
    await deleteArticle(owner(), chosen.id);
    await leadsTo(slug, present);
  });
});

describe("a preview", () => {
  test("is the same as the public page", async () => {
    const content =
      "# A *heading*\n\nText with a [link](https://a.example) <script>x</script>.\n\n- one\n- two[^1]\n\n[^1]: Note.";
    const { slug } = await publishedArticle({ content });
    const { article } = await readArticle(visitorContext(), slug);
    expect(await previewArticle(owner(), { content })).toEqual({
      html: article.contentHtml,
      readingMinutes: article.readingMinutes,
    });
  });
});

describe("a category", () => {
  test("has the specified colour unless another is chosen, and is listed by name", async () => {
    const n = unique();
    await createCategory(owner(), { name: `Zebra ${n}` });
    const { id } = await createCategory(owner(), { name: `Aardvark ${n}`, color: "#abcdef" });
    const { items } = await listCategories(owner());
    const names = items.map(({ name }) => name);
    expect(names.indexOf(`Aardvark ${n}`)).toBeLessThan(names.indexOf(`Zebra ${n}`));
    expect(items.find((item) => item.id === id)?.color).toBe("#abcdef");
    expect(items.find(({ name }) => name === `Zebra ${n}`)?.color).toBe("#6366f1");
  });

  test("can be renamed, but not to a name whose slug is taken", async () => {
    const [one, two] = [aWord(), aWord()];
    const { id } = await createCategory(owner(), { name: one });
    await createCategory(owner(), { name: two });
    expect(await updateCategory(owner(), id, { description: "About it." })).toMatchObject({
      name: one,
      slug: one,
      description: "About it.",
    });
    await expect(updateCategory(owner(), id, { slug: two })).rejects.toMatchObject({
      code: "conflict",
      field: "slug",
    });
    await expect(updateCategory(owner(), 999_999, {})).rejects.toMatchObject({ code: "not_found" });
  });

  test("that was changed elsewhere is not overwritten, and the same change sent twice is one", async () => {
    const opened = await createCategory(owner(), { name: aWord() });
    const theirs = await updateCategory(owner(), opened.id, { description: "Theirs." });
    expect(theirs.updatedAt).toBeGreaterThan(opened.updatedAt);
    const mine = { name: aWord(), slug: "", basedOn: opened.updatedAt };
    await expect(updateCategory(owner(), opened.id, mine)).rejects.toMatchObject({ code: "conflict" });
    const based = { ...mine, basedOn: theirs.updatedAt };
    const changed = await updateCategory(owner(), opened.id, based);
    expect(changed).toMatchObject({ name: mine.name, slug: mine.name, description: "Theirs." });
    expect(await updateCategory(owner(), opened.id, based)).toEqual(changed);
  });

  test("that is deleted leaves its articles without one", async () => {
    const { id } = await createCategory(owner(), { name: `Left ${unique()}` });
    const article = await publishedArticle({ categoryId: id });
    await deleteCategory(owner(), id);
    expect((await readArticleForEdit(owner(), article.id)).values.categoryId).toBeNull();
    expect((await readArticle(visitorContext(), article.slug)).article.category).toBeNull();
  });
});
