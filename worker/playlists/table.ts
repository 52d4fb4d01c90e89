import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { episodes } from "#worker/episodes/table.ts";
import { smartNames } from "#worker/playlists/contract.ts";

const episodeId = () =>
  integer("episode_id")
    .notNull()
    .references(() => episodes.id, { onDelete: "cascade" });

/** Whoever keeps something in the tables below. Triggers on their inserts add the row (migrations/0009). */
export const listeners = sqliteTable(
  "listeners",
  {
    /** The SHA-256 of the listener's id, base64url: what the tables below call `listener`. */
    id: text("id").primaryKey(),
    /** Of the latest request, to the day. */
    seenAt: integer("seen_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("listeners_seen").on(table.seenAt)],
);

export const playlists = sqliteTable(
  "playlists",
  {
    /** Random; it stands in the address of a public playlist. */
    id: text("id").primaryKey(),
    listener: text("listener").notNull(),
    name: text("name").notNull(),
    description: text("description").notNull(),
    isPublic: integer("is_public", { mode: "boolean" }).notNull(),
    /** Which of the smart playlists it is; null for one that has items. */
    smart: text("smart", { enum: smartNames }),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    /** Of itself or of its items. */
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    index("playlists_newest").on(table.listener, table.createdAt),
    /** One of each; a null is like no other. */
    uniqueIndex("playlists_smart").on(table.listener, table.smart),
  ],
);

export const playlistItems = sqliteTable(
  "playlist_items",
  {
    /** Never used twice: an order that was made before a removal must not fit what came after it. */
    id: integer("id").primaryKey({ autoIncrement: true }),
    playlistId: text("playlist_id")
      .notNull()
      .references(() => playlists.id, { onDelete: "cascade" }),
    episodeId: episodeId(),
    /** Unlike any other's of the playlist; there may be gaps. */
    position: integer("position").notNull(),
    addedAt: integer("added_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    uniqueIndex("playlist_items_once").on(table.playlistId, table.episodeId),
    index("playlist_items_in_order").on(table.playlistId, table.position, table.episodeId),
    index("playlist_items_by_episode").on(table.episodeId),
  ],
);

export const favorites = sqliteTable(
  "favorites",
  {
    listener: text("listener").notNull(),
    episodeId: episodeId(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.listener, table.episodeId] }),
    index("favorites_newest").on(table.listener, table.createdAt, table.episodeId),
    index("favorites_by_episode").on(table.episodeId),
  ],
);

/** How far a listener got in an episode. */
export const progress = sqliteTable(
  "progress",
  {
    listener: text("listener").notNull(),
    episodeId: episodeId(),
    progressSeconds: integer("progress_seconds").notNull(),
    completed: integer("completed", { mode: "boolean" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.listener, table.episodeId] }),
    index("progress_newest").on(table.listener, table.updatedAt, table.episodeId),
    index("progress_by_episode").on(table.episodeId),
  ],
);
