import type { SQL } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { readBeginning } from "#worker/platform/http/outgoing.ts";
import { hideSecret } from "#worker/platform/text/hide-secret.ts";
import { enqueueLater, outboxRowOnce, PermanentError, type Deliver } from "#worker/platform/work/outbox.ts";
import { HOLD_MS } from "#worker/websub/ping.ts";

export const PODPING_TOPIC = "podping";

/** Timeout of an answer in milliseconds. */
const TIMEOUT_MS = 10_000;
/** Stored characters of an answer. */
const ANSWER_LENGTH = 200;

type Notice = {
  /** Path of the feed that has changed. */
  feed: string;
};

/**
 * The statements that notify Podping of a change of the podcast's feed, if `isDue` and the site has a token; call
 * `enqueue` once they are written. None without a token.
 */
export function notifyPodping(ctx: Context, feed: string, isDue: SQL) {
  if (!ctx.config.podping) return { statements: [] as const, enqueue: () => {} };
  const { id, statements } = outboxRowOnce(ctx, PODPING_TOPIC, { feed } satisfies Notice, {
    isDue,
    delayMs: HOLD_MS,
  });
  return { statements, enqueue: () => enqueueLater(ctx, id, HOLD_MS) };
}

/** Notifies Podping of a changed feed, in the form of podping.cloud's front end. Without a token the delivery is done. */
export const deliverPodping: Deliver = async (ctx, payload) => {
  const { podping, siteUrl } = ctx.config;
  if (!podping) return;
  const address = new URL(podping.url);
  address.searchParams.set("url", siteUrl + (payload as Notice).feed);
  const response = await fetch(address, {
    headers: { Authorization: podping.token, "User-Agent": `Rostrum (${siteUrl})` },
    // The token is for this address alone.
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const beginning = await readBeginning(response, ANSWER_LENGTH);
  if (response.ok) return;
  // A service in between may repeat the request, and the words are logged.
  const said = hideSecret(beginning, podping.token).replace(/\s+/g, " ");
  const words = `Podping answered ${response.status} ${said}`.trim();
  // The token, or the address of the feed: a later attempt is refused, too.
  if (response.status >= 400 && response.status < 500 && response.status !== 429)
    throw new PermanentError(words);
  throw new Error(words);
};
