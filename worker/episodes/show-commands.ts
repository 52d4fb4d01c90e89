import { eq, sql } from "drizzle-orm";
import categories from "podcast-categories";
import { artworkFaults } from "#worker/episodes/artwork/contract.ts";
import { ShowChange } from "#worker/episodes/contract.ts";
import { laterFeedChange } from "#worker/episodes/feed-date.ts";
import { podcastGuid } from "#worker/episodes/guid.ts";
import { FEED_PATH, toEditableShow } from "#worker/episodes/show-queries.ts";
import { shows } from "#worker/episodes/table.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { requireStoredFile } from "#worker/files/stored.ts";
import { changed } from "#worker/platform/data/changes.ts";
import { requireCapability, requireRecentProof } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/data/input.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { isRepeated } from "#worker/platform/data/versions.ts";
import { readSite } from "#worker/settings/queries.ts";

/**
 * Describes the podcast. The first time derives its podcast:guid from the feed's address; it never changes after that, but
 * for a podcast that moves here and is known by another: `guid`. `basedOn` is the `updatedAt` that the change was made from.
 * @throws `unauthenticated`, `forbidden`; `reauthentication_required` for a new address of the feed; `invalid`, also for a
 * category that Apple does not list, a file that is not stored, a new address of the feed that is on this site, and new artwork that podcast apps would refuse; `conflict` when
 * the podcast was changed elsewhere since `basedOn`
 */
export async function updateShow(ctx: Context, input: ShowChange, { guid }: { guid?: string } = {}) {
  requireCapability("edit", ctx);
  const { basedOn, ...values } = parseInput(ShowChange, input);
  const before = await readRow(ctx);
  const stored = before ?? { updatedAt: new Date(0) };
  const isDone = isRepeated({ basedOn, stored, given: () => values, changedElsewhere });
  if (movesFeed(before, values)) requireRecentProof(ctx);
  requireAppleCategory(values);
  requireElsewhere(ctx, values.newFeedUrl);
  const artwork = values.artworkFileId
    ? await requireStoredFile(ctx, values.artworkFileId, "image", "artworkFileId")
    : null;
  if (before && isDone) return toEditableShow(before, artwork);
  // What the podcast has already is left to the publish check, so that the rest can be saved.
  if (artwork && artwork.id !== before?.artworkFileId) refuseUnfitArtwork(artwork);
  const firstGuid = guid ?? podcastGuid(`${ctx.config.siteUrl}${FEED_PATH}`);
  const described = {
    ...values,
    language: values.language ?? (await readSite(ctx)).language,
    updatedAt: before ? laterThan(before.updatedAt, ctx.now) : ctx.now,
  };
  const save = ctx.db
    .insert(shows)
    .values({ id: 1, guid: firstGuid, ...described, feedChangedAt: ctx.now })
    .onConflictDoUpdate({
      target: shows.id,
      set: { ...described, ...(guid && { guid }), feedChangedAt: laterFeedChange(ctx) },
      setWhere: before ? eq(shows.updatedAt, before.updatedAt) : sql`false`,
    })
    .returning();
  const [[show]] = await ctx.db.batch([save, changed(ctx, "show")]);
  if (!show) throw changedElsewhere();
  return toEditableShow(show, artwork);
}

/** Whether podcast apps are sent elsewhere by this change, or back. */
const movesFeed = (before: Pick<ShowChange, "newFeedUrl" | "redirectsFeed"> | undefined, after: ShowChange) =>
  (before?.newFeedUrl ?? null) !== after.newFeedUrl ||
  (before?.redirectsFeed ?? false) !== after.redirectsFeed;

/** The show before an update; undefined until it was described. */
async function readRow({ db }: Context) {
  const [row] = await db.select().from(shows).where(eq(shows.id, 1));
  return row;
}

const changedElsewhere = () =>
  new AppError("conflict", "The podcast was changed elsewhere since you opened it.");

function refuseUnfitArtwork(artwork: StoredFile) {
  const faults = artworkFaults(artwork, "The artwork");
  if (faults.length > 0) throw new AppError("invalid", faults.join(" "), { field: "artworkFileId" });
}

function requireAppleCategory({ category, subcategory }: { category: string; subcategory: string }) {
  const subcategories = Object.hasOwn(categories, category) ? categories[category] : undefined;
  if (!subcategories)
    throw new AppError("invalid", "Choose a category from Apple’s list.", { field: "category" });
  if (subcategory !== "" && !Object.hasOwn(subcategories, subcategory)) {
    throw new AppError("invalid", `“${subcategory}” isn’t part of “${category}”.`, { field: "subcategory" });
  }
}

/** A feed that redirects to itself, or to another answer of this site, is lost. */
function requireElsewhere({ config }: Context, newFeedUrl: string | null) {
  if (newFeedUrl === null || hostOf(newFeedUrl) !== hostOf(config.siteUrl)) return;
  throw new AppError("invalid", "This address is on this site. Enter the feed’s address at its new host.", {
    field: "newFeedUrl",
  });
}

const hostOf = (url: string) => new URL(url).hostname.replace(/\.$/, "");
