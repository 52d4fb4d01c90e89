import { afterAll, beforeAll, expect, describe, test } from "vitest";
import { recordEvents } from "#worker/analytics/commands.ts";
import {
  createArticle,
  createCategory,
  deleteArticle,
  deleteCategory,
  updateArticle,
  updateCategory,
  createArticlePreviewLink,
  deleteArticlePreviewLink,
} from "#worker/articles/commands.ts";
import { renderArticles } from "#worker/articles/upkeep-commands.ts";
import {
  createAutomaticLetter,
  deleteAutomaticLetter,
  updateAutomaticLetter,
} from "#worker/automatic-letters/commands.ts";
import {
  createEpisodePreviewLink,
  deleteEpisodePreviewLink,
  createEpisode,
  deleteEpisode,
  updateEpisode,
} from "#worker/episodes/commands.ts";
import { restoreEpisode } from "#worker/episodes/restore-commands.ts";
import { restoreArticle } from "#worker/articles/restore-commands.ts";
import {
  createCampaign,
  deleteCampaign,
  reorderCampaigns,
  updateCampaign,
} from "#worker/campaigns/commands.ts";
import { addComment, confirmComment, deleteOwnComment } from "#worker/comments/commands.ts";
import { answerComment, deleteComments, moderateComments } from "#worker/comments/owner-commands.ts";
import {
  addTick,
  dismissDelivery,
  dismissMessage,
  removeTick,
  retryDelivery,
  retryMessage,
} from "#worker/desk/commands.ts";
import { duplicateEpisode } from "#worker/episodes/duplicate-commands.ts";
import { checkEpisode } from "#worker/episodes/publish-check.ts";
import { updateShow } from "#worker/episodes/show-commands.ts";
import { eraseItem, restoreItem } from "#worker/bin/commands.ts";
import { completeUpload, createUpload, deleteFile, storePeaks, uploadPart } from "#worker/files/commands.ts";
import { answerQuestion, closeQuestion } from "#worker/letters/answer-commands.ts";
import { createLetter, deleteLetter, updateLetter, duplicateLetter } from "#worker/letters/commands.ts";
import {
  cancelLetter,
  pauseLetter,
  resendUncertain,
  resumeLetter,
  sendLetter,
  unscheduleLetter,
} from "#worker/letters/sending-commands.ts";
import { sendTest } from "#worker/letters/test-commands.ts";
import { replaceFile, updateFile } from "#worker/files/library/commands.ts";
import { filePlaces, fileReferences } from "#worker/nouns/list.ts";
import {
  forgetSubscriber,
  choosePreferences,
  pauseLetters,
  subscribe,
  unsubscribe,
  verifySubscriber,
} from "#worker/newsletter/commands.ts";
import { confirmEnquiry } from "#worker/enquiries/confirm-commands.ts";
import { submitApplication, submitBooking, submitMessage } from "#worker/enquiries/submit-commands.ts";
import { askImported, importSubscribers } from "#worker/newsletter/import-commands.ts";
import {
  chooseLetters,
  chooseTopics,
  deleteAccount,
  deleteMemberSession,
  exportAccount,
  requestSignIn,
  signInMember,
  signOutEverywhere,
} from "#worker/members/account/commands.ts";
import {
  addMemberPasskey,
  deleteMemberPasskey,
  renameMemberPasskey,
  signInMemberByPasskey,
  startMemberPasskey,
} from "#worker/members/account/passkey-commands.ts";
import { deleteMemberFeed, makeMemberFeed, revokeMemberFeed } from "#worker/members/feed/commands.ts";
import { createMember, deleteMember, endMember, updateMember } from "#worker/members/owner-commands.ts";
import { createTier, deleteTier, reorderTiers, updateTier } from "#worker/members/tier-commands.ts";
import { createTopic, deleteTopic, reorderTopics, updateTopic } from "#worker/topics/commands.ts";
import { createSubscriber, deleteSubscriber, updateSubscriber } from "#worker/newsletter/owner-commands.ts";
import { deleteEnquiry, updateEnquiry } from "#worker/enquiries/owner/commands.ts";
import { bookEngagement } from "#worker/enquiries/owner/engagement-commands.ts";
import { addGuest, createGuest } from "#worker/enquiries/owner/guest-commands.ts";
import { sendEnquiryMail } from "#worker/enquiries/owner/mail-commands.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { deletePerson } from "#worker/people/commands.ts";
import { importArticles } from "#worker/imports/batch/commands.ts";
import { compareFeeds, takeOverShow } from "#worker/imports/feed/after-commands.ts";
import { createFeedImport } from "#worker/imports/feed/commands.ts";
import {
  addItems,
  cancelImport,
  createImport,
  deleteImport,
  pauseImport,
  resumeImport,
  retryItems,
  startImport,
} from "#worker/imports/import-commands.ts";
import { beginObject, completeObject, storeObjectPart } from "#worker/restores/object-commands.ts";
import { addPiece, createRestore, startRestore } from "#worker/restores/commands.ts";
import { undoImport } from "#worker/imports/undo-commands.ts";
import { importPost } from "#worker/imports/linkedin/commands.ts";
import { restorePage } from "#worker/pages/restore-commands.ts";
import { updatePage } from "#worker/pages/commands.ts";
import {
  createPlaylist,
  createSmartPlaylist,
  deletePlaylist,
  updatePlaylist,
} from "#worker/playlists/commands.ts";
import { addItem, removeItem, reorderItems } from "#worker/playlists/item-commands.ts";
import { addFavorite, removeFavorite, updateProgress } from "#worker/playlists/listening-commands.ts";
import {
  changeProposalKey,
  continueProposals,
  decideProposal,
  discardProposals,
  startProposals,
} from "#worker/proposals/commands.ts";
import { retryPing } from "#worker/publications/commands.ts";
import { createPressItem, deletePressItem, updatePressItem } from "#worker/press/commands.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { sendTestMail } from "#worker/settings/test-mail-commands.ts";
import { createSocialPost, deleteSocialPost, updateSocialPost } from "#worker/social/commands.ts";
import { createEngagement, deleteEngagement, updateEngagement } from "#worker/speaking/commands.ts";
import { createProfile, deleteProfile, updateProfile } from "#worker/profiles/commands.ts";
import { createVenture, deleteVenture, reorderVentures, updateVenture } from "#worker/ventures/commands.ts";
import { openPortal, startCheckout } from "#worker/payments/checkout-commands.ts";
import { createTierPrice, deleteTierPrice, savePaymentKeys } from "#worker/payments/commands.ts";
import {
  acceptTranscription,
  changeTranscriptionKey,
  continueTranscription,
  discardTranscription,
  startTranscription,
} from "#worker/transcription/commands.ts";
import {
  createWebhook,
  deleteWebhook,
  resendDelivery,
  rotateSecret,
  sendTestEvent,
  updateWebhook,
} from "#worker/webhooks/commands.ts";
import type { Context } from "#worker/platform/context.ts";
import type { Role } from "#worker/access/contract.ts";
import { setFeeds } from "./support/members.ts";
import { anEvent } from "./support/analytics.ts";
import { contextAs, contextOf, ownerContext, visitorContext } from "./support/client.ts";
import { setComments } from "./support/comments.ts";
import { aBooking, aMessage, anApplication } from "./support/forms.ts";
import { anEpisode, aPressItem, aShow } from "./support/factories.ts";
import { listenerContext } from "./support/listeners.ts";
import { aQuestion } from "./support/sending.ts";

