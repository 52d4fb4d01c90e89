import { MANIFEST, ARCHIVE_VERSION, type Manifest } from "#worker/exports/contract.ts";
import { jsonFile, type ExportedFile } from "#worker/exports/noun-export.ts";
import { counted, readCounters, tableFiles } from "#worker/exports/rows.ts";
import { readMigration, readTables } from "#worker/exports/tables.ts";
import { listedObjects, type ListedObject } from "#worker/files/hashes.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Table } from "#worker/platform/data/schema.ts";
import { readSite } from "#worker/settings/queries.ts";

export const OBJECTS = "data/objects.ndjson";

/**
 * What a site is restored from: the rows of all tables, the list of the files in R2, and last the manifest, which
 * has the size and hash of each. The tables are read one after another while the site stays online.
 */
export async function* archiveFiles(ctx: Context): AsyncGenerator<ExportedFile> {
  const tables = await readTables(ctx);
  const listed: Manifest["tables"] = [];
  const head = await readHead(ctx, tables);
  yield* tableFiles(ctx, tables, listed);
  const objects = { file: OBJECTS, rows: 0, bytes: 0, sha256: "", total: 0 };
  yield { path: OBJECTS, text: counted(objectLines(ctx, objects), objects) };
  yield jsonFile(MANIFEST, { ...head, tables: listed, objects } satisfies Manifest);
}

/**
 * What the manifest says besides its files. Read before the rows: one that is added in between has a higher id, from which
 * SQLite continues.
 */
export async function readHead(ctx: Context, tables: readonly Table[]) {
  const [counters, migration, { name }] = await Promise.all([
    readCounters(ctx, tables),
    readMigration(ctx),
    readSite(ctx),
  ]);
  const { now, config } = ctx;
  return {
    format: "rostrum",
    version: ARCHIVE_VERSION,
    migration,
    exportedAt: now.getTime(),
    site: config.siteUrl,
    name,
    counters,
  } as const;
}

async function* objectLines(ctx: Context, sum: { total: number }) {
  for await (const object of listedObjects(ctx)) {
    sum.total += object.bytes;
    yield objectLine(object);
  }
}

export const objectLine = ({ key, bytes, sha256, http, custom }: ListedObject) =>
  `${JSON.stringify({ key, bytes, sha256, http, custom })}\n`;
