/**
 * Every public address: its name, the parameters of its answer, and where it is listed. Cache keys, breadcrumbs,
 * skeletons, navigation, sitemap and llms.txt are read from here; src/routes.ts is tested against it. The browser loads
 * parts of this file, so it imports nothing.
 */

/** The formats of `:id` and `:slug`; any other value is a 404 and not cached. */
const formats = { number: "[1-9]\\d{0,8}", slug: "[a-z0-9-]{1,120}", uuid: "[0-9a-f-]{36}" };

export type Address = {
  format?: keyof typeof formats;
  /** Query parameters that the answer depends on. Others are not part of its cache key. */
  parameters: readonly string[];
  /** Visitors choose the words of its parameters, so the number of answers is unbounded. */
  isEndless?: true;
};

export type Skeleton =
  | "conversations"
  | "episode"
  | "essay"
  | "essays"
  | "letter"
  | "letters"
  | "media"
  | "podcast"
  | "speaking"
  | "standing";

/** The switches in the settings. */
type Switch = "guestSubmissions" | "letters" | "members";

type Page = Address & {
  /** In breadcrumb and navigation; `:id` is taken from the path. A page without one is named by its title. */
  label?: string;
  /** The page above it in the breadcrumb; home if absent. */
  parent?: string;
  /** Shown while the page loads (src/site/skeletons.tsx). */
  skeleton?: Skeleton;
  /** Its answer is private and never cached. */
  isPersonal?: true;
  /** It exists only while this is switched on in the settings. */
  switch?: Switch;
};

/** A page of a mailed link: it has no cache key. */
const personal = { parameters: [], isPersonal: true } as const;

/** By path, as React Router writes it. */
const rows = {
  // Short addresses of WordPress, which redirect.
  "/": { label: "Home", parameters: ["p", "page_id"] },
  "/about": { label: "About", parameters: [], skeleton: "standing" },
  "/podcast": { label: "Podcast", parameters: ["before"], skeleton: "podcast" },
  // The device is that of the visitor's browser: listening-device.ts.
  "/listen": { label: "Where to Listen", parameters: ["device"], skeleton: "standing" },
  "/conversations": {
    label: "Conversations",
    parameters: ["source", "before"],
    skeleton: "conversations",
  },
  "/essays": { label: "Essays", parameters: ["before"], skeleton: "essays" },
  "/speaking": { label: "Speaking", parameters: [], skeleton: "speaking" },
  "/media": { label: "Media", parameters: ["coverage", "releases", "item"], skeleton: "media" },
  "/contact": { label: "Contact", parameters: ["type"], skeleton: "standing" },
  "/guest": { label: "Be a Guest", parameters: [], skeleton: "standing", switch: "guestSubmissions" },
  "/mission": { label: "Mission", parameters: [], skeleton: "standing" },
  "/three-es": { label: "The 3 Es", parameters: [], skeleton: "standing" },
  "/privacy-policy": { label: "Privacy Policy", parameters: [], skeleton: "standing" },
  "/terms-of-service": { label: "Terms of Service", parameters: [], skeleton: "standing" },
  "/episode/:id": {
    label: "Episode :id",
    parent: "/podcast",
    format: "number",
    parameters: ["t", "comments", "reply"],
    skeleton: "episode",
  },
  "/people/:slug": { parent: "/podcast", format: "slug", parameters: ["before"] },
  "/essays/:slug": {
    parent: "/essays",
    format: "slug",
    parameters: ["comments", "reply"],
    skeleton: "essay",
  },
  "/letters": { label: "Letters", parameters: ["before"], skeleton: "letters", switch: "letters" },
  "/letters/:id": {
    parent: "/letters",
    format: "number",
    parameters: [],
    skeleton: "letter",
    switch: "letters",
  },
  "/account": { label: "Account", parameters: [], skeleton: "standing", switch: "members" },
  "/playlists/:id": { label: "Playlist", parent: "/podcast", format: "uuid", parameters: [] },
  "/speaking/book": {
    label: "Book",
    parent: "/speaking",
    parameters: ["requested"],
    skeleton: "standing",
  },
  "/media-kit": { label: "Media Kit", parameters: [], skeleton: "standing" },
  "/how-we-count": { label: "How We Count", parameters: [], skeleton: "standing" },
  "/petitions": { label: "Petitions", parameters: ["campaign"] },
  "/search": { label: "Search", parameters: ["q", "kind", "before"], isEndless: true },
  "/verify-email": personal,
  "/unsubscribe": personal,
  "/answer": personal,
  "/comment": personal,
  "/confirm-enquiry": personal,
  "/preview": personal,
  "/account/sign-in": { ...personal, switch: "members" },
} as const satisfies Record<string, Page>;

/**
 * The query parameters that an answer depends on, in the table's order, so that campaign tags do not change the key.
 */
export function queryOf({ parameters }: Pick<Address, "parameters">, given: URLSearchParams) {
  const query = parameters.flatMap((name) => {
    const value = given.get(name);
    return value === null ? [] : [`${name}=${encodeURIComponent(value)}`];
  });
  return query.length > 0 ? `?${query.join("&")}` : "";
}