const anObject = { key: "uploads/1/a.txt", bytes: 1, sha256: "0".repeat(64), http: {}, custom: {} };
const aPost = { title: "T", sourceUrl: "https://www.linkedin.com/p/1", originalPublishedAt: 1 };

/** A command called directly by imports, jobs and the demo: with unparsed input, without HTTP. */
type Call = (ctx: Context) => Promise<unknown>;
type Refused = [what: string, call: Call, field: string];

/** Without the compiler's checks, like data from outside. */
const many = Array.from({ length: 101 }, (_, at) => at + 1);
const aCard = { title: "A", text: "" };
const counting = { isOptedOut: false };
const raw = (input: unknown) => input as never;
const aPasskeyAnswer = {
  id: "a",
  userHandle: "a",
  clientDataJSON: "a",
  authenticatorData: "a",
  signature: "a",
};
const nouns = { references: fileReferences, places: filePlaces };

const aWebhook = { url: "https://example.com/hook", description: "", events: ["letter.sent" as const] };
const aRow = {
  line: 1,
  email: "a@example.com",
  source: null,
  status: "active" as const,
  subscribedAt: null,
  confirmedAt: null,
};
const anImport = {
  importId: crypto.randomUUID(),
  fileName: "list.csv",
  source: "import",
  consent: "Words",
  isConfirmed: true,
  rows: [aRow],
};

