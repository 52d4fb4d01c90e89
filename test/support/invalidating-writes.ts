import { eq } from "drizzle-orm";
import { expect } from "vitest";
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
import { addComment, confirmComment, deleteOwnComment } from "#worker/comments/commands.ts";
import { answerComment, deleteComments } from "#worker/comments/owner-commands.ts";
import {
  createEpisode,
  deleteEpisode,
  publishDueEpisodes,
  updateEpisode,
} from "#worker/episodes/commands.ts";
import { bookEngagement } from "#worker/enquiries/owner/engagement-commands.ts";
import { addGuest } from "#worker/enquiries/owner/guest-commands.ts";
import { episodes as episodeRows } from "#worker/episodes/table.ts";
import { updateShow } from "#worker/episodes/show-commands.ts";
import { readShowForEdit } from "#worker/episodes/show-queries.ts";
import { filePlaces, fileReferences, storedHtml } from "#worker/nouns/list.ts";
import { replaceFile, updateFile } from "#worker/files/library/commands.ts";
import { makeVariants } from "#worker/files/pictures/variants.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { updatePage } from "#worker/pages/commands.ts";
import type { Context } from "#worker/platform/context.ts";
import { addItem, removeItem, reorderItems } from "#worker/playlists/item-commands.ts";
import { deletePlaylist, updatePlaylist } from "#worker/playlists/commands.ts";
import { pruneListeners } from "#worker/playlists/retention.ts";
import { applyErased } from "#worker/bin/apply-erased.ts";
import { restoreItem } from "#worker/bin/commands.ts";
import { createPressItem, deletePressItem, updatePressItem } from "#worker/press/commands.ts";
import { pressItems as pressRows } from "#worker/press/table.ts";
import { renderStoredTexts } from "#worker/rendering/commands.ts";
import { renderSlice } from "#worker/rendering/render-slice.ts";
import { renderPasses } from "#worker/rendering/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { createSocialPost, deleteSocialPost, updateSocialPost } from "#worker/social/commands.ts";
import { createEngagement, deleteEngagement, updateEngagement } from "#worker/speaking/commands.ts";
import { createProfile, deleteProfile, updateProfile } from "#worker/profiles/commands.ts";
import { createVenture, deleteVenture, reorderVentures, updateVenture } from "#worker/ventures/commands.ts";
import { updateLetter } from "#worker/letters/commands.ts";
import { letters as letterRows } from "#worker/letters/table.ts";
import { cancelLetter, sendDueLetters, sendLetter } from "#worker/letters/sending-commands.ts";
import { jobContext, ownerContext } from "./client.ts";
import { aComment } from "./comments.ts";
import { savedEnquiry } from "./enquiries.ts";
import { anEpisode, aPressItem, aShow, storedImage } from "./factories.ts";
import { savedLetter, setLetter } from "./letters.ts";
import { aLetterTo, subscribed } from "./sending.ts";
import {
  DAY,
  now,
  picture,
  placed,
  playlist,
  profile,
  articles,
  category,
  episodes,
  drafts,
  joining,
  ventures,
  engagements,
  press,
  campaigns,
  post,
  letter,
  comment,
  applicant,
  asListener,
  savedPlaylist,
  essays,
  commentsOn,
  SEARCH,
  ofPlaylists,
  EPISODE_LISTS,
  ESSAY_LISTS,
  showingSettings,
  showingShow,
  episodeItself,
  turn,
  turnCampaigns,
  turnVentures,
  features,
  ESSAY_COMMENTS,
  EPISODE_COMMENTS,
  putInto,
  CAMPAIGN,
} from "./invalidated-site.ts";

export type Case = [name: string, write: (ctx: Context) => Promise<unknown>, touched: () => string[]];

/**
 * Visitors never see such a write, so those of a file are tested together. A write that is only invisible at its
 * position in the order has an empty list.
 */
export const UNSEEN = (): string[] => [];

