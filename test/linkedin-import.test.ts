import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createArticle, updateArticle } from "#worker/articles/commands.ts";
import { readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { articles } from "#worker/articles/table.ts";
import { importPost } from "#worker/imports/linkedin/commands.ts";
import { findKnownPosts } from "#worker/imports/linkedin/queries.ts";
import { publishedArticle } from "./support/articles.ts";
import { ownerContext } from "./support/client.ts";
import { unique } from "./support/factories.ts";

const ctx = ownerContext();
const aPost = (fields: object = {}) => ({
  title: `A post ${unique()}`,
  content: "Words.",
  sourceUrl: `https://www.linkedin.com/feed/update/urn%3Ali%3Ashare%3A${unique()}${unique()}`,
  originalPublishedAt: Date.UTC(2026, 1, 3),
  ...fields,
});
const rowsTitled = (title: string) => ctx.db.select().from(articles).where(eq(articles.title, title));

test("a post becomes an article with its date, from LinkedIn, without a category", async () => {
  const post = aPost({ status: "published" });
  const { id, isNew } = await importPost(ctx, post);
  expect(isNew).toBe(true);
  expect((await readArticleForEdit(ctx, id)).values).toMatchObject({
    ...post,
    sourceUrl: decodeURIComponent(post.sourceUrl),
    status: "published",
    publishedAt: post.originalPublishedAt,
    source: "linkedin",
    categoryId: null,
  });
});

test("a post becomes a draft unless it is to be published, and keeps its date when it is", async () => {
  const post = aPost();
  const { id } = await importPost(ctx, post);
  const { updatedAt, values } = await readArticleForEdit(ctx, id);
  expect(values).toMatchObject({ status: "draft", publishedAt: null, source: "linkedin" });
  await updateArticle(ctx, id, { status: "published", publishedAt: null, basedOn: updatedAt });
  expect((await readArticleForEdit(ctx, id)).values.publishedAt).toBe(post.originalPublishedAt);
  await updateArticle(ctx, id, { publishedAt: Date.UTC(2026, 4, 5) });
  expect((await readArticleForEdit(ctx, id)).values.publishedAt).toBe(Date.UTC(2026, 4, 5));
});

test("a post is imported once, whatever the form of its address, and later edits are not overwritten", async () => {
  const post = aPost();
  const { id } = await importPost(ctx, post);
  await updateArticle(ctx, id, { content: "Edited." });
  const again = { ...post, sourceUrl: `${decodeURIComponent(post.sourceUrl)}/?utm_source=share` };
  expect(await importPost(ctx, again)).toEqual({ id, isNew: false });
  expect((await readArticleForEdit(ctx, id)).values.content).toBe("Edited.");
});

test("concurrent imports of a post create one article", async () => {
  const post = aPost();
  const someoneElse = ownerContext({ actor: { ...ctx.actor, id: "another" } as typeof ctx.actor });
  await Promise.allSettled([importPost(ctx, post), importPost(someoneElse, post), importPost(ctx, post)]);
  expect(await rowsTitled(post.title)).toHaveLength(1);
});

test("a post for connections only becomes a draft, and a post from the API has its engagement", async () => {
  const post = aPost({ isForConnections: true, status: "published", engagement: { likes: 8, comments: 3 } });
  const { id } = await importPost(ctx, post, { shares: 2 });
  expect((await readArticleForEdit(ctx, id)).values).toMatchObject({
    status: "draft",
    publishedAt: null,
    originalPublishedAt: post.originalPublishedAt,
    engagement: { likes: 8, comments: 3, shares: 2 },
  });
});

test("an article written by hand cannot have the address of an imported post", async () => {
  const post = aPost();
  const { id } = await importPost(ctx, post);
  const { sourceUrl } = (await readArticleForEdit(ctx, id)).values;
  const byHand = { title: "By hand", source: "linkedin", sourceUrl } as const;
  const taken = { code: "conflict", field: "sourceUrl" };
  await expect(createArticle(ctx, byHand)).rejects.toMatchObject(taken);
  const other = await createArticle(ctx, { ...byHand, source: "original" });
  await expect(updateArticle(ctx, other.id, { source: "linkedin" })).rejects.toMatchObject(taken);
});

test("lists which posts are already articles, without those of other sources", async () => {
  const [post, other] = [aPost(), aPost()];
  const { id } = await importPost(ctx, post);
  await publishedArticle({ sourceUrl: other.sourceUrl, source: "original" });
  const sourceUrls = [other.sourceUrl, post.sourceUrl];
  expect(await findKnownPosts(ctx, { sourceUrls })).toEqual({ items: [null, id] });
});
