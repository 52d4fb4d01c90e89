import { createToken, deleteToken } from "#worker/accounts/token-commands.ts";
import { confirmIdentity } from "#worker/accounts/identity-commands.ts";
import { changeAddress, changePassword, updateAccount } from "#worker/accounts/account-commands.ts";
import { accountLink } from "#worker/accounts/account-links.ts";
import {
  addPasskey,
  deletePasskey,
  renamePasskey,
  signInByPasskey,
} from "#worker/accounts/passkey-commands.ts";
import { replaceSigningKey } from "#worker/accounts/key-commands.ts";
import { userHandleOf } from "#worker/accounts/passkeys.ts";
import { acceptInvitation, resetPassword } from "#worker/accounts/password-commands.ts";
import { denyAction } from "#worker/accounts/denial-commands.ts";
import { newRecoveryCodes } from "#worker/accounts/recovery-codes.ts";
import { requestReset, requestVerification } from "#worker/accounts/request-commands.ts";
import { deleteOtherSessions, deleteSession, logIn, logOut } from "#worker/accounts/session-commands.ts";
import { signHalfSignIn } from "#worker/accounts/second-factor.ts";
import {
  disableSecondFactor,
  enableSecondFactor,
  replaceRecoveryCodes,
  resetSecondFactor,
  signInByCode,
  startSecondFactor,
  updateFactorRules,
} from "#worker/accounts/second-factor-commands.ts";
import { confirmVerification, setUpAdmin } from "#worker/accounts/setup-commands.ts";
import { factorRules, loginAttempts, users } from "#worker/accounts/table.ts";
import { createUser, deleteUser, resendInvitation, updateUser } from "#worker/accounts/user-commands.ts";
import {
  createArticlePreviewLink,
  deleteArticlePreviewLink,
  updateArticle,
} from "#worker/articles/commands.ts";
import { restoreArticle } from "#worker/articles/restore-commands.ts";
import {
  createAutomaticLetter,
  deleteAutomaticLetter,
  updateAutomaticLetter,
} from "#worker/automatic-letters/commands.ts";
import { addComment, confirmComment } from "#worker/comments/commands.ts";
import { answerComment, moderateComments } from "#worker/comments/owner-commands.ts";
import {
  addTick,
  dismissDelivery,
  dismissMessage,
  removeTick,
  retryDeliveries,
  retryDelivery,
  retryMessage,
} from "#worker/desk/commands.ts";
import { recordCspReport } from "#worker/csp-reports/commands.ts";
import { cspReports } from "#worker/csp-reports/table.ts";
import { confirmEnquiry } from "#worker/enquiries/confirm-commands.ts";
import { CONFIRM_PURPOSE } from "#worker/enquiries/mails.ts";
import { deleteEnquiry, updateEnquiry } from "#worker/enquiries/owner/commands.ts";
import { createGuest } from "#worker/enquiries/owner/guest-commands.ts";
import { sendEnquiryMail } from "#worker/enquiries/owner/mail-commands.ts";
import { submitApplication, submitBooking, submitMessage } from "#worker/enquiries/submit-commands.ts";
import {
  createEpisodePreviewLink,
  deleteEpisodePreviewLink,
  updateEpisode,
} from "#worker/episodes/commands.ts";
import { duplicateEpisode } from "#worker/episodes/duplicate-commands.ts";
import { restoreEpisode } from "#worker/episodes/restore-commands.ts";
import { completeUpload, createUpload, deleteFile, storePeaks, uploadPart } from "#worker/files/commands.ts";
import { importArticles } from "#worker/imports/batch/commands.ts";
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
import { importItems, imports } from "#worker/imports/table.ts";
import { undoImport } from "#worker/imports/undo-commands.ts";
import { answerQuestion, closeQuestion } from "#worker/letters/answer-commands.ts";
import { answerSigner } from "#worker/letters/answer-tokens.ts";
import { createLetter, deleteLetter, duplicateLetter } from "#worker/letters/commands.ts";
import {
  cancelLetter,
  pauseLetter,
  resendUncertain,
  resumeLetter,
  unscheduleLetter,
} from "#worker/letters/sending-commands.ts";
import { deliveries } from "#worker/letters/table.ts";
import {
  forgetSubscriber,
  choosePreferences,
  pauseLetters,
  subscribe,
  unsubscribe,
  verifySubscriber,
} from "#worker/newsletter/commands.ts";
import { askImported, importSubscribers } from "#worker/newsletter/import-commands.ts";
import {
  chooseLetters,
  chooseTopics,
  deleteAccount,
  deleteMemberSession,
  requestSignIn,
  signInMember,
  signOutEverywhere,
  signOutMember,
} from "#worker/members/account/commands.ts";
import {
  addMemberPasskey,
  deleteMemberPasskey,
  renameMemberPasskey,
  signInMemberByPasskey,
  startMemberPasskey,
  startMemberPasskeySignIn,
} from "#worker/members/account/passkey-commands.ts";
import { deleteMemberFeed, makeMemberFeed, revokeMemberFeed } from "#worker/members/feed/commands.ts";
import { createMember, deleteMember, endMember, updateMember } from "#worker/members/owner-commands.ts";
import { createTopic, deleteTopic, reorderTopics, updateTopic } from "#worker/topics/commands.ts";
import { createTier, deleteTier, reorderTiers, updateTier } from "#worker/members/tier-commands.ts";
import { listTiers } from "#worker/members/tier-queries.ts";
import { createSubscriber, deleteSubscriber, updateSubscriber } from "#worker/newsletter/owner-commands.ts";
import { signUnsubscribe } from "#worker/newsletter/unsubscribe-tokens.ts";
import { fileReferences } from "#worker/nouns/list.ts";
import { restorePage } from "#worker/pages/restore-commands.ts";
import { updatePage } from "#worker/pages/commands.ts";
import { pageDefaults } from "#worker/pages/defaults.ts";
import { sha256 } from "#worker/platform/data/random.ts";
import { deletePerson } from "#worker/people/commands.ts";
import type { Actor, Context } from "#worker/platform/context.ts";
import { signLink } from "#worker/platform/http/signed.ts";
import { deadLetters, outbox, signingKeys } from "#worker/platform/table.ts";
import { createSmartPlaylist } from "#worker/playlists/commands.ts";
import { addFavorite, removeFavorite, updateProgress } from "#worker/playlists/listening-commands.ts";
import { listRevisions } from "#worker/revisions/queries.ts";
import {
  acceptTranscription,
  changeTranscriptionKey,
  continueTranscription,
  discardTranscription,
  startTranscription,
} from "#worker/transcription/commands.ts";
import {
  changeProposalKey,
  continueProposals,
  decideProposal,
  discardProposals,
  startProposals,
} from "#worker/proposals/commands.ts";
import { proposalKeys, proposalRuns, proposals } from "#worker/proposals/table.ts";
import { transcriptionKeys, transcriptions } from "#worker/transcription/table.ts";
import {
  createWebhook,
  deleteWebhook,
  resendDelivery,
  rotateSecret,
  sendTestEvent,
  updateWebhook,
} from "#worker/webhooks/commands.ts";
import { webhooks } from "#worker/webhooks/table.ts";
import { newChallenge } from "#worker/webauthn/ceremonies.ts";
import { updateSite } from "#worker/settings/commands.ts";
import { siteDefaults } from "#worker/settings/contract.ts";
import { eq } from "drizzle-orm";
import { inject } from "vitest";
import { addUser, anAddress, aUser, CHOSEN, openSessionOf, PASSWORD, signedInAs } from "./accounts.ts";
import { publishedArticle } from "./articles.ts";
import { makeAuthenticator, type Authenticator } from "./authenticator.ts";
import { jobContext, openSession, ownerContext, visitorContext } from "./client.ts";
import { aComment, commentRow, written } from "./comments.ts";
import { savedEnquiry } from "./enquiries.ts";
import { publishedEpisode, storedAudio, storedImage } from "./factories.ts";
import {
  aMember,
  aMemberWithFeed,
  anyTier,
  aSignedInMember,
  aTier,
  deleteUnusedTiers,
  linkFor,
  setAccounts,
  setFeeds,
} from "./members.ts";
import { aTopic, deleteTopics } from "./topics.ts";
import { aBooking, aMessage, anApplication } from "./forms.ts";
import { openImport, startedImport } from "./imports.ts";
import { savedLetter, setLetter } from "./letters.ts";
import { listenerId } from "./listeners.ts";
import { listenerOf } from "#worker/playlists/listener.ts";
import { makeMp3 } from "./mp3.ts";
import { confirmed, jobs, waiting } from "./newsletter.ts";
import { askedLetter, SMTP, startedLetter } from "./sending.ts";
import { bodyOf } from "./upload.ts";
import { codeAt } from "./totp.ts";