export type PagePath = keyof typeof rows;
export const pages: Record<PagePath, Page> = rows;

/** The part of the settings with the switches. */
type Switched = {
  features: { guestSubmissions: boolean };
  newsletter: { archive: boolean };
  members: { signIn: boolean };
};
type Switches = { [name in Switch]?: true };
/** Those that are on: each page has them in its data. */
export const switchesOf = ({ features, newsletter, members }: Switched): Switches => ({
  ...(features.guestSubmissions && { guestSubmissions: true }),
  ...(newsletter.archive && { letters: true }),
  ...(members.signIn && { members: true }),
});

/** Whether a page exists: its switch, if it has one, is on. */
export const isOpen = (path: PagePath, switches: Switches) => isOn(pages[path], switches);
const isOn = ({ switch: name }: Page, switches: Switches) => !name || name in switches;

/** Old and short addresses, and their targets. */
export const redirects = {
  "/privacy": "/privacy-policy",
  "/terms": "/terms-of-service",
  "/podcast/:slug": "/episode/:id",
} as const satisfies Record<string, PagePath>;

/** Addresses that feed readers and browsers try by default, and their targets, unless a blog was imported. */
export const wellKnown = {
  "/feed": "/rss/podcast.xml",
  "/feed.xml": "/rss/podcast.xml",
  "/rss": "/rss/podcast.xml",
  "/rss.xml": "/rss/podcast.xml",
  "/apple-touch-icon-precomposed.png": "/apple-touch-icon.png",
} as const;

export type Listing = {
  priority: number;
  changeFrequency: "daily" | "weekly" | "monthly" | "yearly";
  /** The source of the last change: the page's own content, or the newest listed item. Absent if unknown. */
  changesWith?: "content" | "episodes" | "essays" | "episodes and essays" | "letters" | "press" | "campaigns";
  /** Its description in llms.txt; without one it is not listed there. */
  summary?: string;
};

/** How the sitemap, in this order, and llms.txt list each page. Null for a page that is in neither. */
export const listings = {
  "/": { priority: 1, changeFrequency: "daily", changesWith: "episodes and essays" },
  "/about": {
    priority: 0.8,
    changeFrequency: "monthly",
    changesWith: "content",
    summary: "who this is, and what they work on",
  },
  "/podcast": {
    priority: 0.9,
    changeFrequency: "weekly",
    changesWith: "episodes",
    summary: "every episode, each with its audio, show notes, chapters and transcript",
  },
  "/conversations": {
    priority: 0.9,
    changeFrequency: "weekly",
    changesWith: "essays",
    summary: "articles and essays, newest first",
  },
  "/essays": {
    priority: 0.8,
    changeFrequency: "weekly",
    changesWith: "essays",
    summary: "essays only",
  },
  "/letters": {
    priority: 0.7,
    changeFrequency: "weekly",
    changesWith: "letters",
    summary: "letters sent to subscribers, newest first",
  },
  "/speaking": {
    priority: 0.7,
    changeFrequency: "monthly",
    changesWith: "content",
    summary: "topics and upcoming engagements",
  },
  "/media": {
    priority: 0.7,
    changeFrequency: "monthly",
    changesWith: "press",
    summary: "press coverage and official press releases",
  },
  "/contact": {
    priority: 0.6,
    changeFrequency: "monthly",
    changesWith: "content",
    summary: "how to get in touch",
  },
  "/guest": { priority: 0.6, changeFrequency: "monthly", changesWith: "content" },
  "/mission": { priority: 0.7, changeFrequency: "monthly", changesWith: "content" },
  "/three-es": { priority: 0.7, changeFrequency: "monthly", changesWith: "content" },
  "/privacy-policy": { priority: 0.3, changeFrequency: "yearly", changesWith: "content" },
  "/terms-of-service": { priority: 0.3, changeFrequency: "yearly", changesWith: "content" },
  "/listen": { priority: 0.6, changeFrequency: "monthly", summary: "the podcast in other apps" },
  "/how-we-count": {
    priority: 0.3,
    changeFrequency: "daily",
    summary: "how page views and podcast downloads are counted here, and what isn’t counted",
  },
  "/episode/:id": { priority: 0.7, changeFrequency: "monthly", changesWith: "episodes" },
  "/people/:slug": { priority: 0.5, changeFrequency: "weekly", changesWith: "episodes" },
  "/essays/:slug": { priority: 0.7, changeFrequency: "monthly", changesWith: "essays" },
  "/letters/:id": { priority: 0.6, changeFrequency: "yearly", changesWith: "letters" },
  "/playlists/:id": null,
  "/petitions": {
    priority: 0.6,
    changeFrequency: "monthly",
    changesWith: "campaigns",
    summary: "petitions to sign and crowdfunding to support",
  },
  "/speaking/book": { priority: 0.6, changeFrequency: "monthly", changesWith: "content" },
  "/media-kit": {
    priority: 0.6,
    changeFrequency: "monthly",
    changesWith: "content",
    summary: "facts, figures and pictures for the press",
  },
  "/search": null,
  "/verify-email": null,
  "/unsubscribe": null,
  "/answer": null,
  "/comment": null,
  "/confirm-enquiry": null,
  "/preview": null,
  "/account": null,
  "/account/sign-in": null,
} as const satisfies Record<PagePath, Listing | null>;

