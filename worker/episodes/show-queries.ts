import { eq } from "drizzle-orm";
import type { PublicShow } from "#worker/episodes/contract.ts";
import { shows } from "#worker/episodes/table.ts";
import type { StoredFile } from "#worker/files/contract.ts";
import { image } from "#worker/files/library/joins.ts";
import { pictureColumns, toPicture } from "#worker/files/pictures/picture.ts";
import { findFilesOf } from "#worker/files/stored.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { prepared } from "#worker/platform/data/prepared.ts";

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
  funding: shows.funding,
  people: shows.people,
};

/** The podcast as visitors see it; null until the owner has described it. */
export async function readShow(ctx: Context): Promise<PublicShow | null> {
  ctx.dependsOn("show");
  const [row] = await selectShow(ctx, {});
  if (!row) return null;
  const { funding, ...show } = row.show;
  return {
    ...show,
    fundingUrl: funding[0]?.url ?? null,
    fundingText: funding[0]?.text ?? "",
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
  const isShow = eq(shows.id, 1);
  const [[show], stored] = await Promise.all([
    ctx.db.select().from(shows).where(isShow),
    findFilesOf(ctx, isShow, [shows.artworkFileId]),
  ]);
  if (!show) return null;
  return toEditableShow(show, stored.get(show.artworkFileId ?? "") ?? null);
}

/** `updatedAt` in milliseconds UTC; an update sends it back as `basedOn`. Without the voices, which the form does not have. */
export function toEditableShow(row: typeof shows.$inferSelect, artwork: StoredFile | null) {
  const { voices: _, ...show } = row;
  return { show: { ...show, updatedAt: show.updatedAt.getTime() }, artwork };
}
