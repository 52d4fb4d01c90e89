import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { articles } from "#worker/articles/table.ts";
import type { SearchResults } from "#worker/discovery/contract.ts";
import { documentStatement, momentStatement, search } from "#worker/discovery/search.ts";
import type { NewEpisode } from "#worker/episodes/contract.ts";
import {
  createEpisode,
  deleteEpisode,
  publishDueEpisodes,
  updateEpisode,
} from "#worker/episodes/episodes.ts";
import { pressItems } from "#worker/press/table.ts";
import { fetchSite, jobContext, ownerContext, visitorContext } from "./support/client.ts";
import { anEpisode, publishedEpisode, unique } from "./support/factories.ts";

const ctx = visitorContext();
const { db } = ownerContext();

const find = (q: string, rest: Omit<Parameters<typeof search>[1], "q"> = {}) => search(ctx, { q, ...rest });
const plain = (html: string) => html.replace(/<\/?mark>/g, "");
const titlesOf = ({ documents }: SearchResults) => documents.map(({ title }) => plain(title));

/** A word that nothing else in this file has, nor one like it. */
function aWord() {
  const letters = crypto.getRandomValues(new Uint8Array(10)).map((byte) => 97 + (byte % 26));
  return `${String.fromCharCode(...letters)}x`;
}

const anEpisodeWith = (values: Partial<NewEpisode>) => publishedEpisode({ audioFileId: null, ...values });

async function anArticle(values: Partial<typeof articles.$inferInsert> = {}) {
  const n = unique();
  const [row] = await db
    .insert(articles)
    .values({
      slug: `article-${n}`,
      title: `Article ${n}`,
      excerpt: "",
      status: "published",
      publishedAt: ctx.now,
      tags: [],
      imageAlt: "",
      metaTitle: "",
      metaDescription: "",
      metaKeywords: "",
      readingMinutes: 1,
      source: "original",
      createdAt: ctx.now,
      updatedAt: ctx.now,
      content: "",
      contentHtml: "",
      embeddedFileIds: [],
      ...values,
    })
    .returning();
  return row!;
}

async function aPressItem(values: Partial<typeof pressItems.$inferInsert> = {}) {
  const [row] = await db
    .insert(pressItems)
    .values({
      type: "press_release",
      title: `Release ${unique()}`,
      summary: "",
      outlet: "",
      date: ctx.now,
      mediaType: "",
      published: true,
      createdAt: ctx.now,
      updatedAt: ctx.now,
      content: "",
      contentHtml: "",
      embeddedFileIds: [],
      ...values,
    })
    .returning();
  return row!;
}

/** Cues of two seconds each from 10 on. */
const aTranscript = (lines: string[], speaker = "Maren Oakleigh") =>
  `WEBVTT\n\n${lines
    .map((line, index) => {
      const clock = (s: number) => new Date(s * 1000).toISOString().slice(11, 23);
      return `${clock(10 + index * 2)} --> ${clock(12 + index * 2)}\n<v ${speaker}>${line}`;
    })
    .join("\n\n")}\n`;

