import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { binnedTable } from "#worker/bin/table.ts";
import type {
  Alternate,
  Chapter,
  Cue,
  Discussion,
  Funding,
  Generated,
  Person,
  Place,
  RemoteFeed,
  Soundbite,
  Txt,
} from "#worker/episodes/contract.ts";
import { episodeStatuses, episodeTypes } from "#worker/episodes/contract.ts";

/** One row, id 1: the podcast itself. */
export const shows = sqliteTable("shows", {
  id: integer("id").primaryKey(),
  /** podcast:guid; assigned once, never changed. */
  guid: text("guid").notNull(),
  title: text("title").notNull(),
  subtitle: text("subtitle").notNull(),
  description: text("description").notNull(),
  author: text("author").notNull(),
  ownerName: text("owner_name").notNull(),
  ownerEmail: text("owner_email").notNull(),
  language: text("language").notNull(),
  category: text("category").notNull(),
  subcategory: text("subcategory").notNull(),
  explicit: integer("explicit", { mode: "boolean" }).notNull(),
  type: text("type", { enum: ["episodic", "serial"] }).notNull(),
  copyright: text("copyright").notNull(),
  artworkFileId: text("artwork_file_id"),
  locked: integer("locked", { mode: "boolean" }).notNull(),
  /** podcast:funding; the site links to the first. */
  funding: text("funding", { mode: "json" })
    .$type<Funding[]>()
    .notNull()
    .default(sql`'[]'`),
  updateFrequency: text("update_frequency").notNull(),
  updateRule: text("update_rule").notNull(),
  appleVerification: text("apple_verification").notNull(),
  people: text("people", { mode: "json" }).$type<Person[]>().notNull(),
  /** The feed's new address, once the podcast moves elsewhere. */
  newFeedUrl: text("new_feed_url"),
  /** The feed redirects there. */
  redirectsFeed: integer("redirects_feed", { mode: "boolean" }).notNull().default(false),
  complete: integer("complete", { mode: "boolean" }).notNull().default(false),
  blocked: integer("blocked", { mode: "boolean" }).notNull().default(false),
  license: text("license").notNull().default(""),
  licenseUrl: text("license_url"),
  /** podcast:location. */
  places: text("places", { mode: "json" })
    .$type<Place[]>()
    .notNull()
    .default(sql`'[]'`),
  /** podcast:podroll: podcasts that it recommends. */
  podroll: text("podroll", { mode: "json" })
    .$type<RemoteFeed[]>()
    .notNull()
    .default(sql`'[]'`),
  /** podcast:publisher: the feed of the organisation that publishes it. */
  publisherUrl: text("publisher_url"),
  publisherGuid: text("publisher_guid").notNull().default(""),
  /** podcast:txt, besides Apple's. */
  txts: text("txts", { mode: "json" })
    .$type<Txt[]>()
    .notNull()
    .default(sql`'[]'`),
  /** The names of the voices in its recordings, as the owner last saved them for a transcript. */
  voices: text("voices", { mode: "json" })
    .$type<string[]>()
    .notNull()
    .default(sql`'[]'`),
  /** Changes with every write that the feed shows; the source of its ETag and Last-Modified. */
  feedChangedAt: integer("feed_changed_at", { mode: "timestamp_ms" }).notNull(),
  updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
});

/**
 * SQL: a transcript that an older version stored as a program wrote it, and that could not be read since: JSON, XML, HTML, ASS
 * or RTF. The same text in the index and in the query, so that SQLite uses the index.
 */
export const HAS_RAW_TRANSCRIPT = sql.raw(
  "(substr(transcript, 1, 1) = '{' or substr(transcript, 1, 2) = '[{' or lower(substr(transcript, 1, 3)) = '<tt' or lower(substr(transcript, 1, 5)) in ('<?xml', '<html', '<!doc') or lower(substr(transcript, 1, 8)) = '[script ') and cues = '[]'",
);

