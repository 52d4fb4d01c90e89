import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { FileFlaw, FileFolder } from "#worker/files/contract.ts";

/** An upload and, once complete, the object in R2 that it became. */
export const files = sqliteTable(
  "files",
  {
    id: text("id").primaryKey(),
    /** The object's key in R2 and the path after /media/; never used twice. */
    key: text("key").notNull(),
    folder: text("folder").$type<FileFolder>().notNull(),
    /** As the owner's machine called it; offered again on download. */
    name: text("name").notNull(),
    /** MIME type read from the bytes; before the first part, what the browser claimed. */
    type: text("type").notNull(),
    /** Bytes. */
    size: integer("size").notNull(),
    /** Bytes of each part but the last. */
    partSize: integer("part_size").notNull(),
    status: text("status", { enum: ["uploading", "complete"] }).notNull(),
    /** R2's multipart upload, from the first part to completion. */
    uploadId: text("upload_id"),
    /** When the latest part arrived; an upload idle for a day is swept. */
    lastPartAt: integer("last_part_at", { mode: "timestamp_ms" }),
    /** Seconds of audio, null where unknown. */
    durationSeconds: real("duration_seconds"),
    /** What is wrong with its length, and what it says of that itself, in seconds. */
    flaw: text("flaw").$type<FileFlaw>(),
    statedSeconds: real("stated_seconds"),
    /** Bytes before the first audio frame (ID3 and such), for counting a minute's worth of audio. */
    audioStart: integer("audio_start"),
    width: integer("width"),
    height: integer("height"),
    /** A picture has an alpha channel, which Apple refuses in artwork. */
    hasAlpha: integer("has_alpha", { mode: "boolean" }),
    /** A JPEG has the colours of print, which apps show wrongly. */
    isCmyk: integer("is_cmyk", { mode: "boolean" }),
    /** Widths in px of a picture's WebP copies; null until made. */
    variants: text("variants", { mode: "json" }).$type<number[]>(),
    /** Widths in px of its AVIF copies; null until made. */
    avifVariants: text("avif_variants", { mode: "json" }).$type<number[]>(),
    /** The picture found inside an audio file, itself a row here. */
    artworkFileId: text("artwork_file_id"),
    /** Chapters found inside an audio file. */
    chapters: text("chapters", { mode: "json" }).$type<{ start: number; title: string }[]>(),
    createdBy: text("created_by").notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    completedAt: integer("completed_at", { mode: "timestamp_ms" }),
  },
  (table) => [
    uniqueIndex("files_key").on(table.key),
    index("files_unfinished")
      .on(table.createdAt)
      .where(sql`status = 'uploading'`),
  ],
);

export const fileParts = sqliteTable(
  "file_parts",
  {
    fileId: text("file_id")
      .notNull()
      .references(() => files.id, { onDelete: "cascade" }),
    /** 1 and up, as R2 numbers them. */
    number: integer("number").notNull(),
    etag: text("etag").notNull(),
    size: integer("size").notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.number] })],
);

/** How loud an audio file is, for its waveform. Beside `files`, whose rows are read for more than that. */
export const filePeaks = sqliteTable("file_peaks", {
  /** The file's. */
  id: text("id")
    .primaryKey()
    .references(() => files.id, { onDelete: "cascade" }),
  /** Base64 of a byte for each stretch of the file, all of one length. */
  peaks: text("peaks").notNull(),
});
