import { env } from "cloudflare:workers";
import { expect, describe, test } from "vitest";
import { actions, pathOf, places } from "#site/admin/palette/places.ts";
import { hasWords } from "#site/admin/palette/results.ts";
import { createArticle, createCategory, deleteArticle, updateArticle } from "#worker/articles/commands.ts";
import { createCampaign } from "#worker/campaigns/commands.ts";
import { searchOwned } from "#worker/discovery/owner-search.ts";
import { rebuildSearchIndex } from "#worker/discovery/search-index.ts";
import { deleteLetter } from "#worker/letters/commands.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { createEngagement } from "#worker/speaking/commands.ts";
import { createVenture } from "#worker/ventures/commands.ts";
import { createContext } from "#worker/platform/context.ts";
import matrix from "../docs/roles.md?raw";
import { addUser } from "./support/accounts.ts";
import { anArticle } from "./support/articles.ts";
import { contextAs, ownerContext, visitorContext } from "./support/client.ts";
import { anEpisode, aPressItem } from "./support/factories.ts";
import { savedLetter, setLetter } from "./support/letters.ts";
import { aWord } from "./support/search.ts";

const owner = ownerContext;
const editor = () => contextAs("editor");
const find = async (q: string, ctx = owner()) => (await searchOwned(ctx, { q })).items;

describe("the owner's search", () => {
  test("finds every item by prefixes of its title's words, in any status", async () => {
    const word = aWord();
    const title = `The ${word} hour`;
    const article = await createArticle(owner(), anArticle({ title }));
    const episode = await createEpisode(owner(), anEpisode({ title }));
    const press = await createPressItem(owner(), aPressItem({ title, published: false }));
    const campaign = await createCampaign(owner(), { title, embedUrl: "https://a.example/" });
    const venture = await createVenture(owner(), { name: title, description: "Something." });
    const engagement = await createEngagement(owner(), { title });
    const category = await createCategory(owner(), { name: title });
    const letter = await savedLetter({ subject: title });
    const found = await find(`hour ${word.slice(0, -2)}`);
    expect(found).toEqual([
      { kind: "article", id: article.id, title },
      { kind: "episode", id: episode.id, title },
      { kind: "press", id: press.id, title },
      { kind: "campaign", id: campaign.id, title },
      { kind: "venture", id: venture.id, title },
      { kind: "engagement", id: engagement.id, title },
      { kind: "category", id: category.id, title },
      { kind: "letter", id: letter.id, title },
    ]);
    expect(await find(word, editor())).toEqual(found.filter(({ kind }) => kind !== "letter"));
    await rebuildSearchIndex(owner());
    expect(await find(word)).toEqual(found);
  });

  test("follows the subject of a letter", async () => {
    const [before, after] = [aWord(), aWord()];
    const { id } = await savedLetter({ subject: before });
    await setLetter(id, { subject: after });
    expect(await find(before)).toEqual([]);
    expect(await find(after)).toEqual([{ kind: "letter", id, title: after }]);
    await deleteLetter(owner(), id);
    expect(await find(after)).toEqual([]);
  });

  test("follows a new title and a deletion", async () => {
    const [before, after] = [aWord(), aWord()];
    const { id } = await createArticle(owner(), anArticle({ title: before }));
    await updateArticle(owner(), id, { title: after });
    expect(await find(before)).toEqual([]);
    expect(await find(after)).toEqual([{ kind: "article", id, title: after }]);
    await deleteArticle(owner(), id);
    expect(await find(after)).toEqual([]);
  });

  test("finds users by name and address for those who manage them", async () => {
    const user = await addUser({ fullName: `A_${aWord()}%` });
    const hit = { kind: "user", id: user.id, title: user.fullName };
    expect(await find(user.fullName.toUpperCase())).toEqual([hit]);
    expect(await find(user.email)).toEqual([hit]);
    expect(await find(user.email, editor())).toEqual([]);
  });

  test("answers nothing to a question without a word, and the newest to none", async () => {
    const { id, values } = await createArticle(owner(), anArticle({ title: aWord() }));
    expect(await find("… “”")).toEqual([]);
    expect((await find(" "))[0]).toEqual({ kind: "article", id, title: values.title });
  });

  test("takes syntax of the index for words", async () => {
    for (const q of ['") OR title : "a', "title : the", "a* NOT b", "-", "\\", "a\u0000b"])
      expect(Array.isArray(await find(q)), q).toBe(true);
  });

  test("is refused without the capability edit", async () => {
    await expect(find("a", visitorContext())).rejects.toMatchObject({ code: "unauthenticated" });
    const user = contextAs("user");
    await expect(find("a", user)).rejects.toMatchObject({ code: "forbidden" });
  });

  test("asks at most four statements and reads at most 200 rows, however much has the word", async () => {
    const word = aWord();
    const { db } = owner();
    const range = 2 ** 40;
    for (const kind of [1, 2, 7])
      await db.run(
        `with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
         insert into owner_search (rowid, title, words) select ${kind * range} + 500000000 + i, '', '${word} ' || i from n`,
      );
    // D1 only reports rows for reads that are batched.
    const ctx = createContext(env, { actor: owner().actor, reads: "any-replica" });
    expect(await find(word, ctx)).toHaveLength(15);
    expect(ctx.d1.statements).toBeLessThanOrEqual(4);
    expect(ctx.d1.rowsRead).toBeGreaterThan(0);
    expect(ctx.d1.rowsRead).toBeLessThanOrEqual(200);
    await db.run(`delete from owner_search where rowid % ${range} > 500000000`);
  });
});

describe("the palette", () => {
  /** What is reached from elsewhere only. */
  const WITHOUT_PLACE =
    /[:*]|^\/admin$|^\/admin\/(?:login|setup|verify-email|reset-password|invitation|not-me)/;

  test("lists every page of the admin area, and no missing one", () => {
    const [, section = ""] = matrix.split("## Pages");
    const pages = [...section.split("\n## ")[0]!.matchAll(/^\| `([^`]+)`/gm)].map(([, path]) => path!);
    const links = [...actions, ...places].map(({ to }) =>
      to.split("?")[0]!.replace(/(\/articles\/pages)\/.+/, "$1/:slug"),
    );
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.filter((path) => !WITHOUT_PLACE.test(path) && !links.includes(path))).toEqual([]);
    // An id may be "new".
    const isThere = (path: string) => pages.includes(path) || pages.includes(path.replace(/\/new$/, "/:id"));
    expect(links.filter((path) => !isThere(path))).toEqual([]);
    for (const to of Object.values(pathOf))
      expect(pages).toContain(to("x").split("?")[0]!.replace(/\/x$/, "/:id"));
  });

  test("finds a page by prefixes of its words, without accents", () => {
    expect(hasWords("Email settings reply-to", "repl SETT")).toBe(true);
    expect(hasWords("Café hours", "cafe")).toBe(true);
    expect(hasWords("Łukasz and the Straße", "STRASSE lukasz")).toBe(true);
    expect(hasWords("Ein\u00adstel\u00adlungen", "ＥＩＮＳＴ")).toBe(true);
    expect(hasWords("Categories", "cat episode")).toBe(false);
    expect(hasWords("New venture", "re")).toBe(false);
  });
});