export const episodes = sqliteTable(
  "episodes",
  {
    /** Small and never used twice: the breadcrumb reads Episode N. */
    id: integer("id").primaryKey({ autoIncrement: true }),
    slug: text("slug").notNull(),
    /** What podcast apps know the episode by; never changes. */
    guid: text("guid").notNull(),
    title: text("title").notNull(),
    description: text("description").notNull(),
    status: text("status", { enum: episodeStatuses }).notNull(),
    /** When it was first published; unchanged when it is archived or becomes a draft again. */
    publishedAt: integer("published_at", { mode: "timestamp_ms" }),
    scheduledFor: integer("scheduled_for", { mode: "timestamp_ms" }),
    /** Null if the owner does not number. Of a trailer, the season that it introduces. */
    seasonNumber: integer("season_number"),
    episodeNumber: integer("episode_number"),
    episodeType: text("episode_type", { enum: episodeTypes }).notNull(),
    explicit: integer("explicit", { mode: "boolean" }).notNull(),
    /** itunes:block. */
    blocked: integer("blocked", { mode: "boolean" }).notNull().default(false),
    durationSeconds: integer("duration_seconds").notNull(),
    audioFileId: text("audio_file_id"),
    imageFileId: text("image_file_id"),
    imageAlt: text("image_alt").notNull(),
    videoUrl: text("video_url"),
    youtubeUrl: text("youtube_url"),
    spotifyUrl: text("spotify_url"),
    appleUrl: text("apple_url"),
    chapters: text("chapters", { mode: "json" }).$type<Chapter[]>().notNull(),
    people: text("people", { mode: "json" }).$type<Person[]>().notNull(),
    soundbites: text("soundbites", { mode: "json" }).$type<Soundbite[]>().notNull(),
    /** podcast:funding, for this episode. */
    funding: text("funding", { mode: "json" })
      .$type<Funding[]>()
      .notNull()
      .default(sql`'[]'`),
    /** podcast:location. */
    places: text("places", { mode: "json" })
      .$type<Place[]>()
      .notNull()
      .default(sql`'[]'`),
    /** podcast:alternateEnclosure; their files are in `embeddedFileIds`. */
    alternates: text("alternates", { mode: "json" })
      .$type<Alternate[]>()
      .notNull()
      .default(sql`'[]'`),
    /** podcast:socialInteract, the most important first. */
    discussions: text("discussions", { mode: "json" })
      .$type<Discussion[]>()
      .notNull()
      .default(sql`'[]'`),
    /** What a model wrote at first. */
    generated: text("generated", { mode: "json" })
      .$type<Generated[]>()
      .notNull()
      .default(sql`'[]'`),
    /** Whose form made it, and that form's own key: sent again, it makes no second one. */
    draftKey: text("draft_key"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
    /** The files that the show notes show or link to, by id. */
    embeddedFileIds: text("embedded_file_ids", { mode: "json" }).$type<string[]>().notNull(),
    // Long texts are last: SQLite reads a row from its beginning, and lists must not read through them.
    /** Markdown. */
    showNotes: text("show_notes").notNull(),
    /** The show notes as sanitised HTML, rendered on save: pages and feeds only read it. */
    showNotesHtml: text("show_notes_html").notNull(),
    /** WebVTT, to which an SRT is converted on save, or plain text without times. Empty for none. */
    transcript: text("transcript").notNull(),
    /** Its cues, parsed on save; none of a plain text. */
    cues: text("cues", { mode: "json" }).$type<Cue[]>().notNull(),
    /** The show notes as plain text, and a transcript without times, for search. */
    showNotesText: text("show_notes_text").notNull().default(""),
  },
  (table) => [
    uniqueIndex("episodes_slug").on(table.slug),
    uniqueIndex("episodes_guid").on(table.guid),
    uniqueIndex("episodes_draft_key").on(table.draftKey),
    /** For published lists and the feed's pages, newest first; without audio an episode is not in the feed. */
    index("episodes_published").on(table.status, table.publishedAt, table.id, table.audioFileId),
    index("episodes_due").on(table.status, table.scheduledFor),
    index("episodes_audio").on(table.audioFileId),
    /** The seasons that there are, and the last number of each. */
    index("episodes_numbered").on(table.seasonNumber, table.episodeNumber),
    /** For the desk: it would have to read all transcripts. */
    index("episodes_raw_transcript").on(table.id).where(HAS_RAW_TRANSCRIPT),
  ],
);

/**
 * The XML of each episode in the podcast's feed (`ItemParts`), so that a feed of a thousand is only joined. A row counts
 * while the cache tag of its episode has not changed since its version (stored-feed.ts).
 */
export const feedItems = sqliteTable(
  "feed_items",
  {
    episodeId: integer("episode_id")
      .primaryKey()
      .references(() => episodes.id, { onDelete: "cascade" }),
    /** What else it was rendered from: the renderer, the site's address, the language and the audio's prefix. */
    form: text("form").notNull(),
    /** The newest version of `cache_tags` when its episode was read. */
    version: integer("version").notNull(),
    hasLongNotes: integer("has_long_notes").notNull(),
    /** Bytes of the show notes' HTML. */
    htmlBytes: integer("html_bytes").notNull(),
    /** `sizesOf` (rss.ts). */
    briefBytes: integer("brief_bytes").notNull(),
    moreBytes: integer("more_bytes").notNull(),
    notesBytes: integer("notes_bytes").notNull(),
    /** What the last feed showed of it, which is read first: its summary, or details with or without notes. */
    shown: text("shown", { enum: ["summary", "bare", "details"] })
      .notNull()
      .default("summary"),
    trailer: text("trailer").notNull(),
    essentials: text("essentials").notNull(),
    summary: text("summary").notNull(),
    description: text("description").notNull(),
    rest: text("rest").notNull(),
    notes: text("notes").notNull(),
  },
  // For those of another form.
  (table) => [index("feed_items_by_form").on(table.form)],
);

/** Slugs below /podcast at which episodes were public before, as those of articles. */
export const formerEpisodeSlugs = sqliteTable(
  "episode_former_slugs",
  {
    slug: text("slug").notNull(),
    episodeId: integer("episode_id")
      .notNull()
      .references(() => episodes.id, { onDelete: "cascade" }),
    /** When the episode last had it; zero for one from before the column. */
    leftAt: integer("left_at", { mode: "timestamp_ms" })
      .notNull()
      .default(sql`0`),
  },
  (table) => [
    primaryKey({ columns: [table.slug, table.episodeId] }),
    index("episode_former_slugs_by_episode").on(table.episodeId),
  ],
);

/** Addresses that episodes had on another site, or as articles of this one; the forms of `article_old_addresses`. */
export const oldEpisodeAddresses = sqliteTable(
  "episode_old_addresses",
  {
    address: text("address").primaryKey(),
    episodeId: integer("episode_id")
      .notNull()
      .references(() => episodes.id, { onDelete: "cascade" }),
  },
  (table) => [index("episode_old_addresses_by_episode").on(table.episodeId)],
);

/** Recordings that published episodes had before. Their addresses lead to the current recording, also once their files are deleted. */
export const formerEpisodeAudio = sqliteTable(
  "episode_former_audio",
  {
    fileId: text("file_id").primaryKey(),
    /** Null once the episode is deleted. */
    episodeId: integer("episode_id").references(() => episodes.id, { onDelete: "set null" }),
  },
  (table) => [index("episode_former_audio_by_episode").on(table.episodeId)],
);

/** `episodes.transcript` in passages of about a minute, for search. */
export const episodePassages = sqliteTable(
  "episode_passages",
  {
    id: integer("id").primaryKey(),
    episodeId: integer("episode_id")
      .notNull()
      .references(() => episodes.id, { onDelete: "cascade" }),
    /** The names of those who speak in it. */
    speakers: text("speakers").notNull(),
    text: text("text").notNull(),
    /** Where each cue begins in the text (UTF-16 units), in order. */
    cues: text("cues", { mode: "json" }).$type<{ at: number; start: number; speaker: string }[]>().notNull(),
  },
  (table) => [index("episode_passages_by_episode").on(table.episodeId)],
);

/** The rows of episodes in the bin. Their feed items are rendered again after they are restored. */
export const binnedEpisodes = binnedTable(episodes, ["slug", "guid"]);
export const binnedFormerEpisodeSlugs = binnedTable(formerEpisodeSlugs);
export const binnedOldEpisodeAddresses = binnedTable(oldEpisodeAddresses);
export const binnedFormerEpisodeAudio = binnedTable(formerEpisodeAudio);
export const binnedEpisodePassages = binnedTable(episodePassages);
