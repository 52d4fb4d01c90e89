import { z } from "zod";
import { MOST_TIERS } from "#worker/members/contract.ts";
import { draftKey, line, ListQuery, markdown } from "#worker/platform/contract.ts";

/** The specification's words. */
export const FILL_IN_BOTH = "Please fill in both subject and content";
/** Characters that fit into an email of 100 kB. */
export const CONTENT_LENGTH = 50_000;
export const SUBJECT_LENGTH = 200;
export const PREHEADER_LENGTH = 200;

const source = z.string().max(40);
const moment = z.union([z.null(), z.int().nonnegative()]);

/** Who gets a letter, among confirmed subscribers who are not paused. Empty lists and null mean no restriction. */
export const Segment = z.strictObject({
  /** Only those who get letters on this topic, whatever else holds. */
  topic: z.int().positive().nullable().default(null),
  /** Whether all of the further conditions must hold, or any. A span of dates is one. */
  match: z.enum(["all", "any"]).default("all"),
  /** The tiers of their running memberships. */
  tiers: z.array(z.int().positive()).max(MOST_TIERS).default([]),
  /** The forms or imports that they came from. */
  sources: z.array(source).max(50),
  /** Signed up at this time or later, in milliseconds UTC. */
  since: moment,
  /** Signed up before this time. */
  until: moment,
});
export type Segment = z.output<typeof Segment>;

export const everybody: Segment = {
  topic: null,
  match: "all",
  tiers: [],
  sources: [],
  since: null,
  until: null,
};

/** A stored segment: one of before 1 December 2026 has sources and dates alone. */
export const segmentOf = (stored: Partial<Segment>): Segment => ({ ...everybody, ...stored });

export const QUESTION_LENGTH = 200;
export const ANSWER_LENGTH = 80;
const LEAST_ANSWERS = 2;
const MOST_ANSWERS = 5;
const HOW_MANY_ANSWERS = `Write ${LEAST_ANSWERS} to ${MOST_ANSWERS} answers, each on its own line.`;

const answer = line(ANSWER_LENGTH, `An answer has at most ${ANSWER_LENGTH} characters.`).min(
  1,
  HOW_MANY_ANSWERS,
);

/** A question at the end of a letter, which readers answer with one click and the press of a button. */
export const Question = z.strictObject({
  text: line(QUESTION_LENGTH, `A question has at most ${QUESTION_LENGTH} characters.`).min(
    1,
    "Write the question.",
  ),
  answers: z
    .array(answer)
    .min(LEAST_ANSWERS, HOW_MANY_ANSWERS)
    .max(MOST_ANSWERS, HOW_MANY_ANSWERS)
    .refine((answers) => new Set(answers).size === answers.length, "Two answers are the same."),
  /** When it ends, in milliseconds UTC; null for 90 days after the sending starts. */
  closesAt: moment,
  /** Whether those who have answered see the results. */
  showsResults: z.boolean(),
});
export type Question = z.infer<typeof Question>;

const fields = {
  subject: line(SUBJECT_LENGTH, `A subject has at most ${SUBJECT_LENGTH} characters.`),
  preheader: line(PREHEADER_LENGTH, `A preheader has at most ${PREHEADER_LENGTH} characters.`),
  content: markdown(CONTENT_LENGTH, "A letter has at most 50,000 characters. Gmail cuts off longer emails."),
  segment: Segment,
  isPublic: z.boolean(),
  question: Question.nullable(),
};

/** A letter's input. The subject may be empty in a draft. */
export const LetterInput = z.strictObject(fields);
export type LetterInput = z.infer<typeof LetterInput>;

export const letterDefaults: LetterInput = {
  subject: "",
  preheader: "",
  content: "",
  segment: everybody,
  isPublic: true,
  question: null,
};

/** An autosave: it changes drafts only. */
const automatic = z.boolean().optional();

/** The article or episode that a letter is made from. */
export const Origin = z.strictObject({ kind: z.enum(["article", "episode"]), id: z.int().positive() });
export type Origin = z.infer<typeof Origin>;

export const NewLetter = LetterInput.partial().extend({
  /** The published article or episode from which missing fields are taken. */
  origin: Origin.optional(),
  automatic,
  draftKey,
});
export type NewLetter = z.input<typeof NewLetter>;

/** `basedOn` is the `updatedAt` that the change was made from. */
export const LetterChange = LetterInput.partial().extend({
  basedOn: z.int().nonnegative().optional(),
  automatic,
});
export type LetterChange = z.input<typeof LetterChange>;

