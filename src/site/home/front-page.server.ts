import { trackOf, type Track } from "#site/player/core/playback.ts";
import type { ArticleSummary } from "#worker/articles/contract.ts";
import { listPublishedArticles } from "#worker/articles/queries.ts";
import { describeHome } from "#worker/discovery/metadata.ts";
import type { EpisodeSummary } from "#worker/episodes/contract.ts";
import { listPublishedEpisodes } from "#worker/episodes/queries.ts";
import type { LeadChoice } from "#worker/pages/contract.ts";
import { readPage } from "#worker/pages/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Site } from "#worker/settings/contract.ts";
import { listSocialPosts } from "#worker/social/queries.ts";
import { readSiteAndShow } from "../loader.server.ts";

/** Newest items read per kind; those that are neither lead nor featured are listed as new. */
const READ = 5;
const ALSO_NEW = 4;

/** The lead. */
export type Lead =
  | { kind: "episode"; episode: EpisodeSummary; tracks: Track[] }
  | { kind: "essay"; essay: ArticleSummary };

/** A row in the column of new items. */
export type NewItem = { kind: "Episode" | "Essay"; path: string; title: string; publishedAt: number };

export async function readFrontPage(ctx: Context) {
  const [{ site, show }, words, { items: episodes }, { items: articles }, posts] = await Promise.all([
    readSiteAndShow(ctx),
    readPage(ctx, "home"),
    listPublishedEpisodes(ctx, { limit: READ }),
    listPublishedArticles(ctx, { limit: READ }),
    listSocialPosts(ctx),
  ]);
  const showName = show?.title ?? site.name;
  const lead = chooseLead(words.lead, { episodes, articles, show: showName });
  const essay = lead?.kind === "essay" ? articles[1] : articles[0];
  const conversation = chooseConversation(lead?.kind === "essay" ? episodes : episodes.slice(1));
  const placed = [lead?.kind === "episode" ? lead.episode : lead?.essay, essay, conversation];
  return {
    site: {
      ...frontPageSite(site),
      headline: words.headline,
      standfirst: words.standfirst || site.description,
    },
    words,
    show: showName,
    lead,
    latestEssay: articles[0]?.slug ?? null,
    essay: essay ?? null,
    conversation,
    alsoNew: listNew(
      episodes.filter((episode) => !placed.includes(episode)),
      articles.filter((article) => !placed.includes(article)),
    ),
    posts,
    meta: describeHome(ctx, site, { image: (episodes[0]?.picture ?? show?.artwork)?.src }),
  };
}

/** All but the media kit's own. */
const guestFigures = ({ conversationLength, listeners, reviewedWithin, asOf }: Site["figures"]) => ({
  conversationLength,
  listeners,
  reviewedWithin,
  asOf,
});

/** The settings that the sections need. */
const frontPageSite = ({ name, ...site }: Site) => ({
  name,
  socialProof: site.socialProof,
  figures: guestFigures(site.figures),
  youtube: site.social.youtube ?? null,
  takesGuests: site.features.guestSubmissions,
});

type Published = { episodes: EpisodeSummary[]; articles: ArticleSummary[]; show: string };

/** The latest item of the kind that the owner chose; if there is none, the latest of the other. */
function chooseLead(choice: LeadChoice, { episodes, articles, show }: Published): Lead | null {
  const [episode] = episodes;
  const [essay] = articles;
  const isEssayNewer = essay !== undefined && essay.publishedAt > (episode?.publishedAt ?? 0);
  const prefersEssay = choice === "essay" || (choice === "newest" && isEssayNewer);
  if (episode && !(prefersEssay && essay))
    return { kind: "episode", episode, tracks: episodes.map((one) => trackOf(one, show)) };
  return essay ? { kind: "essay", essay } : null;
}

/** Featured beside the lead: the latest episode with a video, else the latest. */
function chooseConversation(episodes: EpisodeSummary[]) {
  return episodes.find(({ youtubeUrl }) => youtubeUrl) ?? episodes[0] ?? null;
}

const listNew = (episodes: EpisodeSummary[], articles: ArticleSummary[]): NewItem[] =>
  [
    ...episodes.map(({ id, title, publishedAt }) => ({
      kind: "Episode" as const,
      path: `/episode/${id}`,
      title,
      publishedAt,
    })),
    ...articles.map(({ slug, title, publishedAt }) => ({
      kind: "Essay" as const,
      path: `/essays/${slug}`,
      title,
      publishedAt,
    })),
  ]
    .toSorted((a, b) => b.publishedAt - a.publishedAt)
    .slice(0, ALSO_NEW);