/** Commands of the owner, each with inputs that its contract refuses, and the field that the error names. */
const owners: Record<string, Refused[]> = {
  createArticle: [
    ["no title", (ctx) => createArticle(ctx, raw({})), "title"],
    ["an unknown field", (ctx) => createArticle(ctx, raw({ title: "T", viewCount: 9 })), ""],
    [
      "a script as its source",
      (ctx) => createArticle(ctx, { title: "T", sourceUrl: "javascript:1" }),
      "sourceUrl",
    ],
  ],
  importPost: [
    ["no address", (ctx) => importPost(ctx, raw({ title: "T", originalPublishedAt: 1 })), "sourceUrl"],
    [
      "a picture by another's urn",
      (ctx) => importPost(ctx, { ...aPost, image: { urn: "../images", alt: "" } }),
      "image.urn",
    ],
  ],
  createImport: [
    ["nothing to import", (ctx) => createImport(ctx, { kind: "feed", source: " " }), "source"],
    ["no kind that there is", (ctx) => createImport(ctx, { kind: "telex", source: "a" }), "kind"],
  ],
  createFeedImport: [
    ["no address", (ctx) => createFeedImport(ctx, { url: "old.example" }), "url"],
    [
      "an address that is not public",
      (ctx) => createFeedImport(ctx, { url: "http://127.0.0.1/feed.xml" }),
      "url",
    ],
  ],
  takeOverShow: [["nothing to take over", (ctx) => takeOverShow(ctx, 1, { facts: [] }), "facts"]],
  addItems: [["no items", (ctx) => addItems(ctx, 999_999, { items: [] }), "items"]],
  retryItems: [["an item that is a word", (ctx) => retryItems(ctx, 1, raw({ item: "first" })), "item"]],
  startImport: [["a state of no import", (ctx) => startImport(ctx, 999_999, raw({ as: "archived" })), "as"]],
  createRestore: [["no archive", (ctx) => createRestore(ctx, raw({ source: "a.zip" })), "manifest"]],
  beginObject: [["no key", (ctx) => beginObject(ctx, 1, { ...anObject, key: "../etc" }), "key"]],
  storeObjectPart: [
    [
      "no part",
      (ctx) => storeObjectPart(ctx, 1, { key: anObject.key, upload: "u", number: 0 }, null),
      "number",
    ],
  ],
  completeObject: [
    ["no parts", (ctx) => completeObject(ctx, 1, { object: anObject, upload: "u", etags: [] }), "etags"],
  ],
  addPiece: [["no text", (ctx) => addPiece(ctx, 1, { file: "data/a.ndjson", number: 1, text: "" }), "text"]],
  renderArticles: [["no part", (ctx) => renderArticles(ctx, raw({ after: 0 })), "part"]],
  importArticles: [
    ["no articles", (ctx) => importArticles(ctx, { isDryRun: true, items: [] }), "items"],
    [
      "more articles than one request writes",
      (ctx) =>
        importArticles(ctx, { isDryRun: false, items: Array.from({ length: 9 }, () => ({ title: "T" })) }),
      "items",
    ],
  ],
  createCategory: [
    ["a colour that is a word", (ctx) => createCategory(ctx, { name: "Red", color: "red" }), "color"],
  ],
  updateArticle: [
    ["an empty title", (ctx) => updateArticle(ctx, 1, { title: " " }), "title"],
    ["a title beyond its limit", (ctx) => updateArticle(ctx, 1, { title: "x".repeat(300) }), "title"],
    ["a slug with a slash", (ctx) => updateArticle(ctx, 1, { slug: "a/b" }), "slug"],
    ["a text beyond its limit", (ctx) => updateArticle(ctx, 1, { content: "x ".repeat(260_000) }), "content"],
  ],
  restoreEpisode: [["no version to start from", (ctx) => restoreEpisode(ctx, 1, 1, raw({})), "basedOn"]],
  restoreArticle: [["no version to start from", (ctx) => restoreArticle(ctx, 1, 1, raw({})), "basedOn"]],
  updateCategory: [
    ["no name", (ctx) => updateCategory(ctx, 1, { name: "" }), "name"],
    ["a colour that is none", (ctx) => updateCategory(ctx, 1, { color: "#12345g" }), "color"],
  ],
  createCampaign: [
    [
      "a frame without https",
      (ctx) => createCampaign(ctx, { title: "T", embedUrl: "http://a.example" }),
      "embedUrl",
    ],
  ],
  updateCampaign: [
    ["a script as its address", (ctx) => updateCampaign(ctx, 1, { embedUrl: "javascript:1" }), "embedUrl"],
    ["an unknown type", (ctx) => updateCampaign(ctx, 1, raw({ type: "raffle" })), "type"],
  ],
  reorderCampaigns: [["a word for an id", (ctx) => reorderCampaigns(ctx, raw({ ids: ["first"] })), "ids.0"]],
  createTier: [["no name", (ctx) => createTier(ctx, { name: " " }), "name"]],
  updateTier: [
    [
      "a description beyond its limit",
      (ctx) => updateTier(ctx, 1, { description: "x".repeat(1001) }),
      "description",
    ],
  ],
  reorderTiers: [["a word for an id", (ctx) => reorderTiers(ctx, raw({ ids: ["first"] })), "ids.0"]],
  createTopic: [
    ["no name", (ctx) => createTopic(ctx, { name: " " }), "name"],
    ["a name with a semicolon", (ctx) => createTopic(ctx, { name: "a; b" }), "name"],
  ],
  updateTopic: [
    [
      "a description beyond its limit",
      (ctx) => updateTopic(ctx, 1, { description: "x".repeat(301) }),
      "description",
    ],
  ],
  reorderTopics: [["a word for an id", (ctx) => reorderTopics(ctx, raw({ ids: ["first"] })), "ids.0"]],
  createMember: [
    [
      "an address with a name",
      (ctx) => createMember(ctx, { email: "A <a@example.com>", tierId: 1, source: "free" }),
      "email",
    ],
    [
      "an end before the beginning",
      (ctx) => createMember(ctx, { email: "a@example.com", tierId: 1, source: "free", since: 2, until: 1 }),
      "until",
    ],
    [
      "a source of payments",
      (ctx) => createMember(ctx, raw({ email: "a@example.com", tierId: 1, source: "stripe" })),
      "source",
    ],
  ],
  updateMember: [
    ["an end before the beginning", (ctx) => updateMember(ctx, 1, { since: 2, until: 2 }), "until"],
    ["another address", (ctx) => updateMember(ctx, 1, raw({ email: "b@example.com" })), ""],
  ],
  createSubscriber: [
    [
      "no consent",
      (ctx) => createSubscriber(ctx, { email: "a@example.com", consent: " ", ask: true }),
      "consent",
    ],
    [
      "an address with a name",
      (ctx) => createSubscriber(ctx, { email: "A <a@example.com>", consent: "Words", ask: true }),
      "email",
    ],
  ],
  updateEnquiry: [
    ["a status of another kind", (ctx) => updateEnquiry(ctx, "application", 1, { status: "done" }), "status"],
    [
      "notes beyond their limit",
      (ctx) => updateEnquiry(ctx, "message", 1, { notes: "x".repeat(5001) }),
      "notes",
    ],
    ["an unknown field", (ctx) => updateEnquiry(ctx, "booking", 1, raw({ email: "a@example.com" })), ""],
  ],
  sendEnquiryMail: [
    ["no subject", (ctx) => sendEnquiryMail(ctx, "message", 1, { subject: " ", message: "M" }), "subject"],
    [
      "a message beyond its limit",
      (ctx) => sendEnquiryMail(ctx, "message", 1, { subject: "S", message: "x".repeat(12_001) }),
      "message",
    ],
  ],
  addGuest: [["a word for an episode", (ctx) => addGuest(ctx, 1, raw({ episodeId: "first" })), "episodeId"]],
  createGuest: [["no topic", (ctx) => createGuest(ctx, raw({ name: "A", email: "a@example.com" })), "topic"]],
  deletePerson: [["no address", (ctx) => deletePerson(ctx, { email: "nobody" }), "email"]],
  updateSubscriber: [
    ["a way back", (ctx) => updateSubscriber(ctx, "id", raw({ status: "active" })), "status"],
  ],
  importSubscribers: [
    ["no consent", (ctx) => importSubscribers(ctx, { ...anImport, consent: "" }), "consent"],
    ["a source in words", (ctx) => importSubscribers(ctx, { ...anImport, source: "My list" }), "source"],
    [
      "more rows than a part has",
      (ctx) => importSubscribers(ctx, { ...anImport, rows: Array.from({ length: 501 }, () => aRow) }),
      "rows",
    ],
  ],
  askImported: [["an import without an id", (ctx) => askImported(ctx, { importId: "all" }), "importId"]],
  checkEpisode: [["no title", (ctx) => checkEpisode(ctx, raw({ episode: {} })), "episode.title"]],
  createEpisode: [
    ["a title beyond its limit", (ctx) => createEpisode(ctx, anEpisode({ title: "x".repeat(256) })), "title"],
    [
      "half an episode number",
      (ctx) => createEpisode(ctx, anEpisode({ episodeNumber: 1.5 })),
      "episodeNumber",
    ],
    ["an unknown status", (ctx) => createEpisode(ctx, anEpisode(raw({ status: "live" }))), "status"],
  ],
  updateEpisode: [["an empty title", (ctx) => updateEpisode(ctx, 1, { title: " " }), "title"]],
  updateShow: [
    ["no author", (ctx) => updateShow(ctx, aShow({ author: "" })), "author"],
    ["a language that is none", (ctx) => updateShow(ctx, aShow({ language: "Australian" })), "language"],
  ],
  createUpload: [
    ["an empty file", (ctx) => createUpload(ctx, { name: "a", size: 0, folder: "uploads" }), "size"],
    ["an unknown folder", (ctx) => createUpload(ctx, raw({ name: "a", size: 1, folder: "etc" })), "folder"],
  ],
  createLetter: [
    ["a subject on two lines", (ctx) => createLetter(ctx, { subject: "One\nBcc: two" }), "subject"],
    ["a text beyond its limit", (ctx) => createLetter(ctx, { content: "x ".repeat(26_000) }), "content"],
    [
      "a question with one answer",
      (ctx) => createLetter(ctx, { question: { ...aQuestion, answers: ["Yes"] } }),
      "question.answers",
    ],
    [
      "a question with two answers that are the same",
      (ctx) => createLetter(ctx, { question: { ...aQuestion, answers: ["Yes", "Yes"] } }),
      "question.answers",
    ],
    [
      "an origin of another kind",
      (ctx) => createLetter(ctx, raw({ origin: { kind: "page", id: 1 } })),
      "origin.kind",
    ],
  ],
  updateLetter: [
    [
      "a preheader beyond its limit",
      (ctx) => updateLetter(ctx, 1, { preheader: "x".repeat(201) }),
      "preheader",
    ],
    ["a status", (ctx) => updateLetter(ctx, 1, raw({ status: "sent" })), ""],
    [
      "a time that is none",
      (ctx) => updateLetter(ctx, 1, { segment: { sources: [], since: Number.NaN, until: null } }),
      "segment.since",
    ],
  ],
  sendLetter: [
    ["a time that is none", (ctx) => sendLetter(ctx, 1, { scheduledFor: Number.NaN }), "scheduledFor"],
  ],
  sendTest: [["another recipient", (ctx) => sendTest(ctx, 1, raw({ to: "all@example.com" })), ""]],
  updateFile: [
    [
      "a description beyond its limit",
      (ctx) => updateFile(ctx, "none", { alt: "x".repeat(301) }, nouns),
      "alt",
    ],
    ["a field that there is not", (ctx) => updateFile(ctx, "none", raw({ name: "a" }), nouns), ""],
  ],
  replaceFile: [["no file", (ctx) => replaceFile(ctx, "none", { by: "" }, filePlaces), "by"]],
  storePeaks: [
    ["peaks that are no Base64", (ctx) => storePeaks(ctx, "none", { peaks: "not base64!" }), "peaks"],
    ["more peaks than a file has", (ctx) => storePeaks(ctx, "none", { peaks: "A".repeat(48_004) }), "peaks"],
    ["no peaks", (ctx) => storePeaks(ctx, "none", { peaks: "" }), "peaks"],
    [
      "a loudness without its figures",
      (ctx) => storePeaks(ctx, "none", raw({ peaks: "AAAA", loudness: { integrated: -16 } })),
      "loudness.range",
    ],
  ],
  uploadPart: [["part 0", (ctx) => uploadPart(ctx, { id: "none", number: 0, body: null }), "number"]],
  updatePage: [
    ["a page without its headline", (ctx) => updatePage(ctx, "mission", raw({ standfirst: "" })), "headline"],
    [
      "two cards of one title",
      (ctx) => updatePage(ctx, "booking", { ...pageDefaults.booking, points: [aCard, aCard] }),
      "points.1.title",
    ],
    [
      "a block that leads elsewhere",
      (ctx) => updatePage(ctx, "home", { ...pageDefaults.home, building: [{ ...aCard, to: "//a.example" }] }),
      "building.0.to",
    ],
  ],
  restorePage: [["no version to start from", (ctx) => restorePage(ctx, "about", 1, raw({})), "basedOn"]],
  updatePressItem: [
    ["no summary", (ctx) => updatePressItem(ctx, 1, { summary: " " }), "summary"],
    ["a script as its link", (ctx) => updatePressItem(ctx, 1, { link: "javascript:1" }), "link"],
  ],
  createPressItem: [
    ["a day that is none", (ctx) => createPressItem(ctx, aPressItem({ date: "2026-02-30" })), "date"],
  ],
  addTick: [["a directory that is none", (ctx) => addTick(ctx, { name: raw("gopher") }), "name"]],
  removeTick: [["a directory that is none", (ctx) => removeTick(ctx, { name: raw("gopher") }), "name"]],
  updateSite: [
    ["an empty name", (ctx) => updateSite(ctx, { name: "" }), "name"],
    [
      "a sender of another domain",
      (ctx) => updateSite(ctx, { email: { fromName: "", fromEmail: "a@example.net", replyTo: "" } }),
      "email.fromEmail",
    ],
    ["a hub by name", (ctx) => updateSite(ctx, { hubUrl: "pubsubhubbub" }), "hubUrl"],
    [
      "a hub that this site is hidden from",
      (ctx) => updateSite(ctx, { hubUrl: "https://a.example/" }),
      "hubUrl",
    ],
    ["an unknown setting", (ctx) => updateSite(ctx, raw({ colour: "red" })), ""],
  ],
  startTranscription: [
    ["an unknown language", (ctx) => startTranscription(ctx, 1, raw({ language: "xx" })), "language"],
  ],
  acceptTranscription: [
    ["an empty name", (ctx) => acceptTranscription(ctx, 1, { voices: [" "] }), "voices.0"],
  ],
  decideProposal: [
    ["an unknown state", (ctx) => decideProposal(ctx, 1, 1, raw({ state: "maybe" })), "state"],
  ],
  changeProposalKey: [["a long key", (ctx) => changeProposalKey(ctx, { key: "k".repeat(501) }), "key"]],
  savePaymentKeys: [
    [
      "a key that is none of Stripe's",
      (ctx) => savePaymentKeys(ctx, { apiKey: "pk_live_1", webhookSecret: "whsec_1" }),
      "apiKey",
    ],
    [
      "a secret that is none of a webhook",
      (ctx) => savePaymentKeys(ctx, { apiKey: "sk_test_1", webhookSecret: "1" }),
      "webhookSecret",
    ],
  ],
  createTierPrice: [["a product", (ctx) => createTierPrice(ctx, { tierId: 1, price: "prod_1" }), "price"]],
  changeTranscriptionKey: [
    ["a long key", (ctx) => changeTranscriptionKey(ctx, { key: "k".repeat(501) }), "key"],
  ],
  createWebhook: [
    ["no event", (ctx) => createWebhook(ctx, { ...aWebhook, events: [] }), "events"],
    ["a private address", (ctx) => createWebhook(ctx, { ...aWebhook, url: "https://10.0.0.8/" }), "url"],
  ],
  updateWebhook: [
    ["an unknown event", (ctx) => updateWebhook(ctx, 1, raw({ events: ["show.changed"] })), "events.0"],
  ],
  sendTestMail: [["a kind that is none", (ctx) => sendTestMail(ctx, raw({ as: "fax" })), "as"]],
  updateSocialPost: [
    ["a date that is none", (ctx) => updateSocialPost(ctx, 1, { date: Number.NaN }), "date"],
    ["fewer likes than none", (ctx) => updateSocialPost(ctx, 1, { likes: -1 }), "likes"],
  ],
  createSocialPost: [
    [
      "no words",
      (ctx) => createSocialPost(ctx, { platform: "linkedin", author: "A", content: "", date: 1 }),
      "content",
    ],
  ],
  createEngagement: [
    ["a fee below nothing", (ctx) => createEngagement(ctx, { title: "T", fee: -1 }), "fee"],
    ["a title in spaces", (ctx) => createEngagement(ctx, { title: "  " }), "title"],
  ],
  updateEngagement: [
    ["a day that is none", (ctx) => updateEngagement(ctx, 1, { date: "2027-02-30" }), "date"],
    ["half a listener", (ctx) => updateEngagement(ctx, 1, { audienceSize: 0.5 }), "audienceSize"],
  ],
  createAutomaticLetter: [
    ["no name", (ctx) => createAutomaticLetter(ctx, { name: " " }), "name"],
    ["an hour that is none", (ctx) => createAutomaticLetter(ctx, { name: "N", hour: 24 }), "hour"],
    [
      "a template without items",
      (ctx) => createAutomaticLetter(ctx, { name: "N", content: "Words." }),
      "content",
    ],
  ],
  updateAutomaticLetter: [
    ["a day that is none", (ctx) => updateAutomaticLetter(ctx, 1, { weekday: 8 }), "weekday"],
  ],
  createProfile: [
    ["no name at all", (ctx) => createProfile(ctx, raw({ about: "A" })), "name"],
    ["a name without letters", (ctx) => createProfile(ctx, { name: "…" }), "name"],
    [
      "a link without a label",
      (ctx) => createProfile(ctx, raw({ name: "A", links: [{ url: "https://a.example" }] })),
      "links.0.label",
    ],
  ],
  updateProfile: [["an empty name", (ctx) => updateProfile(ctx, 1, { name: " " }), "name"]],
  createVenture: [
    ["no description", (ctx) => createVenture(ctx, { name: "N", description: "" }), "description"],
    ["no name at all", (ctx) => createVenture(ctx, raw({ description: "D" })), "name"],
  ],
  updateVenture: [
    ["an empty name", (ctx) => updateVenture(ctx, 1, { name: " " }), "name"],
    ["an unknown icon", (ctx) => updateVenture(ctx, 1, raw({ icon: "Rocket" })), "icon"],
  ],
  moderateComments: [
    ["none", (ctx) => moderateComments(ctx, { ids: [], status: "approved" }), "ids"],
    ["a hundred and one", (ctx) => moderateComments(ctx, { ids: many, status: "spam" }), "ids"],
    [
      "a box that only a mail leads out of",
      (ctx) => moderateComments(ctx, raw({ ids: [1], status: "unconfirmed" })),
      "status",
    ],
  ],
  deleteComments: [["a word for an id", (ctx) => deleteComments(ctx, raw({ ids: ["first"] })), "ids.0"]],
  answerComment: [["no words", (ctx) => answerComment(ctx, 1, { text: " " }), "text"]],
  reorderVentures: [["a word for an id", (ctx) => reorderVentures(ctx, raw({ ids: ["first"] })), "ids.0"]],
};

