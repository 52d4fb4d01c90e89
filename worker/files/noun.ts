import { asc, gt } from "drizzle-orm";
import type { Exporter } from "#worker/exports/noun-export.ts";
import { fileBin } from "#worker/files/binned.ts";
import { deleteFiles } from "#worker/files/objects.ts";
import { mediaUrl } from "#worker/files/stored.ts";
import { files } from "#worker/files/table.ts";
import { noun } from "#worker/nouns/noun.ts";
import type { Context } from "#worker/platform/context.ts";
import { CSV_MARK, csvLines } from "#worker/platform/http/csv.ts";

const SLICE = 1000;

/** The list of all files, and their addresses one a line, as download programs read them. */
const filesForExport: Exporter = (ctx) => [
  { path: "media.csv", text: csvOf(ctx) },
  { path: "media.txt", text: addressesOf(ctx) },
];

async function* slicesOf({ db, config: { siteUrl } }: Context) {
  for (let after = 0; ;) {
    const rows = await db
      .select()
      .from(files)
      .where(gt(files.number, after))
      .orderBy(asc(files.number))
      .limit(SLICE);
    if (rows.length > 0) yield rows.map((row) => ({ ...row, address: siteUrl + mediaUrl(row.key) }));
    if (rows.length < SLICE) return;
    after = rows.at(-1)!.number!;
  }
}

const HEADER = ["id", "address", "name", "type", "bytes", "seconds", "width", "height", "alt", "uploaded_at"];

async function* csvOf(ctx: Context) {
  yield CSV_MARK + csvLines([HEADER]);
  for await (const rows of slicesOf(ctx)) {
    yield csvLines(
      rows.map((row) => [
        row.id,
        row.address,
        row.name,
        row.type,
        String(row.size),
        String(row.durationSeconds ?? ""),
        String(row.width ?? ""),
        String(row.height ?? ""),
        row.alt,
        row.createdAt.toISOString(),
      ]),
    );
  }
}

async function* addressesOf(ctx: Context) {
  for await (const rows of slicesOf(ctx)) yield rows.map(({ address }) => `${address}\n`).join("");
}

export const fileNoun = noun({
  table: files,
  title: "name",
  // An audio file protects the pictures that were found inside it.
  files: { kind: "file", columns: ["artworkFileId"], lists: ["chapterPictureIds"] },
  bin: fileBin,
  exported: filesForExport,
  eraseAgain: (ctx, which) => deleteFiles(ctx, which).statements,
});
