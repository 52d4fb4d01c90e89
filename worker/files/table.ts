import { sql } from "drizzle-orm";
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type {
  AudioTags,
  EmbeddedChapter,
  FileFlaw,
  FileFolder,
  FileUseKind,
  MailFormat,
} from "#worker/files/contract.ts";

/** An upload and, once complete, the object in R2 that it became. */
export const files = sqliteTable(
  "files",
  {
    id: text("id").primaryKey(),
    /** Its place among all complete files, in the order in which they became so; a trigger gives it (decision 0044). */
    number: integer("number"),
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
    /** Its copy for mails; null until a mail shows it, and for what mails show as it is. */
    mailCopy: text("mail_copy", { mode: "json" }).$type<{ width: number; format: MailFormat }>(),
    /** A picture has several frames, which its smaller copies would lose; null where nobody looked. */
    isAnimated: integer("is_animated", { mode: "boolean" }),
    /** The picture found inside an audio file, itself a row here. */
    artworkFileId: text("artwork_file_id"),
    /** Chapters found inside an audio file. */
    chapters: text("chapters", { mode: "json" }).$type<EmbeddedChapter[]>(),
    /** The pictures found in its chapters, themselves rows here. */
    chapterPictureIds: text("chapter_picture_ids", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** The title and the number that an audio file bears. */
    tags: text("tags", { mode: "json" }).$type<AudioTags>(),
    /** What a picture shows, for people who cannot see it. */
    alt: text("alt").notNull().default(""),
    /** Kept although nothing uses it. */
    keptAt: integer("kept_at", { mode: "timestamp_ms" }),
    /** When a daily run first found it neither used nor kept; null while it is. A day later it is removed. */
    unusedAt: integer("unused_at", { mode: "timestamp_ms" }),
    /** Whether `file_uses` names it; triggers keep this true. */
    isUsed: integer("is_used", { mode: "boolean" }).notNull().default(false),
    createdBy: text("created_by").notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    completedAt: integer("completed_at", { mode: "timestamp_ms" }),
  },
  (table) => [
    uniqueIndex("files_key").on(table.key),
    uniqueIndex("files_number").on(table.number),
    /** Uploads of one recording. */
    index("files_recording")
      .on(table.size, table.durationSeconds)
      .where(sql`duration_seconds is not null`),
    index("files_unfinished")
      .on(table.createdAt)
      .where(sql`status = 'uploading'`),
  ],
);

/** Where each file is used, version by version. Triggers write it from the columns that name files (uses-schema.ts). */
export const fileUses = sqliteTable(
  "file_uses",
  {
    fileId: text("file_id").notNull(),
    kind: text("kind").$type<FileUseKind>().notNull(),
    /** The item's id or slug. */
    item: text("item").notNull(),
    /** Of a former version its id; 0 for the item as it stands. */
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

/** Files whose place others took in the library. A row stays when its file is deleted: the address leads to the successor. */
export const replacedFiles = sqliteTable(
  "replaced_files",
  {
    fileId: text("file_id").primaryKey(),
    /** The newest: of a file that was replaced twice, the last one. */
    successorId: text("successor_id").notNull(),
  },
  (table) => [index("replaced_files_by_successor").on(table.successorId)],
);
