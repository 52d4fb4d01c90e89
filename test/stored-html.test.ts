import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { articles } from "#worker/articles/table.ts";
import { updateEpisode } from "#worker/episodes/commands.ts";
import type { EpisodeChange } from "#worker/episodes/contract.ts";
import { episodes } from "#worker/episodes/table.ts";
import { letters } from "#worker/letters/table.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Client } from "#worker/platform/data/database.ts";
import { RENDERER_VERSION, renderMarkdown } from "#worker/platform/text/markdown.ts";
import { pressItems } from "#worker/press/table.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { renderStoredTexts } from "#worker/rendering/commands.ts";
import { renderSlice } from "#worker/rendering/render-slice.ts";
import { renderPasses } from "#worker/rendering/table.ts";
import { storedHtml } from "#worker/nouns/list.ts";
import { archivedLetter, setArchive } from "./support/archive.ts";
import { publishedArticle } from "./support/articles.ts";
import { fetchSite, jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { aPressItem, publishedEpisode, savedShow } from "./support/factories.ts";
import { savedLetter } from "./support/letters.ts";
import { open } from "./support/pages.ts";
import everyConstruct from "./fixtures/every-construct.txt?raw";

const { db } = ownerContext();
const render = (ctx: Context = jobContext({ clock: () => new Date() })) => renderStoredTexts(ctx, storedHtml);

beforeEach(async () => {
  await db.delete(renderPasses);
  await db.delete(articles);
});

/** Stored by a version that did not know Chinese punctuation. */
const text = "他说**“你好。”**然后走了";
const former = "<p>他说**“你好。”**然后走了</p>";
const current = "<p>他说<strong>“你好。”</strong>然后走了</p>";

describe("HTML that a former version stored", () => {
  test("is rendered again for articles, episodes, media items and letters, without counting as an edit", async () => {
    const article = await publishedArticle({ content: text });
    const episode = await publishedEpisode({ showNotes: text });
    const press = await createPressItem(ownerContext(), aPressItem({ content: text }));
    const letter = await savedLetter({ content: text });
    await setArchive(true);
    await savedShow();
    const sent = { id: await archivedLetter({ content: text }) };
    await db.update(articles).set({ contentHtml: former });
    await db.update(episodes).set({ showNotesHtml: former });
    await db.update(pressItems).set({ contentHtml: former });
    await db.update(letters).set({ contentHtml: former });
    const before = await rows(article.id, episode.id, press.id, letter.id, sent.id);
    expect((await open(`/essays/${article.slug}`)).html).toContain(former);
    expect((await open(`/letters/${sent.id}`)).html).toContain(former);

    await render();
    const after = await rows(article.id, episode.id, press.id, letter.id, sent.id);
    for (const [index, row] of after.entries()) {
      const name = "showNotesHtml" in row ? "showNotesHtml" : "contentHtml";
      expect(row).toEqual({ ...before[index], [name]: current });
    }
    expect((await open(`/essays/${article.slug}`)).html).toContain(current);
    expect((await open(`/episode/${episode.id}`)).html).toContain(current);
    expect((await open("/media")).html).toContain(current);
    expect((await open(`/letters/${sent.id}`)).html).toContain(current);
    expect(await (await fetchSite("/rss/podcast.xml")).text()).toContain(current);
  });

  test("is rendered once for each version of the renderer", async () => {
    const { id } = await publishedArticle({ content: text });
    await render();
    await db.update(articles).set({ contentHtml: former });
    await render();
    expect(await htmlOf(id)).toBe(former);
    await db.update(renderPasses).set({ version: RENDERER_VERSION - 1 });
    await render();
    expect(await htmlOf(id)).toBe(current);
  });

  test("is rendered in slices, and the next run continues where the last one ended", async () => {
    for (let count = 0; count < 45; count++) await publishedArticle({ content: text });
    await db.update(articles).set({ contentHtml: former });
    // Each read of the clock is three seconds later: a run of five seconds processes one or two slices of 20.
    const slowly = () => {
      let time = Date.now();
      return jobContext({ clock: () => new Date((time += 3000)) });
    };
    const left = () => db.$count(articles, eq(articles.contentHtml, former));
    await render(slowly());
    const afterOne = await left();
    expect(afterOne).toBeGreaterThan(0);
    expect(afterOne).toBeLessThan(45);
    for (let run = 0; run < 12; run++) await render(slowly());
    expect(await left()).toBe(0);
    expect(await db.select().from(renderPasses)).toHaveLength(Object.keys(storedHtml).length);
  });

  test("is kept if a text cannot be rendered, and the others are rendered", async () => {
    const bad = await publishedArticle({ content: text });
    const good = await publishedArticle({ content: text });
    await db.update(articles).set({ contentHtml: former });
    await db
      .update(articles)
      .set({ content: ">".repeat(50_000) })
      .where(eq(articles.id, bad.id));
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    await render();
    expect(log).toHaveBeenCalled();
    log.mockRestore();
    expect([await htmlOf(bad.id), await htmlOf(good.id)]).toEqual([former, current]);
  });

  test("includes transcripts that were stored as plain text before their format was known", async () => {
    const json = JSON.stringify({
      segments: [{ start: 0.5, end: 2, text: " Of bandicoots.", speaker: "Zoë" }],
    });
    const plain = "[00:01:02] Zoë: Of bilbies.";
    const [raw, other, broken] = await Promise.all(
      ["", plain, ""].map((transcript) => publishedEpisode({ transcript })),
    );
    const isRaw = eq(episodes.id, raw!.id);
    await db.update(episodes).set({ transcript: json, showNotesText: json }).where(isRaw);
    await db.update(episodes).set({ transcript: '{"results":' }).where(eq(episodes.id, broken!.id));
    const [before] = await db.select().from(episodes).where(isRaw);
    expect((await open(`/episode/${raw!.id}`)).html).toContain("segments");

    await render();
    const [after] = await db.select().from(episodes).where(isRaw);
    expect(after).toEqual({
      ...before,
      transcript: "WEBVTT\n\n00:00:00.500 --> 00:00:02.000\n<v Zoë>Of bandicoots.\n",
      cues: [{ start: 0.5, end: 2, speaker: "Zoë", text: "Of bandicoots." }],
      showNotesText: "",
    });
    expect((await open(`/episode/${raw!.id}`)).html).not.toContain("segments");
    expect(await (await fetchSite("/api/search?q=bandicoots")).text()).toContain(raw!.title);
    // Plain text and unreadable text is not changed.
    const [kept, unread] = await Promise.all(
      [other!.id, broken!.id].map((id) => db.select().from(episodes).where(eq(episodes.id, id))),
    );
    expect([kept![0]!.transcript, unread![0]!.transcript]).toEqual([plain, '{"results":']);
  });

  describe("and an episode that is saved while it is rendered again", () => {
    const formerly = (id: number) =>
      db.update(episodes).set({ showNotesHtml: former }).where(eq(episodes.id, id));
    const rowOf = async (id: number) => (await db.select().from(episodes).where(eq(episodes.id, id)))[0]!;

    test("keeps the new HTML and transcript if the save had read the row before", async () => {
      const transcript = JSON.stringify({ segments: [{ start: 0.5, end: 2, text: "Of wombats." }] });
      const { id } = await publishedEpisode({ showNotes: text });
      await formerly(id);
      await db.update(episodes).set({ transcript }).where(eq(episodes.id, id));
      await updateEpisode(beforeItsWrite(ownerContext(), render), id, { title: "Saved" });
      expect(await rowOf(id)).toMatchObject({
        title: "Saved",
        showNotesHtml: current,
        transcript: "WEBVTT\n\n00:00:00.500 --> 00:00:02.000\nOf wombats.\n",
        cues: [{ text: "Of wombats." }],
      });
      expect(await (await fetchSite("/api/search?q=wombats")).text()).toContain("Saved");
    });

    test("gets the new HTML if the save changed nothing that it is made of", async () => {
      const { id } = await publishedEpisode({ showNotes: text });
      await formerly(id);
      const save = () => updateEpisode(ownerContext(), id, { title: "Saved" });
      await renderSlice(beforeItsWrite(jobContext(), save), storedHtml.episode!, id - 1, 1);
      expect(await rowOf(id)).toMatchObject({ title: "Saved", showNotesHtml: current });
    });

    test("gets the passages of its transcript if the save changed nothing that they are made of", async () => {
      const transcript = JSON.stringify({ segments: [{ start: 0.5, end: 2, text: "Of numbats." }] });
      const { id } = await publishedEpisode();
      await db.update(episodes).set({ transcript }).where(eq(episodes.id, id));
      const save = () => updateEpisode(ownerContext(), id, { title: "Saved" });
      await renderSlice(beforeItsWrite(jobContext(), save), storedHtml.transcript!, id - 1, 1);
      expect(await (await fetchSite("/api/search?q=numbats")).text()).toContain("Saved");
    });

    test.each<[string, EpisodeChange, Partial<typeof episodes.$inferSelect>]>([
      ["notes", { showNotes: "Other notes" }, { showNotesHtml: "<p>Other notes</p>" }],
      ["plain transcript", { transcript: "Of quokkas." }, { showNotesText: "At 0:30\nOf quokkas." }],
      ["length", { durationSeconds: 20 }, { showNotesHtml: "<p>At 0:30</p>" }],
    ])("has the HTML and text of the saved %s", async (_what, change, expected) => {
      const { id } = await publishedEpisode({ showNotes: "At 0:30", durationSeconds: 60, audioFileId: null });
      await formerly(id);
      const save = () => updateEpisode(ownerContext(), id, change);
      await renderSlice(beforeItsWrite(jobContext(), save), storedHtml.episode!, id - 1, 1);
      expect(await rowOf(id)).toMatchObject(expected);
    });
  });

  test("is rendered for jobs and editors alone", async () => {
    await expect(render(visitorContext())).rejects.toMatchObject({ code: "unauthenticated" });
  });
});

/** A context whose first batch runs after `work`: what it writes was read before. */
function beforeItsWrite(ctx: Context, work: () => Promise<unknown>): Context {
  let first: Promise<unknown> | undefined;
  const { $client } = ctx.db as unknown as { $client: Client };
  const after = (client: D1Database): D1Database => {
    const batch = client.batch.bind(client);
    client.batch = async (statements) => {
      await (first ??= work());
      return batch(statements);
    };
    return client;
  };
  const oneBatch = $client.oneBatch.bind($client);
  $client.oneBatch = () => after(oneBatch());
  after($client);
  return ctx;
}

const htmlOf = async (id: number) =>
  (await db.select({ html: articles.contentHtml }).from(articles).where(eq(articles.id, id)))[0]!.html;

const rows = async (article: number, episode: number, press: number, ...ofLetters: number[]) => [
  ...(await db.select().from(articles).where(eq(articles.id, article))),
  ...(await db.select().from(episodes).where(eq(episodes.id, episode))),
  ...(await db.select().from(pressItems).where(eq(pressItems.id, press))),
  ...(await db.select().from(letters).where(eq(letters.id, ofLetters[0]!))),
  ...(await db.select().from(letters).where(eq(letters.id, ofLetters[1]!))),
];

/**
 * SHA-256 of what this version makes of every construct. Where it is another: raise `RENDERER_VERSION`, and write both here.
 */
const made = { version: 1, digest: "af52f13b05679899643bb9e751110fe319a8b682f1e85fddc9b45fe2c0ec47e2" };

test("RENDERER_VERSION is raised when the renderer's output changes", () => {
  const { html, text: plain } = renderMarkdown(everyConstruct);
  const digest = createHash("sha256")
    .update(JSON.stringify([html, plain]))
    .digest("hex");
  expect({ version: RENDERER_VERSION, digest }).toEqual(made);
});
