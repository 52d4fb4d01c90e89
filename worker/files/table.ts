import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { binnedTable } from "#worker/bin/table.ts";
import type {
  AudioTags,
  EmbeddedChapter,
  FileFlaw,
  FileFolder,
  FileUseKind,
  MailFormat,
} from "#worker/files/contract.ts";
import type { Loudness } from "#worker/files/loudness/contract.ts";

/** An upload and, once complete, its object in R2. */
export const files = sqliteTable(
  "files",
  {
    id: text("id").primaryKey(),
    /** Its position among all complete files, in order of completion; set by a trigger (decision 0044). */
    number: integer("number"),
    /** The object's key in R2 and the path after /media/; never reused. */
    key: text("key").notNull(),
    folder: text("folder").$type<FileFolder>().notNull(),
    /** The name on the owner's machine; offered again on download. */
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
    /** Seconds of audio, null if unknown. */
    durationSeconds: real("duration_seconds"),
    /** What is wrong with its length, and the length in seconds that it states. */
    flaw: text("flaw").$type<FileFlaw>(),
    statedSeconds: real("stated_seconds"),
    /** Bytes before the first audio frame (ID3 and such), for counting a minute of audio. */
    audioStart: integer("audio_start"),
    width: integer("width"),
    height: integer("height"),
    /** A picture has an alpha channel, which Apple refuses in artwork. */
    hasAlpha: integer("has_alpha", { mode: "boolean" }),
    /** A JPEG is in CMYK, which apps show wrongly. */
    isCmyk: integer("is_cmyk", { mode: "boolean" }),
    /** Widths in px of a picture's WebP copies; null until made. */
    variants: text("variants", { mode: "json" }).$type<number[]>(),
    /** Widths in px of its AVIF copies; null until made. */
    avifVariants: text("avif_variants", { mode: "json" }).$type<number[]>(),
    /** Its copy for emails; null until an email shows it, and for pictures that emails show unchanged. */
    mailCopy: text("mail_copy", { mode: "json" }).$type<{ width: number; format: MailFormat }>(),
    /** A picture has several frames, which its smaller copies would lose; null if unknown. */
    isAnimated: integer("is_animated", { mode: "boolean" }),
    /** The picture found inside an audio file, itself a row here. */
    artworkFileId: text("artwork_file_id"),
    /** Chapters found inside an audio file. */
    chapters: text("chapters", { mode: "json" }).$type<EmbeddedChapter[]>(),
    /** The pictures found in its chapters, themselves rows here. */
    chapterPictureIds: text("chapter_picture_ids", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** The title and number in an audio file's tags. */
    tags: text("tags", { mode: "json" }).$type<AudioTags>(),
    /** The description of a picture, for people who cannot see it. */
    alt: text("alt").notNull().default(""),
    /** Set if it is kept when unused. */
    keptAt: integer("kept_at", { mode: "timestamp_ms" }),
    /** When a daily run first found it unused and not kept; null otherwise. It is deleted a day later. */
    unusedAt: integer("unused_at", { mode: "timestamp_ms" }),
    /** Whether `file_uses` has it; maintained by triggers. */
    isUsed: integer("is_used", { mode: "boolean" }).notNull().default(false),
    createdBy: text("created_by").notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    completedAt: integer("completed_at", { mode: "timestamp_ms" }),
  },
  (table) => [
    uniqueIndex("files_key").on(table.key),
    uniqueIndex("files_number").on(table.number),
    /** Finds uploads of the same recording. */
    index("files_recording")
      .on(table.size, table.durationSeconds)
      .where(sql`duration_seconds is not null`),
    index("files_unfinished")
      .on(table.createdAt)
      .where(sql`status = 'uploading'`),
  ],
);

/** Which item and version uses which file. Triggers write it from the columns that name files (uses-schema.ts). */
export const fileUses = sqliteTable(
  "file_uses",
  {
    fileId: text("file_id").notNull(),
    kind: text("kind").$type<FileUseKind>().notNull(),
    /** The item's id or slug. */
    item: text("item").notNull(),
    /** The id of a former version; 0 for the current one. */
    version: integer("version").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.fileId, table.kind, table.item, table.version] }),
    index("file_uses_by_item").on(table.kind, table.item, table.version),
  ],
);

export const fileParts = sqliteTable(
  "file_parts",
  {
    fileId: text("file_id")
      .notNull()
      .references(() => files.id, { onDelete: "cascade" }),
    /** From 1, as R2 numbers them. */
    number: integer("number").notNull(),
    etag: text("etag").notNull(),
    size: integer("size").notNull(),
  },
  (table) => [primaryKey({ columns: [table.fileId, table.number] })],
);

/** The peaks of an audio file's waveform, and its loudness. Separate from `files`, whose rows are read for other purposes. */
export const filePeaks = sqliteTable("file_peaks", {
  /** The file's id. */
  id: text("id")
    .primaryKey()
    .references(() => files.id, { onDelete: "cascade" }),
  /** Base64 of one byte for each section of the file, all of the same length. */
  peaks: text("peaks").notNull(),
  /** Null for files whose waveform was measured before loudness was. */
  loudness: text("loudness", { mode: "json" }).$type<Loudness>(),
});

/**
 * Files that were replaced in the library. A row stays when its file is deleted: the address redirects to the
 * successor.
 */
export const replacedFiles = sqliteTable(
  "replaced_files",
  {
    fileId: text("file_id").primaryKey(),
    /** The latest successor, also of a file that was replaced twice. */
    successorId: text("successor_id").notNull(),
  },
  (table) => [index("replaced_files_by_successor").on(table.successorId)],
);

/** The hashes of objects in R2, which does not compute SHA-256 itself. */
export const objectHashes = sqliteTable("object_hashes", {
  key: text("key").primaryKey(),
  /** R2's ETag of the object with this hash. */
  etag: text("etag").notNull(),
  /** In hexadecimal. */
  sha256: text("sha256").notNull(),
  /** By which a zip checks it. */
  crc32: integer("crc32").notNull(),
});

/** Files in the bin. Their objects stay in R2, and are not served. */
export const binnedFiles = binnedTable(files, ["id"]);
export const binnedFilePeaks = binnedTable(filePeaks);
