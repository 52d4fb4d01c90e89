import { desc, eq, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { wholeList } from "#worker/platform/data/keyset.ts";
import { unseal } from "#worker/platform/data/sealed.ts";
import type { SealedColumn } from "#worker/platform/data/sealed-columns.ts";
import { AppError } from "#worker/platform/errors.ts";
import { outbox } from "#worker/platform/table.ts";
import type { Delivery, EventData, Webhook } from "#worker/webhooks/contract.ts";
import { webhooks, webhookSecrets, webhookTries } from "#worker/webhooks/table.ts";

type Secrets = typeof webhookSecrets.$inferSelect;
export type WebhookRow = { hook: typeof webhooks.$inferSelect; secrets: Secrets | null };

/** Shown deliveries. */
const LATEST = 50;

/** What `seal` encrypts them as. */
export const SECRET_PURPOSE = "webhook-secret";

/** Not the former secrets, which sign for 24 hours only. */
export const webhookSecretsColumn: SealedColumn = {
  id: webhookSecrets.webhookId,
  secret: webhookSecrets.secret,
  purpose: SECRET_PURPOSE,
};

/** The secrets that sign at this time, the current one first. Empty if that cannot be read. */
export async function validSecrets(ctx: Context, { secret, former }: Secrets) {
  const valid = [
    secret,
    ...former.filter(({ until }) => until > ctx.now.getTime()).map((each) => each.secret),
  ];
  const [current = null, ...others] = await Promise.all(
    valid.map((stored) => unseal(ctx, SECRET_PURPOSE, stored)),
  );
  return current === null ? [] : [current, ...others.filter((other) => other !== null)];
}

export const selectWebhooks = ({ db }: Context) =>
  db
    .select({ hook: webhooks, secrets: webhookSecrets })
    .from(webhooks)
    .leftJoin(webhookSecrets, eq(webhookSecrets.webhookId, webhooks.id));

export function toWebhook(
  { now }: Pick<Context, "now">,
  { hook: { createdAt: _createdAt, failedAt, updatedAt, ...hook }, secrets }: WebhookRow,
): Webhook {
  const ends = (secrets?.former ?? []).map(({ until }) => until).filter((until) => until > now.getTime());
  return {
    ...hook,
    failedAt: failedAt?.getTime() ?? null,
    hasSecret: secrets !== null,
    formerUntil: ends.length > 0 ? Math.max(...ends) : null,
    updatedAt: updatedAt.getTime(),
  };
}

/**
 * In the order in which they were added.
 * @throws `unauthenticated`, `forbidden`
 */
export async function listWebhooks(ctx: Context) {
  requireCapability("settings", ctx);
  const rows = await selectWebhooks(ctx).orderBy(webhooks.id);
  return wholeList(rows.map((row) => toWebhook(ctx, row)));
}

/**
 * A webhook and its latest deliveries, newest first.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function readWebhook(ctx: Context, id: number) {
  requireCapability("settings", ctx);
  const [[row], deliveries] = await Promise.all([
    selectWebhooks(ctx).where(eq(webhooks.id, id)),
    ctx.db
      .select({ row: outbox, tried: webhookTries })
      .from(outbox)
      .leftJoin(webhookTries, eq(webhookTries.deliveryId, outbox.id))
      .where(sql`payload ->> 'webhook' = ${id}`)
      .orderBy(desc(outbox.createdAt))
      .limit(LATEST),
  ]);
  if (!row) throw noSuchWebhook();
  return { webhook: toWebhook(ctx, row), deliveries: deliveries.map(toDelivery) };
}

export const noSuchWebhook = () => new AppError("not_found", "This webhook no longer exists.");

type Tried = { row: typeof outbox.$inferSelect; tried: typeof webhookTries.$inferSelect | null };

function toDelivery({ row, tried }: Tried): Delivery {
  const { event, body } = row.payload as { event: string; body: { type: keyof EventData } };
  const state = stateOf(row, tried?.status ?? null);
  return {
    id: row.id,
    messageId: event,
    type: body.type,
    at: row.createdAt.getTime(),
    state,
    tries: tried?.count ?? 0,
    status: tried?.status ?? null,
    durationMs: tried?.durationMs ?? null,
    response: tried?.response ?? "",
    error: state === "delivered" ? null : (row.lastError?.replace(/^Error: /, "") ?? null),
    nextTry: state === "waiting" ? row.notBefore.getTime() : null,
  };
}

/** A test that failed is done, and has no further tries. */
function stateOf({ doneAt, failedAt, lastError }: Tried["row"], status: number | null): Delivery["state"] {
  if (failedAt) return "failed";
  if (!doneAt) return "waiting";
  if (status !== null && status >= 200 && status < 300) return "delivered";
  return lastError === PAUSED ? "unsent" : "failed";
}

/** Why a waiting delivery of a paused webhook was ended. */
export const PAUSED = "Not sent: the webhook was paused.";
