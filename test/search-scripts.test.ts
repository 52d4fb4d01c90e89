import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { rebuildSearchIndex } from "#worker/discovery/search-index.ts";
import { refreshWholeSearch } from "#worker/discovery/search-refresh.ts";
import { searchOwned } from "#worker/discovery/owner-search.ts";
import { listArticles } from "#worker/articles/owner-queries.ts";
import { listEnquiries } from "#worker/enquiries/owner/queries.ts";
import { addUser } from "./support/accounts.ts";
import { fetchSite, jobContext, ownerContext } from "./support/client.ts";
import { savedEnquiry } from "./support/enquiries.ts";
import { someOf } from "./support/sweeps.ts";
import { aWord, anArticle, anEpisodeWith, aTranscript, db, find, titlesOf } from "./support/search.ts";

/** A text, and words that find it. */
const texts: [text: string, ...found: string[]][] = [
  // Invisible characters, and other encodings of the same letters.
  ["Kli\u00adma\u00adwan\u00addel im All\u00adtag", "Klimawandel", "alltag", "Kli\u00admawandel"],
  ["The \ufb01nancial re\ufb02ex of the o\ufb03ce", "financial", "reflex", "office", "of\ufb01ce"],
  ["zero\u200bwidth word\u2060joined \ufefffirst", "zerowidth", "wordjoined", "first"],
  ["ＡＢＣ１２３ full width", "abc123", "ＡＢＣ１２３"],
  ["Cafe\u0301 au lait", "café", "cafe", "CAFÉ", "cafe\u0301"],
  ["Water is H₂O", "h2o", "H₂O"],
  // Letters that Unicode does not decompose.
  ["Łukasz Żółw", "lukasz", "Łukasz", "ŁUKASZ", "zolw"],
  ["Hans Christian Ørsted", "orsted", "ørsted", "oersted"],
  ["Ægir og Þóra", "aegir", "thora", "Þóra", "ægir"],
  ["Œuvre complète", "oeuvre", "œuvre", "complete"],
  ["Đà Nẵng và Hà Nội", "da nang", "Đà Nẵng", "đà nẵng", "ha noi", "nang"],
  ["Lange Straße", "strasse", "straße", "STRASSE", "STRAẞE"],
  ["Müller und Schröder", "müller", "muller", "mueller", "schroeder"],
  ["Frau Mueller aus Aarhus", "müller", "århus"],
  ["Işık ve İstanbul", "ışık", "isik", "IŞIK", "istanbul", "İstanbul", "İSTANBUL"],
  ["Smørrebrød på Ærø", "smorrebrod", "aero", "pa"],
  // Other alphabets.
  ["Η Οδύσσεια του Ομήρου ΛΌΓΟΣ", "οδυσσεια", "ΟΔΎΣΣΕΙΑ", "λόγος", "λογοσ"],
  ["Всё ещё ёлка и твой Йод", "елка", "ёлка", "все", "ЁЛКА", "твой", "й\u043eд".normalize("NFD")],
  ["مُحَمَّد في المدرسة الكبيرة إلى أحمد كتــاب", "محمد", "مدرسه", "المدرسة", "احمد", "الي", "كتاب"],
  ["می\u200cخواهم کتاب", "میخواهم", "می\u200cخواهم", "كتاب"],
  ["שָׁלוֹם עולם וצה״ל", "שלום", "עולם", "וצהל"],
  ["हिन्दी फ़िल्म क्\u200dष पढ़ाई", "हिन्दी", "फ़िल्म", "फिल्म", "पढाई", "क्ष"],
  // Scripts without spaces.
  ["我们今天玩成语接龙，还有等候名单。", "成语接龙", "成语", "接龙", "等候名单", "名单", "单", "玩"],
  ["今日の天気はしりとり日和です", "しりとり", "天気", "日和", "です"],
  ["AI政策と3D印刷", "AI政策", "政策", "ai", "3D印刷"],
  ["ｶﾞｲﾄﾞとﾃﾚﾋﾞを見る", "ガイド", "テレビ", "ﾃﾚﾋﾞ", "てれび"],
  ["カタカナとひらがな", "かたかな", "ヒラガナ", "カタカナトヒラガナ", "かな"],
  ["らーめんを食べる", "ラーメン", "ﾗｰﾒﾝ"],
  // Traditional and simplified characters.
  ["臺灣的氣候與經濟發展", "台湾", "气候", "经济发展", "經濟", "發展", "发"],
  ["头发和发展，干净的面条", "頭髮", "發展", "乾淨", "麵條", "发"],
  ["新しいサーバーを買う", "サーバー", "サーバ", "ｻｰﾊﾞｰ"],
  ["他喝水", "水", "喝"],
  ["การดูแลสุขภาพจิตของคนไทย", "สุขภาพ", "จิต", "คนไทย"],
  ["ສຸຂະພາບຂອງປະຊາຊົນລາວ", "ສຸຂະພາບ", "ປະຊາຊົນ"],
  ["សុខភាព\u200bរបស់ប្រជាជនកម្ពុជា", "ប្រជាជន", "សុខភាព", "កម្ពុជា"],
  ["ကျန်းမာရေးဝန်ကြီးဌာန", "ဝန်ကြီး", "ကျန်းမာရေး"],
  // Words within longer ones.
  ["대한민국의 건강은 중요하다", "민국", "대한민국", "건강", "건강은", "중요"],
  ["대한민국 역사".normalize("NFD"), "대한민국", "민국", "역사", "민국".normalize("NFD")],
  ["물 한 잔", "물", "잔"],
  ["Die Wohnungsgenossenschaft", "genossenschaft", "Wohnungsgenossenschaft", "GENOSSENSCHAFT", "wohnung"],
  ["Donaudampfschifffahrt", "schifffahrt", "dampfschiff"],
  // Punctuation within and between words.
  ["Made in the U.S.A. by hand", "U.S.A.", "USA", "usa"],
  ["Written in C++ and C#", "C++", "c++", "C#"],
  ["学习C++编程", "C++", "学习", "编程", "学习C++"],
  ["A well-being index", "well-being", "wellbeing", "well", "being"],
  ["The wellness of e‑mail", "e-mail", "email"],
  [
    "Pas d’accord avec l'eau de Mr O’Brien",
    "d'accord",
    "d’accord",
    "accord",
    "eau",
    "l’eau",
    "obrien",
    "O'Brien",
  ],
  ['Read the "quoted phrase" twice', '"quoted phrase"', "(quoted)", "-phrase"],
  ["A microphone 🎙️ and 👩‍👩‍👧", "🎙", "🎙️", "👩‍👩‍👧"],
];

