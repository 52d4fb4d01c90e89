import { and, eq, ne, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { findPresentEpisodes } from "#worker/episodes/guid-queries.ts";
import { PLANNING } from "#worker/imports/contract.ts";
import { FEED, type FeedDetails } from "#worker/imports/feed/contract.ts";
import { importNotFound } from "#worker/imports/import-queries.ts";
import { importItems, imports } from "#worker/imports/table.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * What is known of the import of a feed as a whole: its plan, and the last comparison.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readFeedDetails(ctx: Context, id: number): Promise<FeedDetails & { source: string }> {
  requireCapability("edit", ctx);
  const [row] = await ctx.db
    .select({ source: imports.source, details: imports.details })
    .from(imports)
    .where(and(eq(imports.id, id), eq(imports.kind, FEED), ne(imports.state, PLANNING)));
  if (!row?.details) throw importNotFound();
  return { source: row.source, ...(row.details as FeedDetails) };
}

/** The episodes imported from a feed, by their audio's address at the old host, with http or https. */
export async function findEpisodesByEnclosure(ctx: Context, addresses: string[]) {
  const bare = (address: string) => address.replace(/^https?:/i, "");
  const given = JSON.stringify(
    addresses.filter(Boolean).flatMap((each) => [`http:${bare(each)}`, `https:${bare(each)}`]),
  );
  const address = sql<string>`${importItems.payload} ->> '$.audio.url'`;
  const rows = await ctx.db
    .select({ address, id: sql<number>`cast(${importItems.result} as integer)` })
    .from(importItems)
    .innerJoin(imports, and(eq(imports.id, importItems.importId), eq(imports.kind, FEED)))
    .where(sql`${importItems.result} is not null and ${address} in (select value from json_each(${given}))`);
  const present = await findPresentEpisodes(
    ctx,
    rows.map(({ id }) => id),
  );
  const found = new Map(rows.filter(({ id }) => present.has(id)).map((row) => [bare(row.address), row.id]));
  return new Map(
    addresses.flatMap((each) => {
      const id = found.get(bare(each));
      return each !== "" && id !== undefined ? [[each, id] as const] : [];
    }),
  );
}
