import { pruneAttempts } from "#worker/accounts/attempts.ts";
import { chainEntries, pruneEvents } from "#worker/accounts/log-chain.ts";
import { followAlertChoice, sendLogAlerts } from "#worker/accounts/log-alerts.ts";
import { beginLogCheck, continueLogCheck, hasLogCheck } from "#worker/accounts/nightly-log-check.ts";
import { closeRefusals } from "#worker/accounts/refusals.ts";
import { ACCOUNT_TOPIC, deliverAccountRequest } from "#worker/accounts/request-commands.ts";
import { pruneDevices } from "#worker/accounts/devices.ts";
import { pruneSessions } from "#worker/accounts/session-commands.ts";
import { pruneAnalytics } from "#worker/analytics/commands.ts";
import { storeMessages } from "#worker/analytics/store-messages.ts";
import type { AnalyticsMessage } from "#worker/analytics/messages.ts";
import { publishDueArticles, storeFirstGuids } from "#worker/articles/commands.ts";
import { HELD_TOPIC, notifyOfHeld } from "#worker/automatic-letters/held-notice.ts";
import { makeAutomaticLetters } from "#worker/automatic-letters/make-letters.ts";
import {
  BACKUPS_PASS,
  beginNightlyCopy,
  beginWeeklyDrill,
  continueBackups,
  watchBackups,
} from "#worker/backups/commands.ts";
import { readCopiedLogHeads } from "#worker/backups/queries.ts";
import { hasDueRun } from "#worker/backups/runs.ts";
import { pruneBin } from "#worker/bin/commands.ts";
import { pruneMailEvents } from "#worker/bounces/commands.ts";
import { pruneComments } from "#worker/comments/retention.ts";
import { pruneUnconfirmedEnquiries } from "#worker/enquiries/confirm-commands.ts";
import { pruneCspReports } from "#worker/csp-reports/commands.ts";
import { pruneEnquiries } from "#worker/enquiries/retention.ts";
import { pruneUnconfirmedComments } from "#worker/comments/commands.ts";
import { tellOfWaiting, WAITING_TOPIC } from "#worker/comments/waiting-notice.ts";
import { hasPendingSearch, refreshWholeSearch } from "#worker/discovery/search-refresh.ts";
import { publishDueEpisodes } from "#worker/episodes/commands.ts";
import { hasOldFeedItems, renewFeedItems } from "#worker/episodes/stored-feed.ts";
import { endPauses, pruneUnconfirmed } from "#worker/newsletter/commands.ts";
import { ASK_TOPIC, askSlice } from "#worker/newsletter/asking.ts";
import { answerNewsletterRequest, NEWSLETTER_TOPIC } from "#worker/newsletter/confirmation.ts";
import { forgetChoices } from "#worker/letters/answer-commands.ts";
import { queuesByTopic, SLICE_TOPIC } from "#worker/letters/queue.ts";
import { pruneSendingDays } from "#worker/letters/pace.ts";
import { sendDueLetters } from "#worker/letters/sending-commands.ts";
import { sendSlice } from "#worker/letters/slices.ts";
import { watchLetters } from "#worker/letters/resume-interrupted.ts";
import { importKinds } from "#worker/imports/registry.ts";
import { pruneImports } from "#worker/imports/retention.ts";
import { watchImports } from "#worker/imports/resume-interrupted.ts";
import { workOn } from "#worker/imports/work.ts";
import { filePlaces, fileReferences, storedHtml } from "#worker/nouns/list.ts";
import { resealSecrets } from "#worker/nouns/sealed-secrets.ts";
import { deliverDeletion, OBJECTS_TOPIC } from "#worker/files/objects.ts";
import { sweepFiles } from "#worker/files/library/sweep.ts";
import { hashFiles, hasUnhashedFiles } from "#worker/files/hashes.ts";
import { makeVariants, VARIANTS_TOPIC } from "#worker/files/pictures/variants.ts";
import { expectChanges } from "#worker/platform/http/cache.ts";
import { pruneStoredAnswers } from "#worker/platform/http/cache-store.ts";
import { isOverDailyLimit, untilNextDay } from "#worker/platform/data/daily-limit.ts";
import { purgePlatform } from "#worker/platform/data/changes.ts";
import { createContext, type Context, type JobMessage } from "#worker/platform/context.ts";
import { inScope, logError } from "#worker/platform/log.ts";
import { MAIL_TOPIC } from "#worker/mail/message.ts";
import { pruneMemberSessions } from "#worker/members/sessions.ts";
import { answerSignInRequest, MEMBER_SIGN_IN_TOPIC } from "#worker/members/sign-in-mail.ts";
import { deliverMail } from "#worker/mail/transports.ts";
import {
  beginPaymentComparison,
  continuePaymentComparison,
  hasPaymentComparison,
} from "#worker/payments/comparison.ts";
import { prunePaymentNotices } from "#worker/payments/notices.ts";
import {
  deliverOutbox,
  pruneBodies,
  pruneOutbox,
  sweepOutbox,
  type Handlers,
} from "#worker/platform/work/outbox.ts";
import { pruneLimits } from "#worker/platform/http/rate.ts";
import { renewKeys } from "#worker/platform/http/signing-keys.ts";
import { deadLetters } from "#worker/platform/table.ts";
import { pruneListeners } from "#worker/playlists/retention.ts";
import { findStartedRestore } from "#worker/restores/queries.ts";
import { pruneStaged } from "#worker/restores/end-restore.ts";
import { prunePreviewLinks } from "#worker/previews/preview-links.ts";
import { renderStoredTexts } from "#worker/rendering/commands.ts";
import { hasOldTexts } from "#worker/rendering/positions.ts";
import { pruneSharePictures } from "#worker/sharing/pictures.ts";
import { noteCronRun, noteHeldNight, takeHeldNight } from "#worker/system/cron-runs.ts";
import { PROPOSALS_TOPIC, takeStep as takeProposalStep } from "#worker/proposals/propose-step.ts";
import { takeStep, TRANSCRIPTION_TOPIC } from "#worker/transcription/transcribe-step.ts";
import { deliverWebhook, pruneTries } from "#worker/webhooks/deliver.ts";
import { WEBHOOK_TOPIC } from "#worker/webhooks/record-event.ts";
import { deliverPing, WEBSUB_TOPIC } from "#worker/websub/ping.ts";
import { deliverPodping, PODPING_TOPIC } from "#worker/websub/podping.ts";

