import { z } from "zod";
import type { Picture, StoredFile } from "#worker/files/contract.ts";
import { recurrenceProblem } from "#worker/episodes/recurrence.ts";
import { personRoles } from "#worker/episodes/taxonomy.ts";
import {
  draftKey,
  fileId,
  languageTag,
  line,
  lines,
  ListQuery,
  markdown,
  optionalEmail,
  optionalLink,
  secureLink,
  slug,
  webLink,
} from "#worker/platform/contract.ts";

/** Chapter, transcript and people shapes follow the Podcasting 2.0 namespace. */

/** The longest episode, in seconds. */
export const MAX_SECONDS = 2 * 86_400;
/** Of an episode. */
export const MOST_CHAPTERS = 500;
const seconds = z.number().min(0).max(MAX_SECONDS);
const durationSeconds = z.int().min(0).max(MAX_SECONDS);

/** The pattern of a time in a text, such as 2:05 or 1:02:05. */
export const TIMESTAMP = String.raw`(?:\d{1,2}:[0-5]\d|\d{1,3}):[0-5]\d`;

/** Seconds of a time that `TIMESTAMP` matches. */
export const secondsOf = (timestamp: string) =>
  timestamp.split(":").reduce((total, part) => total * 60 + Number(part), 0);

export const episodeStatuses = ["draft", "published", "scheduled", "archived"] as const;
export type EpisodeStatus = (typeof episodeStatuses)[number];

export const episodeTypes = ["full", "trailer", "bonus"] as const;
export type EpisodeType = (typeof episodeTypes)[number];

/** A file of this site. */
const ownFile = z.string().regex(/^\/media\/(?!(?:.*\/)?\.\.?(?:\/|$))[\w./-]{1,1000}$/);

export const Chapter = z.strictObject({
  /** Seconds from the start. */
  start: seconds,
  title: line(200).min(1, "Give the chapter a title."),
  url: optionalLink.default(null),
  /** The address of a picture for apps that show one during the chapter; the site’s own pages don’t. */
  img: z.union([ownFile, optionalLink]).optional(),
  /** Seconds. Absent: until the next chapter. */
  end: seconds.optional(),
  /** False: it is in no list, and only shows its picture or link in apps. */
  toc: z.boolean().optional(),
});
export type Chapter = z.infer<typeof Chapter>;

const term = z.string().trim().toLowerCase().max(64);

/** podcast:person, with a group and a role of its taxonomy. */
export const Person = z
  .strictObject({
    name: line(128).min(1, "Give the person a name."),
    role: term.default("host"),
    group: term.default("cast"),
    href: optionalLink.default(null),
  })
  .superRefine(({ group, role }, { addIssue }) => {
    const roles = Object.hasOwn(personRoles, group) ? personRoles[group] : undefined;
    const refuse = (field: string, message: string) => addIssue({ code: "custom", path: [field], message });
    if (!roles) refuse("group", "Choose a group of the podcast taxonomy.");
    else if (!roles.includes(role)) refuse("role", `Choose a role in the group ${group}.`);
  });
export type Person = z.infer<typeof Person>;

/** podcast:soundbite, 15 to 120 seconds. */
export const Soundbite = z.strictObject({
  start: seconds,
  duration: z
    .number()
    .min(15, "A soundbite lasts at least 15 seconds.")
    .max(120, "A soundbite lasts at most 120 seconds."),
  title: line(128).default(""),
});
export type Soundbite = z.infer<typeof Soundbite>;

/** podcast:funding. */
export const Funding = z.strictObject({
  url: webLink,
  /** What apps show for it; `SUPPORT` if empty. */
  text: line(128).default(""),
});
export type Funding = z.infer<typeof Funding>;
export const SUPPORT = "Support the show";

/** Latitude and longitude in degrees. */
const COORDINATES = /^-?([0-8]?\d(\.\d{1,8})?|90), ?-?(1[0-7]\d|\d{1,2})(\.\d{1,8})?$/;

