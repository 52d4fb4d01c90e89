import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ContentType, EventType, RejectionReason } from "#worker/analytics/contract.ts";

/**
 * Days are the owner's: those of the site's time zone, by the number of the UTC day with the same date. Only downloads
 * are deduplicated by UTC day. A visitor and a network are hashes with the day's salt, which is deleted after its day:
 * the same browser is another visitor tomorrow (docs/decisions/0053-analytics.md).
 */

export const analyticsSalts = sqliteTable(
  "analytics_salts",
  {
    /** Events use the owner's days, downloads UTC days. */
    of: text("of", { enum: ["events", "downloads"] }).notNull(),
    day: integer("day").notNull(),
    salt: text("salt").notNull(),
  },
  (table) => [primaryKey({ columns: [table.of, table.day] })],
);

/** The time zones of the roll-ups: each from its first day until the next one's. */
export const analyticsZones = sqliteTable("analytics_zones", {
  day: integer("day").primaryKey(),
  timeZone: text("time_zone").notNull(),
});

/** Stored queue messages, each with the run that stored it, so that a redelivered one is detected. */
export const analyticsBatches = sqliteTable(
  "analytics_batches",
  {
    id: text("id").primaryKey(),
    run: text("run").notNull(),
    /** The last event and the last download before the run: later ones belong to it. */
    eventMark: integer("event_mark").notNull(),
    downloadMark: integer("download_mark").notNull(),
    storedAt: integer("stored_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("analytics_batches_stored").on(table.storedAt)],
);

/** Single events, stored for as long as the settings say. */
export const analyticsEvents = sqliteTable(
  "analytics_events",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** Hash of an event's identity, so that a repeated one is not stored twice. */
    key: text("key").notNull(),
    day: integer("day").notNull(),
    /** Since 1 January 1970, UTC, so that its day can be computed in another time zone. Null for older events. */
    quarter: integer("quarter"),
    /** Hash of the address. */
    network: text("network").notNull(),
    /** Hash of address and user agent. */
    visitor: text("visitor").notNull(),
    kind: text("kind").$type<ContentType>().notNull(),
    /** An id, or the path of a page. */
    content: text("content").notNull(),
    type: text("type").$type<EventType>().notNull(),
    /** The milestone, action, source or network; empty for none. */
    detail: text("detail").notNull(),
    /** Reading time, or the position in the audio. */
    seconds: integer("seconds").notNull(),
    /** A sign of attention: `engaged` of the roll-ups counts visits with one. */
    isAttentive: integer("is_attentive", { mode: "boolean" }).notNull(),
    /** Milliseconds by the visitor's clock; orders the events of one visitor. */
    sentAt: integer("sent_at").notNull(),
    /** The referrer's host of a view; empty for none, null within the site. */
    source: text("source"),
  },
  (table) => [
    uniqueIndex("analytics_events_key").on(table.key),
    index("analytics_events_visit").on(table.network, table.kind, table.content, table.type, table.visitor),
  ],
);

/**
 * Roll-ups have four spans: a day (1), five days (5), thirty days (30), and all time (0). `start` is the first day of
 * the span, 0 for all time. A long period is read as the largest spans within it and smaller ones at its ends.
 */
const span = { span: integer("span").notNull(), start: integer("start").notNull() };

/** Per content; the whole site has kind `site` and an empty content. */
export const analyticsTotals = sqliteTable(
  "analytics_totals",
  {
    ...span,
    kind: text("kind").$type<ContentType | "site">().notNull(),
    content: text("content").notNull(),
    views: integer("views").notNull(),
    /** Distinct visitors per day, summed. */
    visitors: integer("visitors").notNull(),
    /** A visitor, a content and a day are one visit. */
    visits: integer("visits").notNull(),
    engaged: integer("engaged").notNull(),
    /** Visits in which reading was measured, and its seconds. */
    readings: integer("readings").notNull(),
    readingSeconds: integer("reading_seconds").notNull(),
    /** For a day: the cumulative views up to its end (`ranking.ts`). For longer spans 0. */
    viewsSoFar: integer("views_so_far").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.span, table.kind, table.start, table.content] }),
    index("analytics_totals_so_far")
      .on(table.kind, table.content, table.start, table.viewsSoFar)
      .where(sql`span = 1`),
  ],
);

/** Visits with at least one such event; `stop:90` is a last position from second 90. */
export const analyticsCounts = sqliteTable(
  "analytics_counts",
  {
    ...span,
    kind: text("kind").$type<ContentType | "site">().notNull(),
    content: text("content").notNull(),
    name: text("name").notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.content, table.span, table.start, table.name] })],
);

/** Views from other sites, by the referrer's host. */
export const analyticsSources = sqliteTable(
  "analytics_sources",
  { ...span, host: text("host").notNull(), views: integer("views").notNull() },
  (table) => [primaryKey({ columns: [table.span, table.start, table.host] })],
);

/** What was not counted, and why. */
export const analyticsRejections = sqliteTable(
  "analytics_rejections",
  {
    day: integer("day").notNull(),
    of: text("of", { enum: ["events", "downloads"] }).notNull(),
    reason: text("reason").$type<RejectionReason>().notNull(),
    count: integer("count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.of, table.reason] })],
);

/** The audio ranges that a listener requested on a UTC day, until they make a download or the day is over. */
export const downloadParts = sqliteTable(
  "download_parts",
  {
    day: integer("day").notNull(),
    episodeId: integer("episode_id").notNull(),
    /** Hashes like `network` and `visitor` of events. */
    network: text("network").notNull(),
    listener: text("listener").notNull(),
    /** Bytes, both inclusive. */
    first: integer("first").notNull(),
    last: integer("last").notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.day, table.network, table.listener, table.episodeId, table.first, table.last],
    }),
  ],
);

/** One row per listener, episode and UTC day. Stored as long as events. */
export const downloads = sqliteTable(
  "downloads",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    day: integer("day").notNull(),
    episodeId: integer("episode_id").notNull(),
    network: text("network").notNull(),
    listener: text("listener").notNull(),
    app: text("app").notNull(),
    device: text("device").notNull(),
    country: text("country").notNull(),
    /** The owner's day on which it counts. */
    ownerDay: integer("owner_day").notNull().default(0),
    /** As for an event: when the listener reached the threshold. */
    quarter: integer("quarter"),
  },
  (table) => [uniqueIndex("downloads_once").on(table.network, table.episodeId, table.listener, table.day)],
);

/** Roll-ups of downloads: of the show (`show`, and by `app`, `device`, `country`, with episode 0) and of each `episode`. */
export const downloadTotals = sqliteTable(
  "download_totals",
  {
    facet: text("facet", { enum: ["show", "episode", "app", "device", "country"] }).notNull(),
    ...span,
    episodeId: integer("episode_id").notNull(),
    value: text("value").notNull(),
    downloads: integer("downloads").notNull(),
    /** For an episode's day: the cumulative downloads up to its end. Otherwise 0. */
    downloadsSoFar: integer("downloads_so_far").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.facet, table.span, table.start, table.episodeId, table.value] }),
    index("download_totals_episode").on(table.episodeId, table.facet, table.span, table.start),
    index("download_totals_so_far")
      .on(table.episodeId, table.start, table.downloadsSoFar)
      .where(sql`span = 1 and facet = 'episode'`),
  ],
);
