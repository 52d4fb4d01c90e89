import { eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { Tick } from "#worker/desk/contract.ts";
import { deskTicks } from "#worker/desk/table.ts";
import { queuesByTopic } from "#worker/letters/queue.ts";
import type { Context, JobMessage } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import {
  deleteDeadLetter,
  deleteFailed,
  readDeadLetter,
  retryFailed,
  retryRowOf,
} from "#worker/platform/work/dead-letters.ts";
import { parseInput } from "#worker/platform/data/input.ts";

/**
 * Stores the owner's tick for a first step. Idempotent.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function addTick(ctx: Context, input: Tick) {
  requireCapability("settings", ctx);
  const { name } = parseInput(Tick, input);
  await ctx.db.insert(deskTicks).values({ name, createdAt: ctx.now }).onConflictDoNothing();
}

/**
 * Removes a tick. Idempotent.
 * @throws `unauthenticated`, `forbidden`; `invalid`
 */
export async function removeTick(ctx: Context, input: Tick) {
  requireCapability("settings", ctx);
  const { name } = parseInput(Tick, input);
  await ctx.db.delete(deskTicks).where(eq(deskTicks.name, name));
}

/**
 * Retries a failed delivery, with all attempts.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function retryDelivery(ctx: Context, id: string) {
  requireCapability("settings", ctx);
  if ((await retryFailed(ctx, queuesByTopic(ctx), id)) === 0) throw notFailed();
}

/**
 * Retries all failed deliveries, after an outage. Returns how many.
 * @throws `unauthenticated`, `forbidden`
 */
export async function retryDeliveries(ctx: Context) {
  requireCapability("settings", ctx);
  return { retried: await retryFailed(ctx, queuesByTopic(ctx)) };
}

/**
 * Deletes a failed delivery, which is then never retried.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function dismissDelivery(ctx: Context, id: string) {
  requireCapability("settings", ctx);
  if (!(await deleteFailed(ctx, id))) throw notFailed();
}

/**
 * Puts a message that failed its retries back on the queue that it came from. It is deleted last, since the queue may
 * refuse it; a message sent twice is processed once.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function retryMessage(ctx: Context, id: string) {
  requireCapability("settings", ctx);
  const letter = await readDeadLetter(ctx, id);
  if (!letter) throw notFailed();
  const { kind } = letter.body as { kind?: string };
  if (kind === "outbox") return retryRowOf(ctx, queuesByTopic(ctx), { id, about: letter.about });
  const message = [{ body: letter.body as JobMessage }];
  if (kind === "import") await ctx.imports.sendBatch(message);
  else if (kind === "tick") await ctx.jobs.sendBatch(message);
  else await ctx.events.send(letter.body);
  await deleteDeadLetter(ctx, id);
}

/**
 * Deletes a message that failed its retries. Its delivery is unchanged.
 * @throws `unauthenticated`, `forbidden`; `not_found`
 */
export async function dismissMessage(ctx: Context, id: string) {
  requireCapability("settings", ctx);
  if (!(await deleteDeadLetter(ctx, id))) throw notFailed();
}

const notFailed = () => new AppError("not_found", "This delivery is no longer listed as failed.");
