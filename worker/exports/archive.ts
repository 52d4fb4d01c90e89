import { MANIFEST, ARCHIVE_VERSION, type Manifest } from "#worker/exports/contract.ts";
import { jsonFile, type ExportedFile } from "#worker/exports/noun-export.ts";
import { counted, readCounters, tableFiles } from "#worker/exports/rows.ts";
import { readMigration, readTables } from "#worker/exports/tables.ts";
import { hashedObjects } from "#worker/files/hashes.ts";
import type { Context } from "#worker/platform/context.ts";
import { readSite } from "#worker/settings/queries.ts";

const OBJECTS = "data/objects.ndjson";

/**
 * What a site is restored from: the rows of all tables, the list of the files in R2, and last the manifest, which
 * has the size and hash of each. The tables are read one after another while the site stays online.
 */
export async function* archiveFiles(ctx: Context): AsyncGenerator<ExportedFile> {
  const tables = await readTables(ctx);
  const listed: Manifest["tables"] = [];
  // Before the rows: one that is added in between has a higher id, from which SQLite continues.
  const counters = await readCounters(ctx, tables);
  yield* tableFiles(ctx, tables, listed);
  const objects = { file: OBJECTS, rows: 0, bytes: 0, sha256: "", total: 0 };
  yield { path: OBJECTS, text: counted(objectLines(ctx, objects), objects) };
  const [migration, { name }] = await Promise.all([readMigration(ctx), readSite(ctx)]);
  yield jsonFile(MANIFEST, {
    format: "rostrum",
    version: ARCHIVE_VERSION,
    migration,
    exportedAt: ctx.now.getTime(),
    site: ctx.config.siteUrl,
    name,
    tables: listed,
    counters,
    objects,
  } satisfies Manifest);
}

async function* objectLines(ctx: Context, sum: { total: number }) {
  for await (const { crc32: _, ...object } of hashedObjects(ctx)) {
    sum.total += object.bytes;
    yield `${JSON.stringify(object)}\n`;
  }
}
