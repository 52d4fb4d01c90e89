import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { articles } from "#worker/articles/table.ts";
import { hasPendingSearch, refreshWholeSearch } from "#worker/discovery/search-refresh.ts";
import { rebuildSearchIndex } from "#worker/discovery/search-index.ts";
import { createIndex, dropIndex } from "#worker/discovery/search-schema.ts";
import { documentStatement, momentStatement, search } from "#worker/discovery/search.ts";
import {
  createEpisode,
  deleteEpisode,
  publishDueEpisodes,
  updateEpisode,
} from "#worker/episodes/commands.ts";
import { pressItems } from "#worker/press/table.ts";
import { overtakenBy } from "./support/accounts.ts";
import { fetchSite, jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { anEpisode } from "./support/factories.ts";
import {
  db,
  find,
  titlesOf,
  aWord,
  anEpisodeWith,
  anArticle,
  aPressItem,
  aTranscript,
} from "./support/search.ts";

describe("a transcript", () => {
  it("is found with the second at which the words are said, and the speaker", async () => {
    const word = aWord();
    const filler = Array.from({ length: 90 }, (_, n) => `This is line ${n} of the talk, which goes on.`);
    const transcript = aTranscript(filler.with(57, `And then the ${word} opened.`));
    const { id, title } = await anEpisodeWith({ transcript });
    const { documents, moments } = await find(word);
    expect(documents).toEqual([]);
    expect(moments).toMatchObject([
      {
        episodeId: id,
        episodeTitle: title,
        seconds: 10 + 57 * 2,
        path: `/episode/${id}?t=124`,
        speaker: "Maren Oakleigh",
      },
    ]);
    expect(moments[0]!.excerpt).toContain(`And then the <mark>${word}</mark> opened.`);
  });

  it("shows the best match of each episode", async () => {
    const word = aWord();
    const far = Array.from({ length: 60 }, (_, n) => `Line ${n} says nothing much at all, really.`);
    const { id } = await anEpisodeWith({
      transcript: aTranscript([word, ...far, `${word} and ${word} and ${word}.`]),
    });
    const { moments } = await find(word);
    expect(moments.map(({ episodeId, seconds }) => [episodeId, seconds])).toEqual([[id, 10 + 61 * 2]]);
  });

  it("is found by a word together with the speaker's name, and not by the name alone", async () => {
    const [word, name] = [aWord(), aWord()];
    await anEpisodeWith({ transcript: aTranscript([`The ${word} is full.`], `Maren ${name}`) });
    expect((await find(`${name} ${word}`)).moments).toHaveLength(1);
    expect((await find(name)).moments).toEqual([]);
  });

  it("distinguishes two speakers", async () => {
    const word = aWord();
    const transcript = aTranscript([`What of the ${word}?`, "It is full."]).replace(
      /Maren Oakleigh(?=>What)/,
      "Imogen Tarrant",
    );
    await anEpisodeWith({ transcript });
    const [moment] = (await find(word)).moments;
    expect(moment).toMatchObject({
      speaker: "Imogen Tarrant",
      excerpt: `What of the <mark>${word}</mark>? – It is full.`,
    });
  });

  it("of a very long episode is indexed completely", async () => {
    const word = aWord();
    const lines = Array.from(
      { length: 3000 },
      (_, n) => `This is line ${n} of a very long talk about nothing.`,
    );
    const { id } = await anEpisodeWith({ transcript: aTranscript(lines.with(2999, `${word}.`)) });
    expect((await find(word)).moments).toMatchObject([{ episodeId: id, seconds: 10 + 2999 * 2 }]);
  });

  it("without a space or a full stop never stops the index, however long it is", async () => {
    const long = await anEpisodeWith({ transcript: "等候室是一项政策".repeat(50_000) });
    const word = aWord();
    await anEpisodeWith({ title: `About ${word}` });
    await refreshWholeSearch(jobContext());
    expect(await hasPendingSearch(jobContext())).toBe(false);
    expect((await find(word)).documents).toHaveLength(1);
    await deleteEpisode(ownerContext(), long.id);
  });

  it("that cannot be indexed holds up no other, and is tried again once an hour", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    const [word, other] = [aWord(), aWord()];
    await anEpisodeWith({ title: `About ${word}` });
    // As after a return to a version that has no such index.
    await db.run(sql`insert into search_pending (target, row) values ('later_search', 1)`);
    const at = (time: string) => jobContext({ now: new Date(`2026-06-10T${time}Z`) });
    await refreshWholeSearch(at("12:01:00"));
    expect(logged).toHaveBeenCalledTimes(1);
    expect(await db.all(sql`select target from search_pending`)).toEqual([{ target: "later_search" }]);
    expect((await find(word)).documents).toHaveLength(1);
    expect(await hasPendingSearch(at("12:02:00"))).toBe(false);
    await anEpisodeWith({ title: `About ${other}` });
    expect((await find(other)).documents).toHaveLength(1);
    await refreshWholeSearch(at("12:03:00"));
    expect(logged).toHaveBeenCalledTimes(1);
    expect(await hasPendingSearch(at("13:00:00"))).toBe(true);
    await refreshWholeSearch(at("13:00:00"));
    expect(logged).toHaveBeenCalledTimes(2);
    await db.run(sql`delete from search_pending`);
    logged.mockRestore();
  });

  it("is shown in part beside other results, and page by page on its own", async () => {
    const word = aWord();
    const ids: number[] = [];
    for (let n = 0; n < 13; n++) {
      ids.push((await anEpisodeWith({ transcript: aTranscript([`The ${word} again.`]) })).id);
    }
    expect(await find(word)).toMatchObject({ moments: { length: 3 }, hasMoreMoments: true });
    const first = await find(word, { kind: "transcript" });
    const second = await find(word, { kind: "transcript", before: first.next! });
    expect(second.next).toBeNull();
    const found = [...first.moments, ...second.moments].map(({ episodeId }) => episodeId);
    expect(found.toSorted((a, b) => a - b)).toEqual(ids);
  });
});