/** podcast:location. */
export const Place = z.strictObject({
  name: line(128).min(1, "Name the place."),
  /** What it is about, or where it is recorded. */
  rel: z.enum(["subject", "creator"]).default("subject"),
  /** Latitude and longitude, such as -33.91,151.16. */
  geo: z
    .union([
      z.literal(""),
      z.string().trim().regex(COORDINATES, "Enter latitude and longitude, such as -33.91,151.16."),
    ])
    .default(""),
  /** The place in OpenStreetMap: N, W or R for node, way or relation, and its number. */
  osm: z
    .union([
      z.literal(""),
      z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^[NWR]\d{1,15}$/, "Enter the letter N, W or R and the number, such as R113314."),
    ])
    .default(""),
  /** ISO 3166-1, such as AU. */
  country: z
    .union([
      z.literal(""),
      z
        .string()
        .trim()
        .toUpperCase()
        .regex(/^[A-Z]{2}$/, "Enter the two letters of a country, such as AU."),
    ])
    .default(""),
});
export type Place = z.infer<typeof Place>;

/** podcast:guid of a feed. Empty: derived from its address, as a podcast that never moved has it. */
const feedGuid = z
  .union([
    z.literal(""),
    z
      .string()
      .trim()
      .toLowerCase()
      .regex(
        /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
        "Enter the podcast:guid of the feed, or leave it blank.",
      ),
  ])
  .default("");

/** podcast:alternateEnclosure: a further file of an episode. */
export const Alternate = z.strictObject({
  /** Of a stored audio or video file. */
  url: ownFile,
  /** What apps call it. */
  title: line(32, "A name has at most 32 characters.").default(""),
});
export type Alternate = z.infer<typeof Alternate>;

/** Of the namespace’s list of social protocols, those with an address on the web. */
export const discussionProtocols = ["activitypub", "bluesky", "twitter", "matrix", "nostr"] as const;

/** podcast:socialInteract: the post under which an episode is discussed. */
export const Discussion = z.strictObject({
  protocol: z.enum(discussionProtocols),
  url: webLink,
  /** Who wrote the post, such as @imogen@social.example. */
  account: line(128).default(""),
});
export type Discussion = z.infer<typeof Discussion>;

/** podcast:remoteItem: another podcast. */
export const RemoteFeed = z.strictObject({ title: line(128).default(""), url: webLink, guid: feedGuid });
export type RemoteFeed = z.infer<typeof RemoteFeed>;

/** podcast:txt. */
export const Txt = z.strictObject({
  purpose: line(128).default(""),
  text: lines(4000).min(1, "Enter the text."),
});
export type Txt = z.infer<typeof Txt>;

/** The fields of an episode that a model may have written. */
export const generatedFields = [
  "title",
  "description",
  "showNotes",
  "chapters",
  "soundbites",
  "transcript",
] as const;
export type GeneratedField = (typeof generatedFields)[number];

/** Of an imported episode whose former feed disclosed the use of AI, but not for what. */
export const UNNAMED = "unnamed";
export const markedFields = [...generatedFields, UNNAMED] as const;

/** A field for which the owner took what a model wrote. Edited since, it is still based on that. */
export const Generated = z.strictObject({
  field: z.enum(markedFields),
  model: line(120).min(1, "Name the model."),
});
export type Generated = z.infer<typeof Generated>;

const funding = z.array(Funding).max(10, "There is room for 10 support links.");
const places = z.array(Place).max(10, "There is room for 10 places.");

const whole = (label: string) =>
  z.int(`${label} must be a whole number.`).min(1, `${label} must be at least 1.`).max(100_000);

/** Markdown. */
const showNotes = markdown(100_000, "Show notes have at most 100,000 characters.");

