import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { api, documents, matcherOf, pages as pageRows, type Address } from "#worker/addresses.ts";
import {
  createArticle,
  createCategory,
  deleteArticle,
  deleteCategory,
  publishDueArticles,
  storeFirstGuids,
  updateArticle,
  updateCategory,
} from "#worker/articles/commands.ts";
import { articles as articleRows } from "#worker/articles/table.ts";
import { renderArticles } from "#worker/articles/upkeep-commands.ts";
import {
  createCampaign,
  deleteCampaign,
  reorderCampaigns,
  updateCampaign,
} from "#worker/campaigns/commands.ts";
import { listAllCampaigns } from "#worker/campaigns/owner-queries.ts";
import { addComment, confirmComment, deleteOwnComment } from "#worker/comments/commands.ts";
import type { CommentedKind } from "#worker/comments/contract.ts";
import { answerComment, deleteComments, moderateComments } from "#worker/comments/owner-commands.ts";
import {
  createEpisode,
  deleteEpisode,
  publishDueEpisodes,
  updateEpisode,
} from "#worker/episodes/commands.ts";
import { bookEngagement } from "#worker/enquiries/owner/engagement-commands.ts";
import { addGuest } from "#worker/enquiries/owner/guest-commands.ts";
import { updateShow } from "#worker/episodes/show-commands.ts";
import { fileReferences } from "#worker/file-references.ts";
import { filePlaces } from "#worker/file-places.ts";
import { replaceFile, updateFile } from "#worker/files/library-commands.ts";
import { makeVariants } from "#worker/files/variants.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { updatePage } from "#worker/pages/commands.ts";
import { clearCache } from "#worker/platform/cache.ts";
import type { Actor, Context } from "#worker/platform/context.ts";
import { addItem, removeItem, reorderItems } from "#worker/playlists/item-commands.ts";
import { listenerOf } from "#worker/playlists/listener.ts";
import { createPlaylist, deletePlaylist, updatePlaylist } from "#worker/playlists/commands.ts";
import { readPlaylist } from "#worker/playlists/queries.ts";
import { playlistFeedPath } from "#worker/playlists/public-queries.ts";
import { pruneListeners } from "#worker/playlists/retention.ts";
import { createPressItem, deletePressItem, updatePressItem } from "#worker/press/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { createSocialPost, deleteSocialPost, updateSocialPost } from "#worker/social/commands.ts";
import { createEngagement, deleteEngagement, updateEngagement } from "#worker/speaking/commands.ts";
import { createVenture, deleteVenture, reorderVentures, updateVenture } from "#worker/ventures/commands.ts";
import { listVentures } from "#worker/ventures/owner-queries.ts";
import { updateLetter } from "#worker/letters/commands.ts";
import { sendDueLetters, sendLetter } from "#worker/letters/sending-commands.ts";
import { archivedLetter, setArchive } from "./archive.ts";
import { publishedArticle } from "./articles.ts";
import { contextOf, jobContext, ownerContext, SITE } from "./client.ts";
import { aComment, commentRow, setComments, written } from "./comments.ts";
import { savedEnquiry } from "./enquiries.ts";
import { anEpisode, aPressItem, aShow, publishedEpisode, savedShow, storedImage } from "./factories.ts";
import { savedLetter } from "./letters.ts";
import { aLetterTo, subscribed } from "./sending.ts";
import { fillPlaylist, listenerId } from "./listeners.ts";
import worker from "./worker.ts";

/** Each write, and what visitors see of it: the answers that it must make anew, and no others. */

const DAY = 86_400_000;
const now = Date.now();

let picture = { id: "" };
/** One for each kind of place but articles, which have the other. */
const placed = { episode: "", show: "", press: "", page: "", venture: "" };
let listener: Actor;
/** Public ones of all three episodes and of the first alone, and a private one. */
const playlist = { long: "", short: "", hidden: "" };
/** The published ones, oldest first. */
const articles: number[] = [];
/** Of the newest article. */
let category = 0;
const episodes: number[] = [];
const drafts: number[] = [];
/** One that no playlist has yet. */
let joining = 0;
/** Two that visitors see, and one that they do not. */
const ventures: number[] = [];
const engagements: number[] = [];
/** One that visitors see, and one that they do not. */
const press: number[] = [];
/** As the ventures. */
const campaigns: number[] = [];
let post = 0;
/** One that everybody may read. */
let letter = 0;
/** One on the oldest article with the token of its mail, and others that wait there, and are shown on an episode. */
const comment = { id: 0, token: "", pending: 0, ofEpisode: 0 };

/** Who may become a guest. */
const applicant = () => savedEnquiry("application", { status: "approved", name: crypto.randomUUID() });