/** The handlers of outbox rows, by topic. */
export const handlers: Handlers = {
  [MAIL_TOPIC]: deliverMail,
  [ACCOUNT_TOPIC]: deliverAccountRequest,
  [NEWSLETTER_TOPIC]: answerNewsletterRequest,
  [MEMBER_SIGN_IN_TOPIC]: answerSignInRequest,
  [SLICE_TOPIC]: sendSlice,
  [WAITING_TOPIC]: tellOfWaiting,
  [HELD_TOPIC]: notifyOfHeld,
  [ASK_TOPIC]: askSlice,
  [WEBSUB_TOPIC]: deliverPing,
  [PODPING_TOPIC]: deliverPodping,
  [WEBHOOK_TOPIC]: deliverWebhook,
  [OBJECTS_TOPIC]: deliverDeletion,
  [TRANSCRIPTION_TOPIC]: takeStep,
  [PROPOSALS_TOPIC]: takeProposalStep,
  [VARIANTS_TOPIC]: (ctx, payload, { id }) =>
    makeVariants(ctx, payload, { references: fileReferences, places: filePlaces }, id),
};

/** A queue's name ends with its purpose and begins with the site's name (docs/deploy.md). */
const isEvents = (queue: string) => queue.endsWith("-events");
const isDeadLetters = (queue: string) => queue.endsWith("-dead-letters");
const DAILY = "17 3 * * *";

/**
 * Processes each message separately, so that a failed one is retried alone. Sequentially, since a delivery may use
 * several of the six connections of an invocation.
 */
