import { eq, getTableName, like, sql } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { deleteArticle } from "#worker/articles/commands.ts";
import { readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { articles } from "#worker/articles/table.ts";
import { addItems, createImport, resumeImport, startImport } from "#worker/imports/import-commands.ts";
import { fetchPosts } from "#worker/imports/linkedin/posts.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import { readUndo } from "#worker/imports/undo.ts";
import type { LinkedInPost, SocialPost } from "#worker/imports/contract.ts";
import type { Context } from "#worker/platform/context.ts";
import { holdClock } from "./support/clock.ts";
import { itemRows, lapseClaims, progressOf, workThrough } from "./support/imports.ts";
import type { Account, ServedPost } from "./support/linkedin-server.ts";
import { anAccount, servedPost } from "./support/linkedin.ts";

afterEach(() => vi.restoreAllMocks());

const PICTURE = (n: number) => `urn:li:image:C4E10AQ${n}`;

/** As the panel builds it from the API's response. */
const toPayload = ({
  words,
  sourceUrl,
  originalPublishedAt,
  isForConnections,
  ...told
}: SocialPost): LinkedInPost => ({
  title: words,
  excerpt: words,
  content: words,
  sourceUrl,
  originalPublishedAt,
  isForConnections,
  status: "published",
  urn: told.urn,
  engagement: told.engagement,
  image: told.image,
});

async function startedImport(owner: Context) {
  const { posts } = await fetchPosts(owner, {
    profileUrl: "https://www.linkedin.com/in/imogen",
    lookbackYears: 2,
  });
  const { id } = await createImport(owner, { kind: "linkedin", source: "linkedin.com/in/imogen" });
  const items = posts.map((post) => ({ key: post.sourceUrl, title: post.words, payload: toPayload(post) }));
  await addItems(owner, id, { items });
  await startImport(owner, id);
  return id;
}

const withPicture = (n: number, fields: object = {}) =>
  servedPost(n, { content: { media: { id: PICTURE(n), altText: `Picture ${n}` } }, ...fields });

async function imported(posts: ServedPost[], setup: Partial<Account>) {
  const { owner, job, ...server } = await anAccount({ posts, ...setup });
  const id = await startedImport(owner);
  await workThrough(id, job);
  return { owner, job, id, ...server };
}

test("each post becomes an article with its engagement and its picture in R2", async () => {
  const post = withPicture(1);
  const { owner, id } = await imported([post], {
    counts: { [post.id]: { reactions: { LIKE: 5, EMPATHY: 2 }, comments: 3 } },
    shares: { [post.id]: 4 },
    images: { [PICTURE(1)]: "png" },
  });
  expect(await progressOf(id)).toMatchObject({ state: "done", counts: { total: 1, done: 1, failed: 0 } });
  const [item] = await itemRows(id);
  const article = await readArticleForEdit(owner, Number(item!.result));
  expect(article.values).toMatchObject({
    status: "published",
    source: "linkedin",
    sourceUrl: `https://www.linkedin.com/feed/update/${post.id}`,
    originalPublishedAt: post["publishedAt"],
    publishedAt: post["publishedAt"],
    categoryId: null,
    engagement: { likes: 7, comments: 3, shares: 4 },
    imageAlt: "Picture 1",
  });
  expect(article.image).toMatchObject({ type: "image/png", width: 64, height: 48 });
  expect(await owner.media.head(article.image!.url.replace("/media/", ""))).not.toBeNull();
});

test("a post whose picture cannot be fetched is imported without it, with the reason", async () => {
  const states = ["html", "private", "redirect-private", "gone", "none"] as const;
  // Pictures that no other test imports.
  const posts = states.map((_, n) => withPicture(n, { content: { media: { id: PICTURE(500 + n) } } }));
  const images = Object.fromEntries(states.map((state, n) => [PICTURE(500 + n), state]));
  const { owner, id } = await imported(posts, { images });
  const rows = await itemRows(id);
  expect(rows.map(({ state }) => state)).toEqual(states.map(() => "done"));
  const words = rows.map(({ message }) => message!.replace("Imported without its picture. ", ""));
  expect(words).toEqual([
    "It isn’t a picture.",
    "Its address isn’t public, so it wasn’t fetched.",
    "Its address redirects to one that isn’t public, so it wasn’t fetched.",
    "The host refused it (403). If it opens in a browser, ask the host to let “Rostrum” read it.",
    "LinkedIn no longer has it.",
  ]);
  expect((await readArticleForEdit(owner, Number(rows[0]!.result))).image).toBeNull();
});

test("a token that expires during an import pauses it, and a new token continues it", async () => {
  const posts = Array.from({ length: 6 }, (_, n) => withPicture(n));
  const images = Object.fromEntries(posts.map((_, n) => [PICTURE(n), "png" as const]));
  // Three requests for the list, and two for each post.
  const { owner, job, id, set } = await imported(posts, { images, expiresAfter: 7 });
  expect(await progressOf(id)).toMatchObject({
    state: "paused",
    pausedReason: expect.stringMatching(/^LinkedIn’s token has expired\. Create a new one/),
    counts: { done: 2, failed: 0 },
  });
  await set({ posts, images });
  await resumeImport(owner, id);
  await workThrough(id, job);
  expect(await progressOf(id)).toMatchObject({ state: "done", pausedReason: null, counts: { done: 6 } });
});

test("a post waits as long as LinkedIn asks, and is then imported", async () => {
  holdClock();
  const post = withPicture(1);
  const { job, id } = await imported([post], {
    images: { [PICTURE(1)]: "png" },
    faults: [{ path: "/rest/images", is: "busy" }],
  });
  const [waiting] = await itemRows(id);
  expect(waiting).toMatchObject({ state: "waiting", message: expect.stringContaining("asked for a pause") });
  const later = new Date(waiting!.notBefore.getTime());
  expect(later.getTime() - Date.now()).toBeLessThanOrEqual(1000);
  await workThrough(id, { ...job, now: later, clock: () => later });
  expect(await progressOf(id)).toMatchObject({ state: "done", counts: { done: 1 } });
});

test("an interrupted item continues with the picture that was fetched, and creates one article", async () => {
  const post = withPicture(1);
  const { owner, job, seen } = await anAccount({ posts: [post], images: { [PICTURE(1)]: "png" } });
  const id = await startedImport(owner);
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  const insert: typeof job.db.insert = (table) => {
    if (getTableName(table) === "articles") throw new Error("cut off as the article is written");
    return job.db.insert(table);
  };
  const db = new Proxy(job.db, {
    get: (target, name) => (name === "insert" ? insert : Reflect.get(target, name)),
  });
  await workThrough(id, { ...job, db });
  expect(error).toHaveBeenCalled();
  const [row] = await itemRows(id);
  expect(row!.saved).toMatchObject({ imageFileId: expect.any(String) });
  await owner.db
    .update(importItems)
    .set({ notBefore: new Date(0) })
    .where(eq(importItems.importId, id));
  await workThrough(id, job);
  expect(await progressOf(id)).toMatchObject({ state: "done", counts: { done: 1 } });
  const asked = (await seen()).requests.filter(({ path }) => path.startsWith("/rest/images"));
  expect(asked).toHaveLength(1);
});

test("an item that was interrupted after it had created its article is done, and can be undone", async () => {
  const { owner, job } = await anAccount({ posts: [servedPost(1)] });
  const id = await startedImport(owner);
  await workThrough(id, job);
  const [done] = await itemRows(id);
  // As it was before its outcome was stored.
  await owner.db
    .update(importItems)
    .set({
      state: "waiting",
      notBefore: new Date(0),
      result: null,
      saved: { shares: null, imageFileId: null },
    })
    .where(eq(importItems.importId, id));
  await owner.db.update(imports).set({ state: "running", done: 0 }).where(eq(imports.id, id));
  await workThrough(id, job);
  expect(await itemRows(id)).toMatchObject([{ state: "done", result: done!.result }]);
  expect(await readUndo(owner, id)).toMatchObject({ count: 1 });
});

test("an invalid post fails alone with its message, and the others are imported", async () => {
  const { owner, job } = await anAccount({});
  const { id } = await createImport(owner, { kind: "linkedin", source: "archive.zip" });
  const items = ["Fine", "T".repeat(300), "Also fine"].map((title, n) => {
    const sourceUrl = `https://www.linkedin.com/pulse/${crypto.randomUUID()}`;
    const payload = { title, excerpt: "", content: "Words.", sourceUrl, originalPublishedAt: n + 1 };
    return { key: sourceUrl, title: title.slice(0, 200), payload };
  });
  await addItems(owner, id, { items });
  await startImport(owner, id);
  await workThrough(id, job);
  expect(await itemRows(id)).toMatchObject([
    { state: "done" },
    { state: "failed", message: expect.stringContaining("at most 255 characters") },
    { state: "done" },
  ]);
});

test("a second import leaves existing articles, and imports deleted ones again", async () => {
  const posts = [servedPost(1), servedPost(2)];
  const { owner, job, id } = await imported(posts, {});
  const [first] = await itemRows(id);
  await deleteArticle(owner, Number(first!.result));
  const again = await startedImport(owner);
  await workThrough(again, job);
  expect((await itemRows(again)).map(({ state }) => state)).toEqual(["done", "skipped"]);
});

test("claims that lapse during the work create no duplicates", async () => {
  const posts = Array.from({ length: 30 }, (_, n) => servedPost(n));
  const { owner, job } = await anAccount({ posts });
  const id = await startedImport(owner);
  const runs = [workThrough(id, job), workThrough(id, job)];
  await lapseClaims(id);
  await Promise.all([...runs, workThrough(id, job)]);
  await workThrough(id, job);
  const sources = await owner.db
    .select({ count: sql<number>`count(*)` })
    .from(articles)
    .where(like(articles.sourceUrl, "https://www.linkedin.com/feed/update/%"))
    .groupBy(articles.sourceUrl);
  expect(sources.every(({ count }) => count === 1)).toBe(true);
  const { counts, state } = await progressOf(id);
  expect({ state, had: counts.done + counts.skipped }).toEqual({ state: "done", had: 30 });
});