/**
 * When a letter is sent: immediately, or at a time (milliseconds UTC). `basedOn` is the `updatedAt` that the owner
 * reviewed.
 */
export const SendLetter = z.strictObject({
  scheduledFor: moment.default(null),
  basedOn: z.int().nonnegative().optional(),
});
export type SendLetter = z.input<typeof SendLetter>;

export type LetterStatus = "draft" | "scheduled" | "sending" | "paused" | "sent" | "cancelled";

/** Counts of deliveries. `queued`: not sent yet. */
export type LetterCounts = Record<
  | "recipients"
  | "queued"
  | "sent"
  | "failed"
  | "skipped"
  | "uncertain"
  | "bounced"
  | "complained"
  | "unsubscribed",
  number
>;

/** A letter in the owner's list. Times are milliseconds UTC. */
export type LetterSummary = {
  id: number;
  subject: string;
  status: LetterStatus;
  scheduledFor: number | null;
  startedAt: number | null;
  finishedAt: number | null;
  pausedReason: string | null;
  /** Whether an automatic letter made it. */
  isAutomatic: boolean;
  updatedAt: number;
  counts: LetterCounts;
};

export type EditableLetter = LetterSummary & {
  values: LetterInput;
  origin: Origin | null;
};

export const LetterListQuery = ListQuery;

/** The fields of a letter that its email shows. */
export const LetterPreviewInput = LetterInput.pick({ subject: true, preheader: true, content: true }).extend({
  question: Question.nullable().optional(),
});
export type LetterPreviewInput = z.input<typeof LetterPreviewInput>;

/** The email's HTML, text and size in bytes. */
export type LetterPreview = { html: string; text: string; bytes: number };

/** A finding of the check. One that `blocks` prevents sending. */
export type Finding = {
  level: "blocks" | "warns";
  code: string;
  /** A sentence. */
  message: string;
  /** The link, picture or field that it is about. */
  where?: string;
};

/** The query of a letter's report. */
export const ReportQuery = z.strictObject({
  of: z.enum(["failed", "skipped", "uncertain", "bounced", "complained", "unsubscribed"]),
  before: z.string().max(40).optional(),
});
export type ReportQuery = z.infer<typeof ReportQuery>;

export type ReportedDelivery = {
  id: number;
  /** Null if the subscriber was deleted. */
  email: string | null;
  /** In the words of the provider. */
  answer: string | null;
  attempts: number;
  settledAt: number | null;
};

/** A letter to one subscriber, as their page shows it. Times are milliseconds UTC. */
export type DeliveryTo = {
  letterId: number;
  subject: string;
  status: "queued" | "sending" | "sent" | "failed" | "skipped" | "uncertain";
  feedback: "bounced" | "complained" | "unsubscribed" | null;
  /** In the words of the provider. */
  answer: string | null;
  settledAt: number | null;
};

/** Characters of a signed link's token. */
const MAX_TOKEN = 2000;
export const INVALID_ANSWER_LINK = "This link isn’t valid. Please use the link in the letter.";
export const ANSWERED = "Thank you. Your answer is counted.";

/** A form's fields: `answer` is the position of the answer, from 1. */
export const AnswerInput = z.strictObject({
  token: z.string(INVALID_ANSWER_LINK).max(MAX_TOKEN, INVALID_ANSWER_LINK),
  answer: z.string("Choose an answer.").regex(/^[1-9]$/, "Choose an answer."),
});
export type AnswerInput = z.input<typeof AnswerInput>;

/** An answer to a letter's question, and how many readers chose it. */
export type AnswerCount = { answer: string; votes: number };

/**
 * What the page of a letter's question shows. Gone: the link is valid, but its subscriber was deleted. `results` are null if
 * readers do not see them, or not before they have answered.
 */
export type AskedQuestion =
  | { state: "invalid" | "gone" }
  | { state: "closed"; question: string; results: AnswerCount[] | null }
  | {
      state: "open";
      question: string;
      answers: string[];
      /** From 1; null before the first answer. */
      choice: number | null;
      /** The address, masked, since letters are forwarded. */
      address: string;
      closesAt: number;
      results: AnswerCount[] | null;
    };

/** The answers to a letter's question, for the owner. */
export type QuestionReport = {
  question: string;
  isOpen: boolean;
  closesAt: number;
  answers: AnswerCount[];
};
