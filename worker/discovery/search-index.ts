import { count, sql } from "drizzle-orm";
import { createIndex, dropIndex } from "#worker/discovery/search-schema.ts";
import { searchDocuments } from "#worker/discovery/table.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";

/**
 * Makes the search index anew from what is published, in one transaction: a search meanwhile answers from the former
 * one. Returns how many documents the index has.
 * @throws `forbidden` without the capability `settings`
 */
export async function rebuildSearchIndex(ctx: Context) {
  requireCapability("settings", ctx);
  const rebuild = [...dropIndex, ...createIndex].map((statement) => ctx.db.run(sql.raw(statement)));
  await ctx.db.batch([changed(ctx, "search"), ...rebuild]);
  const [row] = await ctx.db.select({ documents: count() }).from(searchDocuments);
  return { documents: row!.documents };
}
