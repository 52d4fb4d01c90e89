import type { FeedFacts } from "#worker/backups/contract.ts";
import { sha256 } from "#worker/backups/digests.ts";
import { readFeedShow } from "#worker/episodes/feed-queries.ts";
import { readFeed } from "#worker/episodes/stored-feed.ts";
import type { Context } from "#worker/platform/context.ts";

/** The first page of the podcast's feed, as the context's database renders it at this time. */
export async function feedFacts(ctx: Context, at: number): Promise<FeedFacts> {
  const now = new Date(at);
  const frozen: Context = { ...ctx, now, clock: () => now, later: () => {}, dependsOn: () => {} };
  const xml = await readFeed(frozen, await readFeedShow(frozen), 1);
  const bytes = new TextEncoder().encode(xml);
  return { sha256: await sha256(bytes), bytes: bytes.length, at };
}
