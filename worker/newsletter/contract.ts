import { z } from "zod";
import type { DeliveryTo } from "#worker/letters/contract.ts";
import { email, line } from "#worker/platform/contract.ts";
import { searchedAddress } from "#worker/platform/text/email-address.ts";
import { CHOOSE, choiceFields, MOST_TOPICS, topicId, type TopicOffer } from "#worker/topics/contract.ts";

export const SUBSCRIBED = "Successfully subscribed! Check your email.";
export const CONFIRMED = "Your subscription is confirmed.";
export const ALREADY_CONFIRMED = "Your subscription is already confirmed.";
export const UNSUBSCRIBED = "You are unsubscribed.";
export const MISSING_LINK = "Invalid verification link. Please check your email and try again.";
export const VERIFICATION_FAILED = "Verification failed";
export const PAUSED = "Your letters are paused.";
export const TOPICS_CHOSEN = "Your letters are changed.";
export const FORGOTTEN = "Your subscription is deleted.";
export const JOINED_TOO_OFTEN = "You subscribed several times within an hour. Please try again later.";
export const NOT_ACTIVE = "No letters are sent to this address.";
export const INVALID_UNSUBSCRIBE = "This unsubscribe link isn’t valid. Please use the link in a newer email.";

/** The consent text beside every form, stored with each subscription. */
export const CONSENT =
  "A letter now and then, by email. You confirm the address first and can leave at any time.";

/** The same in a member's account: signing in has proved the address. */
export const ACCOUNT_CONSENT = "A letter now and then, by email. You can leave at any time.";

const source = z.string().regex(/^[a-z][a-z0-9_-]{0,39}$/, "A source is one short lowercase word.");

export const SubscribeInput = z.strictObject({ email, source: source.default("site") });
export type SubscribeInput = z.input<typeof SubscribeInput>;

/** Characters of a signed link's token. */
const MAX_TOKEN = 2000;

export const VerifyInput = z.strictObject({
  token: z.string(MISSING_LINK).min(1, MISSING_LINK).max(MAX_TOKEN, VERIFICATION_FAILED),
  ...choiceFields,
  /** Without it, an earlier choice stays. */
  choice: choiceFields.choice.optional(),
});
export type VerifyInput = z.input<typeof VerifyInput>;

export const UnsubscribeInput = z.strictObject({
  token: z.string(INVALID_UNSUBSCRIBE).max(MAX_TOKEN, INVALID_UNSUBSCRIBE),
});
export type UnsubscribeInput = z.input<typeof UnsubscribeInput>;

/** What a subscriber chooses on the page of an unsubscribe link. */
export const PreferencesInput = UnsubscribeInput.extend({
  ...choiceFields,
  choice: choiceFields.choice.optional(),
  /** The one topic that they leave, instead of a choice. */
  leave: topicId.optional(),
}).refine(({ choice, leave }) => (choice === undefined) !== (leave === undefined), {
  path: ["choice"],
  error: CHOOSE,
});
export type PreferencesInput = z.input<typeof PreferencesInput>;

/** Shown with the form; null while the newsletter is switched off. */
export type NewsletterOffer = { consent: string } | null;

/** The state of a mailed link before its button is pressed. Confirmed: nothing left to do. */
export type LinkState =
  | { state: "ready"; email: string; offer: TopicOffer }
  | { state: "confirmed"; email: string }
  | { state: "invalid"; message: string };

/** The state of an unsubscribe link. Gone: the link is valid, but its subscriber was deleted. */
export type Unsubscription =
  | {
      state: "ready";
      email: string;
      isActive: boolean;
      pausedUntil: number | null;
      offer: TopicOffer;
      /** The topic of the letter with the link, if they get its letters. */
      topic: { id: number; name: string } | null;
    }
  | { state: "gone" }
  | { state: "invalid"; message: string };

/** The states of a subscriber. Confirmed and pending ones are active. */
export const subscriberStates = ["confirmed", "pending", "unsubscribed", "bounced", "complained"] as const;
export type SubscriberState = (typeof subscriberStates)[number];

const moment = z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** The query of the owner's list. `since` (inclusive) and `until` (exclusive) are milliseconds UTC. */
export const SubscriberListQuery = z.strictObject({
  /** A part of the address: three or more characters are found anywhere in it, fewer at its beginning. */
  q: z.string().overwrite(searchedAddress).max(254).optional(),
  /** Paused ones are confirmed, too; future members are of any state. */
  state: z.enum([...subscriberStates, "paused", "future-member"]).optional(),
  source: source.optional(),
  since: moment.optional(),
  until: moment.optional(),
  before: z.string().max(260).optional(),
});
export type SubscriberListQuery = z.infer<typeof SubscriberListQuery>;

