import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { setTimeout } from "node:timers/promises";
import { compareObject } from "../worker/files/hashes.ts";
import { resumeImport } from "../worker/imports/import-commands.ts";
import { listItems, readImport } from "../worker/imports/import-queries.ts";
import { importKinds } from "../worker/imports/registry.ts";
import { workOn } from "../worker/imports/work.ts";
import type { Context } from "../worker/platform/context.ts";
import { AppError } from "../worker/platform/errors.ts";
import { addPiece, createRestore, startRestore } from "../worker/restores/commands.ts";
import { findStartedRestore } from "../worker/restores/queries.ts";
import { openArchive, openFilesArchive } from "../src/admin/restore/archive.ts";

/** Restores the site of this context from an archive and the zips with its files, and returns the report as lines. */
export async function restoreSite(
  ctx: Context,
  [path, ...others]: [string, ...string[]],
  say: (line: string) => void,
) {
  const id = (await findStartedRestore(ctx)) ?? (await send(ctx, path, others, say));
  const { state } = await readImport(ctx, id);
  if (state === "paused") await resumeImport(ctx, id);
  for (let done = -1; ;) {
    const { counts, state: now, pausedReason } = await readImport(ctx, id);
    if (now === "paused") throw new AppError("conflict", pausedReason ?? "The restore was paused.");
    if (now !== "running") break;
    // The deployed site's own queue may be at it, or an interrupted step waits.
    if (counts.done === done) await setTimeout(1000);
    else say(`${counts.done} of ${counts.total} steps`);
    done = counts.done;
    await workOn(ctx, id, importKinds);
  }
  return reportOf(ctx, id);
}

async function send(ctx: Context, path: string, others: string[], say: (line: string) => void) {
  const archive = await openArchive(await openAsBlob(path));
  try {
    say(`Checking ${basename(path)}, exported from ${archive.manifest.site}.`);
    await archive.check();
    const { id } = await createRestore(ctx, { source: basename(path), manifest: archive.manifest });
    for await (const piece of archive.pieces()) await addPiece(ctx, id, piece);
    // Before the rows, so that the report compares them.
    for (const other of others) await restoreFiles(ctx, other, say);
    await startRestore(ctx, id);
    return id;
  } finally {
    await archive.close();
  }
}

async function reportOf(ctx: Context, id: number) {
  const lines: string[] = [];
  for (let before: string | undefined; ;) {
    const { items, next } = await listItems(ctx, id, before === undefined ? {} : { before });
    lines.push(...items.flatMap(({ title, message }) => (message === null ? [] : [`${title}: ${message}`])));
    if (next === null) return lines;
    before = next;
  }
}

/** Stores the files of an archive that are missing or different here. */
async function restoreFiles(ctx: Context, path: string, say: (line: string) => void) {
  const archive = await openFilesArchive(await openAsBlob(path));
  try {
    const { part, of, objects } = archive.manifest;
    say(`${basename(path)}: part ${part} of ${of}, ${objects.length} files.`);
    for (const object of objects) {
      if ((await compareObject(ctx, object)).is === "same") continue;
      const { http, custom, sha256 } = object;
      const bytes = await (await archive.read(object)).arrayBuffer();
      await ctx.media.put(object.key, bytes, { httpMetadata: http, customMetadata: custom, sha256 });
    }
  } finally {
    await archive.close();
  }
}
