import { crumbsOf, pageAt, pagePathAt, pages, queryOf, type Crumb } from "#worker/addresses.ts";
import {
  breadcrumbList,
  person,
  podcastEpisode,
  podcastSeries,
  profilePage,
  webSite,
  type JsonLd,
} from "#worker/discovery/structured-data.ts";
import { EMBED_HEIGHT, EMBED_WIDTH, embedPath } from "#worker/embeds/frame.ts";
import type { CommentList } from "#worker/comments/contract.ts";
import type { Episode, EpisodeSummary, PublicShow } from "#worker/episodes/contract.ts";
import { keyOfMedia } from "#worker/files/stored.ts";
import { likelyLocale } from "#worker/platform/text/direction.ts";
import { withEllipsis } from "#worker/platform/text/excerpt.ts";
import type { Context } from "#worker/platform/context.ts";
import { playlistFeedPath, type PublicPlaylist } from "#worker/playlists/public-queries.ts";
import type { PersonPage } from "#worker/profiles/contract.ts";
import type { Site } from "#worker/settings/contract.ts";
import { noteSubject, SHARE_HEIGHT, SHARE_WIDTH, sharePath } from "#worker/sharing/subject.ts";

/** React Router's meta descriptors as plain data: a loader returns them and the route's `meta` passes them on. */
export type PageMetadata = (
  | { title: string }
  | { name: string; content: string }
  | { property: string; content: string }
  | { tagName: "link"; rel: string; href: string; type?: string; title?: string }
  | { "script:ld+json": JsonLd }
)[];

/** The cursor parameter of a later page of a list; undefined for the first. */
export type LaterPage = Record<string, string | undefined>;

type Page = {
  /** The page's title; the site's name is appended. By default the site's name alone. */
  title?: string;
  /** Plain text of any length; the site's description when absent. */
  description?: string;
  /** Begins with a slash. */
  path: string;
  /** A later page has its own canonical address, since search engines find its items nowhere else. */
  laterPage?: LaterPage;
  /** The path of the cover in its picture for sharing. Without one, a landform is drawn. */
  image?: string | null;
  imageAlt?: string;
  /** The landform's parameters, as on the page; by default derived from the path. */
  drawing?: { seed: number; figure?: number | null };
  /** The line above the title in that picture; by default the site's name. */
  label?: string;
  type?: "website" | "article";
  author?: string;
  keywords?: string[];
  /** Milliseconds UTC. */
  publishedTime?: number;
  modifiedTime?: number;
  /** By default from worker/addresses.ts. */
  crumbs?: Crumb[];
  structuredData?: JsonLd[];
  /** False keeps search engines from listing it. */
  isListed?: boolean;
  /** The player, if the page has audio. */
  player?: Player;
  /** The content for analytics, if not the path in the table of addresses: "article 12". */
  counted?: string;
};

/** `embed` is the address of the page that other sites frame. */
type Player = { embed: string; audioUrl: string; audioType: string | null };

/** A page's metadata for search engines and link previews. */
export function describePage(ctx: Context, site: Site, page: Page): PageMetadata {
  const { siteUrl } = ctx.config;
  const title = page.title ? `${page.title} | ${site.name}` : site.name;
  const description = standfirst(page.description || site.description);
  const url = absolute(siteUrl, page.path + laterQuery(page));
  const crumbs = page.crumbs ?? crumbsOf(page.path, page.title);
  return [
    { title },
    ...named("description", description),
    ...named("keywords", page.keywords?.join(", ")),
    ...named("author", page.author),
    { name: "robots", content: page.isListed === false ? "noindex, follow" : "index, follow" },
    { tagName: "link", rel: "canonical", href: url },
    ...openGraph(siteUrl, site, { ...page, title, description, url }),
    ...sharePicture(ctx, site, page),
    ...(page.player
      ? playerCard(siteUrl, page.player)
      : [{ name: "twitter:card", content: "summary_large_image" }]),
    ...(page.structuredData ?? []).map(jsonLd),
    ...(crumbs.length > 0 ? [jsonLd(breadcrumbList(siteUrl, crumbs))] : []),
    ...named(COUNTED, page.counted ?? countedAs(page.path)),
  ];
}

function laterQuery({ path, laterPage = {} }: Page) {
  const row = pageAt(path);
  const given = Object.entries(laterPage).filter((each): each is [string, string] => each[1] !== undefined);
  return row ? queryOf(row, new URLSearchParams(given)) : "";
}

