import { and, eq, sql, type SQL } from "drizzle-orm";
import categories from "podcast-categories";
import type { PublicShow, ShowInput } from "#worker/episodes/contract.ts";
import { podcastGuid } from "#worker/episodes/guid.ts";
import { shows } from "#worker/episodes/table.ts";
import { files } from "#worker/files/table.ts";
import { pictureColumns, toPicture } from "#worker/files/picture.ts";
import { findStoredFiles, requireStoredFile } from "#worker/files/stored.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { prepared } from "#worker/platform/prepared.ts";
import { readSite } from "#worker/settings/settings.ts";

export const FEED_PATH = "/rss/podcast.xml";

const selectShow = prepared([], (db) =>
  db
    .select({ show: publicColumns, artwork: pictureColumns(files) })
    .from(shows)
    .leftJoin(files, eq(files.id, shows.artworkFileId))
    .where(eq(shows.id, 1)),
);
const publicColumns = {
  title: shows.title,
  subtitle: shows.subtitle,
  description: shows.description,
  author: shows.author,
  fundingUrl: shows.fundingUrl,
  fundingText: shows.fundingText,
  people: shows.people,
};

/** The podcast as visitors see it; null until the owner has described it. */
export async function readShow(ctx: Context): Promise<PublicShow | null> {
  ctx.dependsOn("show");
  const [row] = await selectShow(ctx, {});
  if (!row) return null;
  return {
    ...row.show,
    artwork: toPicture(row.artwork, `The cover of ${row.show.title}`),
    feedUrl: FEED_PATH,
  };
}

/** The podcast as its owner edits it, with the artwork's file. */
export async function readShowForEdit(ctx: Context) {
  requireCapability("edit", ctx);
  const [show] = await ctx.db.select().from(shows).where(eq(shows.id, 1));
  if (!show) return null;
  const stored = await findStoredFiles(ctx, show.artworkFileId ? [show.artworkFileId] : []);
  return { show, artwork: stored.get(show.artworkFileId ?? "") ?? null };
}

/** Describes the podcast. Its podcast:guid is made from the feed's address the first time and never changes. */
export async function saveShow(ctx: Context, input: ShowInput) {
  requireCapability("edit", ctx);
  requireAppleCategory(input);
  if (input.artworkFileId) await requireStoredFile(ctx, input.artworkFileId, "image", "artworkFileId");
  const guid = podcastGuid(`${ctx.config.siteUrl}${FEED_PATH}`);
  const show = { ...input, language: input.language ?? (await readSite(ctx)).language };
  const save = ctx.db
    .insert(shows)
    .values({ id: 1, guid, ...show, feedChangedAt: ctx.now, updatedAt: ctx.now })
    .onConflictDoUpdate({
      target: shows.id,
      set: { ...show, feedChangedAt: changeAfter(ctx), updatedAt: ctx.now },
    });
  await ctx.db.batch([save, changed(ctx, "show")]);
}

/** The statement that moves the feed's date, where this is true; it stands in the batch of every write of episodes. */
export function touchFeed(ctx: Context, isShown: SQL) {
  return ctx.db
    .update(shows)
    .set({ feedChangedAt: changeAfter(ctx) })
    .where(and(eq(shows.id, 1), isShown));
}

/** Two changes within one millisecond still give two dates. */
const changeAfter = ({ now }: Context) => sql`max(${now.getTime()}, ${shows.feedChangedAt} + 1)`;

function requireAppleCategory({ category, subcategory }: ShowInput) {
  const subcategories = Object.hasOwn(categories, category) ? categories[category] : undefined;
  if (!subcategories)
    throw new AppError("invalid", "Choose a category from Apple’s list.", { field: "category" });
  if (subcategory !== "" && !Object.hasOwn(subcategories, subcategory)) {
    throw new AppError("invalid", `“${subcategory}” is not part of “${category}”.`, { field: "subcategory" });
  }
}
