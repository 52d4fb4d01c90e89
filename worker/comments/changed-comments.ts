import { sql, type SQL } from "drizzle-orm";
import { comments } from "#worker/comments/table.ts";
import { changed } from "#worker/platform/data/changes.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * The statement that expires the answers that show these comments, to run before the write that hides, changes or
 * deletes them. `becomesShown`: the write will show them.
 */
export function changedComments(ctx: Context, which: SQL, { becomesShown = false } = {}) {
  const shown = becomesShown ? sql`${comments.status} <> 'approved'` : sql`${comments.status} = 'approved'`;
  return changed(
    ctx,
    sql`select distinct 'comments:' || ${comments.contentType} || ':' || ${comments.contentId} as tag
      from ${comments} where ${which} and ${shown}`,
  );
}