/** The fields that the owner edits. */
const EpisodeFields = z.strictObject({
  title: line(255, "A title has at most 255 characters.").min(1, "Title is required"),
  /** Derived from the title if empty. */
  slug,
  /** Plain text: lists, cards, and apps that show no show notes. */
  description: lines(4000, "A description has at most 4,000 characters."),
  showNotes,
  status: z.enum(episodeStatuses),
  /** Milliseconds UTC. Null becomes the time of publication. */
  publishedAt: z.int().positive().nullable(),
  /** Milliseconds UTC; null unless the status is scheduled. */
  scheduledFor: z.int().positive().nullable(),
  /** Null for none; a trailer has no episode number. */
  seasonNumber: whole("Season number").nullable(),
  episodeNumber: whole("Episode number").nullable(),
  episodeType: z.enum(episodeTypes),
  explicit: z.boolean(),
  /** itunes:block: directories are asked not to list it. */
  blocked: z.boolean(),
  /** Read from the audio file; this value only applies if the file has none. */
  durationSeconds,
  audioFileId: fileId,
  imageFileId: fileId,
  imageAlt: line(300, "A picture's description has at most 300 characters."),
  videoUrl: optionalLink,
  youtubeUrl: optionalLink,
  spotifyUrl: optionalLink,
  appleUrl: optionalLink,
  /** In a format of `inputFormats`, or plain text without times; empty for none. */
  transcript: z.string().max(600_000, "A transcript has at most 600,000 characters."),
  chapters: z.array(Chapter).max(MOST_CHAPTERS, `An episode has at most ${MOST_CHAPTERS} chapters.`),
  people: z.array(Person).max(50, "An episode names at most 50 people."),
  soundbites: z.array(Soundbite).max(20, "An episode has at most 20 soundbites."),
  funding,
  places,
  alternates: z.array(Alternate).max(10, "There is room for 10 further files."),
  /** The first is the most important. */
  discussions: z.array(Discussion).max(10, "There is room for 10 discussions."),
  /** The last of a field counts; none of an empty one is stored. */
  generated: z.array(Generated).max(50),
});
export type EpisodeInput = z.infer<typeof EpisodeFields>;

/** PATCH: the fields to change. */
export const EpisodePatch = EpisodeFields.partial();
export type EpisodePatch = z.input<typeof EpisodePatch>;

/** Warnings that the owner has confirmed. */
const Confirmed = z.strictObject({
  /** Another published or scheduled episode has the same audio, or another upload of it. */
  allowDuplicateAudio: z.boolean().optional(),
});

/** An automatic save while the owner types: only allowed for drafts. */
const automatic = z.boolean().optional();

/** `basedOn` is the `updatedAt` of the version that was edited; refused if there is a newer one. */
export const EpisodeChange = EpisodePatch.extend({
  ...Confirmed.shape,
  automatic,
  basedOn: z.int().positive().optional(),
});
export type EpisodeChange = z.input<typeof EpisodeChange>;

/** Only the title is required; the rest has `episodeDefaults`. */
export const NewEpisode = EpisodePatch.required({ title: true }).extend({
  ...Confirmed.shape,
  automatic,
  draftKey,
});
export type NewEpisode = z.input<typeof NewEpisode>;

/** An episode that is about to be saved, and its id if it has one. */
export const PublishCheck = z.strictObject({ id: z.int().positive().optional(), episode: NewEpisode });
export type PublishCheck = z.input<typeof PublishCheck>;

/** Show notes while they are typed, and the length of the episode, which decides which times in them are links. */
export const ShowNotesPreviewInput = z.strictObject({ showNotes, durationSeconds });
export type ShowNotesPreviewInput = z.input<typeof ShowNotesPreviewInput>;

/** What the episode's page will show: sanitised HTML. */
export type ShowNotesPreview = { html: string };

/** A file's text or a pasted one, longer than the transcript itself: JSON has the time of every word. */
export const TranscriptCheck = z.object({
  transcript: z.string().max(2_000_000, "A transcript file has at most 2 million characters."),
  /** Those of the names at the beginnings of its cues that become voices. */
  voices: z.array(z.string().max(100)).max(20).optional(),
  /** Seconds of the recording; 0 while they are unknown. */
  lasts: seconds.optional(),
});
export type TranscriptCheck = z.input<typeof TranscriptCheck>;

