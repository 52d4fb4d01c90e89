import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { episodes } from "#worker/episodes/table.ts";
import type { Position } from "#worker/files/audio/cutting/piece.ts";
import { transcriptionStates, type Stretch } from "#worker/transcription/contract.ts";

/** The latest transcription of an episode's recording. Its words are in its pieces. */
export const transcriptions = sqliteTable("transcriptions", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  episodeId: integer("episode_id")
    .notNull()
    .unique()
    .references(() => episodes.id, { onDelete: "cascade" }),
  /** The file's id. The recording may be deleted: a transcription that is ready no longer needs it. */
  recording: text("recording").notNull(),
  state: text("state", { enum: transcriptionStates }).notNull(),
  /** Steps that are done: a queue message of another step does nothing. */
  step: integer("step").notNull(),
  service: text("service").notNull(),
  model: text("model").notNull(),
  /** That the model is asked for, as ISO 639-1; null where it detects it. */
  language: text("language"),
  /** The language that it heard, as it names it. */
  heard: text("heard"),
  /** In dollars. */
  pricePerMinute: real("price_per_minute").notNull(),
  problem: text("problem"),
  retryAt: integer("retry_at", { mode: "timestamp_ms" }),
  /** Busy answers in a row. */
  busyAnswers: integer("busy_answers").notNull(),
  startedAt: integer("started_at", { mode: "timestamp_ms" }).notNull(),
  acceptedAt: integer("accepted_at", { mode: "timestamp_ms" }),
  missing: text("missing", { mode: "json" }).$type<Stretch[]>().notNull(),
  /** WebVTT. */
  draft: text("draft").notNull(),
});

/** A word: start and end in seconds of the recording, its text, and the number of its voice if it has one. */
export type PackedWord = [start: number, end: number, text: string, voice?: number];

export const transcriptionPieces = sqliteTable(
  "transcription_pieces",
  {
    transcriptionId: integer("transcription_id")
      .notNull()
      .references(() => transcriptions.id, { onDelete: "cascade" }),
    number: integer("number").notNull(),
    state: text("state", { enum: ["waiting", "heard", "failed"] }).notNull(),
    /** Where it begins; null for the recording's beginning. */
    position: text("position", { mode: "json" }).$type<Position>(),
    /** Null until it was cut. */
    start: real("start"),
    end: real("end"),
    /** Where the next one begins; null behind the last. */
    next: text("next", { mode: "json" }).$type<Position>(),
    /** Times that it was sent to the model. */
    asked: integer("asked").notNull(),
    words: text("words", { mode: "json" }).$type<PackedWord[]>(),
  },
  (table) => [primaryKey({ columns: [table.transcriptionId, table.number] })],
);

/** One row, id 1: the key of the server. In no copy and no export (backups/database-sql.ts, exports/left-out.ts). */
export const transcriptionKeys = sqliteTable("transcription_keys", {
  id: integer("id").primaryKey(),
  /** Stored as `seal` does. */
  secret: text("secret").notNull(),
});
