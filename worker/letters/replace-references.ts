import { and, eq, inArray } from "drizzle-orm";
import { requireCapability } from "#worker/access/capabilities.ts";
import { findEmbeddedIn } from "#worker/files/pictures/markdown-images.ts";
import { moveText, type FilePlace } from "#worker/files/library/replace-references.ts";
import { isWritable } from "#worker/letters/queries.ts";
import { renderedColumns } from "#worker/letters/rendered.ts";
import { letters } from "#worker/letters/table.ts";
import { AppError } from "#worker/platform/errors.ts";
import { laterThan } from "#worker/platform/data/publishing.ts";

/**
 * The files that a letter's text shows or links to. A sent letter keeps the old file, since its mails have that
 * address.
 */
export const letterPlace: FilePlace = {
  async move(ctx, items, move) {
    requireCapability("audience", ctx);
    const rows = await ctx.db
      .select()
      .from(letters)
      .where(inArray(letters.id, items.map(Number)));
    const sent = rows.find(({ status }) => !isWritable(status));
    if (sent) throw stays(sent.subject);
    const texts = rows.map(({ content }) => moveText(content, move));
    const pictures = await findEmbeddedIn(ctx, texts);
    return {
      statements: rows.map((row, index) =>
        ctx.db
          .update(letters)
          .set({
            ...renderedColumns(texts[index]!, pictures),
            updatedAt: laterThan(row.updatedAt, ctx.now),
          })
          .where(and(eq(letters.id, row.id), eq(letters.updatedAt, row.updatedAt))),
      ),
    };
  },
};

const stays = (subject: string) =>
  new AppError(
    "conflict",
    `The letter “${subject}” was sent and shows this file from its address. Upload the new file separately instead.`,
  );
