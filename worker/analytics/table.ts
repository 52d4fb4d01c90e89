import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ContentType, EventType, RejectionReason } from "#worker/analytics/contract.ts";

/**
 * Days are the owner's: those of the site's time zone, by the number of the day of UTC with the same date. Only who has
 * downloaded an episode is remembered for a day of UTC. A visitor and a network are hashes with the day's salt, which is
 * deleted after its day: the same browser is another visitor tomorrow (docs/decisions/0053-analytics.md).
 */

export const analyticsSalts = sqliteTable(
  "analytics_salts",
  {
    /** Events have the owner's days, downloads those of UTC. */
    of: text("of", { enum: ["events", "downloads"] }).notNull(),
    day: integer("day").notNull(),
    salt: text("salt").notNull(),
  },
  (table) => [primaryKey({ columns: [table.of, table.day] })],
);

/** Whose days the roll-ups have: those of a time zone from its first day until the first of the next. */
export const analyticsZones = sqliteTable("analytics_zones", {
  day: integer("day").primaryKey(),
  timeZone: text("time_zone").notNull(),
});

/** The messages of the queue that were stored. One that comes again finds itself here, with the run that stored it. */
export const analyticsBatches = sqliteTable(
  "analytics_batches",
  {
    id: text("id").primaryKey(),
    run: text("run").notNull(),
    /** The last event and the last download before the run: what is behind them is the run's. */
    eventMark: integer("event_mark").notNull(),
    downloadMark: integer("download_mark").notNull(),
    storedAt: integer("stored_at", { mode: "timestamp_ms" }).notNull(),
  },
  (table) => [index("analytics_batches_stored").on(table.storedAt)],
);

/** What happened, one by one, for as long as the settings keep it. */
export const analyticsEvents = sqliteTable(
  "analytics_events",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** Hash of all that makes an event itself: sent again, it is no second one. */
    key: text("key").notNull(),
    day: integer("day").notNull(),
    /** From 1 January 1970, UTC: in another time zone it may be of another day. Null of what was counted before. */
    quarter: integer("quarter"),
    /** Of the address. */
    network: text("network").notNull(),
    /** Of address and user agent. */
    visitor: text("visitor").notNull(),
    kind: text("kind").$type<ContentType>().notNull(),
    /** An id, or the path of a page. */
    content: text("content").notNull(),
    type: text("type").$type<EventType>().notNull(),
    /** The milestone, action, source or network; empty for none. */
    detail: text("detail").notNull(),
    /** Read, or the position in the audio. */
    seconds: integer("seconds").notNull(),
    /** A sign of attention: `engaged` of the roll-ups counts visits with one. */
    isAttentive: integer("is_attentive", { mode: "boolean" }).notNull(),
    /** Milliseconds by the visitor's clock; orders the events of one visitor. */
    sentAt: integer("sent_at").notNull(),
    /** The referrer's host of a view that came from elsewhere, empty for none; null for a view within the site. */
    source: text("source"),
  },
  (table) => [
    uniqueIndex("analytics_events_key").on(table.key),
    index("analytics_events_visit").on(table.network, table.kind, table.content, table.type, table.visitor),
  ],
);

/**
 * Roll-ups are kept for four spans: a day (1), five days (5), thirty days (30), and all time (0). `start` is the first day
 * of the span, 0 for all time. A long period is read as the largest spans within it and the smaller ones at its ends.
 */
const span = { span: integer("span").notNull(), start: integer("start").notNull() };

/** Of each content; of the whole site with kind `site` and an empty content. */
export const analyticsTotals = sqliteTable(
  "analytics_totals",
  {
    ...span,
    kind: text("kind").$type<ContentType | "site">().notNull(),
    content: text("content").notNull(),
    views: integer("views").notNull(),
    /** Different visitors of each day, summed. */
    visitors: integer("visitors").notNull(),
    /** A visitor, a content and a day are one visit. */
    visits: integer("visits").notNull(),
    engaged: integer("engaged").notNull(),
    /** Visits in which reading was measured, and its seconds. */
    readings: integer("readings").notNull(),
    readingSeconds: integer("reading_seconds").notNull(),
    /** Of a day: all views until its end (`ranking.ts`). Of longer spans 0. */
    viewsSoFar: integer("views_so_far").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.span, table.kind, table.start, table.content] }),
    index("analytics_totals_so_far")
      .on(table.kind, table.content, table.start, table.viewsSoFar)
      .where(sql`span = 1`),
  ],
);

/** Visits in which something happened at least once, by its name; `stop:90` is a last position from second 90 on. */
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

/** Views that came from elsewhere, by the referrer's host. */
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

/** The ranges of audio that a listener asked for on a day of UTC, until they are a download or the day is over. */
export const downloadParts = sqliteTable(
  "download_parts",
  {
    day: integer("day").notNull(),
    episodeId: integer("episode_id").notNull(),
    /** As a network and a visitor. */
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

/** A listener, an episode and a day of UTC. Kept as long as events. */
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
    /** On which it is counted. */
    ownerDay: integer("owner_day").notNull().default(0),
    /** As of an event: when enough was asked for. */
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
    /** Of an episode's day: all downloads until its end. Of all else 0. */
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
