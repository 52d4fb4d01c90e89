import { eq, sql } from "drizzle-orm";
import type { FilePlace } from "#worker/files/library/replace-references.ts";
import { changed } from "#worker/platform/data/changes.ts";
import { ventures } from "#worker/ventures/table.ts";

/** A venture's picture. */
export const venturePlace: FilePlace = {
  async move(ctx, _items, { from, to }) {
    const update = ctx.db
      .update(ventures)
      .set({ imageFileId: to.id, updatedAt: sql`max(${ctx.now.getTime()}, ${ventures.updatedAt} + 1)` })
      .where(eq(ventures.imageFileId, from));
    const seen = sql`select 'ventures' as tag from ${ventures} where ${ventures.imageFileId} = ${from} and ${ventures.active}`;
    return { statements: [changed(ctx, seen), update] };
  },
};
