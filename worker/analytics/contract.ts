import { z } from "zod";
import { pages, type PagePath } from "#worker/addresses.ts";
import type { LetterCounts } from "#worker/letters/contract.ts";

/** What an event is about: an article or an episode by its id, or a page by its path in the table of addresses. */
const contentTypes = ["article", "episode", "page"] as const;
export type ContentType = (typeof contentTypes)[number];

/** Maximum events per request. */
export const MAX_EVENTS = 40;
/** Maximum bytes of a request. */
export const MAX_EVENTS_BYTES = 32 * 1024;
/** Maximum seconds of reading per event; a longer stay sends several. */
export const MAX_READING_SECONDS = 1800;
/** Seconds of audio. */
const MAX_AUDIO_SECONDS = 172_800;

export const SCROLL_MILESTONES = [25, 50, 75, 90] as const;
/** Seconds. */
export const TIME_MILESTONES = [30, 60, 300] as const;

/** A visitor's actions on a content, beyond reading. */
export const ACTIONS = ["share", "copy_link", "download", "favorite", "add_to_playlist", "comment"] as const;
/** The forms that a sign-up came from. */
export const SIGNUP_SOURCES = ["inline_subscribe", "exit_intent_popup", "footer", "page"] as const;
export const NETWORKS = [
  "x",
  "youtube",
  "linkedin",
  "instagram",
  "facebook",
  "whatsapp",
  "email",
  "apple",
  "spotify",
  "google",
  "amazon",
  "rss",
  "patron",
] as const;

/** Pages that are counted under their own path. Articles and episodes have ids, personal pages are not counted. */
export const countedPages = (Object.keys(pages) as PagePath[]).filter(
  (path) => !pages[path].isPersonal && path !== "/episode/:id" && path !== "/essays/:slug",
);

const seconds = (max: number) => z.int().min(0).max(max);
const address = z.string().max(2000);

/** Fields of every event. Addresses and titles are not stored, except the referrer's host. */
const about = {
  /** Milliseconds UTC by the visitor's clock, to detect duplicates; the server sets the day. */
  timestamp: z.int().min(0).max(8_640_000_000_000_000),
  /** Whether the browser has not shown this before in this session. */
  isUnique: z.boolean().optional(),
  url: address.optional(),
  title: z.string().max(300).optional(),
  path: address.optional(),
};

const moment = z.strictObject({ ...about, seconds: seconds(MAX_AUDIO_SECONDS) });

/** The metadata of each kind of event. */
const metadata = {
  page_view: z.strictObject({ ...about, referrer: address.optional() }),
  /** Whole seconds that the page was visible since the last such event of this view. */
  reading_time: z.strictObject({
    ...about,
    readingTime: z.int().min(1).max(MAX_READING_SECONDS),
    scrollDepth: z.int().min(0).max(100).optional(),
  }),
  engagement: z.strictObject({ ...about, action: z.enum(ACTIONS) }),
  scroll_depth: z.strictObject({ ...about, scrollDepth: z.literal(SCROLL_MILESTONES) }),
  time_on_page: z.strictObject({ ...about, seconds: z.literal(TIME_MILESTONES) }),
  /** `seconds` is the position in the audio. A pause is also sent when the page is left while it plays. */
  podcast_play: moment,
  podcast_pause: moment,
  podcast_complete: moment,
  /** Without the query. */
  search: z.strictObject({ ...about, results: z.int().min(0).max(100_000).optional() }),
  newsletter_signup: z.strictObject({ ...about, source: z.enum(SIGNUP_SOURCES) }),
  social_click: z.strictObject({ ...about, network: z.enum(NETWORKS) }),
};
export type EventType = keyof typeof metadata;

const ID = /^[1-9]\d{0,8}$/;
const isContent = ({ contentType, contentId }: { contentType: ContentType; contentId: string }) =>
  contentType === "page" ? (countedPages as string[]).includes(contentId) : ID.test(contentId);

