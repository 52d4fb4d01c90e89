import { and, eq, sql } from "drizzle-orm";
import {
  claimDue,
  claimInterrupted,
  finishLetter,
  heldBy,
  letterWork,
  markInterrupted,
  readOpen,
  stopLetter,
  storeOutcomes,
  type Batch,
} from "#worker/letters/deliveries.ts";
import {
  batchSizeOf,
  durationOf,
  giveBack,
  takeOfDay,
  untilTomorrow,
  type Pace,
} from "#worker/letters/pace.ts";
import { sliceRow, sliceRowAt, type Slice } from "#worker/letters/queue.ts";
import { answerSigner } from "#worker/letters/answer-tokens.ts";
import { ANSWER_SLOT } from "#worker/letters/question-part.ts";
import { UNSUBSCRIBE_SLOT } from "#worker/letters/render.ts";
import { letters } from "#worker/letters/table.ts";
import { mailOf, type Mail, type MailBody } from "#worker/mail/message.ts";
import { letterProvider } from "#worker/mail/providers.ts";
import type { MailSession, Outcome, Provider } from "#worker/mail/session.ts";
import { blockBadAddresses } from "#worker/newsletter/bounce-commands.ts";
import { unsubscribeSigner } from "#worker/newsletter/unsubscribe-tokens.ts";
import type { Context } from "#worker/platform/context.ts";
import { uuidOf } from "#worker/platform/data/random.ts";
import { BusyError, type Deliver } from "#worker/platform/work/outbox.ts";
import { whileRenewed } from "#worker/platform/work/leases.ts";
import { readSite } from "#worker/settings/queries.ts";

/** The most that one slice sends, so that no queue message runs for minutes. On the free plan: a few letters. */
const SLICE_MS = 20_000;
const SLICE_LETTERS = 800;

const sliceOf = ({ config }: Context, { fewMails }: Provider) =>
  config.plan === "free" ? fewMails : SLICE_LETTERS;
/** Milliseconds that a letter waits for a busy provider that names no time. */
const BUSY_MS = 60_000;
/** Milliseconds below which delaying the next slice is not worth it. */
const SOON_MS = 1000;

/** A letter that is being sent. */
type Sending = {
  id: number;
  mail: MailBody;
  startedAt: Date;
  hasQuestion: boolean;
  /** Deliveries still to be sent. */
  remaining: number;
};

/** Why a slice ended: its time is up; nothing is due; or sending must wait, with the reason for the owner. */
type End = { is: "time" | "empty" } | { is: "wait"; forMs: number; reason: string | null };

/**
 * Sends the next deliveries of a letter until the slice's time is up, and leaves the rest to the next slice. Several
 * slices of a letter run in parallel: each claims what it sends. The outbox retries a slice that throws; the emails that
 * it had claimed are handled by `takeUpInterrupted` once their claim lapses.
 */
export const sendSlice: Deliver = async (ctx, payload, { id: cause }) => {
  const { letterId, isFirst } = payload as Slice;
  const letter = await readSending(ctx, letterId);
  if (!letter) return;
  const provider = letterProvider(ctx);
  if (!provider) return void (await stopLetter(ctx, letterId, "No mail server is set."));
  const { newsletter } = await readSite(ctx);
  const pace = { ...newsletter, batchSize: Math.min(newsletter.batchSize, sliceOf(ctx, provider)) };
  const isProbe = isFirst && pace.batchSize === 1;
  if (isFirst && !isProbe) await startOthers(ctx, letter, { provider, pace, cause });
  const end =
    (isFirst && (await takeUpInterrupted(ctx, letter, provider))) ||
    (await sendInBatches(ctx, letter, provider, { pace, next: () => nextDue(ctx, letterId, pace) }));
  // A single email takes no longer than starting the others, and shows whether the server takes any.
  if (isProbe && end.is === "time") await startOthers(ctx, letter, { provider, pace, cause });
  await continueAfter(ctx, letterId, end, cause);
};

async function readSending({ db }: Context, id: number): Promise<Sending | null> {
  const [row] = await db
    .select({
      mail: letters.mail,
      startedAt: letters.startedAt,
      questionClosesAt: letters.questionClosesAt,
      remaining: sql<number>`${letters.recipients} - ${letters.sent} - ${letters.failed} - ${letters.uncertain}`,
    })
    .from(letters)
    .where(and(eq(letters.id, id), eq(letters.status, "sending")));
  if (!row?.mail || !row.startedAt) return null;
  const { mail, startedAt, questionClosesAt, remaining } = row;
  return { id, mail, startedAt, hasQuestion: questionClosesAt !== null, remaining };
}

/** `cause`: the id of the row of the slice that starts them. */
type Others = { provider: Provider; pace: Pace; cause: string };

/**
 * As many as the provider allows and the letter needs; none if the rate is limited, which only a single slice can obey.
 */
