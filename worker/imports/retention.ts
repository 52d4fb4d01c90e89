import { and, inArray, lt, sql } from "drizzle-orm";
import { imports } from "#worker/imports/table.ts";
import type { Context } from "#worker/platform/context.ts";

const DAY = 86_400_000;
/** Imported items remain; the import's list of items is deleted after this many milliseconds. */
const KEEP_ENDED_MS = 90 * DAY;
/** One that was never started holds what may be out of date. */
const KEEP_OPEN_MS = 14 * DAY;
/** Each takes its items along, 10,000 at most. */
const IMPORTS_A_RUN = 5;

/** Daily: deletes imports that ended, or were left, long ago. */
export async function pruneImports({ db, now }: Context) {
  const before = (age: number) => lt(imports.updatedAt, new Date(now.getTime() - age));
  const old = db
    .select({ id: imports.id })
    .from(imports)
    .where(
      sql`(${and(inArray(imports.state, ["done", "cancelled"]), before(KEEP_ENDED_MS))})
        or (${and(inArray(imports.state, ["open"]), before(KEEP_OPEN_MS))})`,
    )
    .limit(IMPORTS_A_RUN);
  await db.delete(imports).where(inArray(imports.id, old));
}
