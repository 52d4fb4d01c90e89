import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createArticle, createCategory, updateArticle } from "#worker/articles/commands.ts";
import { findArticlesByTitle } from "#worker/articles/match-queries.ts";
import { readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { articles } from "#worker/articles/table.ts";
import { importArticles } from "#worker/imports/batch/commands.ts";
import type { BatchArticle } from "#worker/imports/contract.ts";
import { publications } from "#worker/publications/table.ts";
import { listRevisions, readRevision } from "#worker/revisions/queries.ts";
import { ownerContext, signedIn } from "./support/client.ts";
import { unique } from "./support/factories.ts";
import { plansOf } from "./support/plans.ts";

const DAY = 86_400_000;
const aTitle = (words = "A title") => `${words} ${unique()} of a batch`;

const run = async (items: BatchArticle[], isDryRun = false) =>
  (await importArticles(ownerContext(), { isDryRun, items })).items;
const dryRun = (items: BatchArticle[]) => run(items, true);
const runOne = async (item: BatchArticle, isDryRun = false) => (await run([item], isDryRun))[0]!;
const valuesOf = async (id: number) => (await readArticleForEdit(ownerContext(), id)).values;
const rowsTitled = (title: string) =>
  ownerContext().db.select().from(articles).where(eq(articles.title, title));

test("an article with a new title is inserted and published with its tags", async () => {
  const title = aTitle();
  const at = Date.now() - 400 * DAY;
  const item = { title, content: "Words.", tags: ["a", "b"], publishedAt: at, originalPublishedAt: at - DAY };
  const result = await runOne(item);
  expect(result).toMatchObject({ title, success: true, action: "insert", message: null });
  expect(await valuesOf(result.id!)).toMatchObject({ ...item, status: "published", source: "original" });
  const { db } = ownerContext();
  const noted = await db
    .select()
    .from(publications)
    .where(sql`${publications.kind} = 'article' and ${publications.itemId} = ${result.id}`);
  expect(noted).toEqual([]);
});

test.each([
  ["a status", { status: "draft" as const }, "draft"],
  ["a planned time", { scheduledFor: Date.now() + DAY }, "scheduled"],
])("%s is preserved", async (_what, fields, status) => {
  const { id } = await runOne({ title: aTitle(), ...fields });
  expect(await valuesOf(id!)).toMatchObject({ status, ...fields });
});

test("an article with an existing title gets the given fields; its other fields and its former version remain", async () => {
  const title = aTitle(`“Quoted” and "plain" (it's) * AND NOT`);
  const was = { title, content: "Old words.", excerpt: "Kept.", tags: ["kept"], status: "draft" as const };
  const { id } = await createArticle(ownerContext(), was);
  const item = { title, content: "New words.", metaTitle: "New" };
  const expected = { title, success: true, action: "update", id, changed: ["content", "metaTitle"] };
  expect(await runOne(item, true)).toMatchObject({
    ...expected,
    changed: expect.arrayContaining(expected.changed),
  });
  expect(await valuesOf(id)).toMatchObject(was);
  expect(await runOne(item)).toMatchObject({ action: "update", id });
  expect(await valuesOf(id)).toMatchObject({ ...was, ...item });
  const versions = await listRevisions(ownerContext(), { kind: "article", item: id });
  expect(versions.items).toHaveLength(2);
  const former = await readRevision(ownerContext(), { kind: "article", item: id }, versions.items[1]!.id);
  expect(former.values).toMatchObject({ content: "Old words." });
  expect(versions.items[0]).toMatchObject({ savedBy: "The Owner" });
});

test("a second run changes nothing", async () => {
  await createCategory(ownerContext(), { name: "Batch" });
  const past = Date.now() - DAY;
  const items: BatchArticle[] = [
    {
      title: aTitle(),
      content: "Words.\n\nMore.",
      excerpt: " Spaced. ",
      tags: ["a", "a"],
      category: "batch",
    },
    { title: aTitle(), status: "draft", publishedAt: past },
    { title: aTitle(), scheduledFor: Date.now() + DAY, status: "scheduled" },
    { title: aTitle(), slug: `slug-${unique()}`, publishedAt: past, sourceUrl: "https://a.example/p" },
  ];
  expect((await run(items)).map(({ action }) => action)).toEqual(Array(4).fill("insert"));
  const before = await ownerContext().db.select().from(articles);
  for (const results of [await dryRun(items), await run(items)])
    expect(results.map(({ action, message }) => message ?? action)).toEqual(Array(4).fill("none"));
  expect(await ownerContext().db.select().from(articles)).toEqual(before);
});

describe("a new article in a batch", () => {
  const past = Date.now() - 400 * DAY;
  const future = Date.now() + DAY;

  test.each<[string, Omit<BatchArticle, "title">, object]>([
    ["that doesn't say that it was public is a draft", {}, { status: "draft", publishedAt: null }],
    ["with a date is published at it", { publishedAt: past }, { status: "published", publishedAt: past }],
    ["that says that it was public is", { newStatus: "published" }, { status: "published" }],
    [
      "that was no longer public is a draft, with its date for later",
      { publishedAt: past, newStatus: "draft" },
      { status: "draft", publishedAt: null, originalPublishedAt: past },
    ],
    [
      "with a date to come is planned",
      { publishedAt: future, newStatus: "scheduled" },
      { status: "scheduled", publishedAt: null, scheduledFor: future },
    ],
    ["with a plan is planned", { scheduledFor: future }, { status: "scheduled", scheduledFor: future }],
  ])("a new article %s", async (_what, fields, values) => {
    const item = { title: aTitle(), ...fields };
    const { id } = await runOne(item);
    expect(await valuesOf(id!)).toMatchObject(values);
    expect(await dryRun([item])).toMatchObject([{ action: "none" }]);
  });

  test("is published at its own date when the owner publishes it", async () => {
    const { id } = await runOne({ title: aTitle(), publishedAt: past, newStatus: "draft" });
    await updateArticle(ownerContext(), id!, { status: "published" });
    expect(await valuesOf(id!)).toMatchObject({ status: "published", publishedAt: past });
  });

  test("does not change the status of an existing article", async () => {
    const title = aTitle();
    const { id } = await runOne({ title });
    for (const newStatus of ["published", "scheduled"] as const)
      await runOne({ title, content: `Words: ${newStatus}`, publishedAt: future, newStatus }).catch(() => {});
    expect(await valuesOf(id!)).toMatchObject({ status: "draft", content: "Words: scheduled" });
  });
});

test("does not change an article that was scheduled and has been published since", async () => {
  const title = aTitle();
  const at = Date.now() - DAY;
  await createArticle(ownerContext(), { title, status: "published", publishedAt: at });
  expect(await runOne({ title, status: "scheduled", scheduledFor: at })).toMatchObject({ action: "none" });
});

test("the same item sent in two concurrent requests is inserted once", async () => {
  const item = { title: aTitle(), draftKey: crypto.randomUUID() };
  await Promise.all([run([item]), run([item])]);
  expect(await rowsTitled(item.title)).toHaveLength(1);
});

test("a dry run reports a missing category and plans the article without it", async () => {
  const name = `Lamps ${unique()}`;
  const item = { title: aTitle(), category: name };
  expect(await dryRun([item])).toMatchObject([{ success: true, action: "insert", missingCategory: name }]);
  expect(await runOne(item).catch((error: unknown) => error)).toMatchObject({ success: false });
  await createCategory(ownerContext(), { name });
  expect(await dryRun([item])).toMatchObject([{ action: "insert", missingCategory: null }]);
  const { id } = await runOne(item);
  expect((await valuesOf(id!)).categoryId).not.toBeNull();
  const changed = { ...item, category: `Oil ${unique()}` };
  expect(await dryRun([changed])).toMatchObject([
    { action: "update", changed: ["categoryId"], missingCategory: changed.category },
  ]);
});

describe("a batch item is refused, and the others are imported", () => {
  const taken = `taken-${unique()}-slug`;
  const future = Date.now() + DAY;
  test.each<[string, BatchArticle, RegExp]>([
    ["without a title", { title: " " }, /Title is required/],
    ["a title of signs alone", { title: "…!" }, /letter or a digit/],
    ["a date to come", { title: aTitle(), publishedAt: future }, /in the future/],
    ["a slug that another has", { title: aTitle(), slug: taken }, /already uses/],
    ["a text that is too long", { title: aTitle(), content: "a".repeat(500_001) }, /at most 500,000/],
    ["an unknown field", { title: aTitle(), layout: "post" } as BatchArticle, /no field “layout”/],
    ["what is no article", null as never, /Give an object/],
  ])("a batch item is refused: %s", async (_what, item, message) => {
    await createArticle(ownerContext(), { title: aTitle(), slug: taken }).catch(() => {});
    const other = { title: aTitle("Other") };
    for (const isDryRun of [true, false]) {
      const [refused, done] = await run([item, other], isDryRun);
      expect(refused).toMatchObject({ success: false, action: null, id: null });
      expect(refused!.message).toMatch(message);
      expect(done).toMatchObject({ success: true, action: "insert" });
    }
    if (item && item.title !== " ") expect(await rowsTitled(item.title)).toEqual([]);
  });

  test("two items with the same title", async () => {
    const title = aTitle();
    const results = await run([{ title }, { title, content: "Others." }]);
    expect(results.map(({ message }) => message)).toEqual(Array(2).fill("Several items have this title."));
    expect(await rowsTitled(title)).toEqual([]);
  });

  test("an item whose title several articles have, unless a slug identifies one", async () => {
    const title = aTitle();
    const { slug } = await createArticle(ownerContext(), { title });
    const { id } = await createArticle(ownerContext(), { title });
    expect(await runOne({ title, content: "New." })).toMatchObject({
      success: false,
      message: "2 articles have this title. Add the slug of the right one.",
    });
    const [meant] = await rowsTitled(title);
    expect(await runOne({ title, slug, content: "New." })).toMatchObject({ action: "update", id: meant!.id });
    expect((await valuesOf(id)).content).toBe("");
  });
});

test("scripts are removed from imported text", async () => {
  const content = 'Words <script>alert(1)</script> <img src=x onerror="alert(1)"> [a](javascript:alert(1))';
  const { id } = await runOne({ title: aTitle(), content });
  const [row] = await ownerContext().db.select().from(articles).where(eq(articles.id, id!));
  expect(row!.contentHtml).not.toMatch(/script|onerror/);
});

test("the route accepts 300 kB of text an article", async () => {
  const { api } = await signedIn("editor");
  const content = "Some words of a long text. ".repeat(11_500);
  const items = Array.from({ length: 3 }, () => ({ title: aTitle(), content }));
  const response = await api.imports.articles.$post({ json: { isDryRun: false, items } });
  expect(response.status).toBe(200);
  expect((await response.json()).items.map(({ action }) => action)).toEqual(Array(3).fill("insert"));
});

test("titles are found by an index among many articles", async () => {
  const plan = await plansOf((ctx) => findArticlesByTitle(ctx, ["a"]));
  expect(plan).toContain("SEARCH articles USING INTEGER PRIMARY KEY (rowid=?)");
});
