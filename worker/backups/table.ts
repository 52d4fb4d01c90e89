import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { runKinds, runStates } from "#worker/backups/contract.ts";

/** The making of a copy, or a drill: work in steps, of which each saves where the next one begins. */
export const backupRuns = sqliteTable(
  "backup_runs",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    kind: text("kind", { enum: runKinds }).notNull(),
    /** The copy's folder in the bucket; null until it is chosen. */
    copy: text("copy"),
    state: text("state", { enum: runStates }).notNull(),
    /** Why it failed, for the owner. */
    problem: text("problem"),
    claim: text("claim"),
    /** For a waiting run, when it is due; for a working one, when its claim lapses. */
    notBefore: integer("not_before", { mode: "timestamp_ms" }).notNull(),
    /** Since the last step that was finished. */
    attempts: integer("attempts").notNull().default(0),
    startedAt: integer("started_at", { mode: "timestamp_ms" }).notNull(),
    finishedAt: integer("finished_at", { mode: "timestamp_ms" }),
    /** The step that is next. */
    stage: text("stage").notNull(),
    /** Where it begins; each kind of run has its own form. */
    position: text("position", { mode: "json" }).notNull(),
  },
  (table) => [
    // One at a time of each kind.
    uniqueIndex("backup_runs_open")
      .on(table.kind)
      .where(sql`state in ('waiting', 'working')`),
    index("backup_runs_by_kind").on(table.kind, table.state, table.id),
  ],
);

/** The files that the bucket of copies has. A file never changes, and its key is never used again. */
export const backupFiles = sqliteTable(
  "backup_files",
  {
    /** As in the bucket of files. */
    key: text("key").primaryKey(),
    bytes: integer("bytes").notNull(),
    /** See `fileHash`. */
    sha256: text("sha256").notNull(),
    /** Of the copy's object: it changes if the object is overwritten. Empty if it was found damaged. */
    etag: text("etag").notNull(),
    /** The number of the first copy that names it; 0 if earlier ones may, too. */
    firstCopy: integer("first_copy").notNull(),
    /** The number of the first copy without it. */
    goneCopy: integer("gone_copy"),
  },
  (table) => [
    index("backup_files_gone")
      .on(table.goneCopy)
      .where(sql`gone_copy is not null`),
  ],
);
