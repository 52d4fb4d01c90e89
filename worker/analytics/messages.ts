import type { ContentType, EventType, RejectionReason } from "#worker/analytics/contract.ts";

/**
 * The messages of the analytics queue. Addresses and user agents are already hashes, or names of an app and a device.
 * Times are quarters of an hour since 1 January 1970, UTC.
 */

/** The events of one request. */
export type EventsMessage = {
  kind: "events";
  /** Makes storing idempotent. */
  id: string;
  quarter: number;
  network: string;
  visitor: string;
  events: StoredEvent[];
};

export type StoredEvent = {
  key: string;
  type: EventType;
  kind: ContentType;
  content: string;
  detail: string;
  seconds: number;
  isAttentive: boolean;
  sentAt: number;
  source: string | null;
};

/** The audio requests and rejections that an isolate collected. */
export type DownloadsMessage = {
  kind: "downloads";
  id: string;
  quarter: number;
  parts: Part[];
  rejections: { of: "events" | "downloads"; reason: RejectionReason; count: number }[];
};

/** A byte range of audio that a listener requested. */
export type Part = {
  /** The object's key in R2. */
  file: string;
  network: string;
  listener: string;
  /** Bytes, both inclusive. */
  first: number;
  last: number;
  app: string;
  device: string;
  country: string;
};

/** The owner has chosen another time zone. */
export type ZoneMessage = { kind: "zone"; id: string };

export type AnalyticsMessage = EventsMessage | DownloadsMessage | ZoneMessage;

/** Milliseconds to wait before each attempt to send. */
const WAITS = [0, 500, 2000, 5000];

/** Sends with retries, since there is no outbox behind it. */
export async function sendMessage(
  queue: { send: (body: unknown) => Promise<unknown> },
  message: AnalyticsMessage,
) {
  for (const [tried, wait] of WAITS.entries()) {
    await scheduler.wait(wait);
    try {
      await queue.send(message);
      return;
    } catch (error) {
      if (tried === WAITS.length - 1) throw error;
    }
  }
}