export async function consume(
  batch: MessageBatch<JobMessage | AnalyticsMessage>,
  env: Env,
  execution: ExecutionContext,
) {
  if (isEvents(batch.queue)) return consumeEvents(batch as MessageBatch<AnalyticsMessage>, env, execution);
  const later = (work: Promise<unknown>) => execution.waitUntil(work);
  const consumeOne = async (message: Message<JobMessage>) => {
    const ctx = createContext(env, { actor: { kind: "job", name: batch.queue }, later });
    try {
      await consumeMessage(ctx, batch.queue, message);
      message.ack();
    } catch (error) {
      logError("jobs: a message failed", error);
      message.retry(delayAfter(error, ctx));
    }
    // Also after a failure half-way: earlier writes are committed.
    if (ctx.invalidation.isDue) expectChanges();
  };
  for (const message of (batch as MessageBatch<JobMessage>).messages) {
    const scope = { requestId: message.id, route: `queue ${batch.queue}` };
    await inScope(
      () => scope,
      () => consumeOne(message),
    );
  }
}

/** Seconds. The queue delays a message by no more (developers.cloudflare.com/queues/platform/limits). */
const LONGEST_DELAY = 43_200;

/**
 * A message waits for the next day if D1 has used up this day's rows; otherwise for the queue's own delay. Two waits
 * reach midnight from any time of the day, within the free plan's retention of 24 hours.
 */
const delayAfter = (error: unknown, { clock }: Context): QueueRetryOptions =>
  isOverDailyLimit(error)
    ? { delaySeconds: Math.min(LONGEST_DELAY, Math.ceil(untilNextDay(clock()) / 1000)) }
    : {};

/**
 * Attempts after which each message is stored separately, so that a poison message does not fail the others. Two of
 * them may have been waits for midnight.
 */
const TOGETHER = 4;

/** All together: hundreds of messages are a few statements. */
async function consumeEvents(batch: MessageBatch<AnalyticsMessage>, env: Env, execution: ExecutionContext) {
  const later = (work: Promise<unknown>) => execution.waitUntil(work);
  const store = async (messages: readonly Message<AnalyticsMessage>[]) => {
    const ctx = createContext(env, { actor: { kind: "job", name: batch.queue }, later });
    try {
      await storeMessages(
        ctx,
        messages.map(({ body }) => body),
      );
      for (const message of messages) message.ack();
    } catch (error) {
      logError("jobs: events were not stored", error);
      for (const message of messages) message.retry(delayAfter(error, ctx));
    }
  };
  const isStubborn = batch.messages.some(({ attempts }) => attempts > TOGETHER);
  const groups = isStubborn ? batch.messages.map((message) => [message]) : [batch.messages];
  const scope = { requestId: batch.messages[0]?.id ?? "", route: `queue ${batch.queue}` };
  for (const group of groups)
    await inScope(
      () => scope,
      () => store(group),
    );
}

async function consumeMessage(ctx: Context, queue: string, { id, body }: Message<JobMessage>) {
  if (isDeadLetters(queue))
    return ctx.db.insert(deadLetters).values({ id, body, arrivedAt: ctx.now }).onConflictDoNothing();
  switch (body.kind) {
    case "import":
      return workOn(ctx, Number(body.id), importKinds);
    case "outbox":
      return deliverOutbox(ctx, body.id, handlers);
    case "tick":
      return Object.hasOwn(passes, body.id) ? continuePass(ctx, body) : runDaily(ctx, body.id);
  }
}

/** An email that Cloudflare's Email Routing hands to the Worker: those to the address that letters come from. */
export function receiveMail(message: ForwardableEmailMessage, env: Env, execution: ExecutionContext) {
  const scope = { requestId: crypto.randomUUID(), route: "email" };
  return inScope(
    () => scope,
    async () => {
      const later = (work: Promise<unknown>) => execution.waitUntil(work);
      const ctx = createContext(env, { actor: { kind: "job", name: "email" }, later });
      if (await isRestoring(ctx))
        return message.setReject("This site is being restored. Please try again later.");
      // Imported on demand: most isolates receive none.
      const { receiveReturnedMail } = await import("#worker/bounces/receive.ts");
      const refusal = await receiveReturnedMail(ctx, message.raw);
      if (refusal !== null) message.setReject(refusal);
    },
  );
}

