import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { kinds } from "#site/site/search/kinds.ts";
import { searchKinds } from "#worker/discovery/contract.ts";
import { fetchSite } from "./support/client.ts";
import { unique } from "./support/factories.ts";
import { db, aWord, anEpisodeWith, anArticle, aPressItem, aTranscript } from "./support/search.ts";

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

  it("shows results with highlights, type and date, and plays a passage from its second", async () => {
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
    expect(text).toContain(`Best matches for “${word}”`);
    expect(html).toContain(`href="/episode/${id}?t=10"`);
    expect(text).toMatch(/Said in an episode .*0:10/);
    expect((await open(`/episode/${id}?t=10`)).response.status).toBe(200);
  });

  it("names the corrected query", async () => {
    const word = aWord();
    await anArticle({ title: `${word} verandah` });
    const { text } = await open(`/search?q=verendah+${word}`);
    expect(text).toContain(`No results for “verendah ${word}”. Showing results for “verandah ${word}”.`);
  });

  it("that found nothing, or was asked nothing, leads to what is new", async () => {
    const { title } = await anArticle({ title: `The newest of them ${unique()}`, publishedAt: Date.now() });
    const nothing = await open(`/search?q=${aWord()}`);
    expect(nothing.text).toMatch(/No results for “\w+”\. Try fewer or different words/);
    expect(nothing.text).toContain(title);
    const empty = await open("/search");
    expect(empty.text).toContain("Type a word, a name or a subject.");
    expect(empty.text).toContain(title);
    expect(empty.html).not.toContain("What to search");
  });

  it("keeps the kind and leads to the next page with the words that were found", async () => {
    const word = aWord();
    for (let n = 0; n < 11; n++) await aPressItem({ title: `${word} verandah ${n}` });
    const { html } = await open(`/search?q=${word}+verendah&kind=press`);
    const next = /href="(\/search\?[^"]*before=[^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
    expect(next).toContain(`q=${word}+verandah&kind=press&before=`);
    const second = await open(next!);
    expect(second.html.match(/href="\/media\?item=\d+#press-/g)).toHaveLength(1);
    expect(second.html).toMatch(/<input type="hidden" name="kind" value="press"/);
    expect((await fetchSite(`${next}9x`)).status).toBe(404);
  });

  it("can be limited to each kind", () => {
    expect(kinds.flatMap(({ kind }) => kind ?? []).toSorted()).toEqual(searchKinds.toSorted());
  });

  it("shows an error if the search fails, with a button to retry, and no details", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    await db.run(sql`alter table document_search rename to search_away`);
    const { response, html, text } = await open("/search?q=lease");
    await db.run(sql`alter table search_away rename to document_search`);
    log.mockRestore();
    expect(response.status).toBe(500);
    expect(text).toContain("Failed to search. Please try again later. An unexpected error occurred.");
    expect(text).toContain("Try Again");
    expect(html).not.toContain("no such table");
  });
});