export const episodeDefaults: Omit<EpisodeInput, "title"> = {
  slug: "",
  description: "",
  showNotes: "",
  status: "draft",
  publishedAt: null,
  scheduledFor: null,
  seasonNumber: 1,
  episodeNumber: 1,
  episodeType: "full",
  explicit: false,
  blocked: false,
  durationSeconds: 0,
  audioFileId: null,
  imageFileId: null,
  imageAlt: "",
  videoUrl: null,
  youtubeUrl: null,
  spotifyUrl: null,
  appleUrl: null,
  transcript: "",
  chapters: [],
  people: [],
  soundbites: [],
  funding: [],
  places: [],
  alternates: [],
  discussions: [],
  generated: [],
};

/** Identifiers of the podcast namespace's list of licences. */
const LICENSE_ID = /^[a-z\d]+([.+-]+[a-z\d]+)*$/i;

const ShowFields = z.strictObject({
  title: line(255).min(1, "Give the show a title."),
  subtitle: line(255).default(""),
  /** Plain text; Apple allows 4,000 bytes. */
  description: lines(4000)
    .min(1, "Describe the show.")
    .refine(
      (text) => new TextEncoder().encode(text).length <= 4000,
      "The description is limited to 4,000 bytes.",
    ),
  author: line(255).min(1, "Name the author."),
  ownerName: line(255).default(""),
  ownerEmail: optionalEmail.default(""),
  /** The site's language if absent. */
  language: languageTag.optional(),
  category: z.string().min(1, "Choose a category.").max(100),
  subcategory: z.string().max(100).default(""),
  explicit: z.boolean().default(false),
  type: z.enum(["episodic", "serial"]).default("episodic"),
  copyright: line(255).default(""),
  artworkFileId: fileId.default(null),
  /** podcast:locked: other hosts may not import the feed. */
  locked: z.boolean().default(true),
  funding: funding.default([]),
  /** podcast:updateFrequency: text for people, an RFC 5545 rule for apps. */
  updateFrequency: line(128).default(""),
  updateRule: z
    .string()
    .trim()
    .max(255)
    .superRefine((rule, { addIssue }) => {
      const problem = rule === "" ? undefined : recurrenceProblem(rule);
      if (problem) addIssue(problem);
    })
    .toUpperCase()
    .default(""),
  /** podcast:txt purpose="applepodcastsverify". */
  appleVerification: line(255).default(""),
  people: z.array(Person).max(50).default([]),
  /** itunes:new-feed-url: the feed's new address when the podcast moves. */
  newFeedUrl: z.union([z.literal("").transform(() => null), z.null(), secureLink]).default(null),
  /** The feed redirects there permanently. */
  redirectsFeed: z.boolean().default(false),
  /** itunes:complete: no more episodes will follow. */
  complete: z.boolean().default(false),
  /** itunes:block: directories are asked not to list it. */
  blocked: z.boolean().default(false),
  /** podcast:license: an identifier such as cc-by-4.0, or another name with a link. */
  license: line(128).default(""),
  licenseUrl: optionalLink.default(null),
  places: places.default([]),
  /** podcast:podroll. */
  podroll: z.array(RemoteFeed).max(50, "There is room for 50 podcasts.").default([]),
  /** podcast:publisher. */
  publisherUrl: optionalLink.default(null),
  publisherGuid: feedGuid,
  txts: z.array(Txt).max(20, "There is room for 20 texts.").default([]),
});

export const ShowInput = ShowFields.refine(
  ({ redirectsFeed, newFeedUrl }) => !redirectsFeed || newFeedUrl !== null,
  {
    path: ["newFeedUrl"],
    error: "Enter the address that the feed redirects to.",
  },
)
  .refine(({ license, licenseUrl }) => license !== "" || licenseUrl === null, {
    path: ["license"],
    error: "Name the licence.",
  })
  .refine(({ license, licenseUrl }) => license === "" || licenseUrl !== null || LICENSE_ID.test(license), {
    path: ["licenseUrl"],
    error: "Link to the licence’s text. Only standard short names such as cc-by-4.0 don’t need one.",
  })
  .refine(({ publisherUrl, publisherGuid }) => publisherUrl !== null || publisherGuid === "", {
    path: ["publisherUrl"],
    error: "Enter the address of the publisher’s feed.",
  });