/** X plays the embed in a frame, or the audio itself if it cannot. */
const playerCard = (siteUrl: string, { embed, audioUrl, audioType }: Player): PageMetadata => [
  { name: "twitter:card", content: "player" },
  { name: "twitter:player", content: embed },
  { name: "twitter:player:width", content: String(EMBED_WIDTH) },
  { name: "twitter:player:height", content: String(EMBED_HEIGHT) },
  { name: "twitter:player:stream", content: absolute(siteUrl, audioUrl) },
  ...named("twitter:player:stream:content_type", audioType),
];

/** The meta name that gives the tracker the page's content: `src/document/counting.ts`. */
const COUNTED = "counted";

/** A page by its path in the table; personal ones are not counted. */
function countedAs(path: string) {
  const row = pagePathAt(path.split("?")[0]!);
  return row && !pages[row].isPersonal ? `page ${row}` : undefined;
}

/** The front page, which describes the whole site. */
export function describeHome(
  ctx: Context,
  site: Site,
  page: Pick<Page, "description" | "image" | "imageAlt"> = {},
) {
  return describePage(ctx, site, {
    ...page,
    path: "/",
    structuredData: [webSite(ctx.config.siteUrl, site), person(ctx.config.siteUrl, site)],
  });
}

/** The podcast's page; `show` is null until the owner has described it. */
export function describePodcast(
  ctx: Context,
  site: Site,
  show: PublicShow | null,
  episodes: EpisodeSummary[],
  laterPage?: LaterPage,
) {
  const { siteUrl } = ctx.config;
  const page = {
    title: show?.title ?? "Podcast",
    path: "/podcast",
    laterPage,
  };
  if (!show) return describePage(ctx, site, page);
  return describePage(ctx, site, {
    ...page,
    description: show.description,
    image: show.artwork?.src,
    author: show.author,
    structuredData: [podcastSeries(siteUrl, show, episodes)],
  });
}

/** An episode's page. */
export function describeEpisode(
  ctx: Context,
  site: Site,
  show: PublicShow | null,
  episode: Episode,
  comments: CommentList | null = null,
): PageMetadata {
  const { siteUrl } = ctx.config;
  const path = `/episode/${episode.id}`;
  const embed = siteUrl + embedPath("episode", episode.id);
  const image = episode.picture ?? show?.artwork;
  return [
    ...describePage(ctx, site, {
      title: episode.title,
      description: episode.description || show?.description,
      path,
      image: image?.src,
      imageAlt: image?.alt,
      drawing: { seed: episode.id, figure: episode.episodeNumber },
      label: show?.title,
      type: "article",
      author: show?.author,
      publishedTime: episode.publishedAt,
      counted: `episode ${episode.id}`,
      player: episode.audioUrl
        ? { embed, audioUrl: episode.audioUrl, audioType: episode.audioType }
        : undefined,
      structuredData: [podcastEpisode(siteUrl, show, episode, comments)],
    }),
    ...property("og:audio", episode.audioUrl && absolute(siteUrl, episode.audioUrl)),
    ...property("og:audio:type", episode.audioUrl && episode.audioType),
    ...oembedLinks(siteUrl, path, episode.title),
  ];
}

/** The page of a person in the podcast. */
export const describePerson = (
  ctx: Context,
  site: Site,
  show: PublicShow | null,
  page: PersonPage,
  laterPage?: LaterPage,
) =>
  describePage(ctx, site, {
    title: page.name,
    description: page.about || `The episodes of ${show?.title ?? site.name} with ${page.name}.`,
    path: `/people/${page.slug}`,
    laterPage,
    image: page.picture?.src ?? show?.artwork?.src,
    imageAlt: page.picture?.alt,
    label: show?.title,
    structuredData: [profilePage(ctx.config.siteUrl, page)],
  });

/** A listener's playlist. Not indexed, since the owner did not make it. */
export function describePlaylist(
  ctx: Context,
  site: Site,
  show: PublicShow | null,
  playlist: PublicPlaylist,
): PageMetadata {
  const path = `/playlists/${playlist.id}`;
  return [
    ...describePage(ctx, site, {
      title: playlist.name,
      description: playlist.description || show?.description,
      path,
      image: show?.artwork?.src,
      imageAlt: show?.artwork?.alt,
      label: show?.title,
      isListed: false,
    }),
    ...(show ? [feedLink(playlist.name, playlistFeedPath(playlist.id))] : []),
    ...oembedLinks(ctx.config.siteUrl, path, playlist.name),
  ];
}

