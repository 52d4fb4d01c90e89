import { and, eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { FEED, type FeedDetails } from "#worker/imports/feed/contract.ts";
import { importNotFound } from "#worker/imports/import-queries.ts";
import { imports } from "#worker/imports/table.ts";
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
    .where(and(eq(imports.id, id), eq(imports.kind, FEED)));
  if (!row?.details) throw importNotFound();
  return { source: row.source, ...(row.details as FeedDetails) };
}
