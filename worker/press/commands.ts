import { embeddedFileIdsOf, findEmbedded } from "#worker/files/embedded.ts";
import { changed } from "#worker/platform/changes.ts";
import { requireCapability } from "#worker/access/capabilities.ts";
import type { Context } from "#worker/platform/context.ts";
import { parseInput } from "#worker/platform/input.ts";
import { renderMarkdown } from "#worker/platform/markdown.ts";
import { NewPressItem, type PressItem } from "#worker/press/contract.ts";
import { pressColumns, toPressItem } from "#worker/press/queries.ts";
import { pressItems } from "#worker/press/table.ts";

/** @throws `unauthenticated`, `forbidden`; `invalid` */
export async function createPressItem(ctx: Context, input: NewPressItem): Promise<PressItem> {
  requireCapability("edit", ctx);
  const { date, ...item } = parseInput(NewPressItem, input);
  const content = renderMarkdown(item.content, await findEmbedded(ctx, item.content));
  const insert = ctx.db
    .insert(pressItems)
    .values({
      ...item,
      date: new Date(date),
      contentHtml: content.html,
      contentText: content.text,
      embeddedFileIds: embeddedFileIdsOf(item.content),
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning(pressColumns);
  const [[created]] = await ctx.db.batch([insert, changed(ctx, "press")]);
  return toPressItem(created!);
}