async function startOthers(
  ctx: Context,
  { id: letterId, remaining }: Sending,
  { provider, pace: { perSecond }, cause }: Others,
) {
  const wanted = Math.min(provider.sessions, Math.ceil(remaining / sliceOf(ctx, provider)));
  const count = perSecond === null ? wanted - 1 : 0;
  const ids = Array.from({ length: Math.max(0, count) }, (_, at) => uuidOf(`${cause} beside ${at}`));
  const [first, ...rest] = (await Promise.all(ids)).map((id) => sliceRow(ctx, { letterId }, id));
  if (!first) return;
  await ctx.db.batch([first.statement, ...rest.map(({ statement }) => statement)]);
  for (const { enqueue } of [first, ...rest]) enqueue();
}

/**
 * Handles deliveries whose consumer was interrupted: with an idempotent provider they are submitted again, otherwise
 * they become uncertain. Returns why sending must stop, if so.
 */
async function takeUpInterrupted(ctx: Context, letter: Sending, provider: Provider): Promise<End | null> {
  if (!provider.isIdempotent) {
    await markInterrupted(ctx, letter.id);
    return null;
  }
  const next = async () => (await claimInterrupted(ctx, letter.id)) ?? EMPTY;
  const end = await sendInBatches(ctx, letter, provider, { pace: UNLIMITED, next });
  return end.is === "empty" ? null : end;
}

const EMPTY: End = { is: "empty" };
/** Repeated submissions count towards no limit: they may have been sent already. */
const UNLIMITED: Pace = { perSecond: null, perDay: null, batchSize: 0 };

type Batches = { pace: Pace; next: () => Promise<Batch | End> };

async function sendInBatches(
  ctx: Context,
  letter: Sending,
  provider: Provider,
  { pace, next }: Batches,
): Promise<End> {
  const sign = await signerOf(ctx, letter);
  const end = ctx.clock().getTime() + SLICE_MS;
  let session: MailSession | undefined;
  try {
    for (let sent = 0; sent < sliceOf(ctx, provider) && ctx.clock().getTime() < end;) {
      const start = ctx.clock().getTime();
      const batch = await next();
      if ("is" in batch) return batch;
      if (batch.claimed.length > 0) {
        const turn: Turn = { letterId: letter.id, batch, pace, takenAt: new Date(start) };
        session ??= await openFor(ctx, turn, provider);
        const mails = await Promise.all(
          batch.claimed.map((delivery) => copyFor(ctx, letter, delivery, sign)),
        );
        const interruption = await sendBatch(ctx, turn, session, mails);
        if (interruption) return interruption;
      }
      sent += batch.claimed.length;
      await waitUntil(ctx, start + durationOf(pace, batch.claimed.length));
    }
    return { is: "time" };
  } finally {
    session?.close();
  }
}

async function nextDue(ctx: Context, letterId: number, pace: Pace): Promise<Batch | End> {
  const takenAt = ctx.clock();
  const most = await takeOfDay(ctx, pace, batchSizeOf(pace));
  if (most === 0) {
    const reason = `You’ve reached the daily limit of ${pace.perDay} letters.`;
    return { is: "wait", forMs: untilTomorrow(ctx), reason };
  }
  const batch = await claimDue(ctx, letterId, most);
  await giveBack(ctx, pace, most - (batch?.claimed.length ?? 0), takenAt);
  return batch ?? EMPTY;
}

/** Connects once there is something to send. If that fails, nothing was submitted. */
async function openFor(ctx: Context, turn: Turn, provider: Provider) {
  try {
    return await provider.open();
  } catch (error) {
    await putBack(ctx, turn);
    throw error;
  }
}

/** The batch to send next, and its share of the day's quota. */
type Turn = { letterId: number; batch: Batch; pace: Pace; takenAt: Date };

/** A batch that may already have been sent keeps its key, so that it is submitted under the same one again. */
async function putBack(ctx: Context, { letterId, batch, pace, takenAt }: Turn) {
  const { key, claimed, isRepeated } = batch;
  if (isRepeated) return;
  await storeOutcomes(
    ctx,
    letterId,
    key,
    claimed.map(({ id, attempts }) => ({ id, attempts, outcome: { state: "untried" } })),
  );
  await giveBack(ctx, pace, claimed.length, takenAt);
}

