import type { ContentType, EventType, RejectionReason } from "#worker/analytics/contract.ts";

/**
 * What the queue carries. Addresses and user agents are hashes by then, or the names of an app and a device. When it was is
 * known to a quarter of an hour, from 1 January 1970, UTC.
 */

/** The events of one request. */
export type EventsMessage = {
  kind: "events";
  /** By which it is stored once. */
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

/** What an isolate saw of audio within a moment, and what it refused to count. */
export type DownloadsMessage = {
  kind: "downloads";
  id: string;
  quarter: number;
  parts: Part[];
  rejections: { of: "events" | "downloads"; reason: RejectionReason; count: number }[];
};

/** A range of audio that somebody asked for. */
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

/** Milliseconds between the tries to hand a message over. */
const WAITS = [0, 500, 2000, 5000];

/** Sends it, if need be several times: nothing else stands behind it. */
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