/** Times are milliseconds UTC. */
export type SubscriberSummary = {
  id: string;
  email: string;
  state: SubscriberState;
  source: string;
  subscribedAt: number;
  verifiedAt: number | null;
  /** Null if no pause is running. */
  pausedUntil: number | null;
  futureMember: FutureMember | null;
};

export type SubscriberDetails = SubscriberSummary & {
  consent: string;
  unsubscribedAt: number | null;
  blockedAt: number | null;
  blockedReason: string | null;
  /** The names of the topics that they chose; null if they get every letter. */
  topics: string[] | null;
  softBounces: number;
  /** The latest letters, newest first. */
  deliveries: DeliveryTo[];
};

/** How many subscribers there are of each state; paused ones are among the confirmed. */
export type SubscriberStats = Record<SubscriberState | "paused", number>;

const CONSENT_LENGTH = 500;
const consentWords = line(CONSENT_LENGTH, `At most ${CONSENT_LENGTH} characters.`).min(
  1,
  "Say how they agreed to get letters.",
);

/** A subscriber whom the owner enters by hand. */
export const NewSubscriber = z.strictObject({
  email: z.string("Email is required").trim().min(1, "Email is required").max(400, "Email is invalid"),
  source: source.default("by-hand"),
  /** Where and how the person agreed, in the owner's words. */
  consent: consentWords,
  /** Whether to send a confirmation mail. Without it the owner states that the person has already agreed. */
  ask: z.boolean(),
});
export type NewSubscriber = z.input<typeof NewSubscriber>;

/**
 * The owner unsubscribes a person at their request. Only the subscriber can reactivate the subscription, by the form.
 */
export const SubscriberChange = z.strictObject({
  status: z.literal("unsubscribed", "You can only unsubscribe subscribers here."),
});
export type SubscriberChange = z.input<typeof SubscriberChange>;

export const SubscriberParam = z.strictObject({ id: z.string().min(1).max(80) });

/** Rows of one request. */
export const IMPORT_ROWS = 500;

/**
 * A subscriber's status in an imported file; src/admin/moving-in/subscribers/ maps the words of services to it.
 */
const importStatuses = ["active", "pending", "unsubscribed", "bounced", "complained"] as const;
export type ImportStatus = (typeof importStatuses)[number];

const pastMoment = z.union([z.null(), z.int().nonnegative()]);

/** How an imported reader paid at the former service, so that the owner can invite them as a member. */
export const futureMembers = ["paid", "comp", "founding"] as const;
export type FutureMember = (typeof futureMembers)[number];

export const ImportRow = z.strictObject({
  /** Of the file, from 1; names the row in the report. */
  line: z.int().positive().max(100_000_000),
  email: z.string().max(400),
  source: source.nullable(),
  status: z.enum(importStatuses),
  subscribedAt: pastMoment,
  confirmedAt: pastMoment,
  /** When a person who left did so there. */
  leftAt: pastMoment.default(null),
  /** Until when this person asked for no letters. */
  pausedUntil: z.int().positive().nullable().default(null),
  futureMember: z.enum(futureMembers).nullable().default(null),
  /** The names of the topics that they chose, of which unknown ones are ignored; null for every letter. */
  topics: z.array(z.string().max(200)).max(MOST_TOPICS).nullable().default(null),
});
export type ImportRow = z.infer<typeof ImportRow>;

const importId = z.uuid("Start the import again.");

/** The rows of one request of an import. Idempotent: a repeated request adds nothing and gets the same answer. */
export const ImportInput = z.strictObject({
  /** New for each run of an import. */
  importId,
  fileName: line(200, "The file name is too long.").min(1),
  source,
  /** How these people agreed to get letters, in the owner's words. */
  consent: consentWords,
  /** The owner states that they confirmed their addresses at the former service. */
  isConfirmed: z.boolean(),
  /** When the file was exported: every unsubscription in it is older. Null for the time of the import. */
  writtenAt: pastMoment.default(null),
  rows: z.array(ImportRow).max(IMPORT_ROWS),
});
export type ImportInput = z.input<typeof ImportInput>;

export type ImportOutcome =
  /** Added in this state: by this import, or as pending by an earlier one that never asked to confirm. */
  | { kind: "added"; state: SubscriberState }
  /** An earlier line of the file has the address. */
  | { kind: "double" }
  /** Already stored, and unchanged. */
  | { kind: "known"; state: SubscriberState }
  /** Was subscribed here; unsubscribed because of the file. */
  | { kind: "removed"; state: SubscriberState }
  | { kind: "invalid"; why: string };

export type ImportResult = { line: number; outcome: ImportOutcome };

/** Asks the pending subscribers of an import to confirm. */
export const AskImported = z.strictObject({ importId });
export type AskImported = z.input<typeof AskImported>;