export type ShowInput = z.input<typeof ShowInput>;

/**
 * `basedOn` is the `updatedAt` of the version that was edited, 0 before the show was described; refused if there is a
 * newer one.
 */
export const ShowChange = ShowInput.safeExtend({ basedOn: z.int().nonnegative().optional() });
export type ShowChange = z.input<typeof ShowChange>;

/** The show as visitors see it. */
export type PublicShow = {
  title: string;
  subtitle: string;
  description: string;
  author: string;
  artwork: Picture | null;
  fundingUrl: string | null;
  fundingText: string;
  feedUrl: string;
  people: Person[];
};

/** An episode in a list. */
export type EpisodeSummary = {
  id: number;
  slug: string;
  title: string;
  description: string;
  /** Milliseconds UTC. */
  publishedAt: number;
  seasonNumber: number | null;
  episodeNumber: number | null;
  episodeType: EpisodeType;
  durationSeconds: number;
  picture: Picture | null;
  /** `/media/…`, null when the episode has no audio. */
  audioUrl: string | null;
  youtubeUrl: string | null;
};

export type Cue = { start: number; end: number; speaker: string; text: string };

/** An episode's own page. */
export type Episode = EpisodeSummary & {
  explicit: boolean;
  audioType: string | null;
  audioBytes: number | null;
  videoUrl: string | null;
  spotifyUrl: string | null;
  appleUrl: string | null;
  /** Sanitised HTML of the show notes. */
  showNotesHtml: string;
  chapters: Chapter[];
  /** `page`: the path of the person's page; null if their name has no letters. */
  people: (Person & { page: string | null })[];
  transcript: Cue[];
  /** A transcript without times, in paragraphs with blank lines between; empty if there are cues. */
  plainTranscript: string;
  /** Further files: `title` may be empty, `height` is of a video. */
  alternates: { title: string; url: string; type: string; size: number; height: number | null }[];
  discussions: Discussion[];
};

/** An episode as its owner edits it. */
export type EditableEpisode = {
  id: number;
  guid: string;
  /** Milliseconds UTC; an update sends it back as `basedOn`. */
  updatedAt: number;
  values: EpisodeInput;
  audio: StoredFile | null;
  image: StoredFile | null;
};

/** With the name of the last editor; null if unknown, or if a job saved it. */
export type OpenedEpisode = EditableEpisode & {
  savedBy: string | null;
  /** Empty for a draft whose slug follows its title. */
  chosenSlug: string;
};

/** Something that a podcast app would refuse or miss, shown to the owner before publishing. */
export type PublishProblem = {
  /** An error: apps refuse the episode. A warning: they show less of it. */
  level: "error" | "warning";
  field: string;
  message: string;
  /** Also refused by the API, unless this field is set. */
  confirms?: keyof z.infer<typeof Confirmed>;
};

/** An episode in the owner's list. */
export type EpisodeRow = Pick<
  EpisodeInput,
  | "title"
  | "status"
  | "publishedAt"
  | "scheduledFor"
  | "seasonNumber"
  | "episodeNumber"
  | "episodeType"
  | "durationSeconds"
> & { id: number; slug: string; picture: Picture | null; hasAudio: boolean };

/** The query of the owner's list. */
export const EpisodeListQuery = ListQuery.extend({
  /** Words of title, description or show notes; the last one may be incomplete. */
  q: z.string().max(1000).optional(),
  status: z.enum(episodeStatuses).optional(),
  season: z.coerce.number().int().positive().max(100_000).optional(),
  type: z.enum(episodeTypes).optional(),
});
export type EpisodeListQuery = z.output<typeof EpisodeListQuery>;

/** The podcast's feed as an app would get it. */
export type FeedCheck =
  | { state: "none" | "broken" }
  | { state: "moved"; to: string }
  | {
      state: "ok";
      items: number;
      /** The size of its first document, and the limit. */
      bytes: number;
      maxBytes: number;
      /** Sentences; empty if there is nothing to fix. */
      problems: string[];
    };
