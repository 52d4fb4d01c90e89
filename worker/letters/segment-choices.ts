import { listTiers } from "#worker/members/tier-queries.ts";
import { listSources } from "#worker/newsletter/sources.ts";
import type { Context } from "#worker/platform/context.ts";
import { listTopicNames } from "#worker/topics/owner-queries.ts";

/** What the recipients of a letter are chosen by. */
export type SegmentChoices = {
  /** The sources of subscribers. */
  sources: string[];
  topics: { id: number; name: string; isOffered: boolean }[];
  tiers: { id: number; name: string }[];
};

/** @throws `unauthenticated`, `forbidden` */
export async function readSegmentChoices(ctx: Context): Promise<SegmentChoices> {
  const [sources, topics, tiers] = await Promise.all([listSources(ctx), listTopicNames(ctx), listTiers(ctx)]);
  return { sources: sources.items, topics, tiers: tiers.items.map(({ id, name }) => ({ id, name })) };
}