describe("what is found", () => {
  it.each([
    ["an episode by its title", (word: string) => anEpisodeWith({ title: `The ${word} is a policy` })],
    ["an episode by its description", (word: string) => anEpisodeWith({ description: `About the ${word}.` })],
    [
      "an episode by its show notes",
      (word: string) => anEpisodeWith({ showNotes: `Read **${word}** first.` }),
    ],
    [
      "an episode by its people",
      (word: string) =>
        anEpisodeWith({ people: [{ name: `Maren ${word}`, role: "guest", group: "cast", href: null }] }),
    ],
    ["an essay by its title", (word: string) => anArticle({ title: `The ${word}` })],
    ["an essay by its excerpt", (word: string) => anArticle({ excerpt: `About ${word}.` })],
    ["an essay by its text", (word: string) => anArticle({ contentHtml: `<p>On <em>${word}</em>.</p>` })],
    ["an essay by a tag", (word: string) => anArticle({ tags: ["housing", word] })],
    ["a press item by its title", (word: string) => aPressItem({ title: `On ${word}` })],
    ["a press item by its summary", (word: string) => aPressItem({ summary: `On ${word}` })],
    ["a press item by its outlet", (word: string) => aPressItem({ outlet: `The ${word} Times` })],
    ["a press item by its text", (word: string) => aPressItem({ contentHtml: `<p>${word}</p>` })],
  ])("is %s", async (_, make) => {
    const word = aWord();
    const { title } = await make(word);
    expect(titlesOf(await find(word))).toEqual([title]);
  });

  it("leads to its own page", async () => {
    const word = aWord();
    const episode = await anEpisodeWith({ title: word });
    const article = await anArticle({ title: word });
    const item = await aPressItem({ title: word });
    const paths = (await find(word)).documents.map(({ kind, path }) => [kind, path]);
    expect(paths.toSorted()).toEqual([
      ["episode", `/episode/${episode.id}`],
      ["essay", `/essays/${article.slug}`],
      ["press", `/media?item=${item.id}#press-${item.id}`],
    ]);
  });

  it("bears all the words, wherever each of them stands", async () => {
    const [one, other] = [aWord(), aWord()];
    const both = await anArticle({ title: `About ${one}`, contentHtml: `<p>${other}</p>` });
    await anArticle({ title: one });
    await anArticle({ title: other });
    expect(titlesOf(await find(`${other} ${one}`))).toEqual([both.title]);
  });

  it("may be narrowed to one kind", async () => {
    const word = aWord();
    const { title } = await anArticle({ title: `Essay ${word}` });
    await aPressItem({ title: word });
    expect(titlesOf(await find(word, { kind: "essay" }))).toEqual([title]);
    expect(titlesOf(await find(word, { kind: "episode" }))).toEqual([]);
  });

  it("does not hang on small words that the question has and the text has not", async () => {
    const word = aWord();
    const { title } = await anArticle({ title: word });
    expect(titlesOf(await find(`what is the ${word} of`))).toEqual([title]);
  });
});

describe("the order", () => {
  it("is title, then description, then text, however often the text has the word", async () => {
    const word = aWord();
    const inText = await anArticle({ contentHtml: `<p>${`${word} again. `.repeat(40)}</p>` });
    const inExcerpt = await anArticle({
      excerpt: `About ${word}.`,
      contentHtml: "<p>Something else.</p>".repeat(20),
    });
    const inTitle = await anArticle({
      title: `On ${word}`,
      contentHtml: `<p>${"Something else altogether. ".repeat(60)}</p>`,
    });
    expect(titlesOf(await find(word))).toEqual([inTitle.title, inExcerpt.title, inText.title]);
  });

  it("puts a whole word before the beginning of another", async () => {
    const word = aWord();
    const longer = await anArticle({ title: `${word}gate` });
    const whole = await anArticle({ title: word });
    expect(titlesOf(await find(word))).toEqual([whole.title, longer.title]);
  });

  it("goes on page by page, each result once", async () => {
    const word = aWord();
    const titles = new Set<string>();
    for (let n = 0; n < 45; n++) titles.add((await anArticle({ title: `${word} ${n % 9}` })).title);
    const ids: number[] = [];
    let before: string | undefined;
    do {
      const page = await find(word, { before });
      ids.push(...page.documents.map(({ id }) => id));
      before = page.next ?? undefined;
    } while (before);
    expect(ids).toHaveLength(45);
    expect(new Set(ids).size).toBe(45);
  });

  it("has no page that it did not hand out", async () => {
    for (const before of ["yesterday", "1", "_", "1_2_3", "1e999_", "--1_2"]) {
      await expect(find("policy", { before })).rejects.toMatchObject({ code: "not_found" });
    }
  });
});