async function prepare() {
  await setArchive(true);
  await setComments(true);
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
    episodes.push((await publishedEpisode({ publishedAt, chapters, transcript, imageFileId })).id);
  }
  listener = await listenerOf(listenerId());
  playlist.long = await savedPlaylist(episodes, true);
  playlist.short = await savedPlaylist(episodes.slice(0, 1), true);
  playlist.hidden = await savedPlaylist(episodes, false);
  const ctx = ownerContext();
  drafts.push((await createEpisode(ctx, anEpisode())).id);
  drafts.push((await createEpisode(ctx, anEpisode({ status: "scheduled", scheduledFor: now + DAY }))).id);
  await createArticle(ctx, {
    title: "Planned",
    slug: "planned",
    status: "scheduled",
    scheduledFor: now - 15 * DAY,
  }).catch(() => {});
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

const asListener = (options?: Partial<Context>) => contextOf(listener, options);

async function savedPlaylist(episodeIds: number[], isPublic: boolean) {
  const { id } = await createPlaylist(asListener(), { name: "A list", description: "", isPublic });
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
const essays = ["/essays/days-30", "/essays/days-20", "/essays/days-10"];
const episodePages = () => episodes.map((id) => `/episode/${id}`);
const transcriptsOf = (id: number) =>
  ["vtt", "srt", "json", "txt"].map((format) => `/episode/${id}/transcript.${format}`);
const documentsOf = (id: number) => [`/episode/${id}/chapters.json`, ...transcriptsOf(id)];
/** On the oldest article, or episode. */
const commentsOn = (kind: CommentedKind) =>
  `/api/comments?contentType=${kind}&contentId=${(kind === "article" ? articles : episodes)[0]}`;
const SEARCH = ["/search?q=words", "/api/search?q=words"];

/** What everybody sees of these playlists. */
const ofPlaylists = (...ids: string[]) =>
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

const pages = () => [
  "/",
  ...Object.values(standing),
  "/podcast",
  "/conversations",
  "/conversations?source=linkedin",
  "/essays",
  "/media",
  "/petitions",
  "/how-we-count",
  "/speaking",
  "/letters",
  `/letters/${letter}`,
  SEARCH[0]!,
  ...essays,
  ...episodePages(),
  ...bothPlaylists().flatMap((id) => [`/playlists/${id}`, playlistData(id)]),
  ...embeds(),
];
const machines = () => [
  "/podcast.data?_routes=site%2Fpodcast%2Fpage",
  "/rss/podcast.xml",
  "/rss/essays.xml",
  "/sitemap.xml",
  "/robots.txt",
  "/llms.txt",
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
const EPISODE_LISTS = [
  "/",
  "/podcast",
  "/podcast.data?_routes=site%2Fpodcast%2Fpage",
  "/rss/podcast.xml",
  "/sitemap.xml",
  "/llms.txt",
  "/api/episodes",
  ...SEARCH,
];
const ESSAY_LISTS = [
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
const showingSettings = () => [
  ...pages(),
  commentsOn("article"),
  commentsOn("episode"),
  "/rss/essays.xml",
  "/llms.txt",
  "/manifest.webmanifest",
  "/sitemap.xml",
  "/podcast.data?_routes=site%2Fpodcast%2Fpage",
  ...bothPlaylists().map(playlistFeedPath),
];
const episodeItself = (id: number) => [
  `/episode/${id}`,
  ...embedsOf([id]),
  ...documentsOf(id),
  ...(id === episodes[0] ? [commentsOn("episode")] : []),
];

/** Turns a playlist round. */
async function turn(id: string) {
  const { items } = await readPlaylist(asListener(), id);
  const itemIds = items.map((item) => item.id).toReversed();
  await reorderItems(asListener(), id, { itemIds });
}

async function turnCampaigns(ctx: Context) {
  const { items } = await listAllCampaigns(ctx);
  return reorderCampaigns(ctx, { ids: items.map(({ id }) => id).toReversed() });
}

async function turnVentures(ctx: Context) {
  const { items } = await listVentures(ctx);
  return reorderVentures(ctx, { ids: items.map(({ id }) => id).toReversed() });
}

const features = { ...siteDefaults.features, comments: true };
const ESSAY_COMMENTS = () => ["/essays/days-30", commentsOn("article")];
const EPISODE_COMMENTS = () => [`/episode/${episodes[0]}`, commentsOn("episode")];

/** One on the oldest article. */
const putInto = (status: "approved" | "rejected" | "spam" | "pending") => (ctx: Context) =>
  moderateComments(ctx, { ids: [comment.id], status });

type Case = [name: string, write: (ctx: Context) => Promise<unknown>, touched: () => string[]];

/**
 * Visitors see nothing of such a write, whatever comes before it, so that those of a file are tried together. A write of
 * which they see nothing where it stands in the order has an empty list.
 */
const UNSEEN = (): string[] => [];

const PRESS = ["/media", "/api/press", "/sitemap.xml", ...SEARCH];
const CAMPAIGNS = ["/petitions", "/sitemap.xml"];
const CAMPAIGN = "https://example.org/petition";

/** Every write that visitors may see, and which of their addresses it makes out of date. */
const writes: Record<string, Case[]> = {
  createEpisode: [
    ["a draft", (ctx) => createEpisode(ctx, anEpisode()), UNSEEN],
    ["a published one", (ctx) => createEpisode(ctx, anEpisode({ status: "published" })), () => EPISODE_LISTS],
  ],
  updateEpisode: [
    ["a draft", (ctx) => updateEpisode(ctx, drafts[0]!, { title: "Still a draft" }), UNSEEN],
    [
      "a published one",
      (ctx) => updateEpisode(ctx, episodes[0]!, { title: "Renamed" }),
      () => [
        ...EPISODE_LISTS,
        ...episodeItself(episodes[0]!),
        `/api/episodes/${episodes[0]}`,
        ...ofPlaylists(playlist.long, playlist.short),
      ],
    ],
    [
      "a draft that is published",
      (ctx) => updateEpisode(ctx, drafts[0]!, { status: "published" }),
      () => EPISODE_LISTS,
    ],
    [
      "one that is taken back",
      (ctx) => updateEpisode(ctx, episodes[1]!, { status: "archived" }),
      () => [...EPISODE_LISTS, ...episodeItself(episodes[1]!), ...ofPlaylists(playlist.long)],
    ],
    [
      "one that is published again",
      (ctx) => updateEpisode(ctx, episodes[1]!, { status: "published" }),
      () => [...EPISODE_LISTS, ...ofPlaylists(playlist.long)],
    ],
    [
      "the same, taken back for good",
      (ctx) => updateEpisode(ctx, episodes[1]!, { status: "archived" }),
      () => [...EPISODE_LISTS, ...episodeItself(episodes[1]!), ...ofPlaylists(playlist.long)],
    ],
  ],
  addGuest: [
    [
      "of a published episode",
      async (ctx) => addGuest(ctx, (await applicant()).id, { episodeId: episodes[0]! }),
      () => [
        ...EPISODE_LISTS,
        ...episodeItself(episodes[0]!),
        `/api/episodes/${episodes[0]}`,
        ...ofPlaylists(playlist.long, playlist.short),
      ],
    ],
  ],
  publishDueEpisodes: [
    ["before the time", (ctx) => publishDueEpisodes(ctx), UNSEEN],
    [
      "when the time has come",
      () => publishDueEpisodes(jobContext({ now: new Date(now + 2 * DAY) })),
      () => EPISODE_LISTS,
    ],
  ],
  deleteEpisode: [
    ["a taken back one", (ctx) => deleteEpisode(ctx, episodes[1]!), () => []],
    [
      "a published one",
      (ctx) => deleteEpisode(ctx, episodes[2]!),
      () => [...EPISODE_LISTS, ...episodeItself(episodes[2]!), ...ofPlaylists(playlist.long)],
    ],
  ],
  updateShow: [
    [
      "",
      (ctx) => updateShow(ctx, aShow({ title: "Renamed" })),
      () => [
        ...pages(),
        "/rss/podcast.xml",
        "/llms.txt",
        "/podcast.data?_routes=site%2Fpodcast%2Fpage",
        ...bothPlaylists().map(playlistFeedPath),
        // Their language.
        ...episodes.flatMap(transcriptsOf),
      ],
    ],
  ],
  createArticle: [
    ["a draft", (ctx) => createArticle(ctx, { title: "Draft" }), UNSEEN],
    [
      "a published one, between two others",
      (ctx) => createArticle(ctx, { title: "Between", status: "published", publishedAt: now - 25 * DAY }),
      () => [
        ...ESSAY_LISTS,
        "/essays/days-30",
        "/api/articles/days-30",
        commentsOn("article"),
        "/essays/days-20",
      ],
    ],
    [
      "a scheduled one",
      (ctx) => createArticle(ctx, { title: "Later", status: "scheduled", scheduledFor: now + DAY }),
      UNSEEN,
    ],
  ],
  storeFirstGuids: [["", (ctx) => storeFirstGuids(ctx), UNSEEN]],
  publishDueArticles: [
    ["before the time", (ctx) => publishDueArticles(ctx), UNSEEN],
    [
      "when the time has come",
      () => publishDueArticles(jobContext({ now: new Date(now + 2 * DAY) })),
      () => [...ESSAY_LISTS, "/essays/days-10"],
    ],
  ],
  updateFile: [
    ["which nothing uses", async (ctx) => describeFile(ctx, (await storedImage()).id), UNSEEN],
    [
      "whose description stands where articles have none of their own",
      (ctx) => describeFile(ctx, picture.id),
      () => [...ESSAY_LISTS, ...essays, "/api/articles/days-30", commentsOn("article")],
    ],
  ],
  replaceFile: [["that nothing uses", async (ctx) => replacePicture(ctx, (await storedImage()).id), UNSEEN]],
  articlePlace: [
    [
      "whose picture is replaced",
      (ctx) => replacePicture(ctx, picture.id),
      () => [...ESSAY_LISTS, ...essays, "/api/articles/days-30", commentsOn("article")],
    ],
  ],
  episodePlace: [
    [
      "whose picture is replaced",
      (ctx) => replacePicture(ctx, placed.episode),
      () => [
        ...EPISODE_LISTS,
        ...episodeItself(episodes[0]!),
        `/api/episodes/${episodes[0]}`,
        ...ofPlaylists(playlist.long, playlist.short),
      ],
    ],
  ],
  showPlace: [
    [
      "whose artwork is replaced",
      (ctx) => replacePicture(ctx, placed.show),
      () => [
        ...pages(),
        "/rss/podcast.xml",
        "/llms.txt",
        "/podcast.data?_routes=site%2Fpodcast%2Fpage",
        ...bothPlaylists().map(playlistFeedPath),
        ...episodes.flatMap(transcriptsOf),
      ],
    ],
  ],
  pressPlace: [["whose text shows it", (ctx) => replacePicture(ctx, placed.press), () => PRESS]],
  pagePlace: [
    ["whose text shows it", (ctx) => replacePicture(ctx, placed.page), () => ["/mission", "/sitemap.xml"]],
  ],
  venturePlace: [
    ["whose picture is replaced", (ctx) => replacePicture(ctx, placed.venture), () => ["/about"]],
  ],
  renderArticles: [
    [
      "one that was rendered otherwise",
      async (ctx) => {
        const isIt = eq(articleRows.id, articles[1]!);
        await ctx.db.update(articleRows).set({ readingMinutes: 99 }).where(isIt);
        await renderArticles(ctx, { after: 0, part: "reading-time" });
      },
      () => [...ESSAY_LISTS, "/essays/days-20", "/essays/days-10"],
    ],
    ["what is as it was", (ctx) => renderArticles(ctx, { after: 0, part: "all" }), () => []],
  ],
  updateArticle: [
    [
      "a published one, which its neighbours link to",
      (ctx) => updateArticle(ctx, articles[1]!, { title: "Renamed" }),
      () => [...ESSAY_LISTS, "/essays/days-20", "/essays/days-10"],
    ],
    [
      "one that is taken back",
      (ctx) => updateArticle(ctx, articles[1]!, { status: "draft" }),
      () => [...ESSAY_LISTS, "/essays/days-20", "/essays/days-10"],
    ],
    ["a draft", (ctx) => updateArticle(ctx, articles[1]!, { title: "Still a draft" }), () => []],
    [
      "one that is published under another address",
      (ctx) =>
        updateArticle(ctx, articles[1]!, {
          status: "published",
          publishedAt: now - 20 * DAY,
          slug: "moved",
        }),
      () => [...ESSAY_LISTS, "/essays/days-10"],
    ],
  ],
  updateCategory: [
    [
      "one that an article has",
      (ctx) => updateCategory(ctx, category, { name: "Homes" }),
      () => [...ESSAY_LISTS, "/essays/days-10"],
    ],
  ],
  deleteCategory: [
    [
      "one that an article has",
      (ctx) => deleteCategory(ctx, category),
      () => [...ESSAY_LISTS, "/essays/days-10"],
    ],
  ],
  deleteArticle: [
    [
      "a published one",
      (ctx) => deleteArticle(ctx, articles[2]!),
      () => [...ESSAY_LISTS, "/essays/days-10", "/essays/moved"],
    ],
  ],
  createCategory: [["which nothing has yet", (ctx) => createCategory(ctx, { name: "New" }), UNSEEN]],
  createPressItem: [
    ["", (ctx) => createPressItem(ctx, aPressItem()), () => PRESS],
    ["a draft", (ctx) => createPressItem(ctx, aPressItem({ published: false })), UNSEEN],
  ],
  updatePressItem: [
    ["a published one", (ctx) => updatePressItem(ctx, press[0]!, { title: "Renamed" }), () => PRESS],
    ["a draft", (ctx) => updatePressItem(ctx, press[1]!, { title: "Still a draft" }), UNSEEN],
    ["one that is published", (ctx) => updatePressItem(ctx, press[1]!, { published: true }), () => PRESS],
    ["one that is hidden", (ctx) => updatePressItem(ctx, press[1]!, { published: false }), () => PRESS],
  ],
  deletePressItem: [
    ["a draft", (ctx) => deletePressItem(ctx, press[1]!), () => []],
    ["a published one", (ctx) => deletePressItem(ctx, press[0]!), () => PRESS],
  ],
  addComment: [["", (ctx) => addComment(ctx, aComment(articles[0]!)), () => []]],
  confirmComment: [["", (ctx) => confirmComment(ctx, { token: comment.token }), () => []]],
  moderateComments: [
    ["one that is rejected before it was shown", putInto("rejected"), () => []],
    ["one that is approved", putInto("approved"), ESSAY_COMMENTS],
    ["one that is approved already", putInto("approved"), () => []],
    ["one that is hidden again", putInto("spam"), ESSAY_COMMENTS],
    ["one that was no spam", putInto("pending"), () => []],
  ],
  answerComment: [
    ["which approves it", (ctx) => answerComment(ctx, comment.id, { text: "So it is." }), ESSAY_COMMENTS],
  ],
  deleteComments: [
    ["that waits", (ctx) => deleteComments(ctx, { ids: [comment.pending] }), () => []],
    ["of an episode", (ctx) => deleteComments(ctx, { ids: [comment.ofEpisode] }), EPISODE_COMMENTS],
  ],
  deleteOwnComment: [
    ["that is shown", (ctx) => deleteOwnComment(ctx, { token: comment.token }), ESSAY_COMMENTS],
    ["that is gone", (ctx) => deleteOwnComment(ctx, { token: comment.token }), () => []],
  ],
  createCampaign: [
    ["", (ctx) => createCampaign(ctx, { title: "Sign", embedUrl: CAMPAIGN }), () => CAMPAIGNS],
    [
      "a closed one",
      (ctx) => createCampaign(ctx, { title: "Sign", embedUrl: CAMPAIGN, status: "closed" }),
      UNSEEN,
    ],
  ],
  updateCampaign: [
    ["an active one", (ctx) => updateCampaign(ctx, campaigns[0]!, { title: "Renamed" }), () => CAMPAIGNS],
    ["a closed one", (ctx) => updateCampaign(ctx, campaigns[2]!, { title: "Renamed" }), UNSEEN],
    ["one that opens", (ctx) => updateCampaign(ctx, campaigns[2]!, { status: "active" }), () => CAMPAIGNS],
    ["one that closes", (ctx) => updateCampaign(ctx, campaigns[2]!, { status: "closed" }), () => CAMPAIGNS],
  ],
  reorderCampaigns: [
    ["backwards", (ctx) => turnCampaigns(ctx), () => CAMPAIGNS],
    ["without one", (ctx) => reorderCampaigns(ctx, { ids: campaigns }).catch(() => {}), UNSEEN],
  ],
  deleteCampaign: [
    ["a closed one", (ctx) => deleteCampaign(ctx, campaigns[2]!), () => []],
    ["an active one", (ctx) => deleteCampaign(ctx, campaigns[1]!), () => CAMPAIGNS],
  ],
  createVenture: [
    ["", (ctx) => createVenture(ctx, { name: "New", description: "One more." }), () => ["/about"]],
    [
      "an inactive one",
      (ctx) => createVenture(ctx, { name: "Later", description: "Not yet.", active: false }),
      UNSEEN,
    ],
  ],
  updateVenture: [
    ["an active one", (ctx) => updateVenture(ctx, ventures[0]!, { name: "Renamed" }), () => ["/about"]],
    ["an inactive one", (ctx) => updateVenture(ctx, ventures[2]!, { name: "Renamed" }), UNSEEN],
    [
      "one that is shown again",
      (ctx) => updateVenture(ctx, ventures[2]!, { active: true }),
      () => ["/about"],
    ],
    ["one that is hidden", (ctx) => updateVenture(ctx, ventures[2]!, { active: false }), () => ["/about"]],
  ],
  reorderVentures: [
    ["backwards", (ctx) => turnVentures(ctx), () => ["/about"]],
    ["without one", (ctx) => reorderVentures(ctx, { ids: ventures }).catch(() => {}), UNSEEN],
  ],
  deleteVenture: [
    ["an inactive one", (ctx) => deleteVenture(ctx, ventures[2]!), () => []],
    ["an active one", (ctx) => deleteVenture(ctx, ventures[1]!), () => ["/about"]],
  ],
  updateLetter: [
    ["a draft", async (ctx) => updateLetter(ctx, (await savedLetter()).id, { subject: "New" }), UNSEEN],
    [
      "one that leaves the archive",
      (ctx) => updateLetter(ctx, letter, { isPublic: false }),
      () => ["/letters", `/letters/${letter}`, "/sitemap.xml"],
    ],
    [
      "one that comes back",
      (ctx) => updateLetter(ctx, letter, { isPublic: true }),
      () => ["/letters", `/letters/${letter}`, "/sitemap.xml"],
    ],
  ],
  sendLetter: [
    [
      "one for the archive",
      async (ctx) => sendLetter(ctx, await aDraftFor(1), {}),
      () => ["/letters", "/sitemap.xml"],
    ],
    ["one that is not", async (ctx) => sendLetter(ctx, await aDraftFor(1, { isPublic: false }), {}), UNSEEN],
    ["one to nobody", async (ctx) => sendLetter(ctx, await aDraftFor(0), {}).catch(() => {}), UNSEEN],
  ],
  sendDueLetters: [
    [
      "",
      async (ctx) => {
        await sendLetter(ctx, await aDraftFor(1), { scheduledFor: ctx.now.getTime() + 1000 });
        await sendDueLetters({ ...ctx, now: new Date(ctx.now.getTime() + 2000) });
      },
      () => ["/letters", "/sitemap.xml"],
    ],
  ],
  bookEngagement: [
    ["", async (ctx) => bookEngagement(ctx, (await savedEnquiry("booking")).id), () => ["/speaking"]],
  ],
  createEngagement: [
    ["", (ctx) => createEngagement(ctx, { title: "A talk" }), () => ["/speaking"]],
    ["one that is over", (ctx) => createEngagement(ctx, { title: "A talk", status: "completed" }), UNSEEN],
  ],
  updateEngagement: [
    [
      "an upcoming one",
      (ctx) => updateEngagement(ctx, engagements[0]!, { venue: "Elder Hall" }),
      () => ["/speaking"],
    ],
    ["one that is over", (ctx) => updateEngagement(ctx, engagements[1]!, { venue: "Elder Hall" }), UNSEEN],
    [
      "one that is cancelled",
      (ctx) => updateEngagement(ctx, engagements[0]!, { status: "cancelled" }),
      () => ["/speaking"],
    ],
    [
      "one that is on again",
      (ctx) => updateEngagement(ctx, engagements[0]!, { status: "upcoming" }),
      () => ["/speaking"],
    ],
  ],
  deleteEngagement: [
    ["one that is over", (ctx) => deleteEngagement(ctx, engagements[1]!), () => []],
    ["an upcoming one", (ctx) => deleteEngagement(ctx, engagements[0]!), () => ["/speaking"]],
  ],
  createSocialPost: [
    [
      "",
      (ctx) => createSocialPost(ctx, { platform: "linkedin", author: "A", content: "Said.", date: now }),
      () => ["/"],
    ],
  ],
  updateSocialPost: [["", (ctx) => updateSocialPost(ctx, post, { content: "Said again." }), () => ["/"]]],
  deleteSocialPost: [["", (ctx) => deleteSocialPost(ctx, post), () => ["/"]]],
  updatePage: [
    ["about", (ctx) => updatePage(ctx, "about", pageDefaults.about), () => ["/about", "/sitemap.xml"]],
    [
      "three-es, whose pillars other pages show",
      (ctx) => updatePage(ctx, "three-es", pageDefaults["three-es"]),
      () => ["/about", "/mission", "/three-es", "/sitemap.xml"],
    ],
    [
      "contact",
      (ctx) => updatePage(ctx, "contact", pageDefaults.contact),
      () => ["/contact", "/sitemap.xml"],
    ],
    [
      "home, whose standfirst machines read",
      (ctx) => updatePage(ctx, "home", pageDefaults.home),
      () => ["/", "/llms.txt", "/sitemap.xml"],
    ],
    [
      "one that was changed since it was opened",
      (ctx) =>
        expect(updatePage(ctx, "contact", { ...pageDefaults.contact, basedOn: 1 })).rejects.toMatchObject({
          code: "conflict",
        }),
      () => [],
    ],
  ],
  updateSite: [
    ["the name", (ctx) => updateSite(ctx, { name: "Renamed" }), showingSettings],
    [
      "a feature that is switched off, whose page and listings go with it",
      (ctx) => updateSite(ctx, { features: { ...features, guestSubmissions: false } }),
      showingSettings,
    ],
    ["a feature that is switched on again", (ctx) => updateSite(ctx, { features }), showingSettings],
    [
      "the archive of letters, which goes with its page",
      (ctx) => updateSite(ctx, { newsletter: siteDefaults.newsletter }),
      showingSettings,
    ],
    [
      "the hub, which the podcast's feed names too",
      (ctx) => updateSite(ctx, { hubUrl: "http://localhost:9/" }),
      () => [...showingSettings(), "/rss/podcast.xml"],
    ],
    [
      "the prefix of the audio's addresses, which the podcast's feed has",
      (ctx) => updateSite(ctx, { analytics: { ...siteDefaults.analytics, op3: true } }),
      () => [...showingSettings(), "/rss/podcast.xml"],
    ],
    [
      "how long is counted, which the feed does not show",
      (ctx) => updateSite(ctx, { analytics: { ...siteDefaults.analytics, op3: true, keepDays: 30 } }),
      showingSettings,
    ],
    ["the hub as it is", (ctx) => updateSite(ctx, { hubUrl: "http://localhost:9/" }), showingSettings],
    [
      "an older version, which is refused",
      (ctx) =>
        expect(updateSite(ctx, { name: "Older", basedOn: 1 })).rejects.toMatchObject({ code: "conflict" }),
      () => [],
    ],
  ],
  createPlaylist: [
    ["a private one", () => savedPlaylist([], false), UNSEEN],
    ["a public one", () => savedPlaylist([], true), UNSEEN],
  ],
  updatePlaylist: [
    ["a private one", () => updatePlaylist(asListener(), playlist.hidden, { name: "Renamed" }), UNSEEN],
    [
      "a public one",
      () => updatePlaylist(asListener(), playlist.short, { name: "Renamed" }),
      () => ofPlaylists(playlist.short),
    ],
    [
      "one that becomes private",
      () => updatePlaylist(asListener(), playlist.long, { isPublic: false }),
      () => ofPlaylists(playlist.long),
    ],
    [
      "one that becomes public",
      () => updatePlaylist(asListener(), playlist.long, { isPublic: true }),
      () => [],
    ],
  ],
  addItem: [
    ["to a private one", () => addItem(asListener(), playlist.hidden, { episodeId: joining }), UNSEEN],
    [
      "to a public one",
      () => addItem(asListener(), playlist.short, { episodeId: joining }),
      () => ofPlaylists(playlist.short),
    ],
    ["what is there already", () => addItem(asListener(), playlist.short, { episodeId: joining }), () => []],
  ],
  reorderItems: [
    ["of a private one", () => turn(playlist.hidden), UNSEEN],
    ["of a public one", () => turn(playlist.short), () => ofPlaylists(playlist.short)],
    [
      "that is refused",
      () =>
        expect(reorderItems(asListener(), playlist.short, { itemIds: [] })).rejects.toThrow(
          "has changed meanwhile",
        ),
      UNSEEN,
    ],
  ],
  removeItem: [
    ["from a private one", () => removeItem(asListener(), playlist.hidden, joining), UNSEEN],
    [
      "from a public one",
      () => removeItem(asListener(), playlist.short, joining),
      () => ofPlaylists(playlist.short),
    ],
    ["what is not there", () => removeItem(asListener(), playlist.short, joining), UNSEEN],
  ],
  deletePlaylist: [
    ["a private one", () => deletePlaylist(asListener(), playlist.hidden), UNSEEN],
    ["a public one", () => deletePlaylist(asListener(), playlist.long), () => ofPlaylists(playlist.long)],
  ],
  pruneListeners: [
    ["of whom some were here lately", (ctx) => pruneListeners(ctx), UNSEEN],
    [
      "who have long been gone",
      () => pruneListeners(jobContext({ now: new Date(now + 401 * DAY) })),
      () => ofPlaylists(playlist.short),
    ],
  ],
  makeVariants: [
    ["of a picture that nothing shows", async (ctx) => variantsOf(ctx, (await storedImage()).id), UNSEEN],
  ],
};

const replacePicture = async (ctx: Context, id: string) =>
  replaceFile(ctx, id, { by: (await storedImage()).id }, filePlaces);

const describeFile = (ctx: Context, id: string) =>
  updateFile(ctx, id, { alt: "A map" }, { references: fileReferences, places: filePlaces });

const variantsOf = (ctx: Context, fileId: string) =>
  makeVariants({ ...ctx, images: undefined }, { fileId }, fileReferences);

/** A draft to so many subscribers. */
async function aDraftFor(count: number, input: { isPublic?: boolean } = {}) {
  const { domain } = await subscribed(Array.from({ length: count }, () => ({})));
  return (await aLetterTo(domain, input)).id;
}

/** Writes that no public answer shows. */
const unseen = `
  recordChange recordCreation forgetRevisions replacePreviewLink withdrawLink prunePreviewLinks
  setUpAdmin confirmVerification deliverAccountRequest resetPassword acceptInvitation logIn recordSuccess recordRecovery
  recordForbidden pruneAttempts newSession actorOf logOut deleteSession deleteOtherSessions deleteSessionsOf pruneSessions
  changePassword createUser writeSteps deleteUser lastSeenUpdate eventRow pruneEvents
  answerNewsletterRequest pruneUnconfirmed endPauses verifySubscriber unsubscribe pauseLetters forgetSubscriber
  createSubscriber updateSubscriber deleteSubscriber importSubscribers
  record rowAbout confirmEnquiry pruneUnconfirmedEnquiries
  createUpload uploadPart finishUpload discardUpload refuseFile deleteFile storePeaks sweepFiles describeOnce
  blockSubscriber blockBadAddresses countSoftBounce clearSoftBounces recordFeedback takeReport pruneMailEvents
  pruneEnquiries pruneComments
  updateEnquiry deleteEnquiry sendEnquiryMail
  forgetCommentsOf forgetEnquiries forgetSubscription forgetDeliveries forgetMails forgetContact
  insertPassages replacePassages touchFeed
  pruneUnconfirmedComments forgetComments
  createSmartPlaylist addFavorite removeFavorite updateProgress touchListener
  addTick removeTick publish forgetPublication deliverPing
  createLetter deleteLetter letterLinksOf letterPlace followLink unscheduleLetter pauseLetter resumeLetter cancelLetter
  resendUncertain sendSlice stopSending claimDue claimInterrupted markInterrupted renewClaim storeOutcomes finishIfDone
  takeOfDay giveBack pruneSendingDays
  readRules pruneSalts pruneAnalytics storeMessages eventStatements downloadStatements
  beginTransfer storeTransferPart createFeedImport compareFeeds openObject keepOldAddresses storePicture
  claimNext renewClaim saveProgress settle finishIfDone insertImport insertItems pruneImports
  startImport pauseImport resumeImport cancelImport retryItems deleteImport
`
  .trim()
  .split(/\s+/);

async function ask(path: string, cache: "on" | "off") {
  const execution = createExecutionContext();
  // One address searches more often here than it may.
  const BURST = { limit: async () => ({ success: true }) };
  const bindings = { ...env, EDGE_CACHE: cache, BURST } as Env;
  const response = await worker.fetch(new Request(`${SITE}${path}`) as never, bindings, execution);
  // Not `text()`, by which workerd warns of each type that it does not know as one of text.
  const body = new TextDecoder().decode(await response.arrayBuffer());
  await waitOnExecutionContext(execution);
  const isHit = response.headers.get("Server-Timing")?.includes('cache;desc="hit"') ?? false;
  // When its forms were rendered is no part of what a page says.
  const [, shownAt = "-"] = /name="shownAt" value="(\d+)"/.exec(body) ?? [];
  return { status: response.status, isHit, body: body.replaceAll(shownAt, "") };
}

/** The public addresses that exist, all of them cached. */
async function warm() {
  const cached: string[] = [];
  for (const path of [...pages(), ...machines()]) {
    const { status, isHit } = await ask(path, "on");
    if (status !== 200) continue;
    expect(isHit || (await ask(path, "on")).isHit, path).toBe(true);
    cached.push(path);
  }
  return cached;
}

/** What is made anew of these. Each must be what it is without a cache. */
async function renewedOf(cached: string[]) {
  const renewed: string[] = [];
  for (const path of cached) {
    const { isHit, body, status } = await ask(path, "on");
    if (!isHit) renewed.push(path);
    const fresh = await ask(path, "off");
    expect([path, status]).toEqual([path, fresh.status]);
    if (status === 200) expect(body, path).toBe(fresh.body);
  }
  return renewed;
}

/** One file of tests each, so that they run side by side. */
const groups = {
  episodes: /Episode|Show/,
  playlists: /Playlist|^(add|remove|reorder)Items?$|Listener/,
  writing: /Article|Categor|Guids|File|Place|Variants|Letter/,
};

const groupOf = (useCase: string) =>
  Object.entries(groups).find(([, words]) => words.test(useCase))?.[0] ?? "others";

/** Tests the writes of one group on a site of its own. */
export function testWrites(group: keyof typeof groups | "others") {
  beforeAll(prepare);
  const ofGroup = Object.entries(writes).filter(([useCase]) => groupOf(useCase) === group);
  testUnseen(ofGroup);
  testSeen(ofGroup);
}

/** The memory of this isolate is cleared, the Cache API is not: it looks for changes first. */
async function make(write: Case[1]) {
  await write(ownerContext());
  clearCache();
}

function testUnseen(ofGroup: [string, Case[]][]) {
  test("what visitors do not see makes nothing out of date", async () => {
    const cached = await warm();
    for (const [useCase, cases] of ofGroup) {
      for (const [name, write] of cases.filter(([, , touched]) => touched === UNSEEN)) {
        await make(write);
        for (const path of cached)
          expect((await ask(path, "on")).isHit, `${useCase} ${name}: ${path}`).toBe(true);
      }
    }
    expect(await renewedOf(cached)).toEqual([]);
  });
}

function testSeen(ofGroup: [string, Case[]][]) {
  for (const [useCase, cases] of ofGroup) {
    for (const [name, write, touched] of cases.filter((each) => each[2] !== UNSEEN)) {
      test(`${useCase}, ${name || "one"}: makes what it touches out of date, and nothing else`, async () => {
        const cached = await warm();
        await make(write);
        const expected = touched().filter((path) => cached.includes(path));
        expect((await renewedOf(cached)).toSorted()).toEqual([...new Set(expected)].toSorted());
      });
    }
  }
}

export const testThatNoneIsMissing = () =>
  test("every write stands in the table, or among those that visitors do not see", () => {
    const sources = import.meta.glob<string>(["../../worker/*/*.ts", "../../worker/*/*/*.ts"], {
      query: "?raw",
      import: "default",
      eager: true,
    });
    const found = Object.entries(sources)
      .filter(([path]) => !path.includes("/platform/"))
      .flatMap(([, source]) => writersIn(source));
    expect(found.length).toBeGreaterThan(20);
    const named = [...Object.keys(writes), ...unseen];
    expect(found.filter((name) => !named.includes(name))).toEqual([]);
    expect(named.filter((name) => !found.includes(name))).toEqual([]);
  });

export const testThatEveryAddressIsAsked = () => {
  const cached = Object.entries<Address & { isPersonal?: true }>({ ...pageRows, ...documents, ...api });
  test.each(cached.filter(([, { isPersonal }]) => !isPersonal))(
    "%s is asked after each write",
    (path, row) => {
      const find = matcherOf({ [path]: row });
      const asked = [...pages(), ...machines()].map((address) => new URL(address, SITE).pathname);
      expect(asked.some((pathname) => find(pathname))).toBe(true);
    },
  );
};

/** The exported functions of a file that write to D1, by themselves or through another of the file's. */
function writersIn(source: string) {
  const functions = source
    .split(/^(?=(?:export )?(?:async )?function |(?:export )?const )/m)
    .map((text) => text.split(/^\}/m)[0] ?? "")
    .map((text) => ({
      text,
      name: /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(text)?.[1] ?? "",
    }));
  const writers = new Set<string>();
  const isWriter = (text: string) =>
    /\bdb\s*\.(insert|update|delete)\(|\bnumberInOrder\(/.test(text) ||
    [...writers].some((name) => new RegExp(`\\b${name}\\(`).test(text));
  for (let size = -1; size !== writers.size;) {
    size = writers.size;
    for (const { text, name } of functions) if (!writers.has(name) && isWriter(text)) writers.add(name);
  }
  return functions
    .filter(({ text, name }) => text.startsWith("export") && writers.has(name))
    .map(({ name }) => name);
}