export function tick(controller: ScheduledController, env: Env, execution: ExecutionContext) {
  const scope = { requestId: crypto.randomUUID(), route: `cron ${controller.cron}` };
  return inScope(
    () => scope,
    () => runCron(controller, env, execution),
  );
}

async function runCron({ cron, scheduledTime }: ScheduledController, env: Env, execution: ExecutionContext) {
  const later = (work: Promise<unknown>) => execution.waitUntil(work);
  const ctx = createContext(env, { actor: { kind: "job", name: cron }, now: new Date(scheduledTime), later });
  if (cron === DAILY)
    return ctx.config.plan === "free"
      ? sendParts(ctx, Object.keys(daily))
      : runParts(Object.keys(daily).map((name) => () => runDaily(ctx, name)));
  const isHeld = readOnce(() => isRestoring(ctx));
  const unlessRestoring = (part: Part) => async () => (await isHeld()) || part(ctx);
  const isHeldNow = readOnce(() => isRestoring(ctx));
  await runParts([
    () => noteCronRun(ctx, cron),
    unlessRestoring(publishDueEpisodes),
    unlessRestoring(publishDueArticles),
    unlessRestoring(makeAutomaticLetters),
    unlessRestoring(sendDueLetters),
    unlessRestoring(watchLetters),
    () => watchImports(ctx),
    () => sweepOutbox(ctx, queuesByTopic(ctx), [WEBHOOK_TOPIC]),
    ...Object.entries(passes)
      .filter(([, { everyMinutes = 1 }]) => ctx.now.getUTCMinutes() % everyMinutes === 0)
      .map(([name, { alsoRestoring }]) =>
        alsoRestoring ? () => catchUp(ctx, name) : unlessRestoring(() => catchUp(ctx, name)),
      ),
    unlessRestoring(catchUpNight),
    // Last, since a long log takes the most statements. A restore may have begun while the others ran.
    ...[closeRefusals, chainEntries, followAlertChoice, sendLogAlerts].map(
      (part: Part) => async () => (await isHeldNow()) || part(ctx),
    ),
    () => {
      if (ctx.invalidation.isDue) expectChanges();
      return purgePlatform(ctx, execution.cache);
    },
  ]);
}

type Part = (ctx: Context) => Promise<unknown>;

/** Until a restore has ended, what is due waits: only some of the rows are there. */
const isRestoring = async (ctx: Context) => (await findStartedRestore(ctx)) !== null;

/** Reads once for several parts, and again for the next part if the read has failed. */
function readOnce<T>(read: () => Promise<T>) {
  let value: Promise<T> | undefined;
  return () =>
    (value ??= read().catch((error: unknown) => {
      value = undefined;
      throw error;
    }));
}

/** Parts of the daily cron that no restore holds back: a copy replaces no older one, and a missing one is reported. */
const DAILY_ALSO_RESTORING = ["copy", "drill", "overdueBackups"];

async function runDaily(ctx: Context, name: string) {
  if (!DAILY_ALSO_RESTORING.includes(name) && (await isRestoring(ctx))) await noteHeldNight(ctx);
  else await daily[name]?.(ctx);
}

/** In the minute after a restore: the night's work that it has held back, each part in a message. */
async function catchUpNight(ctx: Context) {
  if (!(await takeHeldNight(ctx))) return;
  await sendParts(
    ctx,
    Object.keys(daily).filter((name) => !DAILY_ALSO_RESTORING.includes(name)),
  );
}

