import type { Episode, EpisodeSummary, PublicShow } from "#worker/episodes/contract.ts";
import type { Crumb } from "#worker/addresses.ts";
import type { Site } from "#worker/settings/contract.ts";

/** A schema.org object; a value that is undefined is left out when it is written. */
export type JsonLd = { [key: string]: JsonLdValue | undefined };
type JsonLdValue = string | number | boolean | JsonLd | JsonLd[] | string[];

const CONTEXT = "https://schema.org";

export const webSite = (siteUrl: string, site: Site): JsonLd => ({
  "@context": CONTEXT,
  "@type": "WebSite",
  name: site.name,
  description: site.description || undefined,
  url: `${siteUrl}/`,
  sameAs: Object.values(site.social),
  potentialAction: {
    "@type": "SearchAction",
    target: { "@type": "EntryPoint", urlTemplate: `${siteUrl}/search?q={search_term_string}` },
    "query-input": "required name=search_term_string",
  },
});

/** Whom the site is about. */
export const person = (siteUrl: string, site: Site): JsonLd => ({
  "@context": CONTEXT,
  "@type": "Person",
  name: site.name,
  description: site.description || undefined,
  url: `${siteUrl}/about`,
  sameAs: Object.values(site.social),
});

export const breadcrumbList = (siteUrl: string, crumbs: Crumb[]): JsonLd => ({
  "@context": CONTEXT,
  "@type": "BreadcrumbList",
  itemListElement: crumbs.map(({ label, to }, index) => ({
    "@type": "ListItem",
    position: index + 1,
    name: label,
    item: siteUrl + to,
  })),
});

export const podcastSeries = (siteUrl: string, show: PublicShow, episodes: EpisodeSummary[]): JsonLd => ({
  "@context": CONTEXT,
  ...series(siteUrl, show),
  description: show.description,
  image: onSite(siteUrl, show.artwork?.src),
  author: { "@type": "Person", name: show.author },
  hasPart: episodes.map((episode) => ({
    "@type": "PodcastEpisode",
    url: episodeUrl(siteUrl, episode),
    name: episode.title,
    datePublished: isoTime(episode.publishedAt),
  })),
});

export const podcastEpisode = (siteUrl: string, show: PublicShow | null, episode: Episode): JsonLd => ({
  "@context": CONTEXT,
  "@type": "PodcastEpisode",
  url: episodeUrl(siteUrl, episode),
  name: episode.title,
  description: episode.description || undefined,
  datePublished: isoTime(episode.publishedAt),
  duration: isoDuration(episode.durationSeconds),
  episodeNumber: episode.episodeNumber,
  partOfSeason: { "@type": "PodcastSeason", seasonNumber: episode.seasonNumber },
  partOfSeries: show ? series(siteUrl, show) : undefined,
  image: onSite(siteUrl, (episode.picture ?? show?.artwork)?.src),
  isFamilyFriendly: !episode.explicit,
  associatedMedia: audioObject(siteUrl, episode),
});

const series = (siteUrl: string, show: PublicShow): JsonLd => ({
  "@type": "PodcastSeries",
  name: show.title,
  url: `${siteUrl}/podcast`,
  webFeed: siteUrl + show.feedUrl,
});

function audioObject(siteUrl: string, episode: Episode): JsonLd | undefined {
  if (!episode.audioUrl) return undefined;
  return {
    "@type": "AudioObject",
    contentUrl: siteUrl + episode.audioUrl,
    encodingFormat: episode.audioType ?? undefined,
    contentSize: episode.audioBytes === null ? undefined : `${episode.audioBytes} B`,
    duration: isoDuration(episode.durationSeconds),
  };
}

const episodeUrl = (siteUrl: string, { id }: { id: number }) => `${siteUrl}/episode/${id}`;
const onSite = (siteUrl: string, path: string | null | undefined) => (path ? siteUrl + path : undefined);
const isoTime = (time: number) => new Date(time).toISOString();

/** ISO 8601, such as PT1H2M3S; undefined when the length is not known. */
function isoDuration(seconds: number) {
  if (seconds <= 0) return undefined;
  const parts = [
    [Math.floor(seconds / 3600), "H"],
    [Math.floor(seconds / 60) % 60, "M"],
    [seconds % 60, "S"],
  ] as const;
  return `PT${parts.map(([value, unit]) => (value > 0 ? `${value}${unit}` : "")).join("")}`;
}