/** Commands that need more than the edit capability. */
const capabilities: Record<string, Role[]> = {
  createRestore: ["user", "editor", "admin"],
  beginObject: ["user", "editor", "admin"],
  storeObjectPart: ["user", "editor", "admin"],
  completeObject: ["user", "editor", "admin"],
  addPiece: ["user", "editor", "admin"],
  deletePerson: ["user", "editor"],
  updateEnquiry: ["user", "editor"],
  sendEnquiryMail: ["user", "editor"],
  addGuest: ["user", "editor"],
  createGuest: ["user", "editor"],
  createTier: ["user", "editor"],
  updateTier: ["user", "editor"],
  reorderTiers: ["user", "editor"],
  createTopic: ["user", "editor"],
  updateTopic: ["user", "editor"],
  reorderTopics: ["user", "editor"],
  createMember: ["user", "editor"],
  updateMember: ["user", "editor"],
  createSubscriber: ["user", "editor"],
  updateSubscriber: ["user", "editor"],
  importSubscribers: ["user", "editor"],
  askImported: ["user", "editor"],
  updateSite: ["user", "editor"],
  createAutomaticLetter: ["user", "editor"],
  updateAutomaticLetter: ["user", "editor"],
  createLetter: ["user", "editor"],
  updateLetter: ["user", "editor"],
  sendTest: ["user", "editor"],
  sendLetter: ["user", "editor"],
  sendTestMail: ["user", "editor"],
  changeTranscriptionKey: ["user", "editor"],
  savePaymentKeys: ["user", "editor"],
  createTierPrice: ["user", "editor"],
  changeProposalKey: ["user", "editor"],
  createWebhook: ["user", "editor"],
  updateWebhook: ["user", "editor"],
  addTick: ["user", "editor"],
  removeTick: ["user", "editor"],
};

