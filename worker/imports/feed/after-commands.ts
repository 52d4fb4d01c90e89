import { eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { ShowInput } from "#worker/episodes/contract.ts";
import { readFeedShow } from "#worker/episodes/feed-queries.ts";
import { updateShow } from "#worker/episodes/show-commands.ts";
import { readShowForEdit } from "#worker/episodes/show-queries.ts";
import { readFeed } from "#worker/episodes/stored-feed.ts";
import { compareEpisodes } from "#worker/imports/feed/compare.ts";
import {
  TakenFacts,
  type FeedComparison,
  type FeedEpisode,
  type Portrait,
} from "#worker/imports/feed/contract.ts";
import { readChannel } from "#worker/imports/feed/document.ts";
import { HostError } from "#worker/imports/feed/download.ts";
import { episodesOf } from "#worker/imports/feed/episodes.ts";
import { readFeedDetails } from "#worker/imports/feed/queries.ts";
import { readPages } from "#worker/imports/feed/read-feed.ts";
import { movePortrait, withoutProfile } from "#worker/imports/feed/portraits.ts";
import { movePicture } from "#worker/imports/feed/side-files.ts";
import { imports } from "#worker/imports/table.ts";
import { readSite } from "#worker/settings/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";

/**
 * Copies the chosen facts of the old feed to the podcast here, and its podcast:guid, by which directories identify it.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid`, also as `updateShow`; `conflict` if another editor
 * changes the podcast at the same time
 */
export async function takeOverShow(ctx: Context, id: number, input: TakenFacts) {
  requireCapability("edit", ctx);
  const { facts: wanted } = parseInput(TakenFacts, input);
  const { plan } = await readFeedDetails(ctx, id);
  const { guid, artwork, ...facts } = Object.fromEntries(
    wanted.filter((name) => plan.facts[name] !== undefined).map((name) => [name, plan.facts[name]]),
  ) as typeof plan.facts;
  const current = await readShowForEdit(ctx);
  const {
    id: _id,
    guid: _guid,
    feedChangedAt: _changed,
    updatedAt: basedOn = 0,
    ...before
  } = current?.show ?? {};
  if (facts.people) await portray(ctx, plan.portraits ?? [], id);
  const artworkFileId = artwork ? await artworkOf(ctx, artwork, id) : undefined;
  // The current subcategory belongs to another category.
  const subcategory = facts.category === undefined ? {} : { subcategory: "" };
  const values = { ...before, ...subcategory, ...facts, ...(artworkFileId && { artworkFileId }) };
  return updateShow(ctx, { ...(values as ShowInput), basedOn }, { guid });
}

async function portray(ctx: Context, portraits: Portrait[], importId: number) {
  for (const portrait of await withoutProfile(ctx, portraits))
    try {
      await movePortrait(ctx, portrait, importId);
    } catch (error) {
      if (!(error instanceof HostError || error instanceof AppError)) throw error;
      const message = `The portrait of ${portrait.name} couldn’t be imported. ${error.message}`;
      throw new AppError("invalid", message, { field: "people" });
    }
}

async function artworkOf(ctx: Context, url: string, importId: number) {
  try {
    return await movePicture(ctx, url, importId);
  } catch (error) {
    if (!(error instanceof HostError || error instanceof AppError)) throw error;
    throw new AppError("invalid", `The artwork couldn’t be imported. ${error.message}`, { field: "artwork" });
  }
}

const MOST_PAGES = 50;
const MOST_MISSING = 100;
const MOST_DIFFERING = 200;

/**
 * Fetches the old feed again, and this site's feed as apps get it, and compares them episode by episode.
 * @throws `unauthenticated`, `forbidden`; `not_found`; `invalid` if one of them cannot be read
 */
export async function compareFeeds(ctx: Context, id: number): Promise<FeedComparison> {
  requireCapability("edit", ctx);
  const [{ source, ...details }, { timeZone }] = await Promise.all([readFeedDetails(ctx, id), readSite(ctx)]);
  const own = await readOwnEpisodes(ctx);
  const comparison: FeedComparison = {
    at: ctx.now.getTime(),
    compared: 0,
    alike: 0,
    missing: [],
    missingCount: 0,
    differing: [],
    differingCount: 0,
    missingPages: [],
  };
  for await (const page of readPages(ctx, source)) {
    if ("missing" in page) comparison.missingPages?.push(page.missing);
    else
      for (const before of episodesOf(page.channel, timeZone))
        addTo(comparison, before, own.get(before.guid));
  }
  await ctx.db
    .update(imports)
    .set({ details: { ...details, comparison } })
    .where(eq(imports.id, id));
  return comparison;
}

function addTo(comparison: FeedComparison, before: FeedEpisode, after: FeedEpisode | undefined) {
  if (!before.audio) return;
  if (!after) {
    comparison.missingCount++;
    if (comparison.missing.length < MOST_MISSING) comparison.missing.push(before.title);
    return;
  }
  comparison.compared++;
  const differences = compareEpisodes(before, after);
  if (differences.length === 0) {
    comparison.alike++;
    return;
  }
  comparison.differingCount++;
  if (comparison.differing.length < MOST_DIFFERING)
    comparison.differing.push({ title: before.title, differences });
}

/** By GUID. */
async function readOwnEpisodes(ctx: Context) {
  const own = new Map<string, FeedEpisode>();
  const show = await readFeedShow(ctx).catch((error: unknown) => {
    if (error instanceof AppError)
      throw new AppError("invalid", "This site has no feed yet: describe the podcast first.");
    throw error;
  });
  for (let page = 1; page <= MOST_PAGES; page++) {
    const xml = await readFeed(ctx, show, page).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "not_found") return null;
      throw error;
    });
    if (xml === null) break;
    for (const episode of episodesOf(readChannel(xml))) own.set(episode.guid, episode);
  }
  return own;
}