export type Document = Address & {
  /** Its entry in llms.txt; without one it is not listed there. `path` overrides that of the table. */
  listing?: { path?: string; title: string; description: string };
  /** The feature without which it does not exist. */
  switch?: Switch;
};

/** Feeds, files and embeds. */
export const documents = {
  "/rss/podcast.xml": {
    parameters: ["page"],
    listing: { title: "Podcast", description: "the podcast feed, with links to transcripts and chapters" },
  },
  "/rss/essays.xml": {
    parameters: [],
    listing: { title: "Essays", description: "the essays feed, with their full text" },
  },
  "/rss/letters.xml": {
    parameters: [],
    listing: { title: "Letters", description: "the letters sent to subscribers, with their full text" },
    switch: "letters",
  },
  "/rss/playlists/:id.xml": { format: "uuid", parameters: ["page"] },
  "/episode/:id/chapters.json": { format: "number", parameters: [] },
  "/episode/:id/transcript.vtt": { format: "number", parameters: [] },
  "/episode/:id/transcript.srt": { format: "number", parameters: [] },
  "/episode/:id/transcript.json": { format: "number", parameters: [] },
  "/episode/:id/transcript.txt": { format: "number", parameters: [] },
  "/embed/episode/:id": { format: "number", parameters: ["t"] },
  "/embed/playlist/:id": { format: "uuid", parameters: [] },
  "/oembed": { parameters: ["url", "format", "maxwidth", "maxheight"], isEndless: true },
  "/sitemap.xml": { parameters: [], listing: { title: "Sitemap", description: "every page" } },
  "/robots.txt": { parameters: [] },
  "/llms.txt": { parameters: [] },
  "/.well-known/security.txt": { parameters: [] },
  "/manifest.webmanifest": { parameters: [] },
} as const satisfies Record<string, Document>;

/** The public API. Other parameters are refused, so such a request is not cached. */
export const api = {
  "/api/episodes": { parameters: ["before"] },
  "/api/episodes/:id": { format: "number", parameters: [] },
  "/api/articles": { parameters: ["source", "before"] },
  "/api/articles/:slug": { format: "slug", parameters: [] },
  "/api/press": { parameters: ["type", "before"] },
  "/api/comments": { parameters: ["contentType", "contentId", "after"] },
  "/api/search": {
    parameters: ["q", "kind", "before"],
    isEndless: true,
    listing: {
      path: "/api/search?q=",
      title: "Search",
      description: "episodes, transcripts, essays and press as JSON; the question follows q=",
    },
  },
} as const satisfies Record<string, Document>;

/** Finds the row of a path. Patterns are compiled once; a path without variable segments is looked up. */
export function matcherOf<Row extends Pick<Address, "format">>(table: Record<string, Row>) {
  const entries = Object.entries(table);
  const fixed = new Map(entries.filter(([, { format }]) => !format));
  const variable = entries.flatMap(([path, row]) =>
    row.format ? [{ row, pattern: patternOf(path, formats[row.format]) }] : [],
  );
  return (pathname: string) =>
    fixed.get(pathname) ?? variable.find(({ pattern }) => pattern.test(pathname))?.row;
}

const patternOf = (path: string, format: string) =>
  new RegExp(`^${path.replaceAll(".", "\\.").replace(/:\w+/, format)}$`);

const findPage = matcherOf(pages);

/** React Router ignores a trailing slash. */
const withoutSlash = (pathname: string) => pathname.replace(/(.)\/+$/, "$1");

/** The page at a path; undefined if there is none. */
export const pageAt = (pathname: string) => findPage(withoutSlash(pathname));

/** The path in the table of the page at a path, such as `/letters/:id`; undefined if there is none. */
export function pagePathAt(pathname: string) {
  const page = pageAt(pathname);
  return (Object.keys(pages) as PagePath[]).find((path) => pages[path] === page);
}

export type Crumb = { label: string; to: string };

const home: Crumb = { label: "Home", to: "/" };

/**
 * The way to a page from home. Empty for home itself, for a page that is switched off, and for one without a label or a
 * given title.
 */
export function crumbsOf(pathname: string, title?: string, switches?: Switches): Crumb[] {
  const to = withoutSlash(pathname);
  const page = findPage(to);
  const label = page?.label?.replace(":id", to.split("/").at(-1)!) ?? title;
  if (!page || !label || to === home.to || (switches && !isOn(page, switches))) return [];
  return [...(page.parent ? crumbsOf(page.parent) : [home]), { label, to }];
}