/** What the daily cron does. */
const daily: Record<string, Part> = {
  copy: beginNightlyCopy,
  drill: beginWeeklyDrill,
  overdueBackups: watchBackups,
  outbox: pruneOutbox,
  bodies: pruneBodies,
  limits: pruneLimits,
  attempts: pruneAttempts,
  cspReports: pruneCspReports,
  sessions: pruneSessions,
  memberSessions: pruneMemberSessions,
  keys: renewKeys,
  // After the keys: a new one is encrypted already.
  secrets: resealSecrets,
  devices: pruneDevices,
  events: pruneEvents,
  mailEvents: pruneMailEvents,
  webhookTries: pruneTries,
  paymentNotices: prunePaymentNotices,
  payments: beginPaymentComparison,
  enquiries: pruneEnquiries,
  comments: pruneComments,
  pauses: endPauses,
  listeners: pruneListeners,
  analytics: pruneAnalytics,
  previewLinks: prunePreviewLinks,
  sendingDays: pruneSendingDays,
  letterChoices: forgetChoices,
  imports: pruneImports,
  // Before the files, which it releases.
  bin: pruneBin,
  files: (ctx) => sweepFiles(ctx, fileReferences),
  sharePictures: pruneSharePictures,
  storedAnswers: pruneStoredAnswers,
  restores: pruneStaged,
  guids: storeFirstGuids,
  logCheck: beginLogCheck,
  // Last: after a large import they may use up the statements of the run.
  unconfirmedComments: pruneUnconfirmedComments,
  unconfirmedEnquiries: pruneUnconfirmedEnquiries,
  unconfirmedSubscribers: pruneUnconfirmed,
};

/** Work that lags behind and is done in slices. */
type Pass = {
  /** Whether anything is left. */
  isBehind: (ctx: Context) => Promise<boolean>;
  /** Does as much as a tick has time for; on the free plan, a small slice. Returns false if it changed nothing. */
  run: Part;
  /** Whether no restore holds it back. */
  alsoRestoring?: true;
  /** A divisor of 60: the ticks of the other minutes do not even ask whether it is behind. */
  everyMinutes?: number;
};

const passes: Record<string, Pass> = {
  texts: {
    isBehind: (ctx) => hasOldTexts(ctx, storedHtml),
    run: (ctx) => renderStoredTexts(ctx, storedHtml),
  },
  feed: { isBehind: hasOldFeedItems, run: renewFeedItems },
  search: { isBehind: hasPendingSearch, run: refreshWholeSearch },
  [BACKUPS_PASS]: { isBehind: hasDueRun, run: continueBackups, alsoRestoring: true },
  log: { isBehind: hasLogCheck, run: (ctx) => continueLogCheck(ctx, readCopiedLogHeads) },
  payments: { isBehind: hasPaymentComparison, run: continuePaymentComparison, everyMinutes: 10 },
  // A restore compares files by their hashes.
  hashes: { isBehind: hasUnhashedFiles, run: hashFiles, alsoRestoring: true },
};

/** Milliseconds after a tick in which its passes continue. The next tick starts them again. */
const PASS_MS = 50_000;

/** Runs a pass; on the free plan, where a tick has no time for it, in a message for each slice. */
async function catchUp(ctx: Context, name: string) {
  const { isBehind, run } = passes[name]!;
  if (ctx.config.plan !== "free") return run(ctx);
  if (await isBehind(ctx)) await sendParts(ctx, [name], ctx.clock().getTime() + PASS_MS);
}

/** A failure is not retried: the next tick starts the pass again, and each retry would cost queue operations. */
async function continuePass(ctx: Context, { id, until = 0 }: JobMessage) {
  const { isBehind, run, alsoRestoring } = passes[id]!;
  const isOver = () => ctx.clock().getTime() >= until;
  if (isOver()) return;
  try {
    if (!alsoRestoring && (await isRestoring(ctx))) return;
    if ((await run(ctx)) === false || isOver()) return;
    if (await isBehind(ctx)) await sendParts(ctx, [id], until);
  } catch (error) {
    logError(`jobs: the pass "${id}" failed`, error);
  }
}

/** Has each part done by an invocation of its own. */
async function sendParts(ctx: Context, names: string[], until?: number) {
  await ctx.jobs.sendBatch(names.map((id) => ({ body: { kind: "tick", id, until } satisfies JobMessage })));
}

/** Runs every part, even if others fail. Then a failure fails the run, with a message that the platform may log. */
async function runParts(parts: (() => Promise<unknown>)[]) {
  let failed = 0;
  for (const part of parts) {
    try {
      await part();
    } catch (error) {
      logError("jobs", error);
      failed++;
    }
  }
  if (failed > 0) throw new Error(`${failed} of ${parts.length} failed.`);
}
