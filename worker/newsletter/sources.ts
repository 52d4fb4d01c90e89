import { sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";

/** A form needs no more than the first ones. */
const MAX_SOURCES = 50;

/**
 * The sources of subscribers: forms and imports, by name.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listSources(ctx: Context) {
  requireCapability("audience", ctx);
  // A loose index scan: DISTINCT would read every row.
  const found = await ctx.db.all<{ source: string | null }>(sql`
    with recursive sources (source) as (
      select min(${subscribers.source}) from ${subscribers}
      union all
      select (select min(${subscribers.source}) from ${subscribers} where ${subscribers.source} > sources.source)
      from sources where sources.source is not null limit ${sql.raw(String(MAX_SOURCES + 1))}
    )
    select source from sources`);
  return wholeList(found.flatMap(({ source }) => source ?? []).slice(0, MAX_SOURCES));
}
