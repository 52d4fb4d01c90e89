import { eq } from "drizzle-orm";
import categories from "podcast-categories";
import { artworkFaults } from "#worker/episodes/artwork/contract.ts";
import { ShowInput } from "#worker/episodes/contract.ts";
import { laterFeedChange } from "#worker/episodes/feed-date.ts";
import { podcastGuid } from "#worker/episodes/guid.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { shows } from "#worker/episodes/table.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { requireStoredFile } from "#worker/files/stored.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";
import { readSite } from "#worker/settings/queries.ts";

/**
 * Describes the podcast. The first time derives its podcast:guid from the feed's address; it never changes after that, but
 * for a podcast that moves here and is known by another: `guid`.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for a category that Apple does not list, a file that is not
 * stored, a new address of the feed that is on this site, and new artwork that podcast apps would refuse
 */
export async function updateShow(ctx: Context, input: ShowInput, { guid }: { guid?: string } = {}) {
  requireCapability("edit", ctx);
  const values = parseInput(ShowInput, input);
  requireAppleCategory(values);
  requireElsewhere(ctx, values.newFeedUrl);
  const artwork = values.artworkFileId
    ? await requireStoredFile(ctx, values.artworkFileId, "image", "artworkFileId")
    : null;
  if (artwork) await refuseUnfitArtwork(ctx, artwork);
  const firstGuid = guid ?? podcastGuid(`${ctx.config.siteUrl}${FEED_PATH}`);
  const described = { ...values, language: values.language ?? (await readSite(ctx)).language };
  const save = ctx.db
    .insert(shows)
    .values({ id: 1, guid: firstGuid, ...described, feedChangedAt: ctx.now, updatedAt: ctx.now })
    .onConflictDoUpdate({
      target: shows.id,
      set: { ...described, ...(guid && { guid }), feedChangedAt: laterFeedChange(ctx), updatedAt: ctx.now },
    })
    .returning();
  const [[show]] = await ctx.db.batch([save, changed(ctx, "show")]);
  return { show: show!, artwork };
}

/** What the podcast has already is left to the publish check, so that the rest can be saved. */
async function refuseUnfitArtwork({ db }: Context, artwork: StoredFile) {
  const faults = artworkFaults(artwork, "The artwork");
  if (faults.length === 0) return;
  const [show] = await db.select({ artworkFileId: shows.artworkFileId }).from(shows).where(eq(shows.id, 1));
  if (show?.artworkFileId === artwork.id) return;
  throw new AppError("invalid", faults.join(" "), { field: "artworkFileId" });
}

function requireAppleCategory({ category, subcategory }: { category: string; subcategory: string }) {
  const subcategories = Object.hasOwn(categories, category) ? categories[category] : undefined;
  if (!subcategories)
    throw new AppError("invalid", "Choose a category from Apple’s list.", { field: "category" });
  if (subcategory !== "" && !Object.hasOwn(subcategories, subcategory)) {
    throw new AppError("invalid", `“${subcategory}” is not part of “${category}”.`, { field: "subcategory" });
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
