import { z } from "zod";
import { line } from "#worker/platform/contract.ts";

export const DEFAULT_MODEL = "@cf/openai/whisper-large-v3-turbo";
/** Dollars a minute of it (developers.cloudflare.com/workers-ai/platform/pricing). */
export const DEFAULT_PRICE = 0.0005;

/** `detect`: as the model hears it. */
export const NewTranscription = z.strictObject({ language: z.enum(["show", "detect"]).default("show") });
export type NewTranscription = z.input<typeof NewTranscription>;

export const MOST_VOICES = 20;

/** `voices`: names that are saved for the show, in the order of the model's voices. */
export const AcceptedTranscription = z.strictObject({
  voices: z.array(line(100).min(1, "Enter a name.")).max(MOST_VOICES).optional(),
});
export type AcceptedTranscription = z.input<typeof AcceptedTranscription>;

/**
 * - `stopped`: nothing is transcribed until the owner continues it;
 * - `ready`: a proposal, which has changed nothing;
 * - `accepted`: the owner has taken it into the form.
 */
export const transcriptionStates = ["running", "stopped", "ready", "accepted"] as const;

/** Seconds from the start of the recording. */
export type Stretch = [start: number, end: number];

export type Transcription = {
  state: (typeof transcriptionStates)[number];
  /** What generates it, such as "Workers AI". */
  service: string;
  model: string;
  /** Milliseconds UTC. */
  startedAt: number;
  acceptedAt: number | null;
  /** As the model names it; null if it does not. */
  heard: string | null;
  /** The model hears another language than it was asked for. */
  isOtherLanguage: boolean;
  /** Seconds of the recording that were asked for. */
  doneSeconds: number;
  /** Minutes that were sent to the model, with repetitions, and what they cost in dollars. */
  minutes: number;
  cost: number;
  missing: Stretch[];
  /** Why it stopped, or waits. */
  problem: string | null;
  /** Milliseconds UTC of the next attempt, after a failure. */
  retryAt: number | null;
  hasWords: boolean;
  /** The episode has another recording now. */
  isOfFormer: boolean;
};

/** What the episode's form shows beside the transcript. */
export type TranscriptionPanel = {
  isOn: boolean;
  service: string;
  model: string;
  /** Of the recording; null without one. */
  seconds: number | null;
  /** Of a new transcription, with what its pieces overlap; null if the length is unknown. */
  estimate: { minutes: number; cost: number } | null;
  transcription: Transcription | null;
};

export type TranscriptionDraft = {
  /** WebVTT. */
  transcript: string;
  /** Names of the episode's people, of the show's and of other guests, in this order. */
  names: string[];
  /** Names that were saved for the show, in the order of the voices. */
  saved: string[];
};
