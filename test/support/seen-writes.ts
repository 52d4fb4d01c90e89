import {
  createArticle,
  createCategory,
  deleteArticle,
  deleteCategory,
  updateArticle,
  updateCategory,
} from "#worker/articles/commands.ts";
import { eraseItem, restoreItem } from "#worker/bin/commands.ts";
import { takeReport, takeReturnedMail } from "#worker/bounces/commands.ts";
import {
  createCampaign,
  deleteCampaign,
  reorderCampaigns,
  updateCampaign,
} from "#worker/campaigns/commands.ts";
import { listAllCampaigns } from "#worker/campaigns/owner-queries.ts";
import { deleteOwnComment } from "#worker/comments/commands.ts";
import { deleteComments } from "#worker/comments/owner-commands.ts";
import { updateEnquiry } from "#worker/enquiries/owner/commands.ts";
import { bookEngagement } from "#worker/enquiries/owner/engagement-commands.ts";
import { addGuest } from "#worker/enquiries/owner/guest-commands.ts";
import { sendEnquiryMail } from "#worker/enquiries/owner/mail-commands.ts";
import { cancelRecording } from "#worker/enquiries/owner/recording.ts";
import { createEpisode, deleteEpisode, updateEpisode } from "#worker/episodes/commands.ts";
import { updateShow } from "#worker/episodes/show-commands.ts";
import { deleteFile } from "#worker/files/commands.ts";
import { replaceFile, updateFile } from "#worker/files/library/commands.ts";
import { paymentKeys, paymentSetup } from "#worker/payments/table.ts";
import { compareFeeds, takeOverShow } from "#worker/imports/feed/after-commands.ts";
import { createFeedImport } from "#worker/imports/feed/commands.ts";
import { signUnsubscribes } from "#worker/newsletter/unsubscribe-tokens.ts";
import { updateLetter } from "#worker/letters/commands.ts";
import { sendLetter } from "#worker/letters/sending-commands.ts";
import { filePlaces, fileReferences } from "#worker/nouns/list.ts";
import { updatePage } from "#worker/pages/commands.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import {
  comparePayments,
  createTierPrice,
  deletePaymentKeys,
  deleteTierPrice,
  savePaymentKeys,
} from "#worker/payments/commands.ts";
import { takeStripeNotice } from "#worker/payments/notices.ts";
import type { Context } from "#worker/platform/context.ts";
import { createPlaylist, deletePlaylist, updatePlaylist } from "#worker/playlists/commands.ts";
import { addItem, removeItem, reorderItems } from "#worker/playlists/item-commands.ts";
import { listenerOf } from "#worker/playlists/listener.ts";
import { readPlaylist } from "#worker/playlists/queries.ts";
import { createPressItem, deletePressItem, updatePressItem } from "#worker/press/commands.ts";
import { retryPing } from "#worker/publications/commands.ts";
import { publications } from "#worker/publications/table.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { createSocialPost, deleteSocialPost, updateSocialPost } from "#worker/social/commands.ts";
import { createEngagement, deleteEngagement, updateEngagement } from "#worker/speaking/commands.ts";
import { createProfile, deleteProfile, updateProfile } from "#worker/profiles/commands.ts";
import { createVenture, deleteVenture, reorderVentures, updateVenture } from "#worker/ventures/commands.ts";
import { listVentures } from "#worker/ventures/owner-queries.ts";
import { publishedArticle } from "./articles.ts";
import { jobContext, ownerContext, visitorContext } from "./client.ts";
import { aComment, waitingComment } from "./comments.ts";
import { savedEnquiry } from "./enquiries.ts";
import { anEpisode, aPressItem, aShow, publishedEpisode, savedShow, storedImage } from "./factories.ts";
import { fillPlaylist, listenerId } from "./listeners.ts";
import { savedLetter } from "./letters.ts";
import { anItem, mover, servedFeed } from "./moving.ts";
import { aLetterTo, subscribed } from "./sending.ts";
import { anyTier } from "./members.ts";
import { confirmed } from "./newsletter.ts";
import { anAddress } from "./people.ts";
import { anEvent, aPrice, aSubscription, aTierPrice, atStripe, notice, stripeAccount } from "./stripe.ts";
import { failedRow, type ValidWrite } from "./valid-writes.ts";

const owner = () => ownerContext();
const draftKey = () => crypto.randomUUID();
const word = () => `Word ${crypto.randomUUID()}`;
const CAMPAIGN = "https://example.org/petition";

