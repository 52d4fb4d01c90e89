import { sql, type SQLWrapper } from "drizzle-orm";
import { bin } from "#worker/bin/table.ts";
import { selectMissing, selectUsesByBinAlone } from "#worker/files/library/references.ts";
import type { Context } from "#worker/platform/context.ts";
import { prepared } from "#worker/platform/data/prepared.ts";

/** Milliseconds after which the files of a deleted item are no longer served: until then, listeners can finish. */
const DAY = 86_400_000;

const selectDeleted = prepared(["fileId", "dayAgo"], (db, { fileId, dayAgo }) => {
  const isOld = (key: SQLWrapper) =>
    sql`exists (select 1 from ${bin} where ${bin.key} = ${key} and ${bin.deletedAt} < ${dayAgo})`;
  const id = sql`${fileId}`;
  return db
    .select({ one: sql`one` })
    .from(sql`(${selectMissing(id)} union all ${selectUsesByBinAlone(id, isOld)})`);
});

/**
 * Whether a file has no row, which may be in the bin, or is used by deleted items alone. A replica may not have a new or a
 * restored row yet, so the primary confirms it.
 */
export async function isDeleted(ctx: Context, fileId: string) {
  const asked = { fileId, dayAgo: ctx.now.getTime() - DAY };
  const isFound = async (reader: Pick<Context, "db">) => (await selectDeleted(reader, asked)).length > 0;
  return (await isFound(ctx)) && isFound({ db: ctx.primary() });
}
