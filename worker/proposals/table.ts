import { index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { episodes } from "#worker/episodes/table.ts";
import { proposalStates, runStates, type Proposed } from "#worker/proposals/contract.ts";
import type { Found } from "#worker/proposals/read-answer.ts";

/** The latest run of an episode: a model reads its transcript, part by part. */
export const proposalRuns = sqliteTable("proposal_runs", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  episodeId: integer("episode_id")
    .notNull()
    .unique()
    .references(() => episodes.id, { onDelete: "cascade" }),
  state: text("state", { enum: runStates }).notNull(),
  /** Steps that are done: a queue message of another step does nothing. */
  step: integer("step").notNull(),
  /** The first cue that was not read. */
  next: integer("next").notNull(),
  service: text("service").notNull(),
  model: text("model").notNull(),
  /** In dollars a million tokens. */
  inputPrice: real("input_price").notNull(),
  outputPrice: real("output_price").notNull(),
  inputTokens: integer("input_tokens").notNull(),
  outputTokens: integer("output_tokens").notNull(),
  problem: text("problem"),
  retryAt: integer("retry_at", { mode: "timestamp_ms" }),
  /** Busy answers in a row. */
  busyAnswers: integer("busy_answers").notNull(),
  startedAt: integer("started_at", { mode: "timestamp_ms" }).notNull(),
  /** The recording's file id at the start. */
  recording: text("recording"),
  /** Of the parts that were read. */
  found: text("found", { mode: "json" }).$type<Found>().notNull(),
  /** The transcript's at the start, as the episode has them: all parts are of the same transcript. */
  cues: text("cues").notNull(),
});

export const proposals = sqliteTable(
  "proposals",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    runId: integer("run_id")
      .notNull()
      .references(() => proposalRuns.id, { onDelete: "cascade" }),
    state: text("state", { enum: proposalStates }).notNull(),
    content: text("content", { mode: "json" }).$type<Proposed>().notNull(),
  },
  (table) => [index("proposals_run").on(table.runId)],
);

/** One row, id 1: the key of the server. In no copy and no export (backups/database-sql.ts, exports/left-out.ts). */
export const proposalKeys = sqliteTable("proposal_keys", {
  id: integer("id").primaryKey(),
  /** Stored as `seal` does. */
  secret: text("secret").notNull(),
});