describe("the search index is updated", () => {
  const isFound = async (word: string) => {
    const { documents, moments } = await find(word);
    return documents.length + moments.length > 0;
  };

  it("when an episode with a transcript is edited, archived, published again and deleted", async () => {
    const [title, said, newTitle, newSaid] = [aWord(), aWord(), aWord(), aWord()];
    const { id } = await anEpisodeWith({ title, transcript: aTranscript([said]) });
    expect([await isFound(title), await isFound(said)]).toEqual([true, true]);
    await updateEpisode(ownerContext(), id, { title: newTitle, transcript: aTranscript([newSaid]) });
    expect([await isFound(title), await isFound(said)]).toEqual([false, false]);
    expect([await isFound(newTitle), await isFound(newSaid)]).toEqual([true, true]);
    for (const status of ["archived", "draft"] as const) {
      await updateEpisode(ownerContext(), id, { status });
      expect([await isFound(newTitle), await isFound(newSaid)]).toEqual([false, false]);
    }
    await updateEpisode(ownerContext(), id, { status: "published" });
    expect([await isFound(newTitle), await isFound(newSaid)]).toEqual([true, true]);
    await deleteEpisode(ownerContext(), id);
    expect([await isFound(newTitle), await isFound(newSaid)]).toEqual([false, false]);
    expect(
      await db.all(sql`select term from search_vocabulary where term in (${newTitle}, ${newSaid})`),
    ).toEqual([]);
  });

  it("when a scheduled episode is published", async () => {
    const word = aWord();
    const at = Date.now() + 60_000;
    const episode = anEpisode({
      title: word,
      status: "scheduled",
      scheduledFor: at,
      transcript: aTranscript(["Later."]),
    });
    await createEpisode(ownerContext(), episode);
    expect(await isFound(word)).toBe(false);
    await publishDueEpisodes(jobContext({ now: new Date(at) }));
    expect(await isFound(word)).toBe(true);
  });

  it("when an essay is drafted, published, edited, archived and deleted", async () => {
    const [word, other] = [aWord(), aWord()];
    const { id } = await anArticle({ title: word, status: "draft" });
    const set = (values: Partial<typeof articles.$inferInsert>) =>
      db
        .update(articles)
        .set(values)
        .where(sql`id = ${id}`);
    expect(await isFound(word)).toBe(false);
    await set({ status: "published" });
    expect(await isFound(word)).toBe(true);
    await set({ readingMinutes: 7, contentText: other });
    expect([await isFound(word), await isFound(other)]).toEqual([true, true]);
    await set({ status: "archived" });
    expect([await isFound(word), await isFound(other)]).toEqual([false, false]);
    await set({ status: "published" });
    await db.delete(articles).where(sql`id = ${id}`);
    expect(await isFound(word)).toBe(false);
  });

  it("when a press item is hidden, published, edited and deleted", async () => {
    const [word, other] = [aWord(), aWord()];
    const { id } = await aPressItem({ title: word, published: false });
    const set = (values: Partial<typeof pressItems.$inferInsert>) =>
      db
        .update(pressItems)
        .set(values)
        .where(sql`id = ${id}`);
    expect(await isFound(word)).toBe(false);
    await set({ published: true });
    expect(await isFound(word)).toBe(true);
    await set({ title: other });
    expect([await isFound(word), await isFound(other)]).toEqual([false, true]);
    await set({ published: false });
    expect(await isFound(other)).toBe(false);
    await set({ published: true });
    await db.delete(pressItems).where(sql`id = ${id}`);
    expect(await isFound(other)).toBe(false);
  });

  it("with the stored transcript, when two changes are concurrent", async () => {
    const [old, first, second] = [aWord(), aWord(), aWord()];
    const { id } = await anEpisodeWith({ transcript: aTranscript([`${old}.`]) });
    const change = () => updateEpisode(ownerContext(), id, { transcript: aTranscript([`${first}.`]) });
    const late = updateEpisode(overtakenBy(ownerContext(), change), id, {
      transcript: aTranscript([`${second}.`]),
    });
    await expect(late).rejects.toThrow("changed elsewhere");
    const moments = async (word: string) => (await find(word, { kind: "transcript" })).moments.length;
    expect([await moments(old), await moments(first), await moments(second)]).toEqual([0, 1, 0]);
  });

  it("and passes FTS5's own integrity check", async () => {
    for (const table of [
      "document_search",
      "moment_search",
      "search_words",
      "search_compounds",
      "article_search",
    ])
      await db.run(sql.raw(`insert into ${table} (${table}) values ('integrity-check')`));
    const [{ passages } = { passages: 0 }] = await db.all<{ passages: number }>(
      sql`select count(*) as passages from episode_passages where episode_id not in (select id from episodes)`,
    );
    expect(passages).toBe(0);
  });
});