const commentToDecide = async () => waitingComment(aComment((await publishedArticle()).id));
const aPost = () => ({ platform: "linkedin" as const, author: "A", content: word(), date: Date.now() });

/** The import of a feed that has been read. */
async function plannedImport() {
  await savedShow();
  const url = await servedFeed([anItem({ seed: draftKey() })]);
  return createFeedImport(mover(), { url });
}

/** A notice of a new subscription. */
async function aPaidNotice() {
  const { account, price } = await aTierPrice();
  const subscription = aSubscription({ price, email: anAddress() });
  await account.store(subscription);
  return notice(anEvent("customer.subscription.created", { id: subscription.id }));
}

const DAY = 86_400_000;

/** A listener with a playlist of two episodes. */
async function aPlaylist() {
  const listener = await listenerOf(listenerId());
  const as = (ctx: Context): Context => ({ ...ctx, actor: listener });
  const own = visitorContext({ actor: listener });
  const { id } = await createPlaylist(own, { name: "A list", isPublic: true });
  const episodes = [(await publishedEpisode()).id, (await publishedEpisode()).id];
  await fillPlaylist(id, episodes);
  const { items } = await readPlaylist(own, id);
  return { as, id, episodes, itemIds: items.map((item) => item.id) };
}

/**
 * A valid call of each other command that a request makes: those of `invalidating-writes.ts` depend on each other, and these
 * prepare what they change. Creations have the key that a form sends.
 */
