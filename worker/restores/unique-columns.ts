import { sql } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";

/** The columns of each unique index of a table beside its primary key. Partial indexes are of no table that visitors write. */
export async function readUniqueColumns({ db }: Context, table: string) {
  const rows = await db.all<{ of: string; name: string }>(
    sql`select given.name as "of", part.name as name
      from pragma_index_list(${table}) as given join pragma_index_info(given.name) as part
      where given."unique" = 1 and given.origin <> 'pk' and given.partial = 0 order by given.name, part.seqno`,
  );
  return [...Map.groupBy(rows, ({ of }) => of).values()].map((columns) => columns.map(({ name }) => name));
}
