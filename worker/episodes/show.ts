import { and, eq, sql, type SQL } from "drizzle-orm";
import categories from "podcast-categories";
import { ShowInput, type PublicShow } from "#worker/episodes/contract.ts";
import { podcastGuid } from "#worker/episodes/guid.ts";
import { shows } from "#worker/episodes/table.ts";
import { image } from "#worker/files/joins.ts";
import { pictureColumns, toPicture } from "#worker/files/picture.ts";
import { findStoredFiles, requireStoredFile } from "#worker/files/stored.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability, type Context } from "#worker/platform/context.ts";
import { AppError } from "#worker/platform/errors.ts";
import { parseInput } from "#worker/platform/input.ts";
import { prepared } from "#worker/platform/prepared.ts";
import { readSite } from "#worker/settings/settings.ts";

export const FEED_PATH = "/rss/podcast.xml";

const selectShow = prepared([], (db) =>
  db
    .select({ show: publicColumns, artwork: pictureColumns(image) })
    .from(shows)
    .leftJoin(image, eq(image.id, shows.artworkFileId))
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

/** SQL: when the podcast was last described, in milliseconds UTC; null until then. */
export const showUpdatedAt = sql`(select ${shows.updatedAt} from ${shows} where ${shows.id} = 1)`;

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

/**
 * The podcast as its owner edits it, with the artwork's file; null until it was described.
 * @throws `unauthenticated`, `forbidden`
 */
export async function readShowForEdit(ctx: Context) {
  requireCapability("edit", ctx);
  const [show] = await ctx.db.select().from(shows).where(eq(shows.id, 1));
  if (!show) return null;
  const stored = await findStoredFiles(ctx, show.artworkFileId ? [show.artworkFileId] : []);
  return { show, artwork: stored.get(show.artworkFileId ?? "") ?? null };
}

/**
 * Describes the podcast. The first time derives its podcast:guid from the feed's address; it never changes after that.
 * @throws `unauthenticated`, `forbidden`; `invalid`, also for a category that Apple does not list and a file that is not
 * stored
 */
export async function saveShow(ctx: Context, input: ShowInput) {
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

/** The statement that moves the feed's date if the condition holds; part of every batch that writes episodes. */
export function touchFeed(ctx: Context, isShown: SQL) {
  return ctx.db
    .update(shows)
    .set({ feedChangedAt: laterFeedChange(ctx) })
    .where(and(eq(shows.id, 1), isShown));
}

/** Two changes within one millisecond get two dates. */
const laterFeedChange = ({ now }: Context) => sql`max(${now.getTime()}, ${shows.feedChangedAt} + 1)`;

function requireAppleCategory({ category, subcategory }: { category: string; subcategory: string }) {
  const subcategories = Object.hasOwn(categories, category) ? categories[category] : undefined;
  if (!subcategories)
    throw new AppError("invalid", "Choose a category from Apple’s list.", { field: "category" });
  if (subcategory !== "" && !Object.hasOwn(subcategories, subcategory)) {
    throw new AppError("invalid", `“${subcategory}” is not part of “${category}”.`, { field: "subcategory" });
  }
}
