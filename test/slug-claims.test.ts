import { describe, expect, test } from "vitest";
import {
  createArticle,
  deleteArticle,
  publishDueArticles,
  updateArticle,
  createArticlePreviewLink,
} from "#worker/articles/commands.ts";
import type { ArticleChange, NewArticle } from "#worker/articles/contract.ts";
import { articleNoun } from "#worker/articles/noun.ts";
import { exporterOf } from "#worker/exports/noun-export.ts";
import { findKnownArticles } from "#worker/imports/importers/queries.ts";
import { readArticleForEdit } from "#worker/articles/owner-queries.ts";
import { createEpisode, deleteEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { readEpisodeForEdit } from "#worker/episodes/owner-queries.ts";
import { findEpisodeBySlug } from "#worker/episodes/queries.ts";
import { anArticle } from "./support/articles.ts";
import { fetchSite, ownerContext, visitorContext } from "./support/client.ts";
import { anEpisode, unique } from "./support/factories.ts";

const HOUR = 3_600_000;

/** A word that no other test has, in a title and in its slug. */
const aWord = () => `claim-${unique()}`;

const create = (overrides: Partial<NewArticle>) => createArticle(ownerContext(), anArticle(overrides));
const update = (id: number, change: ArticleChange, now = new Date()) =>
  updateArticle(ownerContext({ now }), id, change);
const slugNow = async (id: number) => (await readArticleForEdit(ownerContext(), id)).slug;

/** The target of an essay's redirect; its status if it does not redirect. */
async function answerOf(slug: string) {
  const { status, headers } = await fetchSite(`/essays/${slug}`, { redirect: "manual" });
  return headers.get("Location") ?? status;
}

describe("the slug of an abandoned draft", () => {
  test("is taken by the next published article with that title, which gets its own slug", async () => {
    const title = aWord();
    const draft = await create({ title, automatic: true });
    const { slug } = await create({ title, status: "published" });
    expect(slug).toBe(title);
    expect(await answerOf(title)).toBe(200);
    expect(await slugNow(draft.id)).toBe(`${title}-2`);
  });

  test("is taken by another draft with that title that is published by its form or the API", async () => {
    for (const change of [{ slug: "", status: "published" }, { status: "published" }] as const) {
      const title = aWord();
      const first = await create({ title });
      const second = await create({ title });
      expect(second.slug).toBe(`${title}-2`);
      expect((await update(second.id, change)).slug).toBe(title);
      expect(await slugNow(first.id)).toBe(`${title}-3`);
      // Saved again, it takes the first that is free.
      const saved = await update(first.id, { title, slug: "", automatic: true });
      expect(saved.slug).toBe(`${title}-2`);
    }
  });

  test("is taken by a scheduled article, which reserves it", async () => {
    const title = aWord();
    const draft = await create({ title });
    const planned = await create({ title, status: "scheduled", scheduledFor: Date.now() + HOUR });
    expect(planned.slug).toBe(title);
    const published = await update(draft.id, { slug: "", status: "published" });
    expect(published.slug).toBe(`${title}-2`);
    await publishDueArticles(ownerContext({ now: new Date(Date.now() + 2 * HOUR) }));
    expect(await answerOf(title)).toBe(200);
  });

  test("is taken by an article whose owner types it", async () => {
    const title = aWord();
    const draft = await create({ title });
    const other = await create({ title: "Something else", slug: title });
    expect(other.slug).toBe(title);
    expect(await slugNow(draft.id)).toBe(`${title}-2`);
  });

  test("is kept if the owner typed it, if the article was public before, or is archived", async () => {
    const typed = await create({ title: "Something else", slug: aWord() });
    const unpublished = await create({ title: aWord(), status: "published" });
    await update(unpublished.id, { status: "draft" });
    const archived = await create({ title: aWord(), status: "published" });
    await update(archived.id, { status: "archived" });
    for (const { id, slug } of [typed, unpublished, archived]) {
      const { slug: next } = await create({ title: slug, status: "published" });
      expect(next).toBe(`${slug}-2`);
      expect(await slugNow(id)).toBe(slug);
      await expect(create({ slug })).rejects.toThrow("already uses");
    }
  });

  test("does not change its preview link and its form", async () => {
    const title = aWord();
    const draft = await create({ title, content: "An early text." });
    const { url } = await createArticlePreviewLink(ownerContext(), draft.id);
    await create({ title, status: "published" });
    const page = await fetchSite(new URL(url).pathname + new URL(url).search);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("An early text.");
    // No other window changed it.
    const basedOn = draft.updatedAt;
    const saved = await update(draft.id, { title: `${title} later`, slug: "", basedOn, automatic: true });
    expect(saved.slug).toBe(`${title}-later`);
  });

  test("is free to an import", async () => {
    const title = aWord();
    await create({ title });
    expect((await findKnownArticles(ownerContext(), { keys: [], slugs: [title] })).taken).toEqual([]);
    const slugs = [];
    for (const _ of [1, 2]) {
      const article = anArticle({ title, status: "published" });
      slugs.push((await createArticle(ownerContext(), article, { isImported: true })).slug);
    }
    expect(slugs).toEqual([title, `${title}-2`]);
  });

  test("is taken once by drafts that are published concurrently", async () => {
    const title = aWord();
    const drafts = [];
    for (const _ of [1, 2, 3, 4]) drafts.push(await create({ title }));
    const published = await Promise.all(
      drafts.map(({ id }) => update(id, { slug: "", status: "published" })),
    );
    const slugs = published.map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(4);
    expect(slugs).toContain(title);
    for (const [index, { id }] of drafts.entries()) expect(await slugNow(id)).toBe(slugs[index]);
  });

  test("is kept if the article that would take it was changed elsewhere", async () => {
    const title = aWord();
    const draft = await create({ title });
    const other = await create({ title: "Something else" });
    const { updatedAt } = await update(other.id, { excerpt: "Changed." }, new Date(Date.now() + 1000));
    await expect(
      update(other.id, { title, slug: "", status: "published", basedOn: updatedAt - 1 }),
    ).rejects.toThrow("changed elsewhere");
    expect(await slugNow(draft.id)).toBe(title);
  });

  test("is taken by an episode in the same way", async () => {
    const title = aWord();
    const ctx = ownerContext();
    const draft = await createEpisode(ctx, anEpisode({ title, status: "draft", slug: "" }));
    const { id } = await createEpisode(ctx, anEpisode({ title, status: "published", slug: "" }));
    expect(await findEpisodeBySlug(visitorContext(), title)).toBe(id);
    expect((await readEpisodeForEdit(ctx, draft.id)).values.slug).toBe(`${title}-2`);
  });
});

describe("a former slug", () => {
  const renamed = async () => {
    const [former, slug] = [aWord(), aWord()];
    const { id } = await create({ slug: former, status: "published" });
    await update(id, { slug });
    expect(await answerOf(former)).toBe(`/essays/${slug}`);
    return { id, former, slug };
  };

  test("redirects while a draft or a scheduled article has it", async () => {
    const { former, slug } = await renamed();
    const { id } = await create({ slug: former });
    expect(await answerOf(former)).toBe(`/essays/${slug}`);
    await update(id, { status: "scheduled", scheduledFor: Date.now() + HOUR });
    expect(await answerOf(former)).toBe(`/essays/${slug}`);
    await publishDueArticles(ownerContext({ now: new Date(Date.now() + 2 * HOUR) }));
    expect(await answerOf(former)).toBe(200);
  });

  test("redirects again once the article that took it is archived, a draft again, or deleted", async () => {
    const { former, slug } = await renamed();
    const { id } = await create({ slug: former, status: "published" });
    expect(await answerOf(former)).toBe(200);
    for (const status of ["archived", "draft"] as const) {
      await update(id, { status });
      expect(await answerOf(former)).toBe(`/essays/${slug}`);
      await update(id, { status: "published" });
      expect(await answerOf(former)).toBe(200);
    }
    await deleteArticle(ownerContext(), id);
    expect(await answerOf(former)).toBe(`/essays/${slug}`);
  });

  test("leads to the article that left it last, and to the one before once that is deleted", async () => {
    const { former, slug } = await renamed();
    const { id } = await create({ slug: former, status: "published" });
    const next = aWord();
    await update(id, { slug: next }, new Date(Date.now() + HOUR));
    expect(await answerOf(former)).toBe(`/essays/${next}`);
    await update(id, { status: "archived" }, new Date(Date.now() + 2 * HOUR));
    expect(await answerOf(former)).toBe(`/essays/${slug}`);
    await deleteArticle(ownerContext(), id);
    expect(await answerOf(former)).toBe(`/essays/${slug}`);
  });

  test("does not redirect while its own article is unpublished", async () => {
    const { id, former } = await renamed();
    await update(id, { status: "archived" });
    expect(await answerOf(former)).toBe(404);
    await update(id, { status: "published", slug: former });
    expect(await answerOf(former)).toBe(200);
  });

  test("is in an export once, and only if it redirects", async () => {
    const [taken, free] = [await renamed(), await renamed()];
    await create({ slug: taken.former, status: "published" });
    const { id } = await create({ slug: free.former, status: "published" });
    const next = aWord();
    await update(id, { slug: next }, new Date(Date.now() + HOUR));
    const unpublished = await create({ slug: aWord(), status: "published" });
    await update(unpublished.id, { status: "archived" });
    let moves: { from: string; to: string }[] = [];
    for await (const file of exporterOf(articleNoun)!(ownerContext())) {
      if (!file.path.endsWith("former-addresses.json") || !("text" in file)) continue;
      let json = "";
      for await (const part of file.text) json += part;
      moves = JSON.parse(json) as typeof moves;
    }
    const of = (slug: string) => moves.filter(({ from }) => from === `/essays/${slug}`).map(({ to }) => to);
    expect(of(taken.former)).toEqual([]);
    expect(of(free.former)).toEqual([`/essays/${next}`]);
    expect(of(unpublished.slug)).toEqual([]);
  });

  test("is an episode's, too", async () => {
    const [former, slug] = [aWord(), aWord()];
    const ctx = ownerContext();
    const { id } = await createEpisode(ctx, anEpisode({ slug: former, status: "published" }));
    await updateEpisode(ctx, id, { slug });
    const leadsTo = () => findEpisodeBySlug(visitorContext(), former);
    const other = await createEpisode(ctx, anEpisode({ slug: former, status: "draft" }));
    expect(await leadsTo()).toBe(id);
    await updateEpisode(ctx, other.id, { status: "published" });
    expect(await leadsTo()).toBe(other.id);
    await updateEpisode(ctx, other.id, { status: "archived" });
    expect(await leadsTo()).toBe(id);
    await deleteEpisode(ctx, other.id);
    expect(await leadsTo()).toBe(id);
  });
});
