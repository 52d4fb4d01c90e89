import type {
  AudioObject,
  BreadcrumbList,
  Comment as CommentData,
  Person,
  PodcastEpisode,
  PodcastSeries,
  ProfilePage,
  SearchAction,
  WebSite,
  WithContext,
} from "schema-dts";
import type { CommentList } from "#worker/comments/contract.ts";
import type { Episode, EpisodeSummary, PublicShow } from "#worker/episodes/contract.ts";
import type { PersonPage } from "#worker/profiles/contract.ts";
import type { Crumb } from "#worker/addresses.ts";
import type { Site } from "#worker/settings/contract.ts";

/** A schema.org object. Undefined values are left out of the page. Each is type-checked where it is created. */
export type JsonLd = { [key: string]: JsonLdValue | undefined };
type JsonLdValue = string | number | boolean | JsonLd | JsonLd[] | string[];

const CONTEXT = "https://schema.org";

/** With Google's `query-input` annotation, which schema.org does not have. */
type SearchableWebSite = Exclude<WebSite, string> & {
  potentialAction: SearchAction & { "query-input": string };
};

export const webSite = (siteUrl: string, site: Site) =>
  ({
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
  }) satisfies WithContext<SearchableWebSite>;

/** The person whom the site is about. */
export const person = (siteUrl: string, site: Site) =>
  ({
    "@context": CONTEXT,
    "@type": "Person",
    name: site.name,
    description: site.description || undefined,
    url: `${siteUrl}/about`,
    sameAs: Object.values(site.social),
  }) satisfies WithContext<Person>;

/** A person in the podcast’s episodes. */
export const profilePage = (siteUrl: string, page: PersonPage) =>
  ({
    "@context": CONTEXT,
    "@type": "ProfilePage",
    mainEntity: {
      "@type": "Person",
      name: page.name,
      description: page.about || undefined,
      url: `${siteUrl}/people/${page.slug}`,
      image: onSite(siteUrl, page.picture?.src),
      sameAs: page.links.map(({ url }) => url),
    },
  }) satisfies WithContext<ProfilePage>;

export const breadcrumbList = (siteUrl: string, crumbs: Crumb[]) =>
  ({
    "@context": CONTEXT,
    "@type": "BreadcrumbList",
    itemListElement: crumbs.map(({ label, to }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name: label,
      item: siteUrl + to,
    })),
  }) satisfies WithContext<BreadcrumbList>;

export const podcastSeries = (siteUrl: string, show: PublicShow, episodes: EpisodeSummary[]) =>
  ({
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
  }) satisfies WithContext<PodcastSeries>;

export const podcastEpisode = (
  siteUrl: string,
  show: PublicShow | null,
  episode: Episode,
  comments: CommentList | null,
) =>
  ({
    "@context": CONTEXT,
    "@type": "PodcastEpisode",
    url: episodeUrl(siteUrl, episode),
    name: episode.title,
    description: episode.description || undefined,
    datePublished: isoTime(episode.publishedAt),
    duration: isoDuration(episode.durationSeconds),
    episodeNumber: episode.episodeNumber ?? undefined,
    partOfSeason:
      episode.seasonNumber === null
        ? undefined
        : { "@type": "PodcastSeason", seasonNumber: episode.seasonNumber },
    partOfSeries: show ? series(siteUrl, show) : undefined,
    image: onSite(siteUrl, (episode.picture ?? show?.artwork)?.src),
    isFamilyFriendly: !episode.explicit,
    associatedMedia: audioObject(siteUrl, episode),
    ...discussion(episodeUrl(siteUrl, episode), comments),
  }) satisfies WithContext<PodcastEpisode>;

/** The comments that a page shows, and the count of all; null while comments are switched off. */
export const discussion = (url: string, comments: CommentList | null) =>
  comments && {
    commentCount: comments.count,
    comment: comments.items.map(
      ({ id, name, text, createdAt }) =>
        ({
          "@type": "Comment",
          url: `${url}#comment-${id}`,
          text,
          dateCreated: isoTime(createdAt),
          author: { "@type": "Person", name },
        }) satisfies CommentData,
    ),
  };

const series = (siteUrl: string, show: PublicShow) =>
  ({
    "@type": "PodcastSeries",
    name: show.title,
    url: `${siteUrl}/podcast`,
    webFeed: siteUrl + show.feedUrl,
  }) satisfies PodcastSeries;

function audioObject(siteUrl: string, episode: Episode) {
  if (!episode.audioUrl) return undefined;
  return {
    "@type": "AudioObject",
    contentUrl: siteUrl + episode.audioUrl,
    encodingFormat: episode.audioType ?? undefined,
    contentSize: episode.audioBytes === null ? undefined : `${episode.audioBytes} B`,
    duration: isoDuration(episode.durationSeconds),
  } satisfies AudioObject;
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