/** Commands of the owner whose whole input is the id of what they change. */
const byId: Record<string, Call> = {
  deleteArticle: (ctx) => deleteArticle(ctx, 999_999),
  createEpisodePreviewLink: (ctx) => createEpisodePreviewLink(ctx, 999_999),
  deleteEpisodePreviewLink: (ctx) => deleteEpisodePreviewLink(ctx, 999_999),
  createArticlePreviewLink: (ctx) => createArticlePreviewLink(ctx, 999_999),
  deleteArticlePreviewLink: (ctx) => deleteArticlePreviewLink(ctx, 999_999),
  deleteCategory: (ctx) => deleteCategory(ctx, 999_999),
  deleteLetter: (ctx) => deleteLetter(ctx, 999_999),
  deleteEpisode: (ctx) => deleteEpisode(ctx, 999_999),
  duplicateEpisode: (ctx) => duplicateEpisode(ctx, 999_999),
  continueTranscription: (ctx) => continueTranscription(ctx, 999_999),
  discardTranscription: (ctx) => discardTranscription(ctx, 999_999),
  startProposals: (ctx) => startProposals(ctx, 999_999),
  continueProposals: (ctx) => continueProposals(ctx, 999_999),
  discardProposals: (ctx) => discardProposals(ctx, 999_999),
  compareFeeds: (ctx) => compareFeeds(ctx, 999_999),
  pauseImport: (ctx) => pauseImport(ctx, 999_999),
  resumeImport: (ctx) => resumeImport(ctx, 999_999),
  cancelImport: (ctx) => cancelImport(ctx, 999_999),
  deleteImport: (ctx) => deleteImport(ctx, 999_999),
  undoImport: (ctx) => undoImport(ctx, 999_999),
  startRestore: (ctx) => startRestore(ctx, 999_999),
  deletePressItem: (ctx) => deletePressItem(ctx, 999_999),
  deleteCampaign: (ctx) => deleteCampaign(ctx, 999_999),
  deleteSocialPost: (ctx) => deleteSocialPost(ctx, 999_999),
  deleteAutomaticLetter: (ctx) => deleteAutomaticLetter(ctx, 999_999),
  deleteProfile: (ctx) => deleteProfile(ctx, 999_999),
  deleteVenture: (ctx) => deleteVenture(ctx, 999_999),
  deleteEngagement: (ctx) => deleteEngagement(ctx, 999_999),
  deleteTier: (ctx) => deleteTier(ctx, 999_999),
  deleteTierPrice: (ctx) => deleteTierPrice(ctx, 999_999),
  deleteTopic: (ctx) => deleteTopic(ctx, 999_999),
  endMember: (ctx) => endMember(ctx, 999_999),
  revokeMemberFeed: (ctx) => revokeMemberFeed(ctx, 999_999),
  deleteMember: (ctx) => deleteMember(ctx, 999_999),
  deleteSubscriber: (ctx) => deleteSubscriber(ctx, "none"),
  deleteWebhook: (ctx) => deleteWebhook(ctx, 999_999),
  rotateSecret: (ctx) => rotateSecret(ctx, 999_999),
  sendTestEvent: (ctx) => sendTestEvent(ctx, 999_999),
  resendDelivery: (ctx) => resendDelivery(ctx, 999_999, "none"),
  retryDelivery: (ctx) => retryDelivery(ctx, "none"),
  dismissDelivery: (ctx) => dismissDelivery(ctx, "none"),
  retryPing: (ctx) => retryPing(ctx, "article", 999_999),
  retryMessage: (ctx) => retryMessage(ctx, "none"),
  dismissMessage: (ctx) => dismissMessage(ctx, "none"),
  completeUpload: (ctx) => completeUpload(ctx, "none"),
  deleteFile: (ctx) => deleteFile(ctx, "none", fileReferences),
  restoreItem: (ctx) => restoreItem(ctx, "article:999999"),
  eraseItem: (ctx) => eraseItem(ctx, "article:999999"),
};

