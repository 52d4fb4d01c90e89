import type { SQL } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { documentStatement, momentStatement } from "#worker/discovery/search.ts";
import { wordsOf } from "#worker/discovery/words.ts";
import type { Language } from "./language.ts";
import { median } from "./load.ts";

const TRIES = 9;

/** What D1 itself says of the statements of a search: milliseconds (the median of some tries) and rows read. */
export async function measureSearch({ DB }: Pick<Env, "DB">, { word }: Language) {
  const questions = {
    "a rare word": word(15_000),
    "three rare words": [word(9_000), word(12_000), word(15_000)].join(" "),
    "a word in a few": word(1_000),
    "an unfinished word": word(500).slice(0, 4),
    "a common word": word(20),
    "the commonest": word(1),
    "the commonest three": [word(1), word(2), word(3)].join(" "),
  };
  const rows = [];
  for (const [name, question] of Object.entries(questions)) {
    const words = wordsOf(question);
    const documents = await ask(DB, documentStatement(words, undefined, null));
    const moments = await ask(DB, momentStatement(words, 4, null));
    rows.push({ name, documents, moments, ms: documents.ms + moments.ms });
  }
  return rows;
}

async function ask(DB: D1Database, statement: SQL) {
  const { sql, params } = new SQLiteSyncDialect().sqlToQuery(statement);
  const prepared = DB.prepare(sql).bind(...params);
  const metas: D1Meta[] = [];
  for (let n = 0; n < TRIES; n++) metas.push((await prepared.all()).meta);
  return { ms: median(metas.map(({ duration }) => duration)), rowsRead: metas[0]?.rows_read ?? Number.NaN };
}
