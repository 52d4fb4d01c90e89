import { pruneAttempts } from "#worker/accounts/attempts.ts";
import { pruneEvents } from "#worker/accounts/events.ts";
import { ACCOUNT_TOPIC, answerAccountRequest } from "#worker/accounts/requests.ts";
import { pruneSessions } from "#worker/accounts/sessions.ts";
import { publishDueArticles } from "#worker/articles/articles.ts";
import { publishDueEpisodes } from "#worker/episodes/episodes.ts";
import { fileReferences } from "#worker/file-references.ts";
import { sweepFiles } from "#worker/files/sweep.ts";
import { makeVariants, VARIANTS_TOPIC } from "#worker/files/variants.ts";
import { answerNewsletterRequest, NEWSLETTER_TOPIC } from "#worker/newsletter/requests.ts";
import { expectChanges } from "#worker/platform/cache.ts";
import { purgePlatform } from "#worker/platform/changes.ts";
import { createContext, type JobMessage } from "#worker/platform/context.ts";
import { deliverMail, MAIL_TOPIC } from "#worker/platform/mail.ts";
import { deliverOutbox, pruneOutbox, sweepOutbox, type Handlers } from "#worker/platform/outbox.ts";
import { pruneLimits } from "#worker/platform/rate.ts";
import { deadLetters } from "#worker/platform/table.ts";

/** What is done with an outbox row, by its topic. */
export const handlers: Handlers = {
  [MAIL_TOPIC]: deliverMail,
  [ACCOUNT_TOPIC]: answerAccountRequest,
  [NEWSLETTER_TOPIC]: answerNewsletterRequest,
  [VARIANTS_TOPIC]: (ctx, payload) => makeVariants(ctx, payload, fileReferences),
};

const DEAD_LETTERS = "rostrum-dead-letters";
const DAILY = "17 3 * * *";

export async function consume(batch: MessageBatch<JobMessage>, env: Env, execution: ExecutionContext) {
  const later = (work: Promise<unknown>) => execution.waitUntil(work);
  const ctx = createContext(env, { actor: { kind: "job", name: batch.queue }, later });
  for (const message of batch.messages) {
    if (batch.queue === DEAD_LETTERS) {
      await ctx.db
        .insert(deadLetters)
        .values({ id: message.id, body: message.body, arrivedAt: ctx.now })
        .onConflictDoNothing();
    } else {
      await deliverOutbox(ctx, message.body.id, handlers);
    }
    message.ack();
  }
  if (ctx.invalidation.isDue) expectChanges();
}

export async function tick(
  { cron, scheduledTime }: ScheduledController,
  env: Env,
  execution: ExecutionContext,
) {
  const later = (work: Promise<unknown>) => execution.waitUntil(work);
  const ctx = createContext(env, { actor: { kind: "job", name: cron }, now: new Date(scheduledTime), later });
  if (cron === DAILY) {
    await pruneOutbox(ctx);
    await pruneLimits(ctx);
    await pruneAttempts(ctx);
    await pruneSessions(ctx);
    await pruneEvents(ctx);
    return sweepFiles(ctx, fileReferences);
  }
  await publishDueEpisodes(ctx);
  await publishDueArticles(ctx);
  await sweepOutbox(ctx);
  if (ctx.invalidation.isDue) expectChanges();
  await purgePlatform(ctx, execution.cache);
}
