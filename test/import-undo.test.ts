import { desc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { eraseItem } from "#worker/bin/commands.ts";
import { listBin } from "#worker/bin/queries.ts";
import { securityEvents } from "#worker/accounts/table.ts";
import {
  createArticle,
  deleteArticle,
  publishDueArticles,
  updateArticle,
} from "#worker/articles/commands.ts";
import { findPresentArticles } from "#worker/articles/match-queries.ts";
import { readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { updateEpisode } from "#worker/episodes/commands.ts";
import { findPresentEpisodes } from "#worker/episodes/guid-queries.ts";
import { claimNext, saveProgress } from "#worker/imports/claims.ts";
import { createFeedImport } from "#worker/imports/feed/commands.ts";
import { FEED } from "#worker/imports/feed/contract.ts";
import {
  addItems,
  cancelImport,
  createImport,
  pauseImport,
  resumeImport,
  retryItems,
  startImport,
} from "#worker/imports/import-commands.ts";
import { listItems } from "#worker/imports/import-queries.ts";
import { MOVED_ARTICLES, type MovedArticle } from "#worker/imports/importers/contract.ts";
import { importKinds } from "#worker/imports/registry.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import { undoImport } from "#worker/imports/undo-commands.ts";
import { readUndo } from "#worker/imports/undo.ts";
import { workOn } from "#worker/imports/work.ts";
import { listRevisions } from "#worker/revisions/queries.ts";
import { publishedArticle } from "./support/articles.ts";
import { contextAs, jobContext, ownerContext } from "./support/client.ts";
import { commentRow } from "./support/comments.ts";
import { publishedEpisode, unique } from "./support/factories.ts";
import {
  forgetKind,
  kindOf,
  lapseClaims,
  progressOf,
  startedImport,
  workThrough,
} from "./support/imports.ts";
import {
  anItem,
  moved as movedEpisodes,
  movedArticle,
  mover,
  movingJob,
  servedFeed,
} from "./support/moving.ts";

const owner = mover();
const { db } = owner;

/** An import of these articles; `keys` are those of the old site. */
async function open(articles: MovedArticle[], keys = articles.map(() => `ghost ${unique()}`)) {
  const { id } = await createImport(owner, { kind: "articles", source: "Ghost: a.json" });
  const items = articles.map((payload, n) => ({ key: keys[n]!, title: payload.title, payload }));
  await addItems(owner, id, { items });
  await startImport(owner, id);
  return { id, keys };
}

async function imported(articles: MovedArticle[], givenKeys?: string[]) {
  const { id, keys } = await open(articles, givenKeys);
  await workThrough(id, movingJob());
  const { items } = await listItems(owner, id);
  return { id, keys, ids: items.map(({ result }) => Number(result)) };
}

const present = async (articles: number[]) => [...(await findPresentArticles(owner, articles))];
const STAYS = "Changed or commented on since the import, so it stays.";
const statesOf = async (id: number) =>
  (await listItems(owner, id)).items.map(({ state, message, result }) => ({ state, message, result }));

test("deletes what an import brought, and can then be imported again", async () => {
  const articles = [movedArticle(), movedArticle({ status: "draft" })];
  const { id, ids, keys } = await imported(articles);
  expect(await readUndo(owner, id)).toEqual({ count: 2, changed: { count: 0, titles: [] } });
  expect(await undoImport(owner, id)).toMatchObject({ state: "running", undoneAt: expect.any(Number) });
  await workThrough(id, movingJob());
  expect(await present(ids)).toEqual([]);
  expect(await progressOf(id)).toMatchObject({
    state: "done",
    counts: { total: 2, done: 0, skipped: 0, failed: 0, undone: 2 },
  });
  expect(await statesOf(id)).toEqual([
    { state: "undone", message: null, result: null },
    { state: "undone", message: null, result: null },
  ]);
  const again = await imported(articles, keys);
  expect(await present(again.ids)).toHaveLength(2);
});

test("erases what a message that was interrupted has left in the bin", async () => {
  const articles = [movedArticle()];
  const { id, ids, keys } = await imported(articles);
  await undoImport(owner, id);
  await deleteArticle(movingJob(), ids[0]!);
  await workThrough(id, movingJob());
  expect((await listBin(owner)).items).toEqual([]);
  const again = await imported(articles, keys);
  expect(await present(again.ids)).toHaveLength(1);
});

test("leaves a changed item in the bin if the owner deletes it while the undo runs", async () => {
  const { id, ids } = await imported([movedArticle(), movedArticle()]);
  await updateArticle(owner, ids[0]!, { title: "With the owner’s words" });
  await undoImport(owner, id);
  await deleteArticle(owner, ids[0]!);
  await workThrough(id, movingJob());
  expect((await statesOf(id))[0]?.message).toContain("it stays in the bin");
  expect((await listBin(owner)).items.map(({ key }) => key)).toContain(`article:${ids[0]}`);
  await eraseItem(owner, `article:${ids[0]}`);
});

test("keeps and lists what was changed or commented on since", async () => {
  const articles = [movedArticle(), movedArticle(), movedArticle()];
  const { id, ids } = await imported(articles);
  const [changed, commented, untouched] = ids as [number, number, number];
  await updateArticle(ownerContext(), changed, { content: "Other words." });
  await commentRow({ contentId: commented });
  expect(await readUndo(owner, id)).toEqual({
    count: 1,
    changed: { count: 2, titles: [articles[0]!.title, articles[1]!.title] },
  });
  await undoImport(owner, id);
  await workThrough(id, movingJob());
  expect(await present([changed, commented, untouched])).toEqual([changed, commented]);
  expect((await listBin(owner)).items).toEqual([]);
  expect(await statesOf(id)).toEqual([
    { state: "done", message: STAYS, result: String(changed) },
    { state: "done", message: STAYS, result: String(commented) },
    { state: "undone", message: null, result: null },
  ]);
  await expect(undoImport(owner, id)).rejects.toMatchObject({ code: "conflict" });
});

test("deletes a planned article that was published at its time without a change", async () => {
  const at = Date.now() + 60_000;
  const { id, ids } = await imported([movedArticle({ at, status: "scheduled" })]);
  await publishDueArticles(jobContext({ now: new Date(at + 1000) }));
  expect(await readUndo(owner, id)).toMatchObject({ count: 1, changed: { count: 0 } });
  await undoImport(owner, id);
  await workThrough(id, movingJob());
  expect(await present(ids)).toEqual([]);
});

test("keeps what existed before the import, and items that failed or were never processed", async () => {
  const first = movedArticle();
  const before = await imported([first]);
  const second = await open([first, movedArticle(), movedArticle()], [...before.keys, "new 1", "new 2"]);
  await workThrough(second.id, movingJob());
  const { items } = await listItems(owner, second.id);
  expect(items[0]).toMatchObject({ state: "skipped", result: String(before.ids[0]) });
  await deleteArticle(ownerContext(), Number(items[1]!.result));
  expect(await readUndo(owner, second.id)).toMatchObject({ count: 1 });
  await undoImport(owner, second.id);
  await workThrough(second.id, movingJob());
  expect(await present(before.ids)).toEqual(before.ids);
  expect((await statesOf(second.id)).map(({ state }) => state)).toEqual(["skipped", "undone", "undone"]);
});

test("leaves an old address that leads to an episode, whose item stays done", async () => {
  const { id: episodeId } = await publishedEpisode();
  const { id } = await createImport(owner, { kind: "articles", source: "WordPress: a.xml" });
  const payload = { place: "episode", episodeId, oldAddresses: [`/2019/heard-${unique()}/`] };
  await addItems(owner, id, {
    items: [
      { key: "a", title: "Heard", payload },
      { key: "b", title: "Read", payload: movedArticle() },
    ],
  });
  await startImport(owner, id);
  await workThrough(id, movingJob());
  await undoImport(owner, id);
  await workThrough(id, movingJob());
  expect((await statesOf(id)).map(({ state }) => state)).toEqual(["done", "undone"]);
  expect(await progressOf(id)).toMatchObject({ state: "done", counts: { done: 1, undone: 1, skipped: 0 } });
});

test("begins for a cancelled import whose rest was never imported, and imports none of it", async () => {
  const articles = [movedArticle(), movedArticle()];
  const { id } = await open(articles);
  await workOn(movingJob(), id, importKinds);
  await cancelImport(owner, id);
  expect(await readUndo(owner, id)).toMatchObject({ count: 1 });
  await undoImport(owner, id);
  await workThrough(id, movingJob());
  expect((await statesOf(id)).map(({ state }) => state)).toEqual(["undone", "skipped"]);
  expect(await progressOf(id)).toMatchObject({ state: "done", counts: { skipped: 1, undone: 1, done: 0 } });
});

test("can be paused, resumed, stopped and started again, and survives an interruption", async () => {
  const { id, ids } = await imported([movedArticle(), movedArticle(), movedArticle()]);
  await undoImport(owner, id);
  await expect(undoImport(owner, id)).rejects.toMatchObject({ code: "conflict" });
  await pauseImport(owner, id);
  await workThrough(id, movingJob());
  expect(await present(ids)).toHaveLength(3);
  await resumeImport(owner, id);
  // Cut off behind the deletion, before it was settled.
  const item = await claimNext(movingJob(), id);
  await deleteArticle(ownerContext(), Number(item!.result));
  await lapseClaims(id);
  await cancelImport(owner, id);
  expect(await present(ids)).toHaveLength(2);
  await undoImport(owner, id);
  await workThrough(id, movingJob());
  expect(await present(ids)).toEqual([]);
  expect(await progressOf(id)).toMatchObject({ state: "done", counts: { undone: 3 } });
});

test("is refused while the import runs, and while one of its items is being imported", async () => {
  const { id } = await open([movedArticle(), movedArticle()]);
  await expect(undoImport(owner, id)).rejects.toMatchObject({ code: "conflict" });
  await workOn(movingJob(), id, importKinds);
  await claimNext(movingJob(), id);
  await cancelImport(owner, id);
  await expect(undoImport(owner, id)).rejects.toMatchObject({ code: "conflict" });
  await expect(undoImport(owner, 999_999)).rejects.toMatchObject({ code: "not_found" });
  await expect(undoImport(contextAs("user"), id)).rejects.toMatchObject({ code: "forbidden" });
});

test("tries a deletion that failed again on request, and imports nothing then", async () => {
  const { id, ids } = await imported([movedArticle()]);
  await undoImport(owner, id);
  await db.update(importItems).set({ state: "failed" }).where(eq(importItems.importId, id));
  await db.update(imports).set({ failed: 1, state: "done" }).where(eq(imports.id, id));
  await retryItems(owner, id, {});
  await workThrough(id, movingJob());
  expect(await present(ids)).toEqual([]);
  expect(await progressOf(id)).toMatchObject({ counts: { failed: 0, undone: 1 } });
});

test("is recorded in the audit log with the source, once", async () => {
  const { id } = await imported([movedArticle()]);
  const events = () =>
    db
      .select()
      .from(securityEvents)
      .where(eq(securityEvents.kind, "import_undone"))
      .orderBy(desc(securityEvents.id));
  const erased = () => db.$count(securityEvents, eq(securityEvents.kind, "item_erased"));
  const erasedBefore = await erased();
  const before = (await events()).length;
  await undoImport(owner, id);
  await expect(undoImport(owner, id)).rejects.toMatchObject({ code: "conflict" });
  const after = await events();
  expect(after).toHaveLength(before + 1);
  expect(after[0]).toMatchObject({ detail: "Ghost: a.json", email: "owner@example.com" });
  await workThrough(id, movingJob());
  expect(await erased()).toBe(erasedBefore);
});

test("deletes the episodes of a podcast, except a changed one", async () => {
  const id = await movedEpisodes([anItem(), anItem()]);
  const ids = (await listItems(owner, id)).items.map(({ result }) => Number(result));
  await updateEpisode(ownerContext(), ids[0]!, { title: "Another title" });
  await undoImport(owner, id);
  await workThrough(id, movingJob());
  expect([...(await findPresentEpisodes(owner, ids))]).toEqual([ids[0]]);
});

test("keeps an episode of which only the address was changed, however often it is saved again", async () => {
  const id = await movedEpisodes([anItem(), anItem()]);
  const ids = (await listItems(owner, id)).items.map(({ result }) => Number(result));
  const slug = `renamed-${unique()}`;
  await updateEpisode(ownerContext(), ids[0]!, { slug });
  expect(await readUndo(owner, id)).toMatchObject({ count: 1, changed: { count: 1 } });
  await updateEpisode(ownerContext(), ids[0]!, { slug });
  expect(await listRevisions(ownerContext(), { kind: "episode", item: ids[0]! })).toMatchObject({
    items: [expect.anything(), expect.anything()],
  });
  await undoImport(owner, id);
  await workThrough(id, movingJob());
  expect([...(await findPresentEpisodes(owner, ids))]).toEqual([ids[0]]);
});

test("a deleted item counts as not moved, and a kept one is not counted twice", async () => {
  const id = await movedEpisodes([anItem(), anItem()]);
  const ids = (await listItems(owner, id)).items.map(({ result }) => Number(result));
  const { bytes } = await progressOf(id);
  expect(bytes.moved).toBe(200_000);
  await updateEpisode(ownerContext(), ids[0]!, { title: "Another title" });
  await undoImport(owner, id);
  const moved = await db
    .select({ moved: importItems.moved })
    .from(importItems)
    .where(eq(importItems.importId, id));
  expect(moved).toEqual([{ moved: 0 }, { moved: 0 }]);
  await workThrough(id, movingJob());
  expect((await progressOf(id)).bytes).toEqual(bytes);
});

/** Two imports of an article: the first was cut off after it announced that it writes it, and before it did. */
async function importedMeanwhile() {
  const article = movedArticle();
  const first = await open([article]);
  await claimNext(movingJob(), first.id);
  await db
    .update(importItems)
    .set({ saved: { pictures: [], tries: 0, isWriting: true } })
    .where(eq(importItems.importId, first.id));
  const second = await imported([article], first.keys);
  await lapseClaims(first.id);
  return { first, second };
}

test("leaves an article that another import created while this one was interrupted", async () => {
  const { first, second } = await importedMeanwhile();
  await workThrough(first.id, movingJob());
  expect(await statesOf(first.id)).toMatchObject([{ state: "skipped", result: String(second.ids[0]) }]);
  expect(await readUndo(owner, first.id)).toMatchObject({ count: 0 });
  expect(await readUndo(owner, second.id)).toMatchObject({ count: 1 });
});

/** Works on the next item of an import up to where its result would be stored, and is killed there. */
async function workUnsettled(id: number, kind: string) {
  const ctx = movingJob();
  const item = (await claimNext(ctx, id))!;
  const outcome = await importKinds[kind]!.importItem(ctx, {
    ...item,
    details: null,
    save: (saved, bytes) => saveProgress(ctx, item, saved, bytes),
  });
  await lapseClaims(id);
  return Number((outcome as { result?: number }).result);
}

test("deletes an article and an episode whose work was killed before their results were stored", async () => {
  const { id: articles } = await open([movedArticle(), movedArticle()]);
  const article = await workUnsettled(articles, MOVED_ARTICLES);
  await cancelImport(owner, articles);
  const { id: feed } = await createFeedImport(owner, { url: await servedFeed([anItem()]) });
  await startImport(owner, feed);
  const episode = await workUnsettled(feed, FEED);
  await cancelImport(owner, feed);
  expect(await present([article])).toEqual([article]);
  expect([...(await findPresentEpisodes(owner, [episode]))]).toEqual([episode]);
  for (const id of [articles, feed]) {
    expect(await readUndo(owner, id)).toEqual({ count: 1, changed: { count: 0, titles: [] } });
    await undoImport(owner, id);
    await workThrough(id, movingJob());
  }
  expect(await present([article])).toEqual([]);
  expect([...(await findPresentEpisodes(owner, [episode]))]).toEqual([]);
  expect(await statesOf(articles)).toMatchObject([{ state: "undone" }, { state: "skipped" }]);
  expect(await statesOf(feed)).toMatchObject([{ state: "undone" }]);
});

test("of an import that was killed and cancelled leaves what another import created", async () => {
  const { first, second } = await importedMeanwhile();
  await cancelImport(owner, first.id);
  expect(await readUndo(owner, first.id)).toMatchObject({ count: 0 });
  await expect(undoImport(owner, first.id)).rejects.toMatchObject({ code: "conflict" });
  expect(await present(second.ids)).toEqual(second.ids);
});

test("of an episode that was joined with its article keeps the article as a draft, and says so", async () => {
  const item = anItem();
  const { id: article } = await createArticle(
    owner,
    { title: `Notes ${unique()}`, status: "published" },
    { isImported: true, guid: item.guid! },
  );
  const { id } = await createFeedImport(owner, { url: await servedFeed([item]) });
  await startImport(owner, id, { articles: "join" });
  await workThrough(id, movingJob());
  const [episode] = (await listItems(owner, id)).items.map(({ result }) => Number(result));
  await undoImport(owner, id);
  await workThrough(id, movingJob());
  expect([...(await findPresentEpisodes(owner, [episode!]))]).toEqual([]);
  expect(await statesOf(id)).toEqual([
    { state: "undone", message: "Its article stays a draft.", result: null },
  ]);
  expect((await readArticleForEdit(owner, article)).values.status).toBe("draft");
});

test("is refused for a kind whose items bring nothing that can be deleted", async () => {
  kindOf(async () => ({ is: "done", result: (await publishedArticle()).id }));
  const id = await startedImport(1);
  await workThrough(id);
  expect(await readUndo(owner, id)).toMatchObject({ count: 0 });
  await expect(undoImport(owner, id)).rejects.toMatchObject({ code: "conflict" });
  forgetKind();
});