describe("rebuilding the search index", () => {
  const run = (statements: string[]) =>
    db.batch([db.run("select 1"), ...statements.map((text) => db.run(text))]);

  /** The index's schema, without formatting. */
  async function definitions() {
    const rows = await db.all<{ name: string; sql: string }>(
      sql`select name, sql from sqlite_master where name like '%search%' and sql is not null order by name`,
    );
    return rows.map(({ name, sql: text }) => [
      name,
      text.replaceAll("`", "").replace(/\s+/g, " ").replaceAll("( ", "(").replaceAll(" )", ")"),
    ]);
  }

  it("creates the same schema as the migrations", async () => {
    // This drops the tables of the former version.
    await refreshWholeSearch(jobContext());
    const migrated = await definitions();
    expect(migrated.length).toBeGreaterThan(createIndex.filter((text) => text.startsWith("CREATE")).length);
    await rebuildSearchIndex(ownerContext());
    expect(await definitions()).toEqual(migrated);
  });

  it("finds the same as before, also after an export for which the index was removed", async () => {
    const word = aWord();
    const { id } = await anEpisodeWith({ title: word, transcript: aTranscript([`The ${word}.`]) });
    const article = await anArticle({ title: word });
    await aPressItem({ content: `${word} verandah` });
    await anArticle({ title: `${word} draft`, status: "draft" });
    const before = await find(word);
    expect([before.documents.length, before.moments.length]).toEqual([3, 1]);
    await run(dropIndex);
    expect(await db.all(sql`select name from sqlite_master where sql like '%fts5%'`)).toEqual([]);
    // A concurrent write.
    await db
      .update(articles)
      .set({ title: `${word} again` })
      .where(sql`id = ${article.id}`);
    const owner = ownerContext();
    const { documents } = await rebuildSearchIndex(owner);
    const [{ published } = { published: 0 }] = await db.all<{ published: number }>(sql`select
      (select count(*) from episodes where status = 'published') +
      (select count(*) from articles where status = 'published') +
      (select count(*) from press_items where published = 1) as published`);
    expect(documents).toBe(published);
    expect(owner.invalidation.isDue).toBe(true);
    const after = await find(word);
    expect(titlesOf(after)).toContain(`${word} again`);
    expect(after.documents.map(({ path }) => path).toSorted()).toEqual(
      before.documents.map(({ path }) => path).toSorted(),
    );
    expect(after.moments).toEqual(before.moments);
    expect((await find(`${word} verendah`)).correction).toBe(`${word} verandah`);
    await updateEpisode(ownerContext(), id, { title: "Another", transcript: "" });
    expect(await find(word)).toMatchObject({ documents: { length: 2 }, moments: [] });
  });

  it("is for users who may change settings", async () => {
    await expect(rebuildSearchIndex(visitorContext())).rejects.toMatchObject({ code: "unauthenticated" });
  });
});