const eventOf = <Type extends EventType>(eventType: Type) =>
  z
    .strictObject({
      eventType: z.literal(eventType),
      contentType: z.enum(contentTypes),
      contentId: z.string().max(100),
      /** Always null: events are anonymous. */
      userId: z.null(),
      /** Random, per browser tab. */
      sessionId: z.string().regex(/^[A-Za-z0-9_-]{8,64}$/, "Use 8 to 64 letters and digits."),
      metadata: metadata[eventType],
    })
    .refine(isContent, { path: ["contentId"], error: "There is no such content." });

const NO_SUCH_EVENT = `Choose one of these: ${Object.keys(metadata).join(", ")}.`;

export const AnalyticsEvent = z.discriminatedUnion(
  "eventType",
  [
    eventOf("page_view"),
    eventOf("reading_time"),
    eventOf("engagement"),
    eventOf("scroll_depth"),
    eventOf("time_on_page"),
    eventOf("podcast_play"),
    eventOf("podcast_pause"),
    eventOf("podcast_complete"),
    eventOf("search"),
    eventOf("newsletter_signup"),
    eventOf("social_click"),
  ],
  NO_SUCH_EVENT,
);
export type AnalyticsEvent = z.infer<typeof AnalyticsEvent>;

/** The body of POST /api/analytics/events. */
export const EventsInput = z.strictObject({ events: z.array(AnalyticsEvent).min(1).max(MAX_EVENTS) });
export type EventsInput = z.input<typeof EventsInput>;

/** Days of the panel's selector. */
export const PERIODS = [7, 30, 90] as const;
/** Maximum days of a custom period. */
const MAX_DAYS = 366;

const day = z.iso.date("Enter a day as yyyy-mm-dd.");

const periodFields = {
  days: z.enum(["7", "30", "90"]).optional(),
  from: day.optional(),
  to: day.optional(),
};
type PeriodFields = { days?: string | undefined; from?: string | undefined; to?: string | undefined };

/** Either `days` or two dates, and at most `MAX_DAYS`. */
function checkPeriod({ days, from, to }: PeriodFields, ctx: z.core.$RefinementCtx) {
  const refuse = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
  if (days !== undefined && (from ?? to) !== undefined) refuse("days", "Choose a period, or two days.");
  if ((from === undefined) !== (to === undefined))
    refuse(from === undefined ? "from" : "to", "Enter both days.");
  if (from === undefined || to === undefined) return;
  if (from > to) refuse("to", "The last day is before the first.");
  else if (Date.parse(to) - Date.parse(from) >= MAX_DAYS * 86_400_000)
    refuse("to", `A period has at most ${MAX_DAYS} days.`);
}

/**
 * A period in the panel's address: the last `days`, today included, or its first and last day. By default the last 30
 * days.
 */
export const AnalyticsQuery = z.strictObject(periodFields).superRefine(checkPeriod);
export type AnalyticsQuery = z.input<typeof AnalyticsQuery>;

/** The query of the CSV. */
export const ExportQuery = z
  .strictObject({ ...periodFields, of: z.enum(["days", "content"]).optional() })
  .superRefine(checkPeriod);
export type ExportQuery = z.input<typeof ExportQuery>;

/** The owner’s days, yyyy-mm-dd, both inclusive. */
export type Period = { from: string; to: string; days: number };

/** A figure for a period and the previous one; null without data. */
export type Figure = { value: number | null; before: number | null };

export type TopContent = {
  rank: number;
  contentType: ContentType;
  contentId: string;
  title: string;
  /** Its address on the site; null if it is no longer published. */
  link: string | null;
  views: number;
  visitors: number;
  /** Seconds; null without measurements. */
  readingSeconds: number | null;
  /** Percent; null without a visit. */
  engagement: number | null;
};

/** The site's figures of one day. */
export type CountedDay = { day: string; views: number; visitors: number; downloads: number };

