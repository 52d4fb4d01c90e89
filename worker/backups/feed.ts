import type { FeedFacts } from "#worker/backups/contract.ts";
import { sha256 } from "#worker/backups/digests.ts";
import { readFeedShow } from "#worker/episodes/feed-queries.ts";
import { readFeed } from "#worker/episodes/stored-feed.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";

/**
 * The first page of the podcast's feed, rendered from the context's database with this time as the clock. Null until the
 * podcast has been described.
 */
export async function feedFacts(ctx: Context, at: number): Promise<FeedFacts | null> {
  const now = new Date(at);
  const frozen: Context = { ...ctx, now, clock: () => now, later: () => {}, dependsOn: () => {} };
  const show = await readFeedShow(frozen).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  });
  if (!show) return null;
  const xml = await readFeed(frozen, show, 1);
  const bytes = new TextEncoder().encode(xml);
  return { sha256: await sha256(bytes), bytes: bytes.length, at };
}
