import { and, getTableColumns, inArray, not, sql } from "drizzle-orm";
import type { ArticleInput } from "#worker/articles/contract.ts";
import { toInput } from "#worker/articles/owner-queries.ts";
import { articleSlugs } from "#worker/articles/slugs.ts";
import { articles, formerSlugs } from "#worker/articles/table.ts";
import { beginningMatch, queryOf, wordsOf } from "#worker/discovery/words.ts";
import type { Context } from "#worker/platform/context.ts";

export type TitledArticle = { id: number; updatedAt: Date; values: ArticleInput };

/** Without the columns derived from the text, which are as long again. */
const columns = { ...getTableColumns(articles), contentHtml: sql<string>`''`, contentText: sql<string>`''` };

/** Whether a title has a word, so that the index can find it. */
export const hasWord = (title: string) => /[\p{L}\p{N}]/u.test(title);

/** The articles that have one of these titles, letter by letter. Titles without a word are not found. */
export async function findArticlesByTitle({ db }: Context, titles: string[]): Promise<TitledArticle[]> {
  // The second form matches rows that the Worker indexed, the first those indexed by SQLite's tokenizer.
  const phrases = titles
    .filter(hasWord)
    .flatMap((title) => [`"${title.replaceAll('"', '""')}"`, `(${beginningMatch(wordsOf(queryOf(title)))})`]);
  if (phrases.length === 0) return [];
  // The index of the owner's list narrows the comparison to a few rows.
  const isCandidate = sql`${articles.id} in (
    select rowid from article_search where article_search match ${`title : (${phrases.join(" OR ")})`})`;
  const isTitled = sql`${articles.title} in (select value from json_each(${JSON.stringify(titles)}))`;
  const rows = await db.select(columns).from(articles).where(and(isCandidate, isTitled));
  return rows.map((row) => ({ id: row.id, updatedAt: row.updatedAt, values: toInput(row) }));
}

/** The articles with these slugs, except drafts that yield theirs. */
export async function findSlugOwners({ db }: Context, slugs: string[]) {
  const rows = await db
    .select({ id: articles.id, slug: articles.slug })
    .from(articles)
    .where(and(inArray(articles.slug, slugs), not(articleSlugs.givesWay)));
  return new Map(rows.map(({ id, slug }) => [slug, id]));
}

/** The articles from LinkedIn that have one of these source addresses. */
export const findArticlesBySource = ({ db }: Context, sourceUrls: string[]) =>
  db
    .select({ id: articles.id, sourceUrl: articles.sourceUrl })
    .from(articles)
    .where(
      // A literal, so that SQLite uses the partial index.
      sql`${articles.source} = 'linkedin'
        and ${articles.sourceUrl} in (select value from json_each(${JSON.stringify(sourceUrls)}))`,
    );

/** The existing articles by import key. */
export async function findArticlesByImportKey({ db }: Context, keys: string[]) {
  const rows = await db
    .select({ id: articles.id, slug: articles.slug, key: articles.draftKey })
    .from(articles)
    .where(sql`${articles.draftKey} in (select value from json_each(${JSON.stringify(keys)}))`);
  return new Map(rows.map(({ id, slug, key }) => [key!, { id, slug }]));
}

/** The existing articles by GUID. */
export async function findArticlesByGuid({ db }: Context, guids: string[]) {
  if (guids.length === 0) return new Map<string, { id: number; slug: string }>();
  const rows = await db
    .select({ id: articles.id, slug: articles.slug, guid: articles.guid })
    .from(articles)
    .where(sql`${articles.guid} in (select value from json_each(${JSON.stringify(guids)}))`);
  return new Map(rows.map(({ id, slug, guid }) => [guid!, { id, slug }]));
}

/** The slugs that lead to an article; a draft that yields its slug does not count. */
export async function findTakenSlugs({ db }: Context, slugs: string[]) {
  const given = sql`(select value from json_each(${JSON.stringify(slugs)}))`;
  const [now, before] = await db.batch([
    db
      .select({ slug: articles.slug })
      .from(articles)
      .where(sql`${articles.slug} in ${given} and not ${articleSlugs.givesWay}`),
    db
      .select({ slug: formerSlugs.slug })
      .from(formerSlugs)
      .where(sql`${formerSlugs.slug} in ${given}`),
  ]);
  return [...new Set([...now, ...before].map(({ slug }) => slug))];
}

/** Those of these ids that articles have. */
export async function findPresentArticles({ db }: Context, ids: number[]) {
  const rows = await db
    .select({ id: articles.id })
    .from(articles)
    .where(sql`${articles.id} in (select value from json_each(${JSON.stringify(ids)}))`);
  return new Set(rows.map(({ id }) => id));
}
