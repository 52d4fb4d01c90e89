import { z } from "zod";
import type { LatestDownloads } from "#worker/analytics/contract.ts";
import type { BackupProblem } from "#worker/backups/contract.ts";

/** Directories to which a podcast is submitted once; the owner ticks each, since no directory reports it. */
export const directoryKeys = ["apple", "spotify", "youtube", "amazon", "podcastindex"] as const;
export type DirectoryKey = (typeof directoryKeys)[number];

/** A tick of the first steps: a directory that has the feed, or their dismissal. */
export const Tick = z.strictObject({ name: z.enum([...directoryKeys, "dismissed"]) });
export type Tick = z.input<typeof Tick>;

/** An article or episode; `at` (milliseconds UTC) is when it was changed, is scheduled, or was published. */
export type DeskItem = { id: number; title: string; at: number };
/** `count` is at most `COUNTED`. */
export type DeskDrafts = { count: number; latest: DeskItem[] };
export type DeskKind = "article" | "episode";

/** More are not counted. */
export const COUNTED = 20;
/** The same limit for visitors' enquiries and comments. */
export const COUNTED_OF_VISITORS = 100;

/** What visitors sent, by the action it needs: applications need a decision, messages and bookings an answer. */
export const visitorKinds = ["applications", "messages", "bookings", "comments"] as const;
export type VisitorKind = (typeof visitorKinds)[number];

/** The values of the desk that the nouns provide: lists as JSON, and counts or whether there is one. */
export type DeskList =
  | "articleDraftsLatest"
  | "episodeDraftsLatest"
  | "articlesScheduled"
  | "episodesScheduled"
  | "episodesLatest"
  | "rawTranscripts"
  | "downloads";
export type DeskCount =
  | "articleDrafts"
  | "episodeDrafts"
  | "stoppedLetters"
  | "heldLetters"
  | "artwork"
  | "episode"
  | "anyArtwork"
  | "anyEpisode"
  | VisitorKind;
export type DeskValue = DeskList | DeskCount;

/** The steps that the demo fills with examples. */
export type ExampleStep = "name" | "artwork" | "episode";

export type Steps = {
  name: boolean;
  artwork: boolean;
  episode: boolean;
  mail: boolean;
  directories: DirectoryKey[];
  /** Open steps whose public content is still the demo's. */
  examples: ExampleStep[];
};

export type Desk = {
  drafts: Record<DeskKind, DeskDrafts>;
  /** The next few, soonest first. */
  scheduled: (DeskItem & { kind: DeskKind })[];
  /** Null before the first download, and for users who may not see figures. */
  downloads: LatestDownloads | null;
  lastEpisode: DeskItem | null;
  nextEpisode: DeskItem | null;
  /** The last few whose transcript is stored, and shown, as a program’s code. */
  rawTranscripts: DeskItem[];
  /** Counts of unread items from visitors, at most `COUNTED_OF_VISITORS`. Null for users who may not see them. */
  fromVisitors: Record<VisitorKind, number> | null;
  /** Letters that were not sent as scheduled, or paused by an error; null for users who may not send letters. */
  stoppedLetters: number | null;
  /** Letters that were made automatically and wait for approval; null for the same users. */
  heldLetters: number | null;
  /** Failed deliveries; null for users who may not see emails. */
  failed: { count: number } | null;
  /** What is wrong with copies and drills; none for users who may not see them. */
  backups: BackupProblem[];
  /** Null once all are done or dismissed, and for users who may not do them. */
  firstSteps: (Steps & { feedUrl: string }) | null;
};

/** A failed delivery, or a queue message that failed all its retries. */
export type Failure = {
  id: string;
  kind: "delivery" | "message";
  /** Of the outbox row; null for a message whose row was deleted. */
  topic: string | null;
  /** Of an email. */
  mail: { to: string; subject: string } | null;
  attempts: number;
  error: string | null;
  /** Milliseconds UTC. */
  at: number;
};
