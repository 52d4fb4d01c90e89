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
import { UNSUBSCRIBE_SLOT } from "#worker/letters/render.ts";
import { letters } from "#worker/letters/table.ts";
import { mailOf, type Mail, type MailBody } from "#worker/mail/message.ts";
import { letterProvider } from "#worker/mail/providers.ts";
import type { MailSession, Outcome, Provider } from "#worker/mail/session.ts";
import { blockBadAddresses } from "#worker/newsletter/bounce-commands.ts";
import { unsubscribeSigner } from "#worker/newsletter/unsubscribe-tokens.ts";
import type { Context } from "#worker/platform/context.ts";
import { BusyError, type Deliver } from "#worker/platform/work/outbox.ts";
import { whileRenewed } from "#worker/platform/work/leases.ts";
import { readSite } from "#worker/settings/queries.ts";

/** What one slice sends at most, so that no queue message runs for minutes. */
const SLICE_MS = 20_000;
const SLICE_LETTERS = 800;
/** Milliseconds that a letter waits for a provider that takes nothing and does not say for how long. */
const BUSY_MS = 60_000;
/** Milliseconds below which the next slice is not worth putting off. */
const SOON_MS = 1000;

/** A letter that is being sent. */
type Sending = {
  id: number;
  mail: MailBody;
  startedAt: Date;
  /** How many are still to have their turn. */
  remaining: number;
};

/** Why a slice ended: its time is up; nothing is due; or nothing can be sent for a while, with the reason for the owner. */
type End = { is: "time" | "empty" } | { is: "wait"; forMs: number; reason: string | null };

/**
 * Sends the next deliveries of a letter, as many as a slice has time for, and leaves the rest to the next slice. Several
 * slices of a letter run side by side: each claims what it sends.
 */
export const sendSlice: Deliver = async (ctx, payload) => {
  const { letterId, isFirst } = payload as Slice;
  const letter = await readSending(ctx, letterId);
  if (!letter) return;
  const provider = letterProvider(ctx);
  if (!provider) return void (await stopLetter(ctx, letterId, "No mail server is set."));
  const { newsletter: pace } = await readSite(ctx);
  if (isFirst) await startOthers(ctx, letter, provider, pace);
  const end =
    (isFirst && (await takeUpInterrupted(ctx, letter, provider))) ||
    (await sendInBatches(ctx, letter, provider, { pace, next: () => nextDue(ctx, letterId, pace) }));
  await continueAfter(ctx, letterId, end);
};

async function readSending({ db }: Context, id: number): Promise<Sending | null> {
  const [row] = await db
    .select({
      mail: letters.mail,
      startedAt: letters.startedAt,
      remaining: sql<number>`${letters.recipients} - ${letters.sent} - ${letters.failed} - ${letters.uncertain}`,
    })
    .from(letters)
    .where(and(eq(letters.id, id), eq(letters.status, "sending")));
  if (!row?.mail || !row.startedAt) return null;
  return { id, mail: row.mail, startedAt: row.startedAt, remaining: row.remaining };
}

/** As many as the provider allows and the letter has work for; with a limited rate, none: one slice alone can keep to it. */
async function startOthers(
  ctx: Context,
  { id: letterId, remaining }: Sending,
  { sessions }: Provider,
  { perSecond }: Pace,
) {
  const count = perSecond === null ? Math.min(sessions, Math.ceil(remaining / SLICE_LETTERS)) - 1 : 0;
  const [first, ...rest] = Array.from({ length: Math.max(0, count) }, () => sliceRow(ctx, { letterId }));
  if (!first) return;
  await ctx.db.batch([first.statement, ...rest.map(({ statement }) => statement)]);
  for (const { enqueue } of [first, ...rest]) enqueue();
}

/**
 * Settles what a consumer held that was cut off: with a provider that knows its batches again they are submitted once
 * more, otherwise they are uncertain. Returns why it could not go on, if so.
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
/** What is submitted again counts towards no limit: it may have been sent already. */
const UNLIMITED: Pace = { perSecond: null, perDay: null, batchSize: 0 };

type Batches = { pace: Pace; next: () => Promise<Batch | End> };

async function sendInBatches(
  ctx: Context,
  letter: Sending,
  provider: Provider,
  { pace, next }: Batches,
): Promise<End> {
  const sign = await unsubscribeSigner(ctx);
  const end = ctx.clock().getTime() + SLICE_MS;
  let session: MailSession | undefined;
  try {
    for (let sent = 0; sent < SLICE_LETTERS && ctx.clock().getTime() < end;) {
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

/** Connects only once there is something to send. Nothing was submitted where that fails. */
async function openFor(ctx: Context, turn: Turn, provider: Provider) {
  try {
    return await provider.open();
  } catch (error) {
    await putBack(ctx, turn);
    throw error;
  }
}

/** A batch whose turn it is, and what it takes of the day's quota. */
type Turn = { letterId: number; batch: Batch; pace: Pace; takenAt: Date };

/** A batch that may have been sent before stays as it is, to be submitted under its key again. */
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

/** Hands a batch over and stores what became of it. Returns why nothing more is to be sent now, if so. */
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
  return interruptionOf(outcomes);
}

/** Nothing was taken of it today. */
const isToComeAgain = ({ state }: Outcome) => state === "untried" || state === "deferred";

const busy = (reason: string, forMs: number | null): End => ({ is: "wait", forMs: forMs ?? BUSY_MS, reason });

/**
 * A session that ended is not used any more; one in which nothing got through is not begun anew at once, nor is a server
 * asked on that takes nothing of a whole batch.
 */
function interruptionOf(outcomes: Outcome[]): End | null {
  const [first] = outcomes;
  if (
    outcomes.length > 1 &&
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

type Sign = Awaited<ReturnType<typeof unsubscribeSigner>>;

/** The mail to one subscriber: the same on every attempt, so that a provider knows it again. */
async function copyFor(
  { config }: Context,
  { id, mail, startedAt }: Sending,
  { id: deliveryId, subscriberId, email }: Batch["claimed"][number],
  sign: Sign,
) {
  const host = new URL(config.siteUrl).hostname;
  const messageId = `<${startedAt.getTime().toString(36)}.${id}.${deliveryId}@${host}>`;
  const values = { [UNSUBSCRIBE_SLOT]: await sign(subscriberId, id) };
  return mailOf({ to: email, messageId, values }, mail);
}

async function waitUntil({ clock }: Context, time: number) {
  const milliseconds = time - clock().getTime();
  if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Sees to it that the letter goes on, or closes it. */
async function continueAfter(ctx: Context, letterId: number, end: End) {
  if (end.is === "time") return writeSlice(sliceRow(ctx, { letterId }));
  const now = ctx.clock().getTime();
  if (end.is === "wait") {
    await noteReason(ctx, letterId, end.reason);
    return writeSlice(sliceRowAt(ctx, { letterId, isFirst: true }, new Date(now + end.forMs)));
  }
  const { nextAt, claimedUntil } = await readOpen(ctx, letterId);
  if (nextAt !== null) {
    const at = new Date(Math.max(nextAt, now));
    if (nextAt <= now + SOON_MS) return writeSlice(sliceRow(ctx, { letterId }));
    return writeSlice(sliceRowAt(ctx, { letterId, isFirst: true }, at));
  }
  if (claimedUntil === null) await finishLetter(ctx, letterId);
  // Another slice is sending the last of them, and closes the letter, unless it was cut off.
  else if (claimedUntil <= now) await writeSlice(sliceRow(ctx, { letterId, isFirst: true }));
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