export const seenWrites: Record<string, () => Promise<ValidWrite>> = {
  createEpisode: async () => {
    const input = { ...anEpisode({ status: "published" }), draftKey: draftKey() };
    return (ctx) => createEpisode(ctx, input);
  },
  updateEpisode: async () => {
    const { id } = await publishedEpisode();
    return (ctx) => updateEpisode(ctx, id, { title: "Renamed" });
  },
  deleteEpisode: async () => {
    const { id } = await publishedEpisode();
    return (ctx) => deleteEpisode(ctx, id);
  },
  addGuest: async () => {
    const { id } = await savedEnquiry("application");
    await updateEnquiry(owner(), "application", id, { status: "approved" });
    const { id: episodeId } = await publishedEpisode();
    return (ctx) => addGuest(ctx, id, { episodeId });
  },
  updateShow: async () => {
    await savedShow();
    const show = aShow({ title: word() });
    return (ctx) => updateShow(ctx, show);
  },
  createArticle: async () => {
    const input = { title: word(), status: "published" as const, draftKey: draftKey() };
    return (ctx) => createArticle(ctx, input);
  },
  updateArticle: async () => {
    const { id } = await publishedArticle();
    return (ctx) => updateArticle(ctx, id, { title: "Renamed" });
  },
  deleteArticle: async () => {
    const { id } = await publishedArticle();
    return (ctx) => deleteArticle(ctx, id);
  },
  createCategory: async () => {
    const name = word();
    return (ctx) => createCategory(ctx, { name });
  },
  updateCategory: async () => {
    const { id } = await createCategory(owner(), { name: word() });
    const name = word();
    return (ctx) => updateCategory(ctx, id, { name });
  },
  deleteCategory: async () => {
    const { id } = await createCategory(owner(), { name: word() });
    return (ctx) => deleteCategory(ctx, id);
  },
  updateFile: async () => {
    const { id } = await storedImage();
    return (ctx) => updateFile(ctx, id, { alt: "A map" }, { references: fileReferences, places: filePlaces });
  },
  replaceFile: async () => {
    const [{ id }, { id: by }] = [await storedImage(), await storedImage()];
    await createArticle(owner(), { title: word(), imageFileId: id });
    return (ctx) => replaceFile(ctx, id, { by }, filePlaces);
  },

  createPressItem: async () => {
    const input = { ...aPressItem(), draftKey: draftKey() };
    return (ctx) => createPressItem(ctx, input);
  },
  updatePressItem: async () => {
    const { id } = await createPressItem(owner(), aPressItem());
    return (ctx) => updatePressItem(ctx, id, { title: "Renamed" });
  },
  deletePressItem: async () => {
    const { id } = await createPressItem(owner(), aPressItem());
    return (ctx) => deletePressItem(ctx, id);
  },
  createCampaign: async () => {
    const input = { title: "Sign", embedUrl: CAMPAIGN, draftKey: draftKey() };
    return (ctx) => createCampaign(ctx, input);
  },
  updateCampaign: async () => {
    const { id } = await createCampaign(owner(), { title: "Sign", embedUrl: CAMPAIGN });
    return (ctx) => updateCampaign(ctx, id, { title: "Renamed" });
  },
  deleteCampaign: async () => {
    const { id } = await createCampaign(owner(), { title: "Sign", embedUrl: CAMPAIGN });
    return (ctx) => deleteCampaign(ctx, id);
  },
  createProfile: async () => {
    const input = { name: `Ada ${word()}`, draftKey: draftKey() };
    return (ctx) => createProfile(ctx, input);
  },
  updateProfile: async () => {
    const { id } = await createProfile(owner(), { name: `Ada ${word()}` });
    return (ctx) => updateProfile(ctx, id, { about: "She writes." });
  },
  deleteProfile: async () => {
    const { id } = await createProfile(owner(), { name: `Ada ${word()}` });
    return (ctx) => deleteProfile(ctx, id);
  },
  createVenture: async () => {
    const input = { name: "New", description: "One more.", draftKey: draftKey() };
    return (ctx) => createVenture(ctx, input);
  },
  updateVenture: async () => {
    const { id } = await createVenture(owner(), { name: "New", description: "One more." });
    return (ctx) => updateVenture(ctx, id, { name: "Renamed" });
  },
  deleteVenture: async () => {
    const { id } = await createVenture(owner(), { name: "New", description: "One more." });
    return (ctx) => deleteVenture(ctx, id);
  },
  createEngagement: async () => {
    const input = { title: "A talk", draftKey: draftKey() };
    return (ctx) => createEngagement(ctx, input);
  },
  updateEngagement: async () => {
    const { id } = await createEngagement(owner(), { title: "A talk" });
    return (ctx) => updateEngagement(ctx, id, { venue: "Elder Hall" });
  },
  deleteEngagement: async () => {
    const { id } = await createEngagement(owner(), { title: "A talk" });
    return (ctx) => deleteEngagement(ctx, id);
  },
  bookEngagement: async () => {
    const { id } = await savedEnquiry("booking");
    return (ctx) => bookEngagement(ctx, id);
  },
  createSocialPost: async () => {
    const input = { ...aPost(), draftKey: draftKey() };
    return (ctx) => createSocialPost(ctx, input);
  },
  updateSocialPost: async () => {
    const { id } = await createSocialPost(owner(), aPost());
    return (ctx) => updateSocialPost(ctx, id, { content: "Said again." });
  },
  deleteSocialPost: async () => {
    const { id } = await createSocialPost(owner(), aPost());
    return (ctx) => deleteSocialPost(ctx, id);
  },

  reorderCampaigns: async () => {
    const listed = async () => (await listAllCampaigns(owner())).items.map(({ id }) => id);
    while ((await listed()).length < 2) await createCampaign(owner(), { title: word(), embedUrl: CAMPAIGN });
    const ids = await listed();
    await reorderCampaigns(owner(), { ids });
    return (ctx) => reorderCampaigns(ctx, { ids: ids.toReversed() });
  },
  reorderVentures: async () => {
    const listed = async () => (await listVentures(owner())).items.map(({ id }) => id);
    while ((await listed()).length < 2)
      await createVenture(owner(), { name: word(), description: "One more." });
    const ids = await listed();
    await reorderVentures(owner(), { ids });
    return (ctx) => reorderVentures(ctx, { ids: ids.toReversed() });
  },
  restoreItem: async () => {
    const { id } = await createPressItem(owner(), aPressItem());
    await deletePressItem(owner(), id);
    return (ctx) => restoreItem(ctx, `press:${id}`);
  },
  eraseItem: async () => {
    const { id } = await storedImage();
    await deleteFile(owner(), id, fileReferences);
    return (ctx) => eraseItem(ctx, `file:${id}`);
  },
  retryPing: async () => {
    const [{ id: itemId }, pingId] = [await publishedArticle(), await failedRow()];
    await jobContext()
      .db.insert(publications)
      .values({ kind: "article", itemId, wentOutAt: new Date(), isPlanned: false, pingId })
      .onConflictDoUpdate({ target: [publications.kind, publications.itemId], set: { pingId } });
    return (ctx) => retryPing(ctx, "article", itemId);
  },
  cancelRecording: async () => {
    const { id } = await savedEnquiry("application");
    const recording = { at: Date.now() + 2 * DAY, minutes: 60, place: "Studio 1" };
    await sendEnquiryMail(owner(), "application", id, { subject: "Record", message: "Come.", recording });
    return (ctx) => cancelRecording(ctx, id);
  },
  takeReport: async () => {
    const { email } = await confirmed();
    const event = { type: "email.complained", data: { email_id: "", to: [email] } };
    const id = draftKey();
    return (ctx) => takeReport(ctx, { id, event });
  },
  takeStripeNotice: async () => {
    const sent = await aPaidNotice();
    return (ctx) => takeStripeNotice(atStripe(ctx), sent);
  },
  savePaymentKeys: async () => {
    const { db } = jobContext();
    await db.batch([db.delete(paymentKeys), db.delete(paymentSetup)]);
    const keys = { apiKey: "sk_test_abc", webhookSecret: "whsec_1" };
    return (ctx) => savePaymentKeys(atStripe(ctx), keys);
  },
  deletePaymentKeys: async () => {
    await stripeAccount();
    return deletePaymentKeys;
  },
  createTierPrice: async () => {
    const [account, price] = [await stripeAccount(), aPrice()];
    await account.store(price);
    const tierId = await anyTier();
    return (ctx) => createTierPrice(atStripe(ctx), { tierId, price: price.id });
  },
  deleteTierPrice: async () => {
    const { id } = await aTierPrice();
    return (ctx) => deleteTierPrice(ctx, id);
  },
  comparePayments: async () => {
    await stripeAccount();
    return (ctx) => comparePayments(atStripe(ctx));
  },
  takeReturnedMail: async () => {
    const { id } = await confirmed();
    const [token] = await signUnsubscribes(owner(), [id]);
    return (ctx) => takeReturnedMail(ctx, { kind: "complained", token: token! });
  },

  deleteComments: async () => {
    const { id } = await commentToDecide();
    return (ctx) => deleteComments(ctx, { ids: [id] });
  },
  deleteOwnComment: async () => {
    const { token } = await commentToDecide();
    return (ctx) => deleteOwnComment({ ...ctx, actor: { kind: "visitor" } }, { token });
  },

  updateLetter: async () => {
    const { id } = await savedLetter();
    return (ctx) => updateLetter(ctx, id, { subject: "New" });
  },
  sendLetter: async () => {
    const { domain } = await subscribed([{}, {}]);
    const { id } = await aLetterTo(domain);
    return (ctx) => sendLetter(ctx, id, {});
  },
  updatePage: async () => {
    await updatePage(owner(), "contact", { ...pageDefaults.contact, headline: word() });
    const input = { ...pageDefaults.contact, headline: word() };
    return (ctx) => updatePage(ctx, "contact", input);
  },
  updateSite: async () => {
    const name = word();
    return (ctx) => updateSite(ctx, { name });
  },
  createFeedImport: async () => {
    const url = await servedFeed([anItem({ seed: draftKey() }), anItem({ seed: draftKey() })]);
    return (ctx) => createFeedImport({ ...ctx, config: mover().config }, { url });
  },
  takeOverShow: async () => {
    const { id } = await plannedImport();
    return (ctx) => takeOverShow({ ...ctx, config: mover().config }, id, { facts: ["title"] });
  },
  compareFeeds: async () => {
    const { id } = await plannedImport();
    return (ctx) => compareFeeds({ ...ctx, config: mover().config }, id);
  },

  createPlaylist: async () => {
    const { as } = await aPlaylist();
    return (ctx) => createPlaylist(as(ctx), { name: "Another" });
  },
  updatePlaylist: async () => {
    const { as, id } = await aPlaylist();
    return (ctx) => updatePlaylist(as(ctx), id, { name: "Renamed" });
  },
  deletePlaylist: async () => {
    const { as, id } = await aPlaylist();
    return (ctx) => deletePlaylist(as(ctx), id);
  },
  addItem: async () => {
    const { as, id } = await aPlaylist();
    const { id: episodeId } = await publishedEpisode();
    return (ctx) => addItem(as(ctx), id, { episodeId });
  },
  removeItem: async () => {
    const { as, id, episodes } = await aPlaylist();
    return (ctx) => removeItem(as(ctx), id, episodes[0]!);
  },
  reorderItems: async () => {
    const { as, id, itemIds } = await aPlaylist();
    return (ctx) => reorderItems(as(ctx), id, { itemIds: itemIds.toReversed() });
  },
};