/** A call of a command. If it fails and has written nothing, it may be made again. */
export type ValidWrite = (ctx: Context) => Promise<unknown>;

type User = Awaited<ReturnType<typeof addUser>>;
type Subject = Parameters<typeof accountLink>[2];

const { db } = jobContext();
/** At a name that is never resolved (RFC 2606). */
/** An episode whose transcription is in this state, or has not begun. */
async function transcribed(state?: "stopped" | "ready") {
  const transcription = {
    ...siteDefaults.transcription,
    service: "server" as const,
    url: "https://models.example.org",
  };
  await updateSite(ownerContext(), { transcription });
  const { id } = await publishedEpisode();
  if (!state) return id;
  await startTranscription(ownerContext({ jobs }), id, {});
  await ownerContext()
    .db.update(transcriptions)
    .set({ state, step: 1 })
    .where(eq(transcriptions.episodeId, id));
  return id;
}

/** An episode whose proposals are in this state, or were not asked for. */
async function proposed(state?: "stopped" | "ready") {
  const settings = {
    ...siteDefaults.proposals,
    service: "server" as const,
    url: "https://models.example.org",
  };
  await updateSite(ownerContext(), { proposals: settings });
  const transcript = "WEBVTT\n\n00:00:01.000 --> 00:00:03.000\nGood morning.\n";
  const { id } = await publishedEpisode({ transcript });
  if (!state) return { id, proposal: 0 };
  const run = await startProposals(ownerContext({ jobs }), id);
  await db.update(proposalRuns).set({ state, step: 1 }).where(eq(proposalRuns.id, run.id));
  const content = { kind: "title" as const, text: "Morning", passages: [] };
  const [made] = await db
    .insert(proposals)
    .values({ runId: run.id, state: "open", content })
    .returning({ id: proposals.id });
  return { id, proposal: made!.id };
}

