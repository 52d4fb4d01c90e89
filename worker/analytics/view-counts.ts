import { sql } from "drizzle-orm";
import { analyticsTotals } from "#worker/analytics/table.ts";
import type { Context } from "#worker/platform/context.ts";

/** An article's views of all time. */
export async function readArticleViews({ db }: Context, id: number) {
  const [row] = await db
    .select({ views: analyticsTotals.views })
    .from(analyticsTotals)
    .where(sql`span = 0 and kind = 'article' and start = 0 and ${analyticsTotals.content} = ${String(id)}`);
  return row?.views ?? 0;
}
