import { and, eq, sql, type SQL } from "drizzle-orm";
import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import { actorEmail, eventRow, eventRowIf, throwUnless } from "#worker/accounts/audit-log.ts";
import { noticeRows } from "#worker/accounts/notices.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { laterThan, refusingTaken } from "#worker/platform/data/publishing.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";
import { seal } from "#worker/platform/data/sealed.ts";
import { AppError } from "#worker/platform/errors.ts";
import { enforceLimits } from "#worker/platform/http/rate.ts";
import { outbox } from "#worker/platform/table.ts";
import { afterWrite } from "#worker/platform/work/after-write.ts";
import { deliverOutbox, enqueue, outboxRow, retryNow } from "#worker/platform/work/outbox.ts";
import {
  MOST_WEBHOOKS,
  NewWebhook,
  WebhookChange,
  type Webhook,
  type WithSecret,
} from "#worker/webhooks/contract.ts";
import { addressFault, deliverWebhook } from "#worker/webhooks/deliver.ts";
import { noSuchWebhook, SECRET_PURPOSE, selectWebhooks, toWebhook } from "#worker/webhooks/queries.ts";
import { WEBHOOK_TOPIC, type Message } from "#worker/webhooks/record-event.ts";
import { newSecret } from "#worker/webhooks/signature.ts";
import { webhooks, webhookSecrets, type FormerSecret } from "#worker/webhooks/table.ts";

/** Milliseconds for which a former secret signs as well. */
const FORMER_MS = 24 * 3_600_000;
/** Former secrets that sign at the same time: of a rotation whose answer was lost, and of those before it. */
const MOST_FORMER = 3;
const TESTS_AN_HOUR = 60;

/**
 * Adds a webhook, and mails a notice. Its secret is in this answer only.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `invalid`; `conflict` for an address that has one,
 * and at the limit
 */
export async function createWebhook(ctx: Context, input: NewWebhook): Promise<WithSecret> {
  requireCapability("settings", ctx);
  requireRecentProof(ctx);
  const email = actorEmail(ctx);
  const { url, description, events } = parseInput(NewWebhook, input);
  requireAddress(ctx, url);
  const secret = newSecret();
  const time = ctx.now.getTime();
  const insert = ctx.db
    .insert(webhooks)
    .select(
      sql`select null, ${url}, ${description}, ${JSON.stringify(events)}, null, null, ${time}, ${time}
        where (select count(*) from ${webhooks}) < ${MOST_WEBHOOKS}`,
    )
    .returning();
  const log = eventRowIf(
    ctx,
    { kind: "webhook_added", email, detail: new URL(url).host },
    sql`changes() > 0`,
  );
  const store = ctx.db
    .insert(webhookSecrets)
    .select(
      sql`select ${webhooks.id}, ${await seal(ctx, SECRET_PURPOSE, secret)}, '[]' from ${webhooks} where ${webhooks.url} = ${url}`,
    );
  const isAdded = sql`exists (select 1 from ${webhooks} where ${webhooks.url} = ${url})`;
  const notices = await receiverRows(ctx, { id: crypto.randomUUID(), url, what: "added" }, isAdded);
  const [[hook]] = await refusingKnown(() =>
    ctx.db.batch([insert, log, store, ...notices.map(({ statement }) => statement)]),
  );
  if (!hook) throw noRoom();
  enqueue(ctx, ...notices.map(({ id }) => id));
  return { webhook: toWebhook(ctx, { hook, secrets: { webhookId: hook.id, secret, former: [] } }), secret };
}

/**
 * Changes, pauses or resumes a webhook; mails a notice about another address. While it is paused, events are not recorded for it, and what waits is not sent.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `invalid`; `not_found`; `conflict` for an address
 * that another one has, and if it was changed elsewhere since `basedOn`
 */
