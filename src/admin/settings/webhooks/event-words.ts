import type { Delivery, EventData, EventType } from "#worker/webhooks/contract.ts";

/** The events as the owner reads them. */
export const eventNames: Record<keyof EventData, string> = {
  "episode.published": "Episode published",
  "episode.changed": "Episode changed",
  "essay.published": "Essay published",
  "essay.changed": "Essay changed",
  "letter.sent": "Letter sent",
  "subscriber.confirmed": "Subscriber confirmed",
  "subscriber.left": "Subscriber left",
  "enquiry.received": "Enquiry received",
  "comment.received": "Comment received",
  "webhook.test": "Test",
};

/** What an event contains or lacks, beyond what its name says. */
export const eventHelp: Partial<Record<EventType, string>> = {
  "episode.changed": "Also when it is withdrawn or deleted.",
  "essay.changed": "Also when it is withdrawn or deleted.",
  "subscriber.confirmed": "Contains the subscriber’s email address.",
  "subscriber.left": "Contains the subscriber’s email address.",
  "enquiry.received": "Contains nothing that the sender wrote.",
  "comment.received": "Contains nothing that the reader wrote.",
};

export const stateNames: Record<Delivery["state"], string> = {
  waiting: "Waiting",
  delivered: "Delivered",
  failed: "Failed",
  unsent: "Not sent",
};

/** A webhook in a list: its description, or else the host of its address. */
export const nameOf = ({ description, url }: { description: string; url: string }) =>
  description || new URL(url).host;