const aWebhook = () => ({
  url: `https://hooks.example/${crypto.randomUUID()}`,
  description: "",
  events: ["letter.sent" as const],
});
/** The only one, since a site has a limit of them; its receiver accepts events. */
async function onlyWebhook() {
  await db.delete(webhooks);
  const ctx = ownerContext();
  const onLoopback = { ...ctx, config: { ...ctx.config, loopback: true } };
  const url = `http://127.0.0.1:${inject("webhooks")}/${crypto.randomUUID()}/ok`;
  return (await createWebhook(onLoopback, { ...aWebhook(), url })).webhook;
}

const VISITOR: Actor = { kind: "visitor" };

const asVisitor =
  (write: ValidWrite): ValidWrite =>
  (ctx) =>
    write({ ...ctx, actor: VISITOR });

const as =
  ({ id, email, fullName, role }: User, write: ValidWrite): ValidWrite =>
  (ctx) =>
    write({
      ...ctx,
      actor: {
        kind: "user",
        id,
        email,
        fullName,
        role,
        sessionId: `session of ${id}`,
        authenticatedAt: ctx.now,
      },
    });

const asListener =
  (listener: Actor, write: ValidWrite): ValidWrite =>
  (ctx) =>
    write({ ...ctx, actor: listener });

const aNewListener = () => listenerOf(listenerId());

const withMailServer =
  (write: ValidWrite): ValidWrite =>
  (ctx) =>
    write({ ...ctx, config: { ...ctx.config, smtpUrl: SMTP } });

const tokenOf = async (purpose: Parameters<typeof accountLink>[1], user: User) =>
  new URL(
    await accountLink(visitorContext(), purpose, { pendingEmail: null, ...user } as Subject),
  ).searchParams.get("token") ?? "";

const unsubscribeToken = async () => signUnsubscribe(visitorContext(), await confirmed());

async function storePasskey(ctx: Context, user: User, authenticator: Authenticator) {
  const challenge = await newChallenge(jobContext(), "passkey-addition", user.id);
  return addPasskey(ctx, await authenticator.create({ challenge, user: { id: userHandleOf(user) } }));
}

/** A user with a passkey. */
export async function withPasskey() {
  const [user, authenticator] = [await addUser(), await makeAuthenticator()];
  await openSessionOf(user);
  const passkey = await storePasskey(signedInAs(user), user, authenticator);
  return { user, authenticator, passkey };
}

/** A signed-in member with a passkey. */
async function aMemberWithPasskey() {
  await setAccounts(true);
  const [member, authenticator] = [await aSignedInMember(), await makeAuthenticator()];
  const answer = await authenticator.create(await startMemberPasskey(jobContext(), member.token));
  const passkey = await addMemberPasskey(visitorContext({ jobs }), member.token, answer);
  return { ...member, authenticator, passkey };
}

/** A user with an authenticator app, which was switched on by the code of an earlier step. */
async function withApp() {
  const user = await addUser();
  await openSessionOf(user);
  const ctx = signedInAs(user, { now: new Date(Date.now() - 600_000) });
  const { secret } = await startSecondFactor(ctx);
  await enableSecondFactor(ctx, { code: codeAt(secret, ctx.now.getTime()) });
  return user;
}

/** An invited user. */
const invited = () => addUser({ passwordHash: null, emailVerified: false });

/** A delivery that has failed for good. */
export async function failedRow() {
  const id = crypto.randomUUID();
  const now = new Date();
  await db
    .insert(outbox)
    .values({ id, topic: "mail", payload: {}, createdAt: now, notBefore: now, attempts: 8, failedAt: now });
  return id;
}

async function deadLetter(body: object) {
  const id = crypto.randomUUID();
  await db.insert(deadLetters).values({ id, queue: "rostrum-jobs", body, arrivedAt: new Date() } as never);
  return id;
}

const setImport = (id: number, columns: Partial<typeof imports.$inferInsert>) =>
  db.update(imports).set(columns).where(eq(imports.id, id));

async function importWithItems(state: string, itemState: string) {
  const id = await startedImport(2);
  await setImport(id, { state: state as never, failed: itemState === "failed" ? 2 : 0 });
  await db
    .update(importItems)
    .set({ state: itemState as never, result: String((await publishedArticle()).id) })
    .where(eq(importItems.importId, id));
  return id;
}

async function sentLetter(deliveryStatus: "uncertain" | "queued") {
  const { id } = await startedLetter([{}, {}]);
  await db.update(deliveries).set({ status: deliveryStatus }).where(eq(deliveries.letterId, id));
  return id;
}

const aPart = makeMp3({ seconds: 1 });

/** An upload of one part. */
const begun = () =>
  createUpload(ownerContext(), { name: "a.mp3", type: "", folder: "podcast-audio", size: aPart.length });

async function received() {
  const { id } = await begun();
  await uploadPart(ownerContext(), { id, number: 1, body: bodyOf(aPart) });
  return id;
}

async function revisionOf(kind: "article" | "episode" | "page", item: number | string) {
  const { items } = await listRevisions(ownerContext(), { kind, item } as never);
  return items.at(-1)!.id;
}

/**
 * A valid call of each command that `invalidating-writes.ts` does not make, prepared before any fault. The actor is the
 * owner unless the call has another one.
 */