export async function updateWebhook(ctx: Context, id: number, input: WebhookChange): Promise<Webhook> {
  requireCapability("settings", ctx);
  requireRecentProof(ctx);
  const email = actorEmail(ctx);
  const { isPaused, basedOn, ...change } = parseInput(WebhookChange, input);
  if (change.url !== undefined) requireAddress(ctx, change.url);
  const row = await readRow(ctx, id);
  const given = {
    ...change,
    ...(isPaused !== undefined && { paused: isPaused ? (row.hook.paused ?? ("owner" as const)) : null }),
  };
  if (isRepeated({ basedOn, stored: row.hook, given: () => given, changedElsewhere }))
    return toWebhook(ctx, row);
  const isIt = and(eq(webhooks.id, id), eq(webhooks.updatedAt, row.hook.updatedAt));
  const update = ctx.db
    .update(webhooks)
    .set({
      ...given,
      ...(isPaused === false && { failedAt: null }),
      updatedAt: laterThan(row.hook.updatedAt, ctx.now),
    })
    .where(isIt)
    .returning();
  const host = new URL(change.url ?? row.hook.url).host;
  const event = { kind: "webhook_changed", email, detail: host } as const;
  const { url = row.hook.url } = change;
  const notices = url === row.hook.url ? [] : await receiverRows(ctx, { id, url, what: "changed" });
  const [, [hook]] = await refusingKnown(() =>
    throwUnless(changedElsewhere, () =>
      ctx.db.batch([
        eventRow(ctx, event, sql`exists (select 1 from ${webhooks} where ${isIt})`),
        update,
        ...notices.map(({ statement }) => statement),
      ]),
    ),
  );
  enqueue(ctx, ...notices.map(({ id: mail }) => mail));
  return toWebhook(ctx, { hook: hook!, secrets: row.secrets });
}

/** Of a notice to the user who did it. A webhook outlives the session of a thief who made it, and “It was not me”. */
async function receiverRows(
  ctx: Context,
  { id, url, what }: { id: string | number; url: string; what: "added" | "changed" },
  isWritten?: SQL,
) {
  const { actor, config } = ctx;
  if (actor.kind !== "user") return [];
  const { host } = new URL(url);
  const notice = {
    name: `webhook-${what}-${id}`,
    subject: `A webhook was ${what} with your account`,
    parts: [
      `What happens on the site is now also sent to ${host}.`,
      "If it wasn’t you, remove the webhook: it stays when you sign out every device.",
      { label: "Webhooks", href: `${config.siteUrl}/admin/settings/webhooks` },
    ],
  };
  return noticeRows(ctx, actor, notice, isWritten);
}

/**
 * Makes a new secret, which is in this answer only. The former one signs as well for 24 hours.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `not_found`; `conflict` if another one was made in
 * the same moment
 */
export async function rotateSecret(ctx: Context, id: number): Promise<WithSecret> {
  requireCapability("settings", ctx);
  requireRecentProof(ctx);
  const email = actorEmail(ctx);
  const { hook, secrets: before } = await readRow(ctx, id);
  const secret = newSecret();
  const former = before === null ? [] : formerOf(ctx, before);
  const stored = { webhookId: id, secret: await seal(ctx, SECRET_PURPOSE, secret), former };
  const isIt = before
    ? sql`exists (select 1 from ${webhookSecrets} where ${webhookSecrets.webhookId} = ${id} and ${webhookSecrets.secret} = ${before.secret})`
    : sql`exists (select 1 from ${webhooks} where ${webhooks.id} = ${id})`;
  const event = { kind: "webhook_secret_changed", email, detail: new URL(hook.url).host } as const;
  await throwUnless(changedElsewhere, () =>
    ctx.db.batch([
      eventRow(ctx, event, isIt),
      ctx.db
        .insert(webhookSecrets)
        .values(stored)
        .onConflictDoUpdate({ target: webhookSecrets.webhookId, set: stored }),
    ]),
  );
  return { webhook: toWebhook(ctx, { hook, secrets: stored }), secret };
}

function formerOf({ now }: Context, { secret, former }: { secret: string; former: FormerSecret[] }) {
  const time = now.getTime();
  return [{ secret, until: time + FORMER_MS }, ...former.filter(({ until }) => until > time)].slice(
    0,
    MOST_FORMER,
  );
}

/**
 * Removes a webhook, its secret and its deliveries.
 * @throws `unauthenticated`, `forbidden`, `reauthentication_required`; `not_found`
 */
