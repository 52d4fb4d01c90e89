import { sql, type SQLWrapper } from "drizzle-orm";
import { bin } from "#worker/bin/table.ts";
import { selectInBin, selectUsesByBinAlone } from "#worker/files/library/references.ts";
import type { Context } from "#worker/platform/context.ts";
import { prepared } from "#worker/platform/data/prepared.ts";

/** Milliseconds after which the files of a deleted item are no longer served: until then, listeners can finish. */
const DAY = 86_400_000;

const selectHeld = prepared(["fileId", "dayAgo"], (db, { fileId, dayAgo }) => {
  const isOld = (key: SQLWrapper) =>
    sql`exists (select 1 from ${bin} where ${bin.key} = ${key} and ${bin.deletedAt} < ${dayAgo})`;
  const id = sql`${fileId}`;
  return db
    .select({ one: sql`one` })
    .from(sql`(${selectInBin(id)} union all ${selectUsesByBinAlone(id, isOld)})`);
});

/** Whether a file is in the bin, or used by deleted items alone. */
export const isHeldByBinAlone = async (ctx: Context, fileId: string) =>
  (await selectHeld(ctx, { fileId, dayAgo: ctx.now.getTime() - DAY })).length > 0;
