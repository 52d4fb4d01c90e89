import { sql, type SQLWrapper } from "drizzle-orm";
import { bin } from "#worker/bin/table.ts";

/** SQL: whether an item is in the bin. */
export const isInBin = (kind: SQLWrapper, item: SQLWrapper) =>
  sql`exists (select 1 from ${bin} where ${bin.key} = ${kind} || ':' || ${item})`;
