import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { binnedTable } from "#worker/bin/table.ts";
import { episodes } from "#worker/episodes/table.ts";
import { smartNames } from "#worker/playlists/contract.ts";

const episodeId = () =>
  integer("episode_id")
    .notNull()
    .references(() => episodes.id, { onDelete: "cascade" });

/** Listeners with rows in the tables below, whose insert triggers add them here (migrations/0009). */
export const listeners = sqliteTable(
  "listeners",
  {
    /** The SHA-256 of the listener's id, base64url; the column `listener` of the tables below. */
    id: text("id").primaryKey(),
    /** Of the latest request, to the day. */
    seenAt: integer("seen_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("listeners_seen").on(table.seenAt)],
);

export const playlists = sqliteTable(
  "playlists",
  {
    /** Random; part of a public playlist's address. */
    id: text("id").primaryKey(),
    listener: text("listener").notNull(),
    name: text("name").notNull(),
    description: text("description").notNull(),
    isPublic: integer("is_public", { mode: "boolean" }).notNull(),
    /** The name of a smart playlist; null for one with items. */
    smart: text("smart", { enum: smartNames }),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    /** Of itself or of its items. */
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [
    index("playlists_newest").on(table.listener, table.createdAt),
    /** One of each per listener; nulls are distinct. */
    uniqueIndex("playlists_smart").on(table.listener, table.smart),
  ],
);

export const playlistItems = sqliteTable(
  "playlist_items",
  {
    /** Never reused: an order made before a removal must not match a later item. */
    id: integer("id").primaryKey({ autoIncrement: true }),
    playlistId: text("playlist_id")
      .notNull()
      .references(() => playlists.id, { onDelete: "cascade" }),
    episodeId: episodeId(),
    /** Unique within the playlist; may have gaps. */
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

/** The position that a listener reached in an episode. */
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

/** What listeners did with episodes in the bin. */
export const binnedPlaylistItems = binnedTable(playlistItems);
export const binnedFavorites = binnedTable(favorites);
export const binnedProgress = binnedTable(progress);