export type Counted = { name: string; count: number };

/** An episode's downloads in the period. */
export type EpisodeDownloads = { id: number; title: string; downloads: number };

/** Downloads of the show yesterday and today so far. Null before the first. */
export type LatestDownloads = { yesterday: number | null; today: number };

/** The answer of GET /api/admin/analytics. */
export type AnalyticsReport = {
  period: Period;
  before: Period;
  cards: {
    views: Figure;
    /** Daily visitors, summed: a visitor on two days counts twice, since visitors are not tracked from day to day. */
    visitors: Figure;
    /** Seconds read, divided by the visits in which reading was measured. */
    readingSeconds: Figure;
    /** Percent of visits with a sign of attention. */
    engagement: Figure;
  };
  /** The ten with the most views. */
  content: TopContent[];
  /** Every day of the period, empty ones included. */
  days: CountedDay[];
  /** The day that has not ended yet, yyyy-mm-dd. */
  today: string;
  /** Hours of the days on which clocks change. */
  changedClocks: Record<string, number>;
  /** Earlier time zones by which days of the period were counted, and the last day of each. */
  formerZones: { timeZone: string; until: string }[];
  /** Referrer hosts, most views first; an empty name is no referrer, `other` is all beyond the daily limit. */
  sources: Counted[];
  /** Visits by event: `scroll_depth:50`, `newsletter_signup:inline_subscribe`, `podcast_play` … */
  actions: Counted[];
  downloads: {
    /** Null before the first download. */
    latest: LatestDownloads | null;
    total: Figure;
    episodes: EpisodeDownloads[];
    apps: Counted[];
    devices: Counted[];
    /** ISO 3166 codes; `XX` if unknown. */
    countries: Counted[];
  };
  /** Letters sent in the period; null for a user who may not see the audience. */
  letters: LetterFigures[] | null;
};

export type LetterFigures = {
  id: number;
  subject: string;
  /** Milliseconds UTC. */
  startedAt: number;
  counts: LetterCounts;
};

/** The answer of GET /api/admin/analytics/episodes/:id. */
export type EpisodeReport = {
  id: number;
  title: string;
  durationSeconds: number;
  chapters: { start: number; title: string }[];
  /**
   * By days since publication, from 0; null before counting began. `median`: of the show's other episodes; null if none
   * is that old, or none was counted then.
   */
  downloads: { sinceDay: number; downloads: number | null; median: number | null }[];
  /** Whether the last of these days has not ended. */
  isLastToday: boolean;
  total: number;
  /** Listeners on this site whose last position was in these 30 seconds. */
  stops: { second: number; listeners: number }[];
  /** Seconds per step of `stops`. */
  step: number;
  plays: number;
  completions: number;
};

/** The reason of a rejection. */
export type RejectionReason =
  | "robot"
  | "data-centre"
  | "probe"
  | "unchanged"
  | "head"
  | "watch"
  | "too-little"
  | "not-an-episode"
  | "unknown-content"
  | "flood";

export type Rejection = { of: "events" | "downloads"; reason: RejectionReason; count: number };

/** The data of /how-we-count. */
export type CountingReport = {
  /** The last 30 days. */
  period: Period;
  /** The time zone of these days. */
  timeZone: string;
  downloads: number;
  rejections: Rejection[];
  /** Days for which single events are stored. */
  keepDays: number;
  /** When the lists of apps and data centres were last checked, yyyy-mm-dd. */
  listsCheckedOn: string;
};

/** Figures of the last 30 full days, for the media kit. Null if nothing was counted. */
export type MeasuredFigures = {
  /** The last day of the figures, yyyy-mm-dd. */
  asOf: string;
  views: number | null;
  visitors: number | null;
  downloads: number | null;
  /** The median downloads in the first 30 days, of episodes for which all 30 days were counted. */
  downloadsPerEpisode: number | null;
};