describe("how words are matched", () => {
  it.each([
    ["leases", "leasing"],
    ["policy", "policies"],
    ["Café", "cafe"],
    ["cafe", "CAFÉ"],
    ["Straße", "straße"],
    ["don’t", "don't"],
  ])("%s is found by %s", async (written, asked) => {
    const word = aWord();
    const { title } = await anArticle({ title: `${word} ${written}` });
    expect(titlesOf(await find(`${word} ${asked}`))).toEqual([title]);
  });

  it("the last word may be unfinished, the ones before it not", async () => {
    const word = aWord();
    const { title } = await anArticle({ title: `${word} verandah` });
    expect(titlesOf(await find(`${word} veran`))).toEqual([title]);
    expect(titlesOf(await find(`veran ${word}`))).toEqual([]);
  });

  it("an unfinished word that stemming would miss is finished", async () => {
    const word = aWord();
    const { title } = await anArticle({ title: `${word} conversation` });
    const found = await find(`${word} conversati`);
    expect(titlesOf(found)).toEqual([title]);
    expect(found.correction).toBe(`${word} conversation`);
  });

  it.each([
    ["a swapped pair", "vernadah"],
    ["a missing letter", "verndah"],
    ["a letter too many", "verrandah"],
    ["a wrong letter", "verendah"],
    ["two slips in a long word", "verrendah"],
  ])("%s is forgiven where nothing is spelt so", async (_, typed) => {
    const word = aWord();
    const { title } = await anArticle({ title: `${word} verandah` });
    const found = await find(`${typed} ${word}`);
    expect(titlesOf(found)).toEqual([title]);
    expect(found.correction).toBe(`verandah ${word}`);
  });

  it("a slip in an unfinished word is forgiven too", async () => {
    const word = aWord();
    const { title } = await anArticle({ title: `${word} parliamentary` });
    expect(titlesOf(await find(`${word} parlima`))).toEqual([title]);
  });

  it("nothing is guessed where something is spelt so, nor for short words, nor from far away", async () => {
    const word = aWord();
    await anArticle({ title: `${word} stone cat` });
    const typed = await anArticle({ title: `${word} store` });
    const found = await find(`store ${word}`);
    expect([titlesOf(found), found.correction]).toEqual([[typed.title], null]);
    for (const far of ["cot", "stoniest", "bricks"]) {
      expect(await find(`${far} ${word}`)).toMatchObject({ documents: [], moments: [], correction: null });
    }
  });

  it("words of things that are no longer published are not guessed at", async () => {
    const [word, secret] = [aWord(), `secretive${aWord()}`];
    const { id } = await anArticle({ title: `${word} ${secret}` });
    await anArticle({ title: word });
    await db
      .update(articles)
      .set({ status: "draft" })
      .where(sql`id = ${id}`);
    const terms = await db.all(sql`select term from search_vocabulary where term = ${secret}`);
    expect(terms).toEqual([]);
    expect(await find(`${secret.slice(0, -1)} ${word}`)).toMatchObject({ documents: [], correction: null });
  });
});

describe("what is shown of a result", () => {
  it("is its title and the lines around the words, which are marked", async () => {
    const word = aWord();
    await anArticle({
      title: `The ${word} and I`,
      excerpt: "Not here.",
      contentHtml: `<p>${"Before. ".repeat(60)}</p>\n<p>There it is, the <a href="/x">${word}</a>, at last.</p>\n<p>${"After. ".repeat(60)}</p>`,
    });
    const [hit] = (await find(word)).documents;
    expect(hit!.title).toBe(`The <mark>${word}</mark> and I`);
    expect(hit!.excerpt).toContain(`There it is, the <mark>${word}</mark>, at last.`);
    expect(hit!.excerpt).toMatch(/^…/);
  });

  it("is the description where the words are in the title alone", async () => {
    const word = aWord();
    await anEpisodeWith({ title: word, description: "Nine days for an appointment.", showNotes: "Notes." });
    expect((await find(word)).documents[0]!.excerpt).toBe("Nine days for an appointment.");
  });

  it("names the person who was looked for", async () => {
    const word = aWord();
    const people = ["Imogen Tarrant", `Maren ${word}`].map((name) => ({
      name,
      role: "host",
      group: "cast",
      href: null,
    }));
    await anEpisodeWith({ people });
    expect((await find(word)).documents[0]!.names).toBe(`Imogen Tarrant, Maren <mark>${word}</mark>`);
  });

  it("is text, whatever it holds", async () => {
    const word = aWord();
    const title = `<img src=x onerror="alert(1)"> ${word} & \uE000 <mark>`;
    await anEpisodeWith({ title, description: `${word} </mark><script>` });
    const [hit] = (await find(word)).documents;
    expect(hit!.title).toBe(
      `&lt;img src=x onerror=&quot;alert(1)&quot;&gt; <mark>${word}</mark> &amp;  &lt;mark&gt;`,
    );
    expect(hit!.excerpt).toBe(`<mark>${word}</mark> &lt;/mark&gt;&lt;script&gt;`);
  });

  it("is the text of HTML, and never its tags, attributes or entities", async () => {
    const word = aWord();
    await anArticle({
      contentHtml: `<h2>Head</h2>\n<p class="hidden${word}">One<br>two &#x26; ${word} &#x3C;b> \\n <strong>bold</strong>.</p>\n<ul>\n<li>a</li><li>b</li></ul>`,
    });
    expect((await find(`hidden${word}`)).documents).toEqual([]);
    expect((await find(word)).documents[0]!.excerpt.replace(/\s+/g, " ").trim()).toBe(
      `Head One two &amp; <mark>${word}</mark> &lt;b&gt; \\n bold. a b`,
    );
  });
});

