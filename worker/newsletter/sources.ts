import { sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { subscribers } from "#worker/newsletter/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { wholeList } from "#worker/platform/keyset.ts";

/** The first of them; a form that lists them needs no more. */
const MAX_SOURCES = 50;

/**
 * Where subscribers came from: the forms and imports that there are, by name.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listSources(ctx: Context) {
  requireCapability("audience", ctx);
  // From one source to the next in the index: DISTINCT would read each of its rows.
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
