import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { articles } from "#worker/articles/table.ts";
import { db, find, titlesOf, aWord, anEpisodeWith, anArticle, aPressItem } from "./support/search.ts";

describe("a search result", () => {
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
    ["an essay by its text", (word: string) => anArticle({ content: `On *${word}*.` })],
    ["an essay by a tag", (word: string) => anArticle({ tags: ["housing", word] })],
    ["a press item by its title", (word: string) => aPressItem({ title: `On ${word}` })],
    ["a press item by its summary", (word: string) => aPressItem({ summary: `On ${word}` })],
    ["a press item by its outlet", (word: string) => aPressItem({ outlet: `The ${word} Times` })],
    ["a press item by its text", (word: string) => aPressItem({ content: word })],
  ])("is %s", async (_, make) => {
    const word = aWord();
    const { title } = await make(word);
    expect(titlesOf(await find(word))).toEqual([title]);
  });

  it("links to its own page", async () => {
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

  it("contains all the words, anywhere in its texts", async () => {
    const [one, other] = [aWord(), aWord()];
    const both = await anArticle({ title: `About ${one}`, content: other });
    await anArticle({ title: one });
    await anArticle({ title: other });
    expect(titlesOf(await find(`${other} ${one}`))).toEqual([both.title]);
  });

  it("may be limited to one kind", async () => {
    const word = aWord();
    const { title } = await anArticle({ title: `Essay ${word}` });
    await aPressItem({ title: word });
    expect(titlesOf(await find(word, { kind: "essay" }))).toEqual([title]);
    expect(titlesOf(await find(word, { kind: "episode" }))).toEqual([]);
  });

  it("need not contain the query's small words", async () => {
    const word = aWord();
    const { title } = await anArticle({ title: word });
    expect(titlesOf(await find(`what is the ${word} of`))).toEqual([title]);
  });
});

