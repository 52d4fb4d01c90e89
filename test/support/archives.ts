import { BlobReader, TextWriter, ZipReader, type FileEntry } from "@zip.js/zip.js/lib/zip-core-native.js";
import { sql } from "drizzle-orm";
import { readTables } from "#worker/exports/tables.ts";
import { exportSite } from "#worker/exports/zip.ts";
import { importKinds } from "#worker/imports/registry.ts";
import { workOn } from "#worker/imports/work.ts";
import type { Context } from "#worker/platform/context.ts";
import { addPiece, createRestore, startRestore } from "#worker/restores/commands.ts";
import { openArchive, type Archive } from "../../src/admin/restore/archive.ts";
import { jobContext, ownerContext } from "./client.ts";
import { lapseClaims, progressOf, still, workThrough } from "./imports.ts";
import { killedAfter } from "./killed.ts";
import { sweepsAll } from "./sweeps.ts";

/** The export of this site as a file. */
export const archived = async (options?: Partial<Context>) =>
  new Response(await exportSite(ownerContext(options))).blob();

/** The texts in a zip, by name. */
export async function unzip(blob: Blob) {
  const zip = new ZipReader(new BlobReader(blob), { useWebWorkers: false });
  const files = new Map<string, string>();
  for (const entry of (await zip.getEntries()) as FileEntry[])
    files.set(entry.filename, await entry.getData(new TextWriter()));
  return files;
}

/** A row in each table of an archive that has none: its texts are empty JSON lists, which triggers read. */
export async function fillEmptyTables() {
  const ctx = jobContext();
  for (const table of await readTables(ctx)) {
    const [{ count } = { count: 0 }] = await ctx.db.all<{ count: number }>(
      sql`select count(*) as count from ${sql.identifier(table.name)}`,
    );
    if (count > 0) continue;
    const values = [];
    for (const { name, type } of table.columns) {
      const reference = table.references.find(({ column }) => column === name);
      values.push(
        reference
          ? sql`(select ${sql.identifier(reference.to)} from ${sql.identifier(reference.table)} limit 1)`
          : /text/i.test(type)
            ? sql`'[]'`
            : sql`1`,
      );
    }
    const names = table.columns.map(({ name }) => sql.identifier(name));
    await ctx.db.run(
      sql`insert into ${sql.identifier(table.name)} (${sql.join(names, sql`, `)}) values (${sql.join(values, sql`, `)})`,
    );
  }
}

/** Sends an archive, as the page and `npm run restore` do. */
export async function sendArchive(ctx: Context, archive: Archive, source = "site.zip") {
  await archive.check();
  const { id } = await createRestore(ctx, { source, manifest: archive.manifest });
  for await (const piece of archive.pieces()) await addPiece(ctx, id, piece);
  return id;
}

/** Statements after which a message is killed: before its work, within it, and after it. */
const KILLS = [4, 8, 12];

/** Works through a restore, each step of which is killed: in `npm run test:full` after each of these, else after one in turn. */
async function workThroughKilled(id: number) {
  let kills = 0;
  const work = (ctx: Context) => workOn(ctx, id, importKinds);
  for (let step = 0; step < 2000; step++) {
    if ((await progressOf(id)).state !== "running") return kills;
    for (const statements of sweepsAll ? KILLS : KILLS.slice(step % KILLS.length).slice(0, 1)) {
      if (await killedAfter(statements, jobContext(still), work)) kills++;
      await lapseClaims(id);
    }
    await work(jobContext(still));
  }
  throw new Error("The restore did not end.");
}

/** Restores this archive into the present, empty site. */
export async function restored(file: Blob, { isKilled = false } = {}) {
  const archive = await openArchive(file);
  const id = await sendArchive(ownerContext(still), archive);
  await startRestore(ownerContext(still), id);
  const kills = isKilled ? await workThroughKilled(id) : (await workThrough(id), 0);
  return { id, kills };
}
