import { z } from "zod";
import { IdParam, line, markdown } from "#worker/platform/contract.ts";

/** The specification's words. */
export const FILL_IN_BOTH = "Please fill in both subject and content";
/** A text that a mail of 100 kB holds. */
const CONTENT_LENGTH = 50_000;
const SUBJECT_LENGTH = 200;

const source = z.string().max(40);
const moment = z.union([z.null(), z.int().nonnegative()]);

/** Who gets a letter, of those who are confirmed and not paused. Empty lists and null leave a rule out. */
export const Segment = z.strictObject({
  /** The forms or imports that they came from. */
  sources: z.array(source).max(50),
  /** Signed up at this time or later, in milliseconds UTC. */
  since: moment,
  /** Signed up before this time. */
  until: moment,
});
export type Segment = z.infer<typeof Segment>;

export const everybody: Segment = { sources: [], since: null, until: null };

const fields = {
  subject: line(SUBJECT_LENGTH, `A subject has at most ${SUBJECT_LENGTH} characters.`),
  preheader: line(200, "The line behind the subject has at most 200 characters."),
  content: markdown(
    CONTENT_LENGTH,
    "A letter has at most 50,000 characters; longer mails are cut off by Gmail.",
  ),
  segment: Segment,
  isPublic: z.boolean(),
};

/** A letter as it is written. An empty subject is that of a draft. */
export const LetterInput = z.strictObject(fields);
export type LetterInput = z.infer<typeof LetterInput>;

export const letterDefaults: LetterInput = {
  subject: "",
  preheader: "",
  content: "",
  segment: everybody,
  isPublic: true,
};

export const NewLetter = LetterInput.partial().extend({
  /** The article or episode that it is made from; its text is then taken from there. */
  origin: z.strictObject({ kind: z.enum(["article", "episode"]), id: IdParam.shape.id }).optional(),
});
export type NewLetter = z.input<typeof NewLetter>;

/** `basedOn` is the `updatedAt` that the change was made from. */
export const LetterChange = LetterInput.partial().extend({
  basedOn: z.int().nonnegative().optional(),
});
export type LetterChange = z.input<typeof LetterChange>;

/** When a letter is sent: at once, or at a time (milliseconds UTC). */
export const SendLetter = z.strictObject({ scheduledFor: moment.default(null) });
export type SendLetter = z.input<typeof SendLetter>;

export const letterStatuses = ["draft", "scheduled", "sending", "paused", "sent", "cancelled"] as const;
export type LetterStatus = (typeof letterStatuses)[number];

/** Deliveries in numbers. `queued` is what is still to come. */
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
  updatedAt: number;
  counts: LetterCounts;
};

export type EditableLetter = LetterSummary & {
  values: LetterInput;
  origin: { kind: "article" | "episode"; id: number } | null;
};

/** What the owner looks through in a letter's report. */
export const ReportQuery = z.strictObject({
  of: z.enum(["failed", "skipped", "uncertain", "bounced", "complained", "unsubscribed"]),
  before: z.string().max(40).optional(),
});
export type ReportQuery = z.infer<typeof ReportQuery>;

export type ReportedDelivery = {
  id: number;
  /** Null where the subscriber was deleted since. */
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