describe("a hostile search query", () => {
  it.each([
    ["quotes", '"'],
    ["an open phrase", '"lease'],
    ["doubled quotes", '""lease"" OR ""x'],
    ["an operator", "lease AND"],
    ["operators alone", "AND OR NOT"],
    ["NEAR", "NEAR(lease policy, 5)"],
    ["a column filter", "title:lease {title body}: lease -title : x"],
    ["stars and carets", "^lease* *"],
    ["parentheses", "((lease"],
    ["SQL", "'; drop table episodes; --"],
    ["emoji", "🏡🌏👩‍👩‍👧"],
    ["half a character", "lease \uD83C"],
    ["control characters", "lease\u0000\u0002\uE000\u001F"],
    ["a character of no word", "%_\\/?&=+"],
    ["another script", "住房 жильё السكن आवास"],
    ["a thousand characters", "lease ".repeat(167)],
    ["a thousand letters", "l".repeat(1000)],
    ["two hundred words", Array.from({ length: 100 }, (_, n) => `w${n}`).join(" ")],
    ["a plus and apostrophes", "c++ o''neil '’' don't"],
  ])("of %s gets a response", async (_, q) => {
    const results = await find(q);
    expect(Array.isArray(results.documents)).toBe(true);
    expect((await find(q, { kind: "transcript" })).documents).toEqual([]);
    expect((await fetchSite(`/search?q=${encodeURIComponent(q.toWellFormed())}`)).status).toBe(200);
  });

  it.each(["", "   ", '"*"', "…", "©", "'", "--"])("without a word, %j, runs no statement", async (q) => {
    const own = visitorContext();
    own.d1.statements = 0;
    expect(await search(own, { q })).toMatchObject({ documents: [], moments: [], next: null });
    expect(own.d1.statements).toBe(0);
  });

  it("finds a word between punctuation", async () => {
    const word = aWord();
    const { title } = await anArticle({ title: word });
    for (const q of [
      `"${word}"`,
      `(${word}*`,
      `-${word}`,
      `title:${word}`.replace("title:", ":"),
      `AND" ${word}`,
    ]) {
      expect(titlesOf(await find(q))).toEqual([title]);
    }
  });
});

describe("the cost of a search", () => {
  const planOf = async (statement: ReturnType<typeof documentStatement>) =>
    (await db.all<{ detail: string }>(sql`explain query plan ${statement}`)).map(({ detail }) => detail);

  it("is four statements in one round trip, two more for longer words, one for a spelling suggestion, five for its results", async () => {
    const [word, other] = [aWord(), aWord()];
    await anArticle({ title: `${word} ${other}` });
    await find(word);
    const statements = async (q: string) => {
      const own = visitorContext();
      own.d1.statements = 0;
      await search(own, { q });
      return own.d1.statements;
    };
    expect(await statements(word)).toBe(6);
    expect(await statements(aWord())).toBe(7);
    expect(await statements(`${word.slice(0, 5)}${word.slice(6)} ${other}`)).toBe(12);
  });

  it("is low: each statement uses the index of words, and then primary keys", async () => {
    const documents = await planOf(documentStatement(["lease"], "essay", { rank: -1, id: 4 }));
    const moments = await planOf(momentStatement(["lease"], 4, { rank: -1, id: 4 }));
    for (const plan of [documents, moments]) {
      expect(plan.join("\n")).toMatch(/SCAN (document|moment)_search VIRTUAL TABLE INDEX \d+:.*M/);
      const scanned = plan.filter((step) =>
        /^SCAN (?!(document|moment)_search VIRTUAL|(json_each|word|needle) VIRTUAL|ranked|placed|best|shown|\()/.test(
          step,
        ),
      );
      expect(scanned).toEqual([]);
      const sought = plan.filter((step) => /^SEARCH (?!json_each|word|needle)/.test(step));
      expect(sought.length).toBeGreaterThan(0);
      for (const step of sought) expect(step).toContain("USING INTEGER PRIMARY KEY");
    }
  });
});