describe("a text in any script", () => {
  it.each(someOf(texts, 16))("%s is found by each of its words", async (text, ...words) => {
    const key = aWord();
    const inTitle = await anArticle({ title: `${text} (${key})` });
    const inText = await anArticle({ title: `Another ${key}`, content: `Before. ${text} And after.` });
    for (const word of words) {
      const found = await find(`${key} ${word}`);
      expect([word, found.correction, titlesOf(found).toSorted()]).toEqual([
        word,
        null,
        [inText.title, escaped(inTitle.title)].toSorted(),
      ]);
      expect(found.documents[0]!.title, word).toMatch(/<mark>.*<mark>/);
    }
  });

  it.each(someOf(texts, 5))("%s is found in the owner's lists", async (text, ...words) => {
    const key = aWord();
    const { id } = await anArticle({ title: `${key} ${text}`, status: "draft" });
    for (const q of words.map((word) => `${key} ${word}`)) {
      expect(
        (await listArticles(ownerContext(), { q })).items.map((item) => item.id),
        q,
      ).toEqual([id]);
      expect(
        (await searchOwned(ownerContext(), { q })).items.map((item) => item.id),
        q,
      ).toEqual([id]);
    }
  });

  const escaped = (text: string) => text.replace(/["]/g, "&quot;");

  it("is found in transcripts", async () => {
    const key = aWord();
    const lines = ["大家好。", `我们玩成语接龙 ${key}。`, "Łukasz sprach von der Wohnungsgenossenschaft."];
    const { id } = await anEpisodeWith({ transcript: aTranscript(lines) });
    const moment = async (word: string) => (await find(`${word} ${key}`, { kind: "transcript" })).moments[0];
    expect(await moment("接龙")).toMatchObject({ episodeId: id, seconds: 12 });
    expect((await moment("接龙"))!.excerpt).toContain("我们玩成语<mark>接龙</mark>");
    expect((await moment("lukasz"))!.excerpt).toContain("<mark>Łukasz</mark>");
    expect((await moment("genossenschaft"))!.excerpt).toContain("<mark>Wohnungsgenossenschaft</mark>");
  });

  it("is not found by words that it does not contain", async () => {
    const key = aWord();
    await anArticle({ title: `${key} 成语接龙 대한민국 Straße สุขภาพ` });
    for (const word of ["接成", "语龙", "한국", "strumme", "ภาพสุ", "🎙", "c++"])
      expect([word, (await find(`${word} ${key}`)).documents]).toEqual([word, []]);
  });
});

describe("the order of matches in different spellings", () => {
  it.each([
    ["resume", "Resume", "Résumé"],
    ["résumé", "Résumé", "Resume"],
    ["lukasz", "Lukasz", "Łukasz"],
    ["Łukasz", "ŁUKASZ", "Lukasz"],
    ["müller", "Müller", "Mueller"],
    ["mueller", "Mueller", "Müller"],
    ["genossenschaft", "Genossenschaft", "Wohnungsgenossenschaft"],
    ["민국", "민국", "대한민국"],
  ])("for %s has %s before %s", async (q, exact, other) => {
    const key = aWord();
    for (const place of ["title", "content"] as const) {
      const written = [other, exact, other].map((word) => `${key}${place} ${word}`);
      for (const text of written) await anArticle({ title: `Of ${key}${place}`, [place]: text });
      const { documents } = await find(`${key}${place} ${q}`);
      const shown = documents.map(({ title, excerpt }) => (place === "title" ? title : excerpt));
      expect(shown.map((text) => text.replace(/<\/?mark>/g, ""))).toEqual([1, 0, 2].map((at) => written[at]));
    }
  });

  it("has a title before a text, in any spelling", async () => {
    const key = aWord();
    const text = await anArticle({ title: `A text ${aWord()}`, content: `${key} lukasz` });
    const title = await anArticle({ title: `${key} Łukasz` });
    expect(titlesOf(await find(`${key} lukasz`))).toEqual([title.title, text.title]);
  });

  it("has whole words before words that contain them, page by page", async () => {
    const key = aWord();
    for (let n = 0; n < 14; n++)
      await anArticle({ title: n % 2 ? `${key} Genossenschaft` : `${key} Baugenossenschaft` });
    const first = await find(`${key} genossenschaft`);
    const second = await find(`${key} genossenschaft`, { before: first.next! });
    const all = [...first.documents, ...second.documents];
    expect(new Set(all.map(({ id }) => id)).size).toBe(14);
    expect(all.map(({ title }) => title.includes("Baugenossenschaft")).indexOf(true)).toBe(7);
    expect(second.next).toBeNull();
  });
});

describe("highlighting of a match", () => {
  it.each([
    ["klimawandel", "Der Kli\u00adma\u00adwan\u00addel.", "Der <mark>Kli\u00adma\u00adwan\u00addel</mark>."],
    ["office", "The o\ufb03ce.", "The <mark>o\ufb03ce</mark>."],
    ["接龙", "玩成语接龙。", "玩成语<mark>接龙</mark>。"],
    ["민국", "대한민국", "대한<mark>민국</mark>"],
    ["da nang", "Từ Đà Nẵng.", "Từ <mark>Đà</mark> <mark>Nẵng</mark>."],
    ["obrien", "Mr O’Brien.", "Mr <mark>O’Brien</mark>."],
    ["cafe", "Cafe\u0301!", "<mark>Cafe\u0301</mark>!"],
    ["テレビ", "ﾃﾚﾋﾞを", "<mark>ﾃﾚﾋﾞを</mark>"],
    ["สุขภาพ", "การดูแลสุขภาพจิต", "การดูแล<mark>สุขภาพ</mark>จิต"],
    ["leasing", "A lease", "A <mark>lease</mark>"],
  ])("by %s in %j preserves the original spelling", async (q, summary, marked) => {
    const key = aWord();
    await anArticle({ title: key, excerpt: summary });
    expect((await find(`${key} ${q}`)).documents[0]!.excerpt).toBe(marked);
  });
});

describe("a site whose index was built by SQL", () => {
  it("is searchable by plain words immediately, and in every script after some minutes", async () => {
    const key = aWord();
    const { title } = await anArticle({ title: `${key} 成语接龙 Łukasz Café` });
    await rebuildSearchIndex(ownerContext());
    const byWord = async (word: string) => titlesOf(await find(`${key} ${word}`));
    expect(await byWord("")).toEqual([title]);
    expect(await byWord("cafe")).toEqual([title]);
    expect(await byWord("café")).toEqual([title]);
    expect(await byWord("接龙")).toEqual([]);
    await refreshWholeSearch(jobContext());
    expect(await byWord("接龙")).toEqual([title]);
    expect(await byWord("lukasz")).toEqual([title]);
    expect(await db.all(sql`select * from search_pending`)).toEqual([]);
    expect(
      await db.all(sql`select name from sqlite_master where name in ('search', 'passage_search')`),
    ).toEqual([]);
  });

  it("is not overwritten with a text that has changed during the indexing", async () => {
    const [before, after] = [aWord(), aWord()];
    const { id } = await anArticle({ title: before });
    const owner = ownerContext();
    const overtaken = new Proxy(owner.db, {
      get(target, name) {
        if (name !== "batch") return Reflect.get(target, name);
        return async (statements: Parameters<typeof target.batch>[0]) => {
          await db.run(sql`update articles set title = ${after} where id = ${id}`);
          return target.batch(statements);
        };
      },
    });
    await searchOwned({ ...owner, db: overtaken }, { q: before });
    expect(titlesOf(await find(before))).toEqual([]);
    expect(titlesOf(await find(after))).toEqual([after]);
  });
});

describe("people", () => {
  it.each([
    ["Łukasz Żółw", "lukasz", "ŁUKASZ", "zolw"],
    ["Jürgen Groß", "gross", "jurgen"],
    ["김민국".normalize("NFD"), "김민국"],
    ["Zo\u00ade", "zoe"],
  ])("%s are found among enquiries and users by plain letters", async (name, ...found) => {
    const key = aWord();
    const { id } = await savedEnquiry("message", { name: `${key} ${name}` });
    const user = await addUser({ fullName: `${key} ${name}` });
    for (const q of found.map((word) => `${key} ${word}`)) {
      const part = q.replace("zolw", "lukasz zolw").replace("gross", "jurgen gross");
      const { items } = await listEnquiries(ownerContext(), "message", { q: part });
      expect([q, items.map((item) => item.id)]).toEqual([q, [id]]);
      expect((await searchOwned(ownerContext(), { q: part })).items).toMatchObject([
        { kind: "user", id: user.id },
      ]);
    }
  });
});

it("GET /api/search finds an essay as soon as it is published", async () => {
  const key = aWord();
  await anArticle({ title: `${key} Kli\u00admawandel` });
  const response = await fetchSite(`/api/search?q=${key}+klimawandel`);
  expect(((await response.json()) as { documents: unknown[] }).documents).toHaveLength(1);
});