describe("the order of search results", () => {
  it("is title, then description, then text, however often the text has the word", async () => {
    const word = aWord();
    const inText = await anArticle({ content: `${word} again. `.repeat(40) });
    const inExcerpt = await anArticle({
      excerpt: `About ${word}.`,
      content: "Something else.\n\n".repeat(20),
    });
    const inTitle = await anArticle({
      title: `On ${word}`,
      content: "Something else altogether. ".repeat(60),
    });
    expect(titlesOf(await find(word))).toEqual([inTitle.title, inExcerpt.title, inText.title]);
  });

  it("has a whole word before a word that begins with it", async () => {
    const word = aWord();
    const longer = await anArticle({ title: `${word}gate` });
    const whole = await anArticle({ title: word });
    expect(titlesOf(await find(word))).toEqual([whole.title, longer.title]);
  });

  it("is the same on all pages, with each result once", async () => {
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

  it("refuses a forged page cursor", async () => {
    for (const before of ["yesterday", "1", "_", "1_2_3", "1e999_", "--1_2"]) {
      await expect(find("policy", { before })).rejects.toMatchObject({ code: "not_found" });
    }
  });
});

describe("matching of words", () => {
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

  it.each([
    ["lease", ["The lease", "A term of leases", "What leasing costs", "The leaseholder"], "At least"],
    ["leasing", ["The leasing"], "At least"],
    ["pay", ["The pay", "A week of payroll"], "They paid"],
    ["house", ["The house", "On housing", "A household"], "Hospital"],
    ["note", ["The notes", "A notebook"], "Nothing"],
    ["universe", ["The universe"], "Unison"],
  ])(
    "%s finds and highlights inflections and longer words, but not words that only share its stem",
    async (asked, found, other) => {
      const word = aWord();
      for (const title of [...found, other]) await anArticle({ title: `${word} ${title}`, content: other });
      const { documents } = await find(`${word} ${asked}`);
      expect(documents.map(({ title }) => title.replaceAll(/<\/?mark>/g, "")).toSorted()).toEqual(
        found.map((title) => `${word} ${title}`).toSorted(),
      );
      for (const { title } of documents) expect(title).toMatch(/<mark>\w+<\/mark>(?: costs)?$/);
      for (const { excerpt } of documents) expect(excerpt).not.toContain("<mark>");
    },
  );

  it("ranks a word and its inflections, also in a text, before longer words in a title", async () => {
    const word = aWord();
    const longer = await anArticle({ title: `${word} leaseholder` });
    const inText = await anArticle({ title: "Terms", content: `${word} says what leasing is.` });
    const inTitle = await anArticle({ title: `${word} leases` });
    expect(titlesOf(await find(`${word} lease`))).toEqual([inTitle.title, inText.title, longer.title]);
  });

  it("shows the text around the word, not around one that begins like it", async () => {
    const word = aWord();
    const filling = "Much is written of other matters. ".repeat(60);
    await anArticle({ title: word, content: `At least that. ${filling} The lease is long. ${filling}` });
    const { documents } = await find(`${word} lease`);
    expect(documents[0]!.excerpt).toContain("The <mark>lease</mark> is long.");
  });

  it("the last word may be incomplete, the ones before it not", async () => {
    const word = aWord();
    const { title } = await anArticle({ title: `${word} verandah` });
    expect(titlesOf(await find(`${word} veran`))).toEqual([title]);
    expect(titlesOf(await find(`veran ${word}`))).toEqual([]);
  });

  it("a last word that ends in y finds its continuations, although the stemmer turns it into an i", async () => {
    const word = aWord();
    const whole = await anArticle({ title: `${word} pay` });
    const longer = await anArticle({ title: `${word} payroll` });
    expect(titlesOf(await find(`${word} pay`))).toEqual([whole.title, longer.title]);
    expect(titlesOf(await find(`${word} payr`))).toEqual([longer.title]);
  });

  it("an incomplete word that stemming would miss is completed", async () => {
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
  ])("%s is corrected if nothing is spelt like that", async (_, typed) => {
    const word = aWord();
    const { title } = await anArticle({ title: `${word} verandah` });
    const found = await find(`${typed} ${word}`);
    expect(titlesOf(found)).toEqual([title]);
    expect(found.correction).toBe(`verandah ${word}`);
  });

  it("a typo in an incomplete word is corrected, too", async () => {
    const word = aWord();
    const { title } = await anArticle({ title: `${word} parliamentary` });
    expect(titlesOf(await find(`${word} parlima`))).toEqual([title]);
  });

  it("is not corrected if something is spelt like that, for short words, or for distant words", async () => {
    const word = aWord();
    await anArticle({ title: `${word} stone cat` });
    const typed = await anArticle({ title: `${word} store` });
    const found = await find(`store ${word}`);
    expect([titlesOf(found), found.correction]).toEqual([[typed.title], null]);
    for (const far of ["cot", "stoniest", "bricks"]) {
      expect(await find(`${far} ${word}`)).toMatchObject({ documents: [], moments: [], correction: null });
    }
  });

  it("words of unpublished items are not suggested", async () => {
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

describe("the excerpt of a search result", () => {
  it("is its title and the lines around the words, which are highlighted", async () => {
    const word = aWord();
    await anArticle({
      title: `The ${word} and I`,
      excerpt: "Not here.",
      content: `${"Before. ".repeat(60)}\n\nThere it is, the [${word}](/x), at last.\n\n${"After. ".repeat(60)}`,
    });
    const [hit] = (await find(word)).documents;
    expect(hit!.title).toBe(`The <mark>${word}</mark> and I`);
    expect(hit!.excerpt).toContain(`There it is, the <mark>${word}</mark>, at last.`);
    expect(hit!.excerpt).toMatch(/^…/);
  });

  it("is the description if only the title has the words", async () => {
    const word = aWord();
    await anEpisodeWith({ title: word, description: "Nine days for an appointment.", showNotes: "Notes." });
    expect((await find(word)).documents[0]!.excerpt).toBe("Nine days for an appointment.");
  });

  it("names the person who was searched for", async () => {
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

  it("is plain text, whatever it contains", async () => {
    const word = aWord();
    const title = `<img src=x onerror="alert(1)"> ${word} & \uE000 <mark>`;
    await anEpisodeWith({ title, description: `${word} </mark><script>` });
    const [hit] = (await find(word)).documents;
    expect(hit!.title).toBe(
      `&lt;img src=x onerror=&quot;alert(1)&quot;&gt; <mark>${word}</mark> &amp; \uE000 &lt;mark&gt;`,
    );
    expect(hit!.excerpt).toBe(`<mark>${word}</mark> &lt;/mark&gt;&lt;script&gt;`);
  });

  it("is the text of Markdown, without its syntax, titles or entities", async () => {
    const word = aWord();
    await anArticle({
      content: `## Head\n\n[One](/x "hidden${word}")  \ntwo & ${word} \\<b> \\\\n **bold**.\n\n- a\n- b\n\n|c|d|\n|-|-|\n|e|f|`,
    });
    expect((await find(`hidden${word}`)).documents).toEqual([]);
    expect((await find(word)).documents[0]!.excerpt.replace(/\s+/g, " ").trim()).toBe(
      `Head One two &amp; <mark>${word}</mark> &lt;b&gt; \\n bold. a b c d e f`,
    );
  });
});