/** The same for the audience capability. */
const byIdOfAudience: Record<string, Call> = {
  duplicateLetter: (ctx) => duplicateLetter(ctx, 999_999),
  deleteEnquiry: (ctx) => deleteEnquiry(ctx, "message", 999_999),
  bookEngagement: (ctx) => bookEngagement(ctx, 999_999),
  unscheduleLetter: (ctx) => unscheduleLetter(ctx, 999_999),
  pauseLetter: (ctx) => pauseLetter(ctx, 999_999),
  resumeLetter: (ctx) => resumeLetter(ctx, 999_999),
  cancelLetter: (ctx) => cancelLetter(ctx, 999_999),
  closeQuestion: (ctx) => closeQuestion(ctx, 999_999),
  resendUncertain: (ctx) => resendUncertain(ctx, 999_999),
};

/** A listener's own playlist; another listener is refused before the lookup. */
const own = async (ctx: Context) =>
  ctx.actor.kind === "listener" ? (await createPlaylist(ctx, { name: "A list" })).id : "none";

/** Commands for a listener's own data. */
const listeners: Record<string, Refused[]> = {
  createPlaylist: [
    ["an empty name", (ctx) => createPlaylist(ctx, { name: " " }), "name"],
    [
      "a long description",
      (ctx) => createPlaylist(ctx, { name: "N", description: "x".repeat(501) }),
      "description",
    ],
  ],
  createSmartPlaylist: [
    ["an unknown name", (ctx) => createSmartPlaylist(ctx, raw({ name: "Best" })), "name"],
  ],
  updatePlaylist: [
    ["an empty name", async (ctx) => updatePlaylist(ctx, await own(ctx), { name: "" }), "name"],
    ["another's secret", async (ctx) => updatePlaylist(ctx, await own(ctx), raw({ listener: "other" })), ""],
  ],
  addItem: [["no whole id", async (ctx) => addItem(ctx, await own(ctx), { episodeId: 1.5 }), "episodeId"]],
  reorderItems: [
    [
      "ids that are words",
      async (ctx) => reorderItems(ctx, await own(ctx), raw({ itemIds: ["a"] })),
      "itemIds.0",
    ],
  ],
  updateProgress: [
    [
      "three days",
      (ctx) => updateProgress(ctx, 1, { progressSeconds: 259_200, completed: false }),
      "progressSeconds",
    ],
  ],
};

