import { and, eq, isNull, sql } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { artworkFaults } from "#worker/episodes/artwork/contract.ts";
import type { FeedCheck } from "#worker/episodes/contract.ts";
import { readFeedDocument } from "#worker/episodes/feed-queries.ts";
import { AUDIO_TYPES } from "#worker/episodes/publish-check.ts";
import { MAX_DOCUMENT } from "#worker/episodes/rss.ts";
import { readShowForEdit } from "#worker/episodes/show-queries.ts";
import { episodes } from "#worker/episodes/table.ts";
import type { Context } from "#worker/platform/context.ts";
import { logAsNull, logError } from "#worker/platform/log.ts";
import { byteLength } from "#worker/platform/text/bytes.ts";

/** Seconds for which a check holds, unless the feed changes: what is in R2 may go without it. */
const HOLDS = 3600;

/**
 * Renders the podcast's feed and looks for what apps would refuse. Rendered once for each version of the feed.
 * @throws `unauthenticated`, `forbidden`
 */
export async function checkFeed(ctx: Context): Promise<FeedCheck> {
  requireCapability("edit", ctx);
  const edited = await readShowForEdit(ctx);
  if (!edited) return { state: "none" };
  const { show, artwork } = edited;
  if (show.redirectsFeed && show.newFeedUrl) return { state: "moved", to: show.newFeedUrl };
  const key = `feed-check:${ctx.config.version}:${show.feedChangedAt.getTime()}`;
  const known = await ctx.kv.get<FeedCheck>(key, "json").catch(unkept);
  if (known) return known;
  try {
    const [{ xml, items }, silent] = await Promise.all([readFeedDocument(ctx), countSilent(ctx)]);
    const check: FeedCheck = {
      state: "ok",
      items: items.length,
      bytes: byteLength(xml),
      maxBytes: MAX_DOCUMENT,
      problems: [
        ...(artwork
          ? artworkFaults(artwork, "The podcast’s artwork")
          : ["The podcast has no artwork, and Apple Podcasts requires it."]),
        ...(silent > 0 ? [`${silent} published without audio, so not in the feed.`] : []),
        ...(await enclosureProblems(ctx, items)),
      ],
    };
    await ctx.kv.put(key, JSON.stringify(check), { expirationTtl: HOLDS }).catch(unkept);
    return check;
  } catch (error) {
    logError("feed check", error);
    return { state: "broken" };
  }
}

/** If a check cannot be stored, that says nothing about the feed. */
const unkept = logAsNull("feed check: KV did not keep it");

type Items = Awaited<ReturnType<typeof readFeedDocument>>["items"];

/** The newest enclosure is asked for; of the others their type is known. */
async function enclosureProblems({ media }: Context, items: Items) {
  const refused = items.filter(({ audioType }) => !AUDIO_TYPES.includes(audioType));
  const [newest] = items;
  const isGone = newest !== undefined && (await media.head(newest.audioKey)) === null;
  return [
    ...refused
      .slice(0, 3)
      .map(({ title, audioType }) => `Apple Podcasts doesn’t play “${title}” (${audioType}).`),
    ...(isGone ? [`The audio of “${newest.title}” is missing.`] : []),
  ];
}

async function countSilent({ db }: Context) {
  const [row] = await db
    .select({ count: sql<number>`count(*)` })
    .from(episodes)
    .where(and(eq(episodes.status, "published"), isNull(episodes.audioFileId)));
  return row?.count ?? 0;
}
