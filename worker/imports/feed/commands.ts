import { and, eq } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { findArticlesByPlace } from "#worker/articles/old-addresses.ts";
import { findEpisodesByGuid } from "#worker/episodes/guid-queries.ts";
import {
  FEED,
  FeedAddress,
  type FeedDetails,
  type FeedEpisode,
  type MissingPage,
} from "#worker/imports/feed/contract.ts";
import { attributeOf, childrenOf, textOf, type Node } from "#worker/imports/feed/node.ts";
import { episodesOf } from "#worker/imports/feed/episodes.ts";
import { factsOf, lockOf, remarksOf } from "#worker/imports/feed/facts.ts";
import { Planner } from "#worker/imports/feed/plan.ts";
import { readPages } from "#worker/imports/feed/read-feed.ts";
import { portraitsOf } from "#worker/imports/feed/values.ts";
import { PLANNING, type ImportProgress } from "#worker/imports/contract.ts";
import { insertImport, insertItems } from "#worker/imports/items.ts";
import { progressColumns, toProgress } from "#worker/imports/progress.ts";
import { imports } from "#worker/imports/table.ts";
import { readSite } from "#worker/settings/queries.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { logError } from "#worker/platform/log.ts";
import { parseInput } from "#worker/platform/data/input.ts";

const MOST_EPISODES = 10_000;

/**
 * Reads the feed of a podcast elsewhere, and plans its import: nothing is imported before that is started. Episodes
 * with the GUID of an existing one are left out.
 * @throws `unauthenticated`, `forbidden`; `invalid` beside the address, also for a feed that its owner has locked
 */
export async function createFeedImport(ctx: Context, input: FeedAddress): Promise<ImportProgress> {
  requireCapability("edit", ctx);
  const { url } = parseInput(FeedAddress, input);
  const { timeZone } = await readSite(ctx);
  const pages = readPages(ctx, url);
  const { value: first } = await pages.next();
  const { channel } = first as { channel: Node };
  requireUnlocked(ctx, channel);
  const planner = new Planner(ctx);
  const facts = factsOf(channel, url);
  const portraits = portraitsOf(childrenOf(channel, "podcast:person"), attributeOf(channel, "xml:base"));
  noteMove(planner, channel, url);
  for (const remark of remarksOf(channel, facts)) planner.note(remark);
  const [created] = await insertImport(ctx, { kind: FEED, source: url, state: PLANNING });
  const id = created!.id;
  try {
    let count = 1;
    const missingPages: MissingPage[] = [];
    const add = (page: Node) => addEpisodes(ctx, id, planner, episodesOf(page, timeZone));
    await add(channel);
    for await (const page of pages) {
      if ("missing" in page) missingPages.push(page.missing);
      else {
        count++;
        await add(page.channel);
      }
    }
    return await storePlan(ctx, id, planner, { facts, portraits, pages: count, missingPages });
  } catch (error) {
    await ctx.db
      .delete(imports)
      .where(eq(imports.id, id))
      .catch((failure: unknown) => logError("imports: the sweep deletes an unfinished plan", failure));
    throw error;
  }
}

function requireUnlocked({ config, actor }: Context, channel: Node) {
  const { isLocked, owners } = lockOf(channel);
  const own = [config.adminEmail, ...(actor.kind === "user" ? [actor.email.toLowerCase()] : [])];
  if (!isLocked || owners.some((owner) => own.includes(owner))) return;
  throw new AppError(
    "invalid",
    "This feed is locked against moving. Unlock it at the old host, or set your own email there as the owner’s.",
    { field: "url" },
  );
}

function noteMove(planner: Planner, channel: Node, url: string) {
  const moved = textOf(channel, "itunes:new-feed-url");
  if (moved !== "" && moved !== url) planner.note(`This feed has moved to ${moved.slice(0, 300)}`);
}

async function addEpisodes(ctx: Context, id: number, planner: Planner, episodes: FeedEpisode[]) {
  const guids = episodes.map(({ guid }) => guid);
  const [known, articles] = await Promise.all([
    findEpisodesByGuid(ctx, guids),
    findArticlesByPlace(
      ctx,
      episodes.map(({ guid, oldAddresses = [] }) => ({ guid, oldAddresses })),
    ),
  ]);
  const planned = planner.plan(episodes, new Set(known.keys()), new Set(articles.keys()));
  if (planned.length > 0 && !(await insertItems(ctx, id, planned))) throw tookTooLong();
  const { episodes: coming, isHere, leftOut } = planner.counts;
  if (coming + isHere + leftOut > MOST_EPISODES)
    throw new AppError("invalid", `The feed has more than ${MOST_EPISODES} episodes.`, { field: "url" });
}

async function storePlan(
  ctx: Context,
  id: number,
  planner: Planner,
  about: Pick<FeedDetails["plan"], "facts" | "portraits" | "pages" | "missingPages">,
) {
  const { counts, bytes } = planner;
  if (counts.episodes + counts.isHere + counts.leftOut === 0)
    throw new AppError("invalid", "The feed has no episodes.", { field: "url" });
  const details: FeedDetails = { plan: { ...about, counts, bytes, problems: planner.listProblems() } };
  const [stored] = await ctx.db
    .update(imports)
    .set({ details, state: "open", updatedAt: ctx.clock() })
    .where(and(eq(imports.id, id), eq(imports.state, PLANNING)))
    .returning(progressColumns);
  if (!stored) throw tookTooLong();
  return toProgress(stored);
}

/** The sweep took it for interrupted. */
const tookTooLong = () =>
  new AppError("invalid", "Reading this feed took too long. Try it again.", { field: "url" });
