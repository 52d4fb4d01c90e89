import type { AnalyticsEvent } from "#worker/analytics/contract.ts";
import { LENGTH } from "#worker/analytics/salts-and-lists.ts";
import type { StoredEvent } from "#worker/analytics/messages.ts";
import { sha256 } from "#worker/platform/data/random.ts";

/** The stored form of an event: without session, addresses and title. */
export async function toStored(event: AnalyticsEvent, siteUrl: string): Promise<StoredEvent> {
  const { eventType: type, contentType: kind, contentId: content, sessionId, metadata } = event;
  const [detail, seconds] = [detailOf(event), secondsOf(event)];
  const self = JSON.stringify([sessionId, type, kind, content, metadata.timestamp, detail, seconds]);
  return {
    key: (await sha256(self)).slice(0, LENGTH),
    type,
    kind,
    content,
    detail,
    seconds,
    isAttentive: isAttentive(event),
    sentAt: metadata.timestamp,
    source: type === "page_view" ? sourceOf(event.metadata.referrer ?? "", siteUrl) : null,
  };
}

function detailOf({ eventType, metadata }: AnalyticsEvent) {
  switch (eventType) {
    case "scroll_depth":
      return String(metadata.scrollDepth);
    case "time_on_page":
      return String(metadata.seconds);
    case "engagement":
      return metadata.action;
    case "newsletter_signup":
      return metadata.source;
    case "social_click":
      return metadata.network;
    default:
      return "";
  }
}

function secondsOf({ eventType, metadata }: AnalyticsEvent) {
  switch (eventType) {
    case "reading_time":
      return metadata.readingTime;
    case "podcast_play":
    case "podcast_pause":
    case "podcast_complete":
      return metadata.seconds;
    default:
      return 0;
  }
}

/** Percent of a page that a reader has scrolled. */
const ATTENTIVE_DEPTH = 50;

/** Signs of an engaged visit: half the page, 30 seconds, or an action. */
function isAttentive({ eventType, metadata }: AnalyticsEvent) {
  if (eventType === "scroll_depth") return metadata.scrollDepth >= ATTENTIVE_DEPTH;
  return ["time_on_page", "podcast_play", "engagement", "newsletter_signup", "social_click"].includes(
    eventType,
  );
}

/** Characters of a host that are stored. */
const MAX_HOST = 100;
/** A plausible web host; a URL allows more. */
const HOST = /^([a-z0-9._-]+|\[[0-9a-f:]+\])$/;

/** The referrer's host; empty for none or an invalid address; null within the site. */
function sourceOf(referrer: string, siteUrl: string) {
  const url = URL.parse(referrer);
  if (!url || !/^https?:$/.test(url.protocol) || !HOST.test(url.hostname)) return "";
  if (url.host === new URL(siteUrl).host) return null;
  return url.hostname.replace(/^www\./, "").slice(0, MAX_HOST);
}
