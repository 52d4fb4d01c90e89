import { and, eq, getTableName, is, sql } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createArticle,
  createCategory,
  deleteArticle,
  deleteCategory,
  updateArticle,
} from "#worker/articles/commands.ts";
import { readArticle } from "#worker/articles/queries.ts";
import { eraseItem, pruneBin, restoreItem } from "#worker/bin/commands.ts";
import { securityEvents } from "#worker/accounts/table.ts";
import { binSchema } from "#worker/bin/facet.ts";
import { listBin } from "#worker/bin/queries.ts";
import { bin, erased } from "#worker/bin/table.ts";
import { createEpisode, deleteEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { readEpisode } from "#worker/episodes/queries.ts";
import { sweepFiles } from "#worker/files/library/sweep.ts";
import { fileReferences, nouns } from "#worker/nouns/list.ts";
import { RENDERER_VERSION } from "#worker/platform/text/markdown.ts";
import { renderPasses } from "#worker/rendering/table.ts";
import { listRevisions } from "#worker/revisions/queries.ts";
import { articlePreviewLink } from "#worker/articles/owner-queries.ts";
import { contextAs, fetchSite, jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { commentRow } from "./support/comments.ts";
import { anEpisode, publishedEpisode, storedAudio, storedImage, unique } from "./support/factories.ts";
import { aListener } from "./support/listeners.ts";

const { db } = ownerContext();
const owner = ownerContext;
const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY);
const aSlug = () => `a-slug-${unique()}`;
const keys = async () => (await listBin(owner())).items.map(({ key }) => key);

const tables = Object.values(import.meta.glob<object>("../worker/*/table.ts", { eager: true }))
  .flatMap((file) => Object.values(file) as unknown[])
  .filter((value) => is(value, SQLiteTable));

/** Written by each change, or derived again from others. */
const DERIVED = ["cache_tags", "search_pending", "feed_items", "outbox", "outbox_bodies", "listeners"];

/** Every row of the database, without those of the bin. */
async function everything() {
  const rows: Record<string, unknown[]> = {};
  for (const table of tables) {
    const name = getTableName(table);
    if (DERIVED.includes(name) || name === "erased") continue;
    const found = await db.all<Record<string, unknown>>(sql`select * from ${table}`);
    rows[name] = found.map((row) => JSON.stringify(row)).toSorted();
  }
  return rows;
}

const anArticle = async (change: Partial<Parameters<typeof createArticle>[1]> = {}) =>
  createArticle(owner(), { title: "On maps", content: "Words.", status: "published", ...change });

test("the triggers in the database are those of facet.ts", async () => {
  const rows = await db.all<{ sql: string }>(
    sql`select sql from sqlite_master where type = 'trigger' and substr(name, 1, 4) = 'bin_'`,
  );
  const plain = (text: string) => text.replaceAll("`", "").replace(/\s+/g, " ").trim();
  const written = binSchema(nouns.flatMap(({ bin: facet }) => facet ?? []));
  expect(rows.map((row) => plain(row.sql)).toSorted()).toEqual(written.map(plain).toSorted());
});

describe("an article", () => {
  /** An article with everything that can belong to one. */
  async function fullArticle() {
    const [picture, inText] = [await storedImage(), await storedImage()];
    const slug = aSlug();
    const { id } = await createArticle(
      owner(),
      {
        title: "On maps",
        content: `![A map](/media/${inText.key})`,
        imageFileId: picture.id,
        status: "published",
        slug: aSlug(),
        tags: ["maps"],
      },
      { oldAddresses: [`/old-${unique()}/`] },
    );
    await updateArticle(owner(), id, { slug, title: "On old maps" });
    await articlePreviewLink.create(owner(), id);
    const first = await commentRow({ contentId: id });
    await commentRow({ contentId: id, parentId: first, text: "An answer" });
    return { id, slug, key: `article:${id}`, files: [picture, inText] };
  }

  test("leaves all tables, and returns with each of its rows as it was", async () => {
    const { id, slug, key } = await fullArticle();
    const before = await everything();
    await deleteArticle(owner(), id);
    const inBin = await everything();
    for (const name of ["articles", "article_former_slugs", "article_old_addresses", "comments"])
      expect(inBin[name]!.length, name).toBeLessThan(before[name]!.length);
    await expect(readArticle(visitorContext(), slug)).rejects.toMatchObject({ code: "not_found" });
    expect((await listRevisions(owner(), { kind: "article", item: id })).items).toEqual([]);
    await restoreItem(owner(), key);
    expect(await everything()).toEqual(before);
    expect((await readArticle(visitorContext(), slug)).article.title).toBe("On old maps");
    expect((await listRevisions(owner(), { kind: "article", item: id })).items).toHaveLength(2);
  });

  test("answers 404 and is in neither feed, sitemap, list nor search while it is in the bin", async () => {
    const title = `Zweizehn${unique()}`;
    const slug = aSlug();
    const { id } = await anArticle({ title, slug });
    const shown = async () => {
      const pages = ["/rss/essays.xml", "/sitemap.xml", "/essays", `/search?q=${title}`, "/api/articles"];
      const texts = await Promise.all(pages.map(async (path) => (await fetchSite(path)).text()));
      const page = await fetchSite(`/essays/${slug}`);
      await page.text();
      return [page.status, ...texts.map((text) => text.includes(`/${slug}`) || text.includes(`"${slug}"`))];
    };
    expect(await shown()).toEqual([200, true, true, true, true, true]);
    await deleteArticle(owner(), id);
    expect(await shown()).toEqual([404, false, false, false, false, false]);
    await restoreItem(owner(), `article:${id}`);
    expect(await shown()).toEqual([200, true, true, true, true, true]);
  });

  test("keeps its address from others, and its title from taking it", async () => {
    const slug = aSlug();
    const { id } = await anArticle({ slug });
    await deleteArticle(owner(), id);
    await expect(anArticle({ slug })).rejects.toMatchObject({
      code: "conflict",
      field: "slug",
      message: `The bin has an article with the address “${slug}”. Restore that one, or delete it for good.`,
    });
    const other = await anArticle({ slug: aSlug() });
    await expect(updateArticle(owner(), other.id, { slug })).rejects.toMatchObject({ field: "slug" });
    const derived = await anArticle({ title: slug.replaceAll("-", " ") });
    expect(derived.values.slug).toBe(`${slug}-2`);
    await eraseItem(owner(), `article:${id}`);
    expect((await anArticle({ slug })).values.slug).toBe(slug);
  });

  test("returns without a category that was deleted", async () => {
    const { id: categoryId } = await createCategory(owner(), { name: `Maps ${unique()}` });
    const { id } = await anArticle({ categoryId });
    await deleteArticle(owner(), id);
    await deleteCategory(owner(), categoryId);
    await restoreItem(owner(), `article:${id}`);
    const rows = await db.all(sql`select category_id from articles where id = ${id}`);
    expect(rows).toEqual([{ category_id: null }]);
  });

  test("whose scheduled time has passed returns as a draft", async () => {
    const scheduledFor = Date.now() + DAY;
    const [due, later] = [
      await anArticle({ status: "scheduled", scheduledFor }),
      await anArticle({ status: "scheduled", scheduledFor: scheduledFor + 9 * DAY }),
    ];
    for (const { id } of [due, later]) await deleteArticle(owner(), id);
    const ctx = owner({ now: inDays(2) });
    for (const { id } of [due, later]) await restoreItem(ctx, `article:${id}`);
    const rows = await db.all(
      sql`select status, scheduled_for from articles where id in (${due.id}, ${later.id}) order by id`,
    );
    expect(rows).toEqual([
      { status: "draft", scheduled_for: null },
      { status: "scheduled", scheduled_for: scheduledFor + 9 * DAY },
    ]);
  });

  test("keeps its files, which are swept once it is deleted for good", async () => {
    const { id, files } = await fullArticle();
    const there = () => Promise.all(files.map(async ({ key }) => (await owner().media.head(key)) !== null));
    await deleteArticle(owner(), id);
    for (const day of [5, 10]) await sweepFiles(jobContext({ now: inDays(day) }), fileReferences);
    expect(await there()).toEqual([true, true]);
    await eraseItem(owner(), `article:${id}`);
    for (const day of [15, 20]) await sweepFiles(jobContext({ now: inDays(day) }), fileReferences);
    expect(await there()).toEqual([false, false]);
  });

  test("is rendered again after it returns, if the renderer has changed", async () => {
    const { id } = await anArticle();
    await deleteArticle(owner(), id);
    await db.insert(renderPasses).values({ noun: "article", version: RENDERER_VERSION, after: null });
    await db
      .update(bin)
      .set({ renderer: 0 })
      .where(eq(bin.key, `article:${id}`));
    await restoreItem(owner(), `article:${id}`);
    expect(await db.all(sql`select after from render_passes where noun = 'article'`)).toEqual([
      { after: id - 1 },
    ]);
  });
});

describe("an episode", () => {
  test("leaves all tables, and returns with comments, transcript, playlists, favourites and progress", async () => {
    const listener = aListener();
    const audio = await storedAudio();
    const { id } = await publishedEpisode({
      slug: aSlug(),
      audioFileId: (await storedAudio()).id,
      transcript: "WEBVTT\n\n00:00.000 --> 00:02.000\nHello.",
    });
    await updateEpisode(owner(), id, { audioFileId: audio.id, slug: aSlug(), allowDuplicateAudio: true });
    await commentRow({ contentId: id, contentType: "episode" });
    const list = await listener.create({ name: "Later" });
    await listener.add(list.id, id);
    await listener.send("PUT", `/favorites/${id}`);
    await listener.send("PUT", `/progress/${id}`, { progressSeconds: 30, completed: false });
    const before = await everything();
    for (const name of [
      "episode_passages",
      "playlist_items",
      "favorites",
      "progress",
      "episode_former_audio",
    ])
      expect(before[name], name).not.toEqual([]);
    await deleteEpisode(owner(), id);
    await expect(readEpisode(visitorContext(), id)).rejects.toMatchObject({ code: "not_found" });
    expect((await everything()).favorites).toEqual([]);
    await restoreItem(owner(), `episode:${id}`);
    expect(await everything()).toEqual(before);
  });

  test("keeps its GUID from an import", async () => {
    const guid = `guid-${unique()}`;
    const { id } = await createEpisode(owner(), anEpisode(), guid);
    await deleteEpisode(owner(), id);
    await expect(createEpisode(owner(), anEpisode(), guid)).rejects.toMatchObject({
      code: "conflict",
      message: "The bin has an episode with this GUID. Restore that one, or delete it for good.",
    });
  });

  test("returns to the playlists that still exist", async () => {
    const listener = aListener();
    const { id } = await publishedEpisode();
    const [kept, gone] = [await listener.create({ name: "Kept" }), await listener.create({ name: "Gone" })];
    for (const list of [kept, gone]) await listener.add(list.id, id);
    await deleteEpisode(owner(), id);
    await listener.send("DELETE", `/playlists/${gone.id}`);
    await restoreItem(owner(), `episode:${id}`);
    expect((await listener.open(kept.id)).items).toHaveLength(1);
  });
});

describe("the bin", () => {
  beforeEach(() => db.delete(bin));

  test("lists who deleted what and when, the latest first, and until when it can be restored", async () => {
    const now = new Date();
    const { id } = await anArticle({ title: "First" });
    const episode = await createEpisode(owner(), anEpisode({ title: "Second" }));
    await deleteArticle(owner({ now }), id);
    await deleteEpisode(jobContext({ now }), episode.id);
    expect((await listBin(owner())).items).toEqual([
      {
        key: `episode:${episode.id}`,
        kind: "episode",
        title: "Second",
        deletedBy: null,
        deletedAt: now.getTime(),
        endsAt: now.getTime() + 30 * DAY,
      },
      {
        key: `article:${id}`,
        kind: "article",
        title: "First",
        deletedBy: "The Owner",
        deletedAt: now.getTime(),
        endsAt: now.getTime() + 30 * DAY,
      },
    ]);
  });

  test("is paged by key", async () => {
    for (let n = 0; n <= 30; n++) await deleteArticle(owner(), (await anArticle({ status: "draft" })).id);
    const first = await listBin(owner());
    expect(first.items).toHaveLength(30);
    expect((await listBin(owner(), { before: first.next! })).items).toHaveLength(1);
    await expect(listBin(owner(), { before: "x" })).rejects.toMatchObject({ code: "not_found" });
  });

  test("deletes an item for good: versions, comments and links, and notes its id alone", async () => {
    const { id } = await anArticle({ title: "Regretted" });
    await articlePreviewLink.create(owner(), id);
    await commentRow({ contentId: id });
    await deleteArticle(owner(), id);
    await eraseItem(owner(), `article:${id}`);
    const tablesWithIt = Object.entries(await everything()).filter(([name, rows]) =>
      rows.some((row) => {
        const text = String(row);
        return text.includes("Regretted") || (name === "revisions" && text.includes(`"item":"${id}"`));
      }),
    );
    expect(tablesWithIt.map(([name]) => name)).toEqual([]);
    expect(
      await db
        .select({ kind: erased.kind, item: erased.item })
        .from(erased)
        .where(eq(erased.item, String(id))),
    ).toEqual([{ kind: "articles", item: String(id) }]);
    for (const late of [eraseItem, restoreItem])
      await expect(late(owner(), `article:${id}`)).rejects.toMatchObject({
        code: "not_found",
        message: "This is no longer in the bin.",
      });
    const events = and(eq(securityEvents.kind, "item_erased"), eq(securityEvents.detail, `article:${id}`));
    expect(await db.$count(securityEvents, events)).toBe(1);
  });

  test("deletes nothing for good without a recent proof of who the user is", async () => {
    const { id } = await anArticle();
    await deleteArticle(owner(), id);
    const stale = owner();
    stale.actor = { ...stale.actor, authenticatedAt: new Date(Date.now() - DAY) } as typeof stale.actor;
    await expect(eraseItem(stale, `article:${id}`)).rejects.toMatchObject({
      code: "reauthentication_required",
    });
    expect(await keys()).toContain(`article:${id}`);
  });

  test("is emptied after 30 days", async () => {
    const [first, second] = [await anArticle({ status: "draft" }), await anArticle({ status: "draft" })];
    await deleteArticle(owner(), first.id);
    await deleteArticle(owner({ now: inDays(1) }), second.id);
    await pruneBin(jobContext({ now: inDays(29.9) }));
    expect(await keys()).toHaveLength(2);
    await pruneBin(jobContext({ now: inDays(30.1) }));
    expect(await keys()).toEqual([`article:${second.id}`]);
  });

  test("restores an item once, for two who press at the same time", async () => {
    const { id } = await anArticle();
    await deleteArticle(owner(), id);
    const results = await Promise.allSettled([1, 2].map(() => restoreItem(owner(), `article:${id}`)));
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await db.all(sql`select id from articles where id = ${id}`)).toHaveLength(1);
  });

  test("is closed to those who may not delete", async () => {
    const { id } = await anArticle();
    await deleteArticle(owner(), id);
    const key = `article:${id}`;
    for (const late of [listBin, restoreItem, eraseItem])
      await expect(late(contextAs("user"), key as never)).rejects.toMatchObject({ code: "forbidden" });
    await restoreItem(contextAs("editor"), key);
    await expect(restoreItem(owner(), "nonsense")).rejects.toMatchObject({ code: "not_found" });
  });
});
