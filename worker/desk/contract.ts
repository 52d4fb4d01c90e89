import { z } from "zod";
import type { LatestDownloads } from "#worker/analytics/contract.ts";

/** Where a podcast is submitted once; the owner ticks each, since no directory tells us. */
export const directoryKeys = ["apple", "spotify", "youtube", "amazon", "podcastindex"] as const;
export type DirectoryKey = (typeof directoryKeys)[number];

/** What the owner says of the first steps: a directory that has the feed, or that they are not wanted any more. */
export const Tick = z.strictObject({ name: z.enum([...directoryKeys, "dismissed"]) });
export type Tick = z.input<typeof Tick>;

/** An article or episode; `at` in milliseconds UTC is when it was changed, goes out, or went out. */
export type DeskItem = { id: number; title: string; at: number };
/** `count` ends at `COUNTED`. */
export type DeskDrafts = { count: number; latest: DeskItem[] };
export type DeskKind = "article" | "episode";

/** More are not counted. */
export const COUNTED = 20;
/** The same of what visitors sent. */
export const COUNTED_OF_VISITORS = 100;

/** What visitors sent, by what is done with it: applications are decided on, messages and bookings answered. */
export const visitorKinds = ["applications", "messages", "bookings", "comments"] as const;
export type VisitorKind = (typeof visitorKinds)[number];

/** The steps that the demo fills with examples. */
export type ExampleStep = "name" | "artwork" | "episode";

export type Steps = {
  name: boolean;
  artwork: boolean;
  episode: boolean;
  mail: boolean;
  directories: DirectoryKey[];
  /** Of those that are not done: what visitors see there is the demo's. */
  examples: ExampleStep[];
};

export type Desk = {
  drafts: Record<DeskKind, DeskDrafts>;
  /** The next few, soonest first. */
  scheduled: (DeskItem & { kind: DeskKind })[];
  /** Null before the first, and for whoever may not read figures. */
  downloads: LatestDownloads | null;
  lastEpisode: DeskItem | null;
  nextEpisode: DeskItem | null;
  /** What visitors sent and nobody has looked at; counts end at `COUNTED_OF_VISITORS`. Null for whoever may not see it. */
  fromVisitors: Record<VisitorKind, number> | null;
  /** Letters that were not sent as planned, or paused by what hindered them; null for whoever may not send any. */
  stoppedLetters: number | null;
  /** What was given up; null for whoever may not see mails. */
  failed: { count: number } | null;
  /** Null once all is done or they were dismissed, and for whoever may not do them. */
  firstSteps: (Steps & { feedUrl: string }) | null;
};

/** A delivery that was given up, or a queue message that failed all its retries. */
export type Failure = {
  id: string;
  kind: "delivery" | "message";
  /** Of the outbox row; null for a message about a row that is gone. */
  topic: string | null;
  /** Of a mail. */
  mail: { to: string; subject: string } | null;
  attempts: number;
  error: string | null;
  /** Milliseconds UTC. */
  at: number;
};
