import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import {
  createArticle,
  createCategory,
  deleteArticle,
  deleteCategory,
  updateArticle,
} from "#worker/articles/commands.ts";
import type { NewArticle } from "#worker/articles/contract.ts";
import { readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { findSuccessor } from "#worker/articles/queries.ts";
import { restoreArticle } from "#worker/articles/restore-commands.ts";
import type { Context } from "#worker/platform/context.ts";
import { listRevisions, readRevision, readRevisionWithFormer } from "#worker/revisions/queries.ts";
import { MAX_REVISIONS } from "#worker/revisions/record-revision.ts";
import { anArticle, publishedArticle } from "./support/articles.ts";
import { contextOf, jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { storedImage, unique } from "./support/factories.ts";

const START = Date.parse("2026-05-01T09:00:00Z");
const MINUTE = 60_000;

/** The owner, minutes after the start. */
const at = (minutes: number) => ownerContext({ now: new Date(START + minutes * MINUTE) });
const editorAt = (minutes: number): Context =>
  contextOf(
    {
      kind: "user",
      id: "editor",
      email: "e@example.com",
      fullName: "An Editor",
      role: "editor",
      sessionId: "e",
      authenticatedAt: new Date(),
    },
    { now: new Date(START + minutes * MINUTE) },
  );

const of = (id: number) => ({ kind: "article" as const, item: id });
const listOf = async (id: number) => (await listRevisions(at(0), of(id))).items;
const draft = async (input: Partial<NewArticle> = {}) => (await createArticle(at(0), anArticle(input))).id;

describe("every save is a version", () => {
  test("with its user, its time and the changed fields", async () => {
    const id = await draft({ title: "One", content: "word ".repeat(50) });
    await updateArticle(editorAt(1), id, { title: "Two", content: "word ".repeat(53) });
    expect(await listOf(id)).toMatchObject([
      {
        savedBy: "An Editor",
        savedAt: START + MINUTE,
        changes: [
          { field: "title", words: null },
          { field: "content", words: 3 },
        ],
      },
      { savedBy: "The Owner", savedAt: START, changes: null, isAutomatic: false },
    ]);
  });

  test("with every field as saved", async () => {
    const id = await draft({ title: "One", tags: ["a"], excerpt: "Short." });
    await updateArticle(at(1), id, { title: "Two", tags: ["b"] });
    const [newer, older] = await listOf(id);
    expect((await readRevision(at(2), of(id), older!.id)).values).toMatchObject({
      title: "One",
      tags: ["a"],
    });
    // The address follows the title.
    const { slug: _slug, ...values } = (await readArticleForEdit(at(2), id)).values;
    expect((await readRevision(at(2), of(id), newer!.id)).values).toEqual(values);
  });

  test("also of 500,000 characters", async () => {
    const content = `${'She said no, "no". '.repeat(100)}\n\n`.repeat(250);
    const id = await draft({ content });
    const [only] = await listOf(id);
    expect((await readRevision(at(1), of(id), only!.id)).values["content"]).toBe(content);
  });

  test("but not one that changed nothing, nor one that was refused", async () => {
    const id = await draft({ title: "One" });
    const { updatedAt } = await readArticleForEdit(at(1), id);
    await updateArticle(at(1), id, { title: "One" });
    expect(await listOf(id)).toHaveLength(1);
    await expect(updateArticle(at(2), id, { title: "Two", basedOn: updatedAt - 1 })).rejects.toThrow(
      "elsewhere",
    );
    expect(await listOf(id)).toHaveLength(1);
  });

  test("and of two concurrent saves, only the accepted one", async () => {
    const id = await draft();
    const saves = ["A", "B", "C"].map((title) => updateArticle(at(1), id, { title }));
    const results = await Promise.allSettled(saves);
    const saved = results.filter(({ status }) => status === "fulfilled").length;
    expect(await listOf(id)).toHaveLength(1 + saved);
    const { values } = await readArticleForEdit(at(2), id);
    const [newest] = await listOf(id);
    expect((await readRevision(at(2), of(id), newest!.id)).values["title"]).toBe(values.title);
  });

  test("preserves the text from before versions existed", async () => {
    const id = await draft({ title: "Before" });
    await at(0).db.run(sql`delete from revisions where kind = 'article' and item = ${String(id)}`);
    await updateArticle(at(5), id, { title: "After" });
    const [, former] = await listOf(id);
    expect(former).toMatchObject({ savedBy: null, savedAt: START });
    expect((await readRevision(at(6), of(id), former!.id)).values["title"]).toBe("Before");
  });
});

describe("automatic saves", () => {
  const type = (ctx: Context, id: number, content: string) =>
    updateArticle(ctx, id, { content, automatic: true });

  test("of one person within ten minutes are one version, the last of them", async () => {
    const id = await draft();
    for (const minute of [1, 4, 8]) await type(at(minute), id, `Minute ${minute}.`);
    const versions = await listOf(id);
    expect(versions).toMatchObject([
      { isAutomatic: true, savedAt: START + 8 * MINUTE },
      { isAutomatic: false },
    ]);
    expect((await readRevision(at(9), of(id), versions[0]!.id)).values["content"]).toBe("Minute 8.");
    await type(at(12), id, "Minute 12.");
    await type(editorAt(13), id, "Somebody else.");
    expect(await listOf(id)).toHaveLength(4);
  });

  test("are merged, but a save by the button is not", async () => {
    const id = await draft();
    await type(at(1), id, "Typed.");
    await updateArticle(at(2), id, { content: "Typed." });
    await type(at(3), id, "Typed on.");
    expect((await listOf(id)).map(({ isAutomatic }) => isAutomatic)).toEqual([true, false, false]);
  });

  test("keep a text that lost a third of its words", async () => {
    const id = await draft({ content: "word ".repeat(300), automatic: true });
    await updateArticle(at(1), id, { content: "word ".repeat(310), automatic: true });
    expect(await listOf(id)).toHaveLength(1);
    await updateArticle(at(2), id, { content: "word ".repeat(100), automatic: true });
    const [, former] = await listOf(id);
    expect((await readRevision(at(3), of(id), former!.id)).values["content"]).toBe("word ".repeat(310));
  });

  test("record an address only of published items", async () => {
    const [typed, given] = [unique(), unique()].map((number) => `address-${number}`);
    const id = await draft({ slug: `${typed}-half` });
    await updateArticle(at(1), id, { slug: typed, automatic: true });
    await updateArticle(at(2), id, { status: "published", slug: given });
    expect(await findSuccessor(at(3), `${typed}-half`)).toBeNull();
    expect(await findSuccessor(at(3), typed!)).toBeNull();
    await updateArticle(at(3), id, { status: "draft" });
    await updateArticle(at(4), id, { slug: "", automatic: true });
    await updateArticle(at(5), id, { status: "published" });
    expect(await findSuccessor(at(6), given!)).not.toBeNull();
  });

  test("touch drafts only", async () => {
    const { id } = await publishedArticle();
    await expect(type(ownerContext(), id, "Typed.")).rejects.toMatchObject({ code: "conflict" });
    const scheduledFor = START + 60 * MINUTE;
    for (const change of [{ status: "published" }, { status: "scheduled", scheduledFor }] as const) {
      const update = updateArticle(at(1), await draft(), { ...change, automatic: true });
      await expect(update).rejects.toMatchObject({ code: "conflict" });
    }
    const created = createArticle(at(0), anArticle({ status: "published", automatic: true }));
    await expect(created).rejects.toMatchObject({ code: "conflict" });
  });

  test("let a new draft's address follow its title, and take no address on the way", async () => {
    const word = `verandah${unique()}`;
    const { id } = await createArticle(at(0), { title: `${word} on`, automatic: true });
    await updateArticle(at(1), id, { title: `${word} once more`, slug: "", automatic: true });
    await updateArticle(at(2), id, { status: "published" });
    expect((await readArticleForEdit(at(2), id)).slug).toBe(`${word}-once-more`);
    expect(await findSuccessor(at(2), `${word}-on`)).toBeNull();
  });
});

describe("versions of an item", () => {
  test("are bounded: the oldest go", async () => {
    const id = await draft({ title: "First" });
    const { db } = at(0);
    await db.run(
      sql`insert into revisions (kind, item, is_automatic, started_at, saved_at, digest, embedded_file_ids, packed)
        with recursive n (n) as (select 1 union all select n + 1 from n where n < ${MAX_REVISIONS + 20})
        select 'article', ${String(id)}, 0, n, n, '{}', '[]', '' from n`,
    );
    await updateArticle(at(1), id, { title: "Last" });
    const rows = await db.all<{ count: number }>(
      sql`select count(*) as count from revisions where kind = 'article' and item = ${String(id)}`,
    );
    expect(rows[0]?.count).toBe(MAX_REVISIONS);
  });

  test("go with it", async () => {
    const id = await draft();
    await deleteArticle(at(1), id);
    expect(await listOf(id)).toEqual([]);
  });

  test("are paged by key, and refuse an invalid cursor", async () => {
    const id = await draft();
    for (let n = 1; n <= 31; n++) await updateArticle(at(n), id, { title: `Title ${n}` });
    const first = await listRevisions(at(40), of(id));
    expect(first.items).toHaveLength(30);
    expect(first.items.at(-1)?.changes).toEqual([{ field: "title", words: null }]);
    const second = await listRevisions(at(40), of(id), { before: first.next! });
    expect(second.items).toHaveLength(2);
    await expect(listRevisions(at(40), of(id), { before: "x" })).rejects.toMatchObject({ code: "not_found" });
  });

  test("are read with the one before, which the first one lacks", async () => {
    const id = await draft({ title: "One" });
    await updateArticle(at(1), id, { title: "Two" });
    const [second, first] = await listOf(id);
    const pair = await readRevisionWithFormer(at(2), of(id), second!.id);
    expect([pair.former?.["title"], pair.revision.values["title"]]).toEqual(["One", "Two"]);
    expect((await readRevisionWithFormer(at(2), of(id), first!.id)).former).toBeNull();
    const other = await draft({ title: "Another" });
    await expect(readRevisionWithFormer(at(4), of(other), second!.id)).rejects.toThrow("no longer available");
  });

  test("are readable by users who may edit the item, and only for that item", async () => {
    const [id, other] = [await draft(), await draft()];
    const [only] = await listOf(id);
    await expect(listRevisions(visitorContext(), of(id))).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(readRevision(visitorContext(), of(id), only!.id)).rejects.toMatchObject({
      code: "unauthenticated",
    });
    await expect(readRevision(at(1), of(other), only!.id)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("restoring a version", () => {
  const restore = async (id: number, version = -1) => {
    const versions = await listOf(id);
    const { updatedAt } = await readArticleForEdit(at(50), id);
    return restoreArticle(at(60), id, versions.at(version)!.id, { basedOn: updatedAt });
  };

  test("is a new version, so that nothing is lost by it", async () => {
    const id = await draft({ title: "One", content: "First." });
    await updateArticle(at(1), id, { title: "Two", content: "Second." });
    expect((await restore(id)).values).toMatchObject({ title: "One", content: "First." });
    expect(await listOf(id)).toMatchObject([{ restoredFrom: START }, { restoredFrom: null }, {}]);
    await restore(id, 1);
    expect((await readArticleForEdit(at(61), id)).values.title).toBe("Two");
  });

  test("does not change the slug and the publication", async () => {
    const id = await draft({ title: "One", slug: `one-${unique()}` });
    const slug = `two-${unique()}`;
    const { values } = await updateArticle(at(1), id, { title: "Two", slug, status: "published" });
    expect((await restore(id)).values).toEqual({ ...values, title: "One" });
  });

  test("lets the slug of a draft follow its title, and keeps a chosen one", async () => {
    const word = `restored${unique()}`;
    const { id } = await createArticle(at(0), { title: `${word} one`, slug: "" });
    await updateArticle(at(1), id, { title: `${word} two`, slug: "" });
    await restore(id);
    const { chosenSlug } = await readArticleForEdit(at(61), id);
    expect(chosenSlug).toBe("");
    await updateArticle(at(62), id, { title: `${word} three`, slug: chosenSlug, status: "published" });
    expect((await readArticleForEdit(at(63), id)).slug).toBe(`${word}-three`);

    const named = await draft({ slug: word });
    await updateArticle(at(1), named, { title: "Two", slug: word });
    await restore(named);
    expect((await readArticleForEdit(at(61), named)).chosenSlug).toBe(word);
  });

  test("omits a deleted category and picture", async () => {
    const { id: categoryId } = await createCategory(at(0), { name: `Gone ${unique()}` });
    const picture = await storedImage();
    const id = await draft({ categoryId, imageFileId: picture.id });
    await updateArticle(at(1), id, { imageFileId: null });
    await deleteCategory(at(2), categoryId);
    expect((await restore(id)).values).toMatchObject({ categoryId: null, imageFileId: picture.id });
    await updateArticle(at(70), id, { imageFileId: null });
    await at(0).db.run(sql`delete from files where id = ${picture.id}`);
    expect((await restore(id)).values).toMatchObject({ imageFileId: null });
  });

  test("does not overwrite a later save", async () => {
    const id = await draft({ title: "One" });
    const { updatedAt } = await updateArticle(at(1), id, { title: "Two" });
    const [, first] = await listOf(id);
    await updateArticle(at(2), id, { title: "Three" });
    const restoring = restoreArticle(at(3), id, first!.id, { basedOn: updatedAt });
    await expect(restoring).rejects.toMatchObject({ code: "conflict" });
  });
});

test("an opened article shows who saved it last", async () => {
  const id = await draft();
  await updateArticle(editorAt(1), id, { title: "Theirs" });
  expect((await readArticleForEdit(at(2), id)).savedBy).toBe("An Editor");
  await updateArticle(jobContext({ now: new Date(START + 2 * MINUTE) }), id, { title: "A job's" });
  expect((await readArticleForEdit(at(3), id)).savedBy).toBeNull();
});
