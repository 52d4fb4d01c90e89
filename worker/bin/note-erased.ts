import { sql, type SQL } from "drizzle-orm";
import { bin, erased } from "#worker/bin/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** A row that is erased twice, such as an engagement with another contact, is noted with the later time. */
export const latest = {
  target: [erased.kind, erased.item],
  set: { erasedAt: sql`max(${erased.erasedAt}, excluded.erased_at)` },
};

/** The statement that notes rows as erased; `items` selects their ids as `item`. */
export const noteErased = ({ db, now }: Context, table: string, items: SQL) =>
  db
    .insert(erased)
    .select(sql`select ${table}, item, ${now.getTime()} from (${items}) where true`)
    .onConflictDoUpdate(latest);

/** The statement that deletes entries of the bin for good, with their rows; `ids` selects them. */
export const eraseEntries = ({ db }: Context, ids: SQL) => db.delete(bin).where(sql`${bin.id} in (${ids})`);
