import { count, sql } from "drizzle-orm";
import { createIndex, dropIndex } from "#worker/discovery/search-schema.ts";
import { searchDocuments } from "#worker/discovery/table.ts";
import { changed } from "#worker/platform/data/changes.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * Rebuilds the search index from the published content, in one transaction: until it commits, searches use the old
 * index. Returns the number of documents.
 * @throws `forbidden` without the capability `settings`
 */
export async function rebuildSearchIndex(ctx: Context) {
  requireCapability("settings", ctx);
  const rebuild = [...dropIndex, ...createIndex].map((statement) => ctx.db.run(sql.raw(statement)));
  await ctx.db.batch([changed(ctx, "search"), ...rebuild]);
  const [row] = await ctx.db.select({ documents: count() }).from(searchDocuments);
  return { documents: row!.documents };
}
