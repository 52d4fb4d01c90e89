import { z } from "zod";
import { basedOn, IdParam, line, webLink } from "#worker/platform/contract.ts";

/** What a webhook can be sent, in the order shown. docs/webhooks.md describes each for the programs that receive it. */
export const eventTypes = [
  "episode.published",
  "episode.changed",
  "essay.published",
  "essay.changed",
  "letter.sent",
  "subscriber.confirmed",
  "subscriber.left",
  "enquiry.received",
  "comment.received",
] as const;
export type EventType = (typeof eventTypes)[number];

/** A published episode or essay. `url` is its page. */
type PublishedItem = { id: number; title: string; url: string };

/** The data of each type. Only subscriber events have personal data: what they are about. */
export type EventData = {
  "episode.published": PublishedItem;
  /** Also if it was withdrawn or deleted: its page then answers 404. */
  "episode.changed": PublishedItem;
  "essay.published": PublishedItem;
  "essay.changed": PublishedItem;
  /** `title` is the subject; `url` is null unless the letter is in the public archive. */
  "letter.sent": { id: number; title: string; url: string | null };
  "subscriber.confirmed": { id: string; email: string };
  "subscriber.left": { id: string; email: string; reason: LeavingReason };
  /** `url` is its page in the admin area. */
  "enquiry.received": { id: number; kind: "application" | "message" | "booking"; url: string };
  /** It waits for the owner's approval. `url` is the list in the admin area. */
  "comment.received": { id: number; contentType: "article" | "episode"; contentId: number; url: string };
  /** Sent when the owner presses “Send a test”. */
  "webhook.test": { id: number };
};

/** `deleted`: the subscriber or the owner has deleted the data, or asked for it. */
export type LeavingReason = "unsubscribed" | "deleted" | "complained";

/** The body of a request. `timestamp` is when it happened, in ISO 8601. */
export type WebhookEvent = {
  [Type in keyof EventData]: { type: Type; timestamp: string; data: EventData[Type] };
}[keyof EventData];

export const MOST_WEBHOOKS = 20;

const events = z
  .array(z.enum(eventTypes, "Choose events from the list."))
  .min(1, "Choose at least one event.")
  .max(eventTypes.length)
  .overwrite((chosen) => eventTypes.filter((type) => chosen.includes(type)));

export const NewWebhook = z.strictObject({
  url: webLink,
  description: line(120),
  events,
});
export type NewWebhook = z.input<typeof NewWebhook>;

export const WebhookChange = NewWebhook.extend({ isPaused: z.boolean(), basedOn }).partial();
export type WebhookChange = z.input<typeof WebhookChange>;

export const WebhookParam = IdParam;
export const DeliveryParam = WebhookParam.extend({ delivery: z.string().max(200) });

/** Times are milliseconds UTC. */
export type Webhook = {
  id: number;
  url: string;
  description: string;
  events: EventType[];
  /** Why nothing is sent: the owner paused it, or the endpoint answered 410 Gone. */
  paused: "owner" | "gone" | null;
  /** When a delivery last failed for good; null once a later one succeeded. */
  failedAt: number | null;
  /** A database restored from a copy has no secrets. */
  hasSecret: boolean;
  /** Until when a former secret signs as well. */
  formerUntil: number | null;
  updatedAt: number;
};

/** A webhook with its secret, which no other answer has. */
export type WithSecret = { webhook: Webhook; secret: string };

export type Delivery = {
  id: string;
  /** The header `webhook-id`. */
  messageId: string;
  type: keyof EventData;
  at: number;
  /** `unsent`: the webhook was paused. */
  state: "waiting" | "delivered" | "failed" | "unsent";
  tries: number;
  /** Of the latest try: the status, its milliseconds, and the beginning of the response's body. */
  status: number | null;
  durationMs: number | null;
  response: string;
  error: string | null;
  nextTry: number | null;
};
