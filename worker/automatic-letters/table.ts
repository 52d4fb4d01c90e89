import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { frequencies, itemChoices, modes } from "#worker/automatic-letters/contract.ts";
import type { Segment } from "#worker/letters/contract.ts";
import { publicationKinds } from "#worker/publications/contract.ts";

export const automaticLetters = sqliteTable(
  "automatic_letters",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    name: text("name").notNull(),
    isOn: integer("is_on", { mode: "boolean" }).notNull(),
    /** When it was last switched on: what was public before is never sent. */
    onSince: integer("on_since", { mode: "timestamp_ms" }).notNull(),
    frequency: text("frequency", { enum: frequencies }).notNull(),
    weekday: integer("weekday").notNull(),
    monthday: integer("monthday").notNull(),
    hour: integer("hour").notNull(),
    items: text("items", { enum: itemChoices }).notNull(),
    mode: text("mode", { enum: modes }).notNull(),
    subject: text("subject").notNull(),
    preheader: text("preheader").notNull(),
    segment: text("segment", { mode: "json" }).$type<Segment>().notNull(),
    isPublic: integer("is_public", { mode: "boolean" }).notNull(),
    /** The periods of a digest that ended until then are done. */
    doneUntil: integer("done_until", { mode: "timestamp_ms" }).notNull(),
    /** The last letter that it made, which may be deleted. */
    lastLetterId: integer("last_letter_id"),
    lastMadeAt: integer("last_made_at", { mode: "timestamp_ms" }),
    /** The user and the key of the form that created it: a repeated request creates no second one. */
    draftKey: text("draft_key"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
    /** The files that the content shows or links to, by id. */
    embeddedFileIds: text("embedded_file_ids", { mode: "json" }).$type<string[]>().notNull(),
    // Long texts are last: SQLite reads a row from its beginning.
    /** Markdown with placeholders. */
    content: text("content").notNull(),
  },
  (table) => [uniqueIndex("automatic_letters_draft_key").on(table.draftKey)],
);

/**
 * What an automatic letter has seen published. An item has one row for each, also when it is
 * unpublished or its date changes, so that no second letter has it.
 */
export const automaticLetterItems = sqliteTable(
  "automatic_letter_items",
  {
    kind: text("kind", { enum: publicationKinds }).notNull(),
    itemId: integer("item_id").notNull(),
    automaticLetterId: integer("automatic_letter_id")
      .notNull()
      .references(() => automaticLetters.id, { onDelete: "cascade" }),
    /** Waiting: the next letter has it. Taken: a letter has it. Past: none will. */
    status: text("status", { enum: ["waiting", "taken", "past"] }).notNull(),
    /** When it was last published while it waits. */
    noticedAt: integer("noticed_at", { mode: "timestamp_ms" }).notNull(),
    /** The letter that has it, which may be deleted. */
    letterId: integer("letter_id"),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.itemId, table.automaticLetterId] }),
    index("automatic_letter_items_waiting")
      .on(table.automaticLetterId, table.noticedAt)
      .where(sql`status = 'waiting'`),
    index("automatic_letter_items_by_letter")
      .on(table.letterId)
      .where(sql`letter_id is not null`),
  ],
);