export const validWrites: Record<string, () => Promise<ValidWrite>> = {
  setUpAdmin: async () => {
    await db.delete(users);
    return asVisitor((ctx) =>
      setUpAdmin(ctx, { email: ctx.config.adminEmail, fullName: "The Owner", password: CHOSEN }),
    );
  },
  confirmVerification: async () => {
    await db.delete(users);
    const { adminEmail } = jobContext().config;
    const user = await addUser({
      email: adminEmail,
      role: "super_admin",
      emailVerified: false,
      isActive: false,
    });
    const token = await tokenOf("verify-user", user);
    return asVisitor((ctx) => confirmVerification(ctx, { token, password: PASSWORD }));
  },
  updateAccount: async () => {
    const user = await addUser();
    return as(user, (ctx) => updateAccount(ctx, { fullName: "Renamed" }));
  },
  changeAddress: async () => {
    const [user, email] = [await addUser(), anAddress()];
    return as(user, (ctx) => changeAddress(ctx, { email, currentPassword: PASSWORD }));
  },
  changePassword: async () => {
    const user = await addUser();
    return as(user, (ctx) => changePassword(ctx, { currentPassword: PASSWORD, password: CHOSEN }));
  },
  resetPassword: async () => {
    const token = await tokenOf("reset-password", await addUser());
    return asVisitor((ctx) => resetPassword(ctx, { token, password: CHOSEN }));
  },
  denyAction: async () => {
    const token = await tokenOf("not-me", await addUser());
    return asVisitor((ctx) => denyAction(ctx, { token }));
  },
  acceptInvitation: async () => {
    const token = await tokenOf("invite", await invited());
    return asVisitor((ctx) => acceptInvitation(ctx, { token, password: CHOSEN }));
  },
  requestReset: async () => {
    const { email } = await addUser();
    return asVisitor((ctx) => requestReset(ctx, { email }));
  },
  requestVerification: async () => {
    const { email } = await invited();
    return asVisitor((ctx) => requestVerification(ctx, { email }));
  },
  logIn: async () => {
    const user = await addUser();
    const replaced = await openSession(jobContext(), user);
    return asVisitor((ctx) => logIn(ctx, { email: user.email, password: PASSWORD }, replaced));
  },
  signInByPasskey: async () => {
    const { user, authenticator } = await withPasskey();
    const replaced = await openSession(jobContext(), user);
    return asVisitor(async (ctx) => {
      const challenge = await newChallenge(jobContext(), "passkey-sign-in", "anyone");
      return signInByPasskey(ctx, await authenticator.get({ challenge }), replaced);
    });
  },
  confirmIdentity: async () => {
    const { user, authenticator } = await withPasskey();
    await openSessionOf(user);
    return as(user, async (ctx) => {
      const challenge = await newChallenge(jobContext(), "passkey-sign-in", "anyone");
      return confirmIdentity(ctx, { passkey: await authenticator.get({ challenge }) });
    });
  },
  signInByCode: async () => {
    const user = await withApp();
    const replaced = await openSession(jobContext(), user);
    const { codes, statements } = await newRecoveryCodes(jobContext(), user);
    await db.batch(statements);
    return asVisitor(async (ctx) => {
      await db.delete(loginAttempts);
      const signIn = await signHalfSignIn(jobContext(), user);
      return signInByCode(ctx, { signIn, code: codes[0]! }, replaced);
    });
  },
  startSecondFactor: async () => as(await addUser(), startSecondFactor),
  enableSecondFactor: async () => {
    const user = await addUser();
    await openSessionOf(user);
    const { secret } = await startSecondFactor(signedInAs(user));
    return as(user, async (ctx) => {
      // Each call that fails leaves an attempt.
      await db.delete(loginAttempts);
      return enableSecondFactor(ctx, { code: codeAt(secret, ctx.now.getTime()) });
    });
  },
  disableSecondFactor: async () => as(await withApp(), disableSecondFactor),
  replaceRecoveryCodes: async () => as(await withApp(), replaceRecoveryCodes),
  resetSecondFactor: async () => {
    const { id } = await withApp();
    return (ctx) => resetSecondFactor(ctx, id);
  },
  updateFactorRules: async () => {
    await db.delete(factorRules);
    return as({ ...(await withApp()), role: "super_admin" }, (ctx) =>
      updateFactorRules(ctx, { roles: ["super_admin"], graceDays: 14 }),
    );
  },
  addPasskey: async () => {
    const [user, authenticator] = [await addUser(), await makeAuthenticator()];
    await openSessionOf(user);
    return as(user, (ctx) => storePasskey(ctx, user, authenticator));
  },
  renamePasskey: async () => {
    const { user, passkey } = await withPasskey();
    return as(user, (ctx) => renamePasskey(ctx, passkey.id, { name: "Another name" }));
  },
  deletePasskey: async () => {
    const { user, passkey } = await withPasskey();
    return as(user, (ctx) => deletePasskey(ctx, passkey.id));
  },
  recordCspReport: async () => {
    await db.delete(cspReports);
    const report = { "effective-directive": "img-src", "blocked-uri": "https://a.example/" };
    return (ctx) => recordCspReport(ctx, JSON.stringify({ "csp-report": report }));
  },
  replaceSigningKey: async () => {
    const ctx = jobContext();
    await signLink(ctx, { purpose: "any", subject: "", stamp: "" }, 1);
    await ctx.db.update(signingKeys).set({ createdAt: new Date(0) });
    return as(await addUser({ role: "super_admin" }), replaceSigningKey);
  },
  createToken: async () => {
    const user = await addUser({ role: "admin" });
    await openSessionOf(user);
    return as(user, (ctx) => createToken(ctx, { name: "A script", scopes: ["drafts:read"], days: 30 }));
  },
  deleteToken: async () => {
    const user = await addUser({ role: "admin" });
    await openSessionOf(user);
    const token = { name: "A script", scopes: ["drafts:read" as const], days: null };
    const { id } = await createToken(signedInAs(user), token);
    return as(user, (ctx) => deleteToken(ctx, id));
  },
  logOut: async () => {
    const user = await addUser();
    const token = await openSession(jobContext(), user);
    return as(user, (ctx) => logOut(ctx, token));
  },
  deleteSession: async () => {
    const user = await addUser();
    await openSessionOf(user);
    return as(user, (ctx) => deleteSession(ctx, `session of ${user.id}`));
  },
  deleteOtherSessions: async () => {
    const user = await addUser();
    await openSession(jobContext(), user);
    return as(user, (ctx) => deleteOtherSessions(ctx));
  },
  createUser: async () => {
    const input = aUser();
    return (ctx) => createUser(ctx, input);
  },
  updateUser: async () => {
    const [user, email] = [await addUser(), anAddress()];
    return (ctx) => updateUser(ctx, user.id, { role: "admin", email, isActive: false });
  },
  deleteUser: async () => {
    const user = await addUser();
    return (ctx) => deleteUser(ctx, user.id);
  },
  resendInvitation: async () => {
    const user = await invited();
    return (ctx) => resendInvitation(ctx, user.id);
  },

  createArticlePreviewLink: async () => {
    const { id } = await publishedArticle();
    return (ctx) => createArticlePreviewLink(ctx, id);
  },
  deleteArticlePreviewLink: async () => {
    const { id } = await publishedArticle();
    await createArticlePreviewLink(ownerContext(), id);
    return (ctx) => deleteArticlePreviewLink(ctx, id);
  },
  restoreArticle: async () => {
    const { id } = await publishedArticle();
    const changed = await updateArticle(ownerContext(), id, { title: "Later" });
    const revision = await revisionOf("article", id);
    return (ctx) => restoreArticle(ctx, id, revision, { basedOn: changed.updatedAt });
  },
  importArticles: async () => {
    const title = crypto.randomUUID();
    return (ctx) => importArticles(ctx, { isDryRun: false, items: [{ title }] });
  },
  createEpisodePreviewLink: async () => {
    const { id } = await publishedEpisode();
    return (ctx) => createEpisodePreviewLink(ctx, id);
  },
  deleteEpisodePreviewLink: async () => {
    const { id } = await publishedEpisode();
    await createEpisodePreviewLink(ownerContext(), id);
    return (ctx) => deleteEpisodePreviewLink(ctx, id);
  },
  duplicateEpisode: async () => {
    const { id } = await publishedEpisode();
    return (ctx) => duplicateEpisode(ctx, id);
  },
  startTranscription: async () => {
    const id = await transcribed();
    return (ctx) => startTranscription(ctx, id, {});
  },
  continueTranscription: async () => {
    const id = await transcribed("stopped");
    return (ctx) => continueTranscription(ctx, id);
  },
  acceptTranscription: async () => {
    const id = await transcribed("ready");
    return (ctx) => acceptTranscription(ctx, id, { voices: ["Imogen Tarrant"] });
  },
  discardTranscription: async () => {
    const id = await transcribed("ready");
    return (ctx) => discardTranscription(ctx, id);
  },
  startProposals: async () => {
    const { id } = await proposed();
    return (ctx) => startProposals(ctx, id);
  },
  continueProposals: async () => {
    const { id } = await proposed("stopped");
    return (ctx) => continueProposals(ctx, id);
  },
  discardProposals: async () => {
    const { id } = await proposed("ready");
    return (ctx) => discardProposals(ctx, id);
  },
  decideProposal: async () => {
    const { id, proposal } = await proposed("ready");
    return (ctx) => decideProposal(ctx, id, proposal, { state: "accepted" });
  },
  changeProposalKey: async () => {
    const settings = { ...siteDefaults.proposals, url: "https://models.example.org/" };
    await updateSite(ownerContext(), { proposals: settings });
    await db.delete(proposalKeys);
    return (ctx) => changeProposalKey(ctx, { key: "a-key" });
  },
  changeTranscriptionKey: async () => {
    const transcription = { ...siteDefaults.transcription, url: "https://models.example.org/" };
    await updateSite(ownerContext(), { transcription });
    await db.delete(transcriptionKeys);
    return (ctx) => changeTranscriptionKey(ctx, { key: "a-key" });
  },
  restoreEpisode: async () => {
    const { id } = await publishedEpisode();
    const changed = await updateEpisode(ownerContext(), id, { title: "Later" });
    const revision = await revisionOf("episode", id);
    return (ctx) => restoreEpisode(ctx, id, revision, { basedOn: changed.updatedAt });
  },
  restorePage: async () => {
    await updatePage(ownerContext(), "media-kit", { ...pageDefaults["media-kit"] });
    const headline = crypto.randomUUID();
    const { updatedAt } = await updatePage(ownerContext(), "media-kit", {
      ...pageDefaults["media-kit"],
      headline,
    });
    const revision = await revisionOf("page", "media-kit");
    return (ctx) => restorePage(ctx, "media-kit", revision, { basedOn: updatedAt });
  },

  subscribe: async () => {
    const email = anAddress();
    return asVisitor((ctx) => subscribe(ctx, { email }));
  },
  verifySubscriber: async () => {
    const { token } = await waiting();
    return asVisitor((ctx) => verifySubscriber(ctx, { token }));
  },
  unsubscribe: async () => {
    const token = await unsubscribeToken();
    return asVisitor((ctx) => unsubscribe(ctx, { token }));
  },
  choosePreferences: async () => {
    const token = await unsubscribeToken();
    return asVisitor((ctx) => choosePreferences(ctx, { token, choice: "some", topics: [] }));
  },
  pauseLetters: async () => {
    const token = await unsubscribeToken();
    return asVisitor((ctx) => pauseLetters(ctx, { token }));
  },
  forgetSubscriber: async () => {
    const token = await unsubscribeToken();
    return asVisitor((ctx) => forgetSubscriber(ctx, { token }));
  },
  answerQuestion: async () => {
    const { id, people } = await askedLetter();
    const token = await (await answerSigner(visitorContext()))(people[0]!.id, id);
    return asVisitor((ctx) => answerQuestion(ctx, { token, answer: "1" }));
  },
  requestSignIn: async () => {
    await setAccounts(true);
    const { email } = await aMember();
    return asVisitor((ctx) => requestSignIn(ctx, { email }));
  },
  signInMember: async () => {
    await setAccounts(true);
    const token = await linkFor((await aMember()).email);
    return asVisitor((ctx) => signInMember(ctx, { token }));
  },
  signInMemberByPasskey: async () => {
    const { authenticator, token } = await aMemberWithPasskey();
    return asVisitor(async (ctx) => {
      const asked = await startMemberPasskeySignIn(jobContext());
      return signInMemberByPasskey(ctx, await authenticator.get(asked), token);
    });
  },
  addMemberPasskey: async () => {
    await setAccounts(true);
    const [{ token }, authenticator] = [await aSignedInMember(), await makeAuthenticator()];
    return asVisitor(async (ctx) => {
      const asked = await startMemberPasskey(jobContext(), token);
      return addMemberPasskey(ctx, token, await authenticator.create(asked));
    });
  },
  renameMemberPasskey: async () => {
    const { token, passkey } = await aMemberWithPasskey();
    return asVisitor((ctx) => renameMemberPasskey(ctx, token, passkey.id, { name: "Another name" }));
  },
  deleteMemberPasskey: async () => {
    const { token, passkey } = await aMemberWithPasskey();
    return asVisitor((ctx) => deleteMemberPasskey(ctx, token, passkey.id));
  },
  signOutMember: async () => {
    await setAccounts(true);
    const { token } = await aSignedInMember();
    return asVisitor((ctx) => signOutMember(ctx, token));
  },
  signOutEverywhere: async () => {
    await setAccounts(true);
    const { token } = await aSignedInMember();
    return asVisitor((ctx) => signOutEverywhere(ctx, token));
  },
  deleteMemberSession: async () => {
    await setAccounts(true);
    const { token, email } = await aSignedInMember();
    const other = await signInMember(visitorContext(), { token: await linkFor(email) });
    const id = await sha256(other);
    return asVisitor((ctx) => deleteMemberSession(ctx, token, id));
  },
  chooseTopics: async () => {
    await setAccounts(true);
    const { token, email } = await aSignedInMember();
    await createSubscriber(ownerContext(), { email, consent: "On paper.", ask: false });
    return asVisitor((ctx) => chooseTopics(ctx, token, { choice: "some", topics: [] }));
  },
  chooseLetters: async () => {
    await setAccounts(true);
    const { token } = await aSignedInMember();
    return asVisitor((ctx) => chooseLetters(ctx, token, { wanted: true }));
  },
  makeMemberFeed: async () => {
    await setFeeds(true);
    const { token } = await aSignedInMember();
    return asVisitor((ctx) => makeMemberFeed(ctx, token));
  },
  deleteMemberFeed: async () => {
    await setFeeds(true);
    const { token } = await aMemberWithFeed();
    return asVisitor((ctx) => deleteMemberFeed(ctx, token));
  },
  revokeMemberFeed: async () => {
    await setFeeds(true);
    const { id } = await aMemberWithFeed();
    return (ctx) => revokeMemberFeed(ctx, id);
  },
  deleteAccount: async () => {
    await setAccounts(true);
    const { token } = await aSignedInMember();
    return asVisitor((ctx) => deleteAccount(ctx, token));
  },
  createTopic: async () => {
    await deleteTopics();
    const [name, draftKey] = [`Topic ${crypto.randomUUID()}`, crypto.randomUUID()];
    return (ctx) => createTopic(ctx, { name, draftKey });
  },
  updateTopic: async () => {
    await deleteTopics();
    const id = await aTopic();
    const name = `Topic ${crypto.randomUUID()}`;
    return (ctx) => updateTopic(ctx, id, { name });
  },
  deleteTopic: async () => {
    await deleteTopics();
    const id = await aTopic();
    return (ctx) => deleteTopic(ctx, id);
  },
  reorderTopics: async () => {
    await deleteTopics();
    const ids = [await aTopic(), await aTopic()].toReversed();
    return (ctx) => reorderTopics(ctx, { ids });
  },
  createTier: async () => {
    await deleteUnusedTiers();
    const draftKey = crypto.randomUUID();
    const name = `Tier ${crypto.randomUUID()}`;
    return (ctx) => createTier(ctx, { name, draftKey });
  },
  updateTier: async () => {
    await deleteUnusedTiers();
    const id = await aTier();
    const name = `Tier ${crypto.randomUUID()}`;
    return (ctx) => updateTier(ctx, id, { name });
  },
  deleteTier: async () => {
    await deleteUnusedTiers();
    const id = await aTier();
    return (ctx) => deleteTier(ctx, id);
  },
  reorderTiers: async () => {
    await deleteUnusedTiers();
    await aTier();
    await aTier();
    const { items } = await listTiers(ownerContext());
    const ids = items.map(({ id }) => id).toReversed();
    return (ctx) => reorderTiers(ctx, { ids });
  },
  createMember: async () => {
    const [email, tierId] = [anAddress(), await anyTier()];
    return (ctx) => createMember(ctx, { email, tierId, source: "by-hand" });
  },
  updateMember: async () => {
    const { id } = await aMember();
    return (ctx) => updateMember(ctx, id, { source: "free" });
  },
  endMember: async () => {
    const { id } = await aMember();
    return (ctx) => endMember(ctx, id);
  },
  deleteMember: async () => {
    const { id } = await aMember();
    return (ctx) => deleteMember(ctx, id);
  },
  createSubscriber: async () => {
    const email = anAddress();
    return (ctx) => createSubscriber(ctx, { email, consent: "By hand.", ask: true });
  },
  updateSubscriber: async () => {
    const { id } = await confirmed();
    return (ctx) => updateSubscriber(ctx, id, { status: "unsubscribed" });
  },
  deleteSubscriber: async () => {
    const { id } = await confirmed();
    return (ctx) => deleteSubscriber(ctx, id);
  },
  importSubscribers: async () => {
    const row = { line: 1, email: anAddress(), source: null, status: "active" as const };
    const about = { fileName: "list.csv", source: "import", consent: "Words", isConfirmed: true };
    const importId = crypto.randomUUID();
    return (ctx) =>
      importSubscribers(ctx, {
        ...about,
        importId,
        rows: [{ ...row, subscribedAt: null, confirmedAt: null }],
      });
  },
  askImported: async () => {
    const importId = crypto.randomUUID();
    return (ctx) => askImported(ctx, { importId });
  },

  submitApplication: async () => {
    const input = anApplication();
    return asVisitor((ctx) => submitApplication(ctx, input as never));
  },
  submitMessage: async () => {
    const input = aMessage();
    return asVisitor((ctx) => submitMessage(ctx, input as never));
  },
  submitBooking: async () => {
    const input = aBooking();
    return asVisitor((ctx) => submitBooking(ctx, input as never));
  },
  confirmEnquiry: async () => {
    const { digest: subject, email: stamp } = await savedEnquiry("message", { confirmedAt: null });
    const token = await signLink(visitorContext(), { purpose: CONFIRM_PURPOSE, subject, stamp }, 3600);
    return asVisitor((ctx) => confirmEnquiry(ctx, { token }));
  },
  updateEnquiry: async () => {
    const { id } = await savedEnquiry("application");
    return (ctx) => updateEnquiry(ctx, "application", id, { status: "rejected", notes: "Not now." });
  },
  deleteEnquiry: async () => {
    const { id } = await savedEnquiry("application");
    return (ctx) => deleteEnquiry(ctx, "application", id);
  },
  createGuest: async () => {
    const { consent: _consent, ...guest } = anApplication();
    return (ctx) => createGuest(ctx, guest as never);
  },
  sendEnquiryMail: async () => {
    const { id } = await savedEnquiry("application");
    return (ctx) => sendEnquiryMail(ctx, "application", id, { subject: "Monday", message: "Come." });
  },
  addComment: async () => {
    const comment = aComment((await publishedArticle()).id);
    return asVisitor((ctx) => addComment(ctx, comment));
  },
  confirmComment: async () => {
    const { token } = await written(aComment((await publishedArticle()).id));
    return asVisitor((ctx) => confirmComment(ctx, { token }));
  },
  moderateComments: async () => {
    const ids = [await commentRow({ contentId: (await publishedArticle()).id, status: "pending" })];
    return (ctx) => moderateComments(ctx, { ids, status: "approved" });
  },
  answerComment: async () => {
    const id = await commentRow({ contentId: (await publishedArticle()).id, status: "pending" });
    return (ctx) => answerComment(ctx, id, { text: "So it is." });
  },
  deletePerson: async () => {
    const { email } = await savedEnquiry("application");
    return (ctx) => deletePerson(ctx, { email });
  },

  createAutomaticLetter: async () => {
    const draftKey = crypto.randomUUID();
    return (ctx) => createAutomaticLetter(ctx, { name: "Each essay", isOn: true, draftKey });
  },
  updateAutomaticLetter: async () => {
    const { id } = await createAutomaticLetter(ownerContext(), { name: "Each essay" });
    return (ctx) => updateAutomaticLetter(ctx, id, { isOn: true });
  },
  deleteAutomaticLetter: async () => {
    const { id } = await createAutomaticLetter(ownerContext(), { name: "Each essay" });
    return (ctx) => deleteAutomaticLetter(ctx, id);
  },

  createLetter: async () => (ctx) => createLetter(ctx, { subject: "A letter", content: "Words." }),
  duplicateLetter: async () => {
    const { id } = await savedLetter();
    return (ctx) => duplicateLetter(ctx, id);
  },
  deleteLetter: async () => {
    const { id } = await savedLetter();
    return (ctx) => deleteLetter(ctx, id);
  },
  unscheduleLetter: async () => {
    const { id } = await savedLetter();
    await setLetter(id, { status: "scheduled", scheduledFor: new Date(Date.now() + 3_600_000) });
    return (ctx) => unscheduleLetter(ctx, id);
  },
  closeQuestion: async () => {
    const { id } = await askedLetter();
    return (ctx) => closeQuestion(ctx, id);
  },
  cancelLetter: async () => {
    const { id } = await startedLetter([{}]);
    return (ctx) => cancelLetter(ctx, id);
  },
  pauseLetter: async () => {
    const { id } = await startedLetter([{}]);
    return (ctx) => pauseLetter(ctx, id);
  },
  resumeLetter: async () => {
    const { id } = await startedLetter([{}]);
    await setLetter(id, { status: "paused" });
    return withMailServer((ctx) => resumeLetter(ctx, id));
  },
  resendUncertain: async () => {
    const id = await sentLetter("uncertain");
    await setLetter(id, { status: "sent", uncertain: 2 });
    return withMailServer((ctx) => resendUncertain(ctx, id));
  },

  createImport: async () => (ctx) => createImport(ctx, { kind: "test", source: "a.zip" }),
  addItems: async () => {
    const id = await openImport(1);
    return (ctx) => addItems(ctx, id, { items: [{ key: "new", title: "New", payload: { n: 1 } }] });
  },
  startImport: async () => {
    const id = await openImport(1);
    return (ctx) => startImport(ctx, id);
  },
  pauseImport: async () => {
    const id = await startedImport(1);
    return (ctx) => pauseImport(ctx, id);
  },
  resumeImport: async () => {
    const id = await startedImport(1);
    await setImport(id, { state: "paused" });
    return (ctx) => resumeImport(ctx, id);
  },
  cancelImport: async () => {
    const id = await startedImport(1);
    return (ctx) => cancelImport(ctx, id);
  },
  retryItems: async () => {
    const id = await importWithItems("done", "failed");
    return (ctx) => retryItems(ctx, id, {});
  },
  undoImport: async () => {
    const id = await importWithItems("done", "done");
    return (ctx) => undoImport(ctx, id);
  },
  deleteImport: async () => {
    const id = await openImport(1);
    return (ctx) => deleteImport(ctx, id);
  },

  createUpload: async () => (ctx) =>
    createUpload(ctx, { name: "a.mp3", type: "", folder: "podcast-audio", size: aPart.length }),
  uploadPart: async () => {
    const { id } = await begun();
    return (ctx) => uploadPart(ctx, { id, number: 1, body: bodyOf(aPart) });
  },
  completeUpload: async () => {
    const id = await received();
    return (ctx) => completeUpload(ctx, id);
  },
  storePeaks: async () => {
    const { id } = await storedAudio();
    return (ctx) => storePeaks(ctx, id, { peaks: "AAAA" });
  },
  deleteFile: async () => {
    const { id } = await storedImage();
    return (ctx) => deleteFile(ctx, id, fileReferences);
  },

  addTick: async () => {
    await removeTick(ownerContext(), { name: "spotify" as never });
    return (ctx) => addTick(ctx, { name: "spotify" as never });
  },
  removeTick: async () => {
    await addTick(ownerContext(), { name: "apple" as never });
    return (ctx) => removeTick(ctx, { name: "apple" as never });
  },
  retryDelivery: async () => {
    const id = await failedRow();
    return (ctx) => retryDelivery(ctx, id);
  },
  createWebhook: async () => {
    await db.delete(webhooks);
    const hook = aWebhook();
    return (ctx) => createWebhook(ctx, hook);
  },
  updateWebhook: async () => {
    const webhook = await onlyWebhook();
    return (ctx) => updateWebhook(ctx, webhook.id, { description: "Shop" });
  },
  deleteWebhook: async () => {
    const webhook = await onlyWebhook();
    return (ctx) => deleteWebhook(ctx, webhook.id);
  },
  rotateSecret: async () => {
    const webhook = await onlyWebhook();
    return (ctx) => rotateSecret(ctx, webhook.id);
  },
  sendTestEvent: async () => {
    const webhook = await onlyWebhook();
    return (ctx) => sendTestEvent(ctx, webhook.id);
  },
  resendDelivery: async () => {
    const webhook = await onlyWebhook();
    const { id } = await sendTestEvent(ownerContext(), webhook.id);
    return (ctx) => resendDelivery(ctx, webhook.id, id);
  },
  retryDeliveries: async () => {
    await failedRow();
    return (ctx) => retryDeliveries(ctx);
  },
  dismissDelivery: async () => {
    const id = await failedRow();
    return (ctx) => dismissDelivery(ctx, id);
  },
  retryMessage: async () => {
    const id = await deadLetter({ kind: "outbox", id: await failedRow() });
    return (ctx) => retryMessage(ctx, id);
  },
  dismissMessage: async () => {
    const id = await deadLetter({ kind: "outbox", id: "none" });
    return (ctx) => dismissMessage(ctx, id);
  },

  createSmartPlaylist: async () =>
    asListener(await aNewListener(), (ctx) => createSmartPlaylist(ctx, { name: "Recently Played" })),
  addFavorite: async () => {
    const { id } = await publishedEpisode();
    return asListener(await aNewListener(), (ctx) => addFavorite(ctx, id));
  },
  removeFavorite: async () => {
    const { id } = await publishedEpisode();
    const listener = await aNewListener();
    await addFavorite(visitorContext({ actor: listener }), id);
    return asListener(listener, (ctx) => removeFavorite(ctx, id));
  },
  updateProgress: async () => {
    const { id } = await publishedEpisode();
    return asListener(await aNewListener(), (ctx) =>
      updateProgress(ctx, id, { progressSeconds: 9, completed: false }),
    );
  },
};
