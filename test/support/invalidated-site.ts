import { createCategory } from "#worker/articles/commands.ts";
import { createCampaign, reorderCampaigns } from "#worker/campaigns/commands.ts";
import { listAllCampaigns } from "#worker/campaigns/owner-queries.ts";
import type { CommentedKind } from "#worker/comments/contract.ts";
import { moderateComments } from "#worker/comments/owner-commands.ts";
import { createEpisode } from "#worker/episodes/commands.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { updatePage } from "#worker/pages/commands.ts";
import type { Actor, Context } from "#worker/platform/context.ts";
import { reorderItems } from "#worker/playlists/item-commands.ts";
import { listenerOf } from "#worker/playlists/listener.ts";
import { createPlaylist } from "#worker/playlists/commands.ts";
import { readPlaylist } from "#worker/playlists/queries.ts";
import { playlistFeedPath } from "#worker/playlists/public-queries.ts";
import { createPressItem } from "#worker/press/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { createSocialPost } from "#worker/social/commands.ts";
import { createEngagement } from "#worker/speaking/commands.ts";
import { createProfile } from "#worker/profiles/commands.ts";
import { createVenture, reorderVentures } from "#worker/ventures/commands.ts";
import { listVentures } from "#worker/ventures/owner-queries.ts";
import { archivedLetter, setArchive } from "./archive.ts";
import { publishedArticle } from "./articles.ts";
import { contextOf, ownerContext, SITE } from "./client.ts";
import { aComment, commentRow, setComments, written } from "./comments.ts";
import { savedEnquiry } from "./enquiries.ts";
import { anEpisode, aPressItem, publishedEpisode, savedShow, storedImage } from "./factories.ts";
import { fillPlaylist, listenerId } from "./listeners.ts";
import { setAccounts } from "./members.ts";

/** The site on which each write is made, and the addresses at which visitors see it. */

export const DAY = 86_400_000;
export const CAMPAIGN = "https://example.org/petition";
export const now = Date.now();

export let picture = { id: "" };
/** One file for each kind of item except articles, which use the other one. */
export const placed = { episode: "", show: "", press: "", page: "", venture: "", profile: "" };
/** A person in the oldest episode. */
export const profile = { id: 0 };
let listener: Actor;
/** Public ones of all three episodes and of the first alone, and a private one. */
export const playlist = { long: "", short: "", hidden: "" };
/** The published ones, oldest first. */
export const articles: number[] = [];
/** Of the newest article. */
export let category = 0;
export const episodes: number[] = [];
export const drafts: number[] = [];
/** One that no playlist has yet. */
export let joining = 0;
/** Two that visitors see, and one that they do not. */
export const ventures: number[] = [];
export const engagements: number[] = [];
/** One that visitors see, and one that they do not. */
export const press: number[] = [];
/** As the ventures. */
export const campaigns: number[] = [];
export let post = 0;
/** A letter in the public archive. */
export let letter = 0;
/** One on the oldest article with the token of its email, and others that wait there, and are shown on an episode. */
export const comment = { id: 0, token: "", pending: 0, ofEpisode: 0 };

/** An applicant who may become a guest. */
export const applicant = () => savedEnquiry("application", { status: "approved", name: crypto.randomUUID() });

