import { and, eq, isNotNull, lt, sql } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { ADDRESS_FAULTS, readBeginning, whyNotSent } from "#worker/platform/http/outgoing.ts";
import { retryAfterOf } from "#worker/platform/http/retry-after.ts";
import { outbox } from "#worker/platform/table.ts";
import { cutToBytes } from "#worker/platform/text/bytes.ts";
import { storeOutcome } from "#worker/platform/work/leases.ts";
import {
  isLastAttempt,
  PermanentError,
  RetryError,
  type Deliver,
  type OutboxRow,
} from "#worker/platform/work/outbox.ts";
import { PAUSED, validSecrets } from "#worker/webhooks/queries.ts";
import type { Message } from "#worker/webhooks/record-event.ts";
import { signedHeaders } from "#worker/webhooks/signature.ts";
import { webhooks, webhookSecrets, webhookTries } from "#worker/webhooks/table.ts";

/** Milliseconds for the response, its body included. */
const TIMEOUT_MS = 10_000;
/** Bytes that are read and stored of a response. */
const RESPONSE_BYTES = 1024;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Milliseconds after each failed try: eight tries in 24 hours. */
const WAITS = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 4 * HOUR, 7 * HOUR, 10.4 * HOUR];
/** The longest `Retry-After`, in milliseconds, that replaces a shorter wait. */
const LONGEST_RETRY_AFTER = 3 * HOUR;
/** Milliseconds for which tries are stored; the outbox stores its rows as long. */
const KEEP_MS = 30 * 24 * HOUR;

const REMOVED = "Not sent: the webhook was removed.";

/** Sends an event to a webhook, signed. Receivers recognise a repetition by its `webhook-id`. */
export const deliverWebhook: Deliver = async (ctx, payload, row) => {
  const message = payload as Message;
  const isTest = message.body.type === "webhook.test";
  const [found] = await ctx.db
    .select({ hook: webhooks, secrets: webhookSecrets })
    .from(webhooks)
    .leftJoin(webhookSecrets, eq(webhookSecrets.webhookId, webhooks.id))
    .where(eq(webhooks.id, message.webhook));
  if (!found) return note(ctx, row, REMOVED);
  if (found.hook.paused) return note(ctx, row, PAUSED);
  const { hook } = found;
  const secrets = found.secrets ? await validSecrets(ctx, found.secrets) : [];
  const fault = secrets.length === 0 ? NO_SECRET : addressFault(ctx, hook.url);
  const answer = fault === null ? await send(ctx, hook.url, message, secrets) : null;
  const error = fault ?? answer!.error;
  const isGone = answer?.status === 410;
  const isOver = error !== null && !isTest && (fault !== null || isGone || isLastAttempt(row));
  await storeOutcome("webhooks", () =>
    ctx.db.batch([
      ctx.db
        .update(webhooks)
        .set({
          ...(isGone && { paused: "gone" as const }),
          failedAt: isOver ? ctx.clock() : error === null ? null : sql`${webhooks.failedAt}`,
        })
        .where(and(eq(webhooks.id, hook.id), error === null ? isNotNull(webhooks.failedAt) : undefined)),
      ...(answer && !message.isForgotten ? [tryRow(ctx, row, message, answer)] : []),
    ]),
  );
  if (error === null) return;
  if (isTest) return note(ctx, row, error);
  if (isOver) throw new PermanentError(error);
  throw new RetryError(error, waitAfter(row, answer?.retryAfterMs ?? 0));
};

const NO_SECRET =
  "Its secret is missing, or encrypted by another KEY_SECRET. Make a new one, and enter it at the receiver.";

/** Ends the row, which is not a failure of the site's, with the reason. */
const note = async ({ db }: Context, { id }: OutboxRow, lastError: string) =>
  void (await db.update(outbox).set({ lastError }).where(eq(outbox.id, id)));

/** Why nothing is sent to an address; null if it can be. */
export function addressFault({ config }: Pick<Context, "config">, address: string) {
  const why = whyNotSent(new URL(address), config.loopback);
  return why && FAULTS[why];
}

const FAULTS: typeof ADDRESS_FAULTS = {
  ...ADDRESS_FAULTS,
  password: `${ADDRESS_FAULTS.password} Events are signed instead.`,
  port: `${ADDRESS_FAULTS.port} Events are sent to the port of https alone.`,
};

type Answer = {
  status: number | null;
  response: string;
  durationMs: number;
  /** Null after a 2xx. */
  error: string | null;
  retryAfterMs: number | null;
};

async function send(ctx: Context, url: string, { event, body }: Message, secrets: string[]): Promise<Answer> {
  const content = JSON.stringify(body);
  const at = ctx.clock();
  // Of the machine: a test's clock may not move.
  const started = Date.now();
  const answered = (answer: Omit<Answer, "durationMs">) => ({ ...answer, durationMs: Date.now() - started });
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Rostrum",
        ...signedHeaders(secrets, { id: event, at, body: content }),
      },
      body: content,
      // Not followed: the target is not the address that the owner chose.
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { status } = response;
    return answered({
      status,
      response: cutToBytes(
        (await readBeginning(response, RESPONSE_BYTES)).replaceAll("\0", ""),
        RESPONSE_BYTES,
      ),
      error: errorOf(status),
      retryAfterMs: retryAfterOf(response, at),
    });
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const words = isLate ? "It didn’t answer within 10 seconds." : "It couldn’t be reached.";
    return answered({ status: null, response: "", error: words, retryAfterMs: null });
  }
}

function errorOf(status: number) {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return "It answered 410 Gone, so this webhook is paused.";
  if (status >= 300 && status < 400)
    return `It redirects (${status}), which webhooks don’t follow. Enter the final address.`;
  return `It answered ${status}.`;
}

const waitAfter = ({ attempts }: OutboxRow, retryAfterMs: number) =>
  Math.max(WAITS[attempts - 1] ?? MINUTE, Math.min(retryAfterMs, LONGEST_RETRY_AFTER));

function tryRow(
  { db, clock }: Context,
  { id }: OutboxRow,
  { webhook }: Message,
  { status, durationMs, response }: Answer,
) {
  const latest = { at: clock(), status, durationMs, response };
  return db
    .insert(webhookTries)
    .values({ deliveryId: id, webhookId: webhook, count: 1, ...latest })
    .onConflictDoUpdate({
      target: webhookTries.deliveryId,
      set: { ...latest, count: sql`${webhookTries.count} + 1` },
    });
}

export const pruneTries = ({ db, now }: Context) =>
  db.delete(webhookTries).where(lt(webhookTries.at, new Date(now.getTime() - KEEP_MS)));
