import { z } from "zod";
import {
  enquiryBoxes,
  type EnquiryBox,
  type EnquiryFields,
  type EnquiryKind,
  type EnquiryStatus,
} from "#worker/enquiries/contract.ts";
import type { MailState } from "#worker/mail/contract.ts";
import { ListQuery, line, textOf } from "#worker/platform/contract.ts";

/** Characters, as people see them. */
export const answerLimits = { notes: 5000, subject: 200, message: 12_000, place: 300 };

/** The boxes of each kind, in the order of their tabs. */
export const boxesOf = {
  application: ["pending", "approved", "rejected", "spam", "unconfirmed"],
  message: ["new", "read", "done", "spam", "unconfirmed"],
  booking: ["new", "read", "done", "spam", "unconfirmed"],
} as const satisfies Record<EnquiryKind, readonly EnquiryBox[]>;

/** The box in which the enquiries of a kind wait for the owner. */
export const waitingBox = { application: "pending", message: "new", booking: "new" } as const;

/** Without a box: all except spam and unconfirmed. `q` is a part of name, address or title. */
export const EnquiryListQuery = ListQuery.extend({
  box: z.enum(enquiryBoxes).optional(),
  q: line(200).optional(),
});
export type EnquiryListQuery = z.input<typeof EnquiryListQuery>;

const change = {
  /** The enquiry was opened: a new one becomes read, any other is unchanged. */
  isSeen: z.literal(true),
  isSpam: z.boolean(),
  notes: textOf(answerLimits.notes, { of: "Notes", isLong: true, isOptional: true }),
  /** The `notesAt` that the notes were written from; refused when there are newer ones. */
  basedOn: z.int().nonnegative(),
};

const AnsweredChange = z
  .strictObject({ ...change, status: z.enum(["new", "read", "done"], "Choose new, read or done.") })
  .partial();

export const changeOf = {
  application: z
    .strictObject({ ...change, status: z.enum(["approved", "rejected"], "Approve or reject it.") })
    .partial(),
  message: AnsweredChange,
  booking: AnsweredChange,
};
export type EnquiryChange = z.input<(typeof changeOf)[EnquiryKind]>;

const MINUTES = "Enter whole minutes from 5 to 1,440.";

/** When and where an episode is recorded; its invitation goes with the mail. */
export const Recording = z.strictObject({
  /** Milliseconds UTC. */
  at: z.number("Enter a date and time.").int("Enter a date and time.").positive("Enter a date and time."),
  minutes: z.int(MINUTES).min(5, MINUTES).max(1440, MINUTES),
  place: textOf(answerLimits.place, { of: "Place", isOptional: true }).default(""),
});
export type Recording = z.output<typeof Recording>;

export const EnquiryAnswer = z.strictObject({
  subject: textOf(answerLimits.subject, { of: "Subject" }),
  message: textOf(answerLimits.message, { of: "Message", isLong: true }),
  /** For applications only. */
  recording: Recording.nullable().default(null),
});
export type EnquiryAnswer = z.input<typeof EnquiryAnswer>;

export const EpisodeChoice = z.strictObject({ episodeId: z.int("Choose an episode.").positive() });
export type EpisodeChoice = z.input<typeof EpisodeChoice>;

export type EnquirySummary<K extends EnquiryKind = EnquiryKind> = {
  id: number;
  box: EnquiryBox;
  status: EnquiryStatus;
  name: string;
  email: string;
  /** The topic, subject or event. */
  title: string;
  fields: EnquiryFields[K];
  spamReason: string;
  /** The latest episode that has the applicant as a guest. */
  episode: MadeOfIt | null;
  /** Milliseconds UTC. */
  createdAt: number;
};

/** An email by the owner; `state` is null once its outbox row is deleted. */
export type SentMail = {
  id: number;
  outboxId: string;
  subject: string;
  body: string;
  sentBy: string;
  /** Milliseconds UTC, as `recordingAt`, which is null for an email without an invitation. */
  sentAt: number;
  recordingAt: number | null;
  /** It cancels that recording. */
  isCancellation: boolean;
  state: MailState | null;
  lastError: string | null;
};

/** What an enquiry became: a talk, an episode. */
export type MadeOfIt = { id: number; title: string };

export type EnquiryDetails<K extends EnquiryKind = EnquiryKind> = EnquirySummary<K> & {
  notes: string;
  /** Milliseconds UTC; zero before the first. */
  notesAt: number;
  updatedAt: number;
  /** The latest, newest first. */
  mails: SentMail[];
  /** The future recording to which an applicant is invited; milliseconds UTC. */
  recording: { at: number } | null;
  engagement: MadeOfIt | null;
};

export type EnquiryCounts = Record<EnquiryKind, Partial<Record<EnquiryBox, number>>> & {
  /** Pending comments. */
  comments: number;
};
