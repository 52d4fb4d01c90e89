import categories from "podcast-categories";
import { ShowInput } from "#worker/episodes/contract.ts";
import { laterFeedChange } from "#worker/episodes/feed-date.ts";
import { podcastGuid } from "#worker/episodes/guid.ts";
import { FEED_PATH } from "#worker/episodes/show-queries.ts";
import { shows } from "#worker/episodes/table.ts";
import { requireStoredFile } from "#worker/files/stored.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";
import { readSite } from "#worker/settings/queries.ts";

/**
 * Describes the podcast. The first time derives its podcast:guid from the feed's address; it never changes after that.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for a category that Apple does not list and a file that is not
 * stored
 */
export async function updateShow(ctx: Context, input: ShowInput) {
  requireCapability("edit", ctx);
  const values = parseInput(ShowInput, input);
  requireAppleCategory(values);
  const artwork = values.artworkFileId
    ? await requireStoredFile(ctx, values.artworkFileId, "image", "artworkFileId")
    : null;
  const guid = podcastGuid(`${ctx.config.siteUrl}${FEED_PATH}`);
  const described = { ...values, language: values.language ?? (await readSite(ctx)).language };
  const save = ctx.db
    .insert(shows)
    .values({ id: 1, guid, ...described, feedChangedAt: ctx.now, updatedAt: ctx.now })
    .onConflictDoUpdate({
      target: shows.id,
      set: { ...described, feedChangedAt: laterFeedChange(ctx), updatedAt: ctx.now },
    })
    .returning();
  const [[show]] = await ctx.db.batch([save, changed(ctx, "show")]);
  return { show: show!, artwork };
}

function requireAppleCategory({ category, subcategory }: { category: string; subcategory: string }) {
  const subcategories = Object.hasOwn(categories, category) ? categories[category] : undefined;
  if (!subcategories)
    throw new AppError("invalid", "Choose a category from Apple’s list.", { field: "category" });
  if (subcategory !== "" && !Object.hasOwn(subcategories, subcategory)) {
    throw new AppError("invalid", `“${subcategory}” is not part of “${category}”.`, { field: "subcategory" });
  }
}