describe("a transcript", () => {
  it("leads to the second at which the words were said, and names who said them", async () => {
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

  it("shows of each episode its best moment", async () => {
    const word = aWord();
    const far = Array.from({ length: 60 }, (_, n) => `Line ${n} says nothing much at all, really.`);
    const { id } = await anEpisodeWith({
      transcript: aTranscript([word, ...far, `${word} and ${word} and ${word}.`]),
    });
    const { moments } = await find(word);
    expect(moments.map(({ episodeId, seconds }) => [episodeId, seconds])).toEqual([[id, 10 + 61 * 2]]);
  });

  it("is found by a word together with the name of who says it, and not by the name alone", async () => {
    const [word, name] = [aWord(), aWord()];
    await anEpisodeWith({ transcript: aTranscript([`The ${word} is full.`], `Maren ${name}`) });
    expect((await find(`${name} ${word}`)).moments).toHaveLength(1);
    expect((await find(name)).moments).toEqual([]);
  });

  it("tells two voices apart", async () => {
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

  it("of a very long episode is indexed whole", async () => {
    const word = aWord();
    const lines = Array.from(
      { length: 3000 },
      (_, n) => `This is line ${n} of a very long talk about nothing.`,
    );
    const { id } = await anEpisodeWith({ transcript: aTranscript(lines.with(2999, `${word}.`)) });
    expect((await find(word)).moments).toMatchObject([{ episodeId: id, seconds: 10 + 2999 * 2 }]);
  });

  it("is shown in part beside other results, and page by page by itself", async () => {
    const word = aWord();
    const ids: number[] = [];
    for (let n = 0; n < 23; n++) {
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

describe("the index is in step", () => {
  const isFound = async (word: string) => {
    const { documents, moments } = await find(word);
    return documents.length + moments.length > 0;
  };

  it("with an episode that is edited, archived, published again and deleted, and with its transcript", async () => {
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

  it("with a scheduled episode, from its minute on", async () => {
    const word = aWord();
    const at = ctx.now.getTime() + 60_000;
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

  it("with an essay that is a draft, published, edited, archived and deleted", async () => {
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
    await set({ viewCount: 7, contentHtml: `<p>${other}</p>` });
    expect([await isFound(word), await isFound(other)]).toEqual([true, true]);
    await set({ status: "archived" });
    expect([await isFound(word), await isFound(other)]).toEqual([false, false]);
    await set({ status: "published" });
    await db.delete(articles).where(sql`id = ${id}`);
    expect(await isFound(word)).toBe(false);
  });

  it("with a press item that is hidden, published, edited and deleted", async () => {
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

  it("with the transcript that won, when two changes meet", async () => {
    const [old, first, second] = [aWord(), aWord(), aWord()];
    const { id } = await anEpisodeWith({ transcript: aTranscript([`${old}.`]) });
    const owner = ownerContext();
    const overtaken = new Proxy(owner.db, {
      get(target, name) {
        if (name !== "batch") return Reflect.get(target, name);
        return async (statements: Parameters<typeof target.batch>[0]) => {
          await updateEpisode(ownerContext(), id, { transcript: aTranscript([`${first}.`]) });
          return target.batch(statements);
        };
      },
    });
    const late = updateEpisode({ ...owner, db: overtaken }, id, { transcript: aTranscript([`${second}.`]) });
    await expect(late).rejects.toThrow("changed elsewhere");
    const moments = async (word: string) => (await find(word, { kind: "transcript" })).moments.length;
    expect([await moments(old), await moments(first), await moments(second)]).toEqual([0, 1, 0]);
  });

  it("and passes FTS5's own check", async () => {
    await db.run(sql`insert into search(search, rank) values ('integrity-check', 0)`);
    await db.run(sql`insert into passage_search(passage_search, rank) values ('integrity-check', 1)`);
    const [{ passages } = { passages: 0 }] = await db.all<{ passages: number }>(
      sql`select count(*) as passages from episode_passages where episode_id not in (select id from episodes)`,
    );
    expect(passages).toBe(0);
  });
});

describe("a hostile question", () => {
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
  ])("of %s gets an answer", async (_, q) => {
    const results = await find(q);
    expect(Array.isArray(results.documents)).toBe(true);
    expect((await find(q, { kind: "transcript" })).documents).toEqual([]);
    expect((await fetchSite(`/search?q=${encodeURIComponent(q.toWellFormed())}`)).status).toBe(200);
  });

  it.each(["", "   ", '"*"', "…", "🏡"])("without a word, %j, asks nothing of D1", async (q) => {
    const own = visitorContext();
    own.d1.statements = 0;
    expect(await search(own, { q })).toMatchObject({ documents: [], moments: [], next: null });
    expect(own.d1.statements).toBe(0);
  });

  it("finds a word between its signs", async () => {
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

describe("what it costs", () => {
  const planOf = async (statement: ReturnType<typeof documentStatement>) =>
    (await db.all<{ detail: string }>(sql`explain query plan ${statement}`)).map(({ detail }) => detail);

  it("is two statements, one more for what may have been meant, and two again for that", async () => {
    const [word, other] = [aWord(), aWord()];
    await anArticle({ title: `${word} ${other}` });
    const statements = async (q: string) => {
      const own = visitorContext();
      own.d1.statements = 0;
      await search(own, { q });
      return own.d1.statements;
    };
    expect(await statements(word)).toBe(2);
    expect(await statements(aWord())).toBe(3);
    expect(await statements(`${word.slice(0, 5)}${word.slice(6)} ${other}`)).toBe(5);
  });

  it("each statement goes through the index of words, and from there by key", async () => {
    for (const plan of [
      await planOf(documentStatement(["lease"], "essay", { rank: -1, id: 4 })),
      await planOf(momentStatement(["lease"], 4, { rank: -1, id: 4 })),
    ]) {
      expect(plan.join("\n")).toMatch(/SCAN (passage_)?search VIRTUAL TABLE INDEX \d+:.*M/);
      const scanned = plan.filter((step) =>
        /^SCAN (?!(passage_)?search VIRTUAL|ranked|best|shown|\()/.test(step),
      );
      expect(scanned).toEqual([]);
      const sought = plan.filter((step) => /^SEARCH (episode|article|press)/.test(step));
      expect(sought.length).toBeGreaterThan(1);
      for (const step of sought) expect(step).toContain("USING INTEGER PRIMARY KEY");
    }
  });
});

describe("GET /api/search", () => {
  it("answers machines with the same", async () => {
    const word = aWord();
    const { id } = await anEpisodeWith({ title: word });
    const response = await fetchSite(`/api/search?q=${word}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      query: word,
      documents: [{ kind: "episode", path: `/episode/${id}`, title: `<mark>${word}</mark>` }],
      moments: [],
      next: null,
    });
  });

  it.each(["?kind=user", "?q=a&limit=5", `?q=${"a".repeat(1001)}`])(
    "refuses %.20s with 422",
    async (query) => {
      expect((await fetchSite(`/api/search${query}`)).status).toBe(422);
    },
  );

  it("has nothing to say to nothing", async () => {
    expect(await (await fetchSite("/api/search")).json()).toMatchObject({
      query: "",
      documents: [],
      moments: [],
    });
  });
});

describe("the search page", () => {
  const open = async (address: string) => {
    const response = await fetchSite(address);
    const html = await response.text();
    const body = html.replace(/^[\s\S]*<body[^>]*>/, "").replace(/<script[\s\S]*?<\/script>/g, "");
    const text = body
      .replace(/<!--.*?-->/g, "")
      .replace(/<\/?mark>/g, "")
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ");
    return { response, html, text };
  };

  it("asks with a form that needs no scripts, and is not listed by search engines", async () => {
    const { html } = await open("/search?q=%3Cb%3E%20lease");
    expect(html).toMatch(/<title>Search: &lt;b&gt; lease \| /);
    expect(html).toContain('name="robots" content="noindex, follow"');
    expect(html).toMatch(/<form[^>]+action="\/search"/);
    expect(html).toMatch(/<form[^>]+method="get"/);
    expect(html).toMatch(/<input[^>]+name="q"[^>]+value="&lt;b&gt; lease"/);
    expect(html.match(/<h1/g)).toHaveLength(1);
  });

  it("shows what was found, marked, with its kind and date, and plays what was said from its second", async () => {
    const word = aWord();
    const publishedAt = Date.UTC(2026, 2, 4);
    const { id } = await anEpisodeWith({
      title: `On ${word}`,
      publishedAt,
      transcript: aTranscript([`The ${word}.`]),
    });
    const { html, text } = await open(`/search?q=${word}`);
    expect(html).toMatch(new RegExp(`href="/episode/${id}"[^>]*>On <mark>${word}</mark></a>`));
    expect(text).toContain("Episode Mar 4, 2026");
    expect(text).toContain(`Results for “${word}”, the best first.`);
    expect(html).toContain(`href="/episode/${id}?t=10"`);
    expect(text).toMatch(/Said in an episode .*0:10/);
    expect((await open(`/episode/${id}?t=10`)).response.status).toBe(200);
  });

  it("says what it looked for instead", async () => {
    const word = aWord();
    await anArticle({ title: `${word} verandah` });
    const { text } = await open(`/search?q=verendah+${word}`);
    expect(text).toContain(
      `Nothing was found for “verendah ${word}”. These are the results for “verandah ${word}”.`,
    );
  });

  it("that found nothing, or was asked nothing, leads to what is new", async () => {
    const { title } = await anArticle({ title: `The newest of them ${unique()}`, publishedAt: new Date() });
    const nothing = await open(`/search?q=${aWord()}`);
    expect(nothing.text).toMatch(/Nothing was found for “\w+”\. Try fewer words/);
    expect(nothing.text).toContain(title);
    const empty = await open("/search");
    expect(empty.text).toContain("Type a word, a name or a subject.");
    expect(empty.text).toContain(title);
    expect(empty.html).not.toContain("What to search");
  });

  it("keeps the kind and leads to the next page with the words that were found", async () => {
    const word = aWord();
    for (let n = 0; n < 21; n++) await aPressItem({ title: `${word} verandah ${n}` });
    const { html } = await open(`/search?q=${word}+verendah&kind=press`);
    const next = /href="(\/search\?[^"]*before=[^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    expect(next).toContain(`q=${word}+verandah&kind=press&before=`);
    const second = await open(next!);
    expect(second.html.match(/href="\/media\?item=\d+#press-/g)).toHaveLength(1);
    expect(second.html).toMatch(/<input type="hidden" name="kind" value="press"/);
    expect((await fetchSite(`${next}9x`)).status).toBe(404);
  });

  it("that cannot search says so, offers to try again and tells nothing more", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    await db.run(sql`alter table search rename to search_away`);
    const { response, html, text } = await open("/search?q=lease");
    await db.run(sql`alter table search_away rename to search`);
    log.mockRestore();
    expect(response.status).toBe(500);
    expect(text).toContain("Failed to search. Please try again later. An unexpected error occurred.");
    expect(text).toContain("Try Again");
    expect(html).not.toContain("no such table");
  });
});
