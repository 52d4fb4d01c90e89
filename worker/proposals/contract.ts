import { z } from "zod";
import { IdParam } from "#worker/platform/contract.ts";

export const DEFAULT_TEXT_MODEL = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";
/** Dollars a million tokens of it (developers.cloudflare.com/workers-ai/platform/pricing). */
export const DEFAULT_PRICES = { input: 0.293, output: 2.253 };

/** In the order in which they are shown. `message`: for networks. */
export const proposalKinds = ["title", "summary", "notes", "chapters", "soundbite", "message"] as const;
export type ProposalKind = (typeof proposalKinds)[number];

export const proposalStates = ["open", "accepted", "dismissed"] as const;
export type ProposalState = (typeof proposalStates)[number];

export const ProposalDecision = z.strictObject({ state: z.enum(proposalStates) });
export type ProposalDecision = z.input<typeof ProposalDecision>;

/** The route of one proposal of an episode. */
export const ProposalParam = IdParam.extend({ proposal: IdParam.shape.id });

/** A part of the transcript, with the times of its cues in seconds. */
export type Passage = { start: number; end: number; text: string };

/** A text, or chapters or a soundbite, with the passages of the transcript that it is based on. */
export type Proposed =
  | { kind: "title" | "summary" | "message"; text: string; passages: Passage[] }
  /** Markdown. */
  | { kind: "notes"; text: string; passages: Passage[] }
  /** A passage for each. */
  | { kind: "chapters"; chapters: { start: number; title: string }[]; passages: Passage[] }
  | { kind: "soundbite"; start: number; duration: number; title: string; passages: Passage[] };

export type Proposal = Proposed & { id: number; state: ProposalState };

/**
 * Why proposals of the model are left out:
 * - `passage`: the transcript has no such passage;
 * - `link`: it has a link that the transcript lacks;
 * - `form`: it is too long, too short or empty;
 * - `number`: chapters or soundbites that are too many, or fewer than three chapters.
 */
export const leftOutReasons = ["passage", "link", "form", "number"] as const;
export type LeftOut = Record<(typeof leftOutReasons)[number], number>;

/**
 * - `stopped`: nothing is asked until the owner continues it;
 * - `ready`: its proposals can be accepted.
 */
export const runStates = ["running", "stopped", "ready"] as const;

export type ProposalRun = {
  state: (typeof runStates)[number];
  /** What generates them, such as "Workers AI". */
  service: string;
  model: string;
  /** Milliseconds UTC. */
  startedAt: number;
  /** Cues of the transcript that were sent, and all. */
  done: number;
  cues: number;
  /** That were sent and received, with repetitions, and what they cost in dollars. */
  tokens: number;
  cost: number;
  /** Why it stopped, or waits. */
  problem: string | null;
  /** Milliseconds UTC of the next attempt, after a failure. */
  retryAt: number | null;
  /** The episode has another transcript or recording now. */
  isOfFormer: boolean;
  /** By the model; those that were left out included. */
  offered: number;
  leftOut: LeftOut;
  proposals: Proposal[];
};

/** What the episode's form shows. */
export type ProposalPanel = {
  isOn: boolean;
  service: string;
  model: string;
  /** Of a new run; null if the transcript has no times, or is missing. */
  estimate: { tokens: number; cost: number } | null;
  run: ProposalRun | null;
};