export async function prepare() {
  await setArchive(true);
  await setComments(true);
  await setAccounts(true);
  letter = await archivedLetter();
  // The file before this one may have run in the same isolate.
  articles.length = episodes.length = drafts.length = ventures.length = engagements.length = 0;
  press.length = campaigns.length = 0;
  category = (await createCategory(ownerContext(), { name: "Housing" })).id;
  picture = await storedImage();
  const keys: Record<string, string> = {};
  for (const kind of Object.keys(placed) as (keyof typeof placed)[]) {
    const stored = await storedImage();
    placed[kind] = stored.id;
    keys[kind] = stored.key;
  }
  await savedShow({ artworkFileId: placed.show });
  for (const days of [30, 20, 10]) {
    const publishedAt = now - days * DAY;
    const categoryId = days === 10 ? category : null;
    const essay = { slug: `days-${days}`, publishedAt, imageFileId: picture.id, categoryId };
    articles.push((await publishedArticle(essay)).id);
    const chapters = [{ start: 0, title: "Beginning", url: null }];
    const transcript = "WEBVTT\n\n00:00.000 --> 00:02.000\n<v A>Words.";
    const imageFileId = days === 30 ? placed.episode : null;
    const people = days === 30 ? [{ name: "Ada Wren" }] : [];
    episodes.push((await publishedEpisode({ publishedAt, chapters, transcript, imageFileId, people })).id);
  }
  listener = await listenerOf(listenerId());
  playlist.long = await savedPlaylist(episodes, true);
  playlist.short = await savedPlaylist(episodes.slice(0, 1), true);
  playlist.hidden = await savedPlaylist(episodes, false);
  const ctx = ownerContext();
  profile.id = (await createProfile(ctx, { name: "Ada Wren", imageFileId: placed.profile })).id;
  drafts.push((await createEpisode(ctx, anEpisode())).id);
  drafts.push((await createEpisode(ctx, anEpisode({ status: "scheduled", scheduledFor: now + DAY }))).id);
  for (const active of [true, true, false]) {
    const imageFileId = ventures.length === 0 ? placed.venture : null;
    ventures.push(
      (await createVenture(ctx, { name: "One", description: "Of three.", active, imageFileId })).id,
    );
  }
  for (const published of [true, false]) {
    const content = published ? `![](/media/${keys["press"]})` : "";
    press.push((await createPressItem(ctx, aPressItem({ published, content }))).id);
  }
  for (const status of ["active", "active", "closed"] as const) {
    campaigns.push((await createCampaign(ctx, { title: "One", embedUrl: CAMPAIGN, status })).id);
  }
  post = (await createSocialPost(ctx, { platform: "linkedin", author: "A", content: "One.", date: now })).id;
  for (const status of ["upcoming", "completed"] as const) {
    engagements.push((await createEngagement(ctx, { title: "One of two", status })).id);
  }
  const statement = { markdown: `![](/media/${keys["page"]})` };
  await updatePage(ctx, "mission", { ...pageDefaults.mission, statement });
  const { id, token } = await written(aComment(articles[0]!));
  const contentId = episodes[0]!;
  Object.assign(comment, {
    id,
    token,
    pending: await commentRow({ contentId: articles[0]!, status: "pending" }),
    ofEpisode: await commentRow({ contentId, contentType: "episode" }),
  });
  joining = (await publishedEpisode({ publishedAt: now - 5 * DAY })).id;
}

/** The context, with the listener of the playlists as its actor. */
export const asListener = (ctx?: Context): Context =>
  ctx ? { ...ctx, actor: listener } : contextOf(listener);

export async function savedPlaylist(episodeIds: number[], isPublic: boolean, ctx?: Context) {
  const { id } = await createPlaylist(asListener(ctx), { name: "A list", description: "", isPublic });
  await fillPlaylist(id, episodeIds);
  return id;
}

const standing = {
  about: "/about",
  mission: "/mission",
  "three-es": "/three-es",
  "media-kit": "/media-kit",
  guest: "/guest",
  contact: "/contact",
  booking: "/speaking/book",
  "privacy-policy": "/privacy-policy",
  "terms-of-service": "/terms-of-service",
} as const;
export const essays = ["/essays/days-30", "/essays/days-20", "/essays/days-10"];
const episodePages = () => episodes.map((id) => `/episode/${id}`);
export const transcriptsOf = (id: number) =>
  ["vtt", "srt", "json", "txt"].map((format) => `/episode/${id}/transcript.${format}`);
const documentsOf = (id: number) => [`/episode/${id}/chapters.json`, ...transcriptsOf(id)];
/** On the oldest article, or episode. */
export const commentsOn = (kind: CommentedKind) =>
  `/api/comments?contentType=${kind}&contentId=${(kind === "article" ? articles : episodes)[0]}`;
export const SEARCH = ["/search?q=words", "/api/search?q=words"];

/** The public addresses of these playlists. */
export const ofPlaylists = (...ids: string[]) =>
  ids.flatMap((id) => [
    `/playlists/${id}`,
    playlistData(id),
    playlistFeedPath(id),
    `/embed/playlist/${id}`,
    oembedOf(`/playlists/${id}`),
  ]);
