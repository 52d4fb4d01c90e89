import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import {
  createArticle,
  createCategory,
  publishDueArticles,
  updateArticle,
} from "#worker/articles/commands.ts";
import { listArticles, readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { listPublishedArticles, readArticle } from "#worker/articles/queries.ts";
import { NewArticle, NewCategory } from "#worker/articles/contract.ts";
import { articles } from "#worker/articles/table.ts";
import { anArticle, publishedArticle } from "./support/articles.ts";
import { contextAs, fetchSite, jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { storedAudio, unique } from "./support/factories.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const read = async (slug: string) => (await readArticle(visitorContext(), slug)).article;

describe("public articles", () => {
  test("a draft, a scheduled and an archived article stay hidden; a published one shows", async () => {
    const hidden = [
      await createArticle(ownerContext(), anArticle({ status: "draft", publishedAt: Date.now() - DAY })),
      await createArticle(
        ownerContext(),
        anArticle({ status: "scheduled", scheduledFor: Date.now() + HOUR }),
      ),
      await createArticle(ownerContext(), anArticle({ status: "archived" })),
    ];
    const shown = await publishedArticle();
    const slugs = (await listPublishedArticles(visitorContext())).items.map(({ slug }) => slug);
    expect(slugs).toContain(shown.slug);
    expect((await fetchSite(`/essays/${shown.slug}`)).status).toBe(200);
    for (const { slug } of hidden) {
      expect(slugs).not.toContain(slug);
      await expect(read(slug)).rejects.toMatchObject({ code: "not_found" });
      for (const path of [`/api/articles/${slug}`, `/essays/${slug}`, `/essays/${slug}.data`]) {
        expect((await fetchSite(path)).status, path).toBe(404);
      }
    }
  });

  test("the list is newest first and paged by key, each article once, even with the same date", async () => {
    const publishedAt = Date.now() - 5 * HOUR;
    for (let n = 0; n < 5; n++) await publishedArticle({ publishedAt });
    const seen: number[] = [];
    let before: string | undefined;
    do {
      const page = await listPublishedArticles(visitorContext(), { before, limit: 2 });
      expect(page.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.items.map(({ id }) => id));
      before = page.next ?? undefined;
    } while (before);
    const all = (await listPublishedArticles(visitorContext(), { limit: 1000 })).items;
    expect(seen.length).toBeGreaterThan(5);
    expect(seen).toEqual(all.map(({ id }) => id));
    const times = all.map(({ publishedAt: time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  test("the filter separates LinkedIn articles from those written here", async () => {
    const linkedin = await publishedArticle({ source: "linkedin", sourceUrl: "https://example.com/post" });
    const original = await publishedArticle();
    const slugsOf = async (source: "all" | "linkedin" | "original") =>
      (await listPublishedArticles(visitorContext(), { source, limit: 100 })).items.map(({ slug }) => slug);
    expect(await slugsOf("all")).toEqual(expect.arrayContaining([linkedin.slug, original.slug]));
    expect(await slugsOf("linkedin")).toContain(linkedin.slug);
    expect(await slugsOf("linkedin")).not.toContain(original.slug);
    expect(await slugsOf("original")).toContain(original.slug);
    expect(await slugsOf("original")).not.toContain(linkedin.slug);
  });

  test("an article knows the ones published before and after it, and no others", async () => {
    const at = Date.UTC(2015, 0, 1);
    const first = await publishedArticle({ publishedAt: at, title: `First ${unique()}` });
    const second = await publishedArticle({ publishedAt: at, title: `Second ${unique()}` });
    await createArticle(ownerContext(), anArticle({ status: "draft", publishedAt: at + 1 }));
    const third = await publishedArticle({ publishedAt: at + DAY, title: `Third ${unique()}` });
    const around = async ({ slug }: { slug: string }) => {
      const { previous, next } = await readArticle(visitorContext(), slug);
      return [previous, next];
    };
    expect(await around(first)).toEqual([null, { slug: second.slug, title: second.title }]);
    expect(await around(second)).toEqual([
      { slug: first.slug, title: first.title },
      { slug: third.slug, title: third.title },
    ]);
  });

  test.each([
    ["not JSON", "{likes:", { likes: 0, comments: 0, shares: 0 }],
    ["something else", '"many"', { likes: 0, comments: 0, shares: 0 }],
    ["null", "null", { likes: 0, comments: 0, shares: 0 }],
    ["a count missing", '{"likes":7}', { likes: 7, comments: 0, shares: 0 }],
    ["no number", '{"likes":"7","comments":-1,"shares":3}', { likes: 0, comments: 0, shares: 3 }],
  ])("engagement that is %s reads as zeros", async (_name, stored, engagement) => {
    const { id, slug } = await publishedArticle({
      source: "linkedin",
      sourceUrl: `https://example.com/${unique()}`,
    });
    await ownerContext().db.run(sql`update articles set engagement = ${stored} where id = ${id}`);
    expect((await read(slug)).engagement).toEqual(engagement);
    const { items: listed } = await listPublishedArticles(visitorContext(), { limit: 1 });
    expect(listed[0]).toMatchObject({ slug, engagement });
  });

  test("machines read the list and an article, and a made-up cursor, filter or parameter is refused", async () => {
    const { slug, title } = await publishedArticle({ content: "**Text.**" });
    const list = await (await fetchSite("/api/articles")).json();
    expect(list).toMatchObject({ items: expect.arrayContaining([expect.objectContaining({ slug })]) });
    const answer = await fetchSite(`/api/articles/${slug}`);
    expect(await answer.json()).toMatchObject({ title, contentHtml: "<p><strong>Text.</strong></p>" });
    expect((await fetchSite("/api/articles?before=yesterday")).status).toBe(404);
    expect((await fetchSite("/api/articles?source=twitter")).status).toBe(422);
    expect((await fetchSite("/api/articles?page=2")).status).toBe(422);
    expect(await (await fetchSite("/api/articles/nothing-of-the-kind")).json()).toEqual({
      error: { code: "not_found", message: "That article no longer exists." },
    });
  });
});

describe("writing", () => {
  test("an article only needs a title, and starts as the user's draft", async () => {
    const title = `Only a title ${unique()}`;
    const { id, slug } = await createArticle(ownerContext(), { title });
    const [row] = await ownerContext().db.select().from(articles).where(eq(articles.id, id));
    expect(slug).toBe(title.toLowerCase().replaceAll(" ", "-"));
    expect(row).toMatchObject({ status: "draft", source: "original", publishedAt: null, readingMinutes: 0 });
    expect(NewArticle.safeParse({ title: " " }).error?.issues[0]?.message).toBe("Title is required");
  });

  test("a chosen slug that is taken is refused beside its field", async () => {
    const { slug } = await publishedArticle();
    await expect(createArticle(ownerContext(), anArticle({ slug }))).rejects.toMatchObject({
      code: "conflict",
      field: "slug",
      message: `Another article already uses “${slug}”. Choose another.`,
    });
  });

  test.each([
    [0, 0],
    [1, 1],
    [200, 1],
    [201, 2],
    [1000, 5],
  ])("%i words are read in %i minutes", async (words, minutes) => {
    const { slug } = await publishedArticle({ content: "word ".repeat(words) });
    expect((await read(slug)).readingMinutes).toBe(minutes);
  });

  test("addresses and marks are not words", async () => {
    const link = "[word](https://example.com/a-very-long-address) — **word** ![](/media/x.jpg) ";
    const { slug } = await publishedArticle({ content: link.repeat(100) });
    expect((await read(slug)).readingMinutes).toBe(1);
  });

  test("Markdown becomes safe HTML when it is saved, its headings a step below the title", async () => {
    const { slug } = await publishedArticle({
      content:
        "# One\n\n## Two\n\n<script>alert(1)</script> <img src=x onerror=alert(1)>\n\n[x](javascript:alert(1))",
    });
    const { contentHtml } = await read(slug);
    expect(contentHtml).toContain("<h2>One</h2>\n<h2>Two</h2>");
    expect(contentHtml).not.toMatch(/<script|onerror|javascript:|<h1/);
  });

  test("its date is the time of publication, or the chosen one, and remains after archiving", async () => {
    const now = new Date(Date.UTC(2026, 4, 5));
    const dated = async (input: Partial<NewArticle>) => {
      const { id } = await createArticle(ownerContext({ now }), anArticle(input));
      const [row] = await ownerContext().db.select().from(articles).where(eq(articles.id, id));
      return { publishedAt: row?.publishedAt?.getTime() ?? null, scheduledFor: row?.scheduledFor ?? null };
    };
    const earlier = now.getTime() - DAY;
    const later = now.getTime() + DAY;
    expect(await dated({ status: "published" })).toEqual({ publishedAt: now.getTime(), scheduledFor: null });
    expect(await dated({ status: "published", publishedAt: earlier, scheduledFor: later })).toEqual({
      publishedAt: earlier,
      scheduledFor: null,
    });
    expect(await dated({ status: "archived", publishedAt: earlier })).toEqual({
      publishedAt: earlier,
      scheduledFor: null,
    });
    expect(await dated({ status: "draft", publishedAt: earlier })).toMatchObject({ publishedAt: null });
    expect(await dated({ status: "scheduled", scheduledFor: later })).toEqual({
      publishedAt: null,
      scheduledFor: new Date(later),
    });
    await expect(dated({ status: "published", publishedAt: later })).rejects.toMatchObject({
      field: "publishedAt",
    });
    await expect(dated({ status: "scheduled" })).rejects.toMatchObject({ field: "scheduledFor" });
  });

  test("an article that is archived and published again has its date again, in the owner's list too", async () => {
    const publishedAt = Date.UTC(2025, 4, 5);
    const { id, title } = await publishedArticle({ publishedAt });
    const dateNow = async () => (await readArticleForEdit(ownerContext(), id)).values.publishedAt;
    const listed = async () =>
      (await listArticles(ownerContext(), { q: title })).items.find((each) => each.id === id);
    // A form without the field sends no date, another program an empty one.
    for (const change of [{}, { publishedAt: null }]) {
      await updateArticle(ownerContext(), id, { status: "archived", ...change });
      expect(await listed()).toMatchObject({ status: "archived", publishedAt });
      await updateArticle(ownerContext(), id, { status: "published" });
      expect(await dateNow()).toBe(publishedAt);
    }
  });

  test("a scheduled article appears in the minute that was planned, dated with it, and not before", async () => {
    const scheduledFor = Date.now() + HOUR;
    const { slug } = await createArticle(ownerContext(), anArticle({ status: "scheduled", scheduledFor }));
    await publishDueArticles(jobContext({ now: new Date(scheduledFor - 1) }));
    await expect(read(slug)).rejects.toMatchObject({ code: "not_found" });
    // Later than planned, as a cron that was held up.
    await publishDueArticles(jobContext({ now: new Date(scheduledFor + 90_000) }));
    expect((await read(slug)).publishedAt).toBe(scheduledFor);
  });

  test("a category has a name, a slug and a colour, and is shown on its articles", async () => {
    const name = `Housing & land ${unique()}`;
    const category = await createCategory(ownerContext(), { name });
    const { slug } = await publishedArticle({ categoryId: category.id });
    expect((await read(slug)).category).toEqual({
      name,
      slug: name.toLowerCase().replaceAll(/[ &]+/g, "-"),
      color: "#6366f1",
    });
    await expect(createCategory(ownerContext(), { name })).rejects.toMatchObject({
      code: "conflict",
      field: "slug",
    });
    expect(NewCategory.safeParse({ name: "" }).error?.issues[0]?.message).toBe("Name is required");
    expect(NewCategory.safeParse({ name: "Red", color: "red" }).success).toBe(false);
  });

  test("a deleted category and a file that is not a picture are refused beside their fields", async () => {
    const audio = await storedAudio();
    const create = (input: Partial<NewArticle>) => createArticle(ownerContext(), anArticle(input));
    await expect(create({ categoryId: 999_999 })).rejects.toMatchObject({ field: "categoryId" });
    await expect(create({ imageFileId: audio.id })).rejects.toMatchObject({ field: "imageFileId" });
  });

  test("only an editor and above may write", async () => {
    for (const [ctx, code] of [
      [visitorContext(), "unauthenticated"],
      [contextAs("user"), "forbidden"],
    ] as const) {
      await expect(createArticle(ctx, anArticle())).rejects.toMatchObject({ code });
      await expect(createCategory(ctx, { name: "Any" })).rejects.toMatchObject({ code });
    }
    await expect(createArticle(contextAs("editor"), anArticle())).resolves.toHaveProperty("slug");
  });
});