/** Submits a batch and stores the outcomes. Returns why sending must stop, if so. */
async function sendBatch(ctx: Context, turn: Turn, session: MailSession, mails: Mail[]) {
  const { letterId, batch, pace, takenAt } = turn;
  let outcomes: Outcome[];
  try {
    outcomes = await whileRenewed(ctx, letterWork, heldBy(batch), () =>
      session.send(mails, { key: batch.key }),
    );
  } catch (error) {
    if (!(error instanceof BusyError)) throw error;
    await putBack(ctx, turn);
    return busy(error.message, error.retryAfterMs);
  }
  const settled = batch.claimed.map(({ id, attempts }, index) => ({
    id,
    attempts,
    outcome: outcomes[index]!,
  }));
  await storeOutcomes(ctx, letterId, batch.key, settled);
  await giveBack(ctx, pace, outcomes.filter(isToComeAgain).length, takenAt);
  const refused = badAddressesOf(batch, outcomes);
  if (refused.length > 0) await blockBadAddresses(ctx, refused);
  return interruptionOf(outcomes, pace);
}

/** Not submitted, or deferred: to be sent later. */
const isToComeAgain = ({ state }: Outcome) => state === "untried" || state === "deferred";

const busy = (reason: string, forMs: number | null): End => ({ is: "wait", forMs: forMs ?? BUSY_MS, reason });

/**
 * Why to stop after this batch, if so: the server deferred all of it, or ended the session. A new session begins
 * immediately only if this one sent something. One deferred email may be the fault of its address, unless batches have
 * only one.
 */
function interruptionOf(outcomes: Outcome[], { batchSize }: Pace): End | null {
  const [first] = outcomes;
  if (
    (outcomes.length > 1 || batchSize === 1) &&
    first?.state === "deferred" &&
    outcomes.every(({ state }) => state === "deferred")
  ) {
    return busy(first.answer, null);
  }
  const has = (state: Outcome["state"]) => outcomes.some((outcome) => outcome.state === state);
  if (!has("untried")) return null;
  return has("sent") ? { is: "time" } : busy("The mail server closed the connection.", null);
}

const badAddressesOf = ({ claimed }: Batch, outcomes: Outcome[]) =>
  outcomes.flatMap((outcome, index) =>
    outcome.state === "failed" && outcome.isBadAddress
      ? [{ id: claimed[index]!.subscriberId, reason: outcome.answer }]
      : [],
  );

type Sign = (subscriberId: string) => Promise<Record<string, string>>;

/** Makes what a copy of the letter fills in: the tokens of its subscriber. */
async function signerOf(ctx: Context, { id, hasQuestion }: Sending): Promise<Sign> {
  const unsubscribe = await unsubscribeSigner(ctx);
  if (!hasQuestion) return async (subscriber) => ({ [UNSUBSCRIBE_SLOT]: await unsubscribe(subscriber, id) });
  const answer = await answerSigner(ctx);
  return async (subscriber) => ({
    [UNSUBSCRIBE_SLOT]: await unsubscribe(subscriber, id),
    [ANSWER_SLOT]: await answer(subscriber, id),
  });
}

/** The email to one subscriber: the same on every attempt, so that an idempotent provider recognises it. */
async function copyFor(
  { config }: Context,
  { id, mail, startedAt }: Sending,
  { id: deliveryId, subscriberId, email }: Batch["claimed"][number],
  sign: Sign,
) {
  const host = new URL(config.siteUrl).hostname;
  const messageId = `<${startedAt.getTime().toString(36)}.${id}.${deliveryId}@${host}>`;
  return mailOf({ to: email, messageId, values: await sign(subscriberId) }, mail);
}

async function waitUntil({ clock }: Context, time: number) {
  const milliseconds = time - clock().getTime();
  if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Queues the next slice of the letter, or finishes it. */
async function continueAfter(ctx: Context, letterId: number, end: End, cause: string) {
  const nextId = await uuidOf(`${cause} next`);
  if (end.is === "time") return writeSlice(sliceRow(ctx, { letterId }, nextId));
  const now = ctx.clock().getTime();
  if (end.is === "wait") {
    await noteReason(ctx, letterId, end.reason);
    return writeSlice(sliceRowAt(ctx, { letterId, isFirst: true }, new Date(now + end.forMs)));
  }
  const { nextAt, claimedUntil } = await readOpen(ctx, letterId);
  if (nextAt !== null) {
    const at = new Date(Math.max(nextAt, now));
    if (nextAt <= now + SOON_MS) return writeSlice(sliceRow(ctx, { letterId }, nextId));
    return writeSlice(sliceRowAt(ctx, { letterId, isFirst: true }, at));
  }
  if (claimedUntil === null) await finishLetter(ctx, letterId);
  // Another slice is sending the last deliveries and will finish the letter, unless it was interrupted.
  else if (claimedUntil <= now) await writeSlice(sliceRow(ctx, { letterId, isFirst: true }, nextId));
}

async function writeSlice({ statement, enqueue }: ReturnType<typeof sliceRow>) {
  await statement;
  enqueue();
}

async function noteReason({ db }: Context, id: number, reason: string | null) {
  await db
    .update(letters)
    .set({ pausedReason: reason })
    .where(and(eq(letters.id, id), eq(letters.status, "sending")));
}