const byIdOfListener: Record<string, Call> = {
  deletePlaylist: (ctx) => deletePlaylist(ctx, "none"),
  removeItem: (ctx) => removeItem(ctx, "none", 1),
  removeFavorite: (ctx) => removeFavorite(ctx, 1),
  addFavorite: (ctx) => addFavorite(ctx, 1),
};

/** Commands for anyone. */
const visitors: Record<string, Refused[]> = {
  subscribe: [
    ["no address", (ctx) => subscribe(ctx, { email: "nobody" }), "email"],
    [
      "a source in words",
      (ctx) => subscribe(ctx, { email: "a@example.com", source: "The footer" }),
      "source",
    ],
  ],
  requestSignIn: [["no address", (ctx) => requestSignIn(ctx, { email: "nobody" }), "email"]],
  startCheckout: [["no offer", (ctx) => startCheckout(ctx, undefined, raw({ price: "a" })), "price"]],
  signInMember: [
    ["no token", (ctx) => signInMember(ctx, { token: "" }), "token"],
    ["a token that no one was given", (ctx) => signInMember(ctx, { token: "a" }), "token"],
  ],
  signInMemberByPasskey: [
    ["no id", (ctx) => signInMemberByPasskey(ctx, raw({})), "id"],
    ["more than an answer", (ctx) => signInMemberByPasskey(ctx, raw({ ...aPasskeyAnswer, email: "a" })), ""],
  ],
  verifySubscriber: [["no token", (ctx) => verifySubscriber(ctx, { token: "" }), "token"]],
  unsubscribe: [["a list for a token", (ctx) => unsubscribe(ctx, raw({ token: ["a"] })), "token"]],
  answerQuestion: [
    ["a token that no one was given", (ctx) => answerQuestion(ctx, { token: "a", answer: "1" }), "token"],
    ["no answer", (ctx) => answerQuestion(ctx, raw({ token: "a" })), "answer"],
    ["an answer in words", (ctx) => answerQuestion(ctx, { token: "a", answer: "Rent" }), "answer"],
  ],
  choosePreferences: [
    [
      "a token that no one was given",
      (ctx) => choosePreferences(ctx, { token: "a", choice: "all" }),
      "token",
    ],
  ],
  pauseLetters: [["a token that no one was given", (ctx) => pauseLetters(ctx, { token: "a" }), "token"]],
  forgetSubscriber: [["no token", (ctx) => forgetSubscriber(ctx, raw({})), "token"]],
  addComment: [
    ["no name", (ctx) => addComment(ctx, { ...aReadersComment, name: "" }), "name"],
    ["a box to put it into", (ctx) => addComment(ctx, raw({ ...aReadersComment, status: "approved" })), ""],
  ],
  recordEvents: [
    ["no events", (ctx) => recordEvents(ctx, { events: [] }, counting), "events"],
    [
      "a user's id",
      (ctx) => recordEvents(ctx, raw({ events: [{ ...anEvent(), userId: "1" }] }), counting),
      "events.0.userId",
    ],
  ],
  confirmComment: [["a token that no one was given", (ctx) => confirmComment(ctx, { token: "a" }), "token"]],
  deleteOwnComment: [["a list for a token", (ctx) => deleteOwnComment(ctx, raw({ token: ["a"] })), "token"]],
  submitApplication: [
    ["no consent", (ctx) => submitApplication(ctx, raw(anApplication({ consent: false }))), "consent"],
    ["a status", (ctx) => submitApplication(ctx, raw(anApplication({ status: "approved" }))), ""],
  ],
  submitMessage: [
    ["a type that is none", (ctx) => submitMessage(ctx, raw(aMessage({ type: "owner" }))), "type"],
  ],
  submitBooking: [
    [
      "a day that is past",
      (ctx) => submitBooking(ctx, raw(aBooking({ eventDate: "2020-01-01" }))),
      "eventDate",
    ],
  ],
  confirmEnquiry: [["a token that no one was given", (ctx) => confirmEnquiry(ctx, { token: "a" }), "token"]],
};

const aReadersComment = {
  contentType: "article" as const,
  contentId: 1,
  name: "N",
  email: "n@example.com",
  text: "T",
};

beforeAll(() => setComments(true));
afterAll(() => setComments(false));

