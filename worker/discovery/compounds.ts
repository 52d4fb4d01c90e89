import { sql } from "drizzle-orm";
import { LEAST_REST } from "#worker/discovery/tokens.ts";
import { innerWords, noCompounds, type Compounds } from "#worker/discovery/words.ts";
import type { Context } from "#worker/platform/context.ts";

/** Maximum compounds per word. */
const MOST = 20;

/** For words of a query, the indexed words that contain them, such as Wohnungsgenossenschaft for Genossenschaft. */
export async function findCompounds({ db }: Context, words: string[]): Promise<Compounds> {
  const asked = innerWords(words);
  if (asked.length === 0) return noCompounds;
  const found = await db.all<{ word: string; term: string }>(sql`
    with asked as materialized (select value as word from json_each(${JSON.stringify(asked)}))
    select word, term from asked cross join search_compounds as compound on compound.rowid in (
      select rowid from search_compounds
      where search_compounds match '"' || word || '"' and instr(term, word) > 1 and length(term) >= length(word) + ${LEAST_REST}
      limit ${MOST})`);
  const terms = Map.groupBy(found, ({ word }) => word);
  return new Map([...terms].map(([word, rows]) => [word, rows.map(({ term }) => term)]));
}
