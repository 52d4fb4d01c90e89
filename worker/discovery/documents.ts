import {
  api,
  documents,
  isOpen,
  listings,
  pageAt,
  pages,
  switchesOf,
  type Document,
  type Listing,
  type PagePath,
} from "#worker/addresses.ts";
import { readNewest, type Newest } from "#worker/discovery/newest.ts";
import { FEED_PATH, readShow } from "#worker/episodes/show-queries.ts";
import { readPage } from "#worker/pages/queries.ts";
import type { Site } from "#worker/settings/contract.ts";
import { readSite } from "#worker/settings/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { directionOf } from "#worker/platform/text/direction.ts";

const endlessPages = Object.entries(pages).flatMap(([path, { isEndless }]) => (isEndless ? [path] : []));

/**
 * API paths that llms.txt recommends, although /api is disallowed. The longest matching rule wins (RFC 9309 §2.2.2).
 */
const openApi = Object.entries<Document>(api).flatMap(([path, { listing }]) => (listing ? [path] : []));

/** Keeps crawlers out of the admin area, the API, and endless pages such as searches. */
export const robotsOf = ({ config: { siteUrl } }: Context) => `User-agent: *
${["/admin", "/api", ...endlessPages].map((path) => `Disallow: ${path}`).join("\n")}
${openApi.map((path) => `Allow: ${path}`).join("\n")}

Sitemap: ${siteUrl}/sitemap.xml
`;

const DAY = 86_400_000;
/** Milliseconds for which a copy of security.txt counts; RFC 9116 recommends less than a year. */
const SECURITY_TEXT_LASTS = 180 * DAY;

/** Where to report a vulnerability (RFC 9116): the public email address, and the contact page. */
export async function readSecurityText(ctx: Context) {
  const { siteUrl } = ctx.config;
  const { contactEmail, language } = await readSite(ctx);
  const expires = new Date(ctx.now.getTime() + SECURITY_TEXT_LASTS);
  // Midnight, so that the ETag changes once a day.
  expires.setUTCHours(0, 0, 0, 0);
  const fields = [
    ...(contactEmail ? [`Contact: mailto:${encodeURI(contactEmail)}`] : []),
    `Contact: ${siteUrl}/contact`,
    `Expires: ${expires.toISOString()}`,
    `Preferred-Languages: ${language}`,
    `Canonical: ${siteUrl}${SECURITY_TEXT}`,
  ];
  return `${fields.join("\n")}\n`;
}

export const SECURITY_TEXT = "/.well-known/security.txt";

/** Number of essays, and of episodes, in llms.txt. */
const NEWEST = 20;

const mainPagesOf = (site: Site) =>
  Object.entries<Listing | null>(listings).flatMap(([path, listing]): Newest[] =>
    listing?.summary && isOpen(path as PagePath, switchesOf(site))
      ? [{ path, title: pageAt(path)?.label ?? path, description: listing.summary }]
      : [],
  );

const machineAddresses = Object.entries<Document>({ ...documents, ...api }).flatMap(
  ([path, { listing, switch: name }]) => (listing ? [{ path, name, ...listing }] : []),
);

/** A description of the site with its main addresses, as Markdown (llmstxt.org). */
export async function readLlmsText(ctx: Context) {
  const { siteUrl } = ctx.config;
  const [site, home, show, { essays, episodes }] = await Promise.all([
    readSite(ctx),
    readPage(ctx, "home"),
    readShow(ctx),
    readNewest(ctx, NEWEST),
  ]);
  const item = ({ path, title, description }: Newest) =>
    `- [${inLink(title)}](${siteUrl}${path})${description ? `: ${oneLine(description)}` : ""}`;
  const section = (title: string, links: Newest[]) =>
    links.length > 0 ? [`## ${title}`, links.map(item).join("\n")] : [];
  const switches = switchesOf(site);
  const feeds = machineAddresses
    .filter(({ name }) => !name || switches[name])
    .map((link) => (link.path === FEED_PATH ? { ...link, title: show?.title ?? link.title } : link));
  return `${[
    `# ${oneLine(site.name)}`,
    ...(site.description ? [`> ${oneLine(site.description)}`] : []),
    ...(home.standfirst ? [oneLine(home.standfirst)] : []),
    ...section("Main pages", mainPagesOf(site)),
    ...section("Feeds", feeds),
    ...section("Essays", essays),
    ...section("Episodes", episodes),
  ].join("\n\n")}\n`;
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
const inLink = (title: string) => oneLine(title).replace(/[\\[\]]/g, "\\$&");

/** Paper and ink of the light theme: a manifest has only one theme. */
const PAPER = "#faf7f0";

const png = (name: string, px: number, purpose: "any" | "maskable") => ({
  src: `/${name}.png`,
  sizes: `${px}x${px}`,
  type: "image/png",
  purpose,
});

/** The web app manifest. */
export async function readManifest(ctx: Context) {
  const { name, description, language } = await readSite(ctx);
  const direction = directionOf(language);
  return {
    id: "/",
    name,
    short_name: name,
    ...(description && { description }),
    lang: language,
    ...(direction && { dir: direction }),
    start_url: "/",
    scope: "/",
    display: "minimal-ui",
    background_color: PAPER,
    theme_color: PAPER,
    icons: [
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" },
      png("icon-192", 192, "any"),
      png("icon-512", 512, "any"),
      png("icon-512", 512, "maskable"),
    ],
  };
}