/** Their permissions are tested with their behaviour. */
const withoutInput = [
  "retryDeliveries",
  "copyNow",
  "drillNow",
  "startMemberPasskeySignIn",
  "deletePaymentKeys",
  "testPaymentKeys",
  "comparePayments",
];
/** Jobs of the crons, for the owner. */
const byClock = [
  "publishDueArticles",
  "publishDueEpisodes",
  "sendDueLetters",
  "forgetChoices",
  "pruneMailEvents",
  "pruneAnalytics",
  "pruneCspReports",
  "pruneUnconfirmed",
  "pruneUnconfirmedComments",
  "pruneUnconfirmedEnquiries",
  "endPauses",
  "renderStoredTexts",
  "storeFirstGuids",
  "beginNightlyCopy",
  "beginWeeklyDrill",
  "continueBackups",
  "watchBackups",
  "pruneBin",
];
/** Commands for a signed-in member, by the token of their session. */
const byMember: Record<string, (ctx: Context, token: string | undefined) => Promise<unknown>> = {
  signOutEverywhere,
  exportAccount,
  deleteAccount,
  startMemberPasskey,
  addMemberPasskey: (ctx, token) => addMemberPasskey(ctx, token, raw({})),
  renameMemberPasskey: (ctx, token) => renameMemberPasskey(ctx, token, "none", { name: "A name" }),
  deleteMemberPasskey: (ctx, token) => deleteMemberPasskey(ctx, token, "none"),
  deleteMemberSession: (ctx, token) => deleteMemberSession(ctx, token, "none"),
  deleteMemberFeed,
  makeMemberFeed,
  openPortal,
  chooseLetters: (ctx, token) => chooseLetters(ctx, token, { wanted: true }),
  chooseTopics: (ctx, token) => chooseTopics(ctx, token, { choice: "all" }),
};
/** Take the address of a member who is signed in, or end a session without asking whose it is (member-account.test.ts). */
const afterSignIn = ["joinLetters", "leaveLetters", "chooseTopicsOf", "signOutMember"];

/** Handlers of reports about letters, which are allowed by their signature (bounces.test.ts, returned-mail.test.ts). */
const byProvider = [
  "blockBadAddresses",
  "blockSubscriber",
  "clearSoftBounces",
  "countSoftBounce",
  "takeReport",
  "takeReturnedMail",
  "unsubscribeAfterComplaint",
];
/** What a browser sends automatically: none of it is refused, since the browser ignores the answer (csp-reports.test.ts). */
const byBrowser = ["recordCspReport"];

const invalid = (field: string) => ({ code: "invalid", field: field || undefined });

beforeAll(() => setFeeds(true));

test.each(Object.entries(byMember))("%s needs a signed-in member", async (_command, call) => {
  for (const token of [undefined, "", "a"]) {
    await expect(call(visitorContext(), token)).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(call(ownerContext(), token)).rejects.toMatchObject({ code: "unauthenticated" });
  }
});

describe.each(Object.entries(owners))("%s", (command, refused) => {
  test.each(refused)("refuses %s from every actor", async (_what, call, field) => {
    await expect(call(ownerContext())).rejects.toMatchObject(invalid(field));
    await expect(call(contextOf({ kind: "job", name: "import" }))).rejects.toMatchObject(invalid(field));
  });

  test("checks the actor before the input", async () => {
    const [, call] = refused[0]!;
    await expect(call(visitorContext())).rejects.toMatchObject({ code: "unauthenticated" });
    await expect(call(await listenerContext())).rejects.toMatchObject({ code: "unauthenticated" });
    for (const role of capabilities[command] ?? ["user"]) {
      await expect(call(contextAs(role as Role)), role).rejects.toMatchObject({ code: "forbidden" });
    }
  });
});

test.each(Object.entries(byId))("%s is refused without the edit capability", async (_command, call) => {
  await expect(call(visitorContext())).rejects.toMatchObject({ code: "unauthenticated" });
  await expect(call(contextAs("user"))).rejects.toMatchObject({ code: "forbidden" });
  await expect(call(ownerContext())).rejects.toMatchObject({ code: "not_found" });
});

describe.each(Object.entries(listeners))("%s", (_command, refused) => {
  test.each(refused)("refuses %s", async (_what, call, field) => {
    await expect(call(await listenerContext())).rejects.toMatchObject(invalid(field));
  });

  test("needs a listener", async () => {
    await expect(refused[0]![1](ownerContext())).rejects.toMatchObject({ code: "bad_request" });
  });
});

test.each(Object.entries(byIdOfAudience))(
  "%s is forbidden to editors, and finds nothing",
  async (_command, call) => {
    await expect(call(visitorContext())).rejects.toMatchObject({ code: "unauthenticated" });
    for (const role of ["user", "editor"] as const) {
      await expect(call(contextAs(role)), role).rejects.toMatchObject({ code: "forbidden" });
    }
    await expect(call(ownerContext())).rejects.toMatchObject({ code: "not_found" });
  },
);

test.each(Object.entries(byIdOfListener))("%s needs a listener", async (_command, call) => {
  await expect(call(ownerContext())).rejects.toMatchObject({ code: "bad_request" });
});

describe.each(Object.entries(visitors))("%s", (_command, refused) => {
  test.each(refused)("refuses %s", async (_what, call, field) => {
    await expect(call(visitorContext())).rejects.toMatchObject(invalid(field));
  });
});

test("updatePage refuses a page that does not exist", async () => {
  await expect(updatePage(ownerContext(), raw("nowhere"), raw({}))).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a command stores the parsed input, not the raw one", async () => {
  const campaign = await createCampaign(ownerContext(), {
    title: " Sign ",
    embedUrl: "https://a.example/",
  });
  expect(campaign.values.title).toBe("Sign");
  const { values } = await createEpisode(ownerContext(), anEpisode({ title: " Trimmed ", youtubeUrl: "" }));
  expect(values).toMatchObject({ title: "Trimmed", youtubeUrl: null });
});

test("every command of these nouns is listed here", () => {
  const sources = import.meta.glob<string>(["../worker/*/*commands.ts", "../worker/*/*/*commands.ts"], {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const found = Object.entries(sources)
    .filter(([path]) => !path.includes("/accounts/"))
    .flatMap(([, source]) => [...source.matchAll(/^export (?:async )?(?:function|const) ([a-z]\w+)/gm)])
    .map(([, name]) => name);
  const named = [owners, byId, byIdOfAudience, byMember, listeners, byIdOfListener, visitors].flatMap(
    (group) => Object.keys(group),
  );
  expect(found.length).toBeGreaterThan(20);
  const commands = [
    ...named,
    ...byClock,
    ...byProvider,
    ...byBrowser,
    ...afterSignIn,
    ...withoutInput,
  ].filter((name) => name !== "checkEpisode");
  expect(commands.toSorted()).toEqual(found.toSorted());
});
