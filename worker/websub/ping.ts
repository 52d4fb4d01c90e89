import { eq, sql, type SQL } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { readBeginning } from "#worker/platform/http/outgoing.ts";
import { enqueueLater, outboxRowOnce, PermanentError, type Deliver } from "#worker/platform/work/outbox.ts";
import { outbox } from "#worker/platform/table.ts";
import { hubSetting, readSite } from "#worker/settings/queries.ts";
import { hubFault } from "#worker/websub/hub.ts";

export const WEBSUB_TOPIC = "websub";

/**
 * Milliseconds between a change and its ping. A hub fetches the feed immediately, and another isolate may serve the
 * stale feed for up to 20 seconds (decision 0011), so that the hub would miss the change.
 */
export const HOLD_MS = 25_000;

/** Timeout of a hub's answer in milliseconds. */
const TIMEOUT_MS = 10_000;
/** Stored characters of a hub's answer. */
const ANSWER_LENGTH = 200;

type Ping = {
  /** Path of the feed that has changed. */
  feed: string;
};

/**
 * The statements that ping the hub about a feed's change, if `isDue` and there is a hub; call `enqueue` once they are
 * written.
 */
export function pingHub(ctx: Context, feed: string, isDue: SQL) {
  const { id, statements, waitingId } = outboxRowOnce(ctx, WEBSUB_TOPIC, { feed } satisfies Ping, {
    isDue: sql`${hubSetting} <> '' and ${isDue}`,
    delayMs: HOLD_MS,
  });
  return { statements, pingId: waitingId, enqueue: () => enqueueLater(ctx, id, HOLD_MS) };
}

/** The result of a delivery without a hub. */
export const HUB_REMOVED = "The hub was removed before it was notified.";

/**
 * Pings the hub about a changed feed (WebSub §7, in the format of public hubs). Without a hub the delivery is done, and
 * its row has the reason.
 */
export const deliverPing: Deliver = async (ctx, payload, { id }) => {
  const { hubUrl } = await readSite(ctx);
  if (hubUrl === "") {
    await ctx.db.update(outbox).set({ lastError: HUB_REMOVED }).where(eq(outbox.id, id));
    return;
  }
  const { siteUrl } = ctx.config;
  const fault = hubFault(hubUrl, siteUrl);
  if (fault) throw new PermanentError(fault);
  const response = await fetch(hubUrl, {
    method: "POST",
    body: new URLSearchParams({ "hub.mode": "publish", "hub.url": siteUrl + (payload as Ping).feed }),
    // No redirects: the target is not the address that the owner chose.
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const beginning = await readBeginning(response, ANSWER_LENGTH);
  const words = beginning.replace(/\s+/g, " ").trim();
  if (response.ok) return;
  const location = response.headers.get("Location");
  const answer = location ? `${response.status}, which leads to ${location}` : `${response.status} ${words}`;
  throw new Error(`The hub answered ${answer.trim()}`.slice(0, 2 * ANSWER_LENGTH));
};
