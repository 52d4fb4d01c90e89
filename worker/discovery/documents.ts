import { ESSAYS_FEED_PATH } from "#worker/articles/rss.ts";
import { readNewest, type Newest } from "#worker/discovery/newest.ts";
import { FEED_PATH, readShow } from "#worker/episodes/show.ts";
import type { Context } from "#worker/platform/context.ts";
import { readSite } from "#worker/settings/settings.ts";

/** What crawlers may read: all but the owner's area, the machines' door, and pages made of somebody's question. */
export const robotsOf = ({ config: { siteUrl } }: Context) => `User-agent: *
Disallow: /admin
Disallow: /api
Disallow: /search

Sitemap: ${siteUrl}/sitemap.xml
`;

const mainPages: [path: string, title: string, description: string][] = [
  ["/about", "About", "who this is, and what they work on"],
  ["/podcast", "Podcast", "every episode, each with its audio, show notes, chapters and transcript"],
  ["/conversations", "Conversations", "articles and essays, the newest first"],
  ["/essays", "Essays", "the essays alone"],
  ["/media", "Media", "press coverage and official press releases"],
  ["/speaking", "Speaking", "topics and coming engagements"],
  ["/contact", "Contact", "how to get in touch"],
];

const NEWEST = 20;

/** What the site is and where to find what, as Markdown (llmstxt.org). */
export async function readLlmsText(ctx: Context) {
  const { siteUrl } = ctx.config;
  const [site, show, { essays, episodes }] = await Promise.all([
    readSite(ctx),
    readShow(ctx),
    readNewest(ctx, NEWEST),
  ]);
  const item = (path: string, title: string, description: string) =>
    `- [${inLink(title)}](${siteUrl}${path})${description ? `: ${oneLine(description)}` : ""}`;
  const section = (title: string, items: string[]) =>
    items.length > 0 ? [`## ${title}`, items.join("\n")] : [];
  const newest = (things: Newest[]) =>
    things.map(({ path, title, description }) => item(path, title, description));
  return `${[
    `# ${oneLine(site.name)}`,
    ...(site.description ? [`> ${oneLine(site.description)}`] : []),
    ...(site.standfirst ? [oneLine(site.standfirst)] : []),
    ...section(
      "Main pages",
      mainPages.map((page) => item(...page)),
    ),
    ...section("Feeds", [
      item(FEED_PATH, show?.title ?? "Podcast", "the podcast feed, with links to transcripts and chapters"),
      item(ESSAYS_FEED_PATH, "Essays", "the essays feed, with their full text"),
      item("/sitemap.xml", "Sitemap", "every page"),
      item(
        "/api/search?q=",
        "Search",
        "episodes, transcripts, essays and press as JSON; the question follows q=",
      ),
    ]),
    ...section("Essays", newest(essays)),
    ...section("Episodes", newest(episodes)),
  ].join("\n\n")}\n`;
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
const inLink = (title: string) => oneLine(title).replace(/[\\[\]]/g, "\\$&");

/** Paper and ink of the light theme: a manifest knows no second one. */
const PAPER = "#faf7f0";

const png = (name: string, px: number, purpose: "any" | "maskable") => ({
  src: `/${name}.png`,
  sizes: `${px}x${px}`,
  type: "image/png",
  purpose,
});

/** The web app manifest. */
export async function readManifest(ctx: Context) {
  const { name, description } = await readSite(ctx);
  return {
    id: "/",
    name,
    short_name: name,
    ...(description && { description }),
    lang: "en-AU",
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