const PRESS = ["/media", "/api/press", "/sitemap.xml", ...SEARCH];
const CAMPAIGNS = ["/petitions", "/sitemap.xml"];
/** Of the person in the oldest episode. */
const showingPerson = () => [
  "/people/ada-wren",
  "/rss/podcast.xml",
  ...episodeItself(episodes[0]!),
  `/api/episodes/${episodes[0]}`,
  ...ofPlaylists(playlist.long, playlist.short),
];

/** Every write that visitors may see, and which of their addresses it expires. */
export const writes: Record<string, Case[]> = {
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
  updateShow: [["", (ctx) => updateShow(ctx, aShow({ title: "Renamed" })), showingShow]],
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
  placesOf: [
    [
      "an article whose picture is replaced",
      (ctx) => replacePicture(ctx, picture.id),
      () => [...ESSAY_LISTS, ...essays, "/api/articles/days-30", commentsOn("article")],
    ],
    [
      "an episode whose picture is replaced",
      (ctx) => replacePicture(ctx, placed.episode),
      () => [
        ...EPISODE_LISTS,
        ...episodeItself(episodes[0]!),
        `/api/episodes/${episodes[0]}`,
        ...ofPlaylists(playlist.long, playlist.short),
      ],
    ],
    ["the show whose artwork is replaced", (ctx) => replacePicture(ctx, placed.show), showingShow],
    ["a media item whose text shows it", (ctx) => replacePicture(ctx, placed.press), () => PRESS],
    [
      "a page whose text shows it",
      (ctx) => replacePicture(ctx, placed.page),
      () => ["/mission", "/sitemap.xml"],
    ],
    ["a person whose picture is replaced", (ctx) => replacePicture(ctx, placed.profile), showingPerson],
    ["a venture whose picture is replaced", (ctx) => replacePicture(ctx, placed.venture), () => ["/about"]],
  ],
  renderSlice: [
    [
      "with an episode that a former version rendered",
      async (ctx) => {
        const notes = { showNotesHtml: "<p>Former</p>" };
        await ctx.db.update(episodeRows).set(notes).where(eq(episodeRows.id, episodes[0]!));
        await renderSlice(ctx, storedHtml.episode!, 0);
      },
      () => [
        ...EPISODE_LISTS,
        ...episodeItself(episodes[0]!),
        `/api/episodes/${episodes[0]}`,
        ...ofPlaylists(playlist.long, playlist.short),
      ],
    ],
    [
      "with an article whose reading time was another",
      async (ctx) => {
        const isIt = eq(articleRows.id, articles[1]!);
        await ctx.db.update(articleRows).set({ readingMinutes: 99 }).where(isIt);
        await renderArticles(ctx, { after: 0, part: "reading-time" });
      },
      () => [...ESSAY_LISTS, "/essays/days-20", "/essays/days-10"],
    ],
    ["what is as it was", (ctx) => renderArticles(ctx, { after: 0, part: "all" }), () => []],
  ],
  renderStoredTexts: [
    [
      "a media item",
      async (ctx) => {
        await ctx.db.update(pressRows).set(FORMER).where(eq(pressRows.id, press[0]!));
        await renderAnew(ctx);
      },
      () => PRESS,
    ],
    [
      "a letter of the archive",
      async (ctx) => {
        await ctx.db.update(letterRows).set(FORMER).where(eq(letterRows.id, letter));
        await renderAnew(ctx);
      },
      () => [`/letters/${letter}`],
    ],
    ["what is as it was", (ctx) => renderAnew(ctx), () => []],
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
  restoreItem: [
    ["a media item", (ctx) => restoreItem(ctx, `press:${press[0]}`), () => PRESS],
    ["a draft", (ctx) => restoreItem(ctx, `press:${press[1]}`), () => []],
    [
      "a published article",
      async (ctx) => {
        // A second attempt finds it in the bin.
        await deleteArticle(ownerContext(), articles[2]!).catch(() => undefined);
        await restoreItem(ctx, `article:${articles[2]}`);
      },
      () => [...ESSAY_LISTS, "/essays/days-10", "/essays/days-20"],
    ],
    [
      "the same again, which is refused",
      (ctx) => expect(restoreItem(ctx, `article:${articles[2]}`)).rejects.toThrow("no longer in the bin"),
      () => [],
    ],
  ],
  applyErased: [
    [
      "a published media item",
      (ctx) => applyErased(ctx, [{ kind: "press_items", item: String(press[0]), erasedAt: now + DAY }]),
      () => PRESS,
    ],
    ["what is erased already", (ctx) => applyErased(ctx), () => []],
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
  createProfile: [
    ["of a person whom nothing names", (ctx) => createProfile(ctx, { name: "Bo Reed" }), () => []],
  ],
  updateProfile: [
    [
      "of a person in an episode",
      (ctx) => updateProfile(ctx, profile.id, { about: "She writes." }),
      showingPerson,
    ],
  ],
  deleteProfile: [["of a person in an episode", (ctx) => deleteProfile(ctx, profile.id), showingPerson]],
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
      () => ["/letters", `/letters/${letter}`, "/rss/letters.xml", "/sitemap.xml"],
    ],
    [
      "one that comes back",
      (ctx) => updateLetter(ctx, letter, { isPublic: true }),
      () => ["/letters", `/letters/${letter}`, "/rss/letters.xml", "/sitemap.xml"],
    ],
  ],
  sendLetter: [
    [
      "one for the archive",
      async (ctx) => sendLetter(ctx, await aDraftFor(1), {}),
      () => ["/letters", "/rss/letters.xml", "/sitemap.xml"],
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
      () => ["/letters", "/rss/letters.xml", "/sitemap.xml"],
    ],
  ],
  cancelLetter: [
    [
      "one that is not in the archive",
      async (ctx) => {
        const id = await aDraftFor(1, { isPublic: false });
        await sendLetter(ctx, id, {});
        await cancelLetter(ctx, id);
      },
      UNSEEN,
    ],
    [
      "one of the archive",
      async (ctx) => {
        await setLetter(letter, { status: "sending" });
        await cancelLetter(ctx, letter);
      },
      () => ["/letters", `/letters/${letter}`, "/rss/letters.xml", "/sitemap.xml"],
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
        expect(
          updatePage(ctx, "contact", { ...pageDefaults.contact, headline: "Mine", basedOn: 1 }),
        ).rejects.toMatchObject({ code: "conflict" }),
      () => [],
    ],
    [
      "what was saved already, sent again",
      (ctx) => updatePage(ctx, "contact", { ...pageDefaults.contact, basedOn: 1 }),
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
      "the supporters, with whom the feed's support link goes",
      (ctx) => updateSite(ctx, { features: { ...features, patreon: false } }),
      () => [...showingSettings(), "/rss/podcast.xml"],
    ],
    [
      "the archive of letters, which goes with its page",
      (ctx) => updateSite(ctx, { newsletter: siteDefaults.newsletter }),
      showingSettings,
    ],
    [
      "the disclosure of what models wrote, which the podcast's feed has",
      (ctx) => updateSite(ctx, { disclosesGenerated: true }),
      () => [...showingSettings(), "/rss/podcast.xml"],
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
    [
      "the preload list, which the headers of pages allow",
      (ctx) => updateSite(ctx, { transport: { preload: true } }),
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
    ["a private one", (ctx) => savedPlaylist([], false, ctx), UNSEEN],
    ["a public one", (ctx) => savedPlaylist([], true, ctx), UNSEEN],
  ],
  updatePlaylist: [
    ["a private one", (ctx) => updatePlaylist(asListener(ctx), playlist.hidden, { name: "Renamed" }), UNSEEN],
    [
      "a public one",
      (ctx) => updatePlaylist(asListener(ctx), playlist.short, { name: "Renamed" }),
      () => ofPlaylists(playlist.short),
    ],
    [
      "one that becomes private",
      (ctx) => updatePlaylist(asListener(ctx), playlist.long, { isPublic: false }),
      () => ofPlaylists(playlist.long),
    ],
    [
      "one that becomes public",
      (ctx) => updatePlaylist(asListener(ctx), playlist.long, { isPublic: true }),
      () => [],
    ],
  ],
  addItem: [
    ["to a private one", (ctx) => addItem(asListener(ctx), playlist.hidden, { episodeId: joining }), UNSEEN],
    [
      "to a public one",
      (ctx) => addItem(asListener(ctx), playlist.short, { episodeId: joining }),
      () => ofPlaylists(playlist.short),
    ],
    [
      "what is there already",
      (ctx) => addItem(asListener(ctx), playlist.short, { episodeId: joining }),
      () => [],
    ],
  ],
  reorderItems: [
    ["of a private one", (ctx) => turn(ctx, playlist.hidden), UNSEEN],
    ["of a public one", (ctx) => turn(ctx, playlist.short), () => ofPlaylists(playlist.short)],
    [
      "that is refused",
      (ctx) =>
        expect(reorderItems(asListener(ctx), playlist.short, { itemIds: [] })).rejects.toThrow("has changed"),
      UNSEEN,
    ],
  ],
  removeItem: [
    ["from a private one", (ctx) => removeItem(asListener(ctx), playlist.hidden, joining), UNSEEN],
    [
      "from a public one",
      (ctx) => removeItem(asListener(ctx), playlist.short, joining),
      () => ofPlaylists(playlist.short),
    ],
    ["what is not there", (ctx) => removeItem(asListener(ctx), playlist.short, joining), UNSEEN],
  ],
  deletePlaylist: [
    ["a private one", (ctx) => deletePlaylist(asListener(ctx), playlist.hidden), UNSEEN],
    [
      "a public one",
      (ctx) => deletePlaylist(asListener(ctx), playlist.long),
      () => ofPlaylists(playlist.long),
    ],
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
    [
      "of the podcast’s artwork",
      async (ctx) => variantsOf(ctx, (await readShowForEdit(ctx))!.artwork!.id),
      showingShow,
    ],
  ],
};

const FORMER = { contentHtml: "<p>Former</p>" };

async function renderAnew(ctx: Context) {
  await ctx.db.delete(renderPasses);
  await renderStoredTexts(ctx, storedHtml);
}

const replacePicture = async (ctx: Context, id: string) =>
  replaceFile(ctx, id, { by: (await storedImage()).id }, filePlaces);

const describeFile = (ctx: Context, id: string) =>
  updateFile(ctx, id, { alt: "A map" }, { references: fileReferences, places: filePlaces });

const variantsOf = (ctx: Context, fileId: string) =>
  makeVariants({ ...ctx, images: copies }, { fileId }, { references: fileReferences, places: filePlaces });

/** Makes copies without decoding pictures that do not exist. */
const copies = {
  input: () => copies,
  transform: () => copies,
  output: async () => ({ image: () => new Blob(["A copy"]).stream() }),
} as unknown as ImagesBinding;

/** A draft to this many subscribers. */
async function aDraftFor(count: number, input: { isPublic?: boolean } = {}) {
  const { domain } = await subscribed(Array.from({ length: count }, () => ({})));
  return (await aLetterTo(domain, input)).id;
}

/** Writes that no public response shows. */
export const unseen = `
  refreshSearch refreshWholeSearch hashFile
  recordChange recordCreation forgetRevisions previewLinkOf replacePreviewLink prunePreviewLinks
  setUpAdmin confirmVerification deliverAccountRequest resetPassword acceptInvitation logIn clearCount recordSuccess recordFailure recordRecovery
  pruneCspReports
  recordRefusal refusalRows closeRefusals beginLogCheck continueLogCheck endFormerTokens pruneEvents eraseLogOf sendLogAlerts followAlertChoice pruneAttempts actorOf readSessionOf authenticateSession endSession endOf signInOf logOut deleteSession deleteSessionsOf deletePasskeysOf pruneSessions
  createToken deleteToken deleteTokensOf actorOfToken
  proveCode startSecondFactor enableSecondFactor deleteSecondFactorOf
  newRecoveryCodes deleteRecoveryCodesOf useOfRecoveryCode sealSecret
  resetSecondFactor updateFactorRules
  denyAction noteDevice pruneDevices deleteDevicesOf
  endOtherSessions
  addPasskey renamePasskey deletePasskey confirmIdentity provePasskey eventRowOnce noteHeldNight takeHeldNight
  changePassword createUser writeSteps deleteUser lastSeenUpdate eventRow eventRowIf
  answerNewsletterRequest pruneUnconfirmed endPauses verifySubscriber unsubscribe pauseLetters choosePreferences chooseTopicsOf
  createSubscriber updateSubscriber importSubscribers
  createTopic updateTopic deleteTopic reorderTopics
  createTier updateTier deleteTier reorderTiers createMember updateMember endMember forgetMembers forgetMembersAt
  setPaidMembership applySubscription storeNotice takeStripeNotice prunePaymentNotices beginPaymentComparison
  savePaymentKeys deletePaymentKeys createTierPrice deleteTierPrice continuePaymentComparison
  signInMember signOutMember signOutEverywhere deleteMemberSession openingOf pruneMemberSessions
  signInMemberByPasskey renameMemberPasskey deleteMemberPasskey requireRecentMember
  makeMemberFeed deleteMemberFeed revokeMemberFeed
  joinLetters leaveLetters forgetSubscribers forgetSubscribersAt answerQuestion closeQuestion forgetChoices requestRow requireMember findMember
  record recordGuest rowAbout confirmEnquiry pruneUnconfirmedEnquiries
  createUpload uploadPart finishUpload discardUpload refuseFile deleteFile deleteFiles leadToSuccessor storePeaks sweepFiles describeOnce findMailPictures
  compareObject hashFiles removeObjects deliverDeletion deleteObjectsOf
  forgetTopic blockSubscriber blockBadAddresses unsubscribeAfterComplaint countSoftBounce clearSoftBounces recordFeedback takeReport takeReturnedMail pruneMailEvents
  pruneEnquiries pruneComments
  updateEnquiry deleteEnquiry sendEnquiryMail cancelRecording cancelRecordings
  commentNoun enquiryNoun subscriberNoun mailNoun engagementNoun fileNoun forgetDeliveries
  insertPassages replacePassages touchFeed readFeed renewFeedItems
  pruneUnconfirmedComments
  copyFiles markDamaged deleteOld continueRuns beginStatement noteCronRun
  moveToBin eraseEntries eraseItem pruneBin noteErased renderAgain forgetPreviewLinks
  createSmartPlaylist addFavorite removeFavorite updateProgress touchListener
  addTick removeTick publish forgetPublications deliverPing
  createAutomaticLetter updateAutomaticLetter deleteAutomaticLetter noticePublications forgetNoticed
  makeAutomaticLetters draftAutomaticLetters
  createLetter duplicateLetter deleteLetter letterLinksOf answersOf followLink unscheduleLetter pauseLetter resumeLetter
  resendUncertain sendSlice stopLetter claimDue claimInterrupted markInterrupted storeOutcomes finishLetter
  takeOfDay giveBack pruneSendingDays
  readRules deleteSalts pruneAnalytics storeMessages sendOrStore addTotals addToLaterDays addCounts addSources addDownloads
  eventStatements downloadStatements followTimeZone
  beginTransfer storeTransferPart createFeedImport compareFeeds openObject keepOldAddresses keepEpisodeAddresses storePicture
  claimNext saveProgress settle finishImport insertImport insertItems pruneImports watchImports
  startImport pauseImport resumeImport cancelImport retryItems deleteImport undoImport
  startTranscription continueTranscription discardTranscription serverKey takeStep
  acceptTranscription saveVoices startProposals continueProposals decideProposal discardProposals
  createWebhook updateWebhook deleteWebhook rotateSecret resendDelivery deliverWebhook pruneTries
  eventRows forgetTries forgetEvents
  draftScheduledLetters draftScheduledEpisodes draftScheduledArticles
`
  .trim()
  .split(/\s+/);
