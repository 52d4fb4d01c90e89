import { and, eq, inArray, sql } from "drizzle-orm";
import { artworkFaults } from "#worker/episodes/artwork/contract.ts";
import { changedEpisodes, publicationOf } from "#worker/episodes/changed.ts";
import { renderedColumns } from "#worker/episodes/rendered.ts";
import { laterFeedChange, touchFeed } from "#worker/episodes/feed-date.ts";
import { toInput } from "#worker/episodes/owner-queries.ts";
import { isPublished } from "#worker/episodes/summary.ts";
import { episodes, shows } from "#worker/episodes/table.ts";
import { findEmbeddedIn } from "#worker/files/pictures/markdown-images.ts";
import {
  moveId,
  moveText,
  usedBy,
  type FileMove,
  type FilePlace,
} from "#worker/files/library/replace-references.ts";
import { changed } from "#worker/platform/data/changes.ts";
import { AppError } from "#worker/platform/errors.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";
import { feedChanged } from "#worker/publications/record-publication.ts";
import { namedSlugOf } from "#worker/revisions/queries.ts";
import { recordChange } from "#worker/revisions/record-revision.ts";

/** An episode's picture, those of its chapters, and what its show notes show and link to. */
export const episodePlace: FilePlace = {
  async move(ctx, items, move) {
    const are = inArray(episodes.id, items.map(Number));
    const rows = await ctx.db.select().from(episodes).where(are);
    rows.forEach((row) => refuseRecording(row, move));
    const texts = rows.map(({ showNotes }) => moveText(showNotes, move));
    const pictures = await findEmbeddedIn(ctx, texts);
    const saves = rows.map(async (row, index) => {
      const before = toInput(row);
      const written = {
        showNotes: texts[index]!,
        imageFileId: moveId(row.imageFileId, move),
        chapters: row.chapters.map((chapter) =>
          chapter.img ? { ...chapter, img: moveText(chapter.img, move) } : chapter,
        ),
      };
      const update = ctx.db
        .update(episodes)
        .set({
          ...written,
          ...renderedColumns({ ...row, ...written }, pictures),
          updatedAt: laterThan(row.updatedAt, ctx.now),
        })
        .where(and(eq(episodes.id, row.id), eq(episodes.updatedAt, row.updatedAt)));
      const revision = await recordChange(ctx, {
        kind: "episode",
        item: row.id,
        before: { values: before, savedAt: row.updatedAt },
        values: {
          ...before,
          ...written,
          slug: await namedSlugOf(ctx, { kind: "episode", item: row.id }, undefined, before.slug),
        },
      });
      return [update, ...revision];
    });
    const ping = feedChanged(ctx, publicationOf(sql`${are} and ${isPublished}`));
    return {
      statements: [
        ...(await Promise.all(saves)).flat(),
        ...changedEpisodes(ctx, sql`${are}`),
        ...ping.statements,
      ],
      enqueue: ping.enqueue,
    };
  },

  described: (ctx, fileId) => [
    ...changedEpisodes(
      ctx,
      sql`${episodes.id} in ${usedBy("episode", fileId)} and ${episodes.imageFileId} = ${fileId} and ${episodes.imageAlt} = ''`,
    ),
  ],
};

/** With it go its length, its chapters and the feed's enclosure. */
function refuseRecording({ audioFileId, title }: typeof episodes.$inferSelect, { from }: FileMove) {
  if (audioFileId !== from) return;
  const message = `This is the recording of “${title}”. Replace it in that episode’s form, beside its length and chapters.`;
  throw new AppError("conflict", message);
}

/** The show's artwork. */
export const showPlace: FilePlace = {
  async move(ctx, _items, { from, to }) {
    const faults = artworkFaults(to, "The artwork");
    if (faults.length > 0) throw new AppError("invalid", faults.join(" "), { field: "by" });
    const update = ctx.db
      .update(shows)
      .set({ artworkFileId: to.id, feedChangedAt: laterFeedChange(ctx), updatedAt: ctx.now })
      .where(eq(shows.artworkFileId, from));
    return { statements: [update, changed(ctx, "show")] };
  },

  // The feed names them.
  copied(ctx, fileId) {
    const isArtwork = eq(shows.artworkFileId, fileId);
    return [
      touchFeed(ctx, isArtwork),
      changed(ctx, sql`select 'show' as tag from ${shows} where ${isArtwork}`),
    ];
  },
};
