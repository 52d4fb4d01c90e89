import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createArticle } from "#worker/articles/commands.ts";
import { createCategory } from "#worker/articles/commands.ts";
import { categories } from "#worker/articles/table.ts";
import { createEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { slugOf } from "#worker/platform/text/slug.ts";
import { anArticle } from "./support/articles.ts";
import { fetchSite, ownerContext } from "./support/client.ts";
import { anEpisode, unique } from "./support/factories.ts";

const now = new Date(Date.UTC(2026, 2, 4));
const createAll = (...titles: string[]) =>
  Promise.all(
    titles.map(async (title) => (await createArticle(ownerContext({ now }), anArticle({ title }))).slug),
  );

describe("the slug of a title", () => {
  test.each([
    ["Ørsted", "orsted"],
    ["Où, « là-bas » !", "ou-la-bas"],
    ["Die Straße", "die-strasse"],
    ["Право на жильё", "pravo-na-zhilyo"],
    ["Το σπίτι", "to-spiti"],
    ["السكن", "lskn"],
    ["שלום עולם", "shlvm-vlm"],
    ["住房政策", "zhu-fang-zheng-ce"],
    ["🏡🌏", ""],
    ["e\u0301te\u0301", "ete"],
  ])("%s is “%s”", async (title, slug) => {
    expect(await slugOf(title)).toBe(slug);
  });

  test.each([
    ["one ".repeat(40), `${"one-".repeat(27)}one`.slice(0, 107)],
    [`${"a".repeat(105)} four five`, `${"a".repeat(105)}-four`],
    [`b ${"c".repeat(200)}`, `b-${"c".repeat(108)}`],
    ["d".repeat(110), "d".repeat(110)],
  ])("ends with a whole word: %.20s…", async (title, slug) => {
    expect(await slugOf(title)).toBe(slug);
  });

  test("goes to the first item; later ones are numbered, also concurrent ones", async () => {
    const title = `A lease ${unique()}`;
    const slug = await slugOf(title);
    expect(await createAll(title)).toEqual([slug]);
    const others = await createAll(title, title, title, title);
    expect(others.toSorted()).toEqual([2, 3, 4, 5].map((n) => `${slug}-${n}`));
  });

  test("without letters is its date", async () => {
    expect(await createAll("🏡")).toEqual(["2026-03-04"]);
    expect(await createAll("🌏")).toEqual(["2026-03-04-2"]);
  });

  test("of any length leads to a page, numbered or not", async () => {
    const title = "长".repeat(255);
    for (const suffix of ["", "-2"]) {
      const { slug } = await createArticle(ownerContext(), anArticle({ title, status: "published" }));
      expect(slug.length).toBeLessThanOrEqual(120);
      expect(slug.endsWith(`chang${suffix}`)).toBe(true);
      expect((await fetchSite(`/essays/${slug}`)).status).toBe(200);
    }
  });

  test("applies to episodes and categories, too", async () => {
    const title = `Эпизод ${unique()}`;
    const ctx = ownerContext();
    const slug = await slugOf(title);
    await createEpisode(ctx, anEpisode({ title }));
    const { id } = await createEpisode(ctx, anEpisode({ title }));
    expect((await readEpisodeForEdit(ctx, id)).values.slug).toBe(`${slug}-2`);
    await updateEpisode(ctx, id, { slug: "" });
    expect((await readEpisodeForEdit(ctx, id)).values.slug).toBe(`${slug}-2`);
    await createCategory(ctx, { name: "🏡" });
    const second = await createCategory(ctx, { name: "🌏" });
    const [row] = await ctx.db.select().from(categories).where(eq(categories.id, second.id));
    expect(row?.slug).toMatch(/^\d{4}-\d\d-\d\d-2$/);
  });
});