/** oEmbed discovery: how other sites embed the page from its address (oembed.com, section 4). */
const oembedLinks = (siteUrl: string, path: string, title: string) =>
  (["json", "xml"] as const).map((format) => ({
    tagName: "link" as const,
    rel: "alternate",
    type: `${format === "json" ? "application" : "text"}/${format}+oembed`,
    title,
    href: `${siteUrl}/oembed?${new URLSearchParams({ url: siteUrl + path, format })}`,
  }));

const feedLink = (title: string, href: string) => ({
  tagName: "link" as const,
  rel: "alternate",
  type: "application/rss+xml",
  title,
  href,
});

/** The archive of letters, from the newest or from `before`. */
export const describeLetters = (ctx: Context, site: Site, before: string | undefined): PageMetadata => [
  ...describePage(ctx, site, {
    title: "Letters",
    path: "/letters",
    laterPage: { before },
    description: `Letters that ${site.name} sent to subscribers by email.`,
  }),
  feedLink("Letters", "/rss/letters.xml"),
];

/** Search results. Not indexed: there are as many as queries. */
export const describeSearch = (ctx: Context, site: Site, query: string) =>
  describePage(ctx, site, {
    title: query ? `Search: ${query}` : "Search",
    description: "Search the episodes, what was said in them, the essays and the press.",
    path: "/search",
    isListed: false,
  });

/** The picture for link previews: cover, title, and the show or site. */
function sharePicture(ctx: Context, site: Site, page: Page): PageMetadata {
  const path = page.path.split("?")[0]!;
  const { label = site.name, title = site.name } = page;
  const subject = {
    title,
    label: label === title ? "" : label,
    cover: keyOfMedia(page.image),
    ...(page.drawing ?? { seed: seedOf(path) }),
  };
  noteSubject(ctx, subject);
  const alt = [title, subject.label, page.imageAlt].filter(Boolean).join(". ");
  return [
    { property: "og:image", content: ctx.config.siteUrl + sharePath(path, subject) },
    { property: "og:image:width", content: String(SHARE_WIDTH) },
    { property: "og:image:height", content: String(SHARE_HEIGHT) },
    { property: "og:image:alt", content: alt },
    { name: "twitter:image:alt", content: alt },
  ];
}

/** For an episode the id, as on its page. */
const seedOf = (path: string) =>
  Number(/\/(\d{1,9})$/.exec(path)?.[1] ?? [...path].reduce((sum, sign) => sum + sign.charCodeAt(0), 0));

type Resolved = Page & { title: string; description: string; url: string };

function openGraph(siteUrl: string, site: Site, page: Resolved): PageMetadata {
  const { type = "website" } = page;
  return [
    { property: "og:type", content: type },
    { property: "og:site_name", content: site.name },
    { property: "og:locale", content: ogLocale(site.language) },
    { property: "og:title", content: page.title },
    ...property("og:description", page.description),
    { property: "og:url", content: page.url },
    ...property("article:published_time", isoTime(page.publishedTime)),
    ...property("article:modified_time", isoTime(page.modifiedTime)),
    ...(type === "article" ? property("article:author", page.author) : []),
  ];
}

/** Open Graph requires a language and a territory, such as de_DE; by default the language's likeliest territory. */
function ogLocale(language: string) {
  const { language: code, region } = likelyLocale(language);
  return `${code}_${region}`;
}

const jsonLd = (data: JsonLd) => ({ "script:ld+json": data });
const absolute = (siteUrl: string, address: string) => new URL(address, siteUrl).href;
const isoTime = (time: number | undefined) => time !== undefined && new Date(time).toISOString();

/** An element with empty content is omitted. */
type Content = string | false | null | undefined;
const named = (name: string, content: Content) => (content ? [{ name, content }] : []);
const property = (name: string, content: Content) => (content ? [{ property: name, content }] : []);

/** Search engines show about this many characters. */
const STANDFIRST = 160;

/** The beginning of a text, in one line, cut at a word. */
function standfirst(text: string) {
  const letters = [...text.replace(/\s+/g, " ").trim()];
  if (letters.length <= STANDFIRST) return letters.join("");
  return withEllipsis(letters.slice(0, STANDFIRST).join(""));
}
