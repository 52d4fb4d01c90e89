import { and, eq, gte, isNull, or, sql, type SQL } from "drizzle-orm";
import type { Context } from "#worker/platform/context.ts";
import { RENDERER_VERSION } from "#worker/platform/text/markdown.ts";
import type { StoredHtml } from "#worker/rendering/render-slice.ts";
import { renderPasses } from "#worker/rendering/table.ts";

/** Whether `renderStoredTexts` has anything to do. */
export const hasOldTexts = async (ctx: Context, nouns: Record<string, StoredHtml>) =>
  (await readPositions(ctx, nouns)).some(([, after]) => after !== null);

/** The id of the last item of each noun that has the renderer's HTML; null if all have. */
export async function readPositions({ db }: Context, nouns: Record<string, StoredHtml>) {
  const passes = await db.select().from(renderPasses);
  return Object.keys(nouns).map((noun) => {
    const pass = passes.find((each) => each.noun === noun && each.version === RENDERER_VERSION);
    return [noun, pass ? pass.after : 0] as const;
  });
}

/**
 * The statement that has a pass render an item that returns with the HTML of another version of the renderer, and those
 * after it, of which only changed ones are written.
 */
export const renderAgain = ({ db }: Context, noun: string, id: number, renderedBy: SQL) =>
  db
    .update(renderPasses)
    .set({ after: id - 1 })
    .where(
      and(
        eq(renderPasses.noun, noun),
        sql`${renderedBy} <> ${RENDERER_VERSION}`,
        or(isNull(renderPasses.after), gte(renderPasses.after, id)),
      ),
    );
