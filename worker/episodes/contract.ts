import { z } from "zod";
import type { Picture, StoredFile } from "#worker/files/contract.ts";
import { fileId, markdown, optionalLink, slug } from "#worker/platform/contract.ts";

/** Chapter, transcript and people shapes follow the Podcasting 2.0 namespace. */

const MAX_SECONDS = 2 * 86_400;
const seconds = z.number().min(0).max(MAX_SECONDS);

export const episodeStatuses = ["draft", "published", "scheduled", "archived"] as const;
export type EpisodeStatus = (typeof episodeStatuses)[number];

export const Chapter = z.strictObject({
  /** Seconds from the beginning. */
  start: seconds,
  title: z.string().trim().min(1, "Give the chapter a title.").max(200),
  url: optionalLink.default(null),
});
export type Chapter = z.infer<typeof Chapter>;

/** podcast:person. */
export const Person = z.strictObject({
  name: z.string().trim().min(1, "Give the person a name.").max(128),
  role: z.string().trim().max(64).default("host"),
  group: z.string().trim().max(64).default("cast"),
  href: optionalLink.default(null),
});
export type Person = z.infer<typeof Person>;

/** podcast:soundbite, 15 to 120 seconds. */
export const Soundbite = z.strictObject({
  start: seconds,
  duration: z
    .number()
    .min(15, "A soundbite lasts at least 15 seconds.")
    .max(120, "A soundbite lasts at most 120 seconds."),
  title: z.string().trim().max(128).default(""),
});
export type Soundbite = z.infer<typeof Soundbite>;

const whole = (label: string) =>
  z.int(`${label} is a whole number.`).min(1, `${label} starts at 1.`).max(100_000);

/** The fields that the owner edits. */
const EpisodeFields = z.strictObject({
  title: z.string().trim().min(1, "Title is required").max(255, "A title has at most 255 characters."),
  /** Derived from the title when empty. */
  slug,
  /** Plain text: lists, cards, and apps that show no show notes. */
  description: z.string().trim().max(4000, "A description has at most 4,000 characters."),
  /** Markdown. */
  showNotes: markdown(100_000, "Show notes have at most 100,000 characters."),
  status: z.enum(episodeStatuses),
  /** Milliseconds UTC. Null becomes the moment of publishing. */
  publishedAt: z.int().positive().nullable(),
  /** Milliseconds UTC; null unless the status is scheduled. */
  scheduledFor: z.int().positive().nullable(),
  seasonNumber: whole("Season number"),
  episodeNumber: whole("Episode number"),
  episodeType: z.enum(["full", "trailer", "bonus"]),
  explicit: z.boolean(),
  /** Read from the audio file; this value applies only when the file has none. */
  durationSeconds: z.int().min(0).max(MAX_SECONDS),
  audioFileId: fileId,
  imageFileId: fileId,
  imageAlt: z.string().trim().max(300, "A picture's description has at most 300 characters."),
  videoUrl: optionalLink,
  youtubeUrl: optionalLink,
  spotifyUrl: optionalLink,
  appleUrl: optionalLink,
  /** WebVTT or SRT; empty for none. */
  transcript: z.string().max(600_000, "A transcript has at most 600,000 characters."),
  chapters: z.array(Chapter).max(500, "An episode has at most 500 chapters."),
  people: z.array(Person).max(50, "An episode names at most 50 people."),
  soundbites: z.array(Soundbite).max(20, "An episode has at most 20 soundbites."),
});
export type EpisodeInput = z.infer<typeof EpisodeFields>;

/** PATCH: the fields to change. */
export const EpisodePatch = EpisodeFields.partial();
export type EpisodePatch = z.input<typeof EpisodePatch>;

/** `basedOn` is the `updatedAt` that the change was made from; refused when there is a newer one. */
export const EpisodeChange = EpisodePatch.extend({ basedOn: z.int().positive().optional() });
export type EpisodeChange = z.input<typeof EpisodeChange>;

/** Only the title is required; the rest has `episodeDefaults`. */
export const NewEpisode = EpisodePatch.required({ title: true });
export type NewEpisode = z.input<typeof NewEpisode>;

/** An episode that is about to be saved, and its id if it has one. */
export const PublishCheck = z.strictObject({ id: z.int().positive().optional(), episode: NewEpisode });
export type PublishCheck = z.input<typeof PublishCheck>;

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
};

export const ShowInput = z.strictObject({
  title: z.string().trim().min(1, "Give the show a title.").max(255),
  subtitle: z.string().trim().max(255).default(""),
  /** Plain text; Apple allows 4,000 bytes. */
  description: z
    .string()
    .trim()
    .min(1, "Describe the show.")
    .refine(
      (text) => new TextEncoder().encode(text).length <= 4000,
      "The description is limited to 4,000 bytes.",
    ),
  author: z.string().trim().min(1, "Name the author.").max(255),
  ownerName: z.string().trim().max(255).default(""),
  ownerEmail: z.union([z.literal(""), z.email("Enter an e-mail address.")]).default(""),
  /** RFC 5646, such as en-AU; the site's language if absent. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "Use a language code such as en-AU.")
    .optional(),
  category: z.string().min(1, "Choose a category.").max(100),
  subcategory: z.string().max(100).default(""),
  explicit: z.boolean().default(false),
  type: z.enum(["episodic", "serial"]).default("episodic"),
  copyright: z.string().trim().max(255).default(""),
  artworkFileId: fileId.default(null),
  /** podcast:locked: other hosts may not import the feed. */
  locked: z.boolean().default(true),
  fundingUrl: optionalLink.default(null),
  fundingText: z.string().trim().max(128).default(""),
  /** podcast:updateFrequency: words for people, an RFC 5545 rule for apps. */
  updateFrequency: z.string().trim().max(128).default(""),
  updateRule: z.string().trim().max(255).default(""),
  /** podcast:txt purpose="applepodcastsverify". */
  appleVerification: z.string().trim().max(255).default(""),
  people: z.array(Person).max(50).default([]),
});
export type ShowInput = z.input<typeof ShowInput>;

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
  seasonNumber: number;
  episodeNumber: number;
  episodeType: "full" | "trailer" | "bonus";
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
  people: Person[];
  transcript: Cue[];
};

/** An episode as its owner edits it. */
export type EditableEpisode = {
  id: number;
  guid: string;
  /** Milliseconds UTC; an update gives it back as `basedOn`. */
  updatedAt: number;
  values: EpisodeInput;
  audio: StoredFile | null;
  image: StoredFile | null;
};

/** Something that a podcast app would refuse or miss, shown to the owner before publishing. */
export type PublishProblem = {
  /** With an error, apps refuse the episode; with a warning, they show less of it. */
  level: "error" | "warning";
  field: string;
  message: string;
};

/** An episode in the owner's list. */
export type EpisodeRow = Pick<
  EpisodeInput,
  "title" | "status" | "publishedAt" | "scheduledFor" | "seasonNumber" | "episodeNumber" | "durationSeconds"
> & { id: number; slug: string; imageUrl: string | null; hasAudio: boolean };