export async function deleteWebhook(ctx: Context, id: number) {
  requireCapability("settings", ctx);
  requireRecentProof(ctx);
  const email = actorEmail(ctx);
  const { hook } = await readRow(ctx, id);
  const event = { kind: "webhook_removed", email, detail: new URL(hook.url).host } as const;
  const isThere = sql`exists (select 1 from ${webhooks} where ${webhooks.id} = ${id})`;
  await throwUnless(noSuchWebhook, () =>
    ctx.db.batch([
      eventRow(ctx, event, isThere),
      ctx.db.delete(outbox).where(sql`payload ->> 'webhook' = ${id}`),
      ctx.db.delete(webhooks).where(eq(webhooks.id, id)),
    ]),
  );
}

/**
 * Sends a test to a webhook, once. Its delivery has the result.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` while it is paused; `too_many`
 */
export async function sendTestEvent(ctx: Context, id: number) {
  requireCapability("settings", ctx);
  const { hook } = await readRow(ctx, id);
  if (hook.paused) throw new AppError("conflict", "This webhook is paused. Resume it, then send a test.");
  await enforceLimits(ctx, [{ subject: `webhook-test:${id}`, most: TESTS_AN_HOUR }]);
  const time = ctx.now.getTime();
  const event = `msg_webhook_test_${id}_${time}`;
  const body = {
    type: "webhook.test",
    timestamp: ctx.now.toISOString(),
    data: { id },
  } as const;
  const message: Message = { webhook: id, event, body };
  const row = outboxRow(ctx, WEBHOOK_TOPIC, message, { id: `${id} ${event}` });
  await row.statement.onConflictDoNothing();
  await afterWrite(LATER, deliverNow(ctx, row.id));
  return { id: row.id };
}

/**
 * Sends a delivery again, under the same `webhook-id`: one that failed or waits for its next try now, and one that arrived
 * a second time.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `conflict` while its webhook is paused; `too_many`
 */
export async function resendDelivery(ctx: Context, id: number, delivery: string) {
  requireCapability("settings", ctx);
  const isIt = sql`${outbox.id} = ${delivery} and payload ->> 'webhook' = ${id}`;
  const [{ hook }, [known]] = await Promise.all([
    readRow(ctx, id),
    ctx.db.select({ id: outbox.id }).from(outbox).where(isIt),
  ]);
  if (!known) throw new AppError("not_found", NOT_STORED);
  if (hook.paused) throw new AppError("conflict", "This webhook is paused. Resume it, then send it again.");
  await enforceLimits(ctx, [{ subject: `webhook-test:${id}`, most: TESTS_AN_HOUR }]);
  if (await retryNow(ctx, delivery)) {
    await afterWrite(LATER, deliverNow(ctx, delivery));
    return { id: delivery };
  }
  const copy = crypto.randomUUID();
  const time = ctx.now.getTime();
  const [copied] = await ctx.db
    .insert(outbox)
    .select(
      sql`select ${copy}, ${outbox.topic}, ${outbox.payload}, ${time}, 0, ${time}, null, null, null, null, null, null
        from ${outbox} where ${isIt} and done_at is not null`,
    )
    .returning({ id: outbox.id });
  if (!copied) throw new AppError("not_found", NOT_STORED);
  await afterWrite(LATER, deliverNow(ctx, copy));
  return { id: copy };
}

const NOT_STORED = "This delivery is being sent, or is no longer stored.";

/** While the owner waits for the result. */
const deliverNow = (ctx: Context, id: string) => deliverOutbox(ctx, id, { [WEBHOOK_TOPIC]: deliverWebhook });

const LATER = "webhooks: a delivery was not sent, and waits for the sweep";

async function readRow(ctx: Context, id: number) {
  const [row] = await selectWebhooks(ctx).where(eq(webhooks.id, id));
  if (!row) throw noSuchWebhook();
  return row;
}

/** @throws `invalid` */
function requireAddress(ctx: Context, url: string) {
  const fault = addressFault(ctx, url);
  if (fault) throw new AppError("invalid", fault, { field: "url" });
}

const refusingKnown = <T>(write: () => Promise<T>) =>
  refusingTaken("webhooks.url", "There’s a webhook for this address already.", write);

const noRoom = () =>
  new AppError("conflict", `You already have ${MOST_WEBHOOKS} webhooks. Remove one to make room.`);

const changedElsewhere = () =>
  new AppError("conflict", "This webhook was changed elsewhere since you opened it.");