const oembedOf = (path: string) => `/oembed?url=${encodeURIComponent(SITE + path)}`;
/** What other sites show of these episodes. */
const embedsOf = (ids: number[]) => ids.flatMap((id) => [`/embed/episode/${id}`, oembedOf(`/episode/${id}`)]);
const embeds = () => [
  ...embedsOf(episodes),
  ...bothPlaylists().flatMap((id) => [`/embed/playlist/${id}`, oembedOf(`/playlists/${id}`)]),
];
const playlistData = (id: string) => `/playlists/${id}.data?_routes=site%2Fplaylist%2Fpage`;
const bothPlaylists = () => [playlist.long, playlist.short];

export const pages = () => [
  "/",
  ...Object.values(standing),
  "/podcast",
  "/listen",
  "/conversations",
  "/conversations?source=linkedin",
  "/essays",
  "/media",
  "/petitions",
  "/how-we-count",
  "/account",
  "/speaking",
  "/letters",
  `/letters/${letter}`,
  SEARCH[0]!,
  ...essays,
  // Where an article moves to.
  "/essays/moved",
  ...episodePages(),
  "/people/ada-wren",
  ...bothPlaylists().flatMap((id) => [`/playlists/${id}`, playlistData(id)]),
  ...embeds(),
];
export const machines = () => [
  "/podcast.data?_routes=site%2Fpodcast%2Fpage",
  "/rss/podcast.xml",
  "/rss/essays.xml",
  "/rss/letters.xml",
  "/sitemap.xml",
  "/robots.txt",
  "/llms.txt",
  "/.well-known/security.txt",
  "/manifest.webmanifest",
  "/api/episodes",
  `/api/episodes/${episodes[0]}`,
  "/api/articles",
  "/api/articles/days-30",
  "/api/press",
  commentsOn("article"),
  commentsOn("episode"),
  SEARCH[1]!,
  ...episodes.flatMap(documentsOf),
  ...bothPlaylists().map(playlistFeedPath),
];

/** Where the newest episodes, or essays, are listed. */
export const EPISODE_LISTS = [
  "/",
  "/podcast",
  "/podcast.data?_routes=site%2Fpodcast%2Fpage",
  "/rss/podcast.xml",
  "/sitemap.xml",
  "/people/ada-wren",
  "/llms.txt",
  "/api/episodes",
  ...SEARCH,
];
export const ESSAY_LISTS = [
  "/",
  "/conversations",
  "/conversations?source=linkedin",
  "/essays",
  "/rss/essays.xml",
  "/sitemap.xml",
  "/llms.txt",
  "/api/articles",
  ...SEARCH,
];
export const showingSettings = () => [
  ...pages(),
  commentsOn("article"),
  commentsOn("episode"),
  "/rss/essays.xml",
  "/rss/letters.xml",
  "/llms.txt",
  "/.well-known/security.txt",
  "/manifest.webmanifest",
  "/sitemap.xml",
  "/podcast.data?_routes=site%2Fpodcast%2Fpage",
  ...bothPlaylists().map(playlistFeedPath),
];
export const showingShow = () => [
  ...pages(),
  "/rss/podcast.xml",
  "/llms.txt",
  "/podcast.data?_routes=site%2Fpodcast%2Fpage",
  ...bothPlaylists().map(playlistFeedPath),
  // Their language.
  ...episodes.flatMap(transcriptsOf),
];
export const episodeItself = (id: number) => [
  `/episode/${id}`,
  ...embedsOf([id]),
  ...documentsOf(id),
  ...(id === episodes[0] ? [commentsOn("episode")] : []),
];

/** Turns a playlist round. */
export async function turn(ctx: Context, id: string) {
  const { items } = await readPlaylist(asListener(ctx), id);
  const itemIds = items.map((item) => item.id).toReversed();
  await reorderItems(asListener(ctx), id, { itemIds });
}

export async function turnCampaigns(ctx: Context) {
  const { items } = await listAllCampaigns(ctx);
  return reorderCampaigns(ctx, { ids: items.map(({ id }) => id).toReversed() });
}

export async function turnVentures(ctx: Context) {
  const { items } = await listVentures(ctx);
  return reorderVentures(ctx, { ids: items.map(({ id }) => id).toReversed() });
}

export const features = { ...siteDefaults.features, comments: true };
export const ESSAY_COMMENTS = () => ["/essays/days-30", commentsOn("article")];
export const EPISODE_COMMENTS = () => [`/episode/${episodes[0]}`, commentsOn("episode")];

/** One on the oldest article. */
export const putInto = (status: "approved" | "rejected" | "spam" | "pending") => (ctx: Context) =>
  moderateComments(ctx, { ids: [comment.id], status });
