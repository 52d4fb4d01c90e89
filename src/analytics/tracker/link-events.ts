import type { NETWORKS } from "#worker/analytics/contract.ts";
import type { ReportedEvent } from "../notes.ts";

type Network = (typeof NETWORKS)[number];

const hosts: Record<string, Network> = {
  "x.com": "x",
  "twitter.com": "x",
  "youtube.com": "youtube",
  "youtu.be": "youtube",
  "linkedin.com": "linkedin",
  "instagram.com": "instagram",
  "facebook.com": "facebook",
  "whatsapp.com": "whatsapp",
  "wa.me": "whatsapp",
  "podcasts.apple.com": "apple",
  "spotify.com": "spotify",
  "podcasts.google.com": "google",
  "patreon.com": "patron",
};

type Link = Pick<HTMLAnchorElement, "origin" | "protocol" | "hostname" | "pathname">;

/** The events of following a link. `origin` is the site's; `isShare`: the link shares the page. */
export function eventsOf(
  link: Link,
  { origin, isShare }: { origin: string; isShare: boolean },
): ReportedEvent[] {
  const isOwn = link.origin === origin;
  const events: ReportedEvent[] = [];
  if (isShare) events.push({ type: "engagement", metadata: { action: "share" } });
  if (isOwn && link.pathname.startsWith("/media/"))
    events.push({ type: "engagement", metadata: { action: "download" } });
  const network = isOwn ? link.pathname.startsWith("/rss/") && "rss" : networkOf(link, isShare);
  if (network) events.push({ type: "social_click", metadata: { network } });
  return events;
}

/** A mailto link with an address is not sharing. */
function networkOf({ protocol, hostname }: Link, isShare: boolean): Network | undefined {
  if (protocol === "mailto:") return isShare ? "email" : undefined;
  if (hostname.startsWith("music.amazon.")) return "amazon";
  return Object.entries(hosts).find(([host]) => `.${hostname}`.endsWith(`.${host}`))?.[1];
}
